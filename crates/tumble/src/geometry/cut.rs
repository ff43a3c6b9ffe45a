//! Solids cut by planes: reads the triangles of a closed mesh, gives the two pieces on either side
//! of a plane, closed again.
//!
//! A cut is closed by a fan of triangles about one point of the plane. Such fans may fold over
//! themselves, but as a sum of signed tetrahedra the volume is exact, whatever shape the cut has,
//! and it stays so when the piece is cut again. Corners of a piece are on the true surface, or
//! where three cuts meet inside.

use glam::{DMat3, DVec3};

use super::Mesh;

/// A plane: all points whose product with `normal`, of length one, is `offset`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub(super) normal: DVec3,
    /// Distance from the origin along `normal` \[m\].
    pub(super) offset: f64,
}

#[derive(Clone, Copy, Debug)]
struct Triangle {
    corners: [DVec3; 3],
    /// Whether it closes a cut and is no part of the true surface.
    is_cap: bool,
}

/// A piece of a solid.
#[derive(Clone, Debug, Default)]
pub(super) struct SolidPiece {
    triangles: Vec<Triangle>,
    /// Volume \[m³\].
    pub(super) volume: f64,
    /// Its corners, each once \[m\].
    pub(super) points: Vec<DVec3>,
    /// Those of them where three cuts meet inside the solid \[m\].
    inner: Vec<DVec3>,
    /// The cuts it lies behind.
    cuts: Vec<Plane>,
    /// Corners in the same cell of this width are one \[m\].
    grain: f64,
}

/// Width of a cell in which corners are one, over the size of the mesh: hulls of points that differ
/// by rounding alone go wrong.
const GRAIN: f64 = 1e-7;

impl SolidPiece {
    /// A whole solid.
    pub(super) fn new(mesh: &Mesh) -> Self {
        let corners = |triangle: &[u32; 3]| triangle.map(|v| mesh.vertices()[v as usize]);
        let (low, high) = mesh.bounds();
        let triangles = mesh.triangles().iter().map(|t| Triangle { corners: corners(t), is_cap: false });
        Self::of(triangles.collect(), Vec::new(), Vec::new(), GRAIN * (high - low).max_element())
    }

    fn of(triangles: Vec<Triangle>, inner: Vec<DVec3>, cuts: Vec<Plane>, grain: f64) -> Self {
        let on_surface = triangles.iter().filter(|t| !t.is_cap).flat_map(|t| t.corners);
        let corners = on_surface.chain(inner.iter().copied());
        let mut points: Vec<(DVec3, DVec3)> = corners.map(|corner| ((corner / grain).round() + 0.0, corner)).collect();
        points.sort_unstable_by(|a, b| order(a.0, b.0).then(order(a.1, b.1)));
        points.dedup_by_key(|(cell, _)| *cell);
        let points: Vec<DVec3> = points.into_iter().map(|(_, corner)| corner).collect();
        // About a point nearby, so that little is lost in rounding.
        let about = points.first().copied().unwrap_or_default();
        let tetrahedron = |t: &Triangle| {
            let [a, b, c] = t.corners.map(|corner| corner - about);
            a.dot(b.cross(c)) / 6.0
        };
        let volume = triangles.iter().map(tetrahedron).sum();
        Self { triangles, volume, points, inner, cuts, grain }
    }

    /// Cuts the solid into the part behind the plane and the part in front of it. Corners within
    /// `thick` of the plane count as on it; `is_inside` tells whether a point is inside of the
    /// whole solid.
    pub(super) fn cut(&self, plane: Plane, thick: f64, is_inside: impl Fn(DVec3) -> bool) -> [Self; 2] {
        let Plane { normal, offset } = plane;
        let new_corners: Vec<DVec3> =
            self.meetings(plane, thick).into_iter().filter(|point| is_inside(*point)).collect();
        let height = |point: DVec3| {
            let height = point.dot(normal) - offset;
            if height.abs() <= thick { 0.0 } else { height }
        };
        let apex = self.points.first().map_or(DVec3::ZERO, |point| *point - (point.dot(normal) - offset) * normal);
        let side = |sign: f64| {
            let mut kept = Vec::with_capacity(self.triangles.len());
            for triangle in &self.triangles {
                let heights = triangle.corners.map(|corner| sign * height(corner));
                // A triangle that lies in the plane belongs to the fan.
                if heights.iter().all(|&h| h <= 0.0) {
                    continue;
                }
                let (outline, count) = clip(triangle.corners, heights);
                for k in 1..count - 1 {
                    kept.push(Triangle { corners: [outline[0].0, outline[k].0, outline[k + 1].0], ..*triangle });
                }
                for k in 0..count {
                    let ((a, a_on), (b, b_on)) = (outline[k], outline[(k + 1) % count]);
                    if a_on && b_on {
                        kept.push(Triangle { corners: [apex, b, a], is_cap: true });
                    }
                }
            }
            let mut inner: Vec<DVec3> = self.inner.iter().copied().filter(|p| sign * height(*p) >= 0.0).collect();
            inner.extend(&new_corners);
            let mut cuts = self.cuts.clone();
            cuts.push(Plane { normal: -sign * normal, offset: -sign * offset });
            Self::of(kept, inner, cuts, self.grain)
        };
        [side(-1.0), side(1.0)]
    }
}

