//! Puts contacts into groups of eight that share no body.
//!
//! Reads contacts and the tree; writes groups, and into each contact its seat. Within a node every contact gets the first colour
//! that neither of its bodies has yet; eight of one node and colour make a group.

use rayon::prelude::*;

use super::contact::Contact;
use super::contacts::Contacts;
use super::lanes::LANES;
use super::solids::Solids;
use super::solve::{Group, Lane, Resistance, Surfaces, UNMOVED, fastest_out};
use super::tree::Tree;
use crate::world::World;

/// Colours that a mask has room for. A body with more contacts in one node than this gets a group of its own for each further one.
const COLOURS: usize = 64;

/// Groups, and what they are made from.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    pub(super) list: Vec<Group>,
    /// For each group the contacts of its lanes: block and number in the block.
    lanes: Vec<[Option<(u32, u32)>; LANES]>,
    /// Colours that each row has in the node that is being coloured.
    taken: Vec<u64>,
    of_node: Vec<Vec<(u32, u32)>>,
    of_colour: Vec<Vec<(u32, u32)>>,
    /// Those for which no colour was left.
    alone: Vec<(u32, u32)>,
    /// How many groups each node has.
    pub(super) of_nodes: Vec<usize>,
}

/// What groups are filled from.
pub(super) struct Source<'a> {
    pub(super) world: &'a World,
    pub(super) solids: &'a Solids,
    pub(super) resistance: &'a [Resistance],
    /// Whether a row is deep in something.
    pub(super) deep: &'a [bool],
}

impl Source<'_> {
    /// Whether contacts move a row.
    fn moves(&self, row: usize) -> bool {
        !self.world.bodies.rest[row].asleep
    }

    /// How the surfaces of a contact answer each other.
    fn surfaces(&self, contact: &Contact) -> Surfaces {
        let (world, radii) = (self.world, &self.solids.radii);
        let material = |row: usize| world.bodies.traits[row].material;
        let a = contact.a as usize;
        let (other, radius, is_deep) = match contact.b.row().map(|row| row as usize) {
            Some(b) => (material(b), radii[b].min(radii[a]), self.deep[a] || self.deep[b]),
            None => (world.obstacles[contact.b.number()].material, radii[a], self.deep[a]),
        };
        let pair = world.materials.between(material(a), other);
        Surfaces {
            friction: pair.friction as f32,
            rolling: pair.rolling_friction as f32,
            restitution: pair.restitution as f32,
            round: self.solids.round(contact),
            patch: radius as f32,
            fastest_out: fastest_out(world.gravity.length(), radius) as f32,
            is_deep,
        }
    }
}

impl Groups {
    /// Groups all contacts that move something.
    pub(super) fn make(&mut self, contacts: &mut Contacts, tree: &Tree, source: &Source<'_>) {
        let rows = source.solids.placed.len();
        self.of_node.resize_with(tree.nodes.len(), Vec::new);
        self.of_node.iter_mut().for_each(Vec::clear);
        let touched = contacts.blocks.iter_mut().enumerate().filter(|(_, block)| !block.is_untouched);
        for (number, block) in touched {
            for (k, contact) in block.contacts.iter_mut().enumerate() {
                contact.seat = u32::MAX;
                if contact.count == 0 {
                    continue;
                }
                let a = contact.a as usize;
                let b = contact.b.row().map(|row| row as usize).filter(|&row| source.moves(row));
                let (a, b) = match (source.moves(a), b) {
                    (true, Some(b)) => (a, b),
                    (true, None) => (a, a),
                    (false, Some(b)) => (b, b),
                    (false, None) => continue,
                };
                self.of_node[tree.node_of(a, b)].push((number as u32, k as u32));
            }
        }

        self.lanes.clear();
        self.taken.clear();
        self.taken.resize(rows, 0);
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
                    contacts.blocks[*block as usize].contacts[*k as usize].seat = (group * LANES + lane) as u32;
                }
            }
        }
        self.fill(contacts, source);
    }

    /// Colours the contacts of a node, and makes groups of them.
    fn colour(&mut self, contacts: &Contacts, node: usize, source: &Source<'_>) {
        self.of_colour.resize_with(COLOURS, Vec::new);
        self.of_colour.iter_mut().for_each(Vec::clear);
        self.alone.clear();
        for &(block, k) in &self.of_node[node] {
            let contact = &contacts.blocks[block as usize].contacts[k as usize];
            let rows = [Some(contact.a), contact.b.row()].map(|row| row.filter(|&row| source.moves(row as usize)));
            let taken = rows.iter().flatten().fold(0, |taken, &row| taken | self.taken[row as usize]);
            let colour = taken.trailing_ones() as usize;
            if colour == COLOURS {
                self.alone.push((block, k));
                continue;
            }
            rows.iter().flatten().for_each(|&row| self.taken[row as usize] |= 1 << colour);
            self.of_colour[colour].push((block, k));
        }
        for group in self.of_colour.iter().flat_map(|of_colour| of_colour.chunks(LANES)).chain(self.alone.chunks(1)) {
            let mut lanes = [None; LANES];
            group.iter().zip(&mut lanes).for_each(|(&place, lane)| *lane = Some(place));
            self.lanes.push(lanes);
        }
    }

    fn fill(&mut self, contacts: &Contacts, source: &Source<'_>) {
        let obstacles = source.solids.placed_obstacles.len();
        let still = UNMOVED | obstacles as u32;
        let moved = |row: u32| if source.moves(row as usize) { row } else { still };
        self.list.resize(self.lanes.len(), Group::empty(obstacles));
        self.list.par_iter_mut().zip(&self.lanes).with_min_len(8).for_each(|(group, lanes)| {
            *group = Group::empty(obstacles);
            for (lane, place) in lanes.iter().enumerate() {
                let Some((block, k)) = *place else { continue };
                let contact = &contacts.blocks[block as usize].contacts[k as usize];
                let number = contact.b.number();
                let is_body = contact.b.row().is_some();
                let placed_b =
                    if is_body { &source.solids.placed[number] } else { &source.solids.placed_obstacles[number] };
                let a = contact.a as usize;
                group.fill(
                    lane,
                    &Lane {
                        a: moved(contact.a),
                        b: if is_body { moved(number as u32) } else { UNMOVED | number as u32 },
                        seen: &contact.foresee(&source.solids.placed[a], placed_b),
                        pushes: contact.points.map(|point| point.push),
                        count: contact.count as usize,
                        rub: contact.rub,
                        turn: contact.turn,
                        resistance: [
                            &source.resistance[a],
                            if is_body { &source.resistance[number] } else { &Resistance::INFINITE },
                        ],
                        surfaces: source.surfaces(contact),
                    },
                );
            }
            group.weigh();
        });
    }

    /// Lets contacts remember their impulses, of which loads will come again; gravity adds `fall`
    /// \[m/s\] in a substep.
    pub(super) fn remember(&mut self, contacts: &mut Contacts, fall: f32) {
        self.list.iter_mut().for_each(|group| group.keep_loads(fall));
        contacts.blocks.par_iter_mut().filter(|block| !block.is_untouched).for_each(|block| {
            for contact in block.contacts.iter_mut().filter(|contact| contact.seat != u32::MAX) {
                let seat = contact.seat as usize;
                let (pushes, rub, turn) = self.list[seat / LANES].result(seat % LANES);
                (contact.rub, contact.turn) = (rub, turn);
                contact.points.iter_mut().zip(pushes).for_each(|(point, push)| point.push = push);
            }
        });
    }
}
