//! A pile that has come to rest proves that it stands.
//!
//! Reads where the members of one pile are and who bears whom; writes who grips firmly, and wakes
//! all. Bodies feel only now what those that came later lay on them. With the friction of its
//! materials a pile up to the angle that physics gives stays as it is. In a steeper one, bodies
//! that slip grip firmly as soon as it is flatter than asked, and these are the ones that are
//! *held*. Where many gripped firmly before, all come to rest on each other first, and then they
//! are let go in rounds, a part of them at a time, so that few slip.

use super::{LandedMemory, Pile, Site};
use crate::direct::{SeenBody, Stagehand};
use crate::world::{BodyId, Grip, WorldProblem};

/// By how much a pile grows before it has to prove itself anew: a body that comes to lie beside it
/// does not wake it.
const LITTLE_GROWTH: f64 = 1.01;

/// Rounds in which bodies that grip firmly are let go, if more than this part of all do so.
const ROUNDS: u32 = 4;
const MANY: f64 = 0.05;

/// A body slips if it has moved against all that bear it by so much, over the diameter.
const SLIP: f64 = 0.02;

/// By how much a pile of which few gripped firmly may become flatter than asked before bodies that
/// slip are held \[rad\].
const FLATTER: f64 = 0.0524;

/// A pile that is flatter than asked by more than this was broken up: to hold what is left does not
/// make it steeper \[rad\].
const HOPELESS: f64 = 0.2;

/// The trial by which a pile proves that it stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PileTrial {
    /// The rounds to come after this one.
    pub(super) rounds_left: u32,
    /// Rounds in all, after that in which nobody is let go.
    pub(super) rounds: u32,
}

impl Pile {
    /// Whether it has grown since it last stood by itself.
    pub(super) fn has_grown(&self, members: usize) -> bool {
        members as f64 > LITTLE_GROWTH * self.proven
    }

    /// Goes on with its trial, once it has come to rest: the first round, or the next.
    pub(super) fn prove(
        &mut self,
        site: &Site<'_>,
        stage: &mut Stagehand<'_>,
        memory: &mut [LandedMemory],
    ) -> Result<(), WorldProblem> {
        let trial = match self.trial {
            Some(PileTrial { rounds_left: 0, .. }) => {
                // It looks at itself once more, now that it stands.
                (self.trial, self.is_shaken, self.rested) = (None, false, false);
                return Ok(());
            }
            Some(trial) => PileTrial { rounds_left: trial.rounds_left - 1, ..trial },
            None => {
                let is_firm = |body: &&SeenBody| memory[index(body.id)].grip == Grip::Firm as u32;
                let firm = site.members.iter().filter(is_firm).count();
                let rounds = if firm as f64 > MANY * site.members.len() as f64 { ROUNDS } else { 1 };
                PileTrial { rounds_left: if firm > 0 { rounds } else { 0 }, rounds }
            }
        };
        self.trial = Some(trial);
        self.is_shaken = false;
        self.proven = site.members.len() as f64;
        for body in site.members {
            let memory = &mut memory[index(body.id)];
            (memory.stuck, memory.still, memory.from) = (0.0, 0.0, body.centre);
            if trial.lets_go(body.id) || memory.grip != Grip::Firm as u32 {
                memory.grip = Grip::Usual as u32;
                stage.set_grip(body.id, Grip::Usual)?;
            }
            stage.wake(body.id)?;
        }
        Ok(())
    }

    /// Which of its members slip while it is tried and flatter than asked, in their order.
    pub(super) fn slipping(
        &self,
        site: &Site<'_>,
        bearings: &[(BodyId, Option<BodyId>)],
        memory: &[LandedMemory],
    ) -> Vec<bool> {
        let members = site.members;
        let is_flat = |trial: PileTrial| {
            let missing = site.settings.angle - site.angle();
            missing > if trial.rounds > 1 { 0.0 } else { FLATTER } && missing < HOPELESS
        };
        if !(site.ground.is_open() && self.trial.is_some_and(is_flat)) {
            return vec![false; members.len()];
        }
        let moved = |number: usize| members[number].centre - memory[index(members[number].id)].from;
        let slips = |number: usize| {
            let own = moved(number);
            let slides_on = |bearer: Option<BodyId>| {
                let number = bearer.and_then(|id| members.binary_search_by_key(&id, |body| body.id).ok());
                own.distance(number.map_or(glam::DVec3::ZERO, moved)) > SLIP * site.diameter
            };
            let mut bearers = bearers(members[number].id, bearings).peekable();
            bearers.peek().is_some() && bearers.all(slides_on)
        };
        (0..members.len()).map(slips).collect()
    }
}

impl PileTrial {
    /// Whether it can have been saved by a pile.
    pub(super) fn is_sound(self) -> bool {
        self.rounds_left <= self.rounds && (1..=ROUNDS).contains(&self.rounds)
    }

    /// Whether a body that grips firmly is let go in this round. The parts are drawn by a hash of
    /// the number (Knuth's golden ratio), so that they lie scattered.
    fn lets_go(self, id: BodyId) -> bool {
        let hash = u64::from(id.index).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        hash % u64::from(self.rounds) == u64::from(self.rounds_left)
    }
}

fn index(id: BodyId) -> usize {
    id.index as usize
}

/// The bearers of a body, none for obstacles.
pub(super) fn bearers(id: BodyId, bearings: &[(BodyId, Option<BodyId>)]) -> impl Iterator<Item = Option<BodyId>> {
    let first = bearings.partition_point(|&(body, _)| body < id);
    bearings[first..].iter().take_while(move |&&(body, _)| body == id).map(|&(_, bearer)| bearer)
}
