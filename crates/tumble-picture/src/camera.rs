//! The camera: the rays through the pixels, and the distance from which it sees all points.

use glam::Vec3;

/// A camera in the world; z is up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Position of the eye \[m\].
    pub position: Vec3,
    /// Point that it looks at \[m\].
    pub target: Vec3,
    /// Angle between the upper and the lower edge of the picture \[degree\].
    pub fov: f32,
}

/// Share of the picture that stays free on each side when a motion is framed.
const MARGIN: f32 = 0.06;

impl Camera {
    /// Default direction from the target to the camera: from the front, a little to the right, and
    /// from above.
    const FROM: Vec3 = Vec3::new(0.45, -1.0, 0.62);

    /// The nearest camera that sees all points in a picture of this width over height, with a
    /// margin around them.
    ///
    /// In a picture of half width T at distance one, the point (x, y, z) from any fixed point is
    /// seen by a camera at (t, ., -d) if |x - t| ≤ T (z + d). The smallest d has t in the middle
    /// between the points that touch the two edges.
    pub fn framing(points: &[Vec3], aspect: f32) -> Self {
        let start = points.first().copied().unwrap_or_default();
        let mut camera = Self { position: start + Self::FROM, target: start, fov: 30.0 };
        let axes = camera.axes();
        let half_height = camera.tangent() * (1.0 - 2.0 * MARGIN);
        let fit = |axis: Vec3, half: f32| {
            let touch = |sign: f32| {
                let needed = |&point: &Vec3| sign * axis.dot(point - start) / half - axes[2].dot(point - start);
                points.iter().map(needed).fold(f32::NEG_INFINITY, f32::max)
            };
            let (over, under) = if points.is_empty() { (1.0, 1.0) } else { (touch(1.0), touch(-1.0)) };
            (0.5 * (over - under) * half, 0.5 * (over + under))
        };
        let ((across, far), (up, far_enough)) = (fit(axes[0], half_height * aspect), fit(axes[1], half_height));
        // A single point has no size to fill the picture with.
        let distance = far.max(far_enough);
        let depths = points.iter().map(|&point| axes[2].dot(point - start));
        let (near, deep) = depths.fold((0f32, 0f32), |(near, deep), depth| (near.min(depth), deep.max(depth)));
        let distance = if distance + near > 1e-6 { distance } else { 1.0 - near };
        camera.position = start + axes[0] * across + axes[1] * up - axes[2] * distance;
        camera.target = camera.position + axes[2] * (distance + 0.5 * (near + deep));
        camera
    }

    /// The camera after an orbit by so many degrees about the upright axis through its target.
    pub fn turned(&self, degrees: f32) -> Self {
        let turn = glam::Quat::from_rotation_z(degrees.to_radians());
        Self { position: self.target + turn * (self.position - self.target), ..*self }
    }

    /// Unit vectors to the right, up and forward.
    pub fn axes(&self) -> [Vec3; 3] {
        let forward = (self.target - self.position).normalize_or(Vec3::NEG_Z);
        // Straight down or up, the y axis is up in the picture.
        let right = forward.cross(Vec3::Z).try_normalize().unwrap_or(Vec3::X);
        [right, right.cross(forward), forward]
    }

    /// Half the height of the picture at distance one: the tangent of half the field of view.
    pub fn tangent(&self) -> f32 {
        (0.5 * self.fov).to_radians().tan()
    }
}

/// The eight corners of a box.
pub(crate) fn corners(low: Vec3, high: Vec3) -> [Vec3; 8] {
    std::array::from_fn(|k| Vec3::select(glam::BVec3::new(k & 1 == 1, k & 2 == 2, k & 4 == 4), high, low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_framed_fills_the_picture_and_nothing_is_cut() {
        for (high, aspect) in
            [(Vec3::new(4.0, 1.0, 0.5), 16.0 / 9.0), (Vec3::new(0.1, 0.1, 3.0), 1.0), (Vec3::ONE, 0.5)]
        {
            let mut points = corners(Vec3::ZERO, high).to_vec();
            // Lopsided: the camera must not look at the middle of the box.
            points.push(high * Vec3::new(3.0, 1.0, 1.0));
            let camera = Camera::framing(&points, aspect);
            let [right, up, forward] = camera.axes();
            let on_screen = |point: Vec3, axis: Vec3, half: f32| {
                let seen = point - camera.position;
                seen.dot(axis) / seen.dot(forward) / half
            };
            let reach = |axis: Vec3, half: f32| {
                let places = points.iter().map(|&point| on_screen(point, axis, half));
                places.fold((f32::MAX, f32::MIN), |(low, high), at| (low.min(at), high.max(at)))
            };
            let edge = 1.0 - 2.0 * MARGIN;
            let (across, along) = (reach(right, camera.tangent() * aspect), reach(up, camera.tangent()));
            let fills = |(low, high): (f32, f32)| (low + edge).abs() < 1e-3 && (high - edge).abs() < 1e-3;
            let inside = |(low, high): (f32, f32)| low > -edge - 1e-3 && high < edge + 1e-3;
            assert!(inside(across) && inside(along) && (fills(across) || fills(along)), "{across:?} {along:?}");
        }
    }

    #[test]
    fn nothing_and_a_single_point_can_be_framed() {
        for points in [&[][..], &[Vec3::splat(3.0)]] {
            let camera = Camera::framing(points, 1.5);
            assert!(camera.position.is_finite() && camera.position.distance(camera.target) > 0.1, "{camera:?}");
        }
    }

    #[test]
    fn a_full_turn_comes_back() {
        let camera = Camera { position: Vec3::new(1.0, 2.0, 3.0), target: Vec3::new(0.5, 0.0, 1.0), fov: 30.0 };
        assert!((camera.turned(360.0).position - camera.position).length() < 1e-5);
        assert!((camera.turned(90.0).position - Vec3::new(-1.5, 0.5, 3.0)).length() < 1e-5);
    }

    #[test]
    fn looking_straight_down_works() {
        let camera = Camera { position: Vec3::Z, target: Vec3::ZERO, fov: 30.0 };
        assert_eq!(camera.axes(), [Vec3::X, Vec3::Y, Vec3::NEG_Z]);
    }
}
