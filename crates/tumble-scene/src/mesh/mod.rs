//! Mesh files: reads OBJ, STL, PLY and glTF, gives one checked triangle mesh and the hash of what
//! was read.
//!
//! Files come from anywhere, so every reader treats its bytes as hostile: a count in a header is
//! compared with the bytes that are there before anything is reserved, and no input panics,
//! recurses or loops without end. OBJ, STL and PLY have readers of their own: each is shorter than
//! the guards a parser crate would need around it, and each error names the line or the element.
//! glTF leaves its JSON to the `gltf` crate and reads the buffers itself.
//!
//! All formats but glTF are taken as z-up, as they are written; glTF is y-up by its standard and is
//! turned.

mod accessor;
mod gltf;
mod obj;
mod ply;
mod stl;
mod uri;

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use glam::DVec3;
use tumble::geometry::{Mesh, MeshProblem};
use xxhash_rust::xxh3::Xxh3;

/// Files larger than this are refused \[bytes\]: a mesh of a body or an obstacle is never that
/// large.
pub const LARGEST_FILE: u64 = 2 << 30;

/// A file format of meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Wavefront OBJ.
    Obj,
    /// STL, text or binary.
    Stl,
    /// Stanford PLY, text or binary in either byte order.
    Ply,
    /// glTF 2.0, as JSON or as GLB.
    Gltf,
}

impl Format {
    /// The format that a file's extension names, whatever its case.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "obj" => Some(Self::Obj),
            "stl" => Some(Self::Stl),
            "ply" => Some(Self::Ply),
            "gltf" | "glb" => Some(Self::Gltf),
            _ => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Obj => "OBJ",
            Self::Stl => "STL",
            Self::Ply => "PLY",
            Self::Gltf => "glTF",
        })
    }
}

/// A mesh and what it was read from.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshFile {
    /// The checked mesh.
    pub mesh: Mesh,
    /// XXH3 of the file's bytes, followed by those of the buffer files a `.gltf` names, so that a
    /// resumed run notices a changed mesh.
    pub content_hash: u64,
}

/// Why a mesh file could not be used.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshError {
    /// The file, if there is one.
    pub file: Option<PathBuf>,
    /// The reason why it cannot be used.
    pub cause: MeshErrorCause,
}

/// Reasons why a mesh file cannot be used.
#[derive(Clone, Debug, PartialEq)]
pub enum MeshErrorCause {
    /// The file cannot be opened or read: the system's reason.
    Unreadable(String),
    /// The extension names no format.
    UnknownExtension,
    /// The file has more than [`LARGEST_FILE`] bytes.
    TooLarge {
        /// How many it has.
        bytes: u64,
    },
    /// The bytes are not of this format: the reader's reason.
    Syntax(Format, String),
    /// The file reads well, but its triangles make no mesh.
    Mesh(MeshProblem),
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "cannot use the mesh file {}: ", file.display())?,
            None => write!(f, "cannot use the mesh: ")?,
        }
        match &self.cause {
            MeshErrorCause::Unreadable(why) => write!(f, "{why}; check the path, which is relative to the scene file"),
            MeshErrorCause::UnknownExtension => {
                write!(f, "its extension is none of .obj, .stl, .ply, .gltf, .glb; export the mesh to one of these")
            }
            MeshErrorCause::TooLarge { bytes } => {
                write!(f, "it has {bytes} bytes, more than the {LARGEST_FILE} allowed; simplify the mesh")
            }
            MeshErrorCause::Syntax(format, why) => write!(f, "not a good {format} file: {why}; export it again"),
            MeshErrorCause::Mesh(problem) => write!(f, "{problem}; clean the mesh where it was made"),
        }
    }
}

impl std::error::Error for MeshError {}

