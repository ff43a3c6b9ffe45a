//! `[material.*]` and `[[pair]]`.

use tumble::world::Material;

use super::look::Colour;
use crate::text::{Fields, Range, Section};

/// A material.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialSpec {
    /// Density \[kg/m³\].
    pub density: f64,
    /// Whether it does not give way at all; for obstacles only.
    pub rigid: bool,
    /// Young's modulus \[Pa\].
    pub youngs_modulus: f64,
    /// Poisson's ratio \[-\].
    pub poisson_ratio: f64,
    /// Stiffness of linear contacts \[N/m\].
    pub stiffness: f64,
    /// Restitution on itself \[-\].
    pub restitution: f64,
    /// Friction on itself \[-\].
    pub friction: f64,
    /// Rolling friction on itself \[-\].
    pub rolling_friction: f64,
    /// Given coefficient of the spring, for `coefficients = "given"`.
    pub k_r: f64,
    /// Given coefficient of the dashpot.
    pub k_d: f64,
    /// Its colour in pictures.
    pub colour: Option<Colour>,
}

/// As the engine has it.
impl Default for MaterialSpec {
    fn default() -> Self {
        let usual = Material::default();
        Self {
            density: usual.density,
            rigid: false,
            youngs_modulus: usual.youngs_modulus,
            poisson_ratio: usual.poisson_ratio,
            stiffness: usual.stiffness,
            restitution: usual.restitution,
            friction: usual.friction,
            rolling_friction: usual.rolling_friction,
            k_r: usual.k_r,
            k_d: usual.k_d,
            colour: None,
        }
    }
}

impl Section for MaterialSpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.within("density", &mut self.density, Range::Within(1e-3, 1e6));
        fields.value("rigid", &mut self.rigid);
        fields.within("youngs_modulus", &mut self.youngs_modulus, Range::Within(1.0, 1e13));
        fields.within("poisson_ratio", &mut self.poisson_ratio, Range::Within(0.0, 0.5));
        fields.within("stiffness", &mut self.stiffness, Range::Within(1e-3, 1e13));
        fields.within("restitution", &mut self.restitution, Range::Within(0.0, 1.0));
        fields.within("friction", &mut self.friction, Range::AtLeast(0.0));
        fields.within("rolling_friction", &mut self.rolling_friction, Range::AtLeast(0.0));
        fields.within("k_r", &mut self.k_r, Range::Within(1e-3, 1e15));
        fields.within("k_d", &mut self.k_d, Range::Within(0.0, 1e15));
        fields.value("colour", &mut self.colour);
    }
}

/// Contact of two materials, where it does not follow from both.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairSpec {
    /// Names of the two materials.
    pub between: Vec<String>,
    /// Restitution \[-\].
    pub restitution: Option<f64>,
    /// Friction \[-\].
    pub friction: Option<f64>,
    /// Rolling friction \[-\].
    pub rolling_friction: Option<f64>,
}

impl Section for PairSpec {
    fn describe(&mut self, fields: &mut Fields<'_>) {
        fields.required("between", &mut self.between, Range::Any);
        fields.within("restitution", &mut self.restitution, Range::Within(0.0, 1.0));
        fields.within("friction", &mut self.friction, Range::AtLeast(0.0));
        fields.within("rolling_friction", &mut self.rolling_friction, Range::AtLeast(0.0));
    }
}
