//! Joints to and from bytes: whole, because directors make them on the way.

use glam::DQuat;

use super::{NotAState, Reader, Writer};
use crate::world::{
    Bodies, BodyId, End, Joint, JointId, JointKind, Joints, MOST_ROWS, NewJoint, ObstacleId, Pose, Strength,
};

/// Bytes of a joint: id, body, end, kind with four limits, strength, whether it collides, two frames, impulses.
const SAVED_JOINT: usize = 8 + 8 + 4 + 8 + 4 + 32 + 16 + 4 + 2 * 56 + 4 * MOST_ROWS;

/// Writes all joints.
pub(super) fn write(joints: &Joints, to: &mut Writer<'_>) {
    to.u64(joints.made);
    to.u64(joints.len() as u64);
    for joint in joints.iter() {
        let NewJoint { body, to: end, kind, strength, collide } = joint.what;
        to.u64(joint.id.0);
        to.u64(body.number());
        let (end, number) = match end {
            End::Body(id) => (0, id.number()),
            End::Obstacle(id) => (1, u64::from(id.0)),
            End::World => (2, 0),
        };
        to.u32(end);
        to.u64(number);
        let (kind, limits) = match kind {
            JointKind::Fixed => (0, [0.0; 4]),
            JointKind::Hinge { turn: [least, most] } => (1, [0.0, 0.0, least, most]),
            JointKind::Slider { travel: [near, far], turn: [least, most] } => (2, [near, far, least, most]),
            JointKind::Ball { swing } => (3, [swing, 0.0, 0.0, 0.0]),
        };
        to.u32(kind);
        limits.into_iter().chain([strength.force, strength.torque]).for_each(|value| to.f64(value));
        to.u32(u32::from(collide));
        for frame in [&joint.on_body, &joint.on_other] {
            to.vec(frame.position);
            frame.orientation.to_array().into_iter().for_each(|c| to.f64(c));
        }
        joint.impulses.iter().for_each(|&impulse| to.f32(impulse));
    }
}

/// Reads all joints of these bodies and so many obstacles.
pub(super) fn read(from: &mut Reader<'_>, bodies: &Bodies, obstacles: usize) -> Result<Joints, NotAState> {
    let made = from.u64()?;
    let list = from.list(SAVED_JOINT, |from| {
        let (id, body) = (JointId(from.u64()?), from.id()?);
        let to = match (from.u32()?, from.u64()?) {
            (0, number) => End::Body(BodyId::from_number(number)),
            (1, number) if number < obstacles as u64 => End::Obstacle(ObstacleId(number as u32)),
            (2, 0) => End::World,
            _ => return Err(NotAState("a joint holds to nothing that exists")),
        };
        let (kind, [a, b, c, d]) = (from.u32()?, [from.f64()?, from.f64()?, from.f64()?, from.f64()?]);
        let kind = match kind {
            0 => JointKind::Fixed,
            1 => JointKind::Hinge { turn: [c, d] },
            2 => JointKind::Slider { travel: [a, b], turn: [c, d] },
            3 => JointKind::Ball { swing: a },
            _ => return Err(NotAState("a joint is of no known kind")),
        };
        kind.check().map_err(|_| NotAState("a joint has limits that make no sense"))?;
        let strength = Strength { force: from.f64()?, torque: from.f64()? };
        let what = NewJoint { body, to, kind, strength, collide: from.u32()? != 0 };
        let mut frame = || {
            let position = from.vec()?;
            let orientation = DQuat::from_array([from.f64()?, from.f64()?, from.f64()?, from.f64()?]);
            Ok(Pose { position, orientation })
        };
        let (on_body, on_other) = (frame()?, frame()?);
        let mut joint = Joint { id, what, on_body, on_other, impulses: [0.0; MOST_ROWS] };
        for impulse in &mut joint.impulses {
            *impulse = from.f32()?;
        }
        // A body that has left since the last step may still have its joints.
        let was_there = |id: BodyId| (id.index as usize) < bodies.ids.slots();
        if !was_there(body) || !joint.other_body().is_none_or(was_there) || joint.other_body() == Some(body) {
            return Err(NotAState("a joint's body does not exist"));
        }
        Ok(joint)
    })?;
    if !list.is_sorted_by(|a: &Joint, b| a.id < b.id) || list.last().is_some_and(|last| last.id.0 >= made) {
        return Err(NotAState("its joints are out of order"));
    }
    Ok(Joints { list, made })
}
