//! The paper's own rule: layers of a cone that is made larger when it is half full (Hsu & Keyser
//! 2010, sections 3.1 to 3.4).
//!
//! Reads where the members of one pile are and how they move; writes who sleeps. A body in layer i
//! falls asleep when the product of the density ρ_i, its closeness to the axis d (eq. 2) and its
//! slowness is above τ, if all layers below have sleepers. A layer with a density above
//! 0.8 starts an avalanche: all wake, or for the local variant those in that layer and above, and
//! have to be slow again for a while.
//!
//! With H10: bodies at rest sleep only within r < (1 - τ/ρ_i) r_i, at most 37.5 % of the radius at
//! the density where avalanches start; more of them sleep after the cone has grown around them,
//! since sleepers stay asleep.

use std::f64::consts::PI;

use super::cone::{layer_at, layers};
use super::heap::radius_of_cone;
use super::{LandedMemory, Pile, Rule, Site, let_go};
use crate::direct::{SeenBody, Stagehand};
use crate::world::WorldProblem;

/// How much of its capacity is taken when the cone is made for twice as many.
const HALF_FULL: f64 = 0.5;

/// The density of a layer from which an avalanche starts.
const TOO_DENSE: f64 = 0.8;

/// Gives the layer that each member was counted in.
pub(super) fn direct(
    pile: &mut Pile,
    site: &Site<'_>,
    stage: &mut Stagehand<'_>,
    memory: &mut [LandedMemory],
) -> Result<Vec<Option<usize>>, WorldProblem> {
    let &Site { settings, members, heap, length, diameter, gravity, dt, .. } = site;
    let slope = pile.slope(settings);
    // The volume of the cone that an object takes: for solids its bounding box.
    let room = PI / 6.0 * diameter.powi(3);

    // Which layer members are in, and how close they are to the axis (eq. 2). Walls do not let the
    // cone grow.
    let most = site.ground.most(pile.centre, slope);
    pile.radius = pile.radius.max(radius_of_cone(room * members.len() as f64, slope)).min(most);
    let seen = loop {
        pile.layers = layers(heap, slope, pile.radius, room, length);
        let seen: Vec<(Option<usize>, f64)> =
            members.iter().map(|body| see(pile, settings.base, slope, body)).collect();
        let inside = seen.iter().filter(|(layer, closeness)| layer.is_some() && *closeness > 0.0).count() as f64;
        let taken = inside / pile.layers.iter().map(|layer| layer.capacity).sum::<f64>();
        if taken <= HALF_FULL || pile.radius >= most {
            break seen;
        }
        pile.radius = (pile.radius * 2f64.cbrt()).min(most);
    };
    pile.whole = pile.radius;

    // How full layers are, and up to where bodies sleep.
    let mut has_sleepers = vec![false; pile.layers.len()];
    for (body, (layer, closeness)) in members.iter().zip(&seen) {
        if let Some(layer) = layer.filter(|_| *closeness > 0.0) {
            pile.layers[layer].density += 1.0 / pile.layers[layer].capacity;
            has_sleepers[layer] |= body.rest.asleep;
        }
    }
    let lowest_open = has_sleepers.iter().position(|sleepers| !sleepers).unwrap_or(has_sleepers.len());

    // Avalanches.
    if let Some(dense) = pile.layers.iter().position(|layer| layer.density > TOO_DENSE) {
        let wakes = |layer: Option<usize>| settings.rule == Rule::Layers || layer.is_none_or(|layer| layer >= dense);
        let woken = members.iter().zip(&seen).filter(|(_, (layer, _))| wakes(*layer)).map(|(body, _)| body);
        let_go(woken, stage, memory)?;
    }

    // Bodies fall asleep.
    let slow = settings.slow * (gravity * length).sqrt();
    for (member, &(layer, closeness)) in members.iter().zip(&seen) {
        // An avalanche may just have woken it.
        let body = stage.body(member.id)?;
        let memory = &mut memory[body.id.index as usize];
        let Some(layer) = layer.filter(|_| !body.rest.asleep) else { continue };
        let speed = body.motion.velocity.length();
        memory.slow = if speed < slow { memory.slow + dt } else { 0.0 };
        let score = pile.layers[layer].density * closeness / (1.0 + speed / slow);
        if score > settings.threshold && memory.slow > settings.grace && layer <= lowest_open {
            stage.hold(body.id)?;
        }
    }
    Ok(seen.iter().map(|(layer, closeness)| layer.filter(|_| *closeness > 0.0)).collect())
}

/// The layer of a body, if it is in one, and how close it is to the axis (eq. 2).
fn see(pile: &Pile, base: f64, slope: f64, body: &SeenBody) -> (Option<usize>, f64) {
    let place = body.centre;
    let layer = layer_at(&pile.layers, place.z - base);
    let radius = layer.map_or(0.0, |layer| pile.radius - pile.layers[layer].bottom / slope);
    (layer, (1.0 - place.truncate().distance(pile.centre) / radius).max(0.0))
}
