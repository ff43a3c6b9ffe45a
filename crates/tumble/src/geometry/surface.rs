//! Surfaces of obstacles in their own axes: a half-space, a box, a triangle mesh with its search
//! tree.
//!
//! The tree and the inside test are parry's.

use glam::DVec3;
use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::{TriMesh, TriMeshFlags, Triangle, TrianglePseudoNormals};

use super::{Mesh, sphere_box, sphere_plane};

/// The geometry of an obstacle.
#[derive(Clone, Debug)]
pub enum Surface {
    /// Everything below z = 0 is solid.
    Plane,
    /// A solid box about the origin, with these half lengths \[m\].
    Box(DVec3),
    /// A thin two-sided skin of triangles.
    Mesh(Box<MeshSurface>),
}

impl Surface {
    /// Distance of the farthest point of the surface from the origin \[m\]; infinite for a plane.
    pub fn reach(&self) -> f64 {
        match self {
            Self::Plane => f64::INFINITY,
            Self::Box(half) => half.length(),
            Self::Mesh(mesh) => mesh.mesh.vertices().iter().map(|v| v.length()).fold(0.0, f64::max),
        }
    }

    /// Distance of a point in the surface's axes from it \[m\]; negative inside a solid, never
    /// negative for the skin of a mesh.
    pub(crate) fn distance(&self, point: DVec3) -> f64 {
        match self {
            Self::Plane => sphere_plane(point).distance,
            Self::Box(half) => sphere_box(point, *half).distance,
            Self::Mesh(mesh) => mesh.signed_distance(point).abs(),
        }
    }
}

/// A triangle mesh that can be searched.
#[derive(Clone, Debug)]
pub struct MeshSurface {
    mesh: Mesh,
    closed: bool,
    tree: TriMesh,
}

impl MeshSurface {
    /// Builds the search tree of a mesh.
    pub fn new(mesh: Mesh) -> Self {
        let closed = is_closed(mesh.triangles());
        let vertices = mesh.vertices().to_vec();
        let indices = mesh.triangles().to_vec();
        // Orientation (for the inside test) needs a manifold mesh; the search tree does not. `Mesh`
        // has at least one triangle and valid indices, which is all that plain construction asks
        // for. Normals at edges keep solids that slide over them from catching on the edges between
        // triangles.
        let smooth = if closed { TriMeshFlags::FIX_INTERNAL_EDGES } else { TriMeshFlags::FIX_INTERNAL_EDGES_TWO_SIDED };
        let tree = TriMesh::with_flags(vertices.clone(), indices.clone(), TriMeshFlags::ORIENTED | smooth)
            .or_else(|_| TriMesh::new(vertices, indices))
            .unwrap_or_else(|problem| unreachable!("a checked mesh has triangles: {problem:?}"));
        Self { mesh, closed, tree }
    }

    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// Whether every edge has exactly two triangles, so that the mesh has an inside.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The corners of a triangle.
    pub(crate) fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.mesh.triangles()[triangle as usize].map(|v| self.mesh.vertices()[v as usize])
    }

    /// All triangles whose box comes within `reach` of a point's box, appended to `found` in
    /// ascending order.
    pub(crate) fn near(&self, point: DVec3, reach: f64, found: &mut Vec<u32>) {
        let first = found.len();
        let around = Aabb::new(point - DVec3::splat(reach), point + DVec3::splat(reach));
        found.extend(self.tree.bvh().intersect_aabb(&around));
        found[first..].sort_unstable();
    }

    /// Whether the box of any triangle comes within `reach` of a point's box.
    pub(crate) fn comes_near(&self, point: DVec3, reach: f64) -> bool {
        let around = Aabb::new(point - DVec3::splat(reach), point + DVec3::splat(reach));
        self.tree.bvh().intersect_aabb(&around).next().is_some()
    }

    /// All triangles whose box meets a box, appended to `found` in ascending order.
    pub(crate) fn within(&self, low: DVec3, high: DVec3, found: &mut Vec<u32>) {
        let first = found.len();
        found.extend(self.tree.bvh().intersect_aabb(&Aabb::new(low, high)));
        found[first..].sort_unstable();
    }

    /// A triangle as a parry shape, and the pseudo-normals that limit its contact normals.
    pub(super) fn triangle(&self, number: u32) -> (Triangle, Option<TrianglePseudoNormals>) {
        (self.tree.triangle(number), self.tree.triangle_normal_constraints(number))
    }

    /// Distance of a point from the surface, negative inside a closed mesh \[m\].
    pub fn signed_distance(&self, point: DVec3) -> f64 {
        let nearest = self.tree.project_local_point(point, false);
        let distance = (nearest.point - point).length();
        if self.closed && nearest.is_inside { -distance } else { distance }
    }
}

/// Whether each edge has exactly two triangles.
fn is_closed(triangles: &[[u32; 3]]) -> bool {
    let sides = |t: &[u32; 3]| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])].map(|(a, b)| (a.min(b), a.max(b)));
    let mut all: Vec<(u32, u32)> = triangles.iter().flat_map(sides).collect();
    all.sort_unstable();
    all.chunk_by(|a, b| a == b).all(|group| group.len() == 2)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The cube from -1 to 1, two triangles per side, outside out.
    pub(crate) fn cube() -> Mesh {
        let vertices = (0..8)
            .map(|k| DVec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64) * 2.0 - DVec3::ONE)
            .collect();
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        Mesh::new(vertices, triangles).unwrap()
    }

    #[test]
    fn a_cube_has_an_inside() {
        let cube = MeshSurface::new(cube());
        assert!(cube.is_closed());
        assert!((cube.signed_distance(DVec3::new(0.25, 0.0, 0.0)) + 0.75).abs() < 1e-12);
        assert!((cube.signed_distance(DVec3::new(0.0, 3.0, 0.0)) - 2.0).abs() < 1e-12);
        // Nearest feature is a corner: the sign must still be right.
        assert!((cube.signed_distance(DVec3::splat(2.0)) - 3f64.sqrt()).abs() < 1e-12);
        let mut near = Vec::new();
        cube.near(DVec3::new(0.0, 0.0, 1.0), 0.1, &mut near);
        assert_eq!(near, [2, 3]);
    }

    #[test]
    fn an_open_mesh_has_none() {
        let mut triangles = cube().triangles().to_vec();
        triangles.pop();
        let open = MeshSurface::new(Mesh::new(cube().vertices().to_vec(), triangles).unwrap());
        assert!(!open.is_closed());
        assert!(open.signed_distance(DVec3::ZERO) > 0.0);
    }
}
