//! `plumb-lab match`: openings and seeds.

use crate::common::play::{games, pair, play};
use crate::common::{Directory, refused};
use serde_json::Value;

#[test]
fn openings_are_repeated_only_if_asked_for_and_then_count_once() {
    let directory = Directory::new("match-repeated");
    // The third line leads to the position of the first line, the fourth to its mirror image.
    let openings = format!("--openings={}", directory.file("two.txt", "4453\n44\n5344\n4435\n"));
    let [one, other] = pair("none");
    let settings = ["match", &one, &other, &openings, "--rounds=12"];
    let said = refused(&settings);
    assert!(said.contains("/two.txt` has 2 different openings for 12 rounds: "), "{said}");
    assert!(said.contains("`--repeat-openings`"), "{said}");
    let said = play(&[&settings[1..], &["--repeat-openings"]].concat());
    assert!(said.contains("\n12 pairs from repeated openings count as 2 in "), "{said}");
    let row = said.lines().find(|line| line.starts_with("A ")).expect("a row");
    assert_eq!(row.split_whitespace().nth(1), Some("24"), "{said}");
    assert!(said.contains(", nElo -, LOS -\n"), "{said}");
    let said = refused(&["match", &one, &other, "--openings=random", "--plies=0", "--rounds=2"]);
    assert!(said.contains("`random` has 1 opening for 2 rounds: give `--rounds 1` or `--rep"), "{said}");
    let said = refused(&["match", &one, &other, "--openings=random", "--plies=0", "--rounds=2", "--no-swap"]);
    assert!(said.trim_end().ends_with("give `--rounds 1`"), "{said}");
}

#[test]
fn each_game_has_a_seed_of_its_own_and_is_repeated_move_for_move() {
    let directory = Directory::new("match-seeds");
    let levels = ["skill-2", "skill-6"].map(|name| format!("--engine={name},nodes=2000,option.Hash=1"));
    for (name, [one, other]) in [("seeded", pair("seeded")), ("levels", levels)] {
        let moves = |seed: &str, more: &str| {
            let out = directory.path(&[name, seed, more].concat());
            play(&[&one, &other, "--rounds=4", seed, more, "--out", &out]);
            moves_of(&out)
        };
        let seven = moves("--seed=7", "--concurrency=1");
        assert_eq!(moves("--seed=7", "--concurrency=2"), seven, "{name}");
        assert_ne!(moves("--seed=8", "--concurrency=1"), seven, "{name}");
        if name == "seeded" {
            // `option.Seed` replaces the seeds of the single games.
            let fixed = moves("--seed=7", "--each=option.Seed=5");
            assert!(fixed.iter().all(|(_, moves)| moves[0] == fixed[0].1[0]), "{fixed:?}");
        }
    }
}

fn moves_of(out: &str) -> Vec<(Value, Vec<Value>)> {
    let columns = |game: &Value| {
        game["moves"].as_array().expect("moves").iter().map(|made| made["column"].clone()).collect()
    };
    games(out).iter().map(|game| (game["opening"]["moves"].clone(), columns(game))).collect()
}

#[test]
fn suites_are_printed_for_other_arenas() {
    let said = play(&["openings", "balanced"]);
    let is_opening = |line: &str| line.len() == 8 && line.bytes().all(|digit| (b'1'..=b'7').contains(&digit));
    assert!(said.lines().all(is_opening));
    assert!(said.lines().count() >= 500);
}
