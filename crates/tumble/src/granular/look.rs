//! Contacts as others read them: how many, how deep, on whom, how hard.
//!
//! Reads the present list and what its contacts remember; changes nothing.

use super::GranularSolver;
use super::law::{Coefficients, ContactForce, ContactHistory, ContactState, Rolling, touch};
use super::walls::look_at_walls;
use crate::contact::{BodyContact, ContactPoint, Contacts, SurfaceId, Wall};
use crate::lanes::{LANES, Numbers, Vectors, vector};
use crate::statics::{TouchPoint, Touching};
use crate::world::{BodyId, End, MaterialId, Obstacle, ObstacleId, World};

use glam::DVec3;

/// The other side of a contact of a sphere.
#[derive(Clone, Copy)]
enum Met {
    Sphere(usize),
    Wall(Wall),
}

/// A contact that pushes.
struct Seen {
    sphere: usize,
    met: Met,
    /// Overlap over the smaller radius \[-\].
    depth: f64,
    /// Its history, as seen by the sphere.
    stretch: DVec3,
    roll: DVec3,
}

impl GranularSolver {
    /// Looks at all contacts of the present list.
    pub(crate) fn look(&self, obstacles: &[Obstacle]) -> Contacts {
        let mut all = Contacts::default();
        // Names are the list's: rows may have gone since it was built.
        let name = |sphere: usize| self.neighbours.body_of(sphere);
        self.visit_contacts(obstacles, |seen| {
            all.count += 1;
            if seen.depth > all.deepest {
                all.deepest = seen.depth;
                let (a, b) = (name(seen.sphere), seen.other().and_then(name));
                all.deepest_between = a.map(|a| (a, b)).or(b.map(|b| (b, None)));
            }
        });
        all
    }

    /// How many contacts push on each sphere of the present list, with the name of its body if it
    /// is not an obstacle's.
    pub(crate) fn contacts_of_bodies(&self, obstacles: &[Obstacle]) -> impl Iterator<Item = (BodyId, u32)> {
        let mut counts = vec![0; self.spheres.len()];
        self.visit_contacts(obstacles, |seen| {
            counts[seen.sphere] += 1;
            if let Some(other) = seen.other() {
                counts[other] += 1;
            }
        });
        let touched = counts.into_iter().enumerate().filter(|(_, count)| *count > 0);
        touched.filter_map(|(sphere, count)| Some((self.neighbours.body_of(sphere)?, count)))
    }

    /// Pairs of a body and what pushes it up, none for obstacles; a pair may come several times. A
    /// contact bears if more than `steepest` of its normal points up.
    pub(crate) fn bearings(&self, world: &World, steepest: f64) -> Vec<(BodyId, Option<BodyId>)> {
        let up = -world.gravity.normalize_or_zero();
        let mut bearings = Vec::new();
        let name = |sphere: usize| self.neighbours.body_of(sphere);
        self.visit_contacts(&world.obstacles, |seen| {
            let from = self.spheres.place[seen.sphere].center();
            let Some(body) = name(seen.sphere) else { return };
            match &seen.met {
                Met::Sphere(other) => {
                    let rise = (from - self.spheres.place[*other].center()).normalize_or_zero().dot(up);
                    match name(*other) {
                        Some(below) if rise > steepest => bearings.push((body, Some(below))),
                        Some(above) if rise < -steepest => bearings.push((above, Some(body))),
                        None if rise > steepest => bearings.push((body, None)),
                        _ => {}
                    }
                }
                Met::Wall(wall) if wall.normal.dot(up) > steepest => bearings.push((body, None)),
                Met::Wall(_) => {}
            }
        });
        bearings
    }

    /// All contacts that push, with the forces that the law gives them where bodies are now.
    pub(crate) fn contacts(&self, world: &World) -> Vec<BodyContact> {
        let mut contacts = Vec::new();
        self.visit_contacts(&world.obstacles, |seen| {
            contacts.extend(self.loaded(world, &seen).map(LoadedContact::into_body_contact));
        });
        contacts
    }

    /// Fills in all points where bodies touch, with the same forces.
    pub(crate) fn fill_touching(&self, world: &World, touching: &mut Touching) {
        self.visit_contacts(&world.obstacles, |seen| {
            let Some(contact) = self.loaded(world, &seen) else { return };
            let Some(body) = touching.index(contact.body) else { return };
            let (to, obstacle) = match contact.to {
                End::Body(other) => (touching.index(other), 0),
                End::Obstacle(obstacle) => (None, obstacle.0),
                End::World => (None, 0),
            };
            let pair = world.materials.between(contact.materials[0], contact.materials[1]);
            let rolls = self.law.rolling != Rolling::Free;
            touching.add_near(TouchPoint {
                body,
                to,
                // Spheres of two bodies are told apart by where they touch.
                order: [obstacle, 0, 0, 0],
                point: contact.point.position,
                normal: -contact.normal,
                friction: pair.friction,
                rolling: if rolls { pair.rolling_friction * contact.radius } else { 0.0 },
                gap: contact.point.separation,
                force: contact.friction - contact.point.normal_force * contact.normal,
            });
        });
    }

