//! Waking of grains. Grains fall asleep on command only.
//!
//! Reads the list, spheres, motions and obstacles; writes the sleep flags, and adds woken bodies to
//! the list. Unlike solids, which wake by islands, grains wake one by one: if they are hit, lose
//! their support, are touched by a moving obstacle, or touch a body that is removed. If they then
//! move, they wake others in turn. A heap is one connected contact graph: with islands a single
//! grain would wake all of it.

use rayon::prelude::*;

use super::alarms::Alarms;
use super::{GranularSolver, Integrator};
use crate::contact::{Block, Sleepers, Sphere, Spheres};
use crate::geometry::{Surface, closest_on_triangle};
use crate::rest::{speed_of_reach, waking_speed};
use crate::world::{Motion, Obstacle, Rest, World};

impl GranularSolver {
    /// Wakes all sleeping bodies that are disturbed in a step of `dt` \[s\]; motions are `lag`
    /// \[s\] older than poses.
    pub(super) fn wake(&mut self, world: &mut World, dt: f64, lag: f64) {
        let (spheres, sleepers) = (&self.spheres, &self.neighbours.sleepers);
        let all = &*world;
        self.neighbours.blocks.par_iter_mut().for_each(|block| wake_by_bodies(block, spheres, sleepers, all));
        let mut woken = std::mem::take(&mut self.woken);
        woken.clear();
        woken.extend(self.neighbours.blocks.iter().flat_map(|block| &block.woken));
        if world.obstacles.iter().any(moves) {
            self.wake_by_obstacles(world, dt, &mut woken);
        }
        if !woken.is_empty() {
            woken.sort_unstable();
            woken.dedup();
            // An adaptive integrator needs all awake bodies in one range of rows.
            let sort = matches!(self.integrator, Integrator::Rkf45(_) | Integrator::Rk23(_));
            if self.neighbours.wake(world, &mut self.spheres, &woken, sort) {
                self.find_neighbours(world, lag);
            }
        }
        self.woken = woken;
    }

    /// Adds to `woken` the sleeping bodies that a moving obstacle touches, or touched before this
    /// step.
    fn wake_by_obstacles(&mut self, world: &World, dt: f64, woken: &mut Vec<u32>) {
        if !self.alarms.known {
            self.find_alarms(world, dt);
        }
        let spheres = &self.spheres;
        let body = |s: u32| spheres.owner[s as usize].body;
        let asleep = |s: u32| self.neighbours.sleepers.is_asleep(body(s));
        for &(s, o) in self.alarms.bare.iter().filter(|&&(s, _)| asleep(s)) {
            let (sphere, obstacle) = (&spheres.place[s as usize], &world.obstacles[o as usize]);
            let way = way(obstacle, sphere, dt);
            if way > 0.0 && is_within(way, sphere, obstacle, &mut self.near) {
                woken.push(body(s));
            }
        }
        for &(s, cover) in self.alarms.covered.iter().filter(|&&(s, _)| asleep(s)) {
            let (a, b) = (&spheres.place[s as usize], &spheres.place[cover as usize]);
            let way = dt * spheres.moving[cover as usize].velocity().length();
            if way > 0.0 && (a.center() - b.center()).length() < a.radius() + b.radius() + way {
                woken.push(body(s));
            }
        }
    }

    /// Lists sleeping spheres that obstacles moving now may reach before the list is rebuilt.
    fn find_alarms(&mut self, world: &World, dt: f64) {
        let (spheres, sleepers, skin) = (&self.spheres, &self.neighbours.sleepers, self.neighbours.skin);
        let Alarms { known, bare, covered } = &mut self.alarms;
        *known = true;
        bare.clear();
        covered.clear();
        let mut covers = spheres.of_obstacles();
        for (o, obstacle) in world.obstacles.iter().enumerate() {
            let own = covers.start..covers.start + obstacle.cover.len();
            covers.start = own.end;
            if !obstacle.is_driven() {
                continue;
            }
            if obstacle.cover.is_empty() {
                let reach = obstacle.surface.reach() + skin + dt * obstacle.motion.velocity.length();
                sleepers.visit_near(obstacle.pose.position, reach, |run| {
                    bare.extend(run.iter().map(|&s| (s, o as u32)).filter(|&(s, _)| {
                        let sphere = &spheres.place[s as usize];
                        is_within(skin + way(obstacle, sphere, dt), sphere, obstacle, &mut self.near)
                    }));
                });
            }
            for cover in own {
                let center = spheres.place[cover].center();
                let reach = spheres.place[cover].radius() + skin + dt * spheres.moving[cover].velocity().length();
                sleepers.visit_near(center, reach, |run| {
                    let near = |s: &&u32| {
                        let sphere = &spheres.place[**s as usize];
                        (sphere.center() - center).length() < sphere.radius() + reach
                    };
                    covered.extend(run.iter().filter(near).map(|&s| (s, cover as u32)));
                });
            }
        }
    }

