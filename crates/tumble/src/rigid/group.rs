//! Groups contacts by eight that share no body (graph colouring).
//!
//! Reads contacts and the tree of rows; writes groups, and into each contact its lane. Within a
//! node of the tree every contact gets the first colour that neither of its bodies has yet; eight
//! contacts of one node and colour make a group.

use rayon::prelude::*;

use super::contact::Contact;
use super::contacts::ContactList;
use super::lanes::LANES;
use super::solids::SolidPieces;
use super::solve::{ContactGroup, InverseMass, LaneImpulses, LaneInput, STATIC, SurfacePair, max_push_speed};
use super::tree::Tree;
use crate::world::World;

/// Number of colours, as many as a mask has bits. A body with more contacts than this in one node
/// gets a group of one lane for each further one.
const COLOURS: usize = 64;

/// Place of a contact: its block, and its number in the block.
type ContactPlace = (u32, u32);

/// All groups of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactGroups {
    pub(super) list: Vec<ContactGroup>,
    /// For each group the contacts in its lanes.
    lanes: Vec<[Option<ContactPlace>; LANES]>,
    /// Colours that the contacts of each row already have in the present node.
    taken: Vec<u64>,
    of_node: Vec<Vec<ContactPlace>>,
    of_colour: Vec<Vec<ContactPlace>>,
    /// Contacts for which no colour was left.
    uncoloured: Vec<ContactPlace>,
    /// Number of groups of each node.
    pub(super) of_nodes: Vec<usize>,
}

/// Input of grouping.
pub(super) struct GroupSource<'a> {
    pub(super) world: &'a World,
    pub(super) solids: &'a SolidPieces,
    /// Inverse masses by rows.
    pub(super) inverse_masses: &'a [InverseMass],
    /// Whether a row is deep in something.
    pub(super) deep: &'a [bool],
}

impl GroupSource<'_> {
    /// Whether contacts move a row.
    fn moves(&self, row: usize) -> bool {
        !self.world.bodies.rest[row].asleep
    }

    /// The row, if it is that of a body which contacts move.
    fn moving(&self, row: Option<u32>) -> Option<usize> {
        row.map(|row| row as usize).filter(|&row| self.moves(row))
    }

    /// The coefficients of a contact.
    fn surfaces(&self, contact: &Contact) -> SurfacePair {
        let (world, radii) = (self.world, &self.solids.radii);
        let material = |row: usize| world.bodies.traits[row].material;
        let a = contact.a as usize;
        let grip = |row: usize| world.bodies.grip[row];
        let (other, radius, is_deep, grip) = match contact.b.row().map(|row| row as usize) {
            Some(b) => (material(b), radii[b].min(radii[a]), self.deep[a] || self.deep[b], grip(a).with(grip(b))),
            None => (world.obstacles[contact.b.number()].material, radii[a], self.deep[a], grip(a)),
        };
        let pair = world.materials.between(material(a), other);
        SurfacePair {
            friction: grip.friction(pair.friction) as f32,
            rolling: pair.rolling_friction as f32,
            grip_rolling: grip.rolling() as f32,
            restitution: pair.restitution as f32,
            round_radii: self.solids.round_radii(contact),
            patch_radius: radius as f32,
            max_push_speed: max_push_speed(world.gravity.length(), radius) as f32,
            is_deep,
        }
    }

    /// Puts a contact into a lane of a group.
    fn fill(&self, contact: &Contact, group: &mut ContactGroup, lane: usize) {
        let (frames, obstacle_frames) = (&self.solids.frames, &self.solids.obstacle_frames);
        let dummy = STATIC | obstacle_frames.len() as u32;
        let index = |row: u32| if self.moves(row as usize) { row } else { dummy };
        let (a, number) = (contact.a as usize, contact.b.number());
        let (b, frame_b, inverse_mass_b) = match contact.b.row() {
            Some(row) => (index(row), &frames[number], &self.inverse_masses[number]),
            None => (STATIC | number as u32, &obstacle_frames[number], &InverseMass::ZERO),
        };
        let impulses = LaneImpulses {
            normal: contact.points.map(|point| point.normal_impulse),
            friction: contact.friction_impulse,
            angular: contact.angular_impulse,
        };
        let input = LaneInput {
            a: index(contact.a),
            b,
            geometry: &contact.geometry_at_impact(&frames[a], frame_b),
            count: contact.count as usize,
            impulses,
            inverse_masses: [&self.inverse_masses[a], inverse_mass_b],
            surfaces: self.surfaces(contact),
        };
        group.fill(lane, &input);
    }
}

