//! Stiction (Yee, Christara & Lait 2009, eq. 7 and algorithm 2): a body that obstacles hold with
//! enough friction is brought to rest.
//!
//! Reads how obstacles hold the spheres of a body; changes its wrench. Where the force along the
//! surface is below what friction can hold, it is cancelled and what is left of the motion is taken
//! away within a few steps.
//!
//! As corrected (erratum Y11): the brake is κ m v/h, so that a step takes away the share κ of the
//! speed whatever the mass, and the Coulomb test is against the reaction of the obstacles, not the
//! net force, whose normal part is zero at rest. The brake never takes more than friction can give:
//! else a body would stop dead at any speed.

use glam::DVec3;

use crate::contact::Reaction;
use crate::world::{Inertia, Motion, Pose, Wrench};

/// How bodies stick to obstacles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stiction {
    /// Share κ of the sliding speed that a step takes away, 0 to 1.
    pub sliding: f64,
    /// Share of the spin that a step takes away, 0 to 1.
    pub turning: f64,
}

/// Holds a body if its obstacles can, for a step of `dt` \[s\].
#[allow(clippy::too_many_arguments)] // All there is to know of one body: a struct would only rename it.
pub(crate) fn stick(
    stiction: Stiction,
    held: &[Reaction],
    wrench: &mut Wrench,
    motion: &Motion,
    pose: &Pose,
    inertia: &Inertia,
    radius: f64,
    gravity: DVec3,
    dt: f64,
) {
    let whole = held.iter().fold(Reaction::default(), |sum, r| Reaction {
        push: sum.push + r.push,
        friction: sum.friction + r.friction,
        rub: sum.rub + r.rub,
        slip: sum.slip + r.slip,
        velocity: sum.velocity + r.velocity,
    });
    let pressing: f64 = held.iter().map(|r| r.push.length()).sum();
    let (Some(normal), true) = (whole.push.try_normalize(), pressing > 0.0) else { return };
    let across = |v: DVec3| v - v.dot(normal) * normal;
    // Tangential force without the friction of the obstacles themselves. If it exceeds the Coulomb
    // limit, the body slides.
    let pull = across(wrench.force - whole.rub + inertia.mass * gravity);
    if pull.length() >= whole.friction {
        return;
    }
    // The obstacles hold and brake the body. If that needs more than the Coulomb limit, the full
    // friction brakes the slip at the contacts, so that a fast body slides to rest and a ball rolls
    // on.
    let brake = stiction.sliding * inertia.mass / dt;
    let sliding = across(motion.velocity - whole.velocity / pressing);
    let mut hold = pull + brake * sliding;
    if hold.length() >= whole.friction {
        hold = (pull + brake * across(whole.slip / pressing)).clamp_length_max(whole.friction);
    }
    wrench.force -= across(whole.rub) + hold;
    let turning = stiction.turning / dt * inertia.momentum(pose.orientation, motion.spin);
    if turning.length() < radius * whole.friction {
        wrench.torque -= wrench.torque.dot(normal) * normal + turning;
    }
}
