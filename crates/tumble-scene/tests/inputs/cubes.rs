//! The unit cube as a file of every format: what the good tests read, the bad tests break and the
//! fuzz tests mutate.

use tumble_scene::mesh::Format;

/// The corners of the unit cube; bit 0 is x, bit 1 is y, bit 2 is z.
pub(crate) fn corner(v: usize) -> [f32; 3] {
    [v & 1, v >> 1 & 1, v >> 2 & 1].map(|bit| bit as f32)
}

/// Its faces, counter-clockwise seen from outside.
pub(crate) const QUADS: [[usize; 4]; 6] =
    [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

/// The faces cut as a fan.
pub(crate) fn triangles() -> impl Iterator<Item = [usize; 3]> {
    QUADS.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]])
}

pub(crate) fn obj() -> String {
    let mut text = String::from("# a cube\nmtllib none.mtl\no cube\n");
    for v in 0..8 {
        let [x, y, z] = corner(v);
        text += &format!("v {x} {y} {z}\n");
    }
    text += "vn 0 0 1\nusemtl red\n";
    for (at, quad) in QUADS.iter().enumerate() {
        let [a, b, c, d] = quad.map(|v| v + 1);
        text += &match at {
            // The last two faces are in a group of their own and count backwards.
            4.. => format!("g side{at}\nf {} {} {} {}\n", a as i64 - 9, b as i64 - 9, c as i64 - 9, d as i64 - 9),
            _ => format!("f {a}//1 {b}//1 {c}//1 {d}//1\n"),
        };
    }
    text
}

pub(crate) fn stl_text() -> String {
    let mut text = String::from("solid cube\n");
    for triangle in triangles() {
        text += "facet normal 0 0 0\n outer loop\n";
        for [x, y, z] in triangle.map(corner) {
            text += &format!("  vertex {x:e} {y} {z}\n");
        }
        text += " endloop\nendfacet\n";
    }
    text + "endsolid cube\n"
}

pub(crate) fn stl_binary() -> Vec<u8> {
    let mut bytes = b"solid cube".to_vec();
    bytes.resize(80, 0);
    bytes.extend(12_u32.to_le_bytes());
    for triangle in triangles() {
        bytes.extend([0; 12]);
        bytes.extend(triangle.iter().flat_map(|&v| corner(v)).flat_map(f32::to_le_bytes));
        bytes.extend([0; 2]);
    }
    bytes
}

fn ply_header(format: &str) -> String {
    format!(
        "ply\nformat {format} 1.0\ncomment a cube\nelement vertex 8\nproperty float x\nproperty uchar red\n\
         property float y\nproperty float z\nelement face 6\nproperty list uchar int vertex_indices\nend_header\n"
    )
}

pub(crate) fn ply_text() -> String {
    let mut text = ply_header("ascii");
    for [x, y, z] in (0..8).map(corner) {
        text += &format!("{x} 255 {y} {z}\n");
    }
    for [a, b, c, d] in QUADS {
        text += &format!("4 {a} {b} {c} {d}\n");
    }
    text
}

pub(crate) fn ply_binary(is_big: bool) -> Vec<u8> {
    let order = |mut bytes: [u8; 4]| {
        if is_big {
            bytes.reverse();
        }
        bytes
    };
    let mut bytes = ply_header(if is_big { "binary_big_endian" } else { "binary_little_endian" }).into_bytes();
    for xyz in (0..8).map(corner) {
        let [x, y, z] = xyz.map(|number| order(number.to_le_bytes()));
        bytes.extend([&x[..], &[255], &y, &z].concat());
    }
    for quad in QUADS {
        bytes.push(4);
        bytes.extend(quad.iter().flat_map(|&v| order((v as u32).to_le_bytes())));
    }
    bytes
}

