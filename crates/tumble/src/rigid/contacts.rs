//! Who touches whom, where, and what they remember: contacts in blocks of rows.
//!
//! Reads pairs, pieces and where they are; writes contacts, each with its memory from the step before. The contacts of a row are in
//! the order of partner and pieces, so that old and new ones are found in one go.

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::contact::{Contact, Other, Placed};
use super::dispatch::Dispatch;
use super::narrow::{keep_few, piece_plane, touch};
use super::solids::{Bounds, Solids};
use crate::geometry::{Piece, Surface, Touches};
use crate::world::{Pose, World};

/// Rows of a block.
const BLOCK: usize = 16;

/// Two that go further in a step than this, over the size of the smaller piece, may meet far from where they are nearest when it begins.
const FLIGHT: f64 = 0.5;

/// How near they are when they have met, over the size of the smaller piece.
const MET: f64 = 0.05;

/// How often one looks for the place of a meeting.
const LOOKS: usize = 4;

/// The contacts of some consecutive rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub(super) contacts: Vec<Contact>,
    /// Those of the step before, and where those of each row begin.
    before: Vec<Contact>,
    starts: Vec<u32>,
    starts_before: Vec<u32>,
    touches: Touches,
    triangles: Vec<u32>,
    /// Whether nothing that touches here was awake or driven in the last step.
    is_still: bool,
    /// Whether its contacts are those of the last step, because nothing of it can have moved.
    pub(super) is_untouched: bool,
}

impl Block {
    /// The contacts of the step before.
    pub(super) fn before(&self) -> &[Contact] {
        &self.before
    }

    /// The contacts of a row of the block.
    pub(super) fn contacts_of(&self, row: u32) -> &[Contact] {
        let row = row as usize % BLOCK;
        &self.contacts[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

/// All contacts.
#[derive(Clone, Debug, Default)]
pub(super) struct Contacts {
    pub(super) blocks: Vec<Block>,
}

impl Contacts {
    /// All contacts, in the order of rows.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Contact> {
        self.blocks.iter().flat_map(|block| &block.contacts)
    }

    /// Replaces all contacts; they must be in the order of rows and keys.
    pub(super) fn set(&mut self, contacts: impl IntoIterator<Item = Contact>, rows: usize) {
        self.blocks.clear();
        self.blocks.resize_with(rows.div_ceil(BLOCK), Block::default);
        for contact in contacts {
            self.blocks[contact.a as usize / BLOCK].contacts.push(contact);
        }
        for (number, block) in self.blocks.iter_mut().enumerate() {
            for row in number * BLOCK..=((number + 1) * BLOCK).min(rows) {
                block.starts.push(block.contacts.partition_point(|contact| (contact.a as usize) < row) as u32);
            }
        }
    }

    /// Finds the contacts of all pairs. `reach` says how far apart two things may be and still have a contact.
    pub(super) fn find(
        &mut self,
        world: &World,
        solids: &Solids,
        dispatch: &Dispatch,
        reach: impl Fn(usize, Other) -> Reach + Sync,
    ) {
        let rows = world.bodies.len();
        self.blocks.resize_with(rows.div_ceil(BLOCK), Block::default);
        let step = Step { world, solids };
        self.blocks.par_iter_mut().enumerate().for_each(|(number, block)| {
            let rows = number * BLOCK..((number + 1) * BLOCK).min(rows);
            let rest = &world.bodies.rest;
            let is_still = rows.clone().all(|row| rest[row].asleep && dispatch.impulses.of(row).is_empty());
            block.is_untouched = is_still && block.is_still && block.starts.len() == rows.len() + 1;
            block.is_still = is_still;
            if block.is_untouched {
                return;
            }
            std::mem::swap(&mut block.contacts, &mut block.before);
            std::mem::swap(&mut block.starts, &mut block.starts_before);
            block.contacts.clear();
            block.starts.clear();
            for row in rows {
                block.starts.push(block.contacts.len() as u32);
                let mut next = block.starts_before.get(row % BLOCK).map_or(0, |&start| start as usize);
                for &other in dispatch.impulses.of(row) {
                    block.keep(&mut next, row, Some(other), world, dispatch);
                    step.find(block, &mut next, row, other, reach(row, other));
                }
                block.keep(&mut next, row, None, world, dispatch);
            }
            block.starts.push(block.contacts.len() as u32);
        });
    }
}

/// How far apart two things may be and still touch in this step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// In any direction \[m\].
    pub(super) around: f64,
    /// And further along the way of the first against the second in this step \[m\].
    pub(super) way: DVec3,
}

impl Reach {
    /// In the direction in which it is most \[m\].
    fn most(&self) -> f64 {
        self.around + self.way.length()
    }

