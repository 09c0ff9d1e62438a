//! `plumb-lab match --board`: games on other boards.

use crate::common::play::{games, play, searching};
use crate::common::{Directory, done, engine, faulty_engine, lab, refused};
use serde_json::Value;

#[test]
fn games_on_any_board_are_played_recorded_and_resumed() {
    let program = engine();
    for (board, variant, last) in [("5x4", "cfour5x4", 'e'), ("10x10", "cfour10x10", 'j')] {
        let directory = Directory::new(&format!("match-board-{board}"));
        let out = directory.path("match");
        let engine = |name: &str, nodes: u32| {
            format!("--engine=name={name},cmd={program},nodes={nodes},option.Hash=1,option.Swindle=false")
        };
        let (one, other) = (engine("one", 400), engine("other", 200));
        let run = [&*one, &other, "--board", board, "--plies", "4", "--seed", "3", "--out", &out];
        let games = |rounds: &str| {
            let said = play(&[&run[..], &["--rounds", rounds]].concat());
            assert!(!said.contains("illegal"), "{said}");
        };
        games("2");
        let pgn = directory.read("match/games.pgn");
        assert_eq!(pgn.matches(&format!("[Variant \"{variant}\"]")).count(), 4, "{pgn}");
        assert!(directory.read("match/report.html").contains(&format!("\"board\":\"{board}\"")));
        let record = directory.read("match/match.jsonl");
        assert_eq!(record.lines().count(), 5);
        done(&["match", "--resume", "--out", &out, "--rounds", "6"]);
        let all = directory.read("match/match.jsonl");
        let first_games = |text: &str| text.lines().skip(1).take(4).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!((first_games(&all), all.lines().count()), (first_games(&record), 13));
        let pgn = directory.read("match/games.pgn");
        assert!(pgn.contains(&format!("P@{last}1")), "{pgn}");
    }
}

#[test]
fn moves_on_a_large_board_are_checked_near_the_end() {
    let directory = Directory::new("match-board-blunders");
    let engines = [searching("A", 600), searching("B", 300)];
    let settings = ["--board=9x7", "--rounds=2", "--plies=6", "--blunders", "--out", &directory.path("out")];
    play(&[&[&*engines[0], &engines[1]], &settings[..]].concat());
    let summary = directory.json("out/summary.json");
    let mut checked = 0;
    for game in games(&directory.path("out")) {
        for (made, empty) in game["moves"].as_array().expect("moves").iter().zip((0..=63 - 6).rev()) {
            let is_known = [&made["exact"], &made["loss"]].map(Value::is_number);
            assert_eq!(is_known, [empty <= 36; 2], "{made} with {empty} empty cells");
            checked += u64::from(empty <= 36);
        }
    }
    let rows = summary["standings"].as_array().expect("rows").iter();
    assert_eq!(rows.filter_map(|row| row["checked"].as_u64()).sum::<u64>(), checked);
    let note = "Moves were checked for blunders once there were at most 36 empty cells.";
    assert!(checked > 0 && summary["notes"] == serde_json::json!([note]), "{summary}");
}

#[test]
fn an_engine_that_does_not_know_the_game_is_named_before_the_first() {
    let directory = Directory::new("match-unknown-variant");
    let (chess, suite) = (format!("{} chess", faulty_engine()), directory.file("suite.txt", "44444 2\n"));
    let reason = "does not know the game: its option UCI_Variant has no value `cfour`; `option.VariantPath=FILE` names a file \
                  that defines it, as `plumb-lab variant-ini 7x6` prints it";
    let other = format!("--engine=name=B,cmd={chess}");
    assert_eq!(refused(&["match", "--engine=plumb", &other, "--each", "st=1"]), format!("`B`: {reason}"));
    // The file of `VariantPath` may define the game, so `suite` does not refuse the engine at the start.
    let (code, _, err) =
        lab(&["suite", &suite, "--engine", &format!("cmd={chess},option.VariantPath=x.ini")]);
    assert!(code != Some(2) && !err.contains("does not know the game"), "{err}");
}
