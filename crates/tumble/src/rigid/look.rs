//! Contacts as other parts of the engine read them: numbers, depths, points and forces.

use glam::{DVec3, Vec3};

use super::contact::{BodyFrame, Contact, ContactGeometry, MAX_DEPTH_SLIP, Partner};
use super::solids::SolidPieces;
use super::solve::bearing_middle;
use super::solver::RigidSolver;
use crate::contact::{BodyContact, ContactPoint, Contacts};
use crate::statics::{TouchPoint, Touching};
use crate::world::{BodyId, End, ObstacleId, Pair, World};

/// One side of a contact.
struct ContactSide {
    end: End,
    frame: BodyFrame,
    /// Bounding radius \[m\].
    radius: f64,
    /// Whether its piece is round there, and so resists rolling.
    is_round: bool,
}

impl RigidSolver {
    /// The two sides of a contact, if both bodies still live.
    fn sides(&self, world: &World, contact: &Contact) -> Option<(BodyId, ContactSide, ContactSide)> {
        let [piece_a, piece_b] = contact.pieces.map(|piece| piece as usize);
        let body = |row: u32, piece: usize, normal: Vec3| {
            let id = self.name(world, row)?;
            let row = world.bodies.row(id)?;
            let shape = world.shape(world.bodies.traits[row].shape).ok()?;
            Some((
                id,
                ContactSide {
                    end: End::Body(id),
                    frame: BodyFrame::of(&world.bodies.pose[row]),
                    radius: world.radius(row),
                    // A clump is all balls.
                    is_round: shape.parts.get(piece).map_or(shape.parts.is_empty(), |part| part.is_round(normal)),
                },
            ))
        };
        let (id, a) = body(contact.a, piece_a, contact.normal_a)?;
        let b = match contact.b.row() {
            Some(row) => body(row, piece_b, contact.normal_b)?.1,
            None => {
                let number = contact.b.number();
                let obstacle = &world.obstacles[number];
                ContactSide {
                    end: End::Obstacle(ObstacleId(number as u32)),
                    frame: BodyFrame::of(&obstacle.pose),
                    radius: f64::INFINITY,
                    is_round: obstacle.parts.get(piece_b).is_some_and(|part| part.is_round(contact.normal_b)),
                }
            }
        };
        Some((id, a, b))
    }

    /// Counts and measures all contacts where bodies are now.
    pub(crate) fn look(&self, world: &World) -> Contacts {
        let mut all = Contacts::default();
        for contact in self.contacts.iter().filter(|contact| contact.count > 0) {
            let Some((id, a, b)) = self.sides(world, contact) else { continue };
            all.count += u64::from(pushing(contact));
            let radius = a.radius.min(b.radius);
            let depth = contact.depth(&a.frame, &b.frame, MAX_DEPTH_SLIP * radius as f32);
            if f64::from(depth) / radius > all.deepest {
                let other = if let End::Body(other) = b.end { Some(other) } else { None };
                (all.deepest, all.deepest_between) = (f64::from(depth) / radius, Some((id, other)));
            }
        }
        all
    }

    /// All contacts where bodies are now, with the forces of the last substep of a step of `step`
    /// \[s\].
    pub(crate) fn body_contacts(&self, world: &World, step: f64) -> impl Iterator<Item = BodyContact> {
        let h = step / f64::from(self.settings.substeps);
        self.contacts.iter().filter(|contact| contact.count > 0).filter_map(move |contact| {
            let (body, a, b) = self.sides(world, contact)?;
            let geometry = contact.geometry(&a.frame, &b.frame);
            let normal = geometry.normal.as_dvec3();
            // Where nothing is round, nothing resists rolling: of what is kept across the normal,
            // twists of earlier steps about a normal that has turned, nothing acts.
            let angular = contact.angular_impulse.as_dvec3() / -h;
            let torque = if a.is_round || b.is_round { angular } else { angular.dot(normal) * normal };
            let point = |k: usize| ContactPoint {
                position: a.frame.centre + geometry.anchors[k][0].as_dvec3(),
                separation: f64::from(geometry.separations[k]),
                normal_force: f64::from(contact.points[k].normal_impulse) / h,
            };
            Some(BodyContact {
                body,
                to: b.end,
                normal,
                points: (0..contact.count as usize).map(point).collect(),
                friction: contact.friction_impulse.as_dvec3() / -h,
                torque,
            })
        })
    }

