//! Broken mesh files: each gives an error that says what is wrong, quickly and without much memory.

use std::path::Path;

use tumble::geometry::MeshProblem;
use tumble_scene::mesh::{Format, MeshErrorCause, parse_mesh, read_mesh};

use crate::cubes;
use crate::good_meshes::folder;

fn cause(bytes: &[u8], format: Format) -> MeshErrorCause {
    match parse_mesh(bytes, format) {
        Ok(_) => panic!("{format}: read {:?}", String::from_utf8_lossy(&bytes[..bytes.len().min(200)])),
        Err(error) => error.cause,
    }
}

/// The reason why something is not of its format.
fn syntax(bytes: &[u8], format: Format) -> String {
    match cause(bytes, format) {
        MeshErrorCause::Syntax(_, why) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn missing_files_folders_and_unknown_extensions() {
    let folder = folder("missing");
    let error = read_mesh(&folder.join("nowhere.obj")).unwrap_err().to_string();
    assert!(error.contains("nowhere.obj") && error.contains("check the path"), "{error}");
    std::fs::create_dir_all(folder.join("folder.ply")).unwrap();
    assert!(read_mesh(&folder.join("folder.ply")).unwrap_err().to_string().contains("not a file"));
    for name in ["chair.fbx", "chair"] {
        let error = read_mesh(Path::new(name)).unwrap_err();
        assert_eq!(error.cause, MeshErrorCause::UnknownExtension);
        assert!(error.to_string().contains(".obj, .stl, .ply, .gltf, .glb"));
    }
}

#[test]
fn too_large_a_file_is_not_read() {
    // A file with a hole takes no space on disk.
    let path = folder("large").join("large.stl");
    std::fs::File::create(&path).unwrap().set_len(3 << 30).unwrap();
    let error = read_mesh(&path).unwrap_err();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(error.cause, MeshErrorCause::TooLarge { bytes: 3 << 30 });
}

#[test]
fn empty_files() {
    assert_eq!(cause(b"", Format::Obj), MeshErrorCause::Mesh(MeshProblem::NoFaces));
    for format in [Format::Stl, Format::Ply, Format::Gltf] {
        syntax(b"", format);
    }
}

#[test]
fn every_cut_of_a_file_is_an_error_or_a_smaller_mesh() {
    for (name, format, bytes) in cubes::all() {
        for length in 0..bytes.len() {
            if let Ok(mesh) = parse_mesh(&bytes[..length], format) {
                // Only an OBJ has no end; spaces and digits at the end of the others may go.
                assert!(format == Format::Obj || bytes.len() - length < 8, "{name} cut to {length}");
                assert!(mesh.triangles().len() <= 12);
            }
        }
    }
}

#[test]
fn numbers_that_are_none_and_corners_that_are_not_there() {
    let nan = cubes::obj().replacen("v 1 0 0", "v nan 0 0", 1);
    assert_eq!(cause(nan.as_bytes(), Format::Obj), MeshErrorCause::Mesh(MeshProblem::NotFinite { vertex: 1 }));
    let mut bytes = cubes::stl_binary();
    bytes[96..100].copy_from_slice(&f32::INFINITY.to_le_bytes());
    assert_eq!(cause(&bytes, Format::Stl), MeshErrorCause::Mesh(MeshProblem::NotFinite { vertex: 0 }));
    let far = cubes::ply_text().replace("4 0 2 3 1", "4 0 2 3 8");
    let missing = MeshProblem::NoSuchVertex { triangle: 1, vertex: 8 };
    assert_eq!(cause(far.as_bytes(), Format::Ply), MeshErrorCause::Mesh(missing));
    let far = cubes::obj().replace("f 1//1", "f 99999999999//1");
    assert!(syntax(far.as_bytes(), Format::Obj).contains("not a corner"));
    let mut bytes = cubes::gltf_buffer();
    bytes[4] = 8;
    assert!(syntax(cubes::gltf(&cubes::data_uri(&bytes)).as_bytes(), Format::Gltf).contains("vertex 8"));
}

#[test]
fn no_faces() {
    let points = cubes::obj().replace("f ", "p ");
    assert_eq!(cause(points.as_bytes(), Format::Obj), MeshErrorCause::Mesh(MeshProblem::NoFaces));
    assert_eq!(cause(b"solid\nendsolid", Format::Stl), MeshErrorCause::Mesh(MeshProblem::NoFaces));
    let empty = r#"{"asset":{"version":"2.0"}}"#;
    assert_eq!(cause(empty.as_bytes(), Format::Gltf), MeshErrorCause::Mesh(MeshProblem::NoFaces));
}

#[test]
fn absurd_counts_reserve_nothing() {
    let mut bytes = cubes::stl_binary();
    bytes[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    bytes[0] = b'x';
    assert!(syntax(&bytes, Format::Stl).contains("cut off"));
    for count in ["4000000000", "18446744073709551615"] {
        let text = cubes::ply_text().replace("vertex 8", &format!("vertex {count}"));
        syntax(text.as_bytes(), Format::Ply);
    }
    let text = cubes::ply_text().replace("4 0 2 3 1", "4000000000 0 2 3 1");
    syntax(text.as_bytes(), Format::Ply);

    let gltf = cubes::gltf(&cubes::data_uri(&cubes::gltf_buffer()));
    for (from, to) in [
        (r#""count":8"#, r#""count":4000000000"#),
        (r#""count":8"#, r#""count":18446744073709551615"#),
        (r#""bufferView":1,"#, ""),
        (r#""byteStride":16"#, r#""byteStride":4"#),
        (r#""byteOffset":72"#, r#""byteOffset":18446744073709551615"#),
        (r#""byteLength":128"#, r#""byteLength":18446744073709551600"#),
        (r#""byteLength":200"#, r#""byteLength":201"#),
        (r#""componentType":5126"#, r#""componentType":5121"#),
        (r#""type":"VEC3""#, r#""type":"MAT4""#),
        (r#""scene":0"#, r#""scene":7"#),
        (r#""POSITION":1"#, r#""POSITION":2"#),
        (r#""indices":0"#, r#""indices":2"#),
    ] {
        assert!(gltf.contains(from));
        // Zeros and bytes in place of positions can still be read, but they are not the cube.
        match cause(gltf.replacen(from, to, 1).as_bytes(), Format::Gltf) {
            MeshErrorCause::Syntax(..) | MeshErrorCause::Mesh(MeshProblem::NoArea) => {}
            other => panic!("{to}: {other:?}"),
        }
    }
    // Nothing but zeros, as many as one likes.
    let sparse = r#""sparse":{"count":1,"indices":{"bufferView":0,"componentType":5121},"values":{"bufferView":1}},"#;
    let zeros = gltf.replace(r#""bufferView":1,"#, sparse).replace(r#""count":8"#, r#""count":4000000"#);
    assert!(syntax(zeros.as_bytes(), Format::Gltf).contains("no bytes"));
}

#[test]
fn gltf_nodes_in_circles_and_in_copies_of_copies() {
    let gltf = cubes::gltf(&cubes::data_uri(&cubes::gltf_buffer()));
    let circle = gltf.replace(r#"{"mesh":0,"matrix"#, r#"{"children":[0],"mesh":0,"matrix"#);
    assert!(syntax(circle.as_bytes(), Format::Gltf).contains("two parents"));
    let copies: Vec<_> = (1..60).map(|next| format!(r#"{{"children":[{next},{next}]}},"#)).collect();
    let copies = gltf.replace(r#""nodes":[{"mesh":0"#, &format!(r#""nodes":[{}{{"mesh":0"#, copies.concat()));
    assert!(syntax(copies.as_bytes(), Format::Gltf).contains("two parents"));
}

#[test]
fn deep_nodes_are_read_and_deep_json_is_refused() {
    let gltf = cubes::gltf(&cubes::data_uri(&cubes::gltf_buffer()));
    let chain: Vec<_> = (1..100_000).map(|next| format!(r#"{{"children":[{next}]}},"#)).collect();
    let deep = gltf.replace(r#""nodes":[{"mesh":0"#, &format!(r#""nodes":[{}{{"mesh":0"#, chain.concat()));
    assert_eq!(parse_mesh(deep.as_bytes(), Format::Gltf).unwrap().triangles().len(), 12);
    syntax(format!(r#"{{"asset":{{"version":"2.0"}},"extras":{}"#, "[".repeat(100_000)).as_bytes(), Format::Gltf);
}

#[test]
fn gltf_extensions_that_change_the_shape_are_named() {
    let gltf = cubes::gltf(&cubes::data_uri(&cubes::gltf_buffer()));
    let draco = gltf.replacen('{', r#"{"extensionsRequired":["KHR_draco_mesh_compression"],"#, 1);
    assert!(syntax(draco.as_bytes(), Format::Gltf).contains("KHR_draco_mesh_compression"));
    assert!(syntax(cubes::gltf("other.bin").as_bytes(), Format::Gltf).contains("other.bin"));
}

#[test]
fn a_repeated_mesh_may_not_grow_without_bound() {
    // Ten thousand nodes with three hundred cubes each: half a megabyte that stands for 36 million
    // triangles.
    let gltf = cubes::gltf(&cubes::data_uri(&cubes::gltf_buffer()));
    let parts = vec![r#"{"indices":0,"attributes":{"POSITION":1}}"#; 300].join(",");
    let gltf = gltf.replace(r#"{"indices":0,"attributes":{"POSITION":1}}"#, &parts);
    let nodes = vec![r#"{"mesh":0},"#; 10_000].concat();
    let all: Vec<_> = (0..10_001).map(|node| node.to_string()).collect();
    let gltf = gltf.replace(r#""nodes":[{"mesh":0,"#, &format!(r#""nodes":[{nodes}{{"mesh":0,"#));
    let gltf = gltf.replace(r#"[{"nodes":[0]}]"#, &format!(r#"[{{"nodes":[{}]}}]"#, all.join(",")));
    assert!(syntax(gltf.as_bytes(), Format::Gltf).contains("repeat"));
}

#[test]
fn glb_headers_that_lie() {
    let glb = cubes::glb();
    for (at, value) in [(8, 0_u32), (8, 11), (8, u32::MAX), (12, 0), (12, u32::MAX), (4, 1)] {
        let mut bytes = glb.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        syntax(&bytes, Format::Gltf);
    }
}
