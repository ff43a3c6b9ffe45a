//! Unions of boxes, exactly: the planes of all boxes cut space into cells, and the sides between
//! full and empty cells are the surface. Books, chairs and carts are made of them.

use glam::{DQuat, DVec3};

use super::parts::{at, block};
use super::{Mesh, solids};
use crate::geometry::{Convex, ConvexPart, Pose};

/// A box from its lowest to its highest corner \[m\].
type Corners = [DVec3; 2];

/// The surface of boxes that overlap or lie side by side, but nowhere touch along an edge only.
fn union(boxes: &[Corners]) -> Mesh {
    let planes = [0, 1, 2].map(|axis| {
        let mut planes: Vec<f64> = boxes.iter().flatten().map(|corner| corner[axis]).collect();
        planes.sort_unstable_by(f64::total_cmp);
        planes.dedup();
        planes
    });
    let counts = [0, 1, 2].map(|axis| planes[axis].len());
    let corner = |place: [usize; 3]| DVec3::new(planes[0][place[0]], planes[1][place[1]], planes[2][place[2]]);
    let is_full = |place: [usize; 3]| {
        let middle = 0.5 * (corner(place) + corner(place.map(|k| k + 1)));
        boxes.iter().any(|[low, high]| middle.cmpgt(*low).all() && middle.cmplt(*high).all())
    };
    let places = |less: usize| {
        let [x, y, z] = counts.map(|count| count - less);
        (0..z).flat_map(move |k| (0..y).flat_map(move |j| (0..x).map(move |i| [i, j, k])))
    };
    let number = |place: [usize; 3]| (place[0] + counts[0] * (place[1] + counts[1] * place[2])) as u32;
    let mut triangles = Vec::new();
    for place in places(1).filter(|place| is_full(*place)) {
        for axis in 0..3 {
            for side in [0, 1] {
                let mut beyond = place;
                let within = if side == 0 { place[axis] > 0 } else { place[axis] + 2 < counts[axis] };
                if within {
                    beyond[axis] = if side == 0 { place[axis] - 1 } else { place[axis] + 1 };
                    if is_full(beyond) {
                        continue;
                    }
                }
                let at = |along: usize, across: usize| {
                    let mut place = place;
                    place[axis] += side;
                    place[(axis + 1) % 3] += along;
                    place[(axis + 2) % 3] += across;
                    number(place)
                };
                let [a, b, c, d] = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
                triangles.extend(if side == 1 { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] });
            }
        }
    }
    // Corners that no side has are dropped.
    super::made(places(0).map(corner).collect(), triangles)
}

/// Boxes as convex parts.
fn parts_of(boxes: &[Corners]) -> Vec<ConvexPart> {
    boxes.iter().map(|[low, high]| block(*low, *high)).collect()
}

/// A box by its ranges along x, y and z, larger by a factor.
fn range(size: f64, [x, y, z]: [[f64; 2]; 3]) -> Corners {
    [0, 1].map(|end| size * DVec3::new(x[end], y[end], z[end]))
}

/// The same box on the other side of the plane y = 0.
fn mirrored([low, high]: Corners) -> Corners {
    [DVec3::new(low.x, -high.y, low.z), DVec3::new(high.x, -low.y, high.z)]
}

/// Pages between two covers, which stand out on three sides and are joined by a spine at the lower
/// end of x.
fn book_boxes(lengths: DVec3) -> Vec<Corners> {
    let v = DVec3::new;
    let (half, cover, edge) = (0.5 * lengths, lengths.z / 12.0, 0.03 * lengths.x.min(lengths.y));
    let (inner, spine) = (half.z - cover, lengths.x.min(lengths.z) / 12.0 - half.x);
    vec![
        [-half, v(half.x, half.y, -inner)],
        [v(-half.x, -half.y, inner), half],
        [v(-half.x, -half.y, -inner), v(spine, half.y, inner)],
        [v(spine, edge - half.y, -inner), v(half.x - edge, half.y - edge, inner)],
    ]
}

pub(super) fn book(lengths: DVec3) -> Mesh {
    union(&book_boxes(lengths))
}

pub(super) fn book_parts(lengths: DVec3) -> Vec<ConvexPart> {
    parts_of(&book_boxes(lengths))
}

