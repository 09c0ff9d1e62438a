//! Helpers for tests of `plumb-lab match`.

use super::{done, engine, faulty_engine};

/// `--engine` flag for Plumb with this name and node limit per move.
pub(crate) fn searching(name: &str, nodes: u32) -> String {
    format!("--engine=name={name},cmd={},nodes={nodes},option.Hash=1,option.OwnBook=false", engine())
}

pub(crate) fn with<'a>(words: &'a [String], more: &[&'a str]) -> Vec<&'a str> {
    words.iter().map(String::as_str).chain(more.iter().copied()).collect()
}

/// `--engine` flags for A and B, two `faulty-engine` processes that behave as `manner` says.
pub(crate) fn pair(manner: &str) -> [String; 2] {
    ["A", "B"].map(|name| format!("--engine=name={name},cmd={} {manner},st=60", faulty_engine()))
}

pub(crate) fn play(arguments: &[&str]) -> String {
    let is_match = arguments.first().is_some_and(|first| first.starts_with("--"));
    let quiet: &[&str] = if is_match { &["--report-every", "0"] } else { &[] };
    done(&[&["match"], arguments, quiet].concat())
}

pub(crate) fn block<'a>(page: &'a str, id: &str) -> &'a str {
    let block = page.split_once(&format!("<script id=\"{id}\"")).expect("the block").1;
    block.split_once('>').expect("a start").1.split_once("</script>").expect("an end").0
}

pub(crate) fn record(out: &str) -> String {
    std::fs::read_to_string(format!("{out}/match.jsonl")).expect("the record is there")
}

pub(crate) fn games(out: &str) -> Vec<serde_json::Value> {
    let game = |line| serde_json::from_str(line).expect("JSON");
    let mut games: Vec<serde_json::Value> = record(out).lines().skip(1).map(game).collect();
    for game in &mut games {
        game["seconds"].take();
        game["started"].take();
        for played in game["moves"].as_array_mut().expect("moves") {
            for time in ["time_ms", "own_ms"] {
                played[time].take();
            }
        }
    }
    games.sort_by_key(|game| game["game"].as_u64());
    games
}
