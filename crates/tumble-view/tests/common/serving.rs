//! A viewer that runs for as long as its test.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::thread::JoinHandle;

use tumble_view::{Options, StopHandle, serve};

pub(crate) struct Serving {
    pub(crate) address: SocketAddr,
    stop: StopHandle,
    thread: Option<JoinHandle<()>>,
}

impl Serving {
    pub(crate) fn start(recordings: &[PathBuf]) -> Self {
        let server = serve(recordings, Options::default()).unwrap();
        let (address, stop) = (server.address(), server.stop_handle());
        Self { address, stop, thread: Some(std::thread::spawn(move || server.run())) }
    }

    pub(crate) fn end(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.end();
    }
}