    /// A contact with its forces.
    fn loaded(&self, world: &World, seen: &Seen) -> Option<LoadedContact> {
        match &seen.met {
            Met::Sphere(other) => self.between_spheres(world, seen, *other),
            Met::Wall(wall) => self.on_wall(world, seen, wall),
        }
    }

    /// Shows every contact that pushes.
    fn visit_contacts(&self, obstacles: &[Obstacle], mut see: impl FnMut(Seen)) {
        let place = &self.spheres.place;
        let overlap = |a: usize, b: usize| {
            let (a, b) = (&place[a], &place[b]);
            let overlap = a.radius() + b.radius() - (a.center() - b.center()).length();
            overlap / a.radius().min(b.radius())
        };
        // Those of which no side is awake are not in the list.
        for kept in self.neighbours.sleepers.contacts(&self.spheres) {
            let sphere = kept.spheres[0] as usize;
            let of_obstacle = self.spheres.of_obstacles().start + kept.what.b.sphere as usize;
            let other = if kept.what.b.is_of_obstacle() { of_obstacle } else { kept.spheres[1] as usize };
            if other < place.len() && overlap(sphere, other) > 0.0 {
                let (depth, stretch, roll) = (overlap(sphere, other), kept.what.stretch, kept.what.roll);
                see(Seen { sphere, met: Met::Sphere(other), depth, stretch, roll });
            }
        }
        for kept in self.neighbours.sleepers.walls(&self.spheres) {
            let (sphere, mut wall) = (kept.spheres[0] as usize, [Wall::new(0, kept.what.obstacle, kept.what.triangle)]);
            look_at_walls(&place[sphere], obstacles, &mut wall);
            if wall[0].touching {
                let depth = (place[sphere].radius() - wall[0].distance) / place[sphere].radius();
                let (stretch, roll) = (kept.what.stretch, kept.what.roll);
                see(Seen { sphere, met: Met::Wall(wall[0]), depth, stretch, roll });
            }
        }
        let mut near = Vec::new();
        for block in &self.neighbours.blocks {
            for (k, sphere) in block.spheres.clone().enumerate() {
                let a = &self.spheres.place[sphere];
                for p in block.pairs_of(k) {
                    let other = block.pairs[p].partner as usize;
                    if overlap(sphere, other) > 0.0 {
                        let depth = overlap(sphere, other);
                        let stretch = vector(block.stretch[p]);
                        let roll = block.roll.get(p).map_or(DVec3::ZERO, |&roll| vector(roll));
                        see(Seen { sphere, met: Met::Sphere(other), depth, stretch, roll });
                    }
                }
                near.clear();
                near.extend_from_slice(&block.walls[block.walls_of(k)]);
                look_at_walls(a, obstacles, &mut near);
                for &wall in near.iter().filter(|wall| wall.touching) {
                    let depth = (a.radius() - wall.distance) / a.radius();
                    see(Seen { sphere, met: Met::Wall(wall), depth, stretch: wall.stretch, roll: wall.roll });
                }
            }
        }
    }

    fn between_spheres(&self, world: &World, seen: &Seen, other: usize) -> Option<LoadedContact> {
        let (a, b) = (&self.spheres.place[seen.sphere], &self.spheres.place[other]);
        let (moving_a, moving_b) = (&self.spheres.moving[seen.sphere], &self.spheres.moving[other]);
        let reach = a.radius() + b.radius();
        let apart = b.center() - a.center();
        let distance = apart.length().max(f64::MIN_POSITIVE);
        let (normal, lever) = (apart / distance, distance / reach);
        let rolling = a.radius() * moving_a.spin() + b.radius() * moving_b.spin();
        let met = How {
            normal,
            overlap: reach - distance,
            velocity: moving_a.velocity() - moving_b.velocity() + lever * rolling.cross(normal),
            spins: [moving_a.spin(), moving_b.spin()],
            radius: a.radius() * b.radius() / reach,
            mass: 1.0 / (self.inverse_mass(world, seen.sphere) + self.inverse_mass(world, other)),
        };
        let surfaces = [seen.sphere, other].map(|sphere| self.spheres.owner[sphere].surface);
        let (push, shear, rolling) = self.answer(&met, surfaces, seen);
        let position = a.center() + (a.radius() - 0.5 * met.overlap) * normal;
        let contact = |body: BodyId, to: End, sign: f64| LoadedContact {
            body,
            to,
            normal: sign * normal,
            point: ContactPoint { position, separation: -met.overlap, normal_force: push },
            friction: sign * shear,
            torque: sign * rolling,
            radius: met.radius,
            materials: surfaces.map(|surface| surface.material(world)),
        };
        match (self.neighbours.body_of(seen.sphere), self.neighbours.body_of(other)) {
            (Some(a), Some(b)) => Some(contact(a, End::Body(b), 1.0)),
            (Some(a), None) => Some(contact(a, End::Obstacle(self.obstacle_of(world, other)?), 1.0)),
            (None, Some(b)) => Some(contact(b, End::Obstacle(self.obstacle_of(world, seen.sphere)?), -1.0)),
            (None, None) => None,
        }
    }

