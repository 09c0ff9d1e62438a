//! Server addresses and names.

use std::fmt;
use std::io::ErrorKind;
use std::net::{IpAddr, Ipv6Addr, SocketAddr, TcpListener};
use std::str::FromStr;

use anyhow::{Context, Result};

const PORT: u16 = 8400;

/// Address of the server: `HOST:PORT`, a host or a port. The default is local port 8400, or another port if 8400 is
/// taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServeAddress {
    host: String,
    /// 0 for any free port.
    port: Option<u16>,
}

impl Default for ServeAddress {
    fn default() -> Self {
        Self { host: "127.0.0.1".to_owned(), port: None }
    }
}

impl FromStr for ServeAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let address = Self::read(text);
        address.map_err(|what| {
            format!("`{text}`: {what}; expected HOST:PORT, such as 127.0.0.1:{PORT}, or a port alone")
        })
    }
}

fn port(digits: &str) -> Result<u16, String> {
    match digits.parse() {
        Ok(port) if digits.bytes().all(|byte| byte.is_ascii_digit()) => Ok(port),
        _ => Err("ports are 0 to 65535".to_owned()),
    }
}

impl ServeAddress {
    fn read(text: &str) -> Result<Self, String> {
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(Self { port: Some(port(text)?), ..Self::default() });
        }
        // An IPv6 address has colons, so it needs brackets before a port.
        let (host, rest) = if text.parse::<Ipv6Addr>().is_ok() { (text, "") } else { split(text) };
        let is_name = host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte));
        if host.is_empty() || !(is_name || host.parse::<Ipv6Addr>().is_ok()) {
            return Err("there is no host".to_owned());
        }
        let port = match rest.strip_prefix(':') {
            Some(digits) => Some(port(digits)?),
            None if rest.is_empty() => None,
            None => return Err(format!("`{rest}` is not a port")),
        };
        Ok(Self { host: host.to_ascii_lowercase(), port })
    }
}

impl fmt::Display for ServeAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", bracketed(&self.host), self.port.unwrap_or(PORT))
    }
}

impl ServeAddress {
    pub(super) fn bind(&self) -> Result<TcpListener> {
        let host = self.host.as_str();
        let mut bound = TcpListener::bind((host, self.port.unwrap_or(PORT)));
        if let Err(error) = &bound
            && error.kind() == ErrorKind::AddrInUse
            && self.port.is_none()
        {
            bound = TcpListener::bind((host, 0));
        }
        bound.with_context(|| format!("cannot serve at `{self}`"))
    }

    pub(super) fn hosts(&self, bound: SocketAddr) -> Hosts {
        Hosts { given: self.host.clone(), bound: bound.ip() }
    }

    pub(super) fn url(&self, bound: SocketAddr) -> String {
        let host = if bound.ip().is_unspecified() { "localhost" } else { self.host.as_str() };
        format!("http://{}:{}/", bracketed(host), bound.port())
    }

    pub(super) fn notice(bound: SocketAddr) -> Option<String> {
        if bound.ip().is_loopback() {
            return None;
        }
        Some(format!(
            "everybody who reaches port {} of this machine by its IP address, or by the name in the address, is answered; \
             nothing can be changed there",
            bound.port()
        ))
    }
}

fn split(text: &str) -> (&str, &str) {
    match text.strip_prefix('[') {
        Some(inner) => {
            inner.split_once(']').filter(|(host, _)| host.parse::<Ipv6Addr>().is_ok()).unwrap_or_default()
        }
        None => text.split_at(text.find(':').unwrap_or(text.len())),
    }
}

fn bracketed(host: &str) -> String {
    if host.contains(':') { format!("[{host}]") } else { host.to_owned() }
}

/// Host names that requests may use, against DNS rebinding: a website could point its own name to 127.0.0.1, and read
/// the answers. Numeric addresses cannot be rebound.
pub(super) struct Hosts {
    given: String,
    bound: IpAddr,
}

impl Hosts {
    pub(super) fn has(&self, authority: &str) -> bool {
        let (name, rest) = split(authority);
        let is_port = rest.is_empty()
            || rest.strip_prefix(':').is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit()));
        let name = name.to_ascii_lowercase();
        let ip = name.parse::<IpAddr>().ok();
        is_port
            && (name == "localhost"
                || name == self.given
                || ip.is_some_and(|ip| self.bound.is_unspecified() || ip.is_loopback() || ip == self.bound))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        for (text, expected) in [
            ("9000", "127.0.0.1:9000"),
            ("0.0.0.0:9000", "0.0.0.0:9000"),
            ("localhost", "localhost:8400"),
            ("My-Host.local:0", "my-host.local:0"),
            ("[::1]:80", "[::1]:80"),
            ("::1", "[::1]:8400"),
            ("[::]", "[::]:8400"),
        ] {
            assert_eq!(text.parse::<ServeAddress>().expect(text).to_string(), expected);
        }
        assert_eq!(ServeAddress::default().to_string(), "127.0.0.1:8400");
    }

    #[test]
    fn bad_addresses_have_one_sentence() {
        for text in
            ["", "70000", "host:", "host:x", "host:+1", ":9000", "[::1", "[::1]9", "[x]:1", "a b:1", "a/b"]
        {
            let error = text.parse::<ServeAddress>().expect_err(text);
            assert!(error.starts_with(&format!("`{text}`: ")) && !error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn only_known_hosts_are_answered() {
        let hosts = |given: &str, bound: &str| Hosts {
            given: given.to_owned(),
            bound: bound.parse().expect("an IP"),
        };
        let loopback = hosts("127.0.0.1", "127.0.0.1");
        for host in ["localhost", "LOCALHOST:1", "127.0.0.1:8400", "127.1.2.3", "[::1]:8400", "[::1]"] {
            assert!(loopback.has(host), "{host}");
        }
        let others = "evil.example evil.example:8400 localhost.evil.example 192.168.1.2 localhost:x [::1 [::1]x ::1 \
                      127.0.0.1@evil.example 127.0.0.1.evil.example ";
        for host in others.split(' ') {
            assert!(!loopback.has(host), "{host}");
        }
        let open = hosts("0.0.0.0", "0.0.0.0");
        assert!(open.has("192.168.1.2:9000") && open.has("[fe80::1]:9000") && !open.has("evil.example"));
        let named = hosts("my-host", "192.0.2.1");
        assert!(named.has("My-Host:9000") && named.has("localhost") && !named.has("host"));
        assert!(named.has("192.0.2.1:9000") && !named.has("192.0.2.2"));
    }

    #[test]
    fn a_taken_port_is_refused_only_if_it_was_given() {
        let taken = ServeAddress { port: Some(0), ..ServeAddress::default() }.bind().expect("a port");
        let port = taken.local_addr().expect("an address").port();
        let again: ServeAddress = port.to_string().parse().expect("an address");
        assert!(again.bind().is_err());
        let first = ServeAddress::default().bind().expect("a port");
        let second = ServeAddress::default().bind().expect("another port");
        assert_ne!(first.local_addr().expect("it"), second.local_addr().expect("it"));
    }
}
