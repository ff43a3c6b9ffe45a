//! One body exactly: the nearest point of its wrench cone to its load.
//!
//! Hsu (2013) asks in section 2.3 whether A_eq f + w = 0 (2.25) has a solution with f_n ≥ 0 (2.27)
//! and |f_t1|, |f_t2| ≤ μ f_n (2.28), per body, by linear programming. Corrected here: normals
//! point into the body and w down, torques are r × f (erratum H5: with w = (0, mg, 0) as printed
//! nothing is ever borne), the cone is round (H6, H13: the printed box goes to √2 μ along its
//! diagonal), and the filter |f_t| < μ_k f_n of equation 6.1, which asks that of one of many
//! solutions (H12), is a search with μ_k. Instead of yes or no the answer is a distance: forces in
//! their cones that minimise |r|², r = -(Σ (f, p × f) + ℓ), all forces over the weight and all
//! torques over weight times radius. r = 0 is equilibrium. Otherwise r is the support that is
//! missing, and -r is, over g, how the body starts to move: at the minimum that motion gains what
//! the load offers and opens every contact at least μ times as fast as it slides there.
//!
//! The method is that of Lawson & Hanson (1974, chapter 23) for non-negative least squares, but the
//! columns are not listed: the element of a cone that does most against r is known in closed form,
//! and of all contacts the best one joins the active columns. There are never more than six.

use glam::DVec3;

use super::cone::{FrictionCone, PointForce};

/// Rows: three of force, three of torque.
const ROWS: usize = 6;

/// Part of a column that must be left after those before it are taken out: with less it says
/// nothing that they do not.
const INDEPENDENT: f64 = 1e-10;

/// When the search ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NearestLimits {
    /// Residual over the load below which a body is balanced.
    pub(super) tolerance: f64,
    /// Sum of all normal forces over the load beyond which nobody looks for a balance.
    pub(super) cap: f64,
    /// Most columns that are tried.
    pub(super) iterations: u32,
}

/// The answer for one body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NearestPoint {
    pub(super) is_balanced: bool,
    /// The support that is missing, force and torque.
    pub(super) residual: [DVec3; 2],
}

/// Contacts of one body as columns, and the search among them. All in units of the body: lengths
/// over its radius, forces over its weight.
#[derive(Clone, Debug, Default)]
pub(super) struct NearestSearch {
    /// Places, normals and coefficients, each number a column so that four contacts are priced at a
    /// time.
    places: [Vec<f64>; 3],
    normals: [Vec<f64>; 3],
    frictions: Vec<f64>,
    rollings: Vec<f64>,
    /// Whether any contact resists rolling.
    rolls: bool,
    gains: Vec<f64>,
    active: ActiveColumns,
}

/// A column that is in use.
#[derive(Clone, Copy, Debug, Default)]
struct ActiveColumn {
    contact: u32,
    what: PointForce,
    /// Force and torque about the centre.
    wrench: [f64; ROWS],
    /// How much of it is used.
    share: f64,
    /// Direction that the columns before it do not have (Gram-Schmidt), and its products with them
    /// and itself.
    direction: [f64; ROWS],
    products: [f64; ROWS],
    /// Product of that direction with what is to be balanced.
    target: f64,
}

/// The active columns and their orthogonal basis.
#[derive(Clone, Debug, Default)]
struct ActiveColumns {
    columns: [ActiveColumn; ROWS],
    count: usize,
}

impl NearestSearch {
    /// Forgets all contacts.
    pub(super) fn clear(&mut self) {
        for column in self.places.iter_mut().chain(&mut self.normals) {
            column.clear();
        }
        self.frictions.clear();
        self.rollings.clear();
        self.rolls = false;
    }

    /// Adds a contact at a place from the centre.
    pub(super) fn push(&mut self, place: DVec3, cone: FrictionCone) {
        for axis in 0..3 {
            self.places[axis].push(place[axis]);
            self.normals[axis].push(cone.normal[axis]);
        }
        self.frictions.push(cone.friction);
        self.rollings.push(cone.rolling);
        self.rolls |= cone.rolling > 0.0;
    }

    /// Number of contacts.
    pub(super) fn len(&self) -> usize {
        self.frictions.len()
    }

    /// Finds the nearest forces to -`load`, cold.
    pub(super) fn solve(&mut self, load: [DVec3; 2], limits: &NearestLimits) -> NearestPoint {
        self.active.count = 0;
        self.solve_again(load, limits)
    }

