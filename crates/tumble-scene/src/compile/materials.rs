//! Materials and the table of their pairs.

use tumble::world::{Material, Materials, Pair};

use super::material_of;
use crate::spec::{MaterialSpec, PairSpec};

/// Makes the table of materials; fills in what pairs derive from both.
pub(super) fn compile(specs: &[(String, MaterialSpec)], pairs: &mut [PairSpec]) -> Materials {
    let mut materials = Materials::new(specs.iter().map(|(name, spec)| material(name, spec)).collect());
    for pair in pairs {
        let [a, b] = [0, 1].map(|at| material_of(specs, pair.between.get(at)));
        let Ok(derived) = materials.pair(a, b) else { continue };
        let both = Pair {
            restitution: *pair.restitution.get_or_insert(derived.restitution),
            friction: *pair.friction.get_or_insert(derived.friction),
            rolling_friction: *pair.rolling_friction.get_or_insert(derived.rolling_friction),
        };
        let known = materials.set_pair(a, b, both);
        debug_assert!(known.is_ok(), "both materials are in the table");
    }
    materials
}

fn material(name: &str, spec: &MaterialSpec) -> Material {
    let hard = |value: f64| if spec.rigid { f64::INFINITY } else { value };
    Material {
        name: name.to_owned(),
        density: spec.density,
        youngs_modulus: hard(spec.youngs_modulus),
        poisson_ratio: spec.poisson_ratio,
        stiffness: hard(spec.stiffness),
        restitution: spec.restitution,
        friction: spec.friction,
        rolling_friction: spec.rolling_friction,
        k_r: hard(spec.k_r),
        k_d: spec.k_d,
    }
}
