//! `[[body]]`: bodies with given pose and motion, one by one or in a grid.

use glam::DVec3;

use super::{ANYWHERE, SIZES};
use crate::text::{Fields, Range, Section};

/// More bodies than this in one grid are a slip of the keyboard.
pub(crate) const MOST_IN_A_GRID: i64 = 2_000_000;

/// A body, or a grid of equal bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct BodySpec {
    /// Its name; those of a grid have a number behind it.
    pub name: Option<String>,
    /// Name of its shape; may be left out if there is only one.
    pub shape: Option<String>,
    /// Its size, relative to the shape \[-\].
    pub size: f64,
    /// Where the origin of its shape is \[m\].
    pub position: DVec3,
    /// How it is turned: degrees about x, then y, then z.
    pub rotation: DVec3,
    /// Name of its material; may be left out if there is only one.
    pub material: Option<String>,
    /// Velocity of its centre of mass \[m/s\].
    pub velocity: DVec3,
    /// Spin \[degree/s\].
    pub spin: DVec3,
    /// How many there are along its three axes.
    pub grid: [i64; 3],
    /// From one to the next along these axes \[m\].
    pub spacing: Option<DVec3>,
}

impl Default for BodySpec {
    fn default() -> Self {
        Self {
            name: None,
            shape: None,
            size: 1.0,
            position: DVec3::ZERO,
            rotation: DVec3::ZERO,
            material: None,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            grid: [1; 3],
            spacing: None,
        }
    }
}

impl Section for BodySpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.value("name", &mut self.name);
        fields.value("shape", &mut self.shape);
        fields.within("size", &mut self.size, SIZES);
        fields.within("position", &mut self.position, ANYWHERE);
        fields.within("rotation", &mut self.rotation, ANYWHERE);
        fields.value("material", &mut self.material);
        fields.within("velocity", &mut self.velocity, ANYWHERE);
        fields.within("spin", &mut self.spin, ANYWHERE);
        fields.within("grid", &mut self.grid, Range::Within(1.0, MOST_IN_A_GRID as f64));
        if self.grid != [1; 3] {
            fields.required("spacing", &mut self.spacing, ANYWHERE);
        }
    }
}

impl BodySpec {
    /// How many bodies it stands for.
    pub fn count(&self) -> u64 {
        self.grid.iter().map(|&count| count.max(0).unsigned_abs()).fold(1, u64::saturating_mul)
    }

    /// The names of all its bodies.
    pub fn names(&self) -> Vec<String> {
        let name = self.name.as_deref().unwrap_or_default();
        match self.count() {
            1 => vec![name.to_owned()],
            // A grid that is too large is refused; nobody needs its names.
            count => (1..=count.min(MOST_IN_A_GRID as u64)).map(|number| format!("{name} {number}")).collect(),
        }
    }
}