    /// The same for another load on the same contacts, from the columns of the last one.
    pub(super) fn solve_again(&mut self, load: [DVec3; 2], limits: &NearestLimits) -> NearestPoint {
        let goal = rows(-load[0], -load[1]);
        let size = length(&goal);
        self.active.aim(&goal);
        let mut rest = self.active.rest(&goal);
        let mut is_balanced = length(&rest) <= limits.tolerance * size;
        for _ in 0..limits.iterations {
            if is_balanced {
                break;
            }
            let Some((best, gain)) = self.price(&rest) else { break };
            // Forces with a sum of c do at most c times the largest gain towards the rest.
            if dot(&rest, &goal) > gain.max(0.0) * limits.cap * size {
                break;
            }
            if !self.active.add(self.column(best, &rest), &goal) {
                break;
            }
            rest = self.active.rest(&goal);
            is_balanced = length(&rest) <= limits.tolerance * size;
        }
        NearestPoint { is_balanced, residual: [vector(&rest[..3]), vector(&rest[3..])] }
    }

    /// The contacts that push, each as often as it has an active column, with their forces.
    pub(super) fn forces(&self) -> impl Iterator<Item = (usize, PointForce)> {
        self.active.columns[..self.active.count].iter().map(|column| {
            let PointForce { force, torque } = column.what;
            (column.contact as usize, PointForce { force: column.share * force, torque: column.share * torque })
        })
    }

    /// The contact that gains most against the rest, and how much: the largest support function of
    /// any cone, γ = v·n + μ |v_t| + ρ |w_t|, with v the motion of the contact point by the rest.
    /// Of equal ones the first.
    fn price(&mut self, rest: &[f64; ROWS]) -> Option<(usize, f64)> {
        let count = self.len();
        self.gains.clear();
        self.gains.resize(count, 0.0);
        let [px, py, pz] = self.places.each_ref().map(|column| &column[..count]);
        let [nx, ny, nz] = self.normals.each_ref().map(|column| &column[..count]);
        let (frictions, rollings, gains) =
            (&self.frictions[..count], &self.rollings[..count], &mut self.gains[..count]);
        let [fx, fy, fz, wx, wy, wz] = *rest;
        for k in 0..count {
            let vx = fx + wy * pz[k] - wz * py[k];
            let vy = fy + wz * px[k] - wx * pz[k];
            let vz = fz + wx * py[k] - wy * px[k];
            let vn = vx * nx[k] + vy * ny[k] + vz * nz[k];
            let (tx, ty, tz) = (vx - vn * nx[k], vy - vn * ny[k], vz - vn * nz[k]);
            gains[k] = vn + frictions[k] * (tx * tx + ty * ty + tz * tz).sqrt();
        }
        if self.rolls {
            for k in 0..count {
                let wn = wx * nx[k] + wy * ny[k] + wz * nz[k];
                let (tx, ty, tz) = (wx - wn * nx[k], wy - wn * ny[k], wz - wn * nz[k]);
                gains[k] += rollings[k] * (tx * tx + ty * ty + tz * tz).sqrt();
            }
        }
        let first = gains.first().map(|&gain| (0, gain));
        gains.iter().enumerate().fold(first, |best, (k, &gain)| match best {
            Some((_, most)) if gain > most => Some((k, gain)),
            _ => best,
        })
    }

    /// The column of a contact that does most against the rest.
    fn column(&self, contact: usize, rest: &[f64; ROWS]) -> ActiveColumn {
        let at = |columns: &[Vec<f64>; 3]| DVec3::from_array(columns.each_ref().map(|column| column[contact]));
        let (place, normal) = (at(&self.places), at(&self.normals));
        let cone = FrictionCone { normal, friction: self.frictions[contact], rolling: self.rollings[contact] };
        let (force, torque) = (vector(&rest[..3]), vector(&rest[3..]));
        let what = cone.extreme(force + torque.cross(place), torque);
        let wrench = rows(what.force, place.cross(what.force) + what.torque);
        ActiveColumn { contact: contact as u32, what, wrench, ..ActiveColumn::default() }
    }
}

impl ActiveColumns {
    /// Adds a column and finds the shares of all that come nearest to the goal; columns whose share
    /// would be negative leave. Returns false if that changes nothing: then no column can.
    fn add(&mut self, column: ActiveColumn, goal: &[f64; ROWS]) -> bool {
        if self.count == ROWS {
            // Six columns bear any load; if rounding left some of it, the least of them says least.
            let least = (1..ROWS).fold(0, |least, k| if self.share(k) < self.share(least) { k } else { least });
            self.remove(least, goal);
        }
        self.columns[self.count] = column;
        self.count += 1;
        if !self.orthogonalise(self.count - 1, goal) {
            self.count -= 1;
            return false;
        }
        if self.wanted()[self.count - 1] <= 0.0 {
            self.count -= 1;
            return false;
        }
        self.settle(goal);
        true
    }

