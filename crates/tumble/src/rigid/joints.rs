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

/// Lists the links of all joints that move something, in the order of the tree's nodes, and how many each node has. `fastest` says how fast
/// the body in a row moves out of an overlap \[m/s\].
pub(super) fn link(
    world: &World,
    tree: &Tree,
    radii: &[f64],
    fastest: impl Fn(f64) -> f64,
    dt: f64,
    links: &mut Vec<Link>,
    of_nodes: &mut Vec<usize>,
) {
    of_nodes.clear();
    of_nodes.resize(tree.nodes.len(), 0);
    links.clear();
    for joint in 0..world.joints.len() {
        let Some(link) = Link::new(world, joint, radii, &fastest, dt) else { continue };
        let [a, b] = link.rows();
        of_nodes[tree.node_of(a, b)] += 1;
        links.push(link);
    }
    // Joints of one node stay in the order of their making.
    links.sort_by_cached_key(|link| {
        let [a, b] = link.rows();
        tree.node_of(a, b)
    });
}

/// Lets joints remember their impulses, and removes those that broke.
pub(super) fn remember(world: &mut World, links: &[Link]) {
    let mut broken = vec![false; world.joints.len()];
    for link in links {
        world.joints.list[link.joint as usize].impulses = link.impulses;
        broken[link.joint as usize] = link.is_broken;
    }
    if broken.contains(&true) {
        let mut next = broken.into_iter();
        world.remove_joints(|_| next.next().unwrap_or(false));
    }
}
