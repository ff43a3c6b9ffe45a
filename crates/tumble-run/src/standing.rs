//! How a pile stands: who touches whom, how dense it is, and what stays of it when it is let go.
//!
//! Reads a simulation at the end of a run. No director reads any of this, so it can judge what they
//! left.

use glam::DVec3;
use tumble::Simulation;
use tumble::measure::{NotAHeap, Support, repose, silhouette_above, single_balls};
use tumble::world::{BodyId, Grip, World};

use crate::measures::up_in;

/// How long a pile that is let go is watched, over √(height/gravity).
const WATCHED: f64 = 10.0;

/// The ball inside a heap in which its solid part is counted: height of its middle and radius, over
/// the height of the heap. It lies within any cone of up to 60°.
const BALL: [f64; 2] = [0.34, 0.3];

/// Points along each side of the box around that ball.
const POINTS: i32 = 40;

/// A pile that was let go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Release {
    /// Part of its potential energy above the lowest body that it lost.
    pub loss: f64,
    /// Bodies that moved by more than half a diameter.
    pub moved: usize,
}

/// Contacts of all bodies as they are now.
pub fn support(simulation: &Simulation) -> Support {
    Support::of(simulation.world(), &simulation.contacts(), up_in(simulation))
}

impl Release {
    /// Lets a copy of the simulation go, with or without what is held by name, and watches it.
    pub fn of(simulation: &Simulation, holding: bool) -> Self {
        let up = up_in(simulation);
        let mut free = simulation.released(holding);
        let heights = |world: &World| -> Vec<(f64, f64)> {
            let height = |row: usize| (world.bodies.inertia[row].mass, world.bodies.pose[row].position.dot(up));
            world.bodies.rows_by_id().map(height).collect()
        };
        let places = |world: &World| -> Vec<(BodyId, DVec3)> {
            let place = |row: usize| (world.bodies.traits[row].id, world.bodies.pose[row].position);
            world.bodies.rows_by_id().map(place).collect()
        };
        let (before, from) = (heights(free.world()), places(free.world()));
        let lowest = before.iter().map(|(_, height)| *height).fold(f64::INFINITY, f64::min);
        let highest = before.iter().map(|(_, height)| *height).fold(f64::NEG_INFINITY, f64::max);
        let energy =
            |heights: &[(f64, f64)]| heights.iter().map(|(mass, height)| mass * (height - lowest)).sum::<f64>();
        let gravity = simulation.world().gravity.length();
        let seconds = if gravity > 0.0 { WATCHED * ((highest - lowest).max(0.0) / gravity).sqrt() } else { 1.0 };
        for _ in 0..(seconds / free.frame_length()).ceil() as usize {
            free.advance();
        }
        let (whole, after) = (energy(&before), energy(&heights(free.world())));
        let diameter = |id: BodyId| free.world().bodies.row(id).map(|row| free.world().diameter(row));
        let has_moved = |&(id, place): &(BodyId, DVec3)| {
            let now = free.world().bodies.row(id).map(|row| free.world().bodies.pose[row].position);
            now.zip(diameter(id)).is_none_or(|(now, diameter)| now.distance(place) > 0.5 * diameter)
        };
        Self {
            loss: if whole > 0.0 { 1.0 - after / whole } else { 0.0 },
            moved: from.iter().filter(|body| has_moved(body)).count(),
        }
    }
}

/// Angle of the silhouette of all bodies, or of what is above a rim at this height \[m\]; in \[°\].
pub fn angle_of(simulation: &Simulation, rim: Option<f64>) -> Result<f64, NotAHeap> {
    let found = silhouette_above(&single_balls(simulation.world()), up_in(simulation), rim);
    found.map(|found| found.angle.to_degrees())
}

/// Angle of the surface of all bodies, seen from above \[°\].
pub fn surface_of(simulation: &Simulation) -> Result<f64, NotAHeap> {
    repose(&single_balls(simulation.world()), up_in(simulation)).map(|found| found.angle.to_degrees())
}

/// Solid part of a ball in the lower middle of the heap of all bodies \[-\]: points of a grid that
/// are in one. None if there is no body.
pub fn solid_fraction(simulation: &Simulation) -> Option<f64> {
    let (world, up) = (simulation.world(), up_in(simulation));
    let balls = single_balls(world);
    let low = balls.iter().map(|ball| ball.centre.dot(up) - ball.radius).reduce(f64::min)?;
    let high = balls.iter().map(|ball| ball.centre.dot(up) + ball.radius).reduce(f64::max)?;
    let mass: f64 = world.bodies.inertia.iter().map(|inertia| inertia.mass).sum();
    let bodies = world.bodies.inertia.iter().zip(&world.bodies.pose);
    let middle = bodies.fold(DVec3::ZERO, |sum, (inertia, pose)| sum + inertia.mass / mass * pose.position);
    let radius = BALL[1] * (high - low);
    let centre = middle.reject_from(up) + (low + BALL[0] * (high - low)) * up;
    let near: Vec<usize> = (0..world.bodies.len())
        .filter(|&row| world.bodies.pose[row].position.distance(centre) < radius + world.radius(row))
        .collect();
    let is_solid = |point: DVec3| {
        near.iter().any(|&row| {
            let (traits, pose) = (&world.bodies.traits[row], &world.bodies.pose[row]);
            let shape = &world.shapes[traits.shape.0 as usize];
            let local = pose.to_local(point) / traits.size;
            shape.parts.iter().any(|part| part.contains(local))
                || shape.parts.is_empty()
                    && shape.spheres.iter().any(|sphere| sphere.offset.distance(local) < sphere.radius)
        })
    };
    let (mut inside, mut solid) = (0u32, 0u32);
    for k in 0..POINTS.pow(3) {
        let cell = DVec3::new(f64::from(k % POINTS), f64::from(k / POINTS % POINTS), f64::from(k / POINTS / POINTS));
        let offset = radius * ((cell + 0.5) * 2.0 / f64::from(POINTS) - 1.0);
        if offset.length() < radius {
            inside += 1;
            solid += u32::from(is_solid(centre + offset));
        }
    }
    Some(f64::from(solid) / f64::from(inside))
}

/// Bodies that a director holds by a firm grip, in the order of their ids.
pub fn held(simulation: &Simulation) -> Vec<BodyId> {
    let bodies = &simulation.world().bodies;
    let is_held = |row: &usize| bodies.grip[*row] == Grip::Firm;
    bodies.rows_by_id().filter(is_held).map(|row| bodies.traits[row].id).collect()
}