    /// Wakes the bodies that touch bodies about to be removed.
    pub(crate) fn wake_around(&self, world: &mut World, gone: &[bool]) {
        let (spheres, sleepers) = (&self.spheres, &self.neighbours.sleepers);
        if sleepers.is_empty() || !self.neighbours.lists(&world.bodies) {
            return;
        }
        for sphere in (0..gone.len()).filter(|&row| gone[row]).flat_map(|row| spheres.of_body(row)) {
            let (center, radius) = (spheres.place[sphere].center(), spheres.place[sphere].radius());
            sleepers.visit_near(center, radius, |run| {
                for &other in run {
                    if spheres.place[sphere].touches(&spheres.place[other as usize]) {
                        world.bodies.rest[spheres.owner[other as usize].body as usize] = Rest::default();
                    }
                }
            });
        }
    }
}

/// Upper bound of the displacement of an obstacle's surface at a sphere in `dt` \[s\] \[m\].
fn way(obstacle: &Obstacle, sphere: &Sphere, dt: f64) -> f64 {
    dt * (obstacle.velocity_at(sphere.center()).length() + obstacle.motion.spin.length() * sphere.radius())
}

/// Whether the surface of an obstacle is within this distance \[m\] of that of a sphere.
fn is_within(distance: f64, sphere: &Sphere, obstacle: &Obstacle, near: &mut Vec<u32>) -> bool {
    let (center, reach) = (obstacle.pose.to_local(sphere.center()), sphere.radius() + distance);
    let Surface::Mesh(mesh) = &obstacle.surface else { return obstacle.surface.distance(center) < reach };
    near.clear();
    mesh.near(center, reach, near);
    near.iter().any(|&triangle| (center - closest_on_triangle(center, mesh.corners(triangle)).0).length() < reach)
}

fn moves(obstacle: &Obstacle) -> bool {
    obstacle.motion != Motion::default()
}

/// Notes sleeping bodies that a sphere of the block hits, or that it no longer supports.
fn wake_by_bodies(block: &mut Block, spheres: &Spheres, sleepers: &Sleepers, world: &World) {
    block.woken.clear();
    let strength = world.gravity.length();
    for (p, pair) in block.pairs.iter().enumerate().filter(|(_, pair)| (pair.partner as usize) < sleepers.spheres()) {
        let (own, partner) = (block.spheres.start + pair.own as usize, pair.partner as usize);
        let (a, b) = (&spheres.place[own], &spheres.place[partner]);
        let row = spheres.owner[partner].body;
        let wakes = if a.touches(b) {
            let (row, speed) = (row as usize, spheres.moving[own].velocity().length());
            let mass = |row: usize| world.bodies.inertia[row].mass;
            let other = spheres.owner[own].body as usize;
            let limit = if world.bodies.rest[row].held && other < world.bodies.len() {
                // An inelastic hit at speed v gives the sleeper v m/(m + M).
                speed_of_reach(strength, world.radius(row)) * (1.0 + mass(row) / mass(other))
            } else {
                waking_speed(strength, world.radius(row))
            };
            speed > limit
        } else {
            // Its support has gone.
            block.touched(p) && (b.center() - a.center()).dot(world.gravity) < 0.0
        };
        if wakes && sleepers.is_asleep(row) {
            block.woken.push(row);
        }
    }
}
