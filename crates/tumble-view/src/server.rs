//! Accepts connections, refuses requests that are not meant for this server, and answers the
//! others.
//!
//! Reads recordings through `stream.rs`; writes only to connections. The order of the checks is
//! deliberate: a request with a foreign `Host` learns nothing, not even which paths exist.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::json;
use tumble_io::IoError;

use crate::http::{DeadlineStream, Refusal, Request};
use crate::range::{self, Asked};
use crate::response::Response;
use crate::route::{self, Resource, Route};
use crate::stream::{MOST_BYTES, Stream, StreamError};
use crate::{Options, ViewError, about, assets, host};

/// Most open connections. A browser opens six per server, so this allows many pages and limits a
/// client that only opens connections.
const MOST_CONNECTIONS: usize = 256;

/// Most memory of all responses in flight \[byte\]; a single one may be of any size.
const MOST_IN_FLIGHT: u64 = 512 << 20;

/// Longest idle time of a connection between requests, and longest time to send a response.
const PATIENCE: Duration = Duration::from_secs(120);

/// Longest time for the head of a request, from its first byte on.
const HEAD_PATIENCE: Duration = Duration::from_secs(10);

/// Longest time to drain what the client still sends after the last response.
const DRAIN_PATIENCE: Duration = Duration::from_secs(2);

/// Opens the recordings and the port. Nothing is answered before [`Server::run`].
pub fn serve(recordings: &[PathBuf], options: Options) -> Result<Server, ViewError> {
    let streams = recordings.iter().map(|path| Stream::open(path)).collect::<Result<Vec<Stream>, IoError>>()?;
    let wanted = SocketAddr::new(options.bind, options.port);
    let cannot = |source| ViewError::Listen { address: wanted.to_string(), source };
    let listener = TcpListener::bind(wanted).map_err(cannot)?;
    let address = listener.local_addr().map_err(cannot)?;
    let connections = Mutex::new(BTreeMap::new());
    let (is_stopped, in_flight) = (AtomicBool::new(false), AtomicU64::new(0));
    let shared = Shared { streams, address, is_stopped, connections, in_flight };
    Ok(Server { listener, shared: Arc::new(shared) })
}

/// A viewer that listens.
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
}

/// Ends a [`Server::run`] from another thread.
#[derive(Clone)]
pub struct StopHandle {
    shared: Arc<Shared>,
}

struct Shared {
    streams: Vec<Stream>,
    address: SocketAddr,
    is_stopped: AtomicBool,
    /// The open connections, by a number each, so that stopping can close them.
    connections: Mutex<BTreeMap<u64, Connection>>,
    /// Memory of all responses in flight \[byte\].
    in_flight: AtomicU64,
}

/// An open connection.
struct Connection {
    stream: TcpStream,
    /// Whether it is idle between requests.
    rests: Arc<AtomicBool>,
}

/// A slot among the open connections. Dropping it frees the slot, also in a thread that panics.
struct ConnectionSlot<'a> {
    shared: &'a Shared,
    number: u64,
}

impl Drop for ConnectionSlot<'_> {
    fn drop(&mut self) {
        self.shared.connections().remove(&self.number);
    }
}

/// Memory of a response in flight, counted until this is dropped.
struct InFlight<'a> {
    shared: &'a Shared,
    bytes: u64,
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.shared.in_flight.fetch_sub(self.bytes, Ordering::SeqCst);
    }
}

impl Server {
    /// The address on which it listens.
    pub fn address(&self) -> SocketAddr {
        self.shared.address
    }

    /// The address for a browser on this machine.
    pub fn url(&self) -> String {
        let address = self.shared.address;
        if address.ip().is_unspecified() {
            return format!("http://localhost:{}/", address.port());
        }
        format!("http://{address}/")
    }

    /// A handle that ends [`Server::run`].
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle { shared: Arc::clone(&self.shared) }
    }

    /// Answers requests until it is stopped, each connection in a thread of its own. After that the
    /// port is free again.
    pub fn run(self) {
        let shared = &*self.shared;
        thread::scope(|scope| {
            for number in 0.. {
                let accepted = self.listener.accept();
                if shared.is_stopped.load(Ordering::SeqCst) {
                    break;
                }
                let Ok((stream, _)) = accepted else {
                    // As a rule the limit of open files is reached; some will be closed soon.
                    thread::sleep(Duration::from_millis(50));
                    continue;
                };
                if let Some((stream, rests, slot)) = shared.admit(number, stream) {
                    // If no thread can be started, the closure is dropped, and the connection and
                    // its slot with it.
                    let _ = thread::Builder::new().spawn_scoped(scope, move || {
                        let _slot = slot;
                        shared.converse(stream, &rests);
                    });
                }
            }
            shared.close_all();
        });
    }
}

