//! The rule that gives a pile its angle: friction decides where its bodies come to rest.
//!
//! Reads one pile's heap and who bears whom; writes how firmly bodies grip, and who sleeps. The
//! *whole* cone has the slope asked for and the volume of the heap. A body that stands higher than
//! it becomes slippery and slides on down the side: this brings heaps down that would stand steeper
//! by themselves. If the heap stays flatter than asked though none slips, bodies that slide off in
//! the cone grip firmly. In between friction is as materials have it, and the pile is what physics
//! makes of it.
//!
//! No motion is ever changed: bodies fall freely, slide and roll by gravity and contacts alone. A
//! body falls asleep when it has been still for a while on bearers that sleep too, from the bottom
//! up.

use super::aim;
use super::cone::{above_side, layer_at, layers};
use super::trial::bearers;
use super::{LandedMemory, Pile, Site};
use crate::direct::{SeenBody, Stagehand};
use crate::rest::still_speed;
use crate::world::{BodyId, Grip, WorldProblem};

/// Part of the filled cone, whose layers are shown, that the heap must fill.
const FULL: f64 = 0.85;

/// How far the top of a body may stand above the whole cone before it becomes slippery, and before
/// it wakes, over its diameter.
const TOO_HIGH: f64 = 0.2;
const WAKES: f64 = 0.5;

/// How much farther, where the heap is flatter than asked: then it is left to physics first.
const ROUGH: f64 = 1.5;

/// By how much a cone is made flatter at a time until a body stands above it \[rad\].
const FLATTER: f64 = 0.01;

/// Speed of a slippery body, over √(g D) and its height above the cone in diameters, above which it
/// has its usual grip. In flows on heaps the speed grows in proportion to that height (GDR MiDi
/// 2004).
const LANDSLIDE: f64 = 0.9;

/// A body is stuck if it was awake for `PATIENCE` · √(D/g) and moved less than `FAR` diameters: it
/// no longer becomes slippery. After twice that time it grips firmly, so that it does not rock for
/// ever. One that is still for so long that it could have fallen asleep three times is stuck too.
const PATIENCE: f64 = 25.0;
const FAR: f64 = 0.5;
const NAPS: f64 = 3.0;

/// How much firmness a pile needs before bodies that slide off in its cone grip firmly; and how
/// fast they may slide outwards before they do where it has least, over √(g D). The firmer the
/// pile, the sooner it stops them. What stays by itself lies denser than what is stopped.
const LITTLE_FIRMNESS: f64 = 0.4;
const CATCHING: f64 = 0.8;

/// A pile falls at once if it is new, has more than a few bodies, and so large a part of them is
/// not slow: it is made too steep first.
const AT_ONCE: f64 = 0.4;
const FEW: f64 = 60.0;

/// How still a body must have been to fall asleep.
#[derive(Clone, Copy, Debug)]
struct Stillness {
    /// For how long, over √(r/g).
    time: f64,
    /// How far it may have moved in this time, over r.
    distance: f64,
    /// How fast it may be, over the speed below which a body is still.
    speed: f64,
}

/// Inside a heap that others fall on, bodies tremble but get nowhere; one that tips or slides gets
/// farther. Once a heap has proven that it stands, or tries to, it is looked at more closely.
const GROWING: Stillness = Stillness { time: 1.5, distance: 0.01, speed: 3.0 };
const PROVING: Stillness = Stillness { time: 5.0, distance: 0.005, speed: 1.0 };

/// Part of the members of a pile that may still be awake when it goes on to come down or to prove
/// itself.
const LAST_FEW: f64 = 0.02;

/// A member, as one frame sees it.
#[derive(Clone, Copy, Debug)]
struct Sight {
    /// Its layer in the cone that is filled, if it is in one.
    layer: Option<usize>,
    /// How far its top is above the side of the whole cone, over its diameter.
    above: f64,
    /// Whether it lies on others.
    is_up: bool,
    /// How fast it moves away from the axis \[m/s\].
    outwards: f64,
}

