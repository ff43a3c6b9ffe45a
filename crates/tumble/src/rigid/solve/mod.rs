//! Contact impulses, eight contacts at a time: soft contacts with substeps (Catto, "Solver2D",
//! 2024; Macklin et al., "Small Steps in Physics Simulation", 2019).
//!
//! **Separation.** A contact point has an anchor rA on body A and rB on body B, measured from the
//! centres of mass, and a normal n from A to B. Both are fixed when the step begins. With d and q
//! the displacement and rotation of a body since then, the current separation is
//!
//!   s = s0 + dot(dB − dA, n) + dot(qB rB − qA rA, n),   s0 = separation − dot(rB − rA, n),
//!
//! where s0 is the base separation. No collision detection is needed within a step.
//!
//! **Impulse.** An impulse p on B and −p on A at the anchor changes the relative velocity u = vB +
//! ωB × rB − vA − ωA × rA by K p, with
//!
//!   K = (1/mA + 1/mB) 1 − \[rA\] IA⁻¹ \[rA\] − \[rB\] IB⁻¹ \[rB\]
//!
//! (Hsu 2013, 2.14, corrected as in H1 and H2). The effective mass along the normal is 1 / nᵀKn,
//! that of friction is the inverse of K for both tangents together. Normal impulses are accumulated
//! and clamped to be positive, friction impulses to the cone. Each is the one that takes most
//! kinetic energy out of the pair, so none adds any.
//!
//! **Soft contact.** An overlap s < 0 is pushed out by a spring of angular frequency ω and damping
//! ratio ζ. Integrated implicitly over a substep h, the spring is the same constraint with a bias
//! velocity, a scaled mass and a leak of the accumulated impulse λ:
//!
//!   Δλ = −mass_scale · m (u_n + bias_rate · s) − impulse_scale · λ,
//!   bias_rate = ω / (2ζ + hω),  mass_scale = hω (2ζ + hω) / (1 + hω (2ζ + hω)),
//!   impulse_scale = 1 / (1 + hω (2ζ + hω)).
//!
//! Separated points s > 0 are speculative: they may approach just far enough to touch, bias s / h.
//!
//! **Substep.** Warm start with the impulses of the substep before ▶ solve with bias ▶ move bodies
//! ▶ relax: solve without bias, so that pushing out leaves no velocity behind, and with friction ▶
//! restitution for contacts that were hit.

mod apart;
mod fill;
mod friction;
mod group;
mod inverse_mass;
mod normal;
mod restitution;
mod rolling;
mod softness;

pub(super) use fill::{LaneImpulses, LaneInput, SurfacePair, bearing_middle};
pub(super) use group::{ContactGroup, STATIC};
pub(super) use inverse_mass::InverseMass;
pub(super) use softness::{Softness, max_push_speed};
