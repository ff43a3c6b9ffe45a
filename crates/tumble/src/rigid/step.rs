//! One rigid step on one page: drive ▶ broad ▶ dispatch ▶ narrow ▶ wake ▶ group ▶ solve ▶ sleep.

use super::group::GroupSource;
use super::lanes::BodyState;
use super::link::Link;
use super::solve::InverseMass;
use super::solver::RigidSolver;
use super::travel::Travel;
use crate::stage::{Stage, Stopwatch};
use crate::world::World;

impl RigidSolver {
    /// Advances the world by one step of `dt` \[s\] to `time` \[s\].
    pub(crate) fn step(&mut self, world: &mut World, time: f64, dt: f64, watch: &mut Stopwatch) {
        world.remove_orphaned_joints();
        self.keep_up(world);
        self.steps += 1;

        // Obstacles stay where they are while contacts are found, and move in substeps.
        watch.start(Stage::Drive);
        self.obstacles.drive(world, time, dt);

        // Pairs of bodies, and of bodies and obstacles, that may touch in this step.
        watch.start(Stage::Broad);
        self.find_pairs(world, dt);

        // A list of pairs for each method.
        watch.start(Stage::Dispatch);
        self.dispatch.part(world, &self.broad);

        // Contact points of the pairs that collide by impulses.
        watch.start(Stage::Narrow);
        self.find_contacts(world, dt);

        // Sleepers that are hit or that have lost their support.
        watch.start(Stage::Sleep);
        self.wake(world);

        // Groups of contacts and joints that can be solved at once.
        watch.start(Stage::Group);
        self.prepare(world, dt);

        // Impulses and motion, in substeps.
        watch.start(Stage::Solve);
        self.solve(world, dt);

        // Islands that have come to rest.
        watch.start(Stage::Sleep);
        if self.settings.sleeping {
            self.sleep(world, dt);
        }
        world.obstacles.iter_mut().for_each(|obstacle| obstacle.drive(time));
        watch.stop();
    }

    /// Places the pieces of all bodies, and lists the pairs that may touch.
    fn find_pairs(&mut self, world: &World, dt: f64) {
        let is_new = std::mem::take(&mut self.is_new);
        self.solids.follow(world, is_new);
        let travel = Travel::new(world, &self.solids.radii, &self.obstacles.motions, dt);
        self.broad.find(&travel, is_new);
    }

    /// Finds the contacts of all pairs, and the bodies that are deep in something.
    fn find_contacts(&mut self, world: &World, dt: f64) {
        let travel = Travel::new(world, &self.solids.radii, &self.obstacles.motions, dt);
        self.contacts.find(&self.solids, &self.dispatch, &travel);
        self.find_overlaps(world);
    }

    /// Writes all that substeps read: states of bodies and obstacles, groups of contacts, joints.
    fn prepare(&mut self, world: &World, dt: f64) {
        let bodies = &world.bodies;
        self.states.clear();
        self.states.extend(bodies.motion.iter().map(BodyState::of));
        self.starts.clone_from(&bodies.pose);
        self.obstacles.begin(world);
        let columns = bodies.inertia.iter().zip(&self.solids.frames).zip(&bodies.rest);
        self.inverse_masses.clear();
        self.inverse_masses.extend(columns.map(|((inertia, frame), rest)| {
            if rest.asleep { InverseMass::ZERO } else { InverseMass::of(inertia, &frame.rotation) }
        }));

        self.tree.build(bodies.len());
        let source =
            GroupSource { world, solids: &self.solids, inverse_masses: &self.inverse_masses, deep: &self.deep.rows };
        self.groups.make(&mut self.contacts, &self.tree, &source);
        self.links.make(world, &self.tree, &self.solids.radii, dt);
        self.tree.set_slices(&self.groups.of_nodes, &self.links.of_nodes, |row| !bodies.rest[row].asleep);
        self.find_flying(bodies.len());
    }

    /// Finds the rows that no contact and no joint can act on in this step.
    fn find_flying(&mut self, rows: usize) {
        self.flies.clear();
        self.flies.resize(rows, true);
        for contact in self.contacts.iter().filter(|contact| contact.count > 0) {
            self.flies[contact.a as usize] = false;
            contact.b.row().into_iter().for_each(|b| self.flies[b as usize] = false);
        }
        for row in self.links.list.iter().flat_map(Link::rows) {
            self.flies[row] = false;
        }
    }
}