    /// In the direction from the first to the second \[m\].
    fn along(&self, normal: DVec3) -> f64 {
        self.around + self.way.dot(normal).max(0.0)
    }
}

/// How deep the pieces of a pair are in each other where it is now, each two that touch \[m\].
pub(super) fn depths_of_pair(world: &World, solids: &Solids, row: usize, other: Other) -> impl Iterator<Item = f64> {
    let mut block = Block::default();
    let reach = Reach { around: 0.0, way: DVec3::ZERO };
    Step { world, solids }.find(&mut block, &mut 0, row, other, reach);
    let list = if other.row().is_some() { &solids.placed } else { &solids.placed_obstacles };
    let [a, b] = [&solids.placed[row], &list[other.number()]];
    block.contacts.into_iter().map(move |contact| f64::from(contact.depth(a, b, f32::INFINITY)))
}

/// What a step looks at.
struct Step<'a> {
    world: &'a World,
    solids: &'a Solids,
}

impl Block {
    /// Takes over the old contacts of a row, up to those with a partner or to the end, as they are where nothing can have moved.
    fn keep(&mut self, next: &mut usize, row: usize, until: Option<Other>, world: &World, dispatch: &Dispatch) {
        if !world.bodies.rest[row].asleep {
            return;
        }
        let end = self.starts_before.get(row % BLOCK + 1).map_or(0, |&end| end as usize);
        while *next < end && until.is_none_or(|other| self.before[*next].b < other) {
            let old = &self.before[*next];
            if dispatch.rests(world, row, old.b) {
                self.contacts.push(*old);
            }
            *next += 1;
        }
    }
}

