//! `plumb-lab match --serve` and `plumb-lab page`: spectators of real matches, with plain sockets.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpStream, UdpSocket};

use crate::common::play::{block, pair, searching, with};
use crate::common::server::{Server, status};
use crate::common::{Directory, done};
use serde_json::Value;

fn watch(server: &Server) -> impl Iterator<Item = (String, Value)> + use<> {
    let mut stream = server.connect();
    let request = format!("GET /events HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    stream.write_all(request.as_bytes()).expect("a request");
    let mut name = String::new();
    BufReader::new(stream).lines().map_while(Result::ok).filter_map(move |line| {
        if let Some(found) = line.strip_prefix("event: ") {
            found.clone_into(&mut name);
        }
        let data = line.strip_prefix("data: ")?;
        Some((name.clone(), serde_json::from_str(data).expect("JSON")))
    })
}

fn settings(nodes: u32) -> Vec<String> {
    vec!["match".to_owned(), searching("A", nodes), searching("B", 300), "--report-every=0".to_owned()]
}

#[test]
fn a_match_is_watched_in_order() {
    let directory = Directory::new("serve-order");
    let out = directory.path("out");
    let settings = settings(30_000);
    let more = ["--rounds=4", "--concurrency=2", "--serve", "--keep-serving", "--out", &out];
    let server = Server::start(&with(&settings, &more));
    assert!(server.address.starts_with("127.0.0.1:"), "{}", server.address);
    let mut all: Vec<(String, Value)> = Vec::new();
    for event in watch(&server) {
        let is_end = event.0 == "end";
        all.push(event);
        if is_end {
            break;
        }
    }
    assert_eq!(all[0].0, "header");
    assert_eq!(all[0].1["settings"]["engines"][1]["name"], "B");
    let record = directory.read("out/match.jsonl");
    let expected: Vec<Value> =
        record.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let records: Vec<_> = all.iter().filter(|(name, _)| name == "record").map(|(_, game)| game).collect();
    assert_eq!(records, expected.iter().collect::<Vec<_>>());
    // No event adds moves to a finished game, or removes moves.
    for game in &expected {
        let is_its = |value: &Value| value["game"] == game["game"];
        let end = all.iter().position(|(name, value)| name == "record" && is_its(value)).expect("its record");
        let live = all.iter().enumerate().filter(|(_, (name, value))| name == "live" && is_its(value));
        let mut shown = 0;
        for (place, (_, state)) in live {
            let moves = state["moves"].as_array().expect("moves");
            assert!(place < end && moves.len() >= shown);
            assert_eq!(moves[..], game["moves"].as_array().expect("moves")[..moves.len()]);
            shown = moves.len();
        }
    }
    // Apart from the address, the output begins as without `--serve`.
    let unserved = done(&with(&settings, &more[..2]));
    let (_, summary) = all.iter().rfind(|(name, _)| name == "summary").expect("a summary");
    assert_eq!(summary["games"], serde_json::json!({"played": 8, "planned": 8}));
    assert_eq!(all.last().expect("the end").1, serde_json::json!({"state": "finished"}));
    assert!(server.get("/games.pgn").contains("[Variant \"cfour\"]"));
    assert!(server.get("/").contains("<meta name=\"plumb-live\" content=\"events\">"));
    let said = server.stop();
    assert!(said.starts_with(&unserved) && said.contains("shows the match until Ctrl-C"), "{said}");
}

#[test]
fn ctrl_c_ends_match_and_server() {
    let [one, other] = pair("random 1");
    let settings = ["match", &one, &other, "--rounds=4000", "--report-every=0"];
    let server = Server::start(&[&settings[..], &["--serve=localhost:0", "--keep-serving"]].concat());
    let mut events = watch(&server);
    assert!(events.any(|(name, _)| name == "record"));
    server.interrupt();
    assert_eq!(events.find(|(name, _)| name == "end").expect("the end").1["state"], "interrupted");
    assert_eq!(server.end().0, Some(130));
}

#[test]
fn only_this_machine_is_served_by_default() {
    let server = Server::start(&["page", "--no-open"]);
    let port = server.address.rsplit(':').next().expect("a port").to_owned();
    assert!(server.address.starts_with("127.0.0.1:"));
    // Finds the network address of this machine. A UDP `connect` sends nothing.
    let socket =
        UdpSocket::bind("0.0.0.0:0").and_then(|socket| socket.connect("192.0.2.1:9").map(|()| socket));
    if let Ok(own) = socket.and_then(|socket| socket.local_addr()) {
        assert!(TcpStream::connect(format!("{}:{port}", own.ip())).is_err());
    }
    let page = server.get("/");
    assert!(status(&page) == "200" && page.contains("<!-- plumb-data -->"));
    assert_eq!(status(&server.get("/events")), "404");
    let size = plumb::book::EMBEDDED.map_or(0, <[u8]>::len);
    assert!(server.get("/plumb.book").contains(&format!("\r\ncontent-length: {size}\r\n")));
    server.stop();
}

#[test]
fn a_recorded_match_is_shown() {
    let directory = Directory::new("serve-recorded");
    let out = directory.path("out");
    let settings = settings(1000);
    done(&with(&settings, &["--rounds=2", "--out", &out]));
    let server = Server::start(&["page", "--no-open", "--address=0", &out]);
    let page = server.get("/");
    assert_eq!(block(&page, "match-record").trim_end().lines().count(), 5);
    let summary: Value = serde_json::from_str(block(&page, "match-summary")).expect("JSON");
    assert_eq!((&summary["state"], &summary["games"]["played"]), (&"finished".into(), &4.into()));
    assert!(server.get("/match.jsonl").contains("\"seconds\":"));
    server.stop();
    let resume = ["match", "--resume", "--out", &out, "--rounds=3", "--serve=0", "--keep-serving"];
    let server = Server::start(&resume);
    let games = watch(&server).take_while(|(name, _)| name != "end").filter(|(name, _)| name == "record");
    let numbers: Vec<_> = games.map(|(_, game)| game["game"].as_u64()).collect();
    assert_eq!(numbers, [0, 1, 2, 3, 4, 5].map(Some));
    server.stop();
}
