//! Public clients of ludolab.net and connect4.gamesolver.org. Each client plays a game against `plumb-lab serve` with only its
//! address changed. Requests and parsing are rebuilt from the sources of the clients.
#![cfg(unix)]

use crate::common::server::{Server, status};
use plumb::board::{Outcome, Player, Position, Standard};
use serde::Deserialize;

struct Client {
    name: &'static str,
    /// Path and query, with `{}` for the moves so far.
    address: &'static str,
    /// The headers that the HTTP library or the browser sends.
    headers: &'static str,
    choose: Choose,
    /// Whether the client always plays a best move.
    is_perfect: bool,
}

/// How a client finds its move in an answer.
enum Choose {
    /// In a list of moves.
    Move(fn(&[Move]) -> &Move),
    /// In the scores of all columns. Some clients know which columns are not full.
    Column(fn(&[i32], &[usize]) -> usize),
}

use Choose::{Column, Move as Listed};

#[derive(Deserialize)]
struct Move {
    r#move: String,
    score: f64,
}

#[derive(Deserialize)]
struct Scores {
    pos: String,
    score: Vec<i32>,
}

const REQUESTS: &str =
    "User-Agent: python-requests/2.32.3\r\nAccept-Encoding: gzip, deflate\r\nAccept: */*\r\n";
const RESEARCH: &str = "User-Agent: MCTSResearchBot/1.0\r\nAccept: */*\r\n\
                        Referer: https://ludolab.net/play/four-in-a-line/computer\r\n";
const NODE: &str = "user-agent: node\r\naccept: */*\r\naccept-language: *\r\nsec-fetch-mode: cors\r\n";
const AXIOS: &str = "User-Agent: axios/1.7.9\r\nAccept: application/json, text/plain, */*\r\n";
/// A page of another site.
const PAGE: &str = "Origin: http://localhost:5173\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors\r\n";
const JQUERY: &str = "Origin: null\r\nSec-Fetch-Site: cross-site\r\nX-Requested-With: XMLHttpRequest\r\n\
                      Accept: application/json, text/javascript, */*; q=0.01\r\n";
/// A page behind the proxy of Vite's development server.
const PROXY: &str =
    "Referer: http://localhost:5173/\r\nSec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: cors\r\n";

const POSITION: &str = "/solve/connect4?position={}&level=10";
const LEVEL_1: &str = "/solve/connect4?level=1&position={}";
const NO_LEVEL: &str = "/solve/connect4?level=%20&position={}";
const POS: &str = "/solve?pos={}";

#[rustfmt::skip]
const CLIENTS: [Client; 15] = [
    client("OnlineAgent (Python)", POSITION, RESEARCH, Listed(first), true),
    client("FastAPI bot: max (Python)", POSITION, REQUESTS, Listed(greatest), true),
    client("FastAPI bot: sort (Python)", POSITION, REQUESTS, Listed(sorted), true),
    client("FastAPI bot: any move that does not lose (Python)", POSITION, REQUESTS, Listed(not_losing), false),
    client("Console game: the last move (Python)", POSITION, REQUESTS, Listed(last), false),
    client("necla87/Fyra_i_Rad", LEVEL_1, PAGE, Listed(greatest), true),
    client("esraunal07/Fyra-i-rad--main", NO_LEVEL, PAGE, Listed(first), true),
    client("YevShch/Fyra-i-rad-", NO_LEVEL, NODE, Listed(blocking), true),
    client("AlbinBjerhem/Connect_four", LEVEL_1, PROXY, Listed(greatest), true),
    client("External (JavaScript)", LEVEL_1, PROXY, Listed(first), true),
    client("C4Game (Python)", POS, REQUESTS, Column(greatest_below_100), true),
    client("indexOfMaxNot100 (jQuery)", POS, JQUERY, Column(greatest_below_100), true),
    client("bestAgent (TypeScript)", POS, AXIOS, Column(place_of_greatest), true),
    client("PerfectSolverBridge (JavaScript)", POS, NODE, Column(any_of_the_greatest), true),
    client("PlayerEddie (JavaScript)", POS, "", Column(greatest_of_legal), true),
];

