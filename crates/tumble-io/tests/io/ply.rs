//! Clouds of points, byte by byte as their header says.

use std::collections::BTreeMap;

use tumble_io::{Recording, RecordingWriter, write_bodies_ply, write_particles_ply};

use crate::common::{Folder, frame, header, mesh, record};
use crate::particles::{detail, with_particles};

/// The points of a file by the names of their properties, whatever those are; every value exact in
/// f64.
fn points(bytes: &[u8]) -> Vec<BTreeMap<String, f64>> {
    let end = bytes.windows(11).position(|window| window == b"end_header\n").unwrap() + 11;
    let lines: Vec<&str> = std::str::from_utf8(&bytes[..end]).unwrap().lines().collect();
    assert_eq!(lines[..2], ["ply", "format binary_little_endian 1.0"]);
    let elements: Vec<&&str> = lines.iter().filter(|line| line.starts_with("element ")).collect();
    let [element] = elements[..] else { panic!("{elements:?}") };
    let count: usize = element.strip_prefix("element vertex ").unwrap().parse().unwrap();
    let properties: Vec<(&str, &str)> =
        lines.iter().filter_map(|line| line.strip_prefix("property ")?.split_once(' ')).collect();
    assert_eq!(bytes.len() - end, 4 * count * properties.len());
    let value = |kind: &str, four: [u8; 4]| match kind {
        "float" => f32::from_le_bytes(four).into(),
        "uint" => u32::from_le_bytes(four).into(),
        "int" => i32::from_le_bytes(four).into(),
        _ => panic!("{kind}"),
    };
    let row = |row: &[u8]| {
        let values = row.chunks_exact(4).zip(&properties);
        values.map(|(four, (kind, name))| (name.to_string(), value(kind, four.try_into().unwrap()))).collect()
    };
    bytes[end..].chunks_exact(4 * properties.len()).map(row).collect()
}

fn assert_values(point: &BTreeMap<String, f64>, names: &str, values: &[f32]) {
    let names: Vec<&str> = names.split(' ').collect();
    assert_eq!(names.len(), values.len());
    names.iter().zip(values).for_each(|(&name, &value)| assert_eq!(point[name], f64::from(value), "{name}"));
}

#[test]
fn a_point_is_a_particle() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    let mut writer = RecordingWriter::create(&path, &with_particles(), &[mesh()]).unwrap();
    for number in 1..=2 {
        writer.append_with(&frame(number, 2), Some(&detail(number, 300 * (number as u32 - 1)))).unwrap();
    }
    let mut recording = Recording::open(&path).unwrap();
    for (index, number) in [(0, 1), (1, 2)] {
        let mut bytes = Vec::new();
        let particles = detail(number, 300 * index as u32).particles;
        assert_eq!(write_particles_ply(&mut recording, index, &mut bytes).unwrap(), particles.len() as u64);
        let points = points(&bytes);
        assert_eq!(points.len(), particles.len());
        for (point, particle) in points.iter().zip(particles) {
            assert_eq!(point.len(), 9);
            assert_values(point, "x y z", &particle.position);
            assert_values(point, "vx vy vz", &particle.velocity);
            assert_values(point, "radius", &[particle.radius]);
            assert_eq!((point["id"], point["material"]), (particle.id.into(), particle.material.0.into()));
        }
    }
}

#[test]
fn a_point_is_a_body_where_there_are_no_particles() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    record(&path, &[frame(1, 7)]);
    let mut bytes = Vec::new();
    let mut recording = Recording::open(&path).unwrap();
    assert_eq!(write_bodies_ply(&mut recording, 0, &mut bytes).unwrap(), 7);
    // The shapes of the header: a small sphere off its centre, and a tetrahedron whose farthest
    // corner is 1.5 away.
    let reaches = [header().shapes[0].reach() as f32, 1.5];
    for (point, body) in points(&bytes).iter().zip(frame(1, 7).bodies) {
        assert_eq!(point.len(), 19);
        assert_values(point, "x y z", &body.position);
        assert_values(point, "vx vy vz", &body.velocity);
        assert_values(point, "qw qx qy qz", &body.orientation);
        assert_values(point, "wx wy wz", &body.spin);
        assert_values(point, "radius size", &[reaches[body.shape.index()] * body.size, body.size]);
        assert_eq!((point["id"], point["generation"]), (body.id.index.into(), body.id.generation.into()));
        assert_eq!((point["shape"], point["material"]), (body.shape.0.into(), body.material.0.into()));
    }
}

#[test]
fn names_add_no_lines_to_the_header() {
    let folder = Folder::new();
    let path = folder.join("frames.tumble");
    let mut header = with_particles();
    header.title = "a\nelement vertex 5\r\nproperty float ü".to_owned();
    let mut writer = RecordingWriter::create(&path, &header, &[mesh()]).unwrap();
    writer.append_with(&frame(1, 1), Some(&detail(1, 2))).unwrap();
    let mut bytes = Vec::new();
    write_particles_ply(&mut Recording::open(&path).unwrap(), 0, &mut bytes).unwrap();
    assert!(
        bytes.starts_with(
            b"ply\nformat binary_little_endian 1.0\ncomment tumble: a?element vertex 5??property float ?\n"
        )
    );
    assert_eq!(points(&bytes).len(), 2);
}