/// Gives the layer that each member was counted in.
pub(super) fn direct(
    pile: &mut Pile,
    site: &Site<'_>,
    bearings: &[(BodyId, Option<BodyId>)],
    stage: &mut Stagehand<'_>,
    memory: &mut [LandedMemory],
) -> Result<Vec<Option<usize>>, WorldProblem> {
    let &Site { members, diameter, gravity, dt, .. } = site;
    let comes_to_rest = pile.comes_to_rest(members);
    let has_to_prove = pile.has_grown(members.len()) || pile.is_shaken || pile.trial.is_some();
    // A pile of which nobody is held comes down before it proves itself.
    let is_firm = |body: &SeenBody| memory[body.id.index as usize].grip == Grip::Firm as u32;
    let is_held = pile.trial.is_some() || has_to_prove && members.iter().any(is_firm);
    let can_come_down = comes_to_rest && !is_held;
    let comes_down = site.ground.is_open() && aim::look(pile, site, can_come_down, memory);
    let mut seen = pile.sights(site);
    let now = Moment::of(pile, site, memory);
    let is_too_high = |seen: &Sight| seen.is_up && seen.above > now.too_high && !now.falls_at_once;
    // Until at least one body stands above it.
    while comes_down && !seen.iter().any(is_too_high) && pile.flatten(FLATTER) {
        seen = pile.sights(site);
    }
    for layer in seen.iter().filter_map(|seen| seen.layer) {
        pile.layers[layer].density += 1.0 / pile.layers[layer].capacity;
    }

    let slipping = pile.slipping(site, bearings, memory);
    let (mut still, mut rests) = (Vec::new(), comes_to_rest);
    for ((body, seen), slips) in members.iter().zip(&seen).zip(slipping) {
        let memory = &mut memory[body.id.index as usize];
        memory.count(body, diameter, gravity, dt, now.stillness);
        let nap = now.stillness.time * (body.radius / gravity).sqrt();
        let is_stuck = memory.stuck > now.patience || memory.still > NAPS * nap;
        let is_too_high = is_too_high(seen) && !is_stuck;
        if body.rest.asleep {
            // Avalanche: sleepers that stand too high wake; as do those that nothing bears.
            let is_unborne = !pile.rested && bearers(body.id, bearings).next().is_none();
            if is_too_high && (comes_down || seen.above > WAKES) || is_unborne {
                stage.wake(body.id)?;
                rests = false;
            } else {
                // A body that fell asleep by itself on its way down is not slippery any more.
                if memory.grip == Grip::Slippery as u32 {
                    memory.grip = Grip::Usual as u32;
                    stage.set_grip(body.id, Grip::Usual)?;
                }
                continue;
            }
        }
        // How firmly it grips what it touches.
        let slides = body.motion.velocity.length() < now.landslide * seen.above.max(1.0);
        let is_caught = now.caught.is_some_and(|speed| seen.outwards > speed) && seen.above < 1.0;
        let is_firm = memory.grip == Grip::Firm as u32 || memory.stuck > 2.0 * now.patience;
        let grip = match is_too_high {
            true if slides => Grip::Slippery,
            false if is_caught || slips || now.falls_at_once || is_firm => Grip::Firm,
            _ => Grip::Usual,
        };
        pile.is_shaken |= grip == Grip::Firm && memory.grip != grip as u32;
        memory.grip = grip as u32;
        stage.set_grip(body.id, grip)?;
        if !body.rest.asleep && !is_too_high && memory.still > nap {
            still.push(body.id);
        }
    }
    keep_borne(&mut still, bearings, stage);
    still.into_iter().try_for_each(|id| stage.hold(id))?;
    // Where a sleeper woke, it comes to rest once more.
    pile.rested &= rests || !comes_to_rest;
    if rests && (has_to_prove || pile.is_shaken) {
        pile.prove(site, stage, memory)?;
    }
    Ok(seen.iter().map(|seen| seen.layer).collect())
}

/// The state of a pile that matters for all its members in one frame.
struct Moment {
    /// How far the top of a body may stand above the whole cone, over its diameter.
    too_high: f64,
    /// Speed of a slippery body over its height above the cone in diameters \[m/s\].
    landslide: f64,
    /// Time after which a body that gets nowhere is stuck \[s\].
    patience: f64,
    /// The speed outwards from which on bodies that lie in the cone grip firmly, since the heap is
    /// flatter than asked \[m/s\].
    caught: Option<f64>,
    /// Whether all grip firmly, since the pile was let go at once.
    falls_at_once: bool,
    /// How still a body must have been to fall asleep.
    stillness: Stillness,
}

