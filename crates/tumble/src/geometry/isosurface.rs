//! The surface at an offset from a solid, as triangles: reads a distance field, gives a closed
//! mesh.
//!
//! Marching tetrahedra (Bell, Yu & Mucha 2005, §3.3.1): each cell is six tetrahedra about its
//! diagonal, and a tetrahedron is cut in a triangle or a quad without the ambiguous cases of cubes.
//! Neighbouring cells split their common side the same way and cuts are numbered by the edge they
//! lie on, so that the surface is watertight by construction.

use glam::DVec3;

use super::{DistanceField, Mesh};

/// Nodes nearer to the surface than this part of a cell are moved this far outside: cuts through a
/// node would make triangles without area, and leaving these out could leave edges with four
/// triangles. The surface moves by less than interpolation is wrong.
const NUDGE: f64 = 1e-4;

/// The six tetrahedra of a cell, as corner numbers with x in the lowest bit, all right-handed: ways
/// from corner 0 to corner 7, one axis after the other (Freudenthal 1942, Kuhn 1960).
const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 1, 3, 7], [0, 2, 6, 7], [0, 4, 5, 7], [0, 5, 1, 7], [0, 3, 2, 7], [0, 6, 4, 7]];

/// Even orders of a tetrahedron's corners that bring a single corner, or two corners, to the front,
/// by the bits of the corners.
const ORDERS: [[usize; 4]; 16] = [
    [0, 1, 2, 3],
    [0, 1, 2, 3],
    [1, 0, 3, 2],
    [0, 1, 2, 3],
    [2, 3, 0, 1],
    [0, 2, 3, 1],
    [1, 2, 0, 3],
    [3, 2, 1, 0],
    [3, 2, 1, 0],
    [0, 3, 1, 2],
    [1, 3, 2, 0],
    [2, 3, 0, 1],
    [2, 3, 0, 1],
    [1, 0, 3, 2],
    [0, 1, 2, 3],
    [0, 1, 2, 3],
];

/// Where the surface cuts the edge between two nodes.
struct Cut {
    /// Eight times the number of the edge's lower node, plus its direction: one for a step along x,
    /// two along y, four along z.
    edge: u64,
    /// How far along the edge, from 0 to 1.
    part: f64,
    /// Which corner of which triangle it is: three times the triangle plus the corner.
    corner: u32,
}

