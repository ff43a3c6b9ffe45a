//! Data shared by all frames of a recording, as the page reads them: the header without the scene's
//! text, and meshes.

use serde_json::{Value, json};
use tumble_io::{Header, MeshData};

/// The header as JSON. `name` tells two recordings of the same scene apart.
pub(crate) fn header(header: &Header, name: &str, epoch: u64) -> Value {
    json!({
        "epoch": epoch,
        "name": name,
        "title": header.title,
        "fps": header.fps,
        "first_frame": header.first_frame,
        "shapes": header.shapes,
        "materials": header.materials,
        "obstacles": header.obstacles,
        "guides": header.guides,
        "meshes": header.meshes,
        "detail": header.detail,
        "camera": header.camera,
    })
}

/// A mesh: numbers of vertices and triangles (`u32`), the vertices (3 `f32` each), the triangles (3
/// `u32` each).
pub(crate) fn mesh(mesh: &MeshData) -> Vec<u8> {
    // Both counts come from `u32` in the file.
    let counts = [mesh.vertices.len() as u32, mesh.triangles.len() as u32];
    let words = counts.into_iter();
    let words = words.chain(mesh.vertices.iter().flatten().map(|value| value.to_bits()));
    let words = words.chain(mesh.triangles.iter().flatten().copied());
    words.flat_map(u32::to_le_bytes).collect()
}
