//! Face contacts: the incident side of one piece clipped to the reference side of the other
//! (Sutherland & Hodgman), with as many corners as they have. parry's sides have at most four, and
//! a coin or a prism stands on more.

use glam::DVec3;

use crate::geometry::{Convex, Corner, Manifold, ManifoldPoint, Piece};
use crate::world::Pose;

/// Number of corners of the polygon that stands for the end of a cylinder, and their places on its
/// rim.
const SIDES: u32 = 16;
const RIM: [[f64; 2]; SIDES as usize] = {
    // cos and sin of multiples of π/8.
    const A: f64 = 0.923_879_532_511_286_7;
    const B: f64 = 0.382_683_432_365_089_8;
    const C: f64 = std::f64::consts::FRAC_1_SQRT_2;
    [
        [1.0, 0.0],
        [A, B],
        [C, C],
        [B, A],
        [0.0, 1.0],
        [-B, A],
        [-C, C],
        [-A, B],
        [-1.0, 0.0],
        [-A, -B],
        [-C, -C],
        [-B, -A],
        [0.0, -1.0],
        [B, -A],
        [C, -C],
        [A, -B],
    ]
};

/// Part of the normal along the axis below which a cylinder touches with its side, not with its
/// end.
const SIDE_CONTACT: f64 = 0.1;

/// Lean below which the end of a cylinder lies flat \[rad\]. Its corners are then fixed, and do not
/// wander about the rim with its last tremor; they miss the lowest point by 2 % of its height at
/// most.
const MAX_FLAT_LEAN: f64 = 0.05;

/// Angle between side and normal below which a side bears \[rad\].
const MAX_BEARING_ANGLE: f64 = 0.02;

/// Cosine of the angle to the normal from which on sides with more than four corners are clipped
/// again: somewhat more than what bears.
const MIN_WIDE_COSINE: f64 = 0.999;

/// Depth by which clipped points may fall short of that of the sides, over the size of the smaller
/// piece: else the pieces touch beside the reference side.
const MAX_DEPTH_LOSS: f64 = 1e-3;

/// Depth from which on contacts are checked against all sides, over the size of the smaller piece:
/// of pieces exactly face to face parry may return the depth along any axis.
const CHECKED_DEPTH: f64 = 0.02;

/// Finds contact points of a cylinder and a box or another cylinder, if a flat side of one bears
/// the other; says whether that is known.
pub(super) fn flat_sides(a: &Piece, b: &Piece, place: &Pose, reach: f64, out: &mut Manifold) -> bool {
    let away = place.position;
    let (mut separation, mut normal, mut is_of_b) = (f64::NEG_INFINITY, DVec3::ZERO, false);
    let mut try_axis = |axis: DVec3, of_b: bool| {
        let axis = if axis.dot(away) < 0.0 { -axis } else { axis };
        let apart = separation_along(a, b, place, axis);
        if apart > separation {
            (separation, normal, is_of_b) = (apart, axis, of_b);
        }
    };
    axes(&a.convex).iter().for_each(|&axis| try_axis(axis, false));
    axes(&b.convex).iter().for_each(|&axis| try_axis(place.orientation * axis, true));
    out.normal = normal;
    if separation > reach {
        return true;
    }
    // Across the axes the round sides may be less deep.
    for (piece, axis) in [(a, DVec3::Z), (b, place.orientation * DVec3::Z)] {
        if matches!(piece.convex, Convex::Cylinder { .. }) {
            let across = (away - away.dot(axis) * axis).normalize_or_zero();
            if across != DVec3::ZERO && separation_along(a, b, place, across) > separation {
                return false;
            }
        }
    }
    clip(a, b, place, is_of_b, reach, out) && deepest(out) < separation + MAX_DEPTH_LOSS * a.radius().min(b.radius())
}

