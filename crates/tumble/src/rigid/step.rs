//! One rigid step on one page: broad ▶ dispatch ▶ narrow ▶ wake ▶ group ▶ substeps of solve and integrate ▶ sleep.

use std::sync::atomic::{AtomicBool, Ordering};

use glam::{DQuat, DVec3, Mat3, Vec3};

use super::RigidSolver;
use super::broad::Ways;
use super::contact::Contact;
use super::contacts::Reach;
use super::group::Source;
use super::joints;
use super::lanes::State;
use super::link::{Link, Unmoved};
use super::solve::{Group, Resistance, Soft, Surfaces};
use super::tree::{Bodies, Part};
use crate::drift::drift;
use crate::rest::natural_speed;
use crate::stage::{Stage, Stopwatch};
use crate::world::{Inertia, Motion, Pose, World};

/// How far apart two bodies may be and still have a contact, over the radius of the smaller: without it a contact would come and
/// go with every breath.
const MARGIN: f64 = 0.02;

/// How fast two bodies that overlap are moved apart at most, over the natural speed of the smaller.
const OUT: f64 = 1.5;

/// How stiff contacts are: the frequency at which an overlap is pushed out, over that of substeps. And how much they are damped, over
/// what just does not overshoot.
const STIFFNESS: f64 = 0.25;
const DAMPING: f64 = 10.0;

/// How often the contacts that are hit in a substep take turns to bounce at most: those of one body
/// have to agree.
const BOUNCES: usize = 4;

/// Collisions that are slower than what gravity adds in so many steps do not bounce.
const LEAST_BOUNCE: f64 = 0.5;

