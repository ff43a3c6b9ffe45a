//! Triangle meshes in a recording: each in a chunk of its own between the header and the first
//! frame.
//!
//! Single precision, as for all data that are only drawn; the vertices as three columns and the
//! corners of triangles as three, because that compresses best.

use crate::chunk::Fault;

/// A mesh as pictures need it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshData {
    /// Vertices \[m\].
    pub vertices: Vec<[f32; 3]>,
    /// Three vertex numbers per triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl MeshData {
    /// The payload of the mesh's chunk.
    pub(super) fn encode(&self, raw: &mut Vec<u8>) {
        raw.clear();
        for axis in 0..3 {
            raw.extend(self.vertices.iter().flat_map(|vertex| vertex[axis].to_le_bytes()));
        }
        for corner in 0..3 {
            raw.extend(self.triangles.iter().flat_map(|triangle| triangle[corner].to_le_bytes()));
        }
    }

    /// Size of the payload of a mesh with so many vertices and triangles \[byte\].
    pub(super) fn payload_length(vertices: u32, triangles: u32) -> u64 {
        12 * (u64::from(vertices) + u64::from(triangles))
    }

    /// Reads a payload of [`MeshData::payload_length`] bytes; corners without a vertex and vertices
    /// that are not finite are refused.
    pub(super) fn decode(raw: &[u8], vertices: u32, triangles: u32) -> Result<Self, Fault> {
        let words: Vec<u32> =
            raw.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
        let (vertices, triangles) = (vertices as usize, triangles as usize);
        let (positions, corners) = words.split_at(3 * vertices);
        let rows = |columns: &[u32], count: usize| -> Vec<[u32; 3]> {
            (0..count).map(|row| [0, 1, 2].map(|column| columns[column * count + row])).collect()
        };
        let mesh = Self {
            vertices: rows(positions, vertices).into_iter().map(|row| row.map(f32::from_bits)).collect(),
            triangles: rows(corners, triangles),
        };
        if mesh.triangles.iter().flatten().any(|&corner| corner as usize >= vertices) {
            return Err(Fault::Damaged("a triangle of a mesh names a vertex that is not there"));
        }
        if mesh.vertices.iter().flatten().any(|value| !value.is_finite()) {
            return Err(Fault::Damaged("a vertex of a mesh is not a finite number"));
        }
        Ok(mesh)
    }
}
