//! One granular step on one page, in the order it runs.

use super::contacts::{Scene, contacts};
use super::law::{Hertz, Linear};
use super::{Granular, Law, gather, verlet};
use crate::stage::{Stage, Stopwatch};
use crate::world::World;

impl Granular {
    /// Advances the world by `dt`, to `time`.
    pub(crate) fn step(&mut self, world: &mut World, time: f64, dt: f64, watch: &mut Stopwatch) {
        // Half a kick with the forces of the last step, then a whole drift.
        watch.start(Stage::Integrate);
        verlet::kick_and_drift(world, dt);

        // Obstacles follow their paths.
        watch.start(Stage::Drive);
        for obstacle in world.obstacles.iter_mut().filter(|o| o.is_driven()) {
            obstacle.drive(time);
        }

        // Who may touch: the old list, unless something moved half the skin or was born.
        watch.start(Stage::Neighbours);
        if self.neighbours.holds(&world.bodies, &world.obstacles) {
            self.spheres.follow(world);
        } else {
            self.find_neighbours(world);
        }

        // Who does touch, and how hard.
        watch.start(Stage::Contacts);
        let scene = Scene {
            spheres: &self.spheres,
            obstacles: &world.obstacles,
            pairs: &self.pairs,
            materials: world.materials.list().len(),
            dt,
        };
        match self.law {
            Law::Linear => contacts::<Linear>(&scene, &mut self.neighbours, &mut self.from_walls),
            Law::Hertz => contacts::<Hertz>(&scene, &mut self.neighbours, &mut self.from_walls),
        }

        // What that sums up to for each body.
        watch.start(Stage::Gather);
        gather::gather(&self.neighbours, &self.spheres, &self.from_walls, &mut world.bodies.wrench);

        // The other half kick, with the new forces.
        watch.start(Stage::Integrate);
        verlet::kick_again(world, dt);
        watch.stop();
    }
}
