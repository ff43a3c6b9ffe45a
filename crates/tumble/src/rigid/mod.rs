//! The rigid solver: impulses, large steps (Hsu 2013, chapter 2, as engines do it today).
//!
//! A step is in `step.rs`: broad ▶ dispatch ▶ narrow ▶ wake ▶ group ▶ solve ▶ sleep.

mod broad;
mod contact;
mod contacts;
mod dispatch;
mod group;
mod joints;
mod lanes;
mod link;
mod look;
mod narrow;
mod overlap;
mod pairs;
mod rows;
mod saved;
mod sleep;
mod solids;
mod solve;
mod step;
mod tree;

pub use look::{Touch, TouchPoint};
pub(crate) use overlap::overlaps;
pub(crate) use saved::RigidMemory;

use broad::Broad;
use contact::{Contact, Other};
use contacts::Contacts;
use dispatch::Dispatch;
use group::Groups;
use lanes::State;
use link::Link;
use solids::Solids;
use solve::Resistance;
use tree::Tree;

use crate::solver::DeepestOfFrame;
use crate::world::{BodyId, Motion, Pose, World};

/// Frames between two sortings of rows.
const SORT_EVERY: u64 = 16;

/// How the rigid solver works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rigid {
    /// Parts of a step in each of which contacts are solved once.
    pub substeps: u32,
    /// Whether bodies that are still fall asleep.
    pub sleeping: bool,
}

impl Rigid {
    /// The longest step for bodies of this smallest radius \[m\] in such gravity \[m/s²\]: a sixtieth of a second, or about an eighth of
    /// the time in which the smallest falls half its radius, so that small things move like large ones seen through a glass.
    pub(crate) fn default_step(radius: f64, gravity: f64) -> f64 {
        (0.13 * (radius / gravity).sqrt()).min(1.0 / 60.0)
    }

    /// What was measured to be best: see `docs/performance.md`.
    pub const DEFAULT: Self = Self { substeps: 8, sleeping: true };
}

/// The rigid solver and its memory.
#[derive(Clone, Debug)]
pub(crate) struct RigidSolver {
    settings: Rigid,
    solids: Solids,
    broad: Broad,
    dispatch: Dispatch,
    contacts: Contacts,
    groups: Groups,
    links: Vec<Link>,
    links_of_nodes: Vec<usize>,
    tree: Tree,
    states: Vec<State>,
    of_obstacles: Vec<State>,
    obstacle_motions: Vec<Motion>,
    obstacle_poses: Vec<Pose>,
    starts: Vec<Pose>,
    resistance: Vec<Resistance>,
    /// Whether a row is deep in something in this step, and whether any is.
    deep: Vec<bool>,
    has_deep: bool,
    /// Bodies whose first step comes next: only they can have been put into something.
    born: Vec<BodyId>,
    /// Whether a row touches nothing and hangs on nothing in this step.
    flies: Vec<bool>,
    /// Whether a contact or a joint bears a row.
    borne: Vec<bool>,
    margins: Vec<f64>,
    /// The body in each row, as of the last step.
    names: Vec<BodyId>,
    /// Whether rows are other bodies than in the last step.
    is_new: bool,
    /// Rows of bodies that have lost something they may have stood on.
    unsupported: Vec<u32>,
    steps: u64,
    /// The deepest contact of any step since the frame began. Not part of the state.
    pub(crate) deepest: DeepestOfFrame,
}

impl RigidSolver {
    /// A solver without any memory.
    pub(crate) fn new(settings: Rigid) -> Self {
        Self {
            settings,
            solids: Solids::default(),
            broad: Broad::default(),
            dispatch: Dispatch::default(),
            contacts: Contacts::default(),
            groups: Groups::default(),
            links: Vec::new(),
            links_of_nodes: Vec::new(),
            tree: Tree::default(),
            states: Vec::new(),
            of_obstacles: Vec::new(),
            obstacle_motions: Vec::new(),
            obstacle_poses: Vec::new(),
            starts: Vec::new(),
            resistance: Vec::new(),
            deep: Vec::new(),
            has_deep: false,
            born: Vec::new(),
            flies: Vec::new(),
            borne: Vec::new(),
            margins: Vec::new(),
            names: Vec::new(),
            is_new: true,
            unsupported: Vec::new(),
            steps: 0,
            deepest: DeepestOfFrame::default(),
        }
    }