impl ContactGroups {
    /// Groups all contacts that move something.
    pub(super) fn make(&mut self, contacts: &mut ContactList, tree: &Tree, source: &GroupSource<'_>) {
        self.part_by_node(contacts, tree, source);
        self.lanes.clear();
        self.taken.clear();
        self.taken.resize(source.solids.frames.len(), 0);
        self.of_nodes.clear();
        for node in 0..tree.nodes.len() {
            let before = self.lanes.len();
            self.colour(contacts, node, source);
            self.taken[tree.nodes[node].rows.clone()].fill(0);
            self.of_nodes.push(self.lanes.len() - before);
        }
        for (group, lanes) in self.lanes.iter().enumerate() {
            for (lane, place) in lanes.iter().enumerate() {
                if let Some((block, k)) = place {
                    contacts.blocks[*block as usize].contacts[*k as usize].lane = (group * LANES + lane) as u32;
                }
            }
        }
        self.fill(contacts, source);
    }

    /// Gives each contact that moves something to the smallest node with all its moving bodies.
    fn part_by_node(&mut self, contacts: &mut ContactList, tree: &Tree, source: &GroupSource<'_>) {
        self.of_node.resize_with(tree.nodes.len(), Vec::new);
        self.of_node.iter_mut().for_each(Vec::clear);
        let blocks = contacts.blocks.iter_mut().enumerate().filter(|(_, block)| !block.is_untouched);
        for (number, block) in blocks {
            for (k, contact) in block.contacts.iter_mut().enumerate() {
                contact.lane = u32::MAX;
                if contact.count == 0 {
                    continue;
                }
                let (a, b) = match (source.moving(Some(contact.a)), source.moving(contact.b.row())) {
                    (Some(a), Some(b)) => (a, b),
                    (Some(row), None) | (None, Some(row)) => (row, row),
                    (None, None) => continue,
                };
                self.of_node[tree.node_of(a, b)].push((number as u32, k as u32));
            }
        }
    }

    /// Colours the contacts of a node, and makes groups of them.
    fn colour(&mut self, contacts: &ContactList, node: usize, source: &GroupSource<'_>) {
        self.of_colour.resize_with(COLOURS, Vec::new);
        self.of_colour.iter_mut().for_each(Vec::clear);
        self.uncoloured.clear();
        for &(block, k) in &self.of_node[node] {
            let contact = &contacts.blocks[block as usize].contacts[k as usize];
            let rows = [Some(contact.a), contact.b.row()].map(|row| source.moving(row));
            let taken = rows.iter().flatten().fold(0, |taken, &row| taken | self.taken[row]);
            let colour = taken.trailing_ones() as usize;
            if colour == COLOURS {
                self.uncoloured.push((block, k));
                continue;
            }
            rows.iter().flatten().for_each(|&row| self.taken[row] |= 1 << colour);
            self.of_colour[colour].push((block, k));
        }
        let coloured = self.of_colour.iter().flat_map(|contacts| contacts.chunks(LANES));
        for group in coloured.chain(self.uncoloured.chunks(1)) {
            let mut lanes = [None; LANES];
            group.iter().zip(&mut lanes).for_each(|(&place, lane)| *lane = Some(place));
            self.lanes.push(lanes);
        }
    }

    /// Fills all groups with their contacts.
    fn fill(&mut self, contacts: &ContactList, source: &GroupSource<'_>) {
        let obstacles = source.solids.obstacle_frames.len();
        self.list.resize(self.lanes.len(), ContactGroup::empty(obstacles));
        self.list.par_iter_mut().zip(&self.lanes).with_min_len(8).for_each(|(group, lanes)| {
            *group = ContactGroup::empty(obstacles);
            for (lane, place) in lanes.iter().enumerate() {
                let Some((block, k)) = *place else { continue };
                source.fill(&contacts.blocks[block as usize].contacts[k as usize], group, lane);
            }
            group.update_masses();
        });
    }

    /// Stores impulses in their contacts for the next warm start, limited to loads; gravity adds
    /// `gravity_kick` \[m/s\] in a substep.
    pub(super) fn store_impulses(&mut self, contacts: &mut ContactList, gravity_kick: f32) {
        self.list.iter_mut().for_each(|group| group.limit_warm_start(gravity_kick));
        contacts.blocks.par_iter_mut().filter(|block| !block.is_untouched).for_each(|block| {
            for contact in block.contacts.iter_mut().filter(|contact| contact.lane != u32::MAX) {
                let lane = contact.lane as usize;
                let impulses = self.list[lane / LANES].impulses(lane % LANES);
                (contact.friction_impulse, contact.angular_impulse) = (impulses.friction, impulses.angular);
                let points = contact.points.iter_mut().zip(impulses.normal);
                points.for_each(|(point, impulse)| point.normal_impulse = impulse);
            }
        });
    }
}
