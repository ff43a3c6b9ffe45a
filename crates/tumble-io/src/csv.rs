//! A recording as a table: one row per body and frame, or per particle and frame.
//!
//! Reads a [`Recording`], writes comma-separated values as RFC 4180 wants them, because every
//! spreadsheet, pandas and gnuplot opens that without a plug-in.

use std::fmt::{Display, LowerExp};
use std::io::{self, BufWriter, Write};
use std::ops::RangeInclusive;

use tumble::{Frame, FrameBody, FrameDetail, FrameParticle};

use crate::{BodyPose, IoError, Recording};

const COLUMNS: &str = "frame,time,id,kind,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,asleep,size,material,generation";
const PARTICLE_COLUMNS: &str = "frame,time,id,material,radius,x,y,z,vx,vy,vz";

/// Writes the bodies of the frames whose numbers are in `frames`, or of all, and returns the number
/// of rows.
pub fn write_csv(
    recording: &mut Recording,
    frames: Option<RangeInclusive<i64>>,
    out: &mut impl Write,
) -> Result<u64, IoError> {
    let header = recording.header().clone();
    let kinds: Vec<String> = header.shapes.iter().map(|shape| quoted(&shape.name)).collect();
    let materials: Vec<String> = header.materials.iter().map(|material| quoted(&material.name)).collect();
    let mut frame = Frame::default();
    write_table(recording, frames, COLUMNS, out, |recording, index, start, out| {
        recording.read(index, &mut frame)?;
        for body in &frame.bodies {
            let names = [&kinds[body.shape.index()], &materials[body.material.index()]];
            write_body(body, &header.pose(body), names, start, out).map_err(failed)?;
        }
        Ok(frame.bodies.len() as u64)
    })
}

/// Writes the particles of the frames whose numbers are in `frames`, or of all, and returns the
/// number of rows.
pub fn write_particles_csv(
    recording: &mut Recording,
    frames: Option<RangeInclusive<i64>>,
    out: &mut impl Write,
) -> Result<u64, IoError> {
    let materials: Vec<String> = recording.header().materials.iter().map(|material| quoted(&material.name)).collect();
    let mut detail = FrameDetail::default();
    write_table(recording, frames, PARTICLE_COLUMNS, out, |recording, index, start, out| {
        recording.read_particles(index, &mut detail)?;
        let mut particles = detail.particles.iter();
        particles.try_for_each(|particle| write_particle(particle, &materials, start, out)).map_err(failed)?;
        Ok(detail.particles.len() as u64)
    })
}

fn failed(source: io::Error) -> IoError {
    IoError::Output { source }
}

/// Writes the title row, then the rows of each frame. `write_rows` gets the frame's index and the
/// text with which each of its rows starts, and returns how many rows it wrote.
fn write_table<W: Write>(
    recording: &mut Recording,
    frames: Option<RangeInclusive<i64>>,
    columns: &str,
    out: &mut W,
    mut write_rows: impl FnMut(&mut Recording, usize, &[u8], &mut BufWriter<&mut W>) -> Result<u64, IoError>,
) -> Result<u64, IoError> {
    // Rows are short and many: buffer them before they go to the caller's stream.
    let mut out = BufWriter::with_capacity(1 << 16, out);
    writeln!(out, "{columns}").map_err(failed)?;
    let mut rows = 0;
    for index in 0..recording.frames().len() {
        let entry = recording.frames()[index];
        if frames.as_ref().is_some_and(|range| !range.contains(&entry.number)) {
            continue;
        }
        // Frame and time are the same in all rows of a frame, so they are formatted once.
        let mut start = entry.number.to_string().into_bytes();
        write_number(&mut start, entry.time).map_err(failed)?;
        rows += write_rows(recording, index, &start, &mut out)?;
    }
    out.flush().map_err(failed)?;
    Ok(rows)
}

fn write_body(
    body: &FrameBody,
    pose: &BodyPose,
    [kind, material]: [&String; 2],
    start: &[u8],
    out: &mut impl Write,
) -> io::Result<()> {
    let BodyPose { position, orientation, velocity, spin } = pose;
    out.write_all(start)?;
    write!(out, ",{},{kind}", body.id.number())?;
    for &value in position.iter().chain(orientation).chain(velocity).chain(spin) {
        write_number(out, value)?;
    }
    out.write_all(if body.asleep { b",1" } else { b",0" })?;
    write_number(out, body.size)?;
    writeln!(out, ",{material},{}", body.id.generation)
}

fn write_particle(
    particle: &FrameParticle,
    materials: &[String],
    start: &[u8],
    out: &mut impl Write,
) -> io::Result<()> {
    let FrameParticle { id, material, radius, position, velocity } = particle;
    let material = materials.get(material.index()).map_or("", String::as_str);
    out.write_all(start)?;
    write!(out, ",{id},{material}")?;
    for &value in [radius].into_iter().chain(position).chain(velocity) {
        write_number(out, value)?;
    }
    out.write_all(b"\n")
}

/// Writes a comma and the fewest digits that read back to the same number, with an exponent where
/// it would need many zeros.
fn write_number<T: Copy + Into<f64> + Display + LowerExp>(out: &mut impl Write, value: T) -> io::Result<()> {
    let size = value.into().abs();
    let is_plain = size == 0.0 || !size.is_finite() || (1e-5..1e16).contains(&size);
    if is_plain { write!(out, ",{value}") } else { write!(out, ",{value:e}") }
}

/// The text as one field: in quotes, with its own quotes doubled, where it would otherwise break
/// the row.
fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\r', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: f32) -> String {
        let mut text = Vec::new();
        write_number(&mut text, value).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn numbers_are_short_and_read_back() {
        assert_eq!(number(0.1), ",0.1");
        assert_eq!(number(-0.0), ",-0");
        assert_eq!(number(1.5e-30), ",1.5e-30");
        assert_eq!(number(f32::NAN), ",NaN");
        for value in [f32::MIN_POSITIVE, f32::MAX, 1.0 / 3.0, 9.999e-6, 123_456.79] {
            assert_eq!(number(value)[1..].parse::<f32>().unwrap().to_bits(), value.to_bits());
        }
    }

    #[test]
    fn names_that_would_break_a_row_are_quoted() {
        assert_eq!(quoted("grain"), "grain");
        assert_eq!(quoted("big, red"), "\"big, red\"");
        assert_eq!(quoted("5\" pipe"), "\"5\"\" pipe\"");
    }
}
