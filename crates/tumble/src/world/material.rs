//! Materials, and what a pair of them does when it touches.

use super::{MaterialId, WorldProblem};

/// A material.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name in the scene.
    pub name: String,
    /// Density \[kg/m³\].
    pub density: f64,
    /// Young's modulus \[Pa\], for the Hertz law; infinite for a rigid obstacle.
    pub youngs_modulus: f64,
    /// Poisson's ratio \[-\], for the Hertz law.
    pub poisson_ratio: f64,
    /// Stiffness of a contact between two pieces of this material \[N/m\], for the linear law;
    /// infinite for a rigid obstacle.
    pub stiffness: f64,
    /// Coefficient of restitution \[-\].
    pub restitution: f64,
    /// Coefficient of friction \[-\].
    pub friction: f64,
    /// Coefficient of rolling resistance \[-\]: largest torque over force and effective radius.
    pub rolling_friction: f64,
    /// k_r of f = k_r x^b + k_d x^a ẋ \[N/m^b\], for laws whose coefficients are given.
    pub k_r: f64,
    /// k_d of the same law \[N·s/m^(a+1)\].
    pub k_d: f64,
}

impl Default for Material {
    /// Stone, softer than real: see `docs/scene.md`.
    fn default() -> Self {
        Self {
            name: "stone".into(),
            density: 2500.0,
            youngs_modulus: 1e7,
            poisson_ratio: 0.3,
            stiffness: 1e5,
            restitution: 0.5,
            friction: 0.5,
            rolling_friction: 0.01,
            k_r: 1e6,
            k_d: 50.0,
        }
    }
}

/// The part of a contact that does not follow from the elastic constants of two materials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// Coefficient of restitution \[-\].
    pub restitution: f64,
    /// Coefficient of friction \[-\].
    pub friction: f64,
    /// Coefficient of rolling resistance \[-\].
    pub rolling_friction: f64,
}

/// All materials of a world and the dense table of their pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Materials {
    list: Vec<Material>,
    /// Row-major, symmetric.
    pairs: Vec<Pair>,
}

impl Materials {
    /// Derives all pairs: the less bouncy material decides the restitution, friction and rolling
    /// friction are the geometric mean (so that a frictionless material stays frictionless against
    /// everything).
    pub fn new(list: Vec<Material>) -> Self {
        let pairs = list
            .iter()
            .flat_map(|a| {
                list.iter().map(|b| Pair {
                    restitution: a.restitution.min(b.restitution),
                    friction: (a.friction * b.friction).sqrt(),
                    rolling_friction: (a.rolling_friction * b.rolling_friction).sqrt(),
                })
            })
            .collect();
        Self { list, pairs }
    }

    /// Adds a material, and derives its pairs with all others.
    pub fn add(&mut self, material: Material) -> MaterialId {
        let n = self.list.len();
        let mut more = self.list.clone();
        more.push(material);
        let mut all = Self::new(more);
        // Pairs that were overridden stay so.
        for (row, old) in all.pairs.chunks_exact_mut(n + 1).zip(self.pairs.chunks_exact(n.max(1))) {
            row[..n].copy_from_slice(old);
        }
        *self = all;
        MaterialId(n as u32)
    }

    /// Overrides what two materials do to each other.
    pub fn set_pair(&mut self, a: MaterialId, b: MaterialId, pair: Pair) -> Result<(), WorldProblem> {
        self.check(a)?;
        self.check(b)?;
        let n = self.list.len();
        self.pairs[a.index() * n + b.index()] = pair;
        self.pairs[b.index() * n + a.index()] = pair;
        Ok(())
    }

    /// The contact of two materials.
    pub fn pair(&self, a: MaterialId, b: MaterialId) -> Result<Pair, WorldProblem> {
        self.check(a)?;
        self.check(b)?;
        Ok(self.between(a, b))
    }

    /// The same, of materials that are known to be there.
    pub(crate) fn between(&self, a: MaterialId, b: MaterialId) -> Pair {
        self.pairs[a.index() * self.list.len() + b.index()]
    }

    /// Reports a material that is not there.
    pub(crate) fn check(&self, id: MaterialId) -> Result<(), WorldProblem> {
        if id.index() < self.list.len() { Ok(()) } else { Err(WorldProblem::NoMaterial(id)) }
    }

    /// The whole table, row by row.
    pub(crate) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// All materials.
    pub fn list(&self) -> &[Material] {
        &self.list
    }
}
