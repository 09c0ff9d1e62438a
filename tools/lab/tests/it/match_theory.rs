//! `plumb-lab match --openings lost|drawn` and the example `opponent_moves`.

use std::process::Command;

use serde_json::{Value, json};

use crate::common::play::play;
use crate::common::{Directory, beside_lab, start_command, success, wait};

fn settings<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let engines = [
        "--engine=plumb,name=on",
        "--engine=plumb,name=off,option.Swindle=false",
        "--engine=skill-10,name=weak",
        "--each=nodes=20000,option.Hash=1",
        "--tested=2",
        "--out",
        out,
    ];
    [&engines[..], more].concat()
}

#[test]
fn engines_under_test_start_from_lost_and_drawn_positions() {
    let directory = Directory::new("match-theory");
    for starts in ["lost", "drawn"] {
        let out = directory.path(starts);
        let openings = format!("--openings={starts}");
        let said = play(&settings(&out, &[&openings, "--rounds=4"]));
        let row = |name: &str| {
            let row = said.lines().rfind(|line| line.starts_with(name)).expect("a row");
            row.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
        };
        assert!(said.contains("\nbeyond theory "), "{said}");
        for name in ["on - weak", "off - weak"] {
            let row = row(name);
            assert_eq!(row[3], "4", "{said}");
            assert!(row.windows(2).any(|pair| pair[0] == "0" && pair[1] == "of"), "{said}");
        }
        assert!(said.contains("\non - off: "), "{said}");
        let report = directory.read(&format!("{starts}/report.html"));
        assert!(report.contains("\"headings\":[\"beyond theory\""), "the report has the table");
        let again = play(&["--resume", "--rounds=5", "--out", &out]);
        assert!(again.lines().any(|line| line.starts_with("on - weak") && line.contains(" 5 ")), "{again}");
    }
}

#[test]
fn the_moves_of_opponents_are_listed_with_their_features() {
    let directory = Directory::new("opponent-moves");
    let out = directory.path("out");
    play(&settings(&out, &["--openings=lost", "--rounds=15"]));
    let listed = success(wait(start_command(Command::new(beside_lab("examples/opponent_moves")).arg(&out))));
    let lines: Vec<Value> = listed.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let [first, moves @ .., last] = &lines[..] else { panic!("{listed}") };
    assert_eq!((first["features"].as_array().map(Vec::len), &last["games"]), (Some(14), &json!(30)));
    assert!(moves.len() > 5, "{listed}");
    for row in moves {
        let (replies, chosen) = (row["replies"].as_array().expect("a list"), row["chosen"].as_u64());
        assert!(
            chosen < Some(replies.len() as u64) && replies[0].as_array().map(Vec::len) == Some(14),
            "{row}"
        );
    }
}
