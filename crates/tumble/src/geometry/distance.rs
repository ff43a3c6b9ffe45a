//! Signed distance from a solid on a sparse grid: reads a closed mesh, gives distance and gradient
//! at points near its surface.
//!
//! A narrow band on voxels, as Bell, Yu & Mucha (2005, §3.3.1) use to place particles on a surface.
//! Nodes are kept in bricks of 8³ near the surface, sorted by place, so that memory grows with the
//! area and not with the volume, lookup is a binary search, and the order is the same every time.
//! Distances at nodes are exact; between them they are interpolated, with an error of second order
//! in the cell.

use glam::{DVec3, UVec3};
use rayon::prelude::*;

use super::pseudo_normals::PseudoNormals;
use super::{Mesh, SolidProblem, check_solid, closest_on_triangle};

/// Nodes along an edge of a brick: large enough that most cells lie in one brick, small enough to
/// hug the surface.
pub(super) const EDGE: u32 = 8;
/// Nodes of a brick.
const NODES: usize = (EDGE * EDGE * EDGE) as usize;
/// Nodes of a brick and of its sides towards larger x, y and z.
pub(super) const CLOSED_NODES: usize = ((EDGE + 1) * (EDGE + 1) * (EDGE + 1)) as usize;
/// A brick that is not there.
const NO_BRICK: usize = usize::MAX;

/// The corners of a cell, x fastest.
const CORNERS: [[u32; 3]; 8] = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1]];

/// Index of a node to its place in the brick, and back.
fn place_in_brick(index: usize) -> UVec3 {
    let index = index as u32;
    UVec3::new(index % EDGE, index / EDGE % EDGE, index / EDGE / EDGE)
}

fn index_in_brick(place: UVec3) -> usize {
    (place.x + EDGE * (place.y + EDGE * place.z)) as usize
}

/// Signed distance from the surface of a solid, near that surface.
#[derive(Clone, Debug)]
pub(crate) struct DistanceField {
    cell: f64,
    band: f64,
    /// Where the node (0, 0, 0) is \[m\].
    origin: DVec3,
    /// Places of the bricks, as z, y, x in units of bricks, ascending.
    bricks: Vec<[u32; 3]>,
    /// Each brick and its neighbours towards larger x, y and z, in the order of a cell's corners:
    /// cells reach into them.
    around: Vec<[usize; 8]>,
    /// Distances at the nodes of each brick, x fastest \[m\]; infinite beyond the band.
    values: Vec<[f64; NODES]>,
}

impl DistanceField {
    /// Distances of at most `band` from a solid's surface, on a grid with this cell size \[m\].
    /// Memory and time grow as area × band / cell³.
    pub(crate) fn new(mesh: &Mesh, cell: f64, band: f64) -> Result<Self, SolidProblem> {
        check_solid(mesh)?;
        Ok(Self::of_sheet(mesh, cell, band))
    }

    /// The same for any mesh: distances are negative behind its triangles, and positive wherever a
    /// rim is nearest.
    pub(crate) fn of_sheet(mesh: &Mesh, cell: f64, band: f64) -> Self {
        let origin = mesh.bounds().0 - (band + 2.0 * cell);
        let mut field = Self { cell, band, origin, bricks: Vec::new(), around: Vec::new(), values: Vec::new() };
        let near = field.triangles_near_bricks(mesh);
        let normals = PseudoNormals::new(mesh);
        let groups: Vec<&[([u32; 3], u32)]> = near.chunk_by(|a, b| a.0 == b.0).collect();
        // Bricks are independent of each other, so that threads cannot change a bit.
        let fill = |group: &&[([u32; 3], u32)]| Some((group[0].0, field.fill_brick(mesh, &normals, group)?));
        let filled: Vec<_> = groups.par_iter().filter_map(fill).collect();
        (field.bricks, field.values) = filled.into_iter().unzip();
        let around = |&[z, y, x]: &[u32; 3]| CORNERS.map(|[dx, dy, dz]| field.brick([z + dz, y + dy, x + dx]));
        field.around = field.bricks.iter().map(around).collect();
        field
    }

    /// Where the node (0, 0, 0) is \[m\].
    pub(super) fn origin(&self) -> DVec3 {
        self.origin
    }

