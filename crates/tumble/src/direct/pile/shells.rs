//! The rule that gives a pile its angle: it grows in shells.
//!
//! Reads one pile's heap; writes who sleeps, and how those move that slide down the side. The
//! *filled* cone is the largest of the asked slope that the heap fills: bodies below its side and
//! up to a body above it come to rest. Others on the way down the side do not get faster than a
//! landslide, so that they find a place on it instead of running out at its foot. The *whole* cone
//! has the volume of the heap: what stands higher than it is pushed on down the side, which brings
//! heaps down that would stand steeper by themselves.

use glam::{DVec2, DVec3};

use super::cone::{above_side, layer_at, layers};
use super::{LandedMemory, Pile, Site};
use crate::direct::{SeenBody, Stagehand};
use crate::rest::still_speed;
use crate::world::{Motion, WorldProblem};

/// Part of the filled cone that the heap must fill.
const FULL: f64 = 0.85;

/// How far above the side of that cone bodies may still come to rest, over their diameter: what the
/// pile grows by.
const SHELL: f64 = 1.0;

/// How far bodies may stand above the cone of the whole volume before they are pushed on, over
/// their diameter.
const TOO_HIGH: f64 = 0.5;

/// How fast bodies slide down the side, over √(g D) and their height above the filled cone in
/// diameters. In flows on heaps the speed grows in proportion to that height (GDR MiDi 2004), so
/// that the more is poured, the more flows off.
const LANDSLIDE: f64 = 0.3;

/// How fast motion fades to that or to rest, over √(g/D).
const FADING: f64 = 10.0;

/// A body is stuck if it moved less than `FAR` diameters within `PATIENCE` · √(D/g) after a push. A
/// quarter of this patience left hooked heaps 7° too steep.
const PATIENCE: f64 = 25.0;
const FAR: f64 = 0.5;

/// A body that has been still for so long \[s\] has come to rest by itself.
const AT_REST: f64 = 0.5;

/// A member, as one frame sees it.
#[derive(Clone, Copy, Debug)]
struct Sight {
    /// Its layer in the cone that is filled, if it is in one.
    layer: Option<usize>,
    /// How far its top is above the side of that cone, and of the cone of the whole volume, over
    /// its diameter.
    above: f64,
    above_whole: f64,
    /// Whether it lies on others.
    is_up: bool,
    /// Down the side.
    downhill: DVec3,
}

/// Gives the layer that each member was counted in.
pub(super) fn direct(
    pile: &mut Pile,
    site: &Site<'_>,
    stage: &mut Stagehand<'_>,
    memory: &mut [LandedMemory],
) -> Result<Vec<Option<usize>>, WorldProblem> {
    let &Site { settings, members, heap, length, diameter, gravity, dt, .. } = site;
    let slope = pile.slope(settings);

    // The cone of the whole volume, and the largest that is filled, with its layers.
    let (volume, most) = (heap.volume(), site.ground.most(pile.centre, slope));
    pile.whole = heap.cone_of(volume, slope, most);
    pile.radius = heap.largest_full_cone(slope, FULL, pile.whole).max(diameter);
    pile.layers = layers(heap, slope, pile.radius, volume / members.len() as f64, length);
    let sight = |place: DVec3| {
        let (out, height) = (place.truncate() - pile.centre, place.z - settings.base);
        let (from_axis, top) = (out.length(), height + 0.5 * diameter);
        Sight {
            layer: layer_at(&pile.layers, height),
            above: above_side(slope, pile.radius, from_axis, top) / diameter,
            above_whole: above_side(slope, pile.whole, from_axis, top) / diameter,
            is_up: height > 0.5 * length && from_axis < pile.whole,
            downhill: (settings.angle.cos() * out.normalize_or(DVec2::X)).extend(-settings.angle.sin()),
        }
    };
    let seen: Vec<Sight> = members.iter().map(|body| sight(body.centre)).collect();

    // How full its layers are, and up to where bodies sleep.
    let mut has_sleepers = vec![false; pile.layers.len()];
    for (body, seen) in members.iter().zip(&seen) {
        if let Some(layer) = seen.layer.filter(|_| seen.above < SHELL) {
            pile.layers[layer].density += 1.0 / pile.layers[layer].capacity;
            has_sleepers[layer] |= body.rest.asleep;
        }
    }
    let lowest_open = has_sleepers.iter().position(|sleepers| !sleepers).unwrap_or(has_sleepers.len());

    let natural = (gravity * length).sqrt();
    let (slow, slide) = (settings.slow * natural, LANDSLIDE * natural);
    let (still, patience) = (still_speed(gravity, 0.5 * length), PATIENCE * length / natural);
    let fade = (-FADING * gravity / natural * dt).exp();
    for (&SeenBody { id, centre: place, motion, rest, .. }, seen) in members.iter().zip(&seen) {
        let memory = &mut memory[id.index as usize];
        let speed = motion.velocity.length();
        if place.distance(memory.from) > FAR * diameter {
            (memory.pushed, memory.from) = (0.0, place);
        } else if memory.pushed > 0.0 && !rest.asleep {
            memory.pushed += dt;
        }
        let is_stuck = memory.pushed > patience;
        let landslide = slide * seen.above.max(1.0);
        let push_on = |memory: &mut LandedMemory| {
            memory.pushed = memory.pushed.max(dt);
            faded(motion, landslide * seen.downhill, fade)
        };
        if rest.asleep {
            // Avalanche: what stands too high wakes.
            if seen.is_up && seen.above_whole > 2.0 * TOO_HIGH && !is_stuck {
                stage.wake(id)?;
            }
            continue;
        }
        memory.slow = if speed < slow { memory.slow + dt } else { 0.0 };
        memory.still = if speed < still { memory.still + dt } else { 0.0 };
        if seen.is_up && seen.above_whole > TOO_HIGH && !is_stuck {
            // Too high for its volume: on down the side.
            stage.set_motion(id, push_on(memory))?;
        } else if memory.still > AT_REST && (is_stuck || !seen.is_up || seen.above <= SHELL + 0.5) {
            // Has come to rest by itself.
            stage.hold(id)?;
        } else if seen.above > SHELL + 0.5 && !is_stuck {
            // On the way down the side: no faster than a landslide, and no slower. Beside the pile:
            // as it likes.
            if seen.is_up && memory.slow > settings.grace {
                stage.set_motion(id, push_on(memory))?;
            } else if seen.is_up && speed > landslide {
                stage.set_motion(id, faded(motion, motion.velocity * (landslide / speed), fade))?;
            }
        } else {
            // In the pile, or stuck: to rest, and asleep if the layer is dense, the side not near
            // and the body slow, from the bottom up.
            stage.set_motion(id, faded(motion, DVec3::ZERO, fade))?;
            let closeness = (SHELL + 0.5 - seen.above).clamp(0.0, 1.0);
            let slowness = 1.0 / (1.0 + speed / slow);
            let layer = seen.layer.unwrap_or(0).min(pile.layers.len() - 1);
            let score = pile.layers[layer].density.min(1.0) * closeness * slowness;
            if score > settings.threshold && memory.slow > settings.grace && layer <= lowest_open {
                stage.hold(id)?;
            }
        }
    }
    Ok(seen.iter().map(|seen| seen.layer.filter(|_| seen.above < SHELL)).collect())
}

/// Motion that fades to a steady one.
fn faded(motion: Motion, velocity: DVec3, fade: f64) -> Motion {
    Motion { velocity: velocity + fade * (motion.velocity - velocity), spin: motion.spin * fade }
}