    /// Fills in all points where bodies touch, with the forces of the last substep of a step of
    /// `step` \[s\]. The solver has friction in the middle of a contact and a torque about its
    /// normal; here each point gets its part of both.
    pub(crate) fn fill_touching(&self, world: &World, step: f64, touching: &mut Touching) {
        let h = step / f64::from(self.settings.substeps);
        // A state that was loaded has no pieces before its first step.
        let mut fresh = SolidPieces::default();
        if self.is_new {
            fresh.follow(world, true);
        }
        for contact in self.contacts.iter().filter(|contact| contact.count > 0) {
            let Some((id, a, b)) = self.sides(world, contact) else { continue };
            let Some(body) = touching.index(id) else { continue };
            let (to, obstacle) = match b.end {
                End::Body(other) => (touching.index(other), 0),
                End::Obstacle(obstacle) => (None, obstacle.0),
                End::World => (None, 0),
            };
            let pair = self.pair(world, contact);
            let radii = if self.is_new {
                in_world_rows(world, contact, id, b.end).map_or([0.0; 2], |contact| fresh.round_radii(&contact))
            } else {
                self.solids.round_radii(contact)
            };
            let [ra, rb] = radii.map(f64::from);
            let round = if ra > 0.0 && rb > 0.0 { ra * rb / (ra + rb) } else { ra.max(rb) };
            let geometry = contact.geometry(&a.frame, &b.frame);
            let normal = -geometry.normal.as_dvec3();
            let points = &contact.points[..contact.count as usize];
            let pushes = points.iter().map(|point| f64::from(point.normal_impulse) / h);
            let spread = Spread::new(contact, &geometry, pushes.clone(), h);
            for ((k, point), push) in points.iter().enumerate().zip(pushes) {
                let arm = geometry.anchors[k][0].as_dvec3();
                touching.add_near(TouchPoint {
                    body,
                    to,
                    order: [obstacle, contact.pieces[0], contact.pieces[1], point.feature],
                    point: a.frame.centre + arm,
                    normal,
                    friction: pair.friction,
                    rolling: pair.rolling_friction * round,
                    gap: f64::from(geometry.separations[k]),
                    force: push * normal + spread.friction(arm, push),
                });
            }
        }
    }

    /// Friction and rolling resistance between the two sides of a contact.
    fn pair(&self, world: &World, contact: &Contact) -> Pair {
        let material = |row: u32| {
            let row = self.name(world, row).and_then(|id| world.bodies.row(id))?;
            Some(world.bodies.traits[row].material)
        };
        let other = match contact.b.row() {
            Some(row) => material(row),
            None => Some(world.obstacles[contact.b.number()].material),
        };
        let smooth = Pair { restitution: 0.0, friction: 0.0, rolling_friction: 0.0 };
        material(contact.a).zip(other).map_or(smooth, |(a, b)| world.materials.between(a, b))
    }

    /// Bodies that a contact pushes on, some several times; of sleepers, only those near something
    /// that moves.
    pub(crate) fn touched(&self, world: &World) -> impl Iterator<Item = BodyId> {
        let blocks = self.contacts.blocks.iter().filter(|block| !block.is_untouched);
        let contacts = blocks.flat_map(|block| &block.contacts).filter(|contact| pushing(contact) > 0);
        contacts.flat_map(move |contact| {
            let rows = [Some(contact.a), contact.b.row()].into_iter().flatten();
            rows.filter_map(move |row| self.name(world, row))
        })
    }

