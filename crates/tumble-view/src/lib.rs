//! The browser viewer: a local server, and the page it serves.
//!
//! Where to begin, from the outside in:
//! - [`serve`] opens the recordings and the port; [`Server::run`] answers until
//!   [`StopHandle::stop`] is called.
//! - `server.rs` accepts connections and refuses foreign requests, `http.rs` reads requests,
//!   `host.rs` decides which are foreign, `route.rs` parses paths, `range.rs` parses byte ranges,
//!   `response.rs` writes responses.
//! - `stream.rs` presents a recording as a file of fixed layout that a page reads by byte range,
//!   `layout.rs` is that layout, `about.rs` encodes the data shared by all frames, `particles.rs`
//!   is the layout of a frame's particles.
//! - `assets.rs` is the page itself (folder `page`), inside the program: no build step and no
//!   network.
//!
//! The viewer writes no files, and reads no files but the recordings given by name at the start.
//!
//! ```
//! use std::io::{Read, Write};
//! use tumble::{Frame, FrameBody};
//! use tumble_io::{Header, MaterialInfo, RecordingWriter, ShapeInfo};
//! use tumble_view::{Options, serve};
//!
//! let path = std::env::temp_dir().join(format!("tumble-view-doc-{}.tumble", std::process::id()));
//! let spheres = vec![[0.0, 0.0, 0.0, 0.5]];
//! let ball = ShapeInfo { name: "ball".into(), spheres, ..ShapeInfo::default() };
//! let (shapes, materials) = (vec![ball], vec![MaterialInfo { name: "red".into(), colour: None }]);
//! let header = Header { shapes, materials, ..Header::default() };
//! let mut writer = RecordingWriter::create(&path, &header, &[])?;
//! writer.append(&Frame { bodies: vec![FrameBody::default()], ..Frame::default() })?;
//! writer.sync()?;
//!
//! // Any free port of this machine; the page is the answer to `/`.
//! let server = serve(&[path.clone()], Options::default())?;
//! let (address, stop) = (server.address(), server.stop_handle());
//! assert!(address.ip().is_loopback());
//! let answering = std::thread::spawn(|| server.run());
//! let mut page = std::net::TcpStream::connect(address)?;
//! write!(page, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
//! let mut answer = String::new();
//! page.read_to_string(&mut answer)?;
//! assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.contains("<!doctype html>"));
//! stop.stop();
//! answering.join().map_err(|_| "the server failed")?;
//! std::fs::remove_file(&path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod about;
mod assets;
mod host;
mod http;
mod layout;
mod particles;
mod range;
mod response;
mod route;
mod server;
mod stream;

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr};

use tumble_io::IoError;

pub use layout::{BODY_BYTES, HEAD_BYTES, POSE_BYTES};
pub use particles::{PARTICLE_BYTES, PARTICLES_HEAD_BYTES};
pub use server::{Server, StopHandle, serve};

/// The address and port on which the viewer listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Address to listen on. Only 127.0.0.1 keeps the recordings on this machine.
    pub bind: IpAddr,
    /// Port; 0 takes any that is free.
    pub port: u16,
}

impl Default for Options {
    fn default() -> Self {
        Self { bind: IpAddr::V4(Ipv4Addr::LOCALHOST), port: 0 }
    }
}

/// The reason why the viewer could not start.
#[derive(Debug)]
pub enum ViewError {
    /// A recording could not be opened.
    Recording(IoError),
    /// The address could not be listened on.
    Listen {
        /// The address and port.
        address: String,
        /// The system's error.
        source: io::Error,
    },
}

impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Recording(problem) => problem.fmt(f),
            Self::Listen { address, source } => {
                let text = source.to_string();
                let reason = text.split(" (os error").next().unwrap_or(&text);
                write!(f, "cannot listen on {address}: {reason}; --port 0 takes any free port")
            }
        }
    }
}

impl std::error::Error for ViewError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Recording(problem) => Some(problem),
            Self::Listen { source, .. } => Some(source),
        }
    }
}

impl From<IoError> for ViewError {
    fn from(problem: IoError) -> Self {
        Self::Recording(problem)
    }
}
