//! Contacts as other parts of the engine read them: numbers, depths, points and forces.

use glam::Vec3;

use super::contact::{BodyFrame, Contact, MAX_DEPTH_SLIP};
use super::solver::RigidSolver;
use crate::contact::{BodyContact, ContactPoint, Contacts};
use crate::world::{BodyId, End, ObstacleId, World};

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

    /// Number of pushing points of each contact of a body; a body comes once for each contact.
    pub(crate) fn contacts_of_bodies(&self, world: &World) -> impl Iterator<Item = (BodyId, u32)> {
        self.contacts.iter().flat_map(move |contact| {
            let rows = [Some(contact.a), contact.b.row()].into_iter().flatten();
            rows.filter_map(move |row| Some((self.name(world, row)?, pushing(contact))))
        })
    }
}

/// Number of points that push.
fn pushing(contact: &Contact) -> u32 {
    contact.points[..contact.count as usize].iter().filter(|point| point.normal_impulse > 0.0).count() as u32
}
