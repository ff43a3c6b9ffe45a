//! Signed distance of a mesh for millions of look-ups: reads a [`DistanceField`], keeps its bricks
//! in single precision under an index of all of space around them.
//!
//! A look-up is one step through the index and eight neighbouring numbers of a brick. Where there
//! is no brick the mesh is farther away than the band, and the index says on which side. That is
//! known from the bricks beside, step by step: nothing but the surface, which has bricks all along,
//! separates inside from outside.

use glam::{IVec3, UVec3, Vec3};

use super::distance::{CLOSED_NODES, EDGE};
use super::{DistanceField, Mesh, SolidProblem, check_solid};

/// Cells between the surface and the end of the band, at least. Beyond it distances are taken to be
/// two cells less, which is never too much.
const BAND: f64 = 4.0;

/// Entries of the index where there is no brick.
const OUTSIDE: u32 = u32::MAX;
const INSIDE: u32 = u32::MAX - 1;

/// Bytes that one field may take; of a larger mesh the cells are larger.
const MOST_BYTES: f64 = 512e6;

/// Signed distance from a mesh, anywhere.
#[derive(Clone, Debug)]
pub(crate) struct FineDistance {
    cell: f32,
    /// Where the node (0, 0, 0) is \[m\].
    origin: Vec3,
    /// Bricks along each axis.
    dims: IVec3,
    /// The number of the brick at each place, x fastest, or a word for its side.
    index: Vec<u32>,
    /// Distances at nodes, x fastest \[m\].
    bricks: Vec<[f32; CLOSED_NODES]>,
    /// Lower bound of the distance at a place without a brick \[m\].
    far: f32,
}

impl FineDistance {
    /// Distances on cells of this size \[m\], or a bit larger where the mesh is large beside it;
    /// they are known up to two cells and up to `reach` \[m\]. A mesh that is no solid is a sheet
    /// with a front and a back: for it the problem comes along.
    pub(crate) fn new(mesh: &Mesh, cell: f64, reach: f64) -> (Self, Option<SolidProblem>) {
        let problem = check_solid(mesh).err();
        let (cell, band) = affordable(mesh, cell, reach);
        let field = DistanceField::of_sheet(mesh, cell, band);
        let (low, high) = mesh.bounds();
        let brick_size = cell * f64::from(EDGE);
        // One more on all sides: places beyond the index are outside.
        let dims = ((high - low + 2.0 * (band + 2.0 * cell)) / brick_size).ceil().as_ivec3() + 1;
        let mut fine = Self {
            cell: cell as f32,
            origin: field.origin().as_vec3(),
            dims,
            index: vec![OUTSIDE; dims.element_product() as usize],
            bricks: Vec::new(),
            far: (band - 2.0 * cell) as f32,
        };
        for (place, nodes) in field.closed_bricks() {
            let at = fine.linear(place.as_ivec3());
            fine.index[at] = fine.bricks.len() as u32;
            fine.bricks.push(with_signs(&nodes, band));
        }
        if problem.is_none() {
            fine.find_inside();
        }
        (fine, problem)
    }

    /// The cell size \[m\].
    pub(crate) fn cell(&self) -> f64 {
        f64::from(self.cell)
    }

    /// Largest known distance \[m\], given for all places beyond it.
    pub(crate) fn far(&self) -> f32 {
        self.far
    }

    /// Marks places without a brick that are inside: bricks say it of their neighbours, and those
    /// of theirs.
    fn find_inside(&mut self) {
        let last = EDGE;
        let mut found = Vec::new();
        for at in 0..self.index.len() {
            let Some(nodes) = self.bricks.get(self.index[at] as usize) else { continue };
            let place = self.place(at);
            for (step, node) in [
                (IVec3::NEG_X, UVec3::new(0, 4, 4)),
                (IVec3::X, UVec3::new(last, 4, 4)),
                (IVec3::NEG_Y, UVec3::new(4, 0, 4)),
                (IVec3::Y, UVec3::new(4, last, 4)),
                (IVec3::NEG_Z, UVec3::new(4, 4, 0)),
                (IVec3::Z, UVec3::new(4, 4, last)),
            ] {
                if nodes[node_number(node)] < 0.0 && self.is_at(place + step, OUTSIDE) {
                    found.push(place + step);
                }
            }
        }
        while let Some(place) = found.pop() {
            if self.is_at(place, OUTSIDE) {
                let at = self.linear(place);
                self.index[at] = INSIDE;
                found.extend([IVec3::X, IVec3::Y, IVec3::Z].into_iter().flat_map(|step| [place + step, place - step]));
            }
        }
    }