const fn client(
    name: &'static str,
    address: &'static str,
    headers: &'static str,
    choose: Choose,
    is_perfect: bool,
) -> Client {
    Client { name, address, headers, choose, is_perfect }
}

fn first(moves: &[Move]) -> &Move {
    &moves[0]
}

fn last(moves: &[Move]) -> &Move {
    &moves[moves.len() - 1]
}

fn greatest(moves: &[Move]) -> &Move {
    moves.iter().max_by(|one, other| one.score.total_cmp(&other.score)).expect("a move")
}

fn sorted(moves: &[Move]) -> &Move {
    moves
        .iter()
        .min_by(|one, other| other.score.total_cmp(&one.score).then(one.r#move.cmp(&other.r#move)))
        .expect("a move")
}

fn not_losing(moves: &[Move]) -> &Move {
    moves.iter().rfind(|listed| listed.score >= 0.0).unwrap_or_else(|| greatest(moves))
}

/// The only move that does not lose soon, if there is such a move; otherwise the best move.
fn blocking(moves: &[Move]) -> &Move {
    let are_others_bad =
        |listed: &&Move| moves.iter().all(|other| other.r#move == listed.r#move || other.score <= -10.0);
    moves.iter().find(are_others_bad).unwrap_or_else(|| greatest(moves))
}

fn greatest_below_100(score: &[i32], _: &[usize]) -> usize {
    (0..7).filter(|&column| score[column] != 100).max_by_key(|&column| score[column]).expect("a column")
}

fn place_of_greatest(score: &[i32], legal: &[usize]) -> usize {
    let greatest = legal.iter().map(|&column| score[column]).max();
    score.iter().position(|&value| Some(value) == greatest).expect("a column")
}

fn any_of_the_greatest(score: &[i32], _: &[usize]) -> usize {
    let greatest = score.iter().filter(|&&value| value != 100).max();
    score.iter().rposition(|value| Some(value) == greatest).expect("a column")
}

fn greatest_of_legal(score: &[i32], legal: &[usize]) -> usize {
    *legal.iter().max_by_key(|&&column| score[column]).expect("a column")
}

/// The column, from 0, that the client chooses after an answer of the server.
fn move_of(client: &Client, server: &Server, moves: &str, legal: &[usize]) -> usize {
    let Client { address, headers, .. } = client;
    let address = address.replace("{}", moves);
    let request =
        format!("GET {address} HTTP/1.1\r\nHost: {}\r\n{headers}Connection: close\r\n\r\n", server.address);
    let answer = server.ask(&request);
    assert_eq!(status(&answer), "200", "{}: {answer}", client.name);
    let body = answer.split_once("\r\n\r\n").expect("a body").1;
    match client.choose {
        Listed(choose) => {
            let moves: Vec<Move> = serde_json::from_str(body).expect(body);
            choose(&moves).r#move.parse::<usize>().expect("a column") - 1
        }
        Column(choose) => {
            let scores: Scores = serde_json::from_str(body).expect(body);
            assert_eq!(scores.pos, moves, "{}", client.name);
            choose(&scores.score, legal)
        }
    }
}

/// Plays a game against the last client, which plays perfectly. `client` begins.
fn play(client: &Client, server: &Server) -> Outcome {
    let (mut position, mut moves) = (Position::<Standard>::new(), String::new());
    loop {
        if let Some(outcome) = position.outcome() {
            return outcome;
        }
        let legal: Vec<_> = position.legal_columns().map(|column| column as usize).collect();
        let player = match position.side_to_move() {
            Player::First => client,
            Player::Second => &CLIENTS[CLIENTS.len() - 1],
        };
        let column = move_of(player, server, &moves, &legal);
        position =
            position.play(column as u32).unwrap_or_else(|| panic!("{}: {moves} {column}", player.name));
        moves += &(column + 1).to_string();
    }
}

#[test]
fn each_client_plays_a_game() {
    let server = Server::start(&["serve", "--address=0", "--cors=*", "--timeout=600"]);
    for client in &CLIENTS {
        let outcome = play(client, &server);
        assert!(!client.is_perfect || outcome == Outcome::Win(Player::First), "{}: {outcome:?}", client.name);
    }
    server.stop();
}
