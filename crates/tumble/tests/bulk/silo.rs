//! A flat-bottomed silo that empties through a round hole, shared by the tests of discharge and of
//! jamming.
//!
//! The floor is a flat ring: a tube with a thick wall. Grains two and a half diameters below it are
//! removed and counted. A silo that is kept full has an emitter below its brim, where grains are
//! born as soon as there is room: the level stays, and a short silo discharges for as long as one
//! likes.

use glam::DVec3;
use tumble::emit::{Emitter, Jitter, Pattern, Place, Region, When};
use tumble::geometry::Model;
use tumble::granular::Law;
use tumble::world::{Material, Shape};
use tumble::{Setup, Simulation};

use crate::common::emitter;
use crate::scene::{BASE, D, filling, model, walls, with_long_steps, world};

/// Solid part of a flowing bed, by which the filling is counted and discharge is compared with a
/// bulk density.
pub(crate) const PACKED: f64 = 0.58;

/// A silo with lengths in grain diameters.
#[derive(Clone, Copy)]
pub(crate) struct Silo {
    /// Width of the square between its walls.
    pub(crate) width: f64,
    /// Depth to which it is filled.
    pub(crate) depth: f64,
    /// Diameter of the hole.
    pub(crate) outlet: f64,
    /// Whether grains are born on top as others leave.
    pub(crate) kept_full: bool,
}

impl Silo {
    /// How many grains fill it.
    pub(crate) fn count(&self) -> u64 {
        (PACKED * self.width * self.width * self.depth * 6.0 / std::f64::consts::PI) as u64
    }

    pub(crate) fn simulate(&self, stuff: &Material, seed: u64) -> Simulation {
        let half = 0.5 * self.width * D;
        let mut world = world(Shape::ball("grain", 0.5 * D).unwrap(), stuff, stuff.friction);
        world.obstacles = walls([half, half]);
        let hole = 0.5 * self.outlet * D;
        let floor = Model::Tube { radius: hole, height: D, wall: 1.5 * half - hole };
        world.obstacles.push(model("floor", BASE, floor, DVec3::new(0.0, 0.0, -D)));
        let corner = |z: f64| DVec3::new(half, half, z * D);
        let mut emitters =
            vec![filling(self.count(), corner(0.0) * DVec3::new(-1.0, -1.0, 1.0), corner(3.0 * self.depth))];
        if self.kept_full {
            let low = corner(self.depth + 1.0) * DVec3::new(-1.0, -1.0, 1.0);
            let region = Region::Box { low, high: corner(self.depth + 4.0) };
            let place = Place::Region { region, pattern: Pattern::Random };
            let jitter = Jitter { velocity: 0.1, ..Jitter::default() };
            // The filling begins higher than it ends, so births begin when it has come down.
            let when = When::Rate { per_second: 50_000.0, start: 0.3 };
            emitters.push(Emitter { jitter, ..emitter(0, u64::MAX, when, place) });
        }
        let far = 1e3 * D;
        let bounds = Some((DVec3::new(-far, -far, -2.5 * D), DVec3::splat(far)));
        with_long_steps(Setup { emitters, seed, fps: 50.0, bounds, ..Setup::new(world, Law::HERTZ) })
    }
}
