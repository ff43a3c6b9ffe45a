//! The part of HTTP/1.1 that a browser needs to read from this server: heads of requests, each with
//! a deadline, and nothing else.
//!
//! Requests have no content here, so a connection is a sequence of heads. A head is refused when it
//! is too long, too slow or malformed, and then the connection is closed, because the start of the
//! next head is unknown. Existing crates either need an asynchronous runtime or, like tiny_http,
//! let connections wait behind each other: its pool of threads counts a thread as idle until it has
//! woken up, so of two connections that come at once the second may get none, and the page never
//! loads.

use std::io::{self, BufRead, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Longest head that is accepted \[byte\]; those of browsers are a tenth of it.
const LONGEST_HEAD: u64 = 16 << 10;

/// The head of a request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// The path and the query, unchecked.
    pub(crate) target: String,
    headers: Vec<(String, String)>,
    /// Whether the connection ends after the response.
    pub(crate) is_last: bool,
}

/// The reason why there is no request.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// The client has closed the connection, or left it idle for too long.
    Over,
    /// The bytes are no head, or too long for one: status and text of the response.
    Bad(u16, &'static str),
}

impl From<io::Error> for Refusal {
    fn from(_: io::Error) -> Self {
        Self::Over
    }
}

impl Request {
    /// Reads the next head.
    pub(crate) fn read(reader: &mut impl BufRead) -> Result<Self, Refusal> {
        let mut head = reader.take(LONGEST_HEAD);
        let first = line(&mut head)?.ok_or(Refusal::Over)?;
        let mut words = first.split(' ');
        let (method, target, version) = (words.next(), words.next(), words.next());
        let (Some(method), Some(target), Some(version), None) = (method, target, version, words.next()) else {
            return Err(Refusal::Bad(400, "This is no request.\n"));
        };
        let is_new = match version {
            "HTTP/1.1" => true,
            "HTTP/1.0" => false,
            _ => return Err(Refusal::Bad(400, "Only HTTP/1.0 and HTTP/1.1.\n")),
        };
        if method.is_empty() || target.is_empty() {
            return Err(Refusal::Bad(400, "This is no request.\n"));
        }
        let mut request = Self { method: method.into(), target: target.into(), headers: Vec::new(), is_last: !is_new };
        loop {
            let text =
                line(&mut head)?.ok_or(Refusal::Bad(431, "The head of the request is too long or cut off.\n"))?;
            if text.is_empty() {
                break;
            }
            // A line that begins with a space would continue the last one (obsolete line folding),
            // which programs interpret differently.
            let is_name = |name: &&str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic());
            let (name, value) = text.split_once(':').ok_or(Refusal::Bad(400, "A header has a name and a colon.\n"))?;
            let name = Some(name).filter(is_name).ok_or(Refusal::Bad(400, "A header has an odd name.\n"))?;
            request.headers.push((name.into(), value.trim().into()));
        }
        // No request here may have content: it would be read as the next head.
        let has_content = request.values("Transfer-Encoding").next().is_some()
            || request.values("Content-Length").any(|length| length != "0");
        let says_close = request.values("Connection").any(|value| value.to_ascii_lowercase().contains("close"));
        request.is_last |= has_content || says_close;
        Ok(request)
    }

    /// All values of a header.
    pub(crate) fn values<'a>(&'a self, name: &'static str) -> impl Iterator<Item = &'a str> {
        self.headers.iter().filter(move |(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

/// The next line without its end; `None` at the end of the connection or of the bytes allowed for a
/// head.
fn line(head: &mut impl BufRead) -> Result<Option<String>, Refusal> {
    let mut bytes = Vec::new();
    head.read_until(b'\n', &mut bytes)?;
    let Some(text) = bytes.strip_suffix(b"\n") else {
        return if bytes.is_empty() {
            Ok(None)
        } else {
            Err(Refusal::Bad(431, "The head of the request is too long or cut off.\n"))
        };
    };
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    // Valid heads have no other characters, and a lone carriage return is a trick of request
    // smuggling.
    let is_plain = text.iter().all(|&byte| byte == b'\t' || (b' '..=b'~').contains(&byte));
    let text = std::str::from_utf8(text).ok().filter(|_| is_plain);
    text.map(|text| Some(text.to_owned())).ok_or(Refusal::Bad(400, "There is an odd sign in the request.\n"))
}

/// A connection with a deadline for all reads and writes together.
///
/// The timeouts of a socket hold for one call each, so a client that sends or takes a byte now and
/// then could hold a connection and its thread for ever. Here a deadline holds for all calls until
/// the next one is set.
pub(crate) struct DeadlineStream {
    stream: TcpStream,
    until: Instant,
}

impl DeadlineStream {
    /// A connection whose deadline has passed: call [`DeadlineStream::limit`] before reading or
    /// writing.
    pub(crate) fn new(stream: TcpStream) -> Self {
        Self { stream, until: Instant::now() }
    }

    /// Sets the deadline: all reads and writes from now on must end within `time`.
    pub(crate) fn limit(&mut self, time: Duration) {
        self.until = Instant::now() + time;
    }

    fn rest(&self) -> io::Result<Option<Duration>> {
        let rest = self.until.saturating_duration_since(Instant::now());
        if rest.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(Some(rest)) }
    }
}

impl Read for DeadlineStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.rest()?)?;
        self.stream.read(buffer)
    }
}

