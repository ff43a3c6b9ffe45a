//! A browser, and the few words of the WebDriver protocol that drive it: HTTP with JSON, to
//! ChromeDriver on this machine.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{Folder, Serving};

/// A software GPU is slow, and two at once are no faster.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Time after which a test gives up waiting.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _profile: Folder,
    _turn: MutexGuard<'static, ()>,
}

/// The program with this name, where systems put such programs.
fn program(names: &[&str]) -> Option<PathBuf> {
    let folders =
        std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect::<Vec<_>>()).unwrap_or_default();
    names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|path| path.is_file())
}

/// A browser that shows these recordings, ready; `None` if no browser is installed and the test may
/// be skipped.
pub(crate) fn open(recordings: &[PathBuf], hash: &str) -> Option<(Browser, Serving)> {
    let mut browser = Browser::start()?;
    let serving = Serving::start(recordings);
    browser.go(&format!("http://{}/{hash}", serving.address));
    Some((browser, serving))
}

impl Browser {
    pub(crate) fn start() -> Option<Self> {
        let found = program(&["chromedriver"]).zip(program(&["chromium", "chromium-browser", "google-chrome"]));
        let Some((driver, chromium)) = found else {
            let is_required = std::env::var_os("CI").is_some()
                || std::env::var_os("TUMBLE_BROWSER").is_some_and(|value| value == "require");
            assert!(!is_required, "chromium and chromedriver are needed: apt-get install chromium chromium-driver");
            println!("skipped: there is no chromium with chromedriver here; apt-get install chromium chromium-driver");
            return None;
        };
        let turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let mut driver =
            Command::new(driver).arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines
            .find_map(|line| line.unwrap().split_once("successfully on port ")?.1.trim_end_matches('.').parse().ok())
            .expect("chromedriver says its port");
        // Someone has to read on, or the driver stops when the pipe is full.
        std::thread::spawn(move || lines.for_each(drop));
        let profile = Folder::new();
        let mut browser = Self { driver, port, session: String::new(), _profile: profile, _turn: turn };
        browser.begin(&chromium);
        Some(browser)
    }

