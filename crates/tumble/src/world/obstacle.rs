//! Obstacles: geometry that no contact moves, standing still or driven along a path.

use glam::{DQuat, DVec3};

use super::{MaterialId, Motion, Pose, ShapeSphere};
use crate::geometry::{ConvexPart, Surface};

/// Something bodies collide with and do not move.
#[derive(Clone, Debug)]
pub struct Obstacle {
    /// Name in the scene.
    pub name: String,
    /// Its material.
    pub material: MaterialId,
    /// Its geometry, in its own axes.
    pub surface: Surface,
    /// Spheres that bodies touch instead of the surface, in its own axes; none if they touch the
    /// surface itself.
    pub cover: Vec<ShapeSphere>,
    /// Convex parts that bodies of the rigid solver touch instead of the surface, in its own axes.
    pub parts: Vec<ConvexPart>,
    /// How it moves.
    pub path: Path,
    /// Where it is now. Written by drive.
    pub pose: Pose,
    /// How it moves now, about its origin. Written by drive.
    pub motion: Motion,
}

impl Obstacle {
    /// An obstacle at the start of its path.
    pub fn new(name: &str, material: MaterialId, surface: Surface, path: Path) -> Self {
        let (pose, motion) = path.at(0.0);
        Self { name: name.to_string(), material, surface, cover: Vec::new(), parts: Vec::new(), path, pose, motion }
    }

    /// Moves the obstacle to where it is at `time` \[s\].
    pub(crate) fn drive(&mut self, time: f64) {
        (self.pose, self.motion) = self.path.at(time);
    }

    /// Velocity of the obstacle's material at a world point \[m/s\].
    pub(crate) fn velocity_at(&self, point: DVec3) -> DVec3 {
        self.motion.velocity + self.motion.spin.cross(point - self.pose.position)
    }

    /// Velocity that the obstacle's material now at a world point had `lag` \[s\] ago, if its
    /// motion was the same \[m/s\].
    pub(crate) fn velocity_before(&self, point: DVec3, lag: f64) -> DVec3 {
        let velocity = self.velocity_at(point);
        velocity - lag * self.motion.spin.cross(velocity - self.motion.velocity)
    }

    /// Whether it ever moves.
    pub fn is_driven(&self) -> bool {
        !matches!(self.path, Path::Fixed(_))
    }
}

/// A place at a time, on a path through several.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// Time \[s\].
    pub time: f64,
    /// Where.
    pub pose: Pose,
}

/// Where something is at any time: a function of time alone, so a driven obstacle has no state to
/// save.
#[derive(Clone, Debug, PartialEq)]
pub enum Path {
    /// Always here.
    Fixed(Pose),
    /// From here, with constant velocity and spin.
    Constant(Pose, Motion),
    /// Through these places, at least one, times increasing; straight and at constant speed between
    /// them, at rest before and after.
    Keys(Vec<Key>),
}

impl Path {
    /// Place and motion at `time` \[s\]. A path without any key stays at the origin; no world takes
    /// it.
    pub fn at(&self, time: f64) -> (Pose, Motion) {
        match self {
            Self::Fixed(pose) => (*pose, Motion::default()),
            Self::Constant(start, motion) => {
                let orientation = DQuat::from_scaled_axis(motion.spin * time) * start.orientation;
                (Pose { position: start.position + motion.velocity * time, orientation }, *motion)
            }
            Self::Keys(keys) => {
                // The first key that is still ahead ends the current stretch.
                let next = keys.partition_point(|key| key.time <= time);
                if next == 0 || next == keys.len() {
                    let end = keys.get(next.saturating_sub(1));
                    return (end.map_or(Pose::IDENTITY, |key| key.pose), Motion::default());
                }
                let (from, to) = (keys[next - 1], keys[next]);
                let span = to.time - from.time;
                let turn = shorter_turn(from.pose.orientation, to.pose.orientation);
                let motion = Motion { velocity: (to.pose.position - from.pose.position) / span, spin: turn / span };
                let elapsed = time - from.time;
                let orientation = DQuat::from_scaled_axis(motion.spin * elapsed) * from.pose.orientation;
                (Pose { position: from.pose.position + motion.velocity * elapsed, orientation }, motion)
            }
        }
    }
}

/// The rotation vector that takes one orientation to another by at most half a turn.
fn shorter_turn(from: DQuat, to: DQuat) -> DVec3 {
    let turn = to * from.conjugate();
    (if turn.w < 0.0 { -turn } else { turn }).to_scaled_axis()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    #[test]
    fn keys_are_reached_and_velocity_is_the_derivative() {
        let quarter = DQuat::from_rotation_z(FRAC_PI_2);
        let place = |x: f64, orientation| Pose { position: DVec3::new(x, 0.0, 0.0), orientation };
        let path = Path::Keys(vec![
            Key { time: 1.0, pose: place(0.0, DQuat::IDENTITY) },
            Key { time: 3.0, pose: place(4.0, quarter) },
        ]);
        assert_eq!(path.at(0.5), (place(0.0, DQuat::IDENTITY), Motion::default()));
        let (middle, motion) = path.at(2.0);
        assert!((middle.position.x - 2.0).abs() < 1e-15);
        assert!((motion.velocity.x - 2.0).abs() < 1e-15 && (motion.spin.z - FRAC_PI_2 / 2.0).abs() < 1e-12);
        let (later, _) = path.at(2.0 + 1e-6);
        let turned = shorter_turn(middle.orientation, later.orientation) / 1e-6;
        assert!((turned - motion.spin).length() < 1e-6);
        assert_eq!(path.at(9.0).0, place(4.0, quarter));
    }
}