impl RigidSolver {
    /// Advances the world by one step to `time` \[s\].
    pub(crate) fn step(&mut self, world: &mut World, time: f64, dt: f64, watch: &mut Stopwatch) {
        let substeps = self.settings.substeps;
        world.remove_orphaned_joints();
        self.keep_up(world);
        self.steps += 1;
        let h = dt / f64::from(substeps);
        let gravity = world.gravity.length();

        // Obstacles stay where they are while contacts are found, and move on their way in substeps.
        watch.start(Stage::Drive);
        let mut of_obstacles = std::mem::take(&mut self.obstacle_motions);
        of_obstacles.clear();
        of_obstacles.extend(world.obstacles.iter().map(|o| average(&o.pose, &o.path.at(time).0, dt)));

        // Who may touch.
        watch.start(Stage::Broad);
        let is_new = std::mem::take(&mut self.is_new);
        self.solids.follow(world, is_new);
        let way = |motion: &Motion, radius: f64| dt * (motion.velocity.length() + radius * motion.spin.length());
        let fall = gravity * dt * dt;
        let radii = &self.solids.radii;
        self.margins.clear();
        self.margins.extend(world.bodies.motion.iter().zip(radii).map(|(m, r)| MARGIN * r + fall + way(m, *r)));
        // How a point of an obstacle moves.
        let of_obstacle = |number: usize, point: DVec3| {
            let Motion { velocity, spin } = of_obstacles[number];
            velocity + spin.cross(point - world.obstacles[number].pose.position)
        };
        let obstacle_way = |number: usize, point: DVec3| dt * of_obstacle(number, point).length();
        self.broad.find(world, &Ways { radii, margins: &self.margins, of_obstacle: obstacle_way }, is_new);

        // Which method answers each pair.
        watch.start(Stage::Dispatch);
        self.dispatch.part(world, &self.broad);

        // Who touches whom, and where.
        watch.start(Stage::Narrow);
        let motions = &world.bodies.motion;
        self.contacts.find(world, &self.solids, &self.dispatch, |row, other| {
            let (motion, radius) = (&motions[row], radii[row]);
            let (velocity, turning, smaller) = match other.row() {
                Some(partner) => {
                    let (partner, other_radius) = (&motions[partner as usize], radii[partner as usize]);
                    (partner.velocity, other_radius * partner.spin.length(), radius.min(other_radius))
                }
                None => {
                    let centre = world.bodies.pose[row].position;
                    let spin = of_obstacles[other.number()].spin.length();
                    (of_obstacle(other.number(), centre), radius * spin, radius)
                }
            };
            Reach {
                around: MARGIN * smaller + fall + dt * (turning + radius * motion.spin.length()),
                way: dt * (motion.velocity - velocity),
            }
        });

        self.see_overlaps(world);

        // Whom that wakes.
        watch.start(Stage::Sleep);
        if self.wake(world, &of_obstacles) {
            self.contacts.blocks.iter_mut().for_each(|block| block.is_untouched = false);
        }

        // Which contacts and joints can be solved at once.
        watch.start(Stage::Group);
        self.tree.build(world.bodies.len());
        self.prepare(world, &of_obstacles);
        let radii = &self.solids.radii;
        let fastest_out = |radius| OUT * natural_speed(gravity, radius);
        let surfaces = |contact: &Contact| {
            let material = |row: usize| world.bodies.traits[row].material;
            let a = contact.a as usize;
            let (other, radius, is_deep) = match contact.b.row().map(|row| row as usize) {
                Some(b) => (material(b), radii[b].min(radii[a]), self.deep[a] || self.deep[b]),
                None => (world.obstacles[contact.b.number()].material, radii[a], self.deep[a]),
            };
            let pair = world.materials.between(material(a), other);
            Surfaces {
                friction: pair.friction as f32,
                rolling: pair.rolling_friction as f32,
                restitution: pair.restitution as f32,
                round: self.solids.round(contact),
                patch: radius as f32,
                fastest_out: fastest_out(radius) as f32,
                is_deep,
            }
        };
        let source = Source {
            placed: &self.solids.placed,
            placed_obstacles: &self.solids.placed_obstacles,
            resistance: &self.resistance,
            surfaces: &surfaces,
            moves: &|row| !world.bodies.rest[row].asleep,
        };
        self.groups.make(&mut self.contacts, &self.tree, &source);
        joints::link(world, &self.tree, radii, fastest_out, dt, &mut self.links, &mut self.links_of_nodes);
        self.tree.give(&self.groups.of_nodes, &self.links_of_nodes, |row| !world.bodies.rest[row].asleep);

        self.find_flying(world.bodies.len());

        watch.start(Stage::Solve);
        let soft = Soft::new(STIFFNESS / h, DAMPING, h, LEAST_BOUNCE * gravity * dt, gravity);
        let (starts, inertia, resistance) = (&self.starts, &world.bodies.inertia, &self.resistance);
        let (field, drag) = (world.gravity, world.drag);
        let (tree, rest, flies) = (&self.tree, &world.bodies.rest, &self.flies);
        let (poses, motions) = (&mut world.bodies.pose, &mut world.bodies.motion);
        let bodies = Bodies { first: 0, states: &mut self.states, poses, motions };
        let mut all = Part { bodies, groups: &mut self.groups.list, links: &mut self.links };
        self.obstacle_poses.clear();
        self.obstacle_poses.extend(world.obstacles.iter().map(|obstacle| obstacle.pose));
        for substep in 1..=substeps {
            // Gravity, and the impulses of the substep before.
            let obstacles = &self.of_obstacles;
            let unmoved = Unmoved { states: obstacles, poses: &self.obstacle_poses };
            let any_hit = AtomicBool::new(false);
            tree.walk(
                all.all(),
                &|rows, bodies| {
                    let columns = bodies.states.iter_mut().zip(bodies.motions.iter_mut());
                    for (_, (state, motion)) in rows.zip(columns).filter(|(row, _)| !rest[*row].asleep) {
                        absorb(state, motion);
                        motion.velocity += h * (field - drag * motion.velocity);
                        state.set_motion(motion.velocity.as_vec3(), motion.spin.as_vec3());
                    }
                },
                &|Part { bodies, groups, links }| {
                    links.iter_mut().for_each(|link| link.warm_start(bodies, &unmoved));
                    let hits = groups
                        .iter_mut()
                        .filter_map(|group| group.warm_start(bodies, obstacles, resistance, &soft).then_some(()));
                    if hits.count() > 0 {
                        any_hit.store(true, Ordering::Relaxed);
                    }
                },
            );
            // Impulses that hold joints together, stop what comes together, and push out what overlaps.
            tree.walk(all.all(), &|_, _| {}, &|Part { bodies, groups, links }| {
                links.iter_mut().for_each(|link| link.solve(bodies, &unmoved, h as f32));
                groups.iter_mut().for_each(|group| group.solve(bodies.states, bodies.first, obstacles, &soft, true));
            });
            // Bodies move, those that touch nothing exactly on their parabola; then velocities lose
            // what pushed out.
            let elapsed = h * f64::from(substep);
            for (k, motion) in of_obstacles.iter().enumerate() {
                let (way, turn) = (elapsed * motion.velocity, DQuat::from_scaled_axis(elapsed * motion.spin));
                let start = &world.obstacles[k].pose;
                self.of_obstacles[k].set_way(way.as_vec3(), turn.as_quat());
                self.obstacle_poses[k] = Pose { position: start.position + way, orientation: turn * start.orientation };
            }
            let obstacles = &self.of_obstacles;
            let unmoved = Unmoved { states: obstacles, poses: &self.obstacle_poses };
            tree.walk(
                all.all(),
                &|rows, bodies| {
                    let columns = bodies.states.iter_mut().zip(bodies.poses.iter_mut()).zip(bodies.motions.iter_mut());
                    let awake = rows.zip(columns).filter(|(row, _)| !rest[*row].asleep);
                    for (row, ((state, pose), motion)) in awake {
                        absorb(state, motion);
                        drift(pose, motion, &inertia[row], h);
                        if flies[row] {
                            pose.position -= 0.5 * h * h * (field - drag * motion.velocity);
                        }
                        state.set_motion(motion.velocity.as_vec3(), motion.spin.as_vec3());
                        let turn = pose.orientation * starts[row].orientation.conjugate();
                        state.set_way((pose.position - starts[row].position).as_vec3(), turn.as_quat());
                    }
                },
                &|Part { bodies, groups, links }| {
                    links.iter_mut().for_each(|link| link.relax(bodies, &unmoved, h as f32));
                    let deep = groups.iter().filter(|group| group.is_deep());
                    deep.for_each(|group| group.move_apart(bodies, obstacles, h as f32));
                    groups
                        .iter_mut()
                        .for_each(|group| group.solve(bodies.states, bodies.first, obstacles, &soft, false));
                },
            );
            // What was hit in this substep leaves again.
            if any_hit.load(Ordering::Relaxed) {
                for _ in 0..BOUNCES {
                    let any_bounced = AtomicBool::new(false);
                    tree.walk(all.all(), &|_, _| {}, &|Part { bodies, groups, .. }| {
                        for group in groups.iter_mut().filter(|group| group.is_hit()) {
                            if group.bounce(bodies.states, bodies.first, obstacles) {
                                any_bounced.store(true, Ordering::Relaxed);
                            }
                        }
                    });
                    if !any_bounced.load(Ordering::Relaxed) {
                        break;
                    }
                }
                all.groups.iter_mut().filter(|group| group.is_hit()).for_each(Group::forget_hits);
            }
        }
        for (row, state) in self.states.iter().enumerate().filter(|(row, _)| !world.bodies.rest[*row].asleep) {
            absorb(state, &mut world.bodies.motion[row]);
        }
        self.groups.remember(&mut self.contacts, soft.fall);
        joints::remember(world, &self.links);
        self.obstacle_motions = of_obstacles;

        // Who falls asleep.
        watch.start(Stage::Sleep);
        if self.settings.sleeping {
            self.sleep(world, dt);
        }
        for obstacle in &mut world.obstacles {
            obstacle.drive(time);
        }
        watch.stop();
    }