    fn linear(&self, place: IVec3) -> usize {
        ((place.z * self.dims.y + place.y) * self.dims.x + place.x) as usize
    }

    fn place(&self, at: usize) -> IVec3 {
        let at = at as i32;
        IVec3::new(at % self.dims.x, at / self.dims.x % self.dims.y, at / self.dims.x / self.dims.y)
    }

    fn is_at(&self, place: IVec3, what: u32) -> bool {
        place.cmpge(IVec3::ZERO).all() && place.cmplt(self.dims).all() && self.index[self.linear(place)] == what
    }

    /// The distances at the corners of the cell around a point, x fastest, and where in it the
    /// point is; or, where there is no brick, how far it is at least.
    #[inline]
    fn corners(&self, point: Vec3) -> Result<([f32; 8], Vec3), f32> {
        let at = (point - self.origin) / self.cell;
        let cell = at.floor();
        let node = cell.as_ivec3();
        if node.cmplt(IVec3::ZERO).any() || node.cmpge(EDGE as i32 * self.dims).any() || point.is_nan() {
            return Err(self.far);
        }
        let nodes = match self.index[self.linear(node / EDGE as i32)] {
            OUTSIDE => return Err(self.far),
            INSIDE => return Err(-self.far),
            brick => &self.bricks[brick as usize],
        };
        let first = node_number((node % EDGE as i32).as_uvec3());
        let row = (EDGE + 1) as usize;
        let side = row * row;
        let corners = [0, 1, row, row + 1, side, side + 1, side + row, side + row + 1].map(|step| nodes[first + step]);
        Ok((corners, at - cell))
    }

    /// Distance from the surface, negative inside \[m\]. Far from the surface it is less than the
    /// distance.
    #[inline]
    pub(crate) fn distance(&self, point: Vec3) -> f32 {
        match self.corners(point) {
            Ok((v, Vec3 { x, y, z })) => {
                let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
                let low = mix(mix(v[0], v[1], x), mix(v[2], v[3], x), y);
                mix(low, mix(mix(v[4], v[5], x), mix(v[6], v[7], x), y), z)
            }
            Err(far) => far,
        }
    }

    /// Outward normal: the direction in which the distance grows most; zero far from the surface.
    pub(crate) fn normal(&self, point: Vec3) -> Vec3 {
        let Ok((v, Vec3 { x, y, z })) = self.corners(point) else { return Vec3::ZERO };
        let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
        let along_x = mix(mix(v[1] - v[0], v[3] - v[2], y), mix(v[5] - v[4], v[7] - v[6], y), z);
        let along_y = mix(mix(v[2] - v[0], v[3] - v[1], x), mix(v[6] - v[4], v[7] - v[5], x), z);
        let along_z = mix(mix(v[4] - v[0], v[5] - v[1], x), mix(v[6] - v[2], v[7] - v[3], x), y);
        Vec3::new(along_x, along_y, along_z).normalize_or_zero()
    }

    /// Whether nothing of a box comes near the surface.
    pub(crate) fn is_far(&self, low: Vec3, high: Vec3) -> bool {
        let brick = |point: Vec3| ((point - self.origin) / (self.cell * EDGE as f32)).floor().as_ivec3();
        let (low, high) = (brick(low).max(IVec3::ZERO), brick(high).min(self.dims - 1));
        (low.z..=high.z).all(|z| {
            (low.y..=high.y).all(|y| (low.x..=high.x).all(|x| self.index[self.linear(IVec3::new(x, y, z))] == OUTSIDE))
        })
    }
}

fn node_number(node: UVec3) -> usize {
    (node.x + (EDGE + 1) * (node.y + (EDGE + 1) * node.z)) as usize
}

/// The cell, made larger until the field fits into memory, and how far its band goes from the
/// surface \[m\].
fn affordable(mesh: &Mesh, mut cell: f64, reach: f64) -> (f64, f64) {
    let corners = |t: &[u32; 3]| t.map(|v| mesh.vertices()[v as usize]);
    let area: f64 = mesh.triangles().iter().map(corners).map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length()).sum();
    let (low, high) = mesh.bounds();
    let band = |cell: f64| (BAND * cell).max(reach + 2.0 * cell);
    let bytes = |cell: f64| {
        let brick = cell * f64::from(EDGE);
        // The surface cuts about one and a half bricks in every square of a brick's side, and its
        // band some beside.
        let near = (2.0 + 2.0 * band(cell) / brick) * area / (brick * brick) + 8.0;
        let all = ((high - low) / brick + 2.0).element_product();
        // During construction, distances are also held in double precision.
        near * CLOSED_NODES as f64 * 12.0 + 4.0 * all
    };
    while bytes(cell) > MOST_BYTES {
        cell *= 1.1;
    }
    (cell, band(cell))
}

