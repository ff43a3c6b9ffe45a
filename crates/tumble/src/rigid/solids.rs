//! The convex pieces of all bodies and obstacles, at their sizes and where they are.
//!
//! Bodies of one shape and one size share their pieces. The spheres of a clump are balls.

use super::contact::{BodyFrame, Contact};
use crate::geometry::{Convex, ConvexPart, Piece, Surface};
use crate::world::{Obstacle, Pose, Shape, ShapeId, World};
use glam::{DMat3, DVec3};

/// Pieces that bodies of one shape and size share.
#[derive(Clone, Debug)]
struct BodyKind {
    shape: ShapeId,
    size: u64,
    pieces: Vec<Piece>,
    radius: f64,
}

/// The bounding box of a piece, along the world axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceBox {
    middle: DVec3,
    half: DVec3,
}

impl PieceBox {
    /// The bounding box of a piece of a body at `pose`.
    pub(super) fn of(pose: &Pose, piece: &Piece) -> Self {
        let turn = DMat3::from_quat(pose.orientation * piece.pose.orientation);
        let abs = DMat3::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs());
        Self { middle: pose.to_world(piece.pose.to_world(piece.middle)), half: abs * piece.half }
    }

    /// Its lowest corner \[m\].
    pub(super) fn low(&self) -> DVec3 {
        self.middle - self.half
    }

    /// Its highest corner \[m\].
    pub(super) fn high(&self) -> DVec3 {
        self.middle + self.half
    }

    /// Whether two boxes come within `reach` \[m\] of each other.
    #[inline(always)]
    pub(super) fn near(&self, other: &Self, reach: f64) -> bool {
        (other.middle - self.middle).abs().cmple(self.half + other.half + reach).all()
    }

    /// Whether it comes within `reach` \[m\] of a ball.
    #[inline(always)]
    pub(super) fn near_ball(&self, centre: DVec3, radius: f64, reach: f64) -> bool {
        (centre - self.middle).abs().cmple(self.half + (radius + reach)).all()
    }

    /// Height of its lowest point above a plane through `origin` with this normal \[m\].
    pub(super) fn above(&self, origin: DVec3, normal: DVec3) -> f64 {
        (self.middle - origin).dot(normal) - self.half.dot(normal.abs())
    }
}

/// Pieces of all bodies and obstacles. Derived from the world; not state.
#[derive(Clone, Debug, Default)]
pub(super) struct SolidPieces {
    kinds: Vec<BodyKind>,
    /// The kind of each row.
    of_row: Vec<u32>,
    obstacles: Vec<Vec<Piece>>,
    /// Bounding radius of each body \[m\].
    pub(super) radii: Vec<f64>,
    /// Frames of bodies by rows, and of obstacles.
    pub(super) frames: Vec<BodyFrame>,
    pub(super) obstacle_frames: Vec<BodyFrame>,
    /// Bounding box of each piece; those of a row begin at its `first_piece`.
    bounds: Vec<PieceBox>,
    first_piece: Vec<u32>,
    /// Whether a row has slept since its boxes were made.
    slept: Vec<bool>,
}

