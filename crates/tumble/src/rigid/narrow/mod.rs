//! The narrow phase of two pieces: where they touch, at most four points.

mod box_box;
mod collide;
mod faces;
mod plane;
mod reduce;
mod rods;

pub(super) use collide::collide;
pub(super) use plane::piece_plane;
pub(super) use reduce::reduce_points;

/// The largest number of points of a contact.
pub(super) const MAX_POINTS: usize = 4;
