//! `plumb-lab match`: engine descriptions and refused settings.

use std::fs;

use crate::common::play::play;
use crate::common::{Directory, done, faulty_engine, lab, refused, rows};
use serde_json::json;

#[test]
fn commands_and_directories_with_blanks_work() {
    let directory = Directory::new("match with blanks");
    let copy = directory.path(&format!("an engine{}", std::env::consts::EXE_SUFFIX));
    // A hard link, because a copy could not start if a process of another test had inherited the open file.
    fs::hard_link(faulty_engine(), &copy).expect("it can be linked");
    let quoted = format!("name=A,cmd=\"{copy}\" random 1");
    let beside = format!("name=B,cmd='./an engine' random 2,dir={}", directory.path(""));
    let said = play(&["--engine", &quoted, "--engine", &beside, "--each", "st=60", "--rounds", "1"]);
    assert!(said.contains("A: pairs"), "{said}");
}

#[test]
fn engines_that_go_by_a_name_are_this_projects_own() {
    let engines = ["--engine=depth-6", "--engine=skill-0", "--engine=skill-5,name=five", "--each=nodes=5000"];
    let more =
        ["--tournament=gauntlet", "--rounds=6", "--openings=random", "--plies=4", "--adjudicate=solved"];
    let said = play(&[&engines[..], &more].concat());
    let rows = rows(&said);
    assert!(rows[0].contains(&"rating") && rows[1][0] == "depth-6", "{said}");
    let has_row = |name: &&str| rows.iter().any(|row| row.first() == Some(name));
    assert!(["skill-0", "five"].iter().all(has_row), "{said}");
}

#[test]
fn tables_that_are_not_to_be_had_are_refused_before_the_first_game() {
    let engine = |manner: &str, hash: u32| {
        format!("--engine=name={manner},cmd={} {manner},option.Hash={hash}", faulty_engine())
    };
    let (small, other) = (engine("small-table", 100), format!("--engine=name=other,cmd={}", faulty_engine()));
    let settings = ["match", &small, &other, "--each", "st=60", "--rounds", "1"];
    let refusal = "`small-table`: size of its table not granted: `cannot have 100 MB, trying 64 MB instead`";
    let (code, _, err) = lab(&settings);
    let said = format!("plumb-lab: {refusal}; `--force` plays all the same\n");
    assert!(code == Some(2) && err.ends_with(&said), "{err}");
    let (code, _, err) = lab(&[&settings[..], &["--force"]].concat());
    assert!(code == Some(0) && err.contains(refusal), "{err}");
    // On other systems the size of memory is unknown.
    if cfg!(any(target_os = "linux", windows)) {
        let large = engine("nonsense", 100_000);
        let said = refused(&["match", &large, &other, "--each", "st=60", "--concurrency", "1000"]);
        let reason = "1000 games at a time: tables of 100000000 MB in all are needed, and ";
        assert!(said.starts_with(reason), "{said}");
    }
}

#[test]
fn engines_come_from_a_file_of_cutechess() {
    let directory = Directory::new("match-engines-file");
    let engine =
        json!({"name": "my engine", "command": format!("{} random 1", faulty_engine()), "protocol": "uci"});
    let file = directory.file("engines.json", &json!([engine]).to_string());
    let other = format!("--engine=name=other,cmd={}", faulty_engine());
    let settings =
        ["match", &other, "--each=st=60", "--rounds=1", "--report-every=0", "--engines-file", &file];
    let said = done(&[&settings[..], &["--engine=conf=my engine"]].concat());
    assert!(said.contains("other: pairs") && said.contains("\nmy engine "), "{said}");
    let said = refused(&[&settings[..], &["--engine=conf=another"]].concat());
    assert_eq!(said, format!("--engine: conf=another: `{file}` has `my engine`"));
}
