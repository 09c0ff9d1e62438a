use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::num::NonZeroUsize;
use std::sync::Arc;

use super::*;
use crate::live::LiveGames;
use crate::record::file::to_line;
use crate::record::{GameRecord, MatchHeader};
use crate::results::MatchResults;
use crate::test_match;

const PAGE: &str = "<!DOCTYPE html><head><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">\
                    <!-- plumb-data --></head><body></body>";

fn start(directory: Option<PathBuf>) -> (Server, Arc<LiveGames>, MatchHeader) {
    let (games, header) = (Arc::new(LiveGames::new(1)), test_match::header());
    let feed = Feed { games: Arc::clone(&games), results: MatchResults::new(&header) };
    let site = Site { page: Some(PAGE.to_owned()), book: Some(b"book"), directory, solver: None };
    let address = "127.0.0.1:0".parse().expect("an address");
    (Server::start(&address, site, Some(feed)).expect("a server"), games, header)
}

fn connect(server: &Server) -> TcpStream {
    let address = server.url.trim_start_matches("http://").trim_end_matches('/');
    TcpStream::connect(address).expect("a connection")
}

fn ask(server: &Server, request: &str) -> String {
    let mut stream = connect(server);
    let _ = stream.write_all(request.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn get(server: &Server, path: &str, more: &str) -> String {
    ask(server, &format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{more}\r\n"))
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

fn watch(server: &Server) -> impl Iterator<Item = (String, serde_json::Value)> + use<> {
    let mut stream = connect(server);
    stream.write_all(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("a request");
    let mut name = String::new();
    BufReader::new(stream).lines().map_while(Result::ok).filter_map(move |line| {
        if let Some(found) = line.strip_prefix("event: ") {
            found.clone_into(&mut name);
        }
        let data = line.strip_prefix("data: ")?;
        Some((name.clone(), serde_json::from_str(data).expect("JSON")))
    })
}

#[test]
fn the_queue_has_its_end() {
    let (threads, time) = (NonZeroUsize::MIN, Duration::from_secs(600));
    let solver = SolverSettings { threads, hash: 1, queue: 1, time, origin: None };
    let site = Site { solver: Some(solver), ..Site::default() };
    let server = Server::start(&"127.0.0.1:0".parse().expect("an address"), site, None).expect("a server");
    let mut clients = Vec::new();
    for state in ["\"solving\":1", "\"waiting\":1"] {
        let mut client = connect(&server);
        let request = b"GET /solve?board=8x8&pos= HTTP/1.1\r\nHost: localhost\r\n\r\n";
        client.write_all(request).expect("a request");
        clients.push(client);
        while !get(&server, "/healthz", "").contains(state) {
            std::thread::yield_now();
        }
    }
    assert_eq!(status(&get(&server, "/solve?pos=4455", "")), "200");
    let late = get(&server, "/solve?pos=44444422226666", "");
    assert_eq!(status(&late), "429", "{late}");
    assert!(
        late.contains("\r\nretry-after: 1\r\n") && late.contains("{\"pos\":\"44444422226666\",\"error\":\"")
    );
}

#[test]
fn every_address_has_its_answer() {
    let (server, ..) = start(None);
    let page = get(&server, "/", "");
    assert_eq!(status(&page), "200");
    assert!(page.ends_with(PAGE));
    let head = page.to_ascii_lowercase();
    for expected in [
        "content-security-policy: default-src 'none'; frame-ancestors 'none'\r\n",
        "x-content-type-options: nosniff\r\n",
        "referrer-policy: no-referrer\r\n",
        "cross-origin-opener-policy: same-origin\r\n",
        "cross-origin-embedder-policy: require-corp\r\n",
        "content-type: text/html; charset=utf-8\r\n",
    ] {
        assert!(head.contains(expected), "{head}");
    }
    let tag = page.lines().find_map(|line| line.strip_prefix("etag: ")).expect("a tag");
    for path in ["/", "/plumb.book"] {
        let answer = get(&server, path, &format!("If-None-Match: \"x\", W/{tag}\r\n"));
        assert_eq!(status(&answer), if path == "/" { "304" } else { "200" }, "{path}");
    }
    assert!(get(&server, "/plumb.book", "").ends_with("\r\n\r\nbook"));
    let absent = "/match.jsonl /games.pgn /../Cargo.toml /%2e%2e/Cargo.toml /..%2fCargo.toml // /index.html /events/ \
                  /%65vents /PLUMB.BOOK";
    for path in absent.split(' ') {
        assert_eq!(status(&get(&server, path, "")), "404", "{path}");
    }
    for (method, expected) in [("HEAD", "200"), ("POST", "405"), ("PUT", "405"), ("OPTIONS", "405")] {
        for path in ["/", "/events"] {
            let request = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            let answer = ask(&server, &request);
            assert_eq!(status(&answer), expected, "{answer}");
            assert!(expected != "200" || answer.ends_with("\r\n\r\n"), "{answer}");
        }
    }
    assert_eq!(status(&get(&server, "/?x=/../y", "")), "200");
}

#[test]
fn requests_for_other_hosts_are_refused() {
    let (server, ..) = start(None);
    for (head, expected) in [
        ("GET / HTTP/1.1\r\nHost: evil.example", "421"),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example", "421"),
        ("GET / HTTP/1.1", "421"),
        ("GET http://evil.example/ HTTP/1.1\r\nHost: localhost", "421"),
        ("GET http://localhost/ HTTP/1.1\r\nHost: localhost", "200"),
        ("GET / HTTP/1.1\r\nHost: 127.0.0.1:1", "200"),
    ] {
        let answer = ask(&server, &format!("{head}\r\nConnection: close\r\n\r\n"));
        assert_eq!(status(&answer), expected, "{head}");
    }
    let huge = format!("X: {}\r\n", "x".repeat(100_000));
    assert!(matches!(status(&get(&server, "/", &huge)), "431" | ""));
    let many = "X: x\r\n".repeat(1000);
    assert!(matches!(status(&get(&server, "/", &many)), "431" | ""));
    assert!(matches!(status(&ask(&server, "nonsense\r\n\r\n")), "400" | ""));
    assert_eq!(status(&get(&server, "/", "")), "200");
}

#[test]
fn events_come_in_order() {
    let (server, games, header) = start(None);
    let played = test_match::games(4, 6);
    let mut events = watch(&server);
    let first = events.next().expect("the header");
    assert_eq!(first, ("header".to_owned(), serde_json::to_value(header.public()).expect("JSON")));
    for game in &played {
        games.begin(0, || test_match::start(game, [None; 2]));
        games.moved(0, &game.moves[..1]);
        let live = events.by_ref().find(|(name, _)| name == "live").expect("a game").1;
        assert_eq!((&live["game"], &live["first"]), (&game.game.into(), &game.first.as_str().into()));
        games.moved(0, &game.moves);
        games.clear(0);
        games.ended(game);
        let record = events.by_ref().find(|(name, _)| name == "record").expect("a game").1;
        assert_eq!(record.to_string(), serde_json::to_value(game).expect("JSON").to_string());
    }
    server.finish(MatchState::Finished);
    let rest: Vec<_> = events.by_ref().take_while(|(name, _)| name != "end").collect();
    let (_, summary) = rest.iter().rfind(|(name, _)| name == "summary").expect("a summary");
    assert_eq!((&summary["state"], &summary["games"]["played"]), (&"finished".into(), &6.into()));
    let mut late = watch(&server);
    let names: Vec<_> = late.by_ref().map(|(name, _)| name).take(9).collect();
    assert_eq!(names.join(" "), "header record record record record record record summary end");
    drop(server);
    assert!(events.next().is_none() && late.next().is_none());
}

#[test]
fn a_spectator_that_reads_nothing_holds_nothing_up() {
    let (server, games, _) = start(None);
    let silent = watch(&server);
    let played = test_match::games(7, 50);
    let mut quick = watch(&server);
    quick.next().expect("the header");
    for round in 0..100 {
        for game in &played {
            games.ended(&GameRecord { game: round * 50 + game.game, ..game.clone() });
        }
    }
    server.finish(MatchState::Incomplete);
    quick.find(|(name, data)| name == "record" && data["game"] == 4999).expect("the last game");
    let (_, end) = quick.find(|(name, _)| name == "end").expect("the end");
    assert_eq!(end["state"], "interrupted");
    drop((server, silent));
}

#[test]
fn too_many_connections_are_refused_and_others_come_later() {
    let (server, ..) = start(None);
    let mut spectators: Vec<_> = (0..MAX_CONNECTIONS).map(|_| watch(&server)).collect();
    for events in &mut spectators {
        assert_eq!(events.next().expect("the header").0, "header");
    }
    assert_eq!(status(&get(&server, "/", "")), "503");
    let idle: Vec<_> = (0..3 * MAX_CONNECTIONS).map(|_| connect(&server)).collect();
    assert!(matches!(status(&get(&server, "/", "")), "503" | ""));
    spectators.truncate(10);
    drop(idle);
    while status(&get(&server, "/", "")) != "200" {
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn the_record_is_served_without_command_lines_and_as_pgn() {
    let directory = std::env::temp_dir().join(format!("plumb-serve-{}", std::process::id()));
    let played = test_match::games(8, 60);
    let lines = played.iter().map(|game| to_line(game).expect("JSON") + "\n").collect::<String>();
    std::fs::create_dir_all(&directory).expect("made");
    let text = to_line(&test_match::header()).expect("JSON") + "\n" + &lines;
    std::fs::write(directory.join("match.jsonl"), &text).expect("written");
    let (server, ..) = start(Some(directory.clone()));
    let unchunked = |answer: String| {
        let body = answer.split_once("\r\n\r\n").expect("a body").1.to_owned();
        body.split("\r\n").skip(1).step_by(2).collect::<String>()
    };
    let public = to_line(&test_match::header().public()).expect("JSON") + "\n" + &lines;
    assert!(!public.contains("\"cmd\"") && text.contains("\"cmd\""));
    assert_eq!(unchunked(get(&server, "/match.jsonl", "")), public);
    let pgn = unchunked(get(&server, "/games.pgn", ""));
    assert_eq!(pgn.matches("[Variant \"cfour\"]").count(), 60);
    assert_eq!(status(&get(&server, "/report.html", "")), "404");
    drop(server);
    std::fs::remove_dir_all(directory).expect("removed");
}