impl SolidPiece {
    /// Points behind all cuts in which a plane meets two of them.
    fn meetings(&self, plane: Plane, thick: f64) -> Vec<DVec3> {
        let mut found = Vec::new();
        for (k, a) in self.cuts.iter().enumerate() {
            for b in &self.cuts[..k] {
                let normals = DMat3::from_cols(plane.normal, a.normal, b.normal).transpose();
                if normals.determinant().abs() < 1e-9 {
                    continue;
                }
                let point = normals.inverse() * DVec3::new(plane.offset, a.offset, b.offset);
                if self.cuts.iter().all(|cut| point.dot(cut.normal) <= cut.offset + thick) {
                    found.push(point);
                }
            }
        }
        found
    }
}

/// The outline of the part of a triangle at positive heights, in order: at most four corners, and
/// which of them are in the plane.
fn clip(corners: [DVec3; 3], heights: [f64; 3]) -> ([(DVec3, bool); 4], usize) {
    let mut outline = [(DVec3::ZERO, false); 4];
    let mut count = 0;
    let mut push = |point: DVec3, is_on: bool| {
        outline[count] = (point, is_on);
        count += 1;
    };
    for k in 0..3 {
        let (here, next) = (k, (k + 1) % 3);
        if heights[here] >= 0.0 {
            push(corners[here], heights[here] == 0.0);
        }
        if heights[here] * heights[next] < 0.0 {
            // From the same end for both triangles of an edge, so that both find the same point.
            let (a, b) = if order(corners[here], corners[next]).is_lt() { (here, next) } else { (next, here) };
            let share = heights[a] / (heights[a] - heights[b]);
            push(corners[a] + share * (corners[b] - corners[a]), true);
        }
    }
    (outline, count)
}

/// By x, then y, then z.
fn order(a: DVec3, b: DVec3) -> std::cmp::Ordering {
    a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Model, solid_moments};

    #[test]
    fn pieces_of_a_ring_add_up() {
        let mesh = Model::Ring { radius: 0.2, tube: 0.05 }.mesh(24).unwrap();
        let whole = SolidPiece::new(&mesh);
        let volume = solid_moments(&mesh).volume;
        assert!((whole.volume / volume - 1.0).abs() < 1e-12);
        // Cuts that go through the hole, through vertices, and off any axis.
        let planes =
            [DVec3::X, DVec3::Z, DVec3::new(1.0, 2.0, 3.0).normalize(), DVec3::new(-1.0, 0.5, 0.2).normalize()];
        let mut pieces = vec![whole];
        for (k, normal) in planes.into_iter().enumerate() {
            let plane = Plane { normal, offset: 0.01 * k as f64 };
            pieces = pieces.iter().flat_map(|piece| piece.cut(plane, 1e-12, |_| false)).collect();
            let sum: f64 = pieces.iter().map(|piece| piece.volume).sum();
            assert!((sum / volume - 1.0).abs() < 1e-12, "{sum} after {k}");
            assert!(pieces.iter().all(|piece| piece.volume > -1e-15));
        }
        // One half of the first cut is half of it.
        let [low, high] = SolidPiece::new(&mesh).cut(Plane { normal: DVec3::Y, offset: 0.0 }, 1e-12, |_| true);
        assert!((low.volume / high.volume - 1.0).abs() < 1e-9);
        assert!(high.points.iter().all(|point| point.y > -1e-12));
    }

    #[test]
    fn faces_in_the_plane_close_the_cut() {
        let cube = Model::Block { lengths: DVec3::ONE }.mesh(0).unwrap();
        let whole = SolidPiece::new(&cube);
        let (low, high) = cube.bounds();
        for (height, share) in [(low.z, 0.0), (0.5 * (low.z + high.z), 0.5), (high.z, 1.0)] {
            let pieces = whole.cut(Plane { normal: DVec3::Z, offset: height }, 1e-12, |_| true);
            assert!((pieces[0].volume - share * whole.volume).abs() < 1e-12, "{height}: {}", pieces[0].volume);
            assert!((pieces[1].volume - (1.0 - share) * whole.volume).abs() < 1e-12);
        }
    }

    /// A cube cut three times through its middle: eight cubes, each with a corner where no surface
    /// is.
    #[test]
    fn corners_inside_are_found() {
        let whole = SolidPiece::new(&Model::Block { lengths: DVec3::ONE }.mesh(0).unwrap());
        let mut pieces = vec![whole];
        for normal in [DVec3::X, DVec3::Y, DVec3::Z] {
            pieces = pieces.iter().flat_map(|piece| piece.cut(Plane { normal, offset: 0.0 }, 1e-9, |_| true)).collect();
        }
        assert_eq!(pieces.len(), 8);
        for piece in &pieces {
            assert!((piece.volume - 0.125).abs() < 1e-12);
            assert!(piece.points.iter().any(|point| point.length() < 1e-12));
        }
    }
}