impl Step<'_> {
    /// Finds the contacts of one pair; `next` is the next of the old ones that may be one of them.
    fn find(&self, block: &mut Block, next: &mut usize, row: usize, other: Other, within: Reach) {
        let (bodies, solids, reach) = (&self.world.bodies, self.solids, within.most());
        let pieces = solids.pieces(row);
        let pose = &bodies.pose[row];
        match other.row() {
            Some(partner) => {
                let partner = partner as usize;
                let (others, their_pose) = (solids.pieces(partner), &bodies.pose[partner]);
                for (i, (piece, bounds)) in pieces.iter().zip(solids.bounds(row)).enumerate() {
                    if !bounds.near_ball(their_pose.position, solids.radii[partner], reach) {
                        continue;
                    }
                    for (j, (theirs, their_bounds)) in others.iter().zip(solids.bounds(partner)).enumerate() {
                        if bounds.near(their_bounds, reach) {
                            let key = (row, other, [i as u32, j as u32]);
                            let placed = [&solids.placed[row], &solids.placed[partner]];
                            self.renew(block, next, key, placed, (piece, Some(theirs)), within, |old, moved, out| {
                                let pose = pose.moved(moved);
                                let place = pose.of(&piece.pose);
                                let their_place = their_pose.of(&theirs.pose).seen_from(&place);
                                touch(piece, theirs, &their_place, old.hint(&place, &pose), reach, out);
                                (place, pose, *their_pose)
                            });
                        }
                    }
                }
            }
            None => self.find_obstacle(block, next, row, other, within),
        }
    }

    fn find_obstacle(&self, block: &mut Block, next: &mut usize, row: usize, other: Other, within: Reach) {
        let (solids, reach) = (self.solids, within.most());
        let obstacle = &self.world.obstacles[other.number()];
        let pose = &self.world.bodies.pose[row];
        let placed = [&solids.placed[row], &solids.placed_obstacles[other.number()]];
        for (i, (piece, bounds)) in solids.pieces(row).iter().zip(solids.bounds(row)).enumerate() {
            if matches!(obstacle.surface, Surface::Plane) && obstacle.parts.is_empty() {
                if bounds.above(obstacle.pose.position, obstacle.pose.orientation * DVec3::Z) < reach {
                    let key = (row, other, [i as u32, 0]);
                    self.renew(block, next, key, placed, (piece, None), within, |_, moved, out| {
                        let pose = pose.moved(moved);
                        let place = pose.of(&piece.pose);
                        piece_plane(piece, &obstacle.pose.seen_from(&place), reach, out);
                        (place, pose, obstacle.pose)
                    });
                }
                continue;
            }
            if let (Surface::Mesh(mesh), true) = (&obstacle.surface, obstacle.parts.is_empty()) {
                let seen = Bounds::of(&pose.seen_from(&obstacle.pose), piece);
                let mut triangles = std::mem::take(&mut block.triangles);
                triangles.clear();
                mesh.within(seen.low() - reach, seen.high() + reach, &mut triangles);
                for &triangle in &triangles {
                    let key = (row, other, [i as u32, triangle]);
                    self.renew(block, next, key, placed, (piece, None), within, |_, moved, out| {
                        let pose = pose.moved(moved);
                        let place = pose.of(&piece.pose);
                        out.find_triangle(piece, mesh, triangle, &obstacle.pose.seen_from(&place), reach);
                        (place, pose, obstacle.pose)
                    });
                }
                block.triangles = triangles;
            }
            for (j, theirs) in solids.of_obstacle(other.number()).iter().enumerate() {
                if bounds.near(&Bounds::of(&obstacle.pose, theirs), reach) {
                    let their_place = obstacle.pose.of(&theirs.pose);
                    let key = (row, other, [i as u32, j as u32]);
                    self.renew(block, next, key, placed, (piece, Some(theirs)), within, |old, moved, out| {
                        let pose = pose.moved(moved);
                        let place = pose.of(&piece.pose);
                        let hint = old.hint(&place, &pose);
                        touch(piece, theirs, &their_place.seen_from(&place), hint, reach, out);
                        (place, pose, obstacle.pose)
                    });
                }
            }
        }
    }

    /// Takes the old contact over, with the points it has if they still serve, else with those that `look` finds. `look` moves the first
    /// body, and says where its piece and both bodies are.
    #[allow(clippy::too_many_arguments)]
    fn renew(
        &self,
        block: &mut Block,
        next: &mut usize,
        (row, other, pieces): (usize, Other, [u32; 2]),
        [a, b]: [&Placed; 2],
        (piece, theirs): (&Piece, Option<&Piece>),
        within: Reach,
        look: impl Fn(&Contact, DVec3, &mut Touches) -> (Pose, Pose, Pose),
    ) {
        let end = block.starts_before.get(row % BLOCK + 1).map_or(0, |&end| end as usize);
        let key = (other, pieces);
        while *next < end && block.before[*next].key() < key {
            *next += 1;
        }
        let old = block.before[..end].get(*next).filter(|old| old.key() == key);
        let mut contact = old.copied().unwrap_or_else(|| Contact::new(row as u32, other, pieces));
        contact.ahead = Vec3::ZERO;
        let size = theirs.map_or(f64::INFINITY, Piece::radius).min(piece.radius());
        let can_roll = piece.round(contact.normal_a) + theirs.map_or(0.0, |piece| piece.round(contact.normal_b)) > 0.0;
        let reach = within.most() as f32;
        let is_apart = theirs.is_some_and(|theirs| contact.still_apart(a, b, [piece, theirs], reach));
        if !is_apart && !contact.still_holds(a, b, (size as f32, can_roll), reach) {
            let touches = &mut block.touches;
            let mut looks = if within.way.length() > FLIGHT * size { LOOKS } else { 1 };
            let mut share = 0.0;
            let (piece, pose, their_pose) = loop {
                let seen = look(&contact, share * within.way, touches);
                looks -= 1;
                match (looks > 0).then(|| next_look(touches, &seen.0, within.way, MET * size)).flatten() {
                    Some(next) if share + next < 1.0 => share += next,
                    _ => break seen,
                }
            };
            let left = Reach { around: within.around, way: (1.0 - share) * within.way };
            keep_few(touches, left.along(piece.orientation * touches.normal));
            contact.take(touches, &piece, &pose, &their_pose);
            contact.ahead = (-share * within.way).as_vec3();
        }
        if contact.is_known() {
            block.contacts.push(contact);
        }
    }
}

/// How much more of the first piece's way against the second it can go without meeting it, when they are not nearer than `met` \[m\] and come
/// nearer (conservative advancement, Mirtich 1996): with straight ways it never goes too far.
fn next_look(touches: &Touches, piece: &Pose, way: DVec3, met: f64) -> Option<f64> {
    let gaps = touches.points.iter().map(|point| (point.on_b - point.on_a).dot(touches.normal));
    let gap = gaps.fold(f64::INFINITY, f64::min);
    let comes = way.dot(piece.orientation * touches.normal);
    (gap.is_finite() && gap > met && comes > 0.0).then(|| gap / comes)
}
