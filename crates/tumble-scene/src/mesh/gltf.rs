//! Reads glTF and GLB: every triangle of every node of the default scene, in its place, turned from
//! y-up to z-up.
//!
//! The `gltf` crate reads the JSON and checks that all indices in it exist. Left to us are the
//! lengths (`accessor.rs`), the shape of the node graph, and the total size: a node takes a few
//! bytes and can repeat a large mesh. Images are never opened. Skins and morph targets are left
//! out: the mesh is read as it was modelled.

use glam::{DMat4, DQuat, DVec3, Vec3};
use gltf::json::validation::Checked;
use gltf::mesh::Mode;
use gltf::scene::Transform;
use gltf::{Document, Gltf, Node, Primitive, Scene, Semantic, buffer};

use super::accessor::numbers;
use super::uri::inline_bytes;
use super::{LARGEST_FILE, Load, Triangles};

/// The most vertices, and the most corners of triangles, that all nodes may add up to.
const MOST_ELEMENTS: usize = 50_000_000;

/// Required extensions that change only how things look, or that are read here.
const HARMLESS: [&str; 5] = ["KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_", "KHR_mesh_quantization"];

pub(super) fn read(bytes: &[u8], load: Load<'_>) -> Result<Triangles, String> {
    // The crate subtracts the header's 12 bytes from the length a GLB states without looking.
    let stated = bytes.get(8..12).and_then(|length| length.first_chunk()).map(|length| u32::from_le_bytes(*length));
    if bytes.starts_with(b"glTF") && stated.is_none_or(|length| length < 12) {
        return Err("its GLB header is cut off".into());
    }
    let Gltf { document, blob } = Gltf::from_slice_without_validation(bytes).map_err(|error| error.to_string())?;
    let document = checked(document)?;
    let buffers = read_buffers(&document, blob, load)?;

    // Counted before anything is kept, because a node of a few bytes can repeat a large mesh.
    let (mut vertices, mut corners) = (0_usize, 0_usize);
    visit(&document, &mut |part, _| {
        let count = part.get(&Semantic::Positions).map_or(0, |positions| positions.count());
        vertices = vertices.saturating_add(count);
        corners = corners.saturating_add(part.indices().map_or(count, |indices| indices.count()));
        match vertices.max(corners) {
            0..=MOST_ELEMENTS => Ok(()),
            _ => Err(format!("its nodes repeat meshes to more than {MOST_ELEMENTS} vertices or corners of triangles")),
        }
    })?;
    let mut out = Triangles::default();
    visit(&document, &mut |part, place| add_primitive(&mut out, part, place, &buffers))?;
    Ok(out)
}