/// Improves the points that parry has found: with all corners where a side with more than four
/// bears, and along another axis where the pieces are far less deep.
pub(super) fn with_all_corners(a: &Piece, b: &Piece, place: &Pose, reach: f64, out: &mut Manifold) {
    if out.points.is_empty() {
        return;
    }
    let size = a.radius().min(b.radius());
    let found = (out.normal, deepest(out));
    if found.1 < -CHECKED_DEPTH * size {
        let least = least_overlap(a, b, place);
        if let Some((normal, separation, is_of_b)) = least.filter(|(_, separation, _)| *separation > 0.9 * found.1) {
            out.normal = normal;
            if clip(a, b, place, is_of_b, reach, out) && deepest(out) < separation + MAX_DEPTH_LOSS * size {
                return;
            }
            out.find(a, b, place, found.0, reach);
        }
    }
    let is_wide =
        |piece: &Piece, direction: DVec3| piece.wide_sides().iter().any(|side| side.dot(direction) > MIN_WIDE_COSINE);
    if !is_wide(a, out.normal) && !is_wide(b, place.orientation.conjugate() * -out.normal) {
        return;
    }
    let (own, theirs) = (side_normal(a, out.normal), side_normal(b, place.orientation.conjugate() * -out.normal));
    let theirs = place.orientation * -theirs;
    let (leans_a, leans_b) = (own.angle_between(out.normal), theirs.angle_between(out.normal));
    if leans_a.min(leans_b) < MAX_BEARING_ANGLE {
        let is_of_b = leans_b < leans_a;
        std::mem::swap(&mut out.points, &mut out.kept);
        out.normal = if is_of_b { theirs } else { own };
        if !clip(a, b, place, is_of_b, reach, out) || deepest(out) > found.1 + MAX_DEPTH_LOSS * size {
            out.normal = found.0;
            std::mem::swap(&mut out.points, &mut out.kept);
        }
    }
}

/// The smallest separation of the points \[m\].
fn deepest(touches: &Manifold) -> f64 {
    let separations = touches.points.iter().map(|point| (point.on_b - point.on_a).dot(touches.normal));
    separations.fold(f64::INFINITY, f64::min)
}

/// The axes across the flat sides of a box or a cylinder.
fn axes(convex: &Convex) -> &'static [DVec3] {
    match convex {
        Convex::Box(_) => &[DVec3::X, DVec3::Y, DVec3::Z],
        Convex::Cylinder { .. } => &[DVec3::Z],
        _ => &[],
    }
}

/// Separation of two pieces along a unit vector in the frame of the first; negative where they
/// overlap \[m\].
fn separation_along(a: &Piece, b: &Piece, place: &Pose, axis: DVec3) -> f64 {
    place.position.dot(axis) - a.convex.extent(axis) - b.convex.extent(place.orientation.conjugate() * -axis)
}

/// The flat side across which two pieces overlap least: its normal from the first to the second,
/// the separation, and whether it is a side of the second.
fn least_overlap(a: &Piece, b: &Piece, place: &Pose) -> Option<(DVec3, f64, bool)> {
    let of_a = a.side_normals().map(|normal| (normal, false));
    let of_b = b.side_normals().map(|normal| (place.orientation * -normal, true));
    let separations =
        of_a.chain(of_b).map(|(normal, is_of_b)| (normal, separation_along(a, b, place, normal), is_of_b));
    separations.reduce(|best, next| if next.1 > best.1 { next } else { best })
}

/// The normal of the flat side that faces a direction most, in the frame of the piece.
fn side_normal(piece: &Piece, direction: DVec3) -> DVec3 {
    let normals = piece.side_normals();
    normals.fold(
        DVec3::ZERO,
        |best, n| if best == DVec3::ZERO || n.dot(direction) > best.dot(direction) { n } else { best },
    )
}