/// Distances in single precision, with those beyond the band at its end, on the side of their
/// neighbours.
fn with_signs(nodes: &[f64; CLOSED_NODES], band: f64) -> [f32; CLOSED_NODES] {
    let mut values = nodes.map(|value| value as f32);
    let row = EDGE as usize + 1;
    while values.iter().any(|value| value.is_infinite()) {
        let mut has_changed = false;
        for k in 0..CLOSED_NODES {
            let place = [k % row, k / row % row, k / row / row];
            let steps = [1, row, row * row];
            let beside = (0..3).flat_map(|axis| {
                let down = (place[axis] > 0).then(|| k - steps[axis]);
                let up = (place[axis] < row - 1).then(|| k + steps[axis]);
                [down, up]
            });
            if values[k].is_infinite()
                && let Some(known) = beside.flatten().map(|other| values[other]).find(|value| value.is_finite())
            {
                values[k] = (band as f32).copysign(known);
                has_changed = true;
            }
        }
        // A brick without any node in the band cannot be: it would not be there.
        if !has_changed {
            values.iter_mut().filter(|value| value.is_infinite()).for_each(|value| *value = band as f32);
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::super::Model;
    use super::super::test_meshes::{cube, sphere};
    use super::*;
    use crate::random::Draws;

    /// Near the surface as exact as the grid is fine, far from it never too much, and everywhere on
    /// the right side.
    #[test]
    fn a_sphere_has_its_distance_everywhere() {
        let cell = 0.03;
        let (field, problem) = FineDistance::new(&sphere(5), cell, 0.0);
        assert_eq!(problem, None);
        let mut deep = 0;
        for id in 0..20_000 {
            let point = 2.0 * Draws::new(5, 0, id).in_ball();
            let expected = point.length() - 1.0;
            let found = f64::from(field.distance(point.as_vec3()));
            if expected.abs() < 1.5 * cell {
                assert!((found - expected).abs() < 2.0 * cell * cell / 8.0 + 1.1e-3, "{point} {found} {expected}");
                let normal = field.normal(point.as_vec3()).as_dvec3();
                assert!((normal - point.normalize()).length() < 0.08, "{point} {normal}");
            } else {
                assert!(found * expected > 0.0 && found.abs() < expected.abs() + 1e-3, "{point} {found} {expected}");
            }
            deep += i32::from(expected < -0.5);
        }
        assert!(deep > 100);
        assert!(field.is_far(Vec3::splat(1.3), Vec3::splat(1.4)) && !field.is_far(Vec3::splat(0.0), Vec3::splat(2.0)));
    }

    /// The cavity of a hollow solid is outside, and its wall inside.
    #[test]
    fn the_cavity_of_an_hourglass_is_outside() {
        let outer = cube();
        let inner = cube().map(|v| 0.7 * v * DVec3::new(-1.0, 1.0, 1.0)).unwrap();
        let hollow = Mesh::joined(&[outer, inner]);
        assert_eq!(check_solid(&hollow), Ok(()));
        let (field, _) = FineDistance::new(&hollow, 0.02, 0.0);
        assert!(field.distance(Vec3::ZERO) > 0.0 && field.distance(Vec3::splat(3.0)) > 0.0);
        assert!(field.distance(Vec3::new(0.85, 0.1, 0.0)) < 0.0);
        assert!((field.distance(Vec3::new(0.65, 0.1, 0.0)) - 0.05).abs() < 1e-5);
    }

    #[test]
    fn a_mesh_with_holes_is_a_sheet() {
        let open = Mesh::new(cube().vertices().to_vec(), cube().triangles()[2..].to_vec()).unwrap();
        let (field, problem) = FineDistance::new(&open, 0.05, 0.0);
        assert!(matches!(problem, Some(SolidProblem::Holes { .. })));
        assert!(field.distance(Vec3::new(0.0, 0.0, 1.05)) > 0.04 && field.distance(Vec3::new(0.0, 0.0, 0.95)) < -0.04);
        // There is no inside beyond the band.
        assert!(field.distance(Vec3::ZERO) > 0.0);
    }

    /// However large the mesh, memory is bounded.
    #[test]
    fn a_large_mesh_gets_larger_cells() {
        let block = Model::Block { lengths: DVec3::new(100.0, 100.0, 1.0) }.mesh(0).unwrap();
        let (cell, band) = affordable(&block, 1e-3, 0.0);
        assert!(cell > 0.01 && band == BAND * cell);
        assert_eq!(affordable(&block, 1.0, 5.0), (1.0, 7.0));
    }
}