impl SolidPieces {
    /// Updates frames and boxes. `is_new` says whether rows are other bodies than in the last step;
    /// else there may only be more of them.
    pub(super) fn follow(&mut self, world: &World, is_new: bool) {
        let bodies = &world.bodies;
        if self.obstacles.len() != world.obstacles.len() {
            self.obstacles = world.obstacles.iter().map(pieces_of_obstacle).collect();
        }
        if is_new {
            self.of_row.clear();
            self.radii.clear();
            self.frames.clear();
            self.bounds.clear();
            self.first_piece.clear();
            self.slept.clear();
        }
        for row in 0..self.of_row.len() {
            let asleep = bodies.rest[row].asleep;
            if !(asleep && self.slept[row]) {
                let pose = &bodies.pose[row];
                let first = self.first_piece[row] as usize;
                let pieces = &self.kinds[self.of_row[row] as usize].pieces;
                for (bounds, piece) in self.bounds[first..].iter_mut().zip(pieces) {
                    *bounds = PieceBox::of(pose, piece);
                }
                self.frames[row] = BodyFrame::of(pose);
                self.slept[row] = asleep;
            }
        }
        let known = self.of_row.len();
        for (traits, pose) in bodies.traits.iter().zip(&bodies.pose).skip(known) {
            let size = traits.size.to_bits();
            let known = self.kinds.iter().position(|kind| kind.shape == traits.shape && kind.size == size);
            let kind = known.unwrap_or_else(|| {
                let shape = &world.shapes[traits.shape.index()];
                let pieces: Vec<_> = parts_of(shape).iter().map(|part| Piece::new(part, traits.size)).collect();
                let radius = traits.size * shape.bounding_radius;
                self.kinds.push(BodyKind { shape: traits.shape, size, pieces, radius });
                self.kinds.len() - 1
            });
            let BodyKind { radius, pieces, .. } = &self.kinds[kind];
            self.of_row.push(kind as u32);
            self.radii.push(*radius);
            self.first_piece.push(self.bounds.len() as u32);
            self.bounds.extend(pieces.iter().map(|piece| PieceBox::of(pose, piece)));
            self.frames.push(BodyFrame::of(pose));
            self.slept.push(false);
        }
        self.obstacle_frames.clear();
        self.obstacle_frames.extend(world.obstacles.iter().map(|obstacle| BodyFrame::of(&obstacle.pose)));
    }

    /// Notes that a row woke in this step: it may be asleep again when the next one begins.
    pub(super) fn wake(&mut self, row: usize) {
        self.slept[row] = false;
    }

    /// The pieces of the body in a row.
    pub(super) fn pieces(&self, row: usize) -> &[Piece] {
        &self.kinds[self.of_row[row] as usize].pieces
    }

    /// The boxes about the pieces of the body in a row.
    pub(super) fn bounds(&self, row: usize) -> &[PieceBox] {
        let first = self.first_piece[row] as usize;
        &self.bounds[first..first + self.pieces(row).len()]
    }

    /// Radii of both pieces where they are round at a contact, zero where they are not \[m\].
    pub(super) fn round_radii(&self, contact: &Contact) -> [f32; 2] {
        let [a, b] = contact.pieces.map(|piece| piece as usize);
        let theirs = match contact.b.row() {
            Some(row) => self.pieces(row as usize).get(b),
            None => self.obstacles[contact.b.number()].get(b),
        };
        [
            self.pieces(contact.a as usize)[a].round(contact.normal_a),
            theirs.map_or(0.0, |piece| piece.round(contact.normal_b)),
        ]
    }

    /// The convex pieces of an obstacle; none for a plane or a mesh.
    pub(super) fn of_obstacle(&self, number: usize) -> &[Piece] {
        &self.obstacles[number]
    }
}

/// The convex pieces of a shape of size one.
fn parts_of(shape: &Shape) -> Vec<ConvexPart> {
    if !shape.parts.is_empty() {
        return shape.parts.clone();
    }
    let ball = |sphere: &crate::world::ShapeSphere| ConvexPart {
        convex: Convex::Ball(sphere.radius),
        pose: Pose { position: sphere.offset, ..Pose::IDENTITY },
    };
    shape.spheres.iter().map(ball).collect()
}

/// The convex pieces of an obstacle; none for a plane or a mesh.
fn pieces_of_obstacle(obstacle: &Obstacle) -> Vec<Piece> {
    match &obstacle.surface {
        Surface::Box(half) if obstacle.parts.is_empty() => {
            vec![Piece::new(&ConvexPart { convex: Convex::Box(*half), pose: Pose::IDENTITY }, 1.0)]
        }
        _ => obstacle.parts.iter().map(|part| Piece::new(part, 1.0)).collect(),
    }
}