/// Clips the incident side of one piece to the reference side of the other, along the normal of
/// `out`; the reference side is one of the second piece if `is_of_b`. Says whether there are any
/// points.
fn clip(a: &Piece, b: &Piece, place: &Pose, is_of_b: bool, reach: f64, out: &mut Manifold) -> bool {
    let normal = out.normal;
    let [mut reference, mut incident, mut cut] = std::mem::take(&mut out.corners);
    let (of_a, of_b) = if is_of_b { (&mut incident, &mut reference) } else { (&mut reference, &mut incident) };
    side(a, normal, of_a);
    side(b, place.orientation.conjugate() * -normal, of_b);
    of_b.iter_mut().for_each(|corner| corner.at = place.to_world(corner.at));
    out.points.clear();
    if reference.len() >= 3 {
        // Outwards from the reference side.
        let outwards = if is_of_b { -normal } else { normal };
        let middle = reference.iter().map(|corner| corner.at).sum::<DVec3>() / reference.len() as f64;
        for k in 0..reference.len() {
            let (from, to) = (reference[k].at, reference[(k + 1) % reference.len()].at);
            let mut inwards = outwards.cross(to - from);
            if inwards.dot(middle - from) < 0.0 {
                inwards = -inwards;
            }
            cut_by(&incident, |at| (at - from).dot(inwards), k as u32, &mut cut);
            std::mem::swap(&mut incident, &mut cut);
        }
        let base = reference[0].at;
        for corner in &incident {
            let separation = (corner.at - base).dot(outwards);
            if separation < reach {
                let on_side = corner.at - separation * outwards;
                let (on_a, on_b) = if is_of_b { (corner.at, on_side) } else { (on_side, corner.at) };
                out.points.push(ManifoldPoint { on_a, on_b, feature: corner.feature });
            }
        }
    }
    out.corners = [reference, incident, cut];
    !out.points.is_empty()
}

/// The corners of the side of a piece that faces a direction most, in the frame of the piece: two
/// for the round side of a cylinder, none if it has no sides.
fn side(piece: &Piece, direction: DVec3, corners: &mut Vec<Corner>) {
    corners.clear();
    let mut corner = |at: DVec3, feature: u32| corners.push(Corner { at, feature });
    match &piece.convex {
        Convex::Box(half) => {
            let axis = super::box_box::widest(direction.abs());
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            for (k, (x, y)) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].into_iter().enumerate() {
                let mut at = *half * direction.signum();
                (at[u], at[v]) = (x * half[u], y * half[v]);
                corner(at, (axis as u32) << 4 | k as u32);
            }
        }
        Convex::Cylinder { radius, half } => cylinder_side(*radius, *half, direction, corner),
        Convex::Hull(hull) => hull.side_along(direction).for_each(|(at, number)| corner(at, number)),
        Convex::Ball(_) | Convex::Capsule { .. } => {}
    }
}

/// The corners of the side of a cylinder that faces a direction most: of the rim of an end, or of a
/// line along its round side.
pub(super) fn cylinder_side(radius: f64, half: f64, direction: DVec3, mut corner: impl FnMut(DVec3, u32)) {
    let level = DVec3::new(direction.x, direction.y, 0.0);
    let lean = level.length();
    let first = if lean < MAX_FLAT_LEAN { DVec3::X } else { level / lean };
    if direction.z.abs() < SIDE_CONTACT {
        corner(radius * first + half * DVec3::Z, SIDES);
        corner(radius * first - half * DVec3::Z, SIDES + 1);
        return;
    }
    let (across, end) = (DVec3::Z.cross(first), half * direction.z.signum() * DVec3::Z);
    for (k, [x, y]) in RIM.into_iter().enumerate() {
        corner(end + radius * (x * first + y * across), k as u32);
    }
}

/// Keeps the part of a polygon, or of a line if it has two corners, where `inside` is not negative.
fn cut_by(polygon: &[Corner], inside: impl Fn(DVec3) -> f64, plane: u32, cut: &mut Vec<Corner>) {
    cut.clear();
    let count = polygon.len();
    for k in 0..count {
        let (from, to) = (polygon[k], polygon[(k + 1) % count]);
        let (here, there) = (inside(from.at), inside(to.at));
        if here >= 0.0 {
            cut.push(from);
        }
        let is_last_of_line = count == 2 && k == 1;
        if (here >= 0.0) != (there >= 0.0) && !is_last_of_line {
            let at = from.at + here / (here - there) * (to.at - from.at);
            let edge = from.feature.wrapping_mul(31).wrapping_add(to.feature.wrapping_mul(17));
            cut.push(Corner { at, feature: edge.wrapping_mul(7).wrapping_add(plane + 1) });
        }
    }
}
