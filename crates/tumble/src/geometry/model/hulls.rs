//! Convex parts of smooth solids: hulls with few corners and the volume of those with all.

use glam::DVec3;

use super::parts::at;
use crate::geometry::corners::fewer;
use crate::geometry::{Convex, ConvexPart, Hull};

/// Most corners of a part: a contact between two hulls costs as much as they have corners together.
const MOST_CORNERS: u32 = 32;

/// The part around points of a surface.
pub(super) fn part(points: &[DVec3]) -> ConvexPart {
    let hull = |points: &[DVec3]| {
        let hull = Hull::new(points).unwrap_or_else(|| unreachable!("a piece of a body has a volume"));
        at(DVec3::ZERO, Convex::Hull(Box::new(hull)))
    };
    let few = fewer(points, MOST_CORNERS);
    let (whole, rough) = (hull(points).moments(), hull(&few).moments());
    // Corners on the surface leave the room between them; a little farther out the volume is right
    // again. A third, since it grows with the third power of the size.
    let growth = 1.0 + (whole.volume / rough.volume - 1.0) / 3.0;
    hull(&few.iter().map(|corner| whole.centre + growth * (*corner - whole.centre)).collect::<Vec<_>>())
}
