//! HTTP responses: a status, a type, a few headers and bytes; and the headers that isolate the page
//! from other pages.

use std::io::{self, Write};

/// Headers of every response. The page may load nothing but itself, be embedded in no other page,
/// and be read by no other page.
const ALWAYS: [(&str, &str); 6] = [
    (
        "Content-Security-Policy",
        "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
    // The next viewer may have the same address and serve another recording.
    ("Cache-Control", "no-store"),
];

/// The response to a request.
#[derive(Debug)]
pub(crate) struct Response {
    status: u16,
    kind: &'static str,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
    /// Length in the response to `HEAD`, for which no body was made \[byte\].
    length: Option<u64>,
}

impl Response {
    pub(crate) fn new(kind: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self { status: 200, kind, headers: Vec::new(), body: body.into(), length: None }
    }

    pub(crate) fn json(value: &serde_json::Value) -> Self {
        Self::new("application/json", value.to_string())
    }

    pub(crate) fn bytes(body: impl Into<Vec<u8>>) -> Self {
        Self::new("application/octet-stream", body)
    }

    /// A refusal or an error, as a plain text for people.
    pub(crate) fn problem(status: u16, text: impl Into<String>) -> Self {
        Self { status, ..Self::new("text/plain; charset=utf-8", text.into()) }
    }

    pub(crate) fn with_status(self, status: u16) -> Self {
        Self { status, ..self }
    }

    pub(crate) fn with_length(self, length: u64) -> Self {
        Self { length: Some(length), ..self }
    }

    pub(crate) fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// Memory of the body \[byte\].
    pub(crate) fn size(&self) -> u64 {
        self.body.len() as u64
    }

    /// Whether the request was so malformed that its connection is closed.
    pub(crate) fn ends_connection(&self) -> bool {
        matches!(self.status, 400 | 421)
    }

    /// Writes the whole response, or for `HEAD` all but the body.
    pub(crate) fn write(&self, out: &mut impl Write, is_head: bool, is_last: bool) -> io::Result<()> {
        let length = self.length.unwrap_or(self.body.len() as u64);
        let mut head = format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status));
        let connection = if is_last { "close" } else { "keep-alive" };
        let own = [("Content-Type", self.kind), ("Connection", connection), ("Server", "tumble")];
        let given = self.headers.iter().map(|(name, value)| (*name, value.as_str()));
        for (name, value) in own.into_iter().chain(ALWAYS).chain(given) {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("Content-Length: {length}\r\n\r\n"));
        out.write_all(head.as_bytes())?;
        if !is_head {
            out.write_all(&self.body)?;
        }
        out.flush()
    }
}

/// The reason phrase of a status.
fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        206 => "Partial Content",
        400 => "Bad Request",
        404 => "Not Found",
        405 => "Method Not Allowed",
        409 => "Conflict",
        414 => "URI Too Long",
        416 => "Range Not Satisfiable",
        421 => "Misdirected Request",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    }
}
