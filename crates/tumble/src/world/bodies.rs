//! Bodies as dense rows, grouped by who reads them together.
//!
//! A row is one body; every column has one entry a row. Rows are re-sorted in space by the solver
//! (neighbours in space are neighbours in memory, worth a factor of several in speed), so nothing
//! outside the engine holds a row: use [`BodyId`].

use glam::{DQuat, DVec3, Vec3};

use super::grip::Grip;
use super::ids::{BodyId, Ids, MaterialId, ShapeId};
use super::{Materials, Pose, Shape};

/// How a body moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Velocity of the centre of mass \[m/s\].
    pub velocity: DVec3,
    /// Angular velocity in world axes \[rad/s\].
    pub spin: DVec3,
}

/// Force and torque of contacts on a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrench {
    /// Sum of contact forces \[N\].
    pub force: DVec3,
    /// Sum of contact torques about the centre of mass, in world axes \[N·m\].
    pub torque: DVec3,
}

/// How a body resists.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia {
    /// Mass \[kg\].
    pub mass: f64,
    /// Moments of inertia about the body's own, principal axes \[kg·m²\].
    pub moments: DVec3,
}

impl Inertia {
    /// Whether every axis is alike, so that spin stays what it is without a torque.
    #[inline(always)]
    pub(crate) fn is_round(&self) -> bool {
        self.moments.x == self.moments.y && self.moments.y == self.moments.z
    }

    /// Angular momentum of a spin, both in world axes \[kg·m²/s\].
    pub fn momentum(&self, orientation: DQuat, spin: DVec3) -> DVec3 {
        orientation * (self.moments * (orientation.conjugate() * spin))
    }

    /// Spin of an angular momentum (or change of spin by an angular impulse), both in world axes
    /// \[rad/s\].
    #[inline(always)]
    pub fn spin(&self, orientation: DQuat, momentum: DVec3) -> DVec3 {
        if self.is_round() {
            return momentum / self.moments.x;
        }
        orientation * ((orientation.conjugate() * momentum) / self.moments)
    }
}

/// Traits of a body, which never change during its life.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traits {
    /// Its name.
    pub id: BodyId,
    /// Its shape.
    pub shape: ShapeId,
    /// Its material.
    pub material: MaterialId,
    /// Scale of its shape \[-\].
    pub size: f64,
}

/// Whether a body is at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rest {
    /// Whether it is asleep: it does not move until something wakes it.
    pub asleep: bool,
    /// Whether a director put it to sleep: it then wakes by itself and not with the bodies around
    /// it.
    pub held: bool,
    /// For how long it has hardly moved \[s\].
    pub still: f64,
    /// How far it has moved in that time \[m\].
    pub moved: Vec3,
    /// By how much it has turned in that time \[rad\].
    pub turned: Vec3,
}

impl Rest {
    /// A body that a director holds asleep.
    pub const HELD: Self = Self { asleep: true, held: true, still: 0.0, moved: Vec3::ZERO, turned: Vec3::ZERO };
}

/// A body to be added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewBody {
    /// Its shape.
    pub shape: ShapeId,
    /// Its material.
    pub material: MaterialId,
    /// Scale of its shape \[-\].
    pub size: f64,
    /// Where what its shape was made from is, with its own origin and axes: see [`Shape::placed`].
    pub pose: Pose,
    /// How its centre of mass moves, and how it turns.
    pub motion: Motion,
}

impl NewBody {
    /// A body of size one, unrotated and at rest.
    pub fn new(shape: ShapeId, material: MaterialId, position: DVec3) -> Self {
        let pose = Pose { position, ..Pose::IDENTITY };
        Self { shape, material, size: 1.0, pose, motion: Motion::default() }
    }
}

/// All moving bodies of a world.
#[derive(Clone, Debug, Default)]
pub struct Bodies {
    /// Centre of mass and principal axes; [`World::pose`](super::World::pose) is where the body's
    /// mesh is. Written by the integrator.
    pub pose: Vec<Pose>,
    /// Written by the integrator.
    pub motion: Vec<Motion>,
    /// Written by gather, read by the integrator. Part of the state: the next step begins with a
    /// half kick by it.
    pub wrench: Vec<Wrench>,
    /// Written by directors and by the solvers, who wake and in the rigid one also fall asleep.
    pub rest: Vec<Rest>,
    /// Written by directors, who also remember it.
    pub grip: Vec<Grip>,
    /// Written at birth.
    pub inertia: Vec<Inertia>,
    /// Written at birth.
    pub traits: Vec<Traits>,
    pub(crate) ids: Ids,
}

impl Bodies {
    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.traits.len()
    }

    /// Whether there is no body.
    pub fn is_empty(&self) -> bool {
        self.traits.is_empty()
    }

    /// The row of a living body; valid until the next step.
    pub fn row(&self, id: BodyId) -> Option<usize> {
        self.ids.row(id)
    }

    /// All rows, in the order of their ids.
    pub fn rows_by_id(&self) -> impl Iterator<Item = usize> {
        self.ids.rows()
    }

    /// Adds a body as the last row, at the pose of its centre of mass and its principal axes.
    pub(crate) fn add(&mut self, new: NewBody, shapes: &[Shape], materials: &Materials) -> BodyId {
        let id = self.ids.add(self.len());
        self.push(id, new, shapes, materials);
        id
    }

    /// Appends a row for a body that already has its id.
    pub(crate) fn push(&mut self, id: BodyId, new: NewBody, shapes: &[Shape], materials: &Materials) {
        let NewBody { shape, material, size, pose, motion } = new;
        let form = &shapes[shape.index()];
        let density = materials.list()[material.index()].density;
        self.pose.push(pose);
        self.motion.push(motion);
        self.wrench.push(Wrench::default());
        self.rest.push(Rest::default());
        self.grip.push(Grip::default());
        self.inertia.push(Inertia {
            mass: density * form.volume * size.powi(3),
            moments: density * size.powi(5) * form.moments,
        });
        self.traits.push(Traits { id, shape, material, size });
    }

    /// Removes the rows for which `gone` holds; the others keep their order.
    pub fn remove_rows(&mut self, gone: impl Fn(usize) -> bool) {
        let keep: Vec<u32> = (0..self.len() as u32).filter(|&row| !gone(row as usize)).collect();
        for row in (0..self.len()).filter(|&row| gone(row)) {
            self.ids.remove(self.traits[row].id);
        }
        self.take_rows(&keep);
    }

    /// Makes row `k` what row `order[k]` was.
    pub(crate) fn take_rows(&mut self, order: &[u32]) {
        self.take_rows_from(0, order);
    }

    /// Makes row `first + k` what row `order[k]` was; the rows before `first` stay.
    pub(crate) fn take_rows_from(&mut self, first: usize, order: &[u32]) {
        take(&mut self.pose, first, order);
        take(&mut self.motion, first, order);
        take(&mut self.wrench, first, order);
        take(&mut self.rest, first, order);
        take(&mut self.grip, first, order);
        take(&mut self.inertia, first, order);
        take(&mut self.traits, first, order);
        for (row, traits) in self.traits.iter().enumerate().skip(first) {
            self.ids.moved(traits.id, row);
        }
    }
}

fn take<T: Copy>(column: &mut Vec<T>, first: usize, order: &[u32]) {
    let taken: Vec<T> = order.iter().map(|&row| column[row as usize]).collect();
    if first == 0 {
        *column = taken;
    } else {
        column.truncate(first);
        column.extend_from_slice(&taken);
    }
}
