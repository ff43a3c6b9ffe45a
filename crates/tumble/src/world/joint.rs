//! Joints: what holds two bodies together, or a body to an obstacle or to a fixed place.
//!
//! A joint has a frame on each of the two: a place, and an axis, which is the z axis of the frame.
//! At rest the two frames are one.

use std::fmt;

use super::check::{is_near, is_turn};
use super::{BodyId, ObstacleId, Pose, Rest, World};

/// Name of a joint, never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointId(pub(crate) u64);

/// The other side of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// Another body.
    Body(BodyId),
    /// An obstacle.
    Obstacle(ObstacleId),
    /// A fixed place.
    World,
}

/// The motion a joint leaves free, between a least and a most: how the body may move against what
/// it is held to. The axis is fixed to the latter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// Nothing.
    Fixed,
    /// To turn about the axis.
    Hinge {
        /// How far \[rad\], from -π to π. Infinite: without end.
        turn: [f64; 2],
    },
    /// To move along the axis, and to turn about it. Without any travel it is a nail (Hsu 2013,
    /// section 6.2.3).
    Slider {
        /// How far along \[m\].
        travel: [f64; 2],
        /// How far about \[rad\], from -π to π. Infinite: without end.
        turn: [f64; 2],
    },
    /// To turn about a point.
    Ball {
        /// How far apart the two axes may be \[rad\], at most π; infinite if they may be anywhere.
        swing: f64,
    },
}

/// Without end.
pub const FREE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// Breaking strength: the joint breaks when its impulse in a step, over the step, would exceed
/// this.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Largest force: the impulse of a step over its length \[N\].
    pub force: f64,
    /// Largest torque, likewise \[N·m\].
    pub torque: f64,
}

impl Strength {
    /// Nothing breaks it.
    pub const ENDLESS: Self = Self { force: f64::INFINITY, torque: f64::INFINITY };
}

/// A joint to be made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewJoint {
    /// The body it holds.
    pub body: BodyId,
    /// The other side.
    pub to: End,
    /// The motion it leaves free.
    pub kind: JointKind,
    /// Its breaking strength.
    pub strength: Strength,
    /// Whether the two may also touch each other.
    pub collide: bool,
}

/// A joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// Its name.
    pub id: JointId,
    /// Both sides, and its kind.
    pub what: NewJoint,
    /// Its frame on the body, in the body's axes.
    pub on_body: Pose,
    /// Its frame on what the body is held to, in the axes of that.
    pub on_other: Pose,
    /// Impulses of the last substep, which the next begins with \[N·s, N·m·s\].
    pub(crate) impulses: [f32; MOST_ROWS],
}

/// How many motions a joint keeps from happening at most.
pub(crate) const MOST_ROWS: usize = 8;

/// All joints of a world, in the order of their making.
#[derive(Clone, Debug, Default)]
pub struct Joints {
    pub(crate) list: Vec<Joint>,
    /// How many were ever made.
    pub(crate) made: u64,
}

/// Why there cannot be such a joint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JointProblem {
    /// A body that it should hold does not exist.
    NoBody(BodyId),
    /// The obstacle does not exist.
    NoObstacle(ObstacleId),
    /// It would hold a body to itself.
    ToItself(BodyId),
    /// A limit is not a number, or the least is more than the most, or a turn beyond half a circle.
    Limits(&'static str),
    /// The joint does not exist, or no longer.
    NoJoint(JointId),
    /// The place of the joint is not finite, or its strength is negative or not a number.
    Frame,
    /// The granular solver knows no joints.
    NeedsRigid,
}

impl fmt::Display for JointProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBody(body) => write!(f, "there is no body {} to join", body.number()),
            Self::NoObstacle(id) => write!(f, "there is no obstacle {} to join to", id.0),
            Self::ToItself(body) => write!(f, "body {} cannot be joined to itself", body.number()),
            Self::Limits(what) => write!(f, "{what}"),
            Self::NoJoint(id) => write!(f, "there is no joint {}", id.0),
            Self::Frame => write!(f, "a joint needs a finite place and a strength of zero or more"),
            Self::NeedsRigid => write!(f, "joints need the rigid solver"),
        }
    }
}

