//! Inverse masses and inverse inertia tensors of bodies, as impulses meet them.

use glam::{DVec3, Mat3};

use crate::world::Inertia;

/// Inverse mass and inverse inertia of a body, in world axes.
#[derive(Clone, Copy, Debug)]
pub(in crate::rigid) struct InverseMass {
    /// 1/m \[1/kg\].
    pub(in crate::rigid) mass: f32,
    /// I⁻¹ \[1/(kg·m²)\].
    pub(in crate::rigid) inertia: Mat3,
}

impl InverseMass {
    /// That of obstacles and sleepers, which no impulse moves.
    pub(in crate::rigid) const ZERO: Self = Self { mass: 0.0, inertia: Mat3::ZERO };

    /// That of a body with this rotation.
    pub(in crate::rigid) fn of(inertia: &Inertia, rotation: &Mat3) -> Self {
        let principal = (DVec3::ONE / inertia.moments).as_vec3();
        let inverse = if inertia.is_round() {
            Mat3::from_diagonal(principal)
        } else {
            *rotation * Mat3::from_diagonal(principal) * rotation.transpose()
        };
        Self { mass: (1.0 / inertia.mass) as f32, inertia: inverse }
    }
}
