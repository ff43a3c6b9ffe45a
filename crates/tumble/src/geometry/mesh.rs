//! Triangle meshes as data: vertices and triangles, checked once when they are made.

use glam::DVec3;

/// Why vertices and triangles do not make a mesh.
#[derive(Clone, Debug, PartialEq)]
pub enum MeshProblem {
    /// There is no triangle.
    NoFaces,
    /// A coordinate is not a finite number.
    NotFinite {
        /// The vertex.
        vertex: usize,
    },
    /// A triangle names a vertex that is not there.
    NoSuchVertex {
        /// The triangle.
        triangle: usize,
        /// The missing vertex.
        vertex: usize,
    },
    /// All triangles are points or lines.
    NoArea,
}

impl std::fmt::Display for MeshProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoFaces => write!(f, "the mesh has no faces"),
            Self::NotFinite { vertex } => write!(f, "vertex {vertex} has a coordinate that is not a finite number"),
            Self::NoSuchVertex { triangle, vertex } => {
                write!(f, "triangle {triangle} names vertex {vertex}, which does not exist")
            }
            Self::NoArea => write!(f, "all triangles of the mesh have zero area"),
        }
    }
}

impl std::error::Error for MeshProblem {}

/// A triangle mesh with at least one triangle of non-zero area, finite coordinates and valid
/// indices.
///
/// Triangles without area are dropped and equal vertices are merged when it is made, so that
/// neighbouring triangles share their vertices whatever the file format does.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// Checks and cleans vertices and triangles.
    pub fn new(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<Self, MeshProblem> {
        if triangles.is_empty() {
            return Err(MeshProblem::NoFaces);
        }
        if let Some(vertex) = vertices.iter().position(|v| !v.is_finite()) {
            return Err(MeshProblem::NotFinite { vertex });
        }
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= vertices.len()) {
                return Err(MeshProblem::NoSuchVertex { triangle, vertex: vertex as usize });
            }
        }
        let (vertices, triangles) = merge_equal_vertices(&vertices, &triangles);
        let triangles: Vec<_> = triangles
            .into_iter()
            .filter(|&[a, b, c]| {
                let [a, b, c] = [a, b, c].map(|v| vertices[v as usize]);
                let area = (b - a).cross(c - a).length();
                area.is_finite() && area > 0.0
            })
            .collect();
        if triangles.is_empty() {
            return Err(MeshProblem::NoArea);
        }
        Ok(Self { vertices, triangles })
    }

    /// Several meshes as one, each with its own vertices.
    pub fn joined(meshes: &[Self]) -> Self {
        let mut all = Self { vertices: Vec::new(), triangles: Vec::new() };
        for mesh in meshes {
            let first = all.vertices.len() as u32;
            all.vertices.extend_from_slice(&mesh.vertices);
            all.triangles.extend(mesh.triangles.iter().map(|triangle| triangle.map(|vertex| first + vertex)));
        }
        all
    }

    /// The vertices \[m\].
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// Three vertex numbers per triangle, counter-clockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The mesh scaled, with its vertices moved by `map`.
    pub fn map(&self, map: impl Fn(DVec3) -> DVec3) -> Result<Self, MeshProblem> {
        Self::new(self.vertices.iter().map(|&v| map(v)).collect(), self.triangles.clone())
    }

    /// The smallest and largest coordinates \[m\].
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let low = self.vertices.iter().fold(DVec3::INFINITY, |low, &v| low.min(v));
        let high = self.vertices.iter().fold(DVec3::NEG_INFINITY, |high, &v| high.max(v));
        (low, high)
    }
}

/// Gives vertices with the same coordinates the same number and drops those no triangle uses.
fn merge_equal_vertices(vertices: &[DVec3], triangles: &[[u32; 3]]) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let mut order: Vec<u32> = triangles.iter().flatten().copied().collect();
    // Adding zero turns -0 into +0, so that the two compare equal bit by bit.
    let key = |v: u32| (vertices[v as usize] + 0.0).to_array().map(f64::to_bits);
    order.sort_unstable_by_key(|&v| (key(v), v));
    order.dedup();
    // Each group of equal vertices is represented by its lowest number, which keeps the file's
    // order.
    let mut lowest = vec![u32::MAX; vertices.len()];
    for group in order.chunk_by(|&a, &b| key(a) == key(b)) {
        for &v in group {
            lowest[v as usize] = group[0];
        }
    }
    let mut number = vec![u32::MAX; vertices.len()];
    let mut kept = Vec::new();
    for (v, &representative) in lowest.iter().enumerate() {
        if representative == v as u32 {
            number[v] = kept.len() as u32;
            kept.push(vertices[v]);
        }
    }
    let triangles = triangles.iter().map(|t| t.map(|v| number[lowest[v as usize] as usize])).collect();
    (kept, triangles)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(x: f64, y: f64, z: f64) -> DVec3 {
        DVec3::new(x, y, z)
    }

    #[test]
    fn equal_vertices_become_one_and_flat_triangles_go() {
        let corners = vec![v(0., 0., 0.), v(1., 0., 0.), v(0., 1., 0.), v(1., 0., -0.0), v(1., 1., 0.), v(0., 1., 0.)];
        let mesh = Mesh::new(corners, vec![[0, 1, 2], [3, 4, 5], [0, 1, 3]]).unwrap();
        assert_eq!(mesh.vertices().len(), 4);
        assert_eq!(mesh.triangles(), &[[0, 1, 2], [1, 3, 2]]);
    }

    #[test]
    fn bad_input_is_named() {
        let flat = vec![v(0., 0., 0.), v(1., 0., 0.), v(2., 0., 0.)];
        assert_eq!(Mesh::new(flat.clone(), vec![]), Err(MeshProblem::NoFaces));
        assert_eq!(Mesh::new(flat.clone(), vec![[0, 1, 2]]), Err(MeshProblem::NoArea));
        assert_eq!(Mesh::new(flat, vec![[0, 1, 7]]), Err(MeshProblem::NoSuchVertex { triangle: 0, vertex: 7 }));
        let nan = vec![v(0., 0., 0.), v(f64::NAN, 0., 0.), v(0., 1., 0.)];
        assert_eq!(Mesh::new(nan, vec![[0, 1, 2]]), Err(MeshProblem::NotFinite { vertex: 1 }));
    }
}