    /// Pairs of a body and what bears it, none for obstacles, in any order. A pair bears if all its
    /// contacts together push and rub a body up with more than the part `least` of its weight. A
    /// body that is squeezed is borne too, by small parts of large forces.
    pub(crate) fn bearings(&self, world: &World, step: f64, least: f64) -> Vec<(BodyId, Option<BodyId>)> {
        let h = step / f64::from(self.settings.substeps);
        let up = -world.gravity.normalize_or_zero();
        let mut rises: Vec<(BodyId, Option<BodyId>, f64)> = Vec::new();
        for contact in self.contacts.iter().filter(|contact| pushing(contact) > 0) {
            let Some((body, a, b)) = self.sides(world, contact) else { continue };
            let normal = contact.geometry(&a.frame, &b.frame).normal;
            let push: f32 = contact.points[..contact.count as usize].iter().map(|point| point.normal_impulse).sum();
            let rise = -(push * normal + contact.friction_impulse).as_dvec3().dot(up) / h;
            let other = if let End::Body(other) = b.end { Some(other) } else { None };
            rises.push((body, other, rise));
            rises.extend(other.map(|other| (other, Some(body), -rise)));
        }
        rises.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
        let weight = |id: BodyId| {
            let mass = world.bodies.row(id).map_or(0.0, |row| world.bodies.inertia[row].mass);
            mass * world.gravity.length()
        };
        let pairs = rises.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
        let bears = |pair: &&[(BodyId, Option<BodyId>, f64)]| {
            pair.iter().map(|(.., rise)| rise).sum::<f64>() > least * weight(pair[0].0)
        };
        pairs.filter(bears).map(|pair| (pair[0].0, pair[0].1)).collect()
    }

    /// Number of pushing points of each contact of a body; a body comes once for each contact.
    pub(crate) fn contacts_of_bodies(&self, world: &World) -> impl Iterator<Item = (BodyId, u32)> {
        self.contacts.iter().flat_map(move |contact| {
            let rows = [Some(contact.a), contact.b.row()].into_iter().flatten();
            rows.filter_map(move |row| Some((self.name(world, row)?, pushing(contact))))
        })
    }
}

/// A contact with the rows that its bodies have in the world now.
fn in_world_rows(world: &World, contact: &Contact, a: BodyId, b: End) -> Option<Contact> {
    let row = |id: BodyId| world.bodies.row(id).map(|row| row as u32);
    let other = if let End::Body(id) = b { Partner::body(row(id)?) } else { contact.b };
    Some(Contact { a: row(a)?, b: other, ..*contact })
}

/// Friction of a contact on A, spread over its points in proportion to their normal forces.
struct Spread {
    /// Centre of the normal forces, from the centre of A \[m\].
    middle: DVec3,
    /// Friction over the normal force.
    along: DVec3,
    /// Torque about the normal over the normal forces and their squared distances \[1/m\].
    about: DVec3,
}

impl Spread {
    fn new(contact: &Contact, geometry: &ContactGeometry, pushes: impl Iterator<Item = f64> + Clone, h: f64) -> Self {
        let arms = geometry.anchors.iter().map(|anchor| anchor[0].as_dvec3()).zip(pushes);
        let total: f64 = arms.clone().map(|(_, push)| push).sum();
        if total <= 0.0 {
            return Self { middle: DVec3::ZERO, along: DVec3::ZERO, about: DVec3::ZERO };
        }
        let middle = arms.clone().map(|(arm, push)| push * arm).sum::<DVec3>() / total;
        let spread: f64 = arms.map(|(arm, push)| push * (arm - middle).length_squared()).sum();
        let normal = geometry.normal.as_dvec3();
        // The solver has its friction in the middle of the bearing points, however hard they push.
        let [friction, twist] = [contact.friction_impulse, contact.angular_impulse].map(|sum| sum.as_dvec3() / -h);
        let off = bearing_middle(geometry, contact.count as usize).0.as_dvec3() - middle;
        let torque = (twist + off.cross(friction)).dot(normal);
        let about = if spread > 0.0 { torque / spread * normal } else { DVec3::ZERO };
        Self { middle, along: friction / total, about }
    }

    /// Friction at a point with this normal force \[N\].
    fn friction(&self, arm: DVec3, push: f64) -> DVec3 {
        push * (self.along + self.about.cross(arm - self.middle))
    }
}

/// Number of points that push.
fn pushing(contact: &Contact) -> u32 {
    contact.points[..contact.count as usize].iter().filter(|point| point.normal_impulse > 0.0).count() as u32
}
