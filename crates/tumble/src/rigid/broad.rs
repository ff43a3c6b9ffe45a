//! The broad phase: pairs whose bounding balls meet within a step.
//!
//! Reads poses, motions, radii and sleep states; writes for each row the larger rows and the
//! obstacles that it may touch. Pairs of which neither side can move are not searched: sleepers are
//! found by bodies that are awake, in grids that are kept while the same bodies sleep.

use rayon::prelude::*;

use super::contact::Partner;
use super::pairs::PairList;
use super::travel::Travel;
use crate::contact::{Levels, Sphere};
use crate::world::Obstacle;

/// Number of bodies whose pairs one task searches.
const CHUNK: usize = 64;

/// The broad phase and its grids.
#[derive(Clone, Debug, Default)]
pub(super) struct Broad {
    /// Bounding balls of bodies, with the distance that they may move in the step.
    balls: Vec<Sphere>,
    /// Rows that are awake, that are asleep, and that slept in the last step.
    awake: Vec<u32>,
    asleep: Vec<u32>,
    slept: Vec<u32>,
    levels: Levels,
    levels_asleep: Levels,
    /// Pairs that each task has found.
    found: Vec<Vec<(u32, u32)>>,
    /// Pairs that may touch.
    pub(super) pairs: PairList,
    /// Larger rows that row `r` may touch: `bodies[starts[r]..starts[r + 1]]`.
    starts: Vec<u32>,
    bodies: Vec<Partner>,
}

impl Broad {
    /// Lists all pairs that may touch in a step. `is_new` says whether rows are other bodies than
    /// in the last step.
    pub(super) fn find(&mut self, travel: &Travel<'_>, is_new: bool) {
        let bodies = &travel.world.bodies;
        let balls = bodies.pose.iter().enumerate();
        self.balls.clear();
        self.balls.extend(balls.map(|(row, pose)| Sphere::new(pose.position, travel.ball(row))));
        std::mem::swap(&mut self.asleep, &mut self.slept);
        self.awake.clear();
        self.asleep.clear();
        for (row, rest) in bodies.rest.iter().enumerate() {
            if rest.asleep { &mut self.asleep } else { &mut self.awake }.push(row as u32);
        }
        self.levels.build(&self.balls, self.awake.iter().map(|&row| row as usize), 0.0);
        if is_new || self.slept != self.asleep {
            self.levels_asleep.build(&self.balls, self.asleep.iter().map(|&row| row as usize), 0.0);
        }

        let Self { balls, awake, asleep, levels, levels_asleep, found, .. } = self;
        // Lists of chunks that are not needed now keep their memory for later.
        found.iter_mut().for_each(Vec::clear);
        found.resize_with(found.len().max(awake.len().div_ceil(CHUNK)), Vec::new);
        found.par_iter_mut().zip(awake.par_chunks(CHUNK)).for_each(|(found, awake)| {
            for &row in awake {
                let (at, radius) = (balls[row as usize].center(), balls[row as usize].radius());
                let mut look_at = |run: &[u32]| {
                    for &other in run {
                        let ball = &balls[other as usize];
                        let reach = radius + ball.radius();
                        if (ball.center() - at).length_squared() < reach * reach {
                            found.push((row.min(other), row.max(other)));
                        }
                    }
                };
                levels.visit_partners(row as usize, at, &mut look_at);
                if !asleep.is_empty() {
                    levels_asleep.visit_near(at, radius, &mut look_at);
                }
            }
        });
        self.sort(bodies.len());
        self.append_obstacles(travel);
    }

    /// Forgets where sleepers lie: one that woke in this step may be asleep again when the next one
    /// begins.
    pub(super) fn forget_sleepers(&mut self) {
        self.asleep.clear();
    }

    /// Sorts pairs by their first rows, then by their second.
    fn sort(&mut self, rows: usize) {
        let (starts, bodies) = (&mut self.starts, &mut self.bodies);
        starts.clear();
        starts.resize(rows + 2, 0);
        for &(a, _) in self.found.iter().flatten() {
            starts[a as usize + 2] += 1;
        }
        for row in 2..starts.len() {
            starts[row] += starts[row - 1];
        }
        bodies.clear();
        bodies.resize(starts[rows + 1] as usize, Partner::body(0));
        for &(a, b) in self.found.iter().flatten() {
            let place = &mut starts[a as usize + 1];
            bodies[*place as usize] = Partner::body(b);
            *place += 1;
        }
        starts.pop();
        for row in 0..rows {
            bodies[starts[row] as usize..starts[row + 1] as usize].sort_unstable();
        }
    }

    /// Adds the obstacles near each row after its bodies. Sleepers are paired with driven obstacles
    /// only.
    fn append_obstacles(&mut self, travel: &Travel<'_>) {
        let world = travel.world;
        let Self { balls, pairs, starts, bodies, .. } = self;
        pairs.clear();
        let any_driven = world.obstacles.iter().any(Obstacle::is_driven);
        for (row, rest) in world.bodies.rest.iter().enumerate() {
            let partners = &bodies[starts[row] as usize..starts[row + 1] as usize];
            if rest.asleep && !any_driven {
                pairs.push_row(partners.iter().copied());
                continue;
            }
            let (centre, reach) = (world.bodies.pose[row].position, balls[row].radius());
            let is_near = |number: usize, obstacle: &Obstacle| {
                let local = obstacle.pose.to_local(centre);
                let reach = reach + travel.of_obstacle(number, centre);
                if obstacle.parts.is_empty() {
                    return obstacle.surface.distance(local) < reach;
                }
                obstacle.parts.iter().any(|part| {
                    let (middle, half) = part.convex.bounds();
                    (part.pose.to_local(local) - middle).abs().cmple(half + reach).all()
                })
            };
            let obstacles = world.obstacles.iter().enumerate();
            let near = obstacles
                .filter(|(_, obstacle)| !rest.asleep || obstacle.is_driven())
                .filter(|(number, obstacle)| is_near(*number, obstacle))
                .map(|(number, _)| Partner::obstacle(number as u32));
            pairs.push_row(partners.iter().copied().chain(near));
        }
    }
}