/// Reads, checks and hashes a mesh file. Its extension says the format.
pub fn read_mesh(path: &Path) -> Result<MeshFile, MeshError> {
    let fail = |cause| MeshError { file: Some(path.to_owned()), cause };
    let format = Format::of(path).ok_or_else(|| fail(MeshErrorCause::UnknownExtension))?;
    let bytes = read_file(path).map_err(fail)?;
    let mut hash = Xxh3::new();
    hash.update(&bytes);
    // Buffers of a .gltf lie beside it.
    let mut load = |uri: &str| {
        let name = uri::relative_path(uri)?;
        let buffer = read_file(&path.with_file_name(&name)).map_err(|cause| match cause {
            MeshErrorCause::Unreadable(why) => format!("its buffer {}: {why}", name.display()),
            _ => format!("its buffer {} is too large", name.display()),
        })?;
        hash.update(&buffer);
        Ok(buffer)
    };
    let mesh = parse(&bytes, format, &mut load).map_err(fail)?;
    Ok(MeshFile { mesh, content_hash: hash.digest() })
}

/// Reads and checks a mesh from memory. A glTF must carry its buffers itself: there is no place to
/// look for files.
pub fn parse_mesh(bytes: &[u8], format: Format) -> Result<Mesh, MeshError> {
    let mut load = |uri: &str| Err(format!("its buffer {uri:?} is in another file"));
    parse(bytes, format, &mut load).map_err(|cause| MeshError { file: None, cause })
}

/// Gives the bytes of a buffer that a glTF keeps in another file.
type Load<'a> = &'a mut dyn FnMut(&str) -> Result<Vec<u8>, String>;

fn parse(bytes: &[u8], format: Format, load: Load<'_>) -> Result<Mesh, MeshErrorCause> {
    let triangles = match format {
        Format::Obj => obj::read(bytes),
        Format::Stl => stl::read(bytes),
        Format::Ply => ply::read(bytes),
        Format::Gltf => gltf::read(bytes, load),
    };
    let Triangles { vertices, triangles } = triangles.map_err(|why| MeshErrorCause::Syntax(format, why))?;
    Mesh::new(vertices, triangles).map_err(MeshErrorCause::Mesh)
}

/// Reads a regular file of bounded size. Pipes and devices are refused, as they may never end.
fn read_file(path: &Path) -> Result<Vec<u8>, MeshErrorCause> {
    let unreadable = |error: std::io::Error| MeshErrorCause::Unreadable(error.to_string());
    let about = std::fs::metadata(path).map_err(unreadable)?;
    if !about.is_file() {
        return Err(MeshErrorCause::Unreadable("it is not a file".into()));
    }
    if about.len() > LARGEST_FILE {
        return Err(MeshErrorCause::TooLarge { bytes: about.len() });
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(LARGEST_FILE).read_to_end(&mut bytes)).map_err(unreadable)?;
    Ok(bytes)
}

/// Output of every reader: vertices and triangles, not yet checked.
#[derive(Default)]
struct Triangles {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
}

impl Triangles {
    /// Adds a convex polygon as a fan. Points and lines have no area and are left out.
    fn add_polygon(&mut self, corners: &[u32]) {
        if let [first, rest @ ..] = corners {
            self.triangles.extend(rest.windows(2).map(|edge| [*first, edge[0], edge[1]]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_says_the_format() {
        for (name, format) in [("a.OBJ", Format::Obj), ("a.b.stl", Format::Stl), ("a.Ply", Format::Ply)] {
            assert_eq!(Format::of(Path::new(name)), Some(format));
        }
        assert_eq!(Format::of(Path::new("x.glb")), Format::of(Path::new("x.gltf")));
        assert_eq!(Format::of(Path::new("x.fbx")), None);
        assert_eq!(Format::of(Path::new("obj")), None);
    }

    #[test]
    fn a_polygon_becomes_a_fan() {
        let mut out = Triangles::default();
        out.add_polygon(&[4, 5, 6, 7]);
        out.add_polygon(&[1, 2]);
        out.add_polygon(&[]);
        assert_eq!(out.triangles, [[4, 5, 6], [4, 6, 7]]);
    }
}