    /// How it works.
    pub(crate) fn settings(&self) -> &Rigid {
        &self.settings
    }

    /// How many steps were taken.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// Sorts rows now and then. Their order is part of the state.
    pub(crate) fn begin_frame(&mut self, world: &mut World, frame: u64) {
        self.deepest = DeepestOfFrame::default();
        self.keep_up(world);
        if frame.is_multiple_of(SORT_EVERY) {
            self.sort(world);
        }
    }

    /// Forgets contacts of bodies that are gone since the last step, and finds those that are born.
    fn keep_up(&mut self, world: &World) {
        let now = world.bodies.traits.iter().map(|traits| traits.id);
        if self.names.iter().copied().eq(now.clone()) {
            return;
        }
        let born = self.unknown(world);
        self.born.extend(born);
        if self.names.iter().copied().zip(now.clone()).any(|(then, now)| then != now) || self.names.len() > now.len() {
            let names = std::mem::take(&mut self.names);
            self.rename(|row| world.bodies.row(names[row as usize]).map(|row| row as u32), world.bodies.len());
        }
        self.names.clear();
        self.names.extend(now);
    }

    /// Living bodies that no step has seen yet and that are not among those known to be born.
    fn unknown(&self, world: &World) -> Vec<BodyId> {
        let mut known: Vec<BodyId> = self.names.iter().chain(&self.born).copied().collect();
        known.sort_unstable();
        let ids = world.bodies.traits.iter().map(|traits| traits.id);
        ids.filter(|id| known.binary_search(id).is_err()).collect()
    }

    /// The body that was in a row in the last step, if it still lives.
    fn name(&self, world: &World, row: u32) -> Option<BodyId> {
        self.names.get(row as usize).copied().filter(|&id| world.bodies.row(id).is_some())
    }

    /// Puts rows in an order in which near bodies have near rows.
    fn sort(&mut self, world: &mut World) {
        let positions: Vec<_> = world.bodies.pose.iter().map(|pose| pose.position).collect();
        let order = tree::order(&positions);
        let mut new_row = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, &old)| new_row[old as usize] = new as u32);
        world.bodies.take_rows(&order);
        self.rename(|row| Some(new_row[row as usize]), order.len());
        self.names.clear();
        self.names.extend(world.bodies.traits.iter().map(|traits| traits.id));
    }

    /// Gives contacts the new rows of their bodies; those of bodies that have none are forgotten.
    fn rename(&mut self, new_row: impl Fn(u32) -> Option<u32>, rows: usize) {
        let renamed = |contact: &Contact| match (new_row(contact.a), contact.b.row().map(&new_row)) {
            (Some(a), None) => Ok(Contact { a, ..*contact }),
            (Some(a), Some(Some(b))) if a < b => Ok(Contact { a, b: Other::body(b), ..*contact }),
            (Some(a), Some(Some(b))) => Ok(contact.swapped(b, a)),
            // Whoever stays behind may have stood on it.
            (a, b) => Err(a.or(b.flatten())),
        };
        let (list, left): (Vec<_>, Vec<_>) = self.contacts.iter().map(renamed).partition(Result::is_ok);
        self.unsupported = self.unsupported.iter().filter_map(|&row| new_row(row)).collect();
        self.unsupported.extend(left.into_iter().filter_map(|contact| contact.err().flatten()));
        let mut list: Vec<Contact> = list.into_iter().flatten().collect();
        list.sort_unstable_by_key(|contact| (contact.a, contact.key()));
        self.contacts.set(list, rows);
        self.is_new = true;
    }
}
