//! Who may touch whom: bodies whose balls meet, within what they may move in a step.
//!
//! Reads poses, motions, radii; writes for each row the larger rows and the obstacles it may touch, ascending.

use glam::DVec3;
use rayon::prelude::*;

use super::contact::Other;
use crate::contact::{Levels, Sphere};
use crate::emit::distance_from;
use crate::world::World;

/// Rows a block of the list holds.
pub(super) const BLOCK: usize = 64;

/// Pairs that may touch.
#[derive(Clone, Debug, Default)]
pub(super) struct Broad {
    balls: Vec<Sphere>,
    levels: Levels,
    found: Vec<Vec<(u32, u32)>>,
    /// Partners of row `r` are `partners[starts[r]..starts[r + 1]]`.
    starts: Vec<u32>,
    partners: Vec<Other>,
    /// The same, of bodies alone.
    starts_of_bodies: Vec<u32>,
    bodies: Vec<Other>,
}

impl Broad {
    /// Lists all pairs that can touch before every body has gone further than its margin \[m\]. `obstacle_way` says how far a point of an
    /// obstacle moves meanwhile \[m\].
    pub(super) fn find(
        &mut self,
        world: &World,
        radii: &[f64],
        margins: &[f64],
        obstacle_way: impl Fn(usize, DVec3) -> f64,
    ) {
        let bodies = &world.bodies;
        let balls = bodies.pose.iter().zip(radii).zip(margins);
        self.balls.clear();
        self.balls.extend(balls.map(|((pose, radius), margin)| Sphere::new(pose.position, radius + margin)));
        self.levels.build(&self.balls, 0.0);

        let blocks = bodies.len().div_ceil(BLOCK);
        self.found.resize_with(blocks, Vec::new);
        let (balls, levels) = (&self.balls, &self.levels);
        self.found.par_iter_mut().enumerate().for_each(|(block, found)| {
            found.clear();
            for row in block * BLOCK..((block + 1) * BLOCK).min(balls.len()) {
                let (centre, radius) = (balls[row].center(), balls[row].radius());
                levels.visit_partners(row, centre, |run| {
                    for &other in run {
                        let ball = &balls[other as usize];
                        let reach = radius + ball.radius();
                        if (ball.center() - centre).length_squared() < reach * reach {
                            found.push(((row as u32).min(other), (row as u32).max(other)));
                        }
                    }
                });
            }
        });
        self.sort(bodies.len());
        self.append_obstacles(world, radii, margins, &obstacle_way);
    }

    /// Sorts pairs by their first rows, then by their second.
    fn sort(&mut self, rows: usize) {
        let (starts, bodies) = (&mut self.starts_of_bodies, &mut self.bodies);
        starts.clear();
        starts.resize(rows + 2, 0);
        for &(a, _) in self.found.iter().flatten() {
            starts[a as usize + 2] += 1;
        }
        for row in 2..starts.len() {
            starts[row] += starts[row - 1];
        }
        bodies.clear();
        bodies.resize(starts[rows + 1] as usize, Other::body(0));
        for &(a, b) in self.found.iter().flatten() {
            let place = &mut starts[a as usize + 1];
            bodies[*place as usize] = Other::body(b);
            *place += 1;
        }
        starts.pop();
        for row in 0..rows {
            bodies[starts[row] as usize..starts[row + 1] as usize].sort_unstable();
        }
    }

    /// Adds the obstacles near each row after its bodies.
    fn append_obstacles(
        &mut self,
        world: &World,
        radii: &[f64],
        margins: &[f64],
        obstacle_way: &impl Fn(usize, DVec3) -> f64,
    ) {
        let rows = world.bodies.len();
        let Self { starts, partners, starts_of_bodies, bodies, .. } = self;
        starts.clear();
        partners.clear();
        for row in 0..rows {
            starts.push(partners.len() as u32);
            partners.extend_from_slice(&bodies[starts_of_bodies[row] as usize..starts_of_bodies[row + 1] as usize]);
            let (centre, reach) = (world.bodies.pose[row].position, radii[row] + margins[row]);
            for (number, obstacle) in world.obstacles.iter().enumerate() {
                let local = obstacle.pose.to_local(centre);
                let reach = reach + obstacle_way(number, centre);
                let near = if obstacle.parts.is_empty() {
                    distance_from(&obstacle.surface, local) < reach
                } else {
                    obstacle.parts.iter().any(|part| {
                        let (middle, half) = part.convex.bounds();
                        (part.pose.to_local(local) - middle).abs().cmple(half + reach).all()
                    })
                };
                if near {
                    partners.push(Other::obstacle(number as u32));
                }
            }
        }
        starts.push(partners.len() as u32);
    }

    /// What a row may touch.
    pub(super) fn of(&self, row: usize) -> &[Other] {
        &self.partners[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}
