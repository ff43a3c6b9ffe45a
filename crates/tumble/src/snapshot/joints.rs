//! Joints as they are saved: whole, because directors make them on the way.

use crate::state::{NotAState, Reader, State, Writer, record};
use crate::world::{Bodies, BodyId, End, Joint, JointKind, Joints, NewJoint, ObstacleId, Strength};

record!(Joints: made, list);
record!(Joint: id, what, on_body, on_other, impulses);
record!(NewJoint: body, to, kind, strength, collide);
record!(Strength: force, torque);

/// The kind of end, and the number of what is there.
impl State for End {
    fn write(&self, to: &mut Writer<'_>) {
        let (kind, number): (u32, u64) = match *self {
            Self::Body(id) => (0, id.number()),
            Self::Obstacle(id) => (1, u64::from(id.0)),
            Self::World => (2, 0),
        };
        kind.write(to);
        number.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, NotAState> {
        match (u32::read(from)?, u64::read(from)?) {
            (0, number) => Ok(Self::Body(BodyId::from_number(number))),
            (1, number) if number <= u64::from(u32::MAX) => Ok(Self::Obstacle(ObstacleId(number as u32))),
            (2, 0) => Ok(Self::World),
            _ => Err(NotAState("a joint holds to nothing that exists")),
        }
    }
}

/// The kind, and limits of travel and turn.
impl State for JointKind {
    fn write(&self, to: &mut Writer<'_>) {
        let (kind, limits): (u32, [f64; 4]) = match *self {
            Self::Fixed => (0, [0.0; 4]),
            Self::Hinge { turn: [least, most] } => (1, [0.0, 0.0, least, most]),
            Self::Slider { travel: [near, far], turn: [least, most] } => (2, [near, far, least, most]),
            Self::Ball { swing } => (3, [swing, 0.0, 0.0, 0.0]),
        };
        kind.write(to);
        limits.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, NotAState> {
        let (kind, [a, b, c, d]) = (u32::read(from)?, <[f64; 4]>::read(from)?);
        match kind {
            0 => Ok(Self::Fixed),
            1 => Ok(Self::Hinge { turn: [c, d] }),
            2 => Ok(Self::Slider { travel: [a, b], turn: [c, d] }),
            3 => Ok(Self::Ball { swing: a }),
            _ => Err(NotAState("a joint is of no known kind")),
        }
    }
}

impl Joints {
    /// Refuses what these bodies and so many obstacles cannot have as joints.
    pub(super) fn check(&self, bodies: &Bodies, obstacles: usize) -> Result<(), NotAState> {
        // A body that has left since the last step may still have its joints.
        let was_there = |id: BodyId| (id.index as usize) < bodies.ids.slots();
        for joint in &self.list {
            if matches!(joint.what.to, End::Obstacle(id) if id.index() >= obstacles) {
                return Err(NotAState("a joint holds to nothing that exists"));
            }
            joint.what.kind.check().map_err(|_| NotAState("a joint has limits that make no sense"))?;
            let (body, other) = (joint.what.body, joint.other_body());
            if !was_there(body) || !other.is_none_or(was_there) || other == Some(body) {
                return Err(NotAState("a joint's body does not exist"));
            }
        }
        if !self.list.is_sorted_by(|a, b| a.id < b.id) || self.list.last().is_some_and(|last| last.id.0 >= self.made) {
            return Err(NotAState("its joints are out of order"));
        }
        Ok(())
    }
}