    fn begin(&mut self, chromium: &Path) {
        let mut arguments = vec![format!("--user-data-dir={}", self._profile.file("profile").display())];
        let flags = "--headless --no-sandbox --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader --disable-quic \
                     --no-first-run --disable-background-networking --disable-component-update --disable-sync --hide-scrollbars \
                     --disable-dev-shm-usage --blink-settings=preferredColorScheme=1 --window-size=960,760";
        arguments.extend(flags.split_whitespace().map(String::from));
        let options = json!({ "binary": chromium, "args": arguments });
        let wanted = json!({ "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" } });
        let begun = self.call("POST", "/session", &json!({ "capabilities": { "alwaysMatch": wanted } }));
        self.session = format!("/session/{}", begun["sessionId"].as_str().expect("a session"));
        self.ask(
            "POST",
            "/timeouts",
            &json!({ "script": PATIENCE.as_millis() as u64, "pageLoad": PATIENCE.as_millis() as u64 }),
        );
    }

    /// Sends a command to the driver and returns the value it answers with.
    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if method == "POST" { body.to_string() } else { String::new() };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(2 * PATIENCE)).unwrap();
        let head = format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n", self.port);
        write!(stream, "{head}Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        // The driver keeps the connection open whatever was requested, so the length tells where
        // the response ends.
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            if line.trim().is_empty() {
                break;
            }
            if let Some((name, value)) =
                line.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("content-length"))
            {
                let _ = name;
                length = value.trim().parse().unwrap();
            }
        }
        let mut bytes = vec![0; length];
        reader.read_exact(&mut bytes).unwrap();
        let answer: Value = serde_json::from_slice(&bytes).unwrap();
        let value = answer["value"].clone();
        assert!(value.get("error").is_none_or(Value::is_null), "{method} {path}: {value:#}");
        value
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        self.call(method, &format!("{}{path}", self.session), body)
    }

    /// Opens a page of the viewer and waits until its first picture is drawn.
    pub(crate) fn go(&mut self, url: &str) {
        self.ask("POST", "/url", &json!({ "url": url }));
        self.wait_for("window.tumble !== undefined || document.querySelector('.message') !== null");
        self.run("if (window.tumble) await tumble.ready");
    }

    pub(crate) fn reload(&self) {
        self.ask("POST", "/refresh", &json!({}));
        self.wait_for("window.tumble !== undefined");
        self.run("await tumble.ready");
    }

    /// Runs statements in the page, which may wait, and returns what they return.
    pub(crate) fn run(&self, script: &str) -> Value {
        let script = format!(
            "const done = arguments[0]; (async () => {{ {script} }})().then((value) => done({{ value: value ?? null }}), \
             (problem) => done({{ problem: String(problem.stack) }}));"
        );
        let answer = self.ask("POST", "/execute/async", &json!({ "script": script, "args": [] }));
        assert!(answer.get("problem").is_none(), "{}", answer["problem"].as_str().unwrap_or_default());
        answer["value"].clone()
    }

    /// The value of an expression.
    pub(crate) fn get(&self, expression: &str) -> Value {
        self.run(&format!("return {expression}"))
    }

    pub(crate) fn wait_for(&self, expression: &str) {
        let start = Instant::now();
        while self.get(expression) != Value::Bool(true) {
            assert!(start.elapsed() < PATIENCE, "waited in vain for: {expression}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Presses a key and lets it go, as a keyboard does.
    pub(crate) fn key(&self, key: &str) {
        let actions = json!([{ "type": "keyDown", "value": key }, { "type": "keyUp", "value": key }]);
        self.ask("POST", "/actions", &json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": actions }] }));
    }

    /// Presses the mouse button at the first place, moves to the others, and lets go.
    pub(crate) fn drag(&self, places: &[[f64; 2]]) {
        let go = |[x, y]: [f64; 2]| json!({ "type": "pointerMove", "x": x.round(), "y": y.round(), "duration": 30 });
        let mut actions = vec![go(places[0]), json!({ "type": "pointerDown", "button": 0 })];
        actions.extend(places[1..].iter().map(|&place| go(place)));
        actions.push(json!({ "type": "pointerUp", "button": 0 }));
        let mouse =
            json!({ "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": actions });
        self.ask("POST", "/actions", &json!({ "actions": [mouse] }));
    }

    pub(crate) fn click(&self, place: [f64; 2]) {
        self.drag(&[place]);
    }

    /// Clicks an element that is visible, as a user does.
    pub(crate) fn click_on(&self, selector: &str) {
        let element = self.ask("POST", "/element", &json!({ "using": "css selector", "value": selector }));
        let id = element.as_object().and_then(|map| map.values().next()).and_then(Value::as_str).unwrap().to_string();
        self.ask("POST", &format!("/element/{id}/click"), &json!({}));
    }

    /// Makes the page itself this large.
    pub(crate) fn resize(&self, width: u32, height: u32) {
        let frame = self.get("[outerWidth - innerWidth, outerHeight - innerHeight]");
        let [more_wide, more_high] = [0, 1].map(|k| frame[k].as_i64().unwrap());
        let size = json!({ "width": i64::from(width) + more_wide, "height": i64::from(height) + more_high });
        self.ask("POST", "/window/rect", &size);
        self.wait_for(&format!(
            "innerWidth === {width} && innerHeight === {height} && document.getElementById('canvas').width === {width}"
        ));
        self.run("await tumble.settled()");
    }

    /// Keeps a picture of the page, if pictures are wanted.
    pub(crate) fn shoot(&self, name: &str) {
        let Some(folder) = std::env::var_os("TUMBLE_SHOTS").map(PathBuf::from) else { return };
        self.run("await tumble.settled()");
        let picture = self.ask("GET", "/screenshot", &Value::Null);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{name}.png")), base64(picture.as_str().unwrap())).unwrap();
    }

    /// Messages of the page in the console since the last call, without those that reading pixels
    /// is slow.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let log = self.ask("POST", "/se/log", &json!({ "type": "browser" }));
        let lines = log.as_array().unwrap().iter().map(|line| format!("{}: {}", line["level"], line["message"]));
        lines.filter(|line| !line.contains("GPU stall due to ReadPixels")).collect()
    }

    pub(crate) fn assert_content(&self) {
        let complaints = self.complaints();
        assert!(complaints.is_empty(), "{complaints:#?}");
        assert_eq!(
            self.get("document.querySelectorAll('.message').length"),
            0,
            "{}",
            self.get("document.getElementById('messages').textContent")
        );
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser goes with its session; the driver is ended after it, or the browser would
        // stay.
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) {
            let head = format!(
                "DELETE {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n",
                self.session, self.port
            );
            let _ = stream.set_read_timeout(Some(Duration::from_secs(5)));
            let _ = stream.write_all(head.as_bytes());
            let _ = stream.read(&mut [0; 64]);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Bytes from base64, in which pictures come.
fn base64(text: &str) -> Vec<u8> {
    const SIGNS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let values = text.bytes().filter_map(|sign| SIGNS.iter().position(|&known| known == sign));
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0u32, 0);
    for value in values {
        (bits, held) = (bits << 6 | value as u32, held + 6);
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    bytes
}