/// The surface where the distance is `offset` \[m\], facing the way distance grows; nothing if
/// there is no such place.
///
/// The band of the field must reach two cells beyond the offset, or the surface has holes.
pub(crate) fn isosurface(field: &DistanceField, offset: f64) -> Option<Mesh> {
    // Three to a triangle.
    let mut cuts: Vec<Cut> = Vec::new();
    let nudge = NUDGE * field.cell();
    field.visit_cells(offset, |nodes, values| {
        let above = values.map(|value| if (value - offset).abs() < nudge { nudge } else { value - offset });
        if above.iter().all(|&v| v > 0.0) || above.iter().all(|&v| v < 0.0) {
            return;
        }
        for tetrahedron in TETRAHEDRA {
            let below = (0..4).filter(|&k| above[tetrahedron[k]] < 0.0).fold(0, |bits: usize, k| bits | 1 << k);
            let [a, b, c, d] = ORDERS[below].map(|k| tetrahedron[k]);
            let mut cut = |p: usize, q: usize| {
                // From the lower corner, so that all cells at an edge find the same place to the
                // last bit. Edges of these tetrahedra only go up: the bits of the lower corner are
                // among those of the higher.
                let (p, q) = (p.min(q), p.max(q));
                let part = above[p] / (above[p] - above[q]);
                cuts.push(Cut { edge: (8 * nodes[p] + (p ^ q)) as u64, part, corner: cuts.len() as u32 });
            };
            let mut triangle = |corners: [(usize, usize); 3]| corners.into_iter().for_each(|(p, q)| cut(p, q));
            match below.count_ones() {
                1 => triangle([(a, b), (a, c), (a, d)]),
                // The single corner is above: the other way round.
                3 => triangle([(a, b), (a, d), (a, c)]),
                2 => {
                    triangle([(a, c), (a, d), (b, d)]);
                    triangle([(a, c), (b, d), (b, c)]);
                }
                _ => {}
            }
        }
    });
    // Cuts of one edge are one vertex.
    cuts.sort_unstable_by_key(|cut| cut.edge);
    let mut triangles = vec![[0; 3]; cuts.len() / 3];
    let mut vertices = Vec::new();
    for same in cuts.chunk_by(|a, b| a.edge == b.edge) {
        for cut in same {
            triangles[cut.corner as usize / 3][cut.corner as usize % 3] = vertices.len() as u32;
        }
        let Cut { edge, part, .. } = same[0];
        let direction = DVec3::new((edge & 1) as f64, (edge >> 1 & 1) as f64, (edge >> 2 & 1) as f64);
        vertices.push(field.place_of(edge as usize / 8) + direction * (part * field.cell()));
    }
    // Without triangles there is no mesh; all else is sound.
    Mesh::new(vertices, triangles).ok()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::super::test_meshes::{cube, sphere, torus};
    use super::super::{check_solid, solid_moments};
    use super::*;

    fn area(mesh: &Mesh) -> f64 {
        let corners = |t: &[u32; 3]| t.map(|v| mesh.vertices()[v as usize]);
        mesh.triangles().iter().map(corners).map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length()).sum()
    }

    #[test]
    fn tetrahedra_fill_the_cell_and_orders_are_even() {
        let corner = |k: usize| DVec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64);
        for [a, b, c, d] in TETRAHEDRA.map(|t| t.map(corner)) {
            assert_eq!((b - a).cross(c - a).dot(d - a), 1.0);
        }
        for (below, order) in ORDERS.iter().enumerate() {
            let swaps = (0..4).flat_map(|i| (0..i).map(move |j| (j, i))).filter(|&(j, i)| order[j] > order[i]).count();
            assert_eq!(swaps % 2, 0, "{below}");
            let is_below = |k: usize| below >> k & 1 == 1;
            match below.count_ones() {
                1 => assert!(is_below(order[0])),
                2 => assert!(is_below(order[0]) && is_below(order[1])),
                3 => assert!(!is_below(order[0])),
                _ => {}
            }
        }
    }

    /// Spheres of radius 1 + offset: area 4πR², volume 4π/3 R³, closed and facing outwards.
    #[test]
    fn a_sphere_gives_spheres() {
        let field = DistanceField::new(&sphere(4), 0.1, 0.6).unwrap();
        for offset in [-0.4, -0.1, 0.0, 0.3] {
            let found = isosurface(&field, offset).unwrap();
            assert_eq!(check_solid(&found), Ok(()));
            let radius: f64 = 1.0 + offset;
            let (area, volume) = (area(&found) / (4.0 * PI * radius.powi(2)), solid_moments(&found).volume);
            assert!((area - 1.0).abs() < 0.02, "{area}");
            assert!((volume / (4.0 / 3.0 * PI * radius.powi(3)) - 1.0).abs() < 0.03, "{volume}");
        }
        assert_eq!(isosurface(&field, -0.99), None);
    }

    /// A box whose sides lie on nodes, where cuts through nodes are the rule, and a torus, which
    /// has a hole.
    #[test]
    fn surfaces_through_nodes_and_with_holes_are_closed() {
        let field = DistanceField::new(&cube(), 0.125, 0.5).unwrap();
        for offset in [-0.25, 0.0, 0.125] {
            let found = isosurface(&field, offset).unwrap();
            assert_eq!(check_solid(&found), Ok(()), "{offset}");
            if offset <= 0.0 {
                // Twelve edges of a length L lose at most half a cell's square each.
                let length: f64 = 2.0 + 2.0 * offset;
                let lost = length.powi(3) - solid_moments(&found).volume;
                assert!(lost > 0.0 && lost < 12.0 * length * 0.5 * 0.125 * 0.125, "{offset} {lost}");
            }
        }
        // Pappus: 2π R times the circle.
        let ring = torus(1.0, 0.4, 64, 32);
        let found = isosurface(&DistanceField::new(&ring, 0.05, 0.3).unwrap(), -0.15).unwrap();
        assert_eq!(check_solid(&found), Ok(()));
        assert!((area(&found) / (2.0 * PI * 2.0 * PI * 0.25) - 1.0).abs() < 0.03, "{}", area(&found));
        // V - E + F = 0 for one hole, and E = 3/2 F.
        assert_eq!(2 * found.vertices().len(), found.triangles().len());
    }
}
