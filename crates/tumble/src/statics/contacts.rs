//! Contacts of all bodies as statics reads them: flat, sorted by ids, in buffers that are reused.
//!
//! Filled by `rigid/look.rs` or `granular/look.rs`, or by a caller who has bodies and contacts of
//! another origin. Every point of a contact stands here once, seen from the body with the smaller
//! index; of both bodies [`Touching::sides`] lists it. The order is that of ids, pieces and
//! features, so it does not depend on the rows of the solver.

use std::cmp::Ordering;

use glam::DVec3;

use crate::world::{BodyId, Wrench};

/// Distance up to which a point counts as touching, over the smaller radius: solvers list points
/// that are farther apart, and those carry nothing.
const TOUCHES: f64 = 0.002;

/// A body as statics sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StaticBody {
    /// Its name.
    pub id: BodyId,
    /// Centre of mass \[m\].
    pub centre: DVec3,
    /// Mass \[kg\].
    pub mass: f64,
    /// Radius of the sphere about its centre that holds it \[m\]: the lever by which torques are
    /// compared with forces.
    pub radius: f64,
    /// Force and torque about its centre that act on it besides its weight and its contacts.
    pub load: Wrench,
    /// Whether it bears whatever lies on it: nothing is asked of it.
    pub is_fixed: bool,
}

/// A point where a body touches another, or something that stands still.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TouchPoint {
    /// Index of the body in [`Touching::bodies`].
    pub body: u32,
    /// Index of the other body; none if the other side stands still.
    pub to: Option<u32>,
    /// Order among the points of two bodies: obstacle, pieces, feature.
    pub order: [u32; 4],
    /// Where it is \[m\].
    pub point: DVec3,
    /// Contact normal, of length one, **into** the body.
    pub normal: DVec3,
    /// Coefficient of friction \[-\].
    pub friction: f64,
    /// Largest torque of rolling resistance over the normal force \[m\].
    pub rolling: f64,
    /// Distance of the surfaces; negative where they overlap \[m\].
    pub gap: f64,
    /// Force on the body by the solver \[N\].
    pub force: DVec3,
}

/// A point of contact as one of its two bodies sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TouchSide {
    /// Index of the point in [`Touching::points`].
    pub point: u32,
    /// 1 for the body of the point, -1 for the other one: the sign of normal and force.
    pub sign: f64,
}

/// Bodies and the points where they touch: what statics is asked about.
#[derive(Clone, Debug, Default)]
pub struct Touching {
    gravity: DVec3,
    bodies: Vec<StaticBody>,
    points: Vec<TouchPoint>,
    /// Points in the order in which they were found.
    found: Vec<TouchPoint>,
    sides: Vec<TouchSide>,
    /// Index of the first side of each body, and the number of all.
    starts: Vec<u32>,
    /// Index of the body in each slot of ids.
    slots: Vec<u32>,
    next: Vec<u32>,
}

/// Marks a slot of ids without a body.
const EMPTY: u32 = u32::MAX;

impl Touching {
    /// Forgets all bodies and points.
    pub fn begin(&mut self, gravity: DVec3) {
        self.gravity = gravity;
        for list in [&mut self.slots, &mut self.starts, &mut self.next] {
            list.clear();
        }
        self.bodies.clear();
        self.found.clear();
        self.points.clear();
        self.sides.clear();
    }

    /// Adds a body; bodies come in the order of their ids.
    pub fn add_body(&mut self, body: StaticBody) {
        debug_assert!(self.bodies.last().is_none_or(|last| last.id < body.id), "bodies come by their ids");
        let slot = body.id.index as usize;
        if self.slots.len() <= slot {
            self.slots.resize(slot + 1, EMPTY);
        }
        self.slots[slot] = self.bodies.len() as u32;
        self.bodies.push(body);
    }

    /// Index of a body among [`Touching::bodies`].
    pub fn index(&self, id: BodyId) -> Option<u32> {
        let index = self.slots.get(id.index as usize).copied().filter(|&index| index != EMPTY)?;
        (self.bodies[index as usize].id == id).then_some(index)
    }

    /// Adds a point of contact whatever its gap; bodies must be there already. One that has no
    /// normal, is not finite or belongs to no body is left out.
    pub fn add_point(&mut self, point: TouchPoint) {
        let count = self.bodies.len() as u32;
        let numbers = [point.friction, point.rolling, point.gap, point.force.length_squared()];
        let is_known = point.body < count && point.to.is_none_or(|to| to < count && to != point.body);
        let is_finite = point.point.is_finite() && numbers.iter().all(|number| number.is_finite());
        let length = point.normal.length_squared();
        if is_known && is_finite && (length - 1.0).abs() < 1e-3 {
            let point = TouchPoint { normal: point.normal / length.sqrt(), ..point };
            self.found.push(if point.to.is_some_and(|to| to < point.body) { point.swapped() } else { point });
        }
    }