    fn on_wall(&self, world: &World, seen: &Seen, wall: &Wall) -> Option<LoadedContact> {
        let (place, moving) = (&self.spheres.place[seen.sphere], &self.spheres.moving[seen.sphere]);
        let obstacle = world.obstacles.get(wall.obstacle as usize)?;
        let arm = -place.radius() * wall.normal;
        let surface = obstacle.velocity_at(place.center() + arm);
        let met = How {
            normal: -wall.normal,
            overlap: place.radius() - wall.distance,
            velocity: moving.velocity() + moving.spin().cross(arm) - surface,
            spins: [moving.spin(), obstacle.motion.spin],
            radius: place.radius(),
            mass: 1.0 / self.inverse_mass(world, seen.sphere),
        };
        let surfaces = [self.spheres.owner[seen.sphere].surface, SurfaceId::of(obstacle.material)];
        let (push, shear, rolling) = self.answer(&met, surfaces, seen);
        let position = place.center() - (place.radius() - 0.5 * met.overlap) * wall.normal;
        Some(LoadedContact {
            body: self.neighbours.body_of(seen.sphere)?,
            to: End::Obstacle(ObstacleId(wall.obstacle)),
            normal: met.normal,
            point: ContactPoint { position, separation: -met.overlap, normal_force: wall.share * push },
            friction: wall.share * shear,
            torque: wall.share * rolling,
            radius: met.radius,
            materials: surfaces.map(|surface| surface.material(world)),
        })
    }

    /// Evaluates the law for one contact without changing its history: normal force, friction on
    /// the first and torque against rolling.
    fn answer(&self, met: &How, surfaces: [SurfaceId; 2], seen: &Seen) -> (f64, DVec3, DVec3) {
        let all = |vector: &DVec3| Vectors::new([vector; LANES]);
        let t = ContactState {
            normal: all(&met.normal),
            overlap: Numbers::splat(met.overlap),
            velocity: all(&met.velocity),
            spin_sum: all(&(met.spins[0] + met.spins[1])),
            spin_difference: all(&(met.spins[0] - met.spins[1])),
            radius: Numbers::splat(met.radius),
            mass: Numbers::splat(met.mass),
        };
        let pair = &self.pairs[surfaces[0].index() * self.surfaces + surfaces[1].index()];
        let mut memory = ContactHistory { stretch: all(&seen.stretch), roll: all(&seen.roll) };
        let c = Coefficients::new([pair; LANES]);
        let ContactForce { push, shear, rolling } = touch(&self.law, &t, &c, &mut memory, Numbers::ZERO);
        (push.to_array()[0], shear.lanes()[0], rolling.lanes()[0])
    }

    /// One over the mass of a sphere's body \[1/kg\], whether it is asleep or not; zero for an
    /// obstacle.
    fn inverse_mass(&self, world: &World, sphere: usize) -> f64 {
        let row = self.neighbours.body_of(sphere).and_then(|id| world.bodies.row(id));
        row.map_or(0.0, |row| 1.0 / world.bodies.inertia[row].mass)
    }

    /// The obstacle that a sphere covers.
    fn obstacle_of(&self, world: &World, sphere: usize) -> Option<ObstacleId> {
        let mut left = sphere.checked_sub(self.spheres.of_obstacles().start)?;
        for (number, obstacle) in world.obstacles.iter().enumerate() {
            match left.checked_sub(obstacle.cover.len()) {
                Some(less) => left = less,
                None => return Some(ObstacleId(number as u32)),
            }
        }
        None
    }
}

impl Seen {
    /// The other sphere, if it is not the surface of an obstacle.
    fn other(&self) -> Option<usize> {
        match self.met {
            Met::Sphere(other) => Some(other),
            Met::Wall(_) => None,
        }
    }
}

/// A contact of a body with its forces, as in [`BodyContact`].
struct LoadedContact {
    body: BodyId,
    to: End,
    normal: DVec3,
    point: ContactPoint,
    friction: DVec3,
    torque: DVec3,
    /// Effective radius \[m\].
    radius: f64,
    materials: [MaterialId; 2],
}

impl LoadedContact {
    fn into_body_contact(self) -> BodyContact {
        let Self { body, to, normal, point, friction, torque, .. } = self;
        BodyContact { body, to, normal, points: vec![point], friction, torque }
    }
}

/// How two things touch, as in [`ContactState`].
struct How {
    normal: DVec3,
    overlap: f64,
    velocity: DVec3,
    spins: [DVec3; 2],
    radius: f64,
    mass: f64,
}
