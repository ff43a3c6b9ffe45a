//! The rigid solver and the state it keeps from step to step.

use super::broad::Broad;
use super::contacts::ContactList;
use super::dispatch::Dispatch;
use super::group::ContactGroups;
use super::islands::Islands;
use super::joints::Links;
use super::lanes::BodyState;
use super::obstacles::ObstacleStates;
use super::settings::Rigid;
use super::solids::SolidPieces;
use super::solve::InverseMass;
use super::tree::Tree;
use crate::contact::DeepestOfFrame;
use crate::world::{BodyId, Pose, World};

/// Frames between two sortings of rows.
const SORT_EVERY: u64 = 16;

/// The rigid solver. Contacts with their impulses, the order of rows, `unsupported` and `born`
/// are state; everything else is made anew in every step.
#[derive(Clone, Debug)]
pub(crate) struct RigidSolver {
    pub(super) settings: Rigid,
    pub(super) solids: SolidPieces,
    pub(super) broad: Broad,
    pub(super) dispatch: Dispatch,
    pub(super) contacts: ContactList,
    pub(super) groups: ContactGroups,
    pub(super) links: Links,
    pub(super) tree: Tree,
    pub(super) islands: Islands,
    pub(super) obstacles: ObstacleStates,
    /// Bodies as contacts see them within a step, by rows.
    pub(super) states: Vec<BodyState>,
    /// Poses when the step began, by rows.
    pub(super) starts: Vec<Pose>,
    /// Inverse masses when the step began, by rows; zero for sleepers.
    pub(super) inverse_masses: Vec<InverseMass>,
    /// Bodies that are deep inside something.
    pub(super) deep: DeepBodies,
    /// Bodies whose first step comes next: only they can have been put into something.
    pub(super) born: Vec<BodyId>,
    /// Whether a row has neither a contact nor a joint in this step.
    pub(super) flies: Vec<bool>,
    /// Whether a contact or a joint bears a row.
    pub(super) borne: Vec<bool>,
    /// The body in each row, as of the last step.
    pub(super) names: Vec<BodyId>,
    /// Whether rows are other bodies than in the last step.
    pub(super) is_new: bool,
    /// Rows of bodies that have lost a possible support.
    pub(super) unsupported: Vec<u32>,
    pub(super) steps: u64,
    /// The deepest contact of any step since the frame began. Not part of the state.
    pub(crate) deepest: DeepestOfFrame,
}

/// Rows that have a deep contact.
#[derive(Clone, Debug, Default)]
pub(super) struct DeepBodies {
    pub(super) rows: Vec<bool>,
    pub(super) any: bool,
    /// Rows whose first step this is; empty if there are none.
    pub(super) born: Vec<bool>,
}

impl RigidSolver {
    /// A solver without contacts.
    pub(crate) fn new(settings: Rigid) -> Self {
        Self {
            settings,
            solids: SolidPieces::default(),
            broad: Broad::default(),
            dispatch: Dispatch::default(),
            contacts: ContactList::default(),
            groups: ContactGroups::default(),
            links: Links::default(),
            tree: Tree::default(),
            islands: Islands::default(),
            obstacles: ObstacleStates::default(),
            states: Vec::new(),
            starts: Vec::new(),
            inverse_masses: Vec::new(),
            deep: DeepBodies::default(),
            born: Vec::new(),
            flies: Vec::new(),
            borne: Vec::new(),
            names: Vec::new(),
            is_new: true,
            unsupported: Vec::new(),
            steps: 0,
            deepest: DeepestOfFrame::default(),
        }
    }

    /// Number of steps taken.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// Sorts rows in space every [`SORT_EVERY`] frames. Their order is part of the state.
    pub(crate) fn begin_frame(&mut self, world: &mut World, frame: u64) {
        self.deepest = DeepestOfFrame::default();
        self.keep_up(world);
        if frame.is_multiple_of(SORT_EVERY) {
            self.sort(world);
        }
    }
}