    /// Writes what contacts see of bodies and obstacles at the beginning of the step.
    fn prepare(&mut self, world: &World, of_obstacles: &[Motion]) {
        let bodies = &world.bodies;
        self.states.clear();
        self.states.extend(bodies.motion.iter().map(state));
        self.of_obstacles.clear();
        self.of_obstacles.extend(of_obstacles.iter().map(state));
        self.of_obstacles.push(State::new(Vec3::ZERO, Vec3::ZERO));
        self.starts.clone_from(&bodies.pose);
        self.resistance.clear();
        let resistances = bodies.inertia.iter().zip(&self.solids.placed).zip(&bodies.rest);
        self.resistance.extend(resistances.map(|((inertia, placed), rest)| {
            if rest.asleep { Resistance::INFINITE } else { resistance(inertia, &placed.turn) }
        }));
    }

    /// Finds the rows that no contact and no joint can act on in this step.
    fn find_flying(&mut self, rows: usize) {
        self.flies.clear();
        self.flies.resize(rows, true);
        for contact in self.contacts.iter().filter(|contact| contact.count > 0) {
            self.flies[contact.a as usize] = false;
            contact.b.row().into_iter().for_each(|b| self.flies[b as usize] = false);
        }
        for row in self.links.iter().flat_map(Link::rows) {
            self.flies[row] = false;
        }
    }
}

fn state(motion: &Motion) -> State {
    State::new(motion.velocity.as_vec3(), motion.spin.as_vec3())
}

pub(super) fn resistance(inertia: &Inertia, turn: &Mat3) -> Resistance {
    let inverse_mass = (1.0 / inertia.mass) as f32;
    let inverse = (DVec3::ONE / inertia.moments).as_vec3();
    let inverse_inertia = if inertia.is_round() {
        Mat3::from_diagonal(inverse)
    } else {
        *turn * Mat3::from_diagonal(inverse) * turn.transpose()
    };
    Resistance { inverse_mass, inverse_inertia }
}

/// Adds what impulses have changed to the exact motion, from which the state was made by rounding.
#[inline(always)]
fn absorb(state: &State, motion: &mut Motion) {
    let (velocity, spin) = state.motion();
    motion.velocity += (velocity - motion.velocity.as_vec3()).as_dvec3();
    motion.spin += (spin - motion.spin.as_vec3()).as_dvec3();
}

/// The steady motion that takes an obstacle from one place to another.
fn average(from: &Pose, to: &Pose, dt: f64) -> Motion {
    let turn = to.orientation * from.orientation.conjugate();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    Motion { velocity: (to.position - from.position) / dt, spin: turn.to_scaled_axis() / dt }
}
