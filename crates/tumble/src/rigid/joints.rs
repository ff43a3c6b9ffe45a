//! All joints of a step: whom they hold together, which can be solved at once, and which break.

use super::contact::Other;
use super::link::Link;
use super::tree::Tree;
use crate::world::{End, World};

/// Two that a joint holds together, by rows; the first is the smaller.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joined {
    pub(super) a: u32,
    pub(super) b: Other,
    pub(super) collide: bool,
}

/// Everything that joints hold together, sorted. Joints to a fixed place hold nothing together.
pub(super) fn joined(world: &World, list: &mut Vec<Joined>) {
    list.clear();
    list.extend(world.joints.iter().filter_map(|joint| {
        let a = world.bodies.row(joint.what.body)? as u32;
        let (a, b) = match joint.what.to {
            End::Body(id) => {
                let b = world.bodies.row(id)? as u32;
                (a.min(b), Other::body(a.max(b)))
            }
            End::Obstacle(id) => (a, Other::obstacle(id.0)),
            End::World => return None,
        };
        Some(Joined { a, b, collide: joint.what.collide })
    }));
    list.sort_unstable_by_key(|joined| (joined.a, joined.b, joined.collide));
}

/// Whether a joint keeps two from touching.
pub(super) fn is_apart(joined: &[Joined], a: u32, b: Other) -> bool {
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

    /// Lets joints remember their impulses, and removes those that broke.
    pub(super) fn remember(&mut self, world: &mut World) {
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