    /// Adds a point of contact if it touches: its gap is small or its solver pushes there.
    pub(crate) fn add_near(&mut self, point: TouchPoint) {
        let radius = |index: u32| self.bodies[index as usize].radius;
        let smaller = point.to.map_or(f64::INFINITY, radius).min(radius(point.body));
        if point.gap <= TOUCHES * smaller || point.force != DVec3::ZERO {
            self.add_point(point);
        }
    }

    /// Sorts what was added; without this call no point is seen.
    pub fn finish(&mut self) {
        let count = self.bodies.len();
        // By bodies in one pass, then the few points of each.
        self.next.resize(count + 1, 0);
        self.found.iter().for_each(|point| self.next[point.body as usize + 1] += 1);
        (0..count).for_each(|body| self.next[body + 1] += self.next[body]);
        self.points.extend_from_slice(&self.found);
        for point in &self.found {
            let next = &mut self.next[point.body as usize];
            self.points[*next as usize] = *point;
            *next += 1;
        }
        let key = |point: &TouchPoint| (point.body, point.to.unwrap_or(EMPTY), point.order);
        for points in self.points.chunk_by_mut(|a, b| a.body == b.body) {
            points.sort_unstable_by(|a, b| key(a).cmp(&key(b)).then_with(|| by_place(a, b)));
        }
        self.list_sides();
    }

    /// Lists the points of each body, in their order.
    fn list_sides(&mut self) {
        let count = self.bodies.len();
        self.starts.resize(count + 1, 0);
        let ends = |point: &TouchPoint| [Some(point.body), point.to].into_iter().flatten();
        for body in self.points.iter().flat_map(ends) {
            self.starts[body as usize + 1] += 1;
        }
        (0..count).for_each(|body| self.starts[body + 1] += self.starts[body]);
        self.next.clear();
        self.next.extend_from_slice(&self.starts);
        self.sides.resize(self.starts[count] as usize, TouchSide { point: 0, sign: 0.0 });
        for (number, point) in self.points.iter().enumerate() {
            for (body, sign) in ends(point).zip([1.0, -1.0]) {
                let next = &mut self.next[body as usize];
                self.sides[*next as usize] = TouchSide { point: number as u32, sign };
                *next += 1;
            }
        }
    }

    /// Gravity \[m/s²\].
    pub fn gravity(&self) -> DVec3 {
        self.gravity
    }

    /// All bodies, in the order of their ids.
    pub fn bodies(&self) -> &[StaticBody] {
        &self.bodies
    }

    /// The same, for callers that fix bodies or load them.
    pub fn bodies_mut(&mut self) -> &mut [StaticBody] {
        &mut self.bodies
    }

    /// All points, in the order of bodies, partners (bodies first, then obstacles), pieces and
    /// features.
    pub fn points(&self) -> &[TouchPoint] {
        &self.points
    }

    /// Length of (force over weight, torque over weight and radius) that the forces of the solver
    /// leave on a body: near zero, the solver itself bears it. Torques of rolling resistance are
    /// not in these forces.
    pub fn missing_in_run(&self, body: usize) -> f64 {
        let StaticBody { centre, mass, radius, load, .. } = self.bodies[body];
        let weight = mass * self.gravity.length();
        let mut sum = Wrench { force: load.force + mass * self.gravity, torque: load.torque };
        for side in self.sides(body) {
            let point = &self.points[side.point as usize];
            sum.force += side.sign * point.force;
            sum.torque += (point.point - centre).cross(side.sign * point.force);
        }
        (sum.force.length_squared() + (sum.torque / radius.max(f64::MIN_POSITIVE)).length_squared()).sqrt()
            / weight.max(f64::MIN_POSITIVE)
    }

    /// The points of a body, in the order of [`Touching::points`].
    pub fn sides(&self, body: usize) -> &[TouchSide] {
        match self.starts.get(body..body + 2) {
            Some(range) => &self.sides[range[0] as usize..range[1] as usize],
            None => &[],
        }
    }
}

impl StaticBody {
    /// The force by which what is missing on it is measured: its weight, or its load if that is
    /// larger \[N\].
    pub(super) fn burden(&self, gravity: f64) -> f64 {
        f64::max(self.mass * gravity, self.load.force.length())
    }
}

impl TouchPoint {
    /// The same point seen from the other body.
    fn swapped(self) -> Self {
        let [obstacle, a, b, feature] = self.order;
        match self.to {
            Some(to) => Self {
                body: to,
                to: Some(self.body),
                order: [obstacle, b, a, feature],
                normal: -self.normal,
                force: -self.force,
                ..self
            },
            None => self,
        }
    }
}

/// The order of points with the same name, as those of another origin may have.
fn by_place(a: &TouchPoint, b: &TouchPoint) -> Ordering {
    let numbers = |point: &TouchPoint| [point.point.to_array(), point.normal.to_array()];
    let pairs = numbers(a).into_iter().flatten().zip(numbers(b).into_iter().flatten());
    pairs.map(|(a, b)| a.total_cmp(&b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}
