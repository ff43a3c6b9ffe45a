//! Exports of one file per frame, and particles in all of them.

use tumble::{Frame, FrameDetail, FrameParticle};
use tumble_io::{DetailInfo, Header, MaterialInfo, RecordingWriter};
use tumble_scene::mesh::{Format, parse_mesh};

use crate::common::{Place, frame_column};
use tumble::world::MaterialId;

const PLACES: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.25], [0.0, 2.0, -0.5]];

/// Three frames of three particles each, and no bodies.
fn record_particles(place: &Place, name: &str) {
    let header = Header {
        materials: vec![MaterialInfo { name: "sand".into(), colour: None }],
        detail: Some(DetailInfo { carriers: Vec::new() }),
        ..Header::default()
    };
    let particle =
        |(id, position)| FrameParticle { id, material: MaterialId(0), radius: 0.25, position, velocity: [0.0; 3] };
    let detail = FrameDetail { state_hash: 1, particles: (0..).zip(PLACES).map(particle).collect() };
    let mut writer = RecordingWriter::create(&place.path(name), &header, &[]).unwrap();
    for number in 9..=11 {
        writer.append_with(&Frame { number, ..Frame::default() }, Some(&detail)).unwrap();
    }
}

#[test]
fn clouds_are_a_file_a_frame() {
    let place = Place::new("clouds_are_a_file_a_frame");
    place.good("run drop.toml -o out");
    place.tumble("export out --to ply -o clouds --frames 3-5").expect(0).says(&["3 files, 180 points"]);
    let names = ["bodies.0003.ply", "bodies.0004.ply", "bodies.0005.ply"];
    let clouds = place.files("clouds");
    assert!(clouds.keys().eq(&names), "{:?}", clouds.keys());
    place.good("export out --to ply -o named/drop.ply --frames 3-3");
    assert_eq!(place.files("named")["drop.0003.ply"], clouds["bodies.0003.ply"]);

    // An existing file stays as it is, and then nothing else is written either.
    place.write("clouds/bodies.0002.ply", "precious");
    let words = "export out --to ply -o clouds --frames 1-2";
    place.tumble(words).expect(2).says(&["bodies.0002.ply exists", "--force"]);
    assert!(!place.path("clouds/bodies.0001.ply").exists());
    place.good(&format!("{words} --force"));
    assert_eq!(place.files("clouds").len(), 5);
    place.tumble("export out --to ply -o -").expect(2).says(&["one file per frame", "folder"]);
    place.tumble("export out --to ply -o clouds --frames 21-30").expect(2).says(&["no such frame"]);
    place.tumble("export out --to ply --of particles -o none").expect(2).says(&["no particles", "--of bodies"]);
    place.tumble("export out --to csv --of particles -o none.csv").expect(2).says(&["no particles"]);
    place.tumble("export out --to ply -o drop.toml/clouds").expect(2).says(&["cannot write to drop.toml/clouds"]);
}

#[test]
fn particles_are_exported_where_there_are_some() {
    let place = Place::new("particles_are_exported_where_there_are_some");
    record_particles(&place, "sand.tumble");
    place.tumble("export sand.tumble --to ply -o clouds").expect(0).says(&["3 files, 9 points"]);
    place.tumble("export sand.tumble --to ply --of bodies -o bodies").expect(0).says(&["3 files, 0 points"]);
    let bytes = &place.files("clouds")["particles.0010.ply"];

    // Our own reader wants a mesh, so the cloud gets a triangle, and the corners are the particles.
    let end = bytes.windows(10).position(|window| window == b"end_header").unwrap();
    let face = b"element face 1\nproperty list uchar uint vertex_indices\n";
    let corners = [&[3], &0u32.to_le_bytes()[..], &1u32.to_le_bytes(), &2u32.to_le_bytes()].concat();
    let mesh = parse_mesh(&[&bytes[..end], face, &bytes[end..], &corners].concat(), Format::Ply).unwrap();
    let vertices: Vec<[f32; 3]> = mesh.vertices().iter().map(|vertex| vertex.as_vec3().to_array()).collect();
    assert_eq!(vertices, PLACES);

    let rows = place.good("export sand.tumble --to csv --of particles -o - --frames 10-11");
    assert_eq!(frame_column(&rows), [10, 10, 10, 11, 11, 11]);
    assert_eq!(rows.lines().nth(2), Some("10,0,1,sand,0.25,1,0,0.25,0,0,0"));
    assert!(frame_column(&place.good("export sand.tumble --to csv -o -")).is_empty());
}
