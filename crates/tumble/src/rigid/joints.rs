//! All joints of a step: the pairs they connect, their order along the tree, and which of them
//! break.

use super::contact::Partner;
use super::link::Link;
use super::tree::Tree;
use crate::world::{End, World};

/// Two sides that a joint connects; row `a` is the smaller.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointPair {
    pub(super) a: u32,
    pub(super) b: Partner,
    /// Whether the two may also collide.
    pub(super) collide: bool,
}

/// Lists the pairs that joints connect, sorted. Joints to a fixed place connect none.
pub(super) fn joined(world: &World, list: &mut Vec<JointPair>) {
    list.clear();
    list.extend(world.joints.iter().filter_map(|joint| {
        let a = world.bodies.row(joint.what.body)? as u32;
        let (a, b) = match joint.what.to {
            End::Body(id) => {
                let b = world.bodies.row(id)? as u32;
                (a.min(b), Partner::body(a.max(b)))
            }
            End::Obstacle(id) => (a, Partner::obstacle(id.0)),
            End::World => return None,
        };
        Some(JointPair { a, b, collide: joint.what.collide })
    }));
    list.sort_unstable_by_key(|joined| (joined.a, joined.b, joined.collide));
}

/// Whether a joint keeps two from colliding.
pub(super) fn is_apart(joined: &[JointPair], a: u32, b: Partner) -> bool {
    let first = joined.partition_point(|joined| (joined.a, joined.b) < (a, b));
    joined.get(first).is_some_and(|joined| (joined.a, joined.b, joined.collide) == (a, b, false))
}

/// All joints of a step that move something, in the order of the tree's nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    pub(super) list: Vec<Link>,
    /// Number of links of each node.
    pub(super) of_nodes: Vec<usize>,
    /// Whether a joint of the world broke in this step.
    broken: Vec<bool>,
}

impl Links {
    /// Lists the links of a step of `dt` \[s\].
    pub(super) fn make(&mut self, world: &World, tree: &Tree, radii: &[f64], dt: f64) {
        self.of_nodes.clear();
        self.of_nodes.resize(tree.nodes.len(), 0);
        self.list.clear();
        for joint in 0..world.joints.len() {
            let Some(link) = Link::new(world, tree, joint, radii, dt) else { continue };
            self.of_nodes[link.node as usize] += 1;
            self.list.push(link);
        }
        // Joints of one node stay in the order of their making.
        self.list.sort_unstable_by_key(|link| (link.node, link.joint));
    }

    /// Stores impulses in their joints for the next warm start, and removes joints that broke.
    pub(super) fn store_impulses(&mut self, world: &mut World) {
        self.broken.clear();
        self.broken.resize(world.joints.len(), false);
        for link in &self.list {
            world.joints.list[link.joint as usize].impulses = link.impulses;
            self.broken[link.joint as usize] = link.is_broken;
        }
        if self.broken.contains(&true) {
            let mut broken = self.broken.iter();
            world.remove_joints(|_| broken.next() == Some(&true));
        }
    }
}