impl std::error::Error for JointProblem {}

impl Joints {
    /// All joints, in the order of their making.
    pub fn iter(&self) -> impl Iterator<Item = &Joint> {
        self.list.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl Joint {
    /// The other body, if it is held to one.
    pub fn other_body(&self) -> Option<BodyId> {
        match self.what.to {
            End::Body(id) => Some(id),
            _ => None,
        }
    }
}

impl JointKind {
    /// Reports limits that make no sense.
    pub fn check(&self) -> Result<(), JointProblem> {
        let ordered = |[least, most]: [f64; 2]| least <= most;
        let half_circle = |[least, most]: [f64; 2]| {
            use std::f64::consts::PI;
            [least, most] == FREE || (least >= -PI && most <= PI)
        };
        let (travel, turn) = match *self {
            Self::Fixed => return Ok(()),
            Self::Hinge { turn } => (FREE, turn),
            Self::Slider { travel, turn } => (travel, turn),
            Self::Ball { swing } => return if swing >= 0.0 { Ok(()) } else { Err(JointProblem::Limits(SWING)) },
        };
        match (ordered(travel), ordered(turn), half_circle(turn)) {
            (false, ..) => Err(JointProblem::Limits("the least travel of a joint must not be more than the most")),
            (_, false, _) => Err(JointProblem::Limits("the least turn of a joint must not be more than the most")),
            (.., false) => Err(JointProblem::Limits("a joint turns by half a circle at most, or without end")),
            _ => Ok(()),
        }
    }
}

const SWING: &str = "a joint cannot swing by less than nothing";

impl World {
    /// Joins two things as they are now: the frame of the joint is at `at` in the world, its axis
    /// is the z axis there.
    pub fn join(&mut self, what: NewJoint, at: Pose) -> Result<JointId, JointProblem> {
        what.kind.check()?;
        let is_strong = what.strength.force >= 0.0 && what.strength.torque >= 0.0;
        if !is_strong || !is_near(at.position) || !is_turn(at.orientation) {
            return Err(JointProblem::Frame);
        }
        let pose_of = |id: BodyId| self.bodies.row(id).map(|row| self.bodies.pose[row]).ok_or(JointProblem::NoBody(id));
        let on_body = at.seen_from(&pose_of(what.body)?);
        let on_other = match what.to {
            End::Body(id) if id == what.body => return Err(JointProblem::ToItself(id)),
            End::Body(id) => at.seen_from(&pose_of(id)?),
            End::Obstacle(id) => {
                let obstacle = self.obstacles.get(id.index()).ok_or(JointProblem::NoObstacle(id))?;
                at.seen_from(&obstacle.pose)
            }
            End::World => at,
        };
        let id = JointId(self.joints.made);
        self.joints.made += 1;
        self.joints.list.push(Joint { id, what, on_body, on_other, impulses: [0.0; MOST_ROWS] });
        Ok(id)
    }

    /// Removes all joints for which `gone` holds, and wakes what they held; gives how many.
    pub fn remove_joints(&mut self, mut gone: impl FnMut(&Joint) -> bool) -> usize {
        let (bodies, before) = (&mut self.bodies, self.joints.len());
        self.joints.list.retain(|joint| {
            let goes = gone(joint);
            for id in [Some(joint.what.body), joint.other_body()].into_iter().flatten().filter(|_| goes) {
                if let Some(row) = bodies.row(id) {
                    bodies.rest[row] = Rest::default();
                }
            }
            !goes
        });
        before - self.joints.len()
    }

    /// Removes joints whose bodies are gone.
    pub(crate) fn remove_orphaned_joints(&mut self) {
        let is_there = |id| self.bodies.row(id).is_some();
        let lives = |joint: &Joint| is_there(joint.what.body) && joint.other_body().is_none_or(is_there);
        if !self.joints.iter().all(lives) {
            let keep: Vec<bool> = self.joints.iter().map(lives).collect();
            let mut keep = keep.into_iter();
            self.remove_joints(|_| !keep.next().unwrap_or(true));
        }
    }
}