/// Calls `each` with every surface of the default scene and its place, in the order of the file.
fn visit(
    document: &Document,
    each: &mut dyn FnMut(&Primitive<'_>, &DMat4) -> Result<(), String>,
) -> Result<(), String> {
    // glTF is y-up, tumble is z-up: (x, y, z) becomes (x, -z, y).
    let turn = DMat4::from_cols_array(&[1., 0., 0., 0., 0., 0., 1., 0., 0., -1., 0., 0., 0., 0., 0., 1.]);
    let scene = document.default_scene().or_else(|| document.scenes().next());
    // A stack instead of recursion, so that depth costs no more than the file's size.
    let mut open: Vec<(Node<'_>, DMat4)> = scene.iter().flat_map(Scene::nodes).map(|node| (node, turn)).collect();
    open.reverse();
    let mut seen = vec![false; document.nodes().len()];
    while let Some((node, parent)) = open.pop() {
        // Nodes are a forest by the standard. A second visit means a cycle, or copies that double
        // at every level.
        if std::mem::replace(&mut seen[node.index()], true) {
            return Err(format!("node {} has two parents", node.index()));
        }
        let place = parent * matrix(node.transform());
        for part in node.mesh().iter().flat_map(|mesh| mesh.primitives()) {
            if matches!(part.mode(), Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan) {
                each(&part, &place)?;
            }
        }
        let first = open.len();
        open.extend(node.children().map(|child| (child, place)));
        open[first..].reverse();
    }
    Ok(())
}

/// The document after the crate's own checks. What has no say in the shape is taken away before, so
/// that a texture in a format the crate does not know is no reason to refuse a mesh.
fn checked(document: Document) -> Result<Document, String> {
    let mut json = document.into_json();
    json.extensions_required.retain(|name| !HARMLESS.iter().any(|harmless| name.starts_with(harmless)));
    if let Some(name) = json.extensions_required.first() {
        return Err(format!(
            "it needs the extension {name:.60?}, which tumble cannot read; turn it off in the exporter"
        ));
    }
    json.materials.clear();
    json.textures.clear();
    json.images.clear();
    json.animations.clear();
    for part in json.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        part.material = None;
        let Some(positions) = part.attributes.get(&Checked::Valid(Semantic::Positions)) else { continue };
        // The crate's check looks at this accessor before it knows that there is one.
        let Some(accessor) = json.accessors.get_mut(positions.value()) else {
            return Err(format!("it names accessor {}, which does not exist", positions.value()));
        };
        // It also insists on bounds, which some exporters forget and nobody here needs.
        accessor.min = Some(vec![0.0; 3].into());
        accessor.max = Some(vec![0.0; 3].into());
    }
    Document::from_json(json).map_err(|error| error.to_string())
}

fn read_buffers(document: &Document, mut blob: Option<Vec<u8>>, load: Load<'_>) -> Result<Vec<Vec<u8>>, String> {
    let mut buffers = Vec::new();
    let mut total = 0_u64;
    for buffer in document.buffers() {
        let bytes = match buffer.source() {
            buffer::Source::Bin => blob.take().ok_or("its buffer is missing")?,
            buffer::Source::Uri(uri) => inline_bytes(uri).unwrap_or_else(|| load(uri))?,
        };
        if bytes.len() < buffer.length() {
            return Err(format!("buffer {} has {} of its {} bytes", buffer.index(), bytes.len(), buffer.length()));
        }
        total += bytes.len() as u64;
        if total > LARGEST_FILE {
            return Err(format!("its buffers have more than {LARGEST_FILE} bytes"));
        }
        buffers.push(bytes);
    }
    Ok(buffers)
}

fn matrix(transform: Transform) -> DMat4 {
    match transform {
        Transform::Matrix { matrix } => glam::Mat4::from_cols_array_2d(&matrix).as_dmat4(),
        Transform::Decomposed { translation, rotation, scale } => DMat4::from_scale_rotation_translation(
            Vec3::from(scale).as_dvec3(),
            DQuat::from_array(rotation.map(f64::from)).normalize(),
            Vec3::from(translation).as_dvec3(),
        ),
    }
}

fn add_primitive(out: &mut Triangles, part: &Primitive<'_>, place: &DMat4, buffers: &[Vec<u8>]) -> Result<(), String> {
    let Some(positions) = part.get(&Semantic::Positions) else { return Ok(()) };
    if positions.dimensions().multiplicity() != 3 {
        return Err(format!("accessor {} has positions without three coordinates", positions.index()));
    }

    let first = out.vertices.len() as u32;
    let count = positions.count() as u32;
    let coordinates = numbers(&positions, buffers)?;
    out.vertices.extend(coordinates.chunks_exact(3).map(|xyz| place.transform_point3(DVec3::from_slice(xyz))));
    let corners = match part.indices() {
        None => (0..count).collect(),
        Some(indices) => numbers(&indices, buffers)?.into_iter().map(|index| index as u32).collect::<Vec<_>>(),
    };
    if let Some(corner) = corners.iter().find(|corner| **corner >= count) {
        return Err(format!("mesh {} names vertex {corner}, which does not exist", part.index()));
    }
    // A mirrored node shows the other side of its triangles.
    let is_mirrored = place.determinant() < 0.0;
    out.triangles.extend(triangles(part.mode(), &corners).map(|[a, b, c]| {
        let (b, c) = if is_mirrored { (c, b) } else { (b, c) };
        [first + a, first + b, first + c]
    }));
    Ok(())
}

/// The triangles of a list, strip or fan, each counter-clockwise as the standard orders them.
fn triangles(mode: Mode, corners: &[u32]) -> impl Iterator<Item = [u32; 3]> {
    let step = if mode == Mode::Triangles { 3 } else { 1 };
    corners.windows(3).enumerate().step_by(step).map(move |(i, three)| match mode {
        Mode::TriangleFan => [three[1], three[2], corners[0]],
        Mode::TriangleStrip if i % 2 == 1 => [three[0], three[2], three[1]],
        _ => [three[0], three[1], three[2]],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_strips_and_fans() {
        let of = |mode| triangles(mode, &[7, 1, 2, 3, 4]).collect::<Vec<_>>();
        assert_eq!(of(Mode::Triangles), [[7, 1, 2]]);
        assert_eq!(of(Mode::TriangleStrip), [[7, 1, 2], [1, 3, 2], [2, 3, 4]]);
        assert_eq!(of(Mode::TriangleFan), [[1, 2, 7], [2, 3, 7], [3, 4, 7]]);
        assert_eq!(triangles(Mode::Triangles, &[0, 1]).count(), 0);
    }
}