/// A cube under two nodes that move, scale and turn it, with one corner replaced by a sparse
/// accessor.
pub(crate) fn glb() -> Vec<u8> {
    let mut bin: Vec<u8> = triangles().flatten().map(|v| v as u8).collect();
    // A corner (x, y, z) of the z-up cube is (x, z, -y) in a y-up file. The nodes give (10 - 2x, 5
    // - 2y, 2z).
    let stored = |v| {
        let [x, y, z] = corner(v);
        [(10.0 - x) / 2.0, (5.0 - z) / 2.0, -y / 2.0].into_iter().flat_map(f32::to_le_bytes)
    };
    bin.extend((0..7).flat_map(stored));
    bin.extend([0; 12]);
    bin.extend(stored(7));
    bin.extend([7, 0, 0, 0]);
    let json = r#"{"asset":{"version":"2.0"},"extensionsRequired":["KHR_materials_unlit"],"extensionsUsed":["KHR_materials_unlit"],
"scene":1,"scenes":[{"nodes":[2]},{"nodes":[0]}],
"nodes":[{"translation":[10,0,0],"children":[1]},{"translation":[0,5,0],"rotation":[0,0,1,0],"scale":[2,2,2],"mesh":0},{"mesh":0}],
"images":[{"uri":"missing.png"}],"textures":[{"extensions":{"EXT_texture_webp":{"source":0}}}],
"meshes":[{"primitives":[{"mode":4,"indices":0,"attributes":{"POSITION":1}},{"mode":0,"attributes":{"POSITION":1}}]}],
"accessors":[{"bufferView":0,"componentType":5121,"count":36,"type":"SCALAR"},
{"bufferView":1,"componentType":5126,"count":8,"type":"VEC3",
"sparse":{"count":1,"indices":{"bufferView":3,"componentType":5121},"values":{"bufferView":2}}}],
"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":96},
{"buffer":0,"byteOffset":132,"byteLength":12},{"buffer":0,"byteOffset":144,"byteLength":4}],
"buffers":[{"byteLength":148}]}"#;
    glb_of(json, &bin)
}

pub(crate) fn glb_of(json: &str, bin: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((12 + 8 + json.len() as u32 + 8 + bin.len() as u32).to_le_bytes());
    bytes.extend((json.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(json);
    bytes.extend((bin.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(bin);
    bytes
}

/// The corners and corner numbers of a cube inside out, which `gltf` puts under a mirroring node.
pub(crate) fn gltf_buffer() -> Vec<u8> {
    let mut bytes: Vec<u8> =
        triangles().flat_map(|[a, b, c]| [a, c, b]).flat_map(|v| (v as u16).to_le_bytes()).collect();
    // Rows of 16 bytes: position and four bytes of something else.
    for [x, y, z] in (0..8).map(corner) {
        bytes.extend([-x, z, -y, 0.0].into_iter().flat_map(f32::to_le_bytes));
    }
    bytes
}

pub(crate) fn gltf(uri: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
"nodes":[{{"mesh":0,"matrix":[-1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}}],
"meshes":[{{"primitives":[{{"indices":0,"attributes":{{"POSITION":1}}}}]}}],
"accessors":[{{"bufferView":0,"componentType":5123,"count":36,"type":"SCALAR"}},
{{"bufferView":1,"componentType":5126,"count":8,"type":"VEC3","min":[0,0,0],"max":[1,1,1]}}],
"bufferViews":[{{"buffer":0,"byteLength":72}},{{"buffer":0,"byteOffset":72,"byteLength":128,"byteStride":16}}],
"buffers":[{{"byteLength":200,"uri":"{uri}"}}]}}"#
    )
}

pub(crate) fn data_uri(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::from("data:application/octet-stream;base64,");
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - group.len()));
        for at in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * at) & 63) as usize];
            text.push(if at <= group.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

/// Every format and encoding, with its extension.
pub(crate) fn all() -> Vec<(&'static str, Format, Vec<u8>)> {
    vec![
        ("obj", Format::Obj, obj().into_bytes()),
        ("text.stl", Format::Stl, stl_text().into_bytes()),
        ("binary.STL", Format::Stl, stl_binary()),
        ("text.ply", Format::Ply, ply_text().into_bytes()),
        ("little.ply", Format::Ply, ply_binary(false)),
        ("big.ply", Format::Ply, ply_binary(true)),
        ("glb", Format::Gltf, glb()),
        ("gltf", Format::Gltf, gltf(&data_uri(&gltf_buffer())).into_bytes()),
    ]
}