    /// Every brick: its place, x, y, z in units of bricks, and the distances at its 9³ nodes, those
    /// that it shares with its neighbours towards larger x, y and z included, x fastest \[m\];
    /// infinite beyond the band.
    pub(super) fn closed_bricks(&self) -> impl Iterator<Item = (UVec3, Box<[f64; CLOSED_NODES]>)> {
        self.bricks.iter().zip(&self.around).map(|(&[z, y, x], around)| {
            let mut nodes = Box::new([0.0; CLOSED_NODES]);
            for (k, value) in nodes.iter_mut().enumerate() {
                let k = k as u32;
                let node = UVec3::new(k % (EDGE + 1), k / (EDGE + 1) % (EDGE + 1), k / (EDGE + 1) / (EDGE + 1));
                *value = self.in_bricks(around, node).1;
            }
            (UVec3::new(x, y, z), nodes)
        })
    }

    /// The cell size \[m\].
    pub(crate) fn cell(&self) -> f64 {
        self.cell
    }

    /// Pairs of a brick and a triangle within the band of it, sorted.
    fn triangles_near_bricks(&self, mesh: &Mesh) -> Vec<([u32; 3], u32)> {
        let brick_size = self.cell * EDGE as f64;
        // From the middle of a brick's nodes to the outermost.
        let half_diagonal = 0.5 * (EDGE - 1) as f64 * self.cell * 3f64.sqrt();
        let middle = 0.5 * (EDGE - 1) as f64 * self.cell;
        let mut near = Vec::new();
        for (number, t) in mesh.triangles().iter().enumerate() {
            let corners = t.map(|v| mesh.vertices()[v as usize] - self.origin);
            let low = corners[0].min(corners[1]).min(corners[2]) - self.band;
            let high = corners[0].max(corners[1]).max(corners[2]) + self.band;
            let (low, high) = ((low / brick_size).as_uvec3(), (high / brick_size).as_uvec3());
            for z in low.z..=high.z {
                for y in low.y..=high.y {
                    for x in low.x..=high.x {
                        let place = UVec3::new(x, y, z).as_dvec3() * brick_size + middle;
                        let (nearest, _) = closest_on_triangle(place, corners);
                        if (place - nearest).length() <= self.band + half_diagonal {
                            near.push(([z, y, x], number as u32));
                        }
                    }
                }
            }
        }
        near.sort_unstable();
        near
    }

    /// Distances at the nodes of a brick, from the triangles near it; nothing if all are beyond the
    /// band.
    fn fill_brick(&self, mesh: &Mesh, normals: &PseudoNormals, near: &[([u32; 3], u32)]) -> Option<[f64; NODES]> {
        let [z, y, x] = near[0].0;
        let first = UVec3::new(x, y, z) * EDGE;
        let mut best = [(self.band, u32::MAX); NODES];
        let corners_of = |triangle: u32| mesh.triangles()[triangle as usize].map(|v| mesh.vertices()[v as usize]);
        for &(_, triangle) in near {
            let corners = corners_of(triangle);
            let low = corners[0].min(corners[1]).min(corners[2]) - self.band;
            let high = corners[0].max(corners[1]).max(corners[2]) + self.band;
            // The nodes of this brick in the triangle's box. Casts saturate at zero.
            let from = ((low - self.origin) / self.cell - first.as_dvec3()).ceil().as_uvec3();
            let to =
                ((high - self.origin) / self.cell - first.as_dvec3() + 1.0).floor().as_uvec3().min(UVec3::splat(EDGE));
            // A sphere around the triangle says quickly that it is too far to matter.
            let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
            let reach = corners.iter().map(|c| (*c - middle).length()).fold(0.0, f64::max);
            for z in from.z..to.z {
                for y in from.y..to.y {
                    for x in from.x..to.x {
                        let (distance, nearest) = &mut best[index_in_brick(UVec3::new(x, y, z))];
                        let place = self.place(first + UVec3::new(x, y, z));
                        if (place - middle).length() > *distance + reach {
                            continue;
                        }
                        let found = (place - closest_on_triangle(place, corners).0).length();
                        if found < *distance {
                            (*distance, *nearest) = (found, triangle);
                        }
                    }
                }
            }
        }
        if best.iter().all(|node| node.1 == u32::MAX) {
            return None;
        }
        let mut values = [f64::INFINITY; NODES];
        for (k, &(distance, triangle)) in best.iter().enumerate() {
            if triangle != u32::MAX {
                let place = self.place(first + place_in_brick(k));
                let (nearest, feature) = closest_on_triangle(place, corners_of(triangle));
                let inside = (place - nearest).dot(normals.at(mesh, triangle, feature)) < 0.0;
                values[k] = if inside { -distance } else { distance };
            }
        }
        Some(values)
    }

