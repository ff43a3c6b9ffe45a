//! Decides whether a request is meant for this server.
//!
//! A foreign page can make a browser send requests to this port in two ways. It can name the
//! address; then the browser hides the response from it. Or it can point its own name to this
//! address (DNS rebinding); then the browser does not. In the second case the `Host` header has the
//! foreign name. So only requests whose `Host` is a name of this machine are answered.

use std::net::{IpAddr, SocketAddr};

/// Whether a `Host` header names the server that listens on `address`.
pub(crate) fn is_ours(host: &str, address: SocketAddr) -> bool {
    let Some((name, port)) = split(host) else {
        return false;
    };
    if port != address.port() {
        return false;
    }
    if name.eq_ignore_ascii_case("localhost") {
        return true;
    }
    // A name can be made to resolve to any address, the digits of an address cannot.
    match name.parse::<IpAddr>() {
        Ok(named) => named == address.ip() || named.is_loopback() || address.ip().is_unspecified(),
        Err(_) => false,
    }
}

/// The name and the port of a `Host` header; brackets around an IPv6 address are removed.
fn split(host: &str) -> Option<(&str, u16)> {
    let (name, port) = match host.strip_prefix('[') {
        Some(rest) => {
            let (name, port) = rest.split_once(']')?;
            (name.contains(':').then_some(name)?, port)
        }
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    match port.strip_prefix(':') {
        Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => Some((name, digits.parse().ok()?)),
        Some(_) => None,
        None => port.is_empty().then_some((name, 80)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_ours() {
        let local: SocketAddr = "127.0.0.1:4000".parse().unwrap();
        for host in ["127.0.0.1:4000", "localhost:4000", "LOCALHOST:4000", "[::1]:4000"] {
            assert!(is_ours(host, local), "{host}");
        }
        let foreign = ["evil.example:4000", "127.0.0.1", "127.0.0.1:4001", "localhost.evil.example:4000", "", ":4000"];
        let odd = [
            "192.168.0.7:4000",
            "127.0.0.1:+4000",
            "[::1:4000",
            "127.0.0.1:4000:4000",
            "[127.0.0.1]:4000",
            "2130706433:4000",
        ];
        for host in foreign.into_iter().chain(odd) {
            assert!(!is_ours(host, local), "{host}");
        }
        assert!(is_ours("127.0.0.1", "127.0.0.1:80".parse().unwrap()));
        let open: SocketAddr = "0.0.0.0:4000".parse().unwrap();
        assert!(is_ours("192.168.0.7:4000", open) && !is_ours("rebound.example:4000", open));
        let given: SocketAddr = "192.168.0.7:4000".parse().unwrap();
        assert!(is_ours("192.168.0.7:4000", given) && !is_ours("192.168.0.8:4000", given));
    }
}
