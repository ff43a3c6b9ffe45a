//! A frame as a cloud of points, one vertex per body or particle, in binary PLY.
//!
//! Reads a [`Recording`], writes little-endian PLY 1.0 without faces. Blender imports every
//! property other than x, y, z as an attribute of that name, which geometry nodes read (radius, vx,
//! …); ParaView, MeshLab, CloudCompare and Open3D read at least the points. All properties are four
//! bytes wide, so a row is a few words. None is called u, v, s, t, nx or red: readers take those
//! for something else.

use std::io::{self, BufWriter, Write};

use tumble::{Frame, FrameDetail};

use crate::{IoError, Recording, ShapeInfo};

const PARTICLE: [(&str, &str); 9] = [
    ("float", "x"),
    ("float", "y"),
    ("float", "z"),
    ("float", "vx"),
    ("float", "vy"),
    ("float", "vz"),
    ("float", "radius"),
    ("uint", "id"),
    ("int", "material"),
];

// An id is an index and a generation, because PLY has no integers of 64 bits.
const BODY: [(&str, &str); 19] = [
    ("float", "x"),
    ("float", "y"),
    ("float", "z"),
    ("float", "vx"),
    ("float", "vy"),
    ("float", "vz"),
    ("float", "radius"),
    ("uint", "id"),
    ("int", "material"),
    ("float", "qw"),
    ("float", "qx"),
    ("float", "qy"),
    ("float", "qz"),
    ("float", "wx"),
    ("float", "wy"),
    ("float", "wz"),
    ("uint", "generation"),
    ("int", "shape"),
    ("float", "size"),
];

/// Writes the particles of the frame at `index` of [`Recording::frames`], and returns their number.
pub fn write_particles_ply(recording: &mut Recording, index: usize, out: &mut impl Write) -> Result<u64, IoError> {
    let mut detail = FrameDetail::default();
    recording.read_particles(index, &mut detail)?;
    let rows = detail.particles.iter().map(|particle| {
        let [x, y, z] = particle.position.map(f32::to_bits);
        let [vx, vy, vz] = particle.velocity.map(f32::to_bits);
        [x, y, z, vx, vy, vz, particle.radius.to_bits(), particle.id, particle.material.0]
    });
    write_cloud(&comments(recording, index), &PARTICLE, rows, out)
}

/// Writes the bodies of the frame at `index` of [`Recording::frames`], and returns their number.
///
/// A point is the origin of the body's mesh. The radius is that of the smallest ball about this
/// point that holds the body.
pub fn write_bodies_ply(recording: &mut Recording, index: usize, out: &mut impl Write) -> Result<u64, IoError> {
    let mut frame = Frame::default();
    recording.read(index, &mut frame)?;
    let reaches = reaches(recording)?;
    let header = recording.header();
    let rows = frame.bodies.iter().map(|body| {
        let pose = header.pose(body);
        let [x, y, z] = pose.position.map(f32::to_bits);
        let [vx, vy, vz] = pose.velocity.map(f32::to_bits);
        let [qw, qx, qy, qz] = pose.orientation.map(f32::to_bits);
        let [wx, wy, wz] = pose.spin.map(f32::to_bits);
        let radius = (reaches[body.shape.index()] * body.size).to_bits();
        let (id, generation) = (body.id.index, body.id.generation);
        let (shape, size) = (body.shape, body.size.to_bits());
        [x, y, z, vx, vy, vz, radius, id, body.material.0, qw, qx, qy, qz, wx, wy, wz, generation, shape.0, size]
    });
    write_cloud(&comments(recording, index), &BODY, rows, out)
}

/// Largest distance of each shape from its origin at size one \[m\]: of its mesh, or else of its
/// spheres.
fn reaches(recording: &mut Recording) -> Result<Vec<f32>, IoError> {
    let shapes = recording.header().shapes.clone();
    let reach = |shape: &ShapeInfo| match shape.mesh {
        None => {
            let moved =
                |&[x, y, z, radius]: &[f64; 4]| [x + shape.centre[0], y + shape.centre[1], z + shape.centre[2], radius];
            let spheres = shape.spheres.iter().map(moved).collect();
            Ok(ShapeInfo { spheres, ..ShapeInfo::default() }.reach() as f32)
        }
        Some(number) => {
            let vertices = recording.mesh(number)?.vertices;
            let square = |vertex: &[f32; 3]| {
                let from_origin = |axis: usize| f64::from(vertex[axis]) + shape.centre[axis];
                (0..3).map(|axis| from_origin(axis) * from_origin(axis)).sum::<f64>()
            };
            Ok(vertices.iter().map(square).fold(0.0, f64::max).sqrt() as f32)
        }
    };
    shapes.iter().map(reach).collect()
}

/// Comments for data that have no property: title, frame, units, names of shapes and materials.
fn comments(recording: &Recording, index: usize) -> Vec<String> {
    let (entry, header) = (recording.frames()[index], recording.header());
    let mut comments = vec![
        format!("tumble: {}", header.title),
        format!("frame {}, {} s", entry.number, entry.time),
        "metres, seconds, radians; z is up".to_owned(),
    ];
    comments.extend(header.shapes.iter().zip(0..).map(|(shape, k)| format!("shape {k}: {}", shape.name)));
    comments.extend(header.materials.iter().zip(0..).map(|(material, k)| format!("material {k}: {}", material.name)));
    comments
}

fn write_cloud<const N: usize>(
    comments: &[String],
    properties: &[(&str, &str); N],
    rows: impl ExactSizeIterator<Item = [u32; N]>,
    out: &mut impl Write,
) -> Result<u64, IoError> {
    let count = rows.len() as u64;
    let write = || -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        write!(out, "ply\nformat binary_little_endian 1.0\n")?;
        for comment in comments {
            // A name with a line break in it must not add lines to the header, and some readers
            // accept ASCII letters only.
            let plain = |sign: char| if sign.is_ascii() && !sign.is_ascii_control() { sign } else { '?' };
            writeln!(out, "comment {}", comment.chars().map(plain).collect::<String>())?;
        }
        writeln!(out, "element vertex {count}")?;
        for (kind, name) in properties {
            writeln!(out, "property {kind} {name}")?;
        }
        writeln!(out, "end_header")?;
        for row in rows {
            for word in row {
                out.write_all(&word.to_le_bytes())?;
            }
        }
        out.flush()
    };
    write().map_err(|source| IoError::Output { source })?;
    Ok(count)
}
