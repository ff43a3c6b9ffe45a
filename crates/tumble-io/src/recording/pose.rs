//! The pose of a body's shape in the user's axes: the only code that converts a centre of mass to
//! the origin of a mesh.
//!
//! Reads the header and a body of a frame. Every export takes poses from here, so that a mesh put
//! there by another program lies where the recording draws it.

use glam::{DQuat, DVec3};
use tumble::FrameBody;

use super::Header;

/// The pose and motion of a body's shape as the user gave it: of its mesh's origin, along its
/// mesh's axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyPose {
    /// Its origin \[m\].
    pub position: [f32; 3],
    /// Unit quaternion w, x, y, z; that of a body that was never turned is 1, 0, 0, 0.
    pub orientation: [f32; 4],
    /// Velocity of its origin \[m/s\].
    pub velocity: [f32; 3],
    /// Angular velocity in world axes \[rad/s\].
    pub spin: [f32; 3],
}

impl Header {
    /// The pose of a body's shape as the user gave it. Its mesh is in
    /// [`super::Recording::shape_mesh`], to be scaled by the body's size.
    pub fn pose(&self, body: &FrameBody) -> BodyPose {
        let FrameBody { position, orientation, velocity, spin, .. } = *body;
        let centre = self.shapes.get(body.shape.index()).map_or(DVec3::ZERO, |shape| DVec3::from(shape.centre));
        if centre == DVec3::ZERO {
            return BodyPose { position, orientation, velocity, spin };
        }
        let [w, x, y, z] = orientation.map(f64::from);
        let to_origin = DQuat::from_xyzw(x, y, z, w).normalize() * centre * -f64::from(body.size);
        let vector = |of: [f32; 3]| DVec3::from(of.map(f64::from));
        let place = vector(position) + to_origin;
        // Rounds to the precision of the recording, so that an origin that was placed at zero is at
        // zero.
        let largest = position[0].abs().max(position[1].abs()).max(position[2].abs()).max(to_origin.length() as f32);
        let unit = f64::from(largest.next_up() - largest);
        let moved = vector(velocity) + vector(spin).cross(to_origin);
        BodyPose {
            position: place.to_array().map(|part| ((part / unit).round() * unit) as f32 + 0.0),
            orientation,
            velocity: moved.as_vec3().to_array(),
            spin,
        }
    }
}

#[cfg(test)]
mod tests {
    use tumble::world::ShapeId;

    use super::*;
    use crate::ShapeInfo;

    /// A cup of three times the size: its centre of mass is 0.1 above its foot and it lies along x
    /// after a quarter turn about y.
    #[test]
    fn the_origin_is_where_the_mesh_has_it() {
        let header =
            Header { shapes: vec![ShapeInfo { centre: [0.0, 0.0, 0.1], ..ShapeInfo::default() }], ..Header::default() };
        let half = 0.5f32.sqrt();
        let mut body = FrameBody {
            size: 3.0,
            position: [1.4, 2.0, 0.5],
            orientation: [half, 0.0, half, 0.0],
            velocity: [0.0, 0.0, 1.0],
            spin: [0.0, 2.0, 0.0],
            ..FrameBody::default()
        };
        let pose = header.pose(&body);
        assert!((pose.position[0] - 1.1).abs() < 2e-7 && pose.position[1..] == [2.0, 0.5], "{:?}", pose.position);
        assert_eq!(pose.orientation, body.orientation);
        // It turns about y: the foot, at -x of the centre, rises by 2 rad/s x 0.3 m.
        assert!((pose.velocity[2] - 1.6).abs() < 1e-6 && pose.velocity[0].abs() < 1e-6, "{:?}", pose.velocity);
        // The pose of a shape given about its centre of mass does not change by a bit.
        body.shape = ShapeId(1);
        assert_eq!(header.pose(&body).position, body.position);
    }
}