impl StopHandle {
    /// Ends the server and closes its connections.
    pub fn stop(&self) {
        self.shared.is_stopped.store(true, Ordering::SeqCst);
        // A connection wakes the thread that waits in `accept`.
        let address = self.shared.address;
        let ip = match address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
            ip => ip,
        };
        let _ = TcpStream::connect_timeout(&SocketAddr::new(ip, address.port()), Duration::from_secs(1));
        self.shared.close_all();
    }
}

impl Shared {
    fn connections(&self) -> MutexGuard<'_, BTreeMap<u64, Connection>> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close_all(&self) {
        for connection in self.connections().values() {
            let _ = connection.stream.shutdown(Shutdown::Both);
        }
    }

    /// Admits a connection, unless there are too many or the system is out of resources. Idle
    /// connections are closed to make room, the oldest first: no client can keep others out by
    /// holding connections open.
    fn admit(&self, number: u64, mut stream: TcpStream) -> Option<(TcpStream, Arc<AtomicBool>, ConnectionSlot<'_>)> {
        // A response is one or two writes; Nagle's algorithm would only delay them.
        let _ = stream.set_nodelay(true);
        let mut connections = self.connections();
        if connections.len() >= MOST_CONNECTIONS {
            let resting = connections.iter().find(|(_, connection)| connection.rests.load(Ordering::SeqCst));
            if let Some(connection) = resting.map(|(&number, _)| number).and_then(|number| connections.remove(&number))
            {
                let _ = connection.stream.shutdown(Shutdown::Both);
            }
        }
        if connections.len() >= MOST_CONNECTIONS {
            let _ = Response::problem(503, "Too many connections.\n").write(&mut stream, false, true);
            return None;
        }
        let rests = Arc::new(AtomicBool::new(true));
        connections.insert(number, Connection { stream: stream.try_clone().ok()?, rests: Arc::clone(&rests) });
        Some((stream, rests, ConnectionSlot { shared: self, number }))
    }

    /// Answers the requests of a connection until one side ends it.
    fn converse(&self, stream: TcpStream, rests: &AtomicBool) {
        let (Ok(end), Ok(out)) = (stream.try_clone(), stream.try_clone()) else { return };
        let (mut reader, mut out) = (BufReader::new(DeadlineStream::new(stream)), DeadlineStream::new(out));
        while !self.is_stopped.load(Ordering::SeqCst) {
            reader.get_mut().limit(PATIENCE);
            rests.store(true, Ordering::SeqCst);
            if !reader.fill_buf().is_ok_and(|bytes| !bytes.is_empty()) {
                return;
            }
            rests.store(false, Ordering::SeqCst);
            reader.get_mut().limit(HEAD_PATIENCE);
            let (response, is_head, is_last) = match Request::read(&mut reader) {
                Ok(request) => (self.respond(&request), request.method == "HEAD", request.is_last),
                Err(Refusal::Bad(status, text)) => (Response::problem(status, text), false, true),
                Err(Refusal::Over) => return,
            };
            let (response, _in_flight) = self.count(response);
            let is_last = is_last || response.ends_connection();
            out.limit(PATIENCE);
            // An error here means that the client has gone; nothing is left to do.
            if response.write(&mut out, is_head, is_last).is_err() || is_last {
                break;
            }
        }
        // Drains the bytes after a refused head: closing a socket with unread bytes resets the
        // connection, which could destroy the response on its way.
        let _ = end.shutdown(Shutdown::Write);
        reader.get_mut().limit(DRAIN_PATIENCE);
        let _ = io::copy(&mut reader.take(1 << 20), &mut io::sink());
    }

    /// Counts a response among those in flight, or replaces it by a refusal if they take too much
    /// memory.
    ///
    /// A response is made before it is counted, but a stream makes one at a time, so few are
    /// uncounted.
    fn count(&self, response: Response) -> (Response, InFlight<'_>) {
        let in_flight = InFlight { shared: self, bytes: response.size() };
        let before = self.in_flight.fetch_add(in_flight.bytes, Ordering::SeqCst);
        if before == 0 || before + in_flight.bytes <= MOST_IN_FLIGHT {
            return (response, in_flight);
        }
        drop(in_flight);
        let refusal = Response::problem(503, "Too much is being sent already; ask again later.\n");
        (refusal, InFlight { shared: self, bytes: 0 })
    }

    fn respond(&self, request: &Request) -> Response {
        let hosts: Vec<&str> = request.values("Host").collect();
        match hosts[..] {
            [host] if host::is_ours(host, self.address) => {}
            [_] => return Response::problem(421, "This server answers only to the name of the machine it runs on.\n"),
            _ => return Response::problem(400, "A request has one Host header.\n"),
        }
        let is_head = match request.method.as_str() {
            "GET" => false,
            "HEAD" => true,
            _ => return Response::problem(405, "Only GET and HEAD.\n").with_header("Allow", "GET, HEAD"),
        };
        if request.target.len() > route::LONGEST {
            return Response::problem(414, "The path is too long.\n");
        }
        match route::parse(&request.target) {
            Some(Route::Recordings) => Response::json(&json!({ "recordings": self.streams.len() })),
            Some(Route::Asset(name)) => assets::find(name).unwrap_or_else(not_found),
            Some(Route::Recording(number, resource)) => match self.streams.get(number) {
                Some(stream) => respond_for(stream, resource, request, is_head),
                None => not_found(),
            },
            None => not_found(),
        }
    }
}