/// Seat, legs, posts and three slats of a chair; boxes off the middle are mirrored.
fn chair_boxes(height: f64) -> Vec<Corners> {
    let part = |ranges: [[f64; 2]; 3]| range(height / 0.9, ranges);
    let slat = |low: f64, high: f64| part([[-0.205, -0.185], [-0.175, 0.175], [low, high]]);
    let sides = [
        part([[0.17, 0.21], [0.17, 0.21], [0.0, 0.41]]),
        part([[-0.21, -0.17], [0.17, 0.21], [0.0, 0.41]]),
        part([[-0.21, -0.18], [0.175, 0.21], [0.45, 0.9]]),
    ];
    let mut boxes = vec![part([[-0.21, 0.21], [-0.21, 0.21], [0.41, 0.45]])];
    boxes.extend(sides.into_iter().flat_map(|side| [side, mirrored(side)]));
    boxes.extend([slat(0.54, 0.6), slat(0.66, 0.72), slat(0.78, 0.88)]);
    boxes
}

pub(super) fn chair(height: f64) -> Mesh {
    union(&chair_boxes(height))
}

pub(super) fn chair_parts(height: f64) -> Vec<ConvexPart> {
    parts_of(&chair_boxes(height))
}

/// Radius and half the width of a cart's wheel, and where the one in front on the left is; over the
/// length of its box.
const WHEEL: (f64, f64, DVec3) = (0.16, 0.03, DVec3::new(0.3, 0.35, 0.16));

/// Box, axles and drawbar of a cart.
fn cart_boxes(length: f64) -> Vec<Corners> {
    let part = |ranges: [[f64; 2]; 3]| range(length, ranges);
    let side = part([[-0.5, 0.5], [0.27, 0.3], [0.29, 0.56]]);
    let mut boxes = vec![
        part([[-0.5, 0.5], [-0.3, 0.3], [0.26, 0.29]]),
        side,
        mirrored(side),
        part([[-0.5, -0.47], [-0.27, 0.27], [0.29, 0.56]]),
        part([[0.47, 0.5], [-0.27, 0.27], [0.29, 0.56]]),
        part([[-0.27, 0.27], [-0.03, 0.03], [0.2, 0.26]]),
        part([[0.33, 0.92], [-0.02, 0.02], [0.145, 0.175]]),
        part([[0.92, 0.95], [-0.12, 0.12], [0.145, 0.175]]),
    ];
    for x in [[-0.33, -0.27], [0.27, 0.33]] {
        // Wheels turn freely: axles end a little before them.
        boxes.push(part([x, [-0.315, 0.315], [0.135, 0.185]]));
        boxes.push(part([x, [-0.22, 0.22], [0.185, 0.26]]));
    }
    boxes
}

/// Where the wheels of a cart are; they lie in the plane of x and z.
fn wheels(length: f64) -> [Pose; 4] {
    let orientation = DQuat::from_rotation_arc(DVec3::Z, DVec3::Y);
    [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]]
        .map(|[x, y]| Pose { position: length * DVec3::new(x, y, 1.0) * WHEEL.2, orientation })
}

pub(super) fn cart(length: f64, segments: u32) -> Mesh {
    let (radius, half) = (length * WHEEL.0, length * WHEEL.1);
    let wheel = solids::cylinder(radius, -half, half, segments);
    let mut meshes = vec![union(&cart_boxes(length))];
    // Turned by hand, so that the lowest point of a wheel is on the ground to the bit.
    let turned = |v: &DVec3| DVec3::new(v.y, v.z, v.x);
    for pose in wheels(length) {
        let vertices = wheel.vertices().iter().map(|v| pose.position + turned(v)).collect();
        meshes.push(super::made(vertices, wheel.triangles().to_vec()));
    }
    Mesh::joined(&meshes)
}

pub(super) fn cart_parts(length: f64) -> Vec<ConvexPart> {
    let wheel = Convex::Cylinder { radius: length * WHEEL.0, half: length * WHEEL.1 };
    let mut parts = parts_of(&cart_boxes(length));
    parts.extend(wheels(length).map(|pose| ConvexPart { pose, ..at(DVec3::ZERO, wheel.clone()) }));
    parts
}
