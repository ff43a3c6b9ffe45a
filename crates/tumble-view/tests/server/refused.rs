//! Requests that the server refuses: foreign names, other methods, paths that lead out, frames that
//! are damaged.

use std::io::{Seek, SeekFrom, Write};

use tumble_io::Recording;
use tumble_view::{Options, ViewError, serve};

use crate::client::{ask, get, range, send};
use crate::common::{Folder, Serving, record};

fn serving(folder: &Folder) -> Serving {
    let path = folder.file("frames.tumble");
    record(&path, "pile", 24.0, 3);
    std::fs::write(folder.file("secret.txt"), "secret").unwrap();
    Serving::start(&[path])
}

#[test]
fn foreign_hosts_learn_nothing() {
    let folder = Folder::new();
    let serving = serving(&folder);
    let port = serving.address.port();
    let status = |host: &str, path: &str| {
        let answer =
            send(serving.address, &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"));
        assert!(answer.status == 200 || !answer.text().contains("pile"), "{host}");
        answer.status
    };
    for host in [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")] {
        assert_eq!(status(&host, "/recording/0/header.json"), 200, "{host}");
    }
    let foreign =
        ["evil.example".to_string(), format!("evil.example:{port}"), "127.0.0.1".into(), "127.0.0.1:1".into()];
    for host in foreign.iter().map(String::as_str).chain(["localhost.evil.example", "", "*"]) {
        assert_eq!(status(host, "/recording/0/header.json"), 421, "{host}");
        assert_eq!(status(host, "/nothing"), 421, "{host} must not learn which paths there are");
    }
    // The connection ends with the refusal, though the request did not ask for that.
    let kept = send(serving.address, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\nGET / HTTP/1.1\r\n\r\n");
    assert_eq!((kept.status, kept.header("Connection")), (421, Some("close")));
    assert!(!kept.text().contains("HTTP/1.1"), "one answer");
    let none = send(serving.address, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    let two = format!("Host: 127.0.0.1:{port}\r\nHost: evil.example\r\n");
    let two = send(serving.address, &format!("GET / HTTP/1.1\r\n{two}Connection: close\r\n\r\n"));
    assert_eq!((none.status, two.status), (400, 400));
}

#[test]
fn paths_lead_nowhere_else() {
    let folder = Folder::new();
    let serving = serving(&folder);
    let escapes = [
        "/../secret.txt",
        "/secret.txt",
        "/recording/0/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/recording/0/%2e%2e/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "//etc/passwd",
        "/etc/passwd",
        "/recording/7/frames",
        "/recording/-1/frames",
        "/recording/1/header.json",
        "/recording/0/mesh/../../../secret.txt",
        "/recording/0/frames/",
        "/recording/0/frames%00",
        "/page/index.html",
        "/index.html/",
        "/..",
        "/.",
        "\\..\\secret.txt",
        "http://127.0.0.1/recording/0/header.json",
        "*",
    ];
    for path in escapes {
        let answer = get(serving.address, path);
        assert_eq!(answer.status, 404, "{path}: {}", answer.text());
        assert!(!answer.text().contains("secret"), "{path}");
    }
    assert_eq!(get(serving.address, &format!("/{}", "a".repeat(5000))).status, 414);
}

#[test]
fn only_reading_is_allowed() {
    let folder = Folder::new();
    let serving = serving(&folder);
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"] {
        let answer = ask(serving.address, method, "/recording/0/frames", "Content-Length: 0\r\n");
        assert_eq!((answer.status, answer.header("Allow")), (405, Some("GET, HEAD")), "{method}");
    }
    for odd in ["GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\x01\x02\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n"] {
        assert_eq!(send(serving.address, odd).status, 400, "{odd:?}");
    }
    assert_eq!(get(serving.address, "/").status, 200, "it still answers");
}

#[test]
fn every_answer_keeps_the_page_to_itself() {
    let folder = Folder::new();
    let serving = serving(&folder);
    for path in ["/", "/main.js", "/recording/0/header.json", "/recording/0/index.json", "/nothing"] {
        let answer = get(serving.address, path);
        assert!(answer.header("Content-Security-Policy").unwrap().starts_with("default-src 'self'"), "{path}");
        assert_eq!(answer.header("X-Content-Type-Options"), Some("nosniff"), "{path}");
        assert_eq!(answer.header("Cross-Origin-Resource-Policy"), Some("same-origin"), "{path}");
        assert_eq!(answer.header("Cache-Control"), Some("no-store"), "{path}");
        assert_eq!(answer.header("Access-Control-Allow-Origin"), None, "{path}");
    }
    assert_eq!(get(serving.address, "/").header("Content-Type"), Some("text/html; charset=utf-8"));
    assert_eq!(get(serving.address, "/main.js").header("Content-Type"), Some("text/javascript; charset=utf-8"));
}

#[test]
fn a_damaged_frame_is_named_and_the_others_are_sent() {
    let folder = Folder::new();
    let path = folder.file("frames.tumble");
    record(&path, "pile", 24.0, 3);
    let entry = Recording::open(&path).unwrap().frames()[1];
    let mut file = std::fs::File::options().write(true).open(&path).unwrap();
    file.seek(SeekFrom::Start(entry.offset + entry.length / 2)).unwrap();
    file.write_all(&[0xff; 16]).unwrap();
    drop(file);

    let serving = Serving::start(&[path]);
    let index = get(serving.address, "/recording/0/index.json").json();
    let block = |k: usize| {
        let [start, length] = [3, 4].map(|part| index["frames"][k][part].as_u64().unwrap());
        start..start + length
    };
    let ask = |from: u64, to: u64| range(serving.address, "/recording/0/frames", &format!("bytes={from}-{}", to - 1));
    let damaged = ask(block(1).start, block(1).end);
    assert_eq!(damaged.status, 500);
    assert!(damaged.text().contains("is damaged at byte"), "{}", damaged.text());
    assert_eq!(get(serving.address, "/recording/0/overlays/1").status, 500);
    assert_eq!((ask(block(0).start, block(0).end).status, ask(block(2).start, block(2).end).status), (206, 206));
    // A response that began well ends before the frame that cannot be read.
    let all = ask(0, block(2).end);
    assert_eq!((all.status, all.body.len() as u64), (206, block(0).end));
    assert!(all.header("Content-Range").unwrap().starts_with(&format!("bytes 0-{}/", block(0).end - 1)));
}

#[test]
fn what_cannot_be_opened_is_said_at_the_start() {
    let folder = Folder::new();
    let missing = serve(&[folder.file("none.tumble")], Options::default()).err().unwrap();
    assert!(missing.to_string().contains("none.tumble"), "{missing}");
    std::fs::write(folder.file("text.tumble"), "this is no recording").unwrap();
    assert!(matches!(serve(&[folder.file("text.tumble")], Options::default()), Err(ViewError::Recording(_))));

    let serving = serving(&folder);
    let taken = Options { port: serving.address.port(), ..Options::default() };
    let problem = serve(&[folder.file("frames.tumble")], taken).err().unwrap();
    assert!(problem.to_string().contains("cannot listen on 127.0.0.1"), "{problem}");
}

/// A client that opens connections and leaves them idle keeps no other client out.
#[test]
fn connections_that_rest_make_room() {
    let folder = Folder::new();
    let serving = serving(&folder);
    let resting: Vec<_> = (0..300).map(|_| std::net::TcpStream::connect(serving.address).unwrap()).collect();
    for _ in 0..5 {
        assert_eq!(get(serving.address, "/recording/0/header.json").status, 200);
    }
    drop(resting);
}