    /// Where a node is \[m\].
    fn place(&self, node: UVec3) -> DVec3 {
        self.origin + node.as_dvec3() * self.cell
    }

    /// Where the node with a number is \[m\].
    pub(super) fn place_of(&self, number: usize) -> DVec3 {
        let [z, y, x] = self.bricks[number / NODES];
        self.place(UVec3::new(x, y, z) * EDGE + place_in_brick(number % NODES))
    }

    fn brick(&self, place: [u32; 3]) -> usize {
        self.bricks.binary_search(&place).unwrap_or(NO_BRICK)
    }

    /// Distances at the corners of the cell above a node, x fastest; nothing where one is beyond
    /// the band.
    fn corners(&self, node: UVec3) -> Option<[f64; 8]> {
        let own = node / EDGE;
        let brick = self.brick([own.z, own.y, own.x]);
        let values = self.values.get(brick)?;
        let first = index_in_brick(node % EDGE);
        // Most cells have all their corners in one brick.
        let found = if (node % EDGE).max_element() < EDGE - 1 {
            CORNERS.map(|corner| values[first + index_in_brick(UVec3::from_array(corner))])
        } else {
            CORNERS.map(|corner| self.in_bricks(&self.around[brick], node % EDGE + UVec3::from_array(corner)).1)
        };
        found.iter().all(|value| value.is_finite()).then_some(found)
    }

    /// The number and the value of a node that lies in a brick or, up to one node beyond, in those
    /// around it.
    fn in_bricks(&self, around: &[usize; 8], node: UVec3) -> (usize, f64) {
        let place = node / EDGE;
        let brick = around[(place.x + 2 * place.y + 4 * place.z) as usize];
        let index = index_in_brick(node % EDGE);
        self.values.get(brick).map_or((usize::MAX, f64::INFINITY), |values| (brick * NODES + index, values[index]))
    }

    /// Calls `visit` with every cell that the surface at a distance may cut and whose corners are
    /// all in the band: the numbers of its corners and the distances there, x fastest.
    pub(super) fn visit_cells(&self, distance: f64, mut visit: impl FnMut(&[usize; 8], &[f64; 8])) {
        // No distance differs from that at the cell's first corner by more than the cell's
        // diagonal.
        let reach = 3f64.sqrt() * self.cell;
        for (around, values) in self.around.iter().zip(&self.values) {
            for (k, &value) in values.iter().enumerate() {
                if (value - distance).abs() > reach {
                    continue;
                }
                let node = place_in_brick(k);
                let corners = CORNERS.map(|corner| self.in_bricks(around, node + UVec3::from_array(corner)));
                if corners.iter().all(|(_, value)| value.is_finite()) {
                    visit(&corners.map(|(number, _)| number), &corners.map(|(_, value)| value));
                }
            }
        }
    }

