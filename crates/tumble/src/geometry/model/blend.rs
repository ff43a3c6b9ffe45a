//! Smooth bodies: bones with flesh around them that runs together where they meet, as a distance
//! that knows no edges.

use glam::DVec3;

/// A ball that goes straight from one place to another and grows or shrinks on its way, perhaps
/// pressed flat.
#[derive(Clone, Copy)]
pub(super) struct Bone {
    from: DVec3,
    to: DVec3,
    /// Radii at both ends.
    radii: [f64; 2],
    /// The direction in which it is thinner, and how many times.
    flat: (DVec3, f64),
    /// Over which distance it runs together with the bones before it.
    blend: f64,
    /// Which convex part it belongs to.
    pub(super) part: usize,
    /// Derived: the unit vector along it and its length, in space stretched along `flat` until it
    /// is round; how much the radius shrinks on the way, and the tangent of that angle.
    along: DVec3,
    length: f64,
    slope: f64,
    lean: f64,
    /// A ball that holds it.
    around: (DVec3, f64),
}

impl Bone {
    pub(super) fn new(part: usize, from: [f64; 3], to: [f64; 3], radii: [f64; 2], blend: f64) -> Self {
        let (from, to) = (from.into(), to.into());
        let (along, length, slope, lean, flat) = (DVec3::Z, 0.0, 0.0, 0.0, (DVec3::Y, 1.0));
        Self { from, to, radii, flat, blend, part, along, length, slope, lean, around: (from, 0.0) }.completed()
    }

    /// The same pressed flat in a direction.
    pub(super) fn flat(self, along: [f64; 3], times: f64) -> Self {
        Self { flat: (DVec3::from(along).normalize(), times), ..self }.completed()
    }

    /// The same on the other side of the plane y = 0, for another part.
    pub(super) fn mirrored(self, part: usize) -> Self {
        let mirror = DVec3::new(1.0, -1.0, 1.0);
        let flat = (mirror * self.flat.0, self.flat.1);
        Self { from: mirror * self.from, to: mirror * self.to, flat, part, ..self }.completed()
    }

    fn completed(self) -> Self {
        let bone = self.stretched(self.to - self.from);
        let length = bone.length();
        let slope = (self.radii[0] - self.radii[1]) / length;
        let lean = slope / (1.0 - slope * slope).sqrt();
        let reach = 0.5 * self.from.distance(self.to) + self.radii[0].max(self.radii[1]);
        Self { along: bone / length, length, slope, lean, around: (0.5 * (self.from + self.to), reach), ..self }
    }

    fn stretched(&self, v: DVec3) -> DVec3 {
        let (thin, times) = self.flat;
        v + (times - 1.0) * v.dot(thin) * thin
    }

    /// Distance of a point from its surface, negative inside; less than the true one where it is
    /// flat.
    pub(super) fn distance(&self, point: DVec3) -> f64 {
        let away = self.stretched(point - self.from);
        let along = away.dot(self.along);
        let across = (away.length_squared() - along * along).max(0.0).sqrt();
        // The surface of the nearest ball is at a right angle, and its middle leans back to where
        // balls are larger.
        let at = (along - across * self.lean).clamp(0.0, self.length);
        let off = along - at;
        ((across * across + off * off).sqrt() - self.radii[0] + self.slope * at) / self.flat.1
    }

    /// The blended distance after adding this bone to those before it.
    fn joined(&self, near: f64, point: DVec3) -> f64 {
        let (middle, reach) = self.around;
        let far = reach + self.flat.1 * (near + self.blend);
        // Most bones are too far away to matter: their bounding balls tell.
        if far > 0.0 && point.distance_squared(middle) > far * far {
            return near;
        }
        smooth_min(near, self.distance(point), self.blend)
    }
}

/// The smaller of two distances, rounded off where they differ by less than `blend`.
fn smooth_min(a: f64, b: f64, blend: f64) -> f64 {
    let near = (1.0 - (a - b).abs() / blend).max(0.0);
    a.min(b) - 0.25 * blend * near * near
}

/// Distance of a point from the flesh of all bones, cut off at the ground, z = 0, with an edge
/// rounded over `edge`.
pub(super) fn distance(bones: &[Bone], edge: f64, point: DVec3) -> f64 {
    let body = bones.iter().fold(f64::MAX, |near, bone| bone.joined(near, point));
    -smooth_min(-body, point.z, edge)
}
