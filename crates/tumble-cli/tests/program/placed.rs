//! Poses that go in and come out are those of the user's mesh: its origin and its axes.

use std::collections::BTreeMap;

use glam::{DQuat, DVec3};
use tumble::{Frame, FrameBody};
use tumble_io::Recording;
use tumble_scene::mesh::{Format, parse_mesh};

use crate::common::Place;

/// A seat with one leg that stands away from the middle: no axis of the mesh is a principal one,
/// and its origin is under the leg.
fn stool() -> String {
    let boxes = [[[-0.05, -0.05, 0.0], [0.05, 0.05, 0.4]], [[-0.05, -0.1, 0.4], [0.35, 0.3, 0.45]]];
    let corner = |[low, high]: [[f64; 3]; 2], k: usize| {
        [0, 1, 2].map(|axis| if k >> axis & 1 == 1 { high[axis] } else { low[axis] })
    };
    let faces = [[1, 3, 4, 2], [5, 6, 8, 7], [1, 2, 6, 5], [3, 7, 8, 4], [1, 5, 7, 3], [2, 4, 8, 6]];
    let mut text = String::new();
    for (first, ends) in [(0, boxes[0]), (8, boxes[1])] {
        for k in 0..8 {
            let [x, y, z] = corner(ends, k);
            text += &format!("v {x} {y} {z}\n");
        }
        for face in faces {
            let [a, b, c, d] = face.map(|corner| corner + first);
            text += &format!("f {a} {b} {c} {d}\n");
        }
    }
    text
}

const SHAPES: &str = r#"
[shape.stool]
mesh = "stool.obj"
[shape.l]
model = { kind = "l_block", lengths = [0.3, 0.5, 0.1], arm = 0.1 }
[shape.chair]
model = { kind = "chair" }
[[shape.odd.part]]
box = [0.1, 0.2, 0.3]
position = [0.3, 0, 0]
[[shape.odd.part]]
ball = 0.05
[[shape.bone.sphere]]
position = [1, 0, 0]
radius = 0.1
[[shape.bone.sphere]]
position = [1.1, 0.1, 0]
radius = 0.05
"#;

/// A row of a table by the names of its columns.
fn rows(table: &str) -> Vec<BTreeMap<&str, &str>> {
    let mut lines = table.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    lines.map(|line| names.iter().copied().zip(line.split(',')).collect()).collect()
}

fn numbers<const N: usize>(row: &BTreeMap<&str, &str>, names: [&str; N]) -> [f64; N] {
    names.map(|name| row[name].parse().unwrap())
}

#[test]
fn what_nobody_turned_is_unturned_and_where_it_was_put() {
    let place = Place::new("what_nobody_turned_is_unturned_and_where_it_was_put");
    place.write("stool.obj", stool());
    let mut scene = format!("solver = \"rigid\"\nframes = [1, 1]\n{SHAPES}\n[material.wood]\n");
    for (k, shape) in ["stool", "l", "chair", "odd", "bone"].iter().enumerate() {
        scene += &format!("[[body]]\nshape = \"{shape}\"\nposition = [0, {k}.1, 0.1]\nsize = 1.5\n");
    }
    place.write("still.toml", &scene);
    place.good("run still.toml -o out");
    let table = place.good("export out --to csv -o -");
    for (k, row) in rows(&table).iter().enumerate() {
        let turned = ["x", "qw", "qx", "qy", "qz"].map(|name| row[name]);
        assert_eq!(turned, ["0", "1", "0", "0", "0"], "{}", row["kind"]);
        let [y, z] = numbers(row, ["y", "z"]);
        assert!((y - k as f64 - 0.1).abs() < 5e-7 && (z - 0.1).abs() < 1e-7, "{} {y} {z}", row["kind"]);
        assert_eq!([row["size"], row["material"], row["generation"]], ["1.5", "wood", "0"]);
    }
}

/// The corners of a body as the recording draws them.
fn drawn(body: &FrameBody, mesh: &[[f32; 3]]) -> Vec<DVec3> {
    let [w, x, y, z] = body.orientation.map(f64::from);
    let turn = DQuat::from_xyzw(x, y, z, w).normalize();
    let place = DVec3::from(body.position.map(f64::from));
    mesh.iter().map(|v| place + turn * (f64::from(body.size) * DVec3::from(v.map(f64::from)))).collect()
}

#[test]
fn meshes_put_in_exported_poses_lie_where_the_recording_draws_them() {
    let place = Place::new("meshes_put_in_exported_poses_lie_where_the_recording_draws_them");
    place.write("stool.obj", stool());
    let mut scene = format!("solver = \"rigid\"\nframes = [1, 30]\nground = 0\n{SHAPES}");
    for shape in ["stool", "l", "chair", "odd"] {
        scene += &format!(
            "[[emitter]]\nshape = \"{shape}\"\ncount = 4\nsize = [0.5, 1]\n\
             box = {{ low = [-3, -3, 0], high = [3, 3, 4] }}\njitter = {{ orientation = true, spin = 300 }}\n"
        );
    }
    place.write("fall.toml", &scene);
    place.good("run fall.toml -o out");
    place.tumble("export out --to obj -o meshes").expect(0).says(&["chair.obj", "triangles"]);
    place.tumble("export out --to obj -o meshes").expect(2).says(&["exists", "--force"]);
    // The mesh of a file comes back as it was.
    let users = parse_mesh(stool().as_bytes(), Format::Obj).unwrap();
    let back = parse_mesh(&place.files("meshes")["stool.obj"], Format::Obj).unwrap();
    for (a, b) in users.vertices().iter().zip(back.vertices()) {
        assert!(a.distance(*b) < 1e-6, "{a} {b}");
    }

    let table = place.good("export out --to csv -o - --frames 30-30");
    let mut recording = Recording::open(&place.path("out/frames.tumble")).unwrap();
    let mut frame = Frame::default();
    recording.read(recording.find(30).unwrap(), &mut frame).unwrap();
    let rows = rows(&table);
    assert_eq!(rows.len(), 16);
    for (row, body) in rows.iter().zip(&frame.bodies) {
        let kind = row["kind"];
        let [x, y, z] = numbers(row, ["x", "y", "z"]);
        let [w, i, j, k] = numbers(row, ["qw", "qx", "qy", "qz"]);
        let [size] = numbers(row, ["size"]);
        let turn = DQuat::from_xyzw(i, j, k, w).normalize();
        assert!(w.abs() < 0.9999, "{kind} did not turn");
        let mesh = parse_mesh(&place.files("meshes")[&format!("{kind}.obj")], Format::Obj).unwrap();
        let number = recording.header().shapes[body.shape.index()].mesh.unwrap();
        let expected = drawn(body, &recording.mesh(number).unwrap().vertices);
        assert_eq!(mesh.vertices().len(), expected.len());
        for (vertex, expected) in mesh.vertices().iter().zip(expected) {
            let there = DVec3::new(x, y, z) + turn * (size * *vertex);
            assert!(there.distance(expected) < 1e-6, "{kind}: {there} is drawn at {expected}");
        }
        // The velocity is that of the point: from the centre of mass it differs by the spin.
        let spin = DVec3::from(numbers(row, ["wx", "wy", "wz"]));
        let arm = DVec3::new(x, y, z) - DVec3::from(body.position.map(f64::from));
        let velocity = DVec3::from(body.velocity.map(f64::from)) + spin.cross(arm);
        assert!(velocity.distance(DVec3::from(numbers(row, ["vx", "vy", "vz"]))) < 1e-5, "{kind}");
    }
}
