//! `plumb-lab match`: openings and seeds.

mod common;

use std::fs;

use common::play::{pair, play};
use common::{Directory, engine, lab};

#[test]
fn openings_are_repeated_only_if_asked_for_and_then_count_once() {
    let directory = Directory::new("match-repeated");
    // The third leads to the position of the first, the fourth to its mirror image.
    let openings = format!("--openings={}", directory.file("two.txt", "4453\n44\n5344\n4435\n"));
    let [one, other] = pair("none");
    let settings = ["match", &one, &other, &openings, "--rounds=12"];
    let (code, said, err) = lab(&settings);
    assert_eq!((code, said.as_str()), (Some(2), ""), "{err}");
    assert!(
        err.contains("/two.txt` has 2 different openings for 12 rounds: ")
            && err.contains("`--repeat-openings`")
    );
    let said = play(&[&settings[1..], &["--repeat-openings"]].concat());
    assert!(said.contains("\n2 different openings in 12 pairs: "), "{said}");
    let row = said.lines().find(|line| line.starts_with("A ")).expect("a row");
    assert_eq!(row.split_whitespace().nth(1), Some("24"), "{said}");
    assert!(said.contains(", nElo -, LOS -\n"), "{said}");
    let (code, _, err) = lab(&["match", &one, &other, "--openings=random", "--plies=0", "--rounds=2"]);
    assert!(code == Some(2) && err.contains("`random` has 1 opening for 2 rounds: "), "{err}");
}

#[test]
fn each_game_has_a_seed_of_its_own() {
    let directory = Directory::new("match-seeds");
    let [one, other] = pair("seeded");
    let moves = |seed: &str, more: &[&str]| {
        let out = directory.path(&[&[seed], more].concat().concat());
        let settings = [&one, &other, "--rounds=4", "--openings=random", "--plies=2", seed, "--out", &out];
        play(&[&settings[..], more].concat());
        moves_of(&out)
    };
    let seven = moves("--seed=7", &[]);
    assert_eq!(moves("--seed=7", &["--concurrency=2"]), seven);
    assert_ne!(moves("--seed=8", &[]), seven);
    // A seed of the user's stays the same in all games: the first move depends on nothing else.
    let fixed = moves("--seed=7", &["--each=option.Seed=5"]);
    let first: std::collections::HashSet<_> = fixed.iter().map(|(_, _, moves)| moves[0]).collect();
    assert_eq!(first.len(), 1, "{fixed:?}");
}

#[test]
fn matches_of_skill_levels_are_repeated_move_for_move() {
    let _engine_exists = engine();
    let directory = Directory::new("match-skill-seeds");
    let moves = |name: &str, more: &[&str]| {
        let out = directory.path(name);
        let settings =
            ["--engine=skill-2", "--engine=skill-6", "--each=nodes=2000,option.Hash=1", "--rounds=3"];
        play(&[&settings[..], more, &["--out", &out]].concat());
        moves_of(&out)
    };
    let seven = moves("seven", &["--seed=7"]);
    assert_eq!(moves("again", &["--seed=7", "--concurrency=2"]), seven);
    assert_ne!(moves("eight", &["--seed=8"]), seven);
}

/// The games of a match in their order: number, opening, and the columns played.
fn moves_of(directory: &str) -> Vec<(u64, String, Vec<u64>)> {
    let text = fs::read_to_string(format!("{directory}/match.jsonl")).expect("the games are there");
    let read = |line: &str| {
        let game: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let moves = game["moves"].as_array().expect("moves").iter();
        let columns = moves.map(|made| made["column"].as_u64().expect("a column")).collect();
        let opening = game["opening"]["moves"].as_str().expect("digits").to_owned();
        (game["game"].as_u64().expect("a number"), opening, columns)
    };
    let mut games: Vec<_> = text.lines().skip(1).map(read).collect();
    games.sort();
    games
}

#[test]
fn suites_are_printed_for_other_arenas() {
    let said = play(&["openings", "balanced"]);
    assert!(
        said.lines().all(|line| line.len() == 8 && line.bytes().all(|digit| (b'1'..=b'7').contains(&digit)))
    );
    assert!(said.lines().count() >= 500);
}