impl Write for DeadlineStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.rest()?)?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    fn read(text: &str) -> Result<Request, Refusal> {
        Request::read(&mut text.as_bytes())
    }

    #[test]
    fn heads_are_read_one_after_the_other() {
        let mut two =
            &b"GET /a HTTP/1.1\r\nHost: x\r\nRANGE:  bytes=0-1 \r\n\r\nHEAD /b HTTP/1.1\nConnection: Close\n\n"[..];
        let first = Request::read(&mut two).unwrap();
        assert_eq!((first.method.as_str(), first.target.as_str(), first.is_last), ("GET", "/a", false));
        assert_eq!(first.values("Range").collect::<Vec<_>>(), ["bytes=0-1"]);
        let second = Request::read(&mut two).unwrap();
        assert_eq!((second.method.as_str(), second.is_last), ("HEAD", true));
        assert!(matches!(Request::read(&mut two), Err(Refusal::Over)));
    }

    #[test]
    fn what_has_content_is_the_last() {
        assert!(read("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello").unwrap().is_last);
        assert!(read("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n").unwrap().is_last);
        assert!(!read("GET / HTTP/1.1\r\nContent-Length: 0\r\n\r\n").unwrap().is_last);
        assert!(read("GET / HTTP/1.0\r\n\r\n").unwrap().is_last);
    }

    #[test]
    fn odd_heads_are_refused() {
        let odd =
            ["GET /\r\n\r\n", "GET / HTTP/2.0\r\n\r\n", "GET / a HTTP/1.1\r\n\r\n", " / HTTP/1.1\r\n\r\n", "\r\n\r\n"];
        let more = [
            "GET / HTTP/1.1\r\nno colon\r\n\r\n",
            "GET / HTTP/1.1\r\n folded: x\r\n\r\n",
            "GET /\u{e9} HTTP/1.1\r\n\r\n",
        ];
        for text in
            odd.into_iter().chain(more).chain(["GET / HTTP/1.1\r\na: b\rc: d\r\n\r\n", "GET / HTTP/1.1\r\n: x\r\n\r\n"])
        {
            assert!(matches!(read(text), Err(Refusal::Bad(400, _))), "{text:?}");
        }
        let long = format!("GET / HTTP/1.1\r\nCookie: {}\r\n\r\n", "a".repeat(20_000));
        assert!(matches!(read(&long), Err(Refusal::Bad(431, _))));
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(10_000));
        assert!(matches!(read(&many), Err(Refusal::Bad(431, _))));
        assert!(matches!(read("GET / HTTP/1.1\r\nHost: x\r\n"), Err(Refusal::Bad(431, _))));
    }
    #[test]
    fn a_byte_now_and_then_does_not_keep_a_connection() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let slow = std::thread::spawn(move || {
            let mut stream = TcpStream::connect(address).unwrap();
            while stream.write_all(b"a").is_ok() {
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        let mut reader = io::BufReader::new(DeadlineStream::new(listener.accept().unwrap().0));
        let start = Instant::now();
        reader.get_mut().limit(Duration::from_millis(200));
        assert!(reader.read_until(b'\n', &mut Vec::new()).is_err());
        assert!(start.elapsed() < Duration::from_secs(10));
        drop(reader);
        slow.join().unwrap();
    }

    #[test]
    fn someone_who_reads_nothing_is_not_waited_for() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let _silent = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let mut out = DeadlineStream::new(listener.accept().unwrap().0);
        let start = Instant::now();
        out.limit(Duration::from_millis(200));
        assert!(out.write_all(&vec![0; 64 << 20]).is_err());
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}
