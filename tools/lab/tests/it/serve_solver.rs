//! `plumb-lab serve`: the solver over HTTP, queried like public solvers.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::Duration;

use crate::common::server::{Server, status};
use plumb::book::Book;
use plumb::mix::Random;
use plumb::search::Solver;
use plumb::table::Table;
use plumb_arena::openings::random_position;
use serde_json::{Value, json};

/// Request that takes longer to solve than a test runs.
const HARD: &str = "/solve?board=8x8&pos=";

fn start(more: &[&str]) -> Server {
    Server::start(&[&["serve", "--address=0"], more].concat())
}

fn body(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").map_or("", |(_, body)| body)
}

fn object(answer: &str) -> Value {
    serde_json::from_str(body(answer)).expect(answer)
}

fn open(server: &Server, path: &str) -> TcpStream {
    let mut stream = server.connect();
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("a request");
    stream
}

fn wait_for(server: &Server, state: &str, count: u64) {
    while object(&server.get("/healthz"))[state] != count {
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn scores_are_those_of_the_library() {
    let server = start(&["--threads=2", "--timeout=600"]);
    let table = Table::new(16).expect("memory");
    let book = Book::embedded();
    let mut random = Random::new(38, 0);
    let mut lines = String::new();
    let mut expected = Vec::new();
    for number in 0..1000 {
        let played = random_position(&mut random, number % 41);
        let mut solver = Solver::new(&table).book(&book);
        let mut score = [100; 7];
        for (column, value) in solver.move_scores(&played.position).expect("nothing stops it") {
            score[column as usize] = value;
        }
        lines += &(json!({ "pos": played.moves }).to_string() + "\n");
        // Some clients search for `:[` and `]}`, so every byte counts.
        let score = serde_json::to_string(&score).expect("JSON");
        expected.push((played.moves.clone(), format!("{{\"pos\":\"{}\",\"score\":{score}}}", played.moves)));
    }
    for (moves, expected) in &expected {
        let answer = server.get(&format!("/solve?pos={moves}"));
        assert_eq!((status(&answer), body(&answer)), ("200", expected.as_str()));
    }
    // Sends all positions in one request before it reads answers.
    let head = "POST /solve HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length";
    let mut stream = BufReader::new(server.connect());
    write!(stream.get_mut(), "{head}: {}\r\n\r\n{lines}", lines.len()).expect("sent");
    let answers: Vec<_> = stream.lines().map(|line| line.expect("text")).collect();
    let answers = answers.iter().filter(|line| line.starts_with('{')).map(String::as_str);
    assert!(answers.eq(expected.iter().map(|(_, line)| line.as_str())));
    server.stop();
}

#[test]
fn what_is_asked_for_is_added() {
    let server = start(&[]);
    let (over, open) = ([100; 7], [-4, -3, 18, 2, 2, 18, -3]);
    for (query, expected) in [
        ("pos=1122334", json!({"pos": "1122334", "score": over})),
        ("pos=&_=17", json!({"pos": "", "score": [-2, -1, 0, 1, 0, -1, -2]})),
        ("pos=1122334&best&line", json!({"pos": "1122334", "score": over, "best": [], "line": []})),
        ("pos=4455&best=1&line=1", json!({"pos": "4455", "score": open, "best": [3, 6], "line": [3, 2, 6]})),
        ("pos=4+4,+5%205&best=0", json!({"pos": "4 4, 5 5", "score": open})),
        (
            "board=5x4&pos=7&line=true",
            json!({"pos": "7", "error": "pos: move 1, `7`: there is no column 7 (columns 1 to 5)"}),
        ),
        ("board=4x4&pos=1111", json!({"pos": "1111", "score": [100, 0, 0, 0]})),
    ] {
        assert_eq!(object(&server.get(&format!("/solve?{query}"))), expected, "{query}");
    }
}

#[test]
fn moves_are_listed_best_first() {
    let server = start(&[]);
    for (query, expected) in [
        (
            "position=4344447&level=10",
            r#"[{"move":"5","score":0.0},{"move":"3","score":-3.0},{"move":"7","score":-5.0},{"move":"6","score":-13.0},{"move":"1","score":-14.0},{"move":"2","score":-14.0},{"move":"4","score":-14.0}]"#,
        ),
        ("position=1122334", "[]"),
        (
            "board=4x4&position=1111",
            r#"[{"move":"2","score":0.0},{"move":"3","score":0.0},{"move":"4","score":0.0}]"#,
        ),
        (
            "level=3&position=4444444",
            r#"{"pos":"4444444","error":"position: move 7, `4`: column 4 is full"}"#,
        ),
        (
            "level=3",
            r#"{"error":"there is no `position`: expected the moves so far, as in position=4455; empty is the empty board"}"#,
        ),
        ("pos=4", r#"{"error":"`pos`: no such parameter; expected position, level or board"}"#),
    ] {
        assert_eq!(body(&server.get(&format!("/solve/connect4?{query}"))), expected, "{query}");
    }
}

#[test]
fn the_solver_answers_by_any_name() {
    let server = start(&[]);
    for head in [
        "GET /solve?pos=4 HTTP/1.1\r\nHost: connect4.gamesolver.org",
        "GET /solve/connect4?position=4 HTTP/1.1\r\nHost: ludolab.net",
        "GET http://connect4.gamesolver.org/solve?pos=4 HTTP/1.1\r\nHost: connect4.gamesolver.org",
        "GET /solve?pos=4 HTTP/1.0",
    ] {
        let answer = server.ask(&format!("{head}\r\nConnection: close\r\n\r\n"));
        assert_eq!(status(&answer), "200", "{head}");
    }
    let answer = server.ask("GET / HTTP/1.1\r\nHost: ludolab.net\r\nConnection: close\r\n\r\n");
    assert_eq!(status(&answer), "421", "{answer}");
}

#[test]
fn what_is_no_position_is_refused_in_a_sentence() {
    let server = start(&[]);
    for (query, expected) in [
        ("", "there is no `pos`: expected the moves so far"),
        ("position=4", "`position`: no such parameter; expected pos, board, best or line"),
        ("pos=8", "pos: move 1, `8`: there is no column 8"),
        ("pos=%ff%00", "pos: "),
        ("pos=4&board=3x3", "board: a board has at least 4 columns and 4 rows"),
        ("pos=4&board=99x99", "board: "),
        ("pos=4&best=yes", "`best=yes`: expected 1 or 0"),
    ] {
        let answer = server.get(&format!("/solve?{query}"));
        let error = object(&answer)["error"].as_str().expect(&answer).to_owned();
        assert!(status(&answer) == "400" && error.starts_with(expected), "{query}: {answer}");
        assert!(answer.contains("\r\ncontent-type: application/json\r\n"), "{answer}");
    }
    for (request, expected) in [
        ("DELETE /solve?pos=4 HTTP/1.1\r\nHost: localhost", "405"),
        ("POST /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0", "405"),
        ("GET /solve?pos=4 HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site", "403"),
        ("GET / HTTP/1.1\r\nHost: localhost", "404"),
    ] {
        let answer = server.ask(&format!("{request}\r\nConnection: close\r\n\r\n"));
        assert_eq!(status(&answer), expected, "{answer}");
        let allowed =
            if request.contains("/healthz") { "GET, HEAD, OPTIONS" } else { "GET, HEAD, OPTIONS, POST" };
        assert_eq!(answer.contains(&format!("\r\nallow: {allowed}\r\n")), expected == "405", "{answer}");
        assert!(!answer.contains("access-control"), "{answer}");
        assert!(
            answer.contains("\r\ncontent-security-policy: default-src 'none'; frame-ancestors 'none'\r\n")
        );
    }
}

#[test]
fn lines_are_answered_as_they_come() {
    let server = start(&[]);
    let mut stream = BufReader::new(server.connect());
    let head = "POST /solve?best=1 HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
    stream.get_mut().write_all(head.as_bytes()).expect("sent");
    let mut ask = |text: &str| {
        write!(stream.get_mut(), "{:x}\r\n{text}\r\n", text.len()).expect("sent");
        let mut lines = stream.by_ref().lines().map(|line| line.expect("text"));
        lines.find(|line| line.starts_with('{')).expect("a line")
    };
    assert_eq!(ask("{\"pos\":\"44\"}\n"), r#"{"pos":"44","score":[-3,-3,-2,1,-2,-3,-3],"best":[4]}"#);
    let sentence = "line 3: expected ident at byte 2; expected an object such as";
    assert!(ask("\nno\n").starts_with(&format!("{{\"error\":\"{sentence}")));
    assert!(ask("{\"moves\":\"x\"}\r\n").starts_with("{\"pos\":\"x\",\"error\":\"pos: move 1, `x`: "));
    let drawn = ask("{\"pos\":\"\",\"board\":\"4x4\",\"line\":true}\n");
    assert!(drawn.contains("\"score\":[0,0,0,0],\"best\":[1,2,3,4],"), "{drawn}");
    let sentence = "line 6: more than 1024 bytes; the lines after it are not read";
    assert_eq!(ask(&format!("{:1200}", "{\"pos\":\"4\"}")), format!("{{\"error\":\"{sentence}\"}}"));
}

#[test]
fn clients_that_leave_free_the_queue() {
    let server = start(&["--timeout=600"]);
    let solved = open(&server, HARD);
    wait_for(&server, "solving", 1);
    let waiting = open(&server, HARD);
    wait_for(&server, "waiting", 1);
    // When a client closes its connection, the server drops its position, even during the search.
    drop(waiting);
    wait_for(&server, "waiting", 0);
    assert_eq!(object(&server.get("/healthz"))["solving"], 1);
    drop(solved);
    wait_for(&server, "solving", 0);
    assert_eq!(status(&server.get("/solve?pos=44444422226666")), "200");
    let _solved = open(&server, HARD);
    wait_for(&server, "solving", 1);
    server.stop();
}

#[test]
fn a_position_has_its_time() {
    let server = start(&["--timeout=0.05"]);
    let answer = server.get(HARD);
    let expected = json!({"pos": "", "error": "not solved within 0.05 s"});
    assert_eq!((status(&answer), object(&answer)), ("503", expected));
}

#[test]
fn other_sites_may_read_if_that_is_said() {
    let ask = |server: &Server, request: &str| server.ask(&format!("{request}\r\nConnection: close\r\n\r\n"));
    let server = start(&["--cors=https://example.org"]);
    let answer = server.get("/solve?pos=");
    assert!(answer.contains("\r\naccess-control-allow-origin: https://example.org\r\n"), "{answer}");
    assert!(answer.contains("\r\ncross-origin-resource-policy: cross-origin\r\n"), "{answer}");
    let answer = ask(&server, "OPTIONS /solve HTTP/1.1\r\nHost: localhost");
    assert_eq!(status(&answer), "204");
    assert!(answer.contains("\r\naccess-control-allow-headers: content-type\r\n"), "{answer}");
    let server = start(&["--cors=*"]);
    let answer = ask(&server, "GET /solve?pos= HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site");
    assert_eq!(status(&answer), "200");
    assert!(answer.contains("\r\naccess-control-allow-origin: *\r\n"), "{answer}");
}

/// Addresses and headers are from the sources of clients of connect4.gamesolver.org and ludolab.net.
#[test]
fn requests_of_public_clients_are_answered() {
    const NODE: &str = "user-agent: node\r\naccept: */*\r\naccept-language: *\r\nsec-fetch-mode: cors";
    const REQUESTS: &str =
        "User-Agent: python-requests/2.32.3\r\nAccept-Encoding: gzip, deflate\r\nAccept: */*";
    const PAGE: &str = "Origin: http://localhost:5173\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors";
    const JQUERY: &str = "Origin: null\r\nSec-Fetch-Site: cross-site\r\nX-Requested-With: XMLHttpRequest";
    // Headers of a page behind the proxy of Vite's development server.
    const PROXY: &str =
        "Referer: http://localhost:5173/\r\nSec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: cors";
    let server = start(&["--cors=*"]);
    let scores = r#"{"pos":"4455","score":[-4,-3,18,2,2,18,-3]}"#;
    let moves = server.get("/solve/connect4?position=4455");
    assert!(body(&moves).starts_with(r#"[{"move":"3","score":18.0},"#), "{moves}");
    for (address, headers, expected) in [
        ("/solve/connect4?position=4455&level=10", REQUESTS, body(&moves)),
        ("/solve/connect4?level=1&position=4455", PAGE, body(&moves)),
        ("/solve/connect4?level=1&position=4455", PROXY, body(&moves)),
        ("/solve/connect4?level=%20&position=4455", NODE, body(&moves)),
        ("/solve?pos=4455", REQUESTS, scores),
        ("/solve?pos=4455", JQUERY, scores),
        ("/solve?pos=4455", NODE, scores),
    ] {
        let host = &server.address;
        let request =
            format!("GET {address} HTTP/1.1\r\nHost: {host}\r\n{headers}\r\nConnection: close\r\n\r\n");
        let answer = server.ask(&request);
        assert_eq!((status(&answer), body(&answer)), ("200", expected), "{request}");
    }
}
