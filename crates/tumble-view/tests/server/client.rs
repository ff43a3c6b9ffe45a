//! The smallest client: sends any bytes, also malformed ones, and reads one response.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Response {
    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|problem| panic!("{problem}: {}", self.text()))
    }
}

/// Sends bytes and reads until the server closes the connection.
pub(crate) fn send(address: SocketAddr, request: &str) -> Response {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("an answer has a head");
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a status");
    Response { status, head, body: bytes[end + 4..].to_vec() }
}

/// A proper request with some more header lines, each ending in CR LF.
pub(crate) fn ask(address: SocketAddr, method: &str, path: &str, more: &str) -> Response {
    send(address, &format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\n{more}Connection: close\r\n\r\n"))
}

pub(crate) fn get(address: SocketAddr, path: &str) -> Response {
    ask(address, "GET", path, "")
}

pub(crate) fn range(address: SocketAddr, path: &str, range: &str) -> Response {
    ask(address, "GET", path, &format!("Range: {range}\r\n"))
}
