//! Starts an HTTP server of plumb-lab, and sends requests over plain sockets.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;

use super::{signal, start};

pub(crate) struct Server {
    child: Child,
    out: BufReader<std::process::ChildStdout>,
    pub address: String,
}

impl Server {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut child = start(arguments);
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        out.read_line(&mut line).expect("a line");
        let url = line.split_once(" at http://").expect(&line).1;
        let address = url.split_once('/').expect("a whole address").0.to_owned();
        Self { child, out, address }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        TcpStream::connect(&self.address).expect("a connection")
    }

    /// Sends a request. The answer is empty if the server closed the connection.
    pub(crate) fn ask(&self, request: &str) -> String {
        let mut stream = self.connect();
        let mut answer = Vec::new();
        // The server may close the connection at any time.
        let _ = stream.write_all(request.as_bytes()).and_then(|()| stream.read_to_end(&mut answer));
        String::from_utf8_lossy(&answer).into_owned()
    }

    pub(crate) fn get(&self, path: &str) -> String {
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address))
    }

    /// Ends the server with Ctrl-C. Returns what it printed after its address.
    pub(crate) fn stop(self) -> String {
        self.interrupt();
        let (code, said) = self.end();
        assert_eq!(code, Some(0), "{said}");
        said
    }

    pub(crate) fn interrupt(&self) {
        signal("INT", self.child.id());
    }

    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        let mut text = String::new();
        self.out.read_to_string(&mut text).expect("UTF-8");
        (self.child.wait().expect("it ends").code(), text)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}
