//! A binary tree of row ranges: which contacts can be solved at the same time.
//!
//! Bodies that are near each other have rows near each other. A node of the tree is a range of
//! rows; contacts within one of its halves belong to that half, contacts between the halves to the
//! node. Two halves share no body, so threads solve them without locks; a node's own contacts come
//! after both. The order of impulses on a body is therefore the same for any number of threads.

use std::ops::Range;

use glam::{DQuat, DVec3, Vec3};

use super::lanes::BodyState;
use crate::world::{Motion, Pose};

/// Rows below which a range is not halved.
const LEAF: usize = 256;

/// A node: a range of rows.
#[derive(Clone, Debug)]
pub(super) struct RowNode {
    pub(super) rows: Range<usize>,
    /// Both halves, unless it is a leaf. They come before it in the list, as do their groups.
    pub(super) halves: Option<[usize; 2]>,
    pub(super) groups: NodeSlice,
    pub(super) links: NodeSlice,
    /// Whether all its bodies sleep.
    pub(super) is_idle: bool,
}

/// A node's slice of a list: its subtree starts at `begin`; `own` are the node's entries, stored
/// after those of both children.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeSlice {
    pub(super) begin: usize,
    pub(super) own: Range<usize>,
}

/// All nodes; the last is the root.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<RowNode>,
}

impl Tree {
    /// Builds the tree of so many rows.
    pub(super) fn build(&mut self, rows: usize) {
        if self.nodes.last().is_none_or(|root| root.rows.end != rows) {
            self.nodes.clear();
            self.add(0..rows);
        }
    }

    fn add(&mut self, rows: Range<usize>) -> usize {
        let middle = rows.start.midpoint(rows.end);
        let halves = (rows.len() > LEAF).then(|| [self.add(rows.start..middle), self.add(middle..rows.end)]);
        self.nodes.push(RowNode {
            rows,
            halves,
            groups: NodeSlice::default(),
            links: NodeSlice::default(),
            is_idle: false,
        });
        self.nodes.len() - 1
    }

    /// The smallest node that has both rows.
    pub(super) fn node_of(&self, a: usize, b: usize) -> usize {
        let mut node = self.nodes.len() - 1;
        while let Some([left, right]) = self.nodes[node].halves {
            let middle = self.nodes[right].rows.start;
            node = match (a < middle, b < middle) {
                (true, true) => left,
                (false, false) => right,
                _ => break,
            };
        }
        node
    }

    /// Sets each node's slices of groups and links from their numbers per node, and whether any of
    /// its rows is awake.
    pub(super) fn set_slices(&mut self, groups: &[usize], links: &[usize], is_awake: impl Fn(usize) -> bool) {
        let mut next = [0; 2];
        for node in 0..self.nodes.len() {
            let left = self.nodes[node].halves.map(|[left, _]| left);
            let begins = match left {
                Some(left) => [self.nodes[left].groups.begin, self.nodes[left].links.begin],
                None => next,
            };
            let ends = [next[0] + groups[node], next[1] + links[node]];
            self.nodes[node].groups = NodeSlice { begin: begins[0], own: next[0]..ends[0] };
            self.nodes[node].links = NodeSlice { begin: begins[1], own: next[1]..ends[1] };
            next = ends;
            self.nodes[node].is_idle = match self.nodes[node].halves {
                Some(halves) => halves.into_iter().all(|half| self.nodes[half].is_idle),
                None => !self.nodes[node].rows.clone().any(&is_awake),
            };
        }
    }
}

/// Columns of bodies that a walk writes, for a range of rows.
pub(super) struct BodySlice<'a> {
    /// The first row.
    pub(super) first: usize,
    pub(super) states: &'a mut [BodyState],
    pub(super) poses: &'a mut [Pose],
    pub(super) motions: &'a mut [Motion],
}

impl BodySlice<'_> {
    /// Moves the body in a row by a small displacement \[m\] and rotation vector \[rad\] without
    /// changing its motion.
    pub(super) fn shift(&mut self, row: u32, displacement: Vec3, rotation: Vec3) {
        let row = row as usize - self.first;
        let pose = &mut self.poses[row];
        pose.position += displacement.as_dvec3();
        let half = 0.5 * rotation.as_dvec3();
        pose.orientation = (DQuat::from_xyzw(half.x, half.y, half.z, 1.0) * pose.orientation).normalize();
        self.states[row].shift(displacement, rotation);
    }

    /// Splits it after so many rows.
    pub(super) fn split_at(&mut self, rows: usize) -> (BodySlice<'_>, BodySlice<'_>) {
        let (states, more_states) = self.states.split_at_mut(rows);
        let (poses, more_poses) = self.poses.split_at_mut(rows);
        let (motions, more_motions) = self.motions.split_at_mut(rows);
        (
            BodySlice { first: self.first, states, poses, motions },
            BodySlice { first: self.first + rows, states: more_states, poses: more_poses, motions: more_motions },
        )
    }
}

/// The order in which near bodies get near rows: positions are halved along the longest side of
/// their box, at the places where the tree halves rows.
pub(super) fn order(positions: &[DVec3]) -> Vec<u32> {
    let mut rows: Vec<u32> = (0..positions.len() as u32).collect();
    halve(positions, &mut rows);
    rows
}

fn halve(positions: &[DVec3], rows: &mut [u32]) {
    if rows.len() <= LEAF / 8 {
        rows.sort_unstable();
        return;
    }
    let at = |row: &u32| positions[*row as usize];
    let (low, high) =
        rows.iter().map(at).fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), p| (l.min(p), h.max(p)));
    let size = high - low;
    let axis = if size.x >= size.y && size.x >= size.z {
        0
    } else if size.y >= size.z {
        1
    } else {
        2
    };
    let middle = rows.len() / 2;
    rows.select_nth_unstable_by(middle, |a, b| at(a)[axis].total_cmp(&at(b)[axis]).then(a.cmp(b)));
    let (left, right) = rows.split_at_mut(middle);
    halve(positions, left);
    halve(positions, right);
}
