//! The same cube in every format gives the same triangles.

use std::path::PathBuf;

use tumble::geometry::Mesh;
use tumble_scene::mesh::{parse_mesh, read_mesh};

use crate::cubes;

/// A folder for the files of one test.
pub(crate) fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Triangles by their coordinates, in an order that does not depend on the file. Each begins with
/// its smallest corner, which keeps its sense of rotation.
fn shape(mesh: &Mesh) -> Vec<[[i64; 3]; 3]> {
    let point = |v: u32| mesh.vertices()[v as usize].to_array().map(|x| (x * 1e9).round() as i64);
    let mut triangles: Vec<_> = mesh.triangles().iter().map(|t| t.map(point)).collect();
    for triangle in &mut triangles {
        let smallest = (0..3).min_by_key(|&at| triangle[at]).unwrap();
        triangle.rotate_left(smallest);
    }
    triangles.sort();
    triangles
}

/// The cube straight from its definition.
fn cube() -> Mesh {
    let corners = (0..8).map(|v| glam::Vec3::from(cubes::corner(v)).as_dvec3()).collect();
    Mesh::new(corners, cubes::triangles().map(|t| t.map(|v| v as u32)).collect()).unwrap()
}

#[test]
fn the_cube_has_its_volume_and_faces_outwards() {
    // Sum of the signed volumes of tetrahedra over the origin: one sixth of the triple product
    // each.
    let mesh = cube();
    let corner = |v: u32| mesh.vertices()[v as usize];
    let volume: f64 = mesh.triangles().iter().map(|&[a, b, c]| corner(a).dot(corner(b).cross(corner(c))) / 6.0).sum();
    assert!((volume - 1.0).abs() < 1e-12);
}

#[test]
fn every_format_gives_the_same_cube() {
    let folder = folder("every_format");
    for (name, format, bytes) in cubes::all() {
        let path = folder.join(format!("cube.{name}"));
        std::fs::write(&path, &bytes).unwrap();
        let file = read_mesh(&path).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(file.mesh.triangles().len(), 12, "{name}");
        assert_eq!(file.mesh.vertices().len(), 8, "{name}");
        assert_eq!(shape(&file.mesh), shape(&cube()), "{name}");
        assert_eq!(parse_mesh(&bytes, format).unwrap(), file.mesh, "{name}");
        assert_eq!(file.content_hash, xxhash_rust::xxh3::xxh3_64(&bytes), "{name}");
    }
}

#[test]
fn a_gltf_reads_the_buffer_beside_it_and_hashes_it() {
    let folder = folder("beside");
    let path = folder.join("cube.gltf");
    std::fs::write(&path, cubes::gltf("the%20cube.bin")).unwrap();
    let buffer = folder.join("the cube.bin");
    std::fs::write(&buffer, cubes::gltf_buffer()).unwrap();
    let before = read_mesh(&path).unwrap();
    assert_eq!(shape(&before.mesh), shape(&cube()));

    // Bytes 12 to 15 of a row are not positions: same mesh, other content.
    let mut bytes = cubes::gltf_buffer();
    bytes[72 + 12] = 1;
    std::fs::write(&buffer, bytes).unwrap();
    let after = read_mesh(&path).unwrap();
    assert_eq!(before.mesh, after.mesh);
    assert_ne!(before.content_hash, after.content_hash);

    std::fs::remove_file(&buffer).unwrap();
    assert!(read_mesh(&path).unwrap_err().to_string().contains("the cube.bin"));
}
