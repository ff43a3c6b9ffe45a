//! Meshes of smooth solids given by a distance: surface nets (Gibson 1998), drawn even over the
//! surface.
//!
//! Each cell of a grid that the surface runs through has a vertex and each edge of the grid that it
//! cuts a quad, so triangles are few and of one size. The grid must be finer than the solid is
//! thin, or a cell holds two pieces of the surface and one vertex for both.

use glam::DVec3;

use super::Mesh;

/// Rounds of moving every vertex to the middle of its neighbours and back to the surface.
const ROUNDS: usize = 4;

/// How far from a vertex the distance is looked at to know its slope, over the cell.
const NEAR: f64 = 0.05;

/// The surface where `distance` is zero, with the negative side inside, in the box about `middle`
/// that reaches `reach` cells each way.
pub(super) fn net(distance: impl Fn(DVec3) -> f64, middle: DVec3, reach: [usize; 3], cell: f64) -> Mesh {
    let counts = reach.map(|reach| 2 * reach + 1);
    let place = |[i, j, k]: [usize; 3]| {
        let off = |at: usize, axis: usize| at as f64 - reach[axis] as f64;
        middle + cell * DVec3::new(off(i, 0), off(j, 1), off(k, 2))
    };
    let number = |[i, j, k]: [usize; 3]| i + counts[0] * (j + counts[1] * k);
    let nodes = move |more: usize| {
        let [x, y, z] = counts.map(|count| count - more);
        (0..z).flat_map(move |k| (0..y).flat_map(move |j| (0..x).map(move |i| [i, j, k])))
    };
    let values: Vec<f64> = nodes(0).map(|node| distance(place(node))).collect();
    // A vertex where the surface cuts the edges of a cell, on average; cells are numbered like
    // their lowest nodes.
    let mut vertex_of = vec![u32::MAX; values.len()];
    let mut vertices = Vec::new();
    for node in nodes(1) {
        let corner = |bits: usize| [0, 1, 2].map(|axis| node[axis] + (bits >> axis & 1));
        let value = |bits: usize| values[number(corner(bits))];
        let (mut sum, mut cuts) = (DVec3::ZERO, 0);
        for bits in 0..8 {
            for other in [1, 2, 4].map(|axis| bits | axis).into_iter().filter(|other| *other != bits) {
                let (a, b) = (value(bits), value(other));
                if (a < 0.0) != (b < 0.0) {
                    sum += place(corner(bits)).lerp(place(corner(other)), a / (a - b));
                    cuts += 1;
                }
            }
        }
        if cuts > 0 {
            vertex_of[number(node)] = vertices.len() as u32;
            vertices.push(sum / f64::from(cuts));
        }
    }
    let mut quads = Vec::new();
    for node in nodes(1) {
        for axis in 0..3 {
            let (along, across) = ((axis + 1) % 3, (axis + 2) % 3);
            let mut far = node;
            far[axis] += 1;
            let (near_in, far_in) = (values[number(node)] < 0.0, values[number(far)] < 0.0);
            // At the side of the grid there is nothing to cut.
            if near_in == far_in || node[along] == 0 || node[across] == 0 {
                continue;
            }
            let cell = |back: usize, left: usize| {
                let mut cell = node;
                cell[along] -= back;
                cell[across] -= left;
                vertex_of[number(cell)]
            };
            let quad = [cell(0, 0), cell(1, 0), cell(1, 1), cell(0, 1)];
            quads.push(if near_in { quad } else { [quad[3], quad[2], quad[1], quad[0]] });
        }
    }
    relax(&mut vertices, &quads, |point| onto(&distance, point, NEAR * cell));
    super::made(vertices.clone(), quads.iter().flat_map(|quad| halves(&vertices, *quad)).collect())
}

/// The mesh with every triangle split in four, so many times, and every new vertex on the surface.
pub(super) fn refined(mesh: &Mesh, distance: impl Fn(DVec3) -> f64, times: u32, cell: f64) -> Mesh {
    let (mut vertices, mut triangles) = (mesh.vertices().to_vec(), mesh.triangles().to_vec());
    for _ in 0..times {
        let side = |a: u32, b: u32| (a.min(b), a.max(b));
        let sides = |t: &[u32; 3]| [side(t[0], t[1]), side(t[1], t[2]), side(t[2], t[0])];
        let mut edges: Vec<(u32, u32)> = triangles.iter().flat_map(sides).collect();
        edges.sort_unstable();
        edges.dedup();
        let first = vertices.len() as u32;
        let middles: Vec<DVec3> = edges
            .iter()
            .map(|&(a, b)| {
                let middle = vertices[a as usize].midpoint(vertices[b as usize]);
                // Twice, for where the surface bends much the first step lands beside it.
                (0..2).fold(middle, |point, _| onto(&distance, point, NEAR * cell))
            })
            .collect();
        vertices.extend(middles);
        let middle = |a: u32, b: u32| first + edges.partition_point(|&edge| edge < side(a, b)) as u32;
        triangles = triangles
            .iter()
            .flat_map(|&[a, b, c]| {
                let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
                [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
            })
            .collect();
    }
    super::made(vertices, triangles)
}

/// A point moved to the surface along the slope of the distance.
fn onto(distance: impl Fn(DVec3) -> f64, point: DVec3, near: f64) -> DVec3 {
    // Differences over the corners of a tetrahedron: the constant term cancels.
    let corners = [
        DVec3::new(1.0, 1.0, 1.0),
        DVec3::new(1.0, -1.0, -1.0),
        DVec3::new(-1.0, 1.0, -1.0),
        DVec3::new(-1.0, -1.0, 1.0),
    ];
    let values = corners.map(|corner| distance(point + near * corner));
    let slope = corners.iter().zip(values).map(|(corner, value)| value * *corner).sum::<DVec3>() / (4.0 * near);
    let value = 0.25 * values.iter().sum::<f64>();
    point - value / slope.length_squared() * slope
}

/// Spreads vertices evenly over the surface.
fn relax(vertices: &mut Vec<DVec3>, quads: &[[u32; 4]], onto: impl Fn(DVec3) -> DVec3) {
    for _ in 0..ROUNDS {
        let mut sums = vec![(DVec3::ZERO, 0.0); vertices.len()];
        for quad in quads {
            for k in 0..4 {
                let (this, next) = (quad[k] as usize, quad[(k + 1) % 4] as usize);
                // The quad on the other side of the edge adds the way back.
                sums[this].0 += vertices[next];
                sums[this].1 += 1.0;
            }
        }
        *vertices = sums.into_iter().map(|(sum, count)| onto(sum / count)).collect();
    }
    *vertices = vertices.iter().map(|vertex| onto(*vertex)).collect();
}

/// A quad cut along its shorter diagonal.
fn halves(vertices: &[DVec3], [a, b, c, d]: [u32; 4]) -> [[u32; 3]; 2] {
    let apart = |a: u32, b: u32| vertices[a as usize].distance_squared(vertices[b as usize]);
    if apart(a, c) <= apart(b, d) { [[a, b, c], [a, c, d]] } else { [[b, c, d], [b, d, a]] }
}
