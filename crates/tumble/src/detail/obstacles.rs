//! Everything that stops particles, as it moves between two frames: obstacles, and bodies that are
//! no carriers.
//!
//! Reads poses of two frames. In between they move straight and turn evenly. Each step knows where
//! things are at its beginning and at its end, so that a particle's way is followed in the axes of
//! what moves.

use glam::{Quat, Vec3};

use super::carriers::is_sound;
use super::surface::Stopper;
use crate::frame::{Frame, FramePose};
use crate::world::{BodyId, ShapeId};

/// A place and an orientation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stand {
    position: Vec3,
    orientation: Quat,
}

impl Stand {
    fn new(position: [f32; 3], [w, x, y, z]: [f32; 4]) -> Self {
        Self { position: Vec3::from(position), orientation: Quat::from_xyzw(x, y, z, w).normalize() }
    }

    fn of_obstacle(pose: &FramePose) -> Self {
        Self::new(pose.position, pose.orientation)
    }

    pub(super) fn to_own(self, place: Vec3) -> Vec3 {
        self.orientation.inverse() * (place - self.position)
    }

    pub(super) fn to_world(self, place: Vec3) -> Vec3 {
        self.orientation * place + self.position
    }

    pub(super) fn turn(self, direction: Vec3) -> Vec3 {
        self.orientation * direction
    }

    fn between(self, other: Self, share: f32) -> Self {
        Self {
            position: self.position.lerp(other.position, share),
            orientation: self.orientation.slerp(other.orientation, share),
        }
    }
}

/// Where things that stop particles are, in one frame: obstacles, then bodies by id.
#[derive(Clone, Debug, Default)]
pub(super) struct Stands {
    obstacles: Vec<Stand>,
    bodies: Vec<(BodyId, ShapeId, f32, Stand)>,
}

impl Stands {
    /// Of the obstacles and of the bodies whose shape is a stopper.
    pub(super) fn of(frame: &Frame, shapes: &[Option<Stopper>]) -> Self {
        let is_stopper = |shape: ShapeId| shapes.get(shape.index()).is_some_and(Option::is_some);
        let bodies = frame.bodies.iter().filter(|body| is_stopper(body.shape) && is_sound(body));
        Self {
            obstacles: frame.obstacles.iter().map(Stand::of_obstacle).collect(),
            bodies: bodies
                .map(|body| (body.id, body.shape, body.size, Stand::new(body.position, body.orientation)))
                .collect(),
        }
    }
}

/// Something that stops particles, on its way from one frame to the next.
#[derive(Clone, Debug)]
pub(super) struct MovingStopper<'a> {
    stopper: &'a Stopper,
    /// Bodies can be larger than their shape.
    size: f32,
    begin: Stand,
    end: Stand,
    is_moving: bool,
}

impl<'a> MovingStopper<'a> {
    /// All of two frames. A body that is in one of them only stands where it is there.
    pub(super) fn all(
        before: &Stands,
        after: &Stands,
        surfaces: &'a [Stopper],
        shapes: &'a [Option<Stopper>],
    ) -> Vec<Self> {
        let obstacle = |stopper, size, begin, end| Self { stopper, size, begin, end, is_moving: begin != end };
        let ends = after.obstacles.iter().enumerate();
        let obstacles = ends
            .zip(surfaces)
            .map(|((k, &end), stopper)| obstacle(stopper, 1.0, before.obstacles.get(k).copied().unwrap_or(end), end));
        let bodies = after.bodies.iter().filter_map(|&(id, shape, size, end)| {
            let known = before.bodies.binary_search_by_key(&id, |body| body.0);
            let begin = known.map_or(end, |at| before.bodies[at].3);
            Some(obstacle(shapes[shape.index()].as_ref()?, size, begin, end))
        });
        obstacles.chain(bodies).collect()
    }

    /// Itself between two shares of the time.
    pub(super) fn during(&'a self, shares: [f32; 2]) -> Meeting<'a> {
        let stands =
            if self.is_moving { shares.map(|share| self.begin.between(self.end, share)) } else { [self.end; 2] };
        Meeting { obstacle: self, stands }
    }

    /// How far a place is outside at the end of the frame \[m\].
    pub(super) fn distance(&self, place: Vec3) -> f32 {
        self.size * self.stopper.distance(self.end.to_own(place) / self.size)
    }

    /// Whether a particle of this radius has room in a place at the end of the frame.
    pub(super) fn leaves_room(&self, place: Vec3, radius: f32) -> bool {
        self.distance(place) > self.size * self.stopper.seen(radius / self.size)
    }
}

/// An obstacle in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting<'a> {
    obstacle: &'a MovingStopper<'a>,
    /// Where it is at the beginning and at the end of the step.
    stands: [Stand; 2],
}

impl Meeting<'_> {
    /// Whether nothing that moves within a box of the world comes near from this step to another
    /// one; margins are in the box already.
    pub(super) fn is_far_until(&self, later: &Self, low: Vec3, high: Vec3) -> bool {
        let MovingStopper { stopper, size, is_moving, .. } = *self.obstacle;
        let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
        let (begin, end) = (self.stands[0], later.stands[1]);
        let reach = size * stopper.reach() + begin.position.distance(end.position);
        if (middle - end.position).length() - half.length() > reach {
            return true;
        }
        if is_moving || size != 1.0 {
            return false;
        }
        // The box in the axes of the obstacle, by a box around it.
        let own = end.to_own(middle);
        let axes = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| (end.orientation.inverse() * axis).abs());
        let around = axes[0] * half.x + axes[1] * half.y + axes[2] * half.z;
        stopper.is_far(own - around, own + around)
    }

    /// How far a point of it moves at most from this step to another one \[m\].
    pub(super) fn moves_until(&self, later: &Self) -> f32 {
        let MovingStopper { stopper, size, is_moving, .. } = *self.obstacle;
        if !is_moving {
            return 0.0;
        }
        let (begin, end) = (self.stands[0], later.stands[1]);
        let turn = end.orientation * begin.orientation.inverse();
        // A chord is at least 2/π of its arc. An infinite surface that does not turn moves by no
        // more than its origin.
        let arc = std::f32::consts::PI * Vec3::new(turn.x, turn.y, turn.z).length();
        let is_turning = self.obstacle.begin.orientation != self.obstacle.end.orientation;
        begin.position.distance(end.position) + if is_turning { arc * size * stopper.reach() } else { 0.0 }
    }

    /// Where a particle with this radius ends that goes from one place of the world to another
    /// during the step, if it is stopped: the place, the direction out, and how far the surface
    /// there moves.
    pub(super) fn stop(&self, from: Vec3, to: Vec3, radius: f32) -> Option<(Vec3, Vec3, Vec3)> {
        let MovingStopper { stopper, size, .. } = *self.obstacle;
        let [begin, end] = self.stands;
        let (place, normal) = stopper.stop(begin.to_own(from) / size, end.to_own(to) / size, radius / size)?;
        let place = size * place;
        let at = end.to_world(place);
        Some((at, end.turn(normal), at - begin.to_world(place)))
    }

    /// Where a particle that stands here at the end of the step is pushed to, if it is too near.
    pub(super) fn push_out(&self, place: Vec3, radius: f32) -> Option<Vec3> {
        let standing = Self { stands: [self.stands[1]; 2], ..*self };
        standing.stop(place, place, radius).map(|(place, ..)| place)
    }
}