    /// Finds the shares for another goal.
    fn aim(&mut self, goal: &[f64; ROWS]) {
        for column in &mut self.columns[..self.count] {
            column.target = dot(&column.direction, goal);
        }
        self.settle(goal);
    }

    /// Moves the shares towards the wanted ones, and takes out every column that loses its share on
    /// the way.
    fn settle(&mut self, goal: &[f64; ROWS]) {
        loop {
            let wanted = self.wanted();
            let mut first: Option<(usize, f64)> = None;
            for (k, &wish) in wanted.iter().enumerate().take(self.count).filter(|(_, wish)| **wish <= 0.0) {
                let share = self.share(k);
                let way = if share > wish { share / (share - wish) } else { 0.0 };
                if first.is_none_or(|(_, least)| way < least) {
                    first = Some((k, way));
                }
            }
            let Some((gone, way)) = first else {
                (0..self.count).for_each(|k| self.columns[k].share = wanted[k]);
                return;
            };
            for (column, &wish) in self.columns[..self.count].iter_mut().zip(&wanted) {
                column.share += way * (wish - column.share);
            }
            self.remove(gone, goal);
        }
    }

    fn share(&self, k: usize) -> f64 {
        self.columns[k].share
    }

    /// Takes a column out, and those that rounding leaves without a direction of their own.
    fn remove(&mut self, gone: usize, goal: &[f64; ROWS]) {
        self.columns.copy_within(gone + 1..self.count, gone);
        self.count -= 1;
        let mut k = gone;
        while k < self.count {
            if self.orthogonalise(k, goal) {
                k += 1;
            } else {
                self.columns.copy_within(k + 1..self.count, k);
                self.count -= 1;
            }
        }
    }

    /// Finds the direction of a column that those before it do not have, by Gram-Schmidt done
    /// twice, which is as good as reflections (Giraud et al. 2005). Returns whether there is one.
    fn orthogonalise(&mut self, k: usize, goal: &[f64; ROWS]) -> bool {
        let (before, from) = self.columns.split_at_mut(k);
        let column = &mut from[0];
        let mut direction = column.wrench;
        let whole = length(&direction);
        column.products = [0.0; ROWS];
        for _ in 0..2 {
            for (other, product) in before.iter().zip(&mut column.products) {
                let share = dot(&other.direction, &direction);
                *product += share;
                (0..ROWS).for_each(|row| direction[row] -= share * other.direction[row]);
            }
        }
        let left = length(&direction);
        if left <= INDEPENDENT * whole {
            return false;
        }
        column.products[k] = left;
        column.direction = direction.map(|number| number / left);
        column.target = dot(&column.direction, goal);
        true
    }

    /// Shares that come nearest to the goal, of either sign.
    fn wanted(&self) -> [f64; ROWS] {
        let mut wanted = [0.0; ROWS];
        for k in (0..self.count).rev() {
            let taken: f64 = (k + 1..self.count).map(|other| self.columns[other].products[k] * wanted[other]).sum();
            wanted[k] = (self.columns[k].target - taken) / self.columns[k].products[k];
        }
        wanted
    }

    /// The part of the goal that no column reaches.
    fn rest(&self, goal: &[f64; ROWS]) -> [f64; ROWS] {
        let mut rest = *goal;
        for _ in 0..2 {
            for column in &self.columns[..self.count] {
                let share = dot(&column.direction, &rest);
                (0..ROWS).for_each(|row| rest[row] -= share * column.direction[row]);
            }
        }
        rest
    }
}

fn rows(force: DVec3, torque: DVec3) -> [f64; ROWS] {
    [force.x, force.y, force.z, torque.x, torque.y, torque.z]
}

fn vector(numbers: &[f64]) -> DVec3 {
    DVec3::new(numbers[0], numbers[1], numbers[2])
}

fn dot(a: &[f64; ROWS], b: &[f64; ROWS]) -> f64 {
    (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]) + (a[4] * b[4] + a[5] * b[5])
}

fn length(a: &[f64; ROWS]) -> f64 {
    dot(a, a).sqrt()
}
