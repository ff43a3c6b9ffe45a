//! A walk along the tree of rows: halves on different threads, a node's own contacts and joints
//! after both.

use std::ops::Range;

use super::link::Link;
use super::solve::ContactGroup;
use super::tree::{BodySlice, Tree};

impl Tree {
    /// Calls `on_bodies` for the rows of every leaf and `on_node` for every node, children before
    /// their parents. Nodes whose bodies all sleep are left out.
    pub(super) fn walk(
        &self,
        all: NodeWork<'_>,
        on_bodies: &(impl Fn(Range<usize>, &mut BodySlice<'_>) + Sync),
        on_node: &(impl Fn(&mut NodeWork<'_>) + Sync),
    ) {
        if !self.nodes.is_empty() {
            self.walk_node(self.nodes.len() - 1, all, on_bodies, on_node);
        }
    }

    fn walk_node(
        &self,
        node: usize,
        all: NodeWork<'_>,
        on_bodies: &(impl Fn(Range<usize>, &mut BodySlice<'_>) + Sync),
        on_node: &(impl Fn(&mut NodeWork<'_>) + Sync),
    ) {
        let node = &self.nodes[node];
        if node.is_idle {
            return;
        }
        let NodeWork { mut bodies, groups, links } = all;
        let (groups, own_groups) = groups.split_at_mut(node.groups.own.start - node.groups.begin);
        let (links, own_links) = links.split_at_mut(node.links.own.start - node.links.begin);
        match node.halves {
            Some([left, right]) => {
                let (bodies_left, bodies_right) = bodies.split_at(self.nodes[left].rows.len());
                let (groups, more_groups) = groups.split_at_mut(self.nodes[right].groups.begin - node.groups.begin);
                let (links, more_links) = links.split_at_mut(self.nodes[right].links.begin - node.links.begin);
                let first = NodeWork { bodies: bodies_left, groups, links };
                let second = NodeWork { bodies: bodies_right, groups: more_groups, links: more_links };
                rayon::join(
                    || self.walk_node(left, first, on_bodies, on_node),
                    || self.walk_node(right, second, on_bodies, on_node),
                );
            }
            None => on_bodies(node.rows.clone(), &mut bodies),
        }
        on_node(&mut NodeWork { bodies, groups: own_groups, links: own_links });
    }
}

/// The part of a step that a walk writes at a node: all bodies of the node, and its own contacts
/// and joints.
pub(super) struct NodeWork<'a> {
    pub(super) bodies: BodySlice<'a>,
    pub(super) groups: &'a mut [ContactGroup],
    pub(super) links: &'a mut [Link],
}

impl NodeWork<'_> {
    /// Borrows the same for one walk.
    pub(super) fn reborrow(&mut self) -> NodeWork<'_> {
        let BodySlice { first, states, poses, motions } = &mut self.bodies;
        NodeWork { bodies: BodySlice { first: *first, states, poses, motions }, groups: self.groups, links: self.links }
    }
}