fn not_found() -> Response {
    Response::problem(404, "There is nothing here.\n")
}

/// Name of a recording: the folder of a run, because recordings of runs all have the same file
/// name, or else the file.
fn name_of(path: &Path) -> String {
    let folder = path
        .parent()
        .and_then(Path::file_name)
        .filter(|_| path.file_name().is_some_and(|name| name == "frames.tumble"));
    folder.or(path.file_stem()).unwrap_or_default().to_string_lossy().into_owned()
}

fn respond_for(stream: &Stream, resource: Resource, request: &Request, is_head: bool) -> Response {
    match resource {
        Resource::Header => {
            let (header, epoch) = stream.header();
            let name = name_of(stream.path());
            Response::json(&about::header(&header, &name, epoch))
        }
        Resource::Index { from, epoch, generation } => stream
            .index(from, epoch, generation)
            .map_or_else(|problem| unreadable(&problem), |index| Response::json(&index)),
        Resource::Mesh(number) => match stream.mesh(number) {
            Ok(mesh) => mesh.map_or_else(not_found, |mesh| Response::bytes(about::mesh(&mesh))),
            Err(problem) => unreadable(&problem),
        },
        Resource::Overlays { index, generation } => match stream.overlays(index, generation) {
            Ok(bytes) => bytes.map_or_else(not_found, |bytes| Response::bytes(&bytes[..])),
            Err(problem) => unavailable(&problem),
        },
        Resource::Particles { index, generation } => particles(stream, index, generation, is_head),
        Resource::Frames { generation } => frames(stream, generation, request, is_head),
    }
}

/// A slice of the file of blocks. Without a range the whole file is sent if it is short, and
/// refused otherwise.
fn frames(stream: &Stream, generation: Option<usize>, request: &Request, is_head: bool) -> Response {
    let total = stream.total();
    let asked = {
        let ranges: Vec<&str> = request.values("Range").collect();
        match ranges[..] {
            [] => Asked::All,
            [range] => range::parse(Some(range), total),
            _ => Asked::Nothing,
        }
    };
    let with_ranges = |response: Response| response.with_header("Accept-Ranges", "bytes");
    let is_part = asked != Asked::All;
    let range = match asked {
        Asked::Nothing => {
            return Response::problem(416, format!("The frames have {total} bytes; ask for one range in them.\n"))
                .with_header("Content-Range", format!("bytes */{total}"));
        }
        Asked::All if is_head => return with_ranges(Response::bytes([]).with_length(total)),
        Asked::All if total == 0 => return with_ranges(Response::bytes([])),
        Asked::All if total > MOST_BYTES => {
            return with_ranges(Response::problem(400, "All frames at once are too much; ask for a range of bytes.\n"));
        }
        Asked::All => 0..total,
        Asked::Part(range) => range,
    };
    match stream.slice(range, generation) {
        Ok(slice) if is_part || (slice.bytes.len() as u64) < slice.total => {
            let (start, end) = (slice.start, slice.start + slice.bytes.len() as u64);
            let range = format!("bytes {start}-{}/{}", end - 1, slice.total);
            with_ranges(Response::bytes(slice.bytes).with_status(206).with_header("Content-Range", range))
        }
        Ok(slice) => with_ranges(Response::bytes(slice.bytes)),
        Err(problem) => unavailable(&problem),
    }
}

/// The particles of a frame, all of them whatever range is asked for: making a part would cost as
/// much as making the whole.
fn particles(stream: &Stream, index: usize, generation: Option<usize>, is_head: bool) -> Response {
    let response = if is_head {
        let length = stream.particles_length(index, generation);
        length.map(|length| length.map(|length| Response::bytes([]).with_length(length)))
    } else {
        stream.particles(index, generation).map(|bytes| bytes.map(Response::bytes))
    };
    match response {
        Ok(response) => response.map_or_else(not_found, |response| response.with_header("Accept-Ranges", "none")),
        Err(problem) => unavailable(&problem),
    }
}

fn unavailable(problem: &StreamError) -> Response {
    match problem {
        StreamError::Changed => {
            Response::problem(409, "The recording has other frames by now; look at its index again.\n")
        }
        StreamError::Io(problem) => unreadable(problem),
    }
}

fn unreadable(problem: &IoError) -> Response {
    Response::problem(500, format!("{problem}\n"))
}
