//! The narrow phase of a pair: for each two pieces that are near, match history ▶ still valid ▶
//! else advance to impact and find points.
//!
//! Reads pieces, poses and how far the two may come; writes contacts into the block of the first
//! row.

use glam::{DVec3, Vec3};

use super::contact::{BodyFrame, Contact, Partner};
use super::contact_block::ContactBlock;
use super::narrow::{collide, piece_plane, reduce_points};
use super::solids::{PieceBox, SolidPieces};
use super::travel::Reach;
use crate::geometry::{Manifold, MeshSurface, Piece, Surface};
use crate::world::{Pose, World};

/// Distance that the two points of a contact may slip along the surface before they are found anew,
/// over the size of the smaller piece.
const MAX_SLIP: f32 = 0.004;

/// Angle by which two bodies may tilt against each other before the points are found anew \[rad\].
const MAX_TILT: f32 = 0.004;

/// The same where one of the pieces can roll: points would roll along, and normal impulses get an
/// arm on which they help the rolling \[rad\].
const MAX_TILT_ROUND: f32 = 0.0001;

/// Relative motion per step, over the size of the smaller piece, above which contacts are searched
/// along the path.
const FAST_MOTION: f64 = 0.5;

/// Separation at which two pieces count as met, over the size of the smaller.
const IMPACT_SEPARATION: f64 = 0.05;

/// The most searches along a path.
const MAX_SEARCHES: usize = 4;

/// The narrow phase of a step.
pub(super) struct NarrowPhase<'a> {
    pub(super) world: &'a World,
    pub(super) solids: &'a SolidPieces,
}

/// A body and its partner where they are when the step begins.
struct BodyPair<'a> {
    row: usize,
    other: Partner,
    reach: Reach,
    poses: [&'a Pose; 2],
    frames: [&'a BodyFrame; 2],
}

/// Two pieces of a pair; a plane or a triangle is no piece.
struct PiecePair<'a> {
    bodies: &'a BodyPair<'a>,
    numbers: [u32; 2],
    a: &'a Piece,
    b: Option<&'a Piece>,
}

impl NarrowPhase<'_> {
    /// Finds the contacts of one pair.
    pub(super) fn find(&self, block: &mut ContactBlock, row: usize, other: Partner, reach: Reach) {
        let (bodies, solids, number) = (&self.world.bodies, self.solids, other.number());
        let (pose, frames) = (&bodies.pose[row], &solids.frames[row]);
        if other.row().is_some() {
            let (poses, frames) = ([pose, &bodies.pose[number]], [frames, &solids.frames[number]]);
            return self.find_body(block, &BodyPair { row, other, reach, poses, frames });
        }
        let obstacle = &self.world.obstacles[number];
        let (poses, frames) = ([pose, &obstacle.pose], [frames, &solids.obstacle_frames[number]]);
        let pair = BodyPair { row, other, reach, poses, frames };
        match &obstacle.surface {
            Surface::Plane if obstacle.parts.is_empty() => self.find_plane(block, &pair),
            Surface::Mesh(mesh) if obstacle.parts.is_empty() => self.find_mesh(block, &pair, mesh),
            _ => self.find_parts(block, &pair),
        }
    }

    /// Finds the contacts of two bodies.
    fn find_body(&self, block: &mut ContactBlock, pair: &BodyPair<'_>) {
        let (solids, partner, reach) = (self.solids, pair.other.number(), pair.reach.largest());
        for (i, (piece, bounds)) in solids.pieces(pair.row).iter().zip(solids.bounds(pair.row)).enumerate() {
            if !bounds.near_ball(pair.poses[1].position, solids.radii[partner], reach) {
                continue;
            }
            for (j, (theirs, their_bounds)) in solids.pieces(partner).iter().zip(solids.bounds(partner)).enumerate() {
                if bounds.near(their_bounds, reach) {
                    find_pieces(block, pair, [i as u32, j as u32], piece, theirs);
                }
            }
        }
    }

    /// Finds the contacts of a body and the convex parts of an obstacle.
    fn find_parts(&self, block: &mut ContactBlock, pair: &BodyPair<'_>) {
        let (solids, reach) = (self.solids, pair.reach.largest());
        for (i, (piece, bounds)) in solids.pieces(pair.row).iter().zip(solids.bounds(pair.row)).enumerate() {
            for (j, theirs) in solids.of_obstacle(pair.other.number()).iter().enumerate() {
                if bounds.near(&PieceBox::of(pair.poses[1], theirs), reach) {
                    find_pieces(block, pair, [i as u32, j as u32], piece, theirs);
                }
            }
        }
    }

    /// Finds the contacts of a body and a plane.
    fn find_plane(&self, block: &mut ContactBlock, pair: &BodyPair<'_>) {
        let (solids, reach, plane) = (self.solids, pair.reach.largest(), pair.poses[1]);
        for (i, (piece, bounds)) in solids.pieces(pair.row).iter().zip(solids.bounds(pair.row)).enumerate() {
            if bounds.above(plane.position, plane.orientation * DVec3::Z) < reach {
                let pieces = PiecePair { bodies: pair, numbers: [i as u32, 0], a: piece, b: None };
                pieces.renew(block, |_, place, _, out| piece_plane(piece, &plane.seen_from(place), reach, out));
            }
        }
    }

    /// Finds the contacts of a body and the triangles of a mesh.
    fn find_mesh(&self, block: &mut ContactBlock, pair: &BodyPair<'_>, mesh: &MeshSurface) {
        let ([pose, mesh_pose], reach) = (pair.poses, pair.reach.largest());
        let mut triangles = std::mem::take(&mut block.triangles);
        for (i, piece) in self.solids.pieces(pair.row).iter().enumerate() {
            let seen = PieceBox::of(&pose.seen_from(mesh_pose), piece);
            triangles.clear();
            mesh.within(seen.low() - reach, seen.high() + reach, &mut triangles);
            for &triangle in &triangles {
                let pieces = PiecePair { bodies: pair, numbers: [i as u32, triangle], a: piece, b: None };
                pieces.renew(block, |_, place, _, out| {
                    out.find_triangle(piece, mesh, triangle, &mesh_pose.seen_from(place), reach);
                });
            }
        }
        block.triangles = triangles;
    }
}

