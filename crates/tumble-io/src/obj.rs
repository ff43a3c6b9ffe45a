//! The shape of a body as a mesh of its own, in Wavefront OBJ.
//!
//! Reads a [`Recording`], writes the vertices and triangles of a shape at size one, from the origin
//! and in the axes in which it was given: those whose poses tables and clouds have. Every modelling
//! program reads OBJ, and unlike STL it has corners that triangles share.

use std::io::{BufWriter, Write};

use tumble::geometry::Model;

use crate::{IoError, MeshData, Recording};

/// Facets around the balls of a clump.
const FACETS: u32 = 32;

/// Writes the mesh of a shape, by number, and returns how many triangles it has. A clump is written
/// as its balls.
pub fn write_shape_obj(recording: &mut Recording, shape: usize, out: &mut impl Write) -> Result<u64, IoError> {
    let mesh = recording.shape_mesh(shape)?;
    let name: String = recording.header().shapes[shape].name.chars().map(plain).collect();
    let write = || -> std::io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        writeln!(out, "# tumble: shape {name} at size 1; metres, z is up\no {name}")?;
        for [x, y, z] in &mesh.vertices {
            writeln!(out, "v {x} {y} {z}")?;
        }
        for [a, b, c] in mesh.triangles.iter().map(|triangle| triangle.map(|corner| u64::from(corner) + 1)) {
            writeln!(out, "f {a} {b} {c}")?;
        }
        out.flush()
    };
    write().map_err(|source| IoError::Output { source })?;
    Ok(mesh.triangles.len() as u64)
}

/// A name must not add lines to the file.
fn plain(sign: char) -> char {
    if sign.is_control() || sign.is_whitespace() { '_' } else { sign }
}

impl Recording {
    /// The mesh of a shape at size one, from the origin and in the axes in which it was given; for
    /// a clump that of its balls.
    pub fn shape_mesh(&mut self, shape: usize) -> Result<MeshData, IoError> {
        let info = self.header().shapes[shape].clone();
        let mut whole = match info.mesh {
            Some(number) => self.mesh(number)?,
            None => MeshData::default(),
        };
        let balls = if info.mesh.is_some() { &[] } else { info.spheres.as_slice() };
        for &[x, y, z, radius] in balls {
            // A radius that makes no ball is that of a damaged header.
            let Ok(ball) = (Model::Ball { radius }).mesh(FACETS) else { continue };
            let first = whole.vertices.len() as u32;
            whole.vertices.extend(ball.vertices().iter().map(|v| [v.x + x, v.y + y, v.z + z].map(|part| part as f32)));
            whole.triangles.extend(ball.triangles().iter().map(|triangle| triangle.map(|corner| first + corner)));
        }
        for vertex in &mut whole.vertices {
            for (part, centre) in vertex.iter_mut().zip(info.centre) {
                *part = (f64::from(*part) + centre) as f32;
            }
        }
        Ok(whole)
    }
}