impl Moment {
    fn of(pile: &Pile, site: &Site<'_>, memory: &[LandedMemory]) -> Self {
        let &Site { settings, members, length, gravity, .. } = site;
        let natural = (gravity * length).sqrt();
        let count = members.len() as f64;
        let awake = || members.iter().filter(|body| !body.rest.asleep);
        let fast = || awake().filter(|body| body.motion.velocity.length() > settings.slow * natural);
        // While something still slides off, the pile is not yet as steep as friction lets it be.
        let slides = || awake().any(|body| memory[body.id.index as usize].grip == Grip::Slippery as u32);
        let is_new = site.ground.is_open() && pile.trial.is_none() && count > pile.proven;
        let catches = pile.firmness > LITTLE_FIRMNESS && pile.trial.is_none() && (pile.firmness >= 1.0 || !slides());
        Self {
            too_high: TOO_HIGH + ROUGH * (pile.firmness / LITTLE_FIRMNESS).min(1.0),
            landslide: LANDSLIDE * natural,
            patience: PATIENCE * length / natural,
            caught: catches.then(|| CATCHING * (1.0 - pile.firmness) / (1.0 - LITTLE_FIRMNESS) * natural),
            falls_at_once: is_new && count > FEW && fast().count() as f64 > AT_ONCE * count,
            stillness: if pile.has_grown(members.len()) { GROWING } else { PROVING },
        }
    }
}

impl Pile {
    /// Makes the cone of the whole volume, and the largest that is filled, with its layers; sees
    /// where members are in it.
    fn sights(&mut self, site: &Site<'_>) -> Vec<Sight> {
        let &Site { settings, members, heap, length, diameter, .. } = site;
        let slope = self.slope(settings);
        let (volume, most) = (heap.volume(), site.ground.most(self.centre, slope));
        self.whole = heap.cone_of(volume, slope, most);
        self.radius = heap.largest_full_cone(slope, FULL, self.whole).max(diameter);
        self.layers = layers(heap, slope, self.radius, volume / members.len() as f64, length);
        let sight = |body: &SeenBody| {
            let (out, height) = (body.centre.truncate() - self.centre, body.centre.z - settings.base);
            Sight {
                layer: layer_at(&self.layers, height),
                above: above_side(slope, self.whole, out.length(), height + 0.5 * diameter) / diameter,
                is_up: height > 0.5 * length && out.length() < self.whole,
                outwards: body.motion.velocity.truncate().dot(out.normalize_or_zero()),
            }
        };
        members.iter().map(sight).collect()
    }

    /// Whether the last of its members has just fallen asleep. One that comes down or is tried does
    /// not wait for the last few.
    fn comes_to_rest(&mut self, members: &[SeenBody]) -> bool {
        let is_at_work = self.trial.is_some() || self.has_come_down();
        let few = if is_at_work { LAST_FEW * members.len() as f64 } else { 0.0 };
        let awake = members.iter().filter(|body| !body.rest.asleep).count();
        let rested = std::mem::replace(&mut self.rested, awake as f64 <= few);
        self.rested && !rested
    }
}

impl LandedMemory {
    /// Counts for how long a body has been still, and for how long awake without getting far.
    fn count(&mut self, body: &SeenBody, diameter: f64, gravity: f64, dt: f64, stillness: Stillness) {
        if body.centre.distance(self.from) > FAR * diameter {
            (self.stuck, self.from, self.grip) = (0.0, body.centre, Grip::Usual as u32);
        }
        if body.rest.asleep {
            self.still = 0.0;
            return;
        }
        self.stuck += dt;
        let speed = body.motion.velocity.length() + body.radius * body.motion.spin.length();
        let moved = body.centre.distance(self.still_at);
        let is_slow = speed < stillness.speed * still_speed(gravity, body.radius);
        if is_slow && moved < stillness.distance * body.radius {
            self.still += dt;
        } else {
            (self.still, self.still_at) = (0.0, body.centre);
        }
    }
}

/// Keeps the bodies, sorted by id, that something bears, and whose bearers are all asleep,
/// obstacles or kept too: bodies that lean on each other fall asleep together.
fn keep_borne(still: &mut Vec<BodyId>, bearings: &[(BodyId, Option<BodyId>)], stage: &Stagehand<'_>) {
    let is_asleep = |id: BodyId| stage.body(id).is_ok_and(|body| body.rest.asleep);
    loop {
        let rests = |id: BodyId| is_asleep(id) || still.binary_search(&id).is_ok();
        let is_borne = |id: &BodyId| {
            let mut bearers = bearers(*id, bearings).peekable();
            bearers.peek().is_some() && bearers.all(|bearer| bearer.is_none_or(rests))
        };
        let kept: Vec<BodyId> = still.iter().copied().filter(is_borne).collect();
        if kept.len() == still.len() {
            return;
        }
        *still = kept;
    }
}
