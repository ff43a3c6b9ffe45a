//! Rows halved again and again: which contacts can be solved at the same time.
//!
//! Bodies that are near each other have rows near each other. A node of the tree is a range of rows; the contacts within its halves
//! belong to them, and those between the halves to the node. Two halves share no body, so threads work on them without locks, and
//! a node's own contacts come after both. Which thread does what changes no result.

use std::ops::Range;

use glam::DVec3;

use super::lanes::State;
use super::solve::Group;
use crate::world::{Motion, Pose};

/// Rows below which a range is not halved.
const LEAF: usize = 192;

/// A range of rows.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) rows: Range<usize>,
    /// Both halves, if it has them. They come before it in the list, as do their groups.
    halves: Option<[usize; 2]>,
    /// Where the groups of the halves begin.
    begin: usize,
    /// Its own groups.
    pub(super) groups: Range<usize>,
}

/// All nodes; the last is the root.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
}

impl Tree {
    /// The tree of so many rows.
    pub(super) fn build(&mut self, rows: usize) {
        if self.nodes.last().is_none_or(|root| root.rows.end != rows) {
            self.nodes.clear();
            self.add(0..rows);
        }
    }

    fn add(&mut self, rows: Range<usize>) -> usize {
        let middle = rows.start.midpoint(rows.end);
        let halves = (rows.len() > LEAF).then(|| [self.add(rows.start..middle), self.add(middle..rows.end)]);
        self.nodes.push(Node { rows, halves, begin: 0, groups: 0..0 });
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

    /// Tells every node how many groups it has.
    pub(super) fn give_groups(&mut self, counts: impl Fn(usize) -> usize) {
        let mut next = 0;
        for node in 0..self.nodes.len() {
            self.nodes[node].begin = match self.nodes[node].halves {
                Some([left, _]) => self.nodes[left].begin,
                None => next,
            };
            self.nodes[node].groups = next..next + counts(node);
            next = self.nodes[node].groups.end;
        }
    }

    /// Does `on_bodies` with the rows of every leaf, then `on_groups` with every group, leaves before the nodes above them.
    pub(super) fn walk(
        &self,
        bodies: Bodies<'_>,
        groups: &mut [Group],
        on_bodies: &(impl Fn(Range<usize>, &mut Bodies<'_>) + Sync),
        on_groups: &(impl Fn(&mut [State], usize, &mut [Group]) + Sync),
    ) {
        if !self.nodes.is_empty() {
            self.walk_node(self.nodes.len() - 1, bodies, groups, on_bodies, on_groups);
        }
    }

    fn walk_node(
        &self,
        node: usize,
        mut bodies: Bodies<'_>,
        groups: &mut [Group],
        on_bodies: &(impl Fn(Range<usize>, &mut Bodies<'_>) + Sync),
        on_groups: &(impl Fn(&mut [State], usize, &mut [Group]) + Sync),
    ) {
        let node = &self.nodes[node];
        let (below, own) = groups.split_at_mut(node.groups.start - node.begin);
        match node.halves {
            Some([left, right]) => {
                let (bodies_left, bodies_right) = bodies.cut(self.nodes[left].rows.len());
                let (groups_left, groups_right) = below.split_at_mut(self.nodes[right].begin - node.begin);
                rayon::join(
                    || self.walk_node(left, bodies_left, groups_left, on_bodies, on_groups),
                    || self.walk_node(right, bodies_right, groups_right, on_bodies, on_groups),
                );
            }
            None => on_bodies(node.rows.clone(), &mut bodies),
        }
        on_groups(bodies.states, node.rows.start, own);
    }
}

/// The columns that a walk writes.
pub(super) struct Bodies<'a> {
    pub(super) states: &'a mut [State],
    pub(super) poses: &'a mut [Pose],
    pub(super) motions: &'a mut [Motion],
}

impl Bodies<'_> {
    /// The same columns, for one walk.
    pub(super) fn all(&mut self) -> Bodies<'_> {
        Bodies { states: self.states, poses: self.poses, motions: self.motions }
    }

    fn cut(&mut self, rows: usize) -> (Bodies<'_>, Bodies<'_>) {
        let (states, more_states) = self.states.split_at_mut(rows);
        let (poses, more_poses) = self.poses.split_at_mut(rows);
        let (motions, more_motions) = self.motions.split_at_mut(rows);
        (Bodies { states, poses, motions }, Bodies { states: more_states, poses: more_poses, motions: more_motions })
    }
}

/// The order in which rows are near each other: halved along the longest side at the places where the tree halves them.
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