/// Finds the contact of two convex pieces.
fn find_pieces(block: &mut ContactBlock, pair: &BodyPair<'_>, numbers: [u32; 2], piece: &Piece, theirs: &Piece) {
    let (reach, their_place) = (pair.reach.largest(), pair.poses[1].of(&theirs.pose));
    PiecePair { bodies: pair, numbers, a: piece, b: Some(theirs) }.renew(block, |old, place, pose, out| {
        collide(piece, theirs, &their_place.seen_from(place), old.normal_hint(place, pose), reach, out);
    });
}

impl PiecePair<'_> {
    /// Takes the old contact over, with the points it has if they are still valid, else with those
    /// that `search` finds. `search` gets the old contact and the poses of the first piece and its
    /// body.
    #[inline(always)]
    fn renew(&self, block: &mut ContactBlock, search: impl Fn(&Contact, &Pose, &Pose, &mut Manifold)) {
        let mut contact = block.match_history(self.bodies.row, self.bodies.other, self.numbers);
        contact.impact_offset = Vec3::ZERO;
        if !self.still_valid(&contact) {
            self.advance_to_impact(&mut contact, &mut block.touches, search);
        }
        if contact.is_known() {
            block.contacts.push(contact);
        }
    }

    /// Radius of the smaller piece \[m\].
    fn size(&self) -> f64 {
        self.b.map_or(f64::INFINITY, Piece::radius).min(self.a.radius())
    }

    /// Whether the points of a contact serve again, or its separating axis still separates.
    fn still_valid(&self, contact: &Contact) -> bool {
        let ([a, b], reach) = (self.bodies.frames, self.bodies.reach.largest() as f32);
        if self.b.is_some_and(|theirs| contact.still_apart(a, b, [self.a, theirs], reach)) {
            return true;
        }
        let roundness = self.a.round(contact.normal_a) + self.b.map_or(0.0, |piece| piece.round(contact.normal_b));
        let max_tilt = if roundness > 0.0 { MAX_TILT_ROUND } else { MAX_TILT };
        contact.still_holds(a, b, MAX_SLIP * self.size() as f32, max_tilt, reach)
    }

    /// Finds the points of a contact. Fast pieces are moved along their path to where they meet
    /// (conservative advancement, Mirtich 1996).
    fn advance_to_impact(
        &self,
        contact: &mut Contact,
        touches: &mut Manifold,
        search: impl Fn(&Contact, &Pose, &Pose, &mut Manifold),
    ) {
        let (Reach { around, displacement }, size) = (self.bodies.reach, self.size());
        let mut searches = if displacement.length() > FAST_MOTION * size { MAX_SEARCHES } else { 1 };
        let mut share = 0.0;
        let (piece, pose) = loop {
            let pose = self.bodies.poses[0].moved(share * displacement);
            let piece = pose.of(&self.a.pose);
            search(contact, &piece, &pose, touches);
            searches -= 1;
            let next =
                (searches > 0).then(|| safe_share(touches, &piece, displacement, IMPACT_SEPARATION * size)).flatten();
            match next {
                Some(next) if share + next < 1.0 => share += next,
                _ => break (piece, pose),
            }
        };
        let left = Reach { around, displacement: (1.0 - share) * displacement };
        reduce_points(touches, left.along(piece.orientation * touches.normal));
        contact.set_points(touches, &piece, &pose, self.bodies.poses[1]);
        contact.impact_offset = (-share * displacement).as_vec3();
    }
}

/// The share of its path that the first piece can still move without meeting the second, if they
/// are further apart than `met` \[m\] and approach each other. On a straight path it never goes too
/// far.
fn safe_share(touches: &Manifold, piece: &Pose, displacement: DVec3, met: f64) -> Option<f64> {
    let separations = touches.points.iter().map(|point| (point.on_b - point.on_a).dot(touches.normal));
    let separation = separations.fold(f64::INFINITY, f64::min);
    let approach = displacement.dot(piece.orientation * touches.normal);
    (separation.is_finite() && separation > met && approach > 0.0).then(|| separation / approach)
}

/// Depths of all contacts of a pair where it is now \[m\].
pub(super) fn depths_of_pair(
    world: &World,
    solids: &SolidPieces,
    row: usize,
    other: Partner,
) -> impl Iterator<Item = f64> {
    let mut block = ContactBlock::default();
    let reach = Reach { around: 0.0, displacement: DVec3::ZERO };
    NarrowPhase { world, solids }.find(&mut block, row, other, reach);
    let list = if other.row().is_some() { &solids.frames } else { &solids.obstacle_frames };
    let [a, b] = [&solids.frames[row], &list[other.number()]];
    block.contacts.into_iter().map(move |contact| f64::from(contact.depth(a, b, f32::INFINITY)))
}
