//! `plumb-lab match`: descriptions of engines, and settings that are refused.

mod common;

use std::fs;

use common::play::play;
use common::{Directory, engine, faulty_engine, lab};
use serde_json::json;

#[test]
fn commands_and_directories_with_blanks_work() {
    let directory = Directory::new("match with blanks");
    let faulty_engine = faulty_engine();
    let copy = directory.path(&format!("an engine{}", std::env::consts::EXE_SUFFIX));
    // A copy could not be started while another test starts a process, which has the files that are being written.
    fs::hard_link(&faulty_engine, &copy).expect("it can be linked");
    let quoted = format!("name=A,cmd=\"{copy}\" random 1");
    let beside = format!("name=B,cmd='./an engine' random 2,dir={}", directory.path(""));
    let said = play(&["--engine", &quoted, "--engine", &beside, "--each", "st=60", "--rounds", "1"]);
    assert!(said.contains("A: pairs"), "{said}");

    for (engine, fault) in [
        (format!("cmd={copy} random 1"), "a path with blanks needs quotes"),
        (format!("cmd={faulty_engine},dir={copy}"), "cannot be started: dir: there is no directory `"),
    ] {
        let (code, _, err) = lab(&["match", "--engine", &quoted, "--engine", &engine, "--each", "st=60"]);
        assert!(code == Some(2) && err.contains(fault) && err.lines().count() == 1, "{err}");
    }
}

#[test]
fn what_makes_no_match_is_one_sentence() {
    for (arguments, fault) in [
        (&["--engine", "cmd=plumb,st=1"][..], "a match needs two engines at least"),
        (&["--engine", "cmd=plumb", "--engine", "cmd=plumb"], "`plumb` has no limit"),
        (
            &["--engine", "cmd=none-there,st=1", "--engine", "cmd=none-there,st=1"],
            "`none-there`: cannot be started: there is no program `none-there` on PATH",
        ),
        (&["--engine", "st=1", "--engine", "st=1"], "an engine needs cmd=COMMAND"),
        (&["--sprt", "1"], "expected two numbers ELO0,ELO1"),
    ] {
        let (code, _, err) = lab(&[&["match"], arguments].concat());
        assert_eq!(code, Some(2));
        assert!(err.contains(fault) && err.lines().count() == 1, "{err}");
    }
}

#[test]
fn engines_that_go_by_a_name_are_this_projects_own() {
    let _engine_exists = engine();
    let engines = ["--engine=depth-6", "--engine=skill-0", "--engine=skill-5,name=five", "--each=nodes=5000"];
    let more =
        ["--tournament=gauntlet", "--rounds=6", "--openings=random", "--plies=4", "--adjudicate=solved"];
    let said = play(&[&engines[..], &more].concat());
    let names: Vec<_> = said.lines().map(|line| line.split_whitespace().next().unwrap_or_default()).collect();
    assert!(names.contains(&"depth-6") && names.contains(&"skill-0") && names.contains(&"five"), "{said}");
    assert!(said.lines().next().is_some_and(|line| line.contains("rating")), "{said}");
    assert_eq!(said.lines().nth(1).map(|line| line.starts_with("depth-6")), Some(true), "{said}");
}

#[test]
fn words_of_cutechess_get_those_of_this_program() {
    let (code, _, err) = lab(&["match", "--engine", "skill-1", "--engine", "skill-2", "-games", "5"]);
    let hint = "`-games` is a word of cutechess: here it is `--rounds N`, the number of openings, each of which is played twice";
    assert_eq!((code, err), (Some(2), format!("plumb-lab: {hint}; see `--help`\n")));
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
    assert!(
        code == Some(2) && err.ends_with(&format!("plumb-lab: {refusal}; `--force` plays all the same\n")),
        "{err}"
    );
    let (code, _, err) = lab(&[&settings[..], &["--force"]].concat());
    assert!(code == Some(0) && err.contains(refusal), "{err}");
    // Elsewhere it is not known how much memory there is.
    if cfg!(any(target_os = "linux", windows)) {
        let (code, _, err) =
            lab(&["match", &engine("nonsense", 100_000), &other, "--each", "st=60", "--concurrency", "1000"]);
        let reason = "plumb-lab: 1000 games at a time: tables of 100000000 MB in all are needed, and ";
        assert!(code == Some(2) && err.starts_with(reason), "{err}");
    }
}

#[test]
fn engines_come_from_a_file_of_cutechess() {
    let directory = Directory::new("match-engines-file");
    let engine =
        json!({"name": "my engine", "command": format!("{} random 1", faulty_engine()), "protocol": "uci"});
    let file = directory.file("engines.json", &json!([engine]).to_string());
    let other = format!("--engine=name=other,cmd={}", faulty_engine());
    let with = |conf: &str| {
        let settings = ["--each", "st=60", "--rounds", "1", "--report-every", "0", "--engines-file", &file];
        lab(&[&["match", &format!("--engine=conf={conf}"), &other], &settings[..]].concat())
    };
    let (code, said, err) = with("my engine");
    assert!(code == Some(0) && said.contains("my engine: pairs"), "{err}");
    let (code, _, err) = with("another");
    assert_eq!(
        (code, err),
        (Some(2), format!("plumb-lab: --engine: conf=another: `{file}` has `my engine`\n"))
    );
}