    /// Distance from the surface and its gradient, negative inside; nothing beyond the band.
    ///
    /// Both are of the trilinear interpolant: the gradient is its derivative and jumps between
    /// cells by as much as it is wrong.
    pub(crate) fn sample(&self, point: DVec3) -> Option<(f64, DVec3)> {
        let place = (point - self.origin) / self.cell;
        // Casts saturate, so that a point below the grid would land in its first cell.
        if place.is_nan() || place.min_element() < 0.0 {
            return None;
        }
        let node = place.floor();
        let [x, y, z] = (place - node).to_array();
        let v = self.corners(node.as_uvec3())?;
        let mix = |a: f64, b: f64, t: f64| a + (b - a) * t;
        // Along x on the four edges, then along y on two sides, then along z.
        let edges = [mix(v[0], v[1], x), mix(v[2], v[3], x), mix(v[4], v[5], x), mix(v[6], v[7], x)];
        let sides = [mix(edges[0], edges[1], y), mix(edges[2], edges[3], y)];
        let slope_x = mix(mix(v[1] - v[0], v[3] - v[2], y), mix(v[5] - v[4], v[7] - v[6], y), z);
        let slope_y = mix(edges[1] - edges[0], edges[3] - edges[2], z);
        let slope_z = sides[1] - sides[0];
        Some((mix(sides[0], sides[1], z), DVec3::new(slope_x, slope_y, slope_z) / self.cell))
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_meshes::{cube, sphere};
    use super::*;
    use crate::geometry::sphere_box;
    use crate::random::Draws;

    /// Interpolating |x| - 1 is wrong by at most h²/8 times the curvature 1/|x| in each of two
    /// directions; facets with edges e lie at most e²/6 = 1e-3 below the sphere here.
    #[test]
    fn a_sphere_has_its_distance() {
        let (cell, band) = (0.08, 0.4);
        let field = DistanceField::new(&sphere(5), cell, band).unwrap();
        let mut seen = [0; 2];
        for id in 0..5000 {
            let point = 1.5 * Draws::new(21, 0, id).in_ball();
            let expected = point.length() - 1.0;
            match field.sample(point) {
                Some((distance, gradient)) => {
                    seen[0] += 1;
                    let limit = 2.0 * cell * cell / 8.0 / point.length() + 1e-3;
                    assert!((distance - expected).abs() < limit, "{point} {distance} {expected}");
                    assert!(
                        (gradient - point.normalize()).length() < 1.5 * cell / point.length(),
                        "{point} {gradient}"
                    );
                }
                // Points without a value are beyond the band, or within a cell's diagonal of its
                // end.
                None => {
                    seen[1] += 1;
                    assert!(expected.abs() > band - 1.8 * cell, "{point}");
                }
            }
        }
        assert!(seen[0] > 1000 && seen[1] > 500, "{seen:?}");
    }

    /// At nodes the distance is exact, inside and outside, at sides, edges and corners; memory is
    /// near the surface.
    #[test]
    fn a_turned_box_has_its_distance() {
        let half = DVec3::new(1.0, 0.7, 0.4);
        let turn = Draws::new(22, 0, 0).orientation();
        let mesh = cube().map(|v| turn * (v * half)).unwrap();
        let (cell, band) = (0.05, 0.2);
        let field = DistanceField::new(&mesh, cell, band).unwrap();
        let mut count = 0;
        for (place, values) in field.bricks.iter().zip(&field.values) {
            for (k, &value) in values.iter().enumerate() {
                let node = field.place(UVec3::new(place[2], place[1], place[0]) * EDGE + place_in_brick(k));
                let expected = sphere_box(turn.inverse() * node, half).distance;
                if value.is_finite() {
                    count += 1;
                    assert!((value - expected).abs() < 1e-12, "{node} {value} {expected}");
                } else {
                    assert!(expected.abs() >= band - 1e-12, "{node} {expected}");
                }
            }
        }
        // The area is 8 (0.7 + 0.4 + 0.28); nodes fill the band, bricks not much more.
        let in_band = 8.0 * 1.38 * 2.0 * band / cell.powi(3);
        assert!((count as f64) > 0.9 * in_band && (count as f64) < 1.2 * in_band, "{count} {in_band}");
        assert!(((field.values.len() * NODES) as f64) < 4.0 * in_band);
    }

    #[test]
    fn an_open_mesh_has_none() {
        let open = Mesh::new(cube().vertices().to_vec(), cube().triangles()[1..].to_vec()).unwrap();
        assert!(matches!(DistanceField::new(&open, 0.1, 0.2), Err(SolidProblem::Holes { edges: 3, .. })));
    }

    /// A square in the plane z = 0 that faces up: above it distances are positive, below negative,
    /// and beside it positive again.
    #[test]
    fn a_sheet_has_a_front_and_a_back() {
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| DVec3::new(x, y, 0.0));
        let sheet = Mesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap();
        let field = DistanceField::of_sheet(&sheet, 0.05, 0.3);
        let at = |x: f64, z: f64| field.sample(DVec3::new(x, 0.3, z)).unwrap().0;
        assert!((at(0.0, 0.12) - 0.12).abs() < 1e-12 && (at(0.4, -0.12) + 0.12).abs() < 1e-12);
        assert!(at(1.1, -0.02) > 0.09 && at(1.1, 0.02) > 0.09);
    }
}
