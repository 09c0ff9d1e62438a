//! `plumb-lab match`: matches that were interrupted, resumed, or played in shards.

mod common;

use std::fs;
#[cfg(unix)]
use std::process::Command;

use common::play::{games, play, record};
use common::{Directory, engine, faulty_engine, kill, lab, start, wait_until};

#[test]
fn a_killed_match_goes_on_to_the_same_counts() {
    let engine = engine();
    let directory = Directory::new("match-killed");
    let each = "option.Hash=1,option.OwnBook=false";
    let (one, other) = (format!("name=A,cmd={engine},nodes=3000"), format!("name=B,cmd={engine},nodes=300"));
    let settings = ["--engine", &one, "--engine", &other, "--each", each, "--rounds", "15", "--seed", "5"];
    let (whole, broken) = (directory.path("whole"), directory.path("broken"));
    let expected = play(&[&settings[..], &["--out", &whole]].concat());

    let record = format!("{broken}/match.jsonl");
    let mut child = start(&[&["match"], &settings[..], &["--out", &broken]].concat());
    wait_until(&mut child, || fs::read_to_string(&record).unwrap_or_default().lines().count() >= 6);
    kill(child);
    assert!(fs::read_to_string(&record).expect("it is there").lines().count() < 31, "it was not over yet");
    // A line that was broken off is not there.
    let mut text = fs::read_to_string(&record).expect("it is there");
    text.push_str("{\"game\":");
    fs::write(&record, text).expect("it can be written");

    let (code, _, err) = lab(&["match", "--rounds", "15", "--out", &broken]);
    assert!(code == Some(2) && err.contains("`--resume` goes on with it"), "{err}");
    // The same command plays the rest, and then there is none.
    for more in [&[][..], &["--resume"]] {
        assert_eq!(play(&[&settings[..], &["--out", &broken], more].concat()), expected);
    }
    let other_seed = [&["match"], &settings[..8], &["--seed", "6", "--out", &broken]].concat();
    let (code, _, err) = lab(&other_seed);
    assert!(code == Some(2) && err.contains(": `seed`: recorded 5, given 6"), "{err}");
}

#[test]
fn a_record_is_enough_to_resume_its_match() {
    let faulty_engine = faulty_engine();
    let directory = Directory::new("match-resumed");
    let out = directory.path("out");
    let openings = directory.file("a file.txt", "4\n1\n2\n3\n44\n");
    let settings = [
        &format!("--engine=name=A,cmd={faulty_engine} seeded,st=5"),
        &format!("--engine=name=B,cmd={faulty_engine} seeded,nodes=5,timemargin=100"),
        &format!("--openings={openings}"),
        "--seed=7",
        "--plies=3",
    ];
    let whole = play(&[&settings[..], &["--rounds=5", "--out", &directory.path("whole")]].concat());
    let three = play(&[&settings[..], &["--rounds=3", "--out", &out]].concat());
    let resume = ["--resume", "--out", &out];
    assert_eq!(play(&resume), three);
    let refused = |arguments: &[&str], fault: &str| {
        let (code, said, err) = lab(&[&["match"], &resume[..], arguments].concat());
        assert_eq!((code, said.as_str()), (Some(2), ""), "{err}");
        assert!(err.contains(fault) && err.lines().count() == 1, "{err}");
    };
    refused(&["--rounds=2"], ": `rounds`: recorded 3, given 2");
    refused(
        &["--seed=8", "--blunders"],
        ": `blunders`: recorded false, given true; `seed`: recorded 7, given 8",
    );
    refused(&["--rounds=6"], "has 5 different openings for 6 rounds");
    // A line that was broken off is not there.
    let mut text = fs::read_to_string(format!("{out}/match.jsonl")).expect("it is there");
    text.push_str("{\"game\":");
    fs::write(format!("{out}/match.jsonl"), text).expect("it can be written");
    assert_eq!(play(&[&resume[..], &["--rounds=5"]].concat()), whole);
    assert!(play(&["report", &out]).contains("10 of 10 games"));
    let tested = play(&[&resume[..], &["--sprt=0,10"]].concat());
    assert!(tested.starts_with(&whole) && tested.contains("A: LLR "), "{tested}");
    refused(&["--sprt=0,5"], ": `sprt.elo1`: recorded 10.0, given 5.0");
    let again = play(&[&settings[..], &resume].concat());
    assert_eq!(again, tested);
    let none = directory.path("none");
    let (code, _, err) = lab(&["match", "--resume", "--out", &none]);
    assert!(code == Some(2) && err.contains("there is no match to resume"), "{err}");
}

#[test]
fn shards_are_merged_into_the_whole() {
    let engine = engine();
    let directory = Directory::new("match-shards");
    let each = format!("cmd={engine},option.Hash=1,option.OwnBook=false");
    let settings =
        ["--engine", "name=A,nodes=3000", "--engine", "name=B,nodes=300", "--each", &each, "--rounds", "8"];
    let expected = play(&settings);
    let parts = ["1/3", "2/3", "3/3"].map(|shard| {
        let out = directory.path(&shard.replace('/', "-"));
        play(&[&settings[..], &["--shard", shard, "--out", &out]].concat());
        out
    });
    let parts = parts.each_ref().map(String::as_str);
    let whole = directory.path("whole");
    let said = play(&[&["merge"], &parts[..2], &["--out", &whole]].concat());
    assert!(said.ends_with("shard 3/3 is missing\n10 of 16 games\n"), "{said}");
    // A merge may be repeated, and completed.
    let both = directory.path("both");
    for parts in [&parts[..2], &parts[..2], &parts[..], &parts[..]] {
        play(&[&["merge"], parts, &["--out", &both]].concat());
    }
    // The games that are missing can also be played where the others have been put together.
    assert_eq!(play(&[&settings[..], &["--out", &whole, "--resume"]].concat()), expected);
    let merged = directory.path("merged");
    let said = play(&[&["merge"], &parts[..], &["--out", &merged]].concat());
    assert_eq!(said, format!("{expected}16 of 16 games\n"));
    assert_eq!(play(&["report", &merged]), said);
    assert_eq!(record(&both), record(&merged));
    // The games are those of an undivided run, in the order of their numbers; only times differ.
    let undivided = directory.path("undivided");
    play(&[&settings[..], &["--out", &undivided]].concat());
    let numbers = |out: &str| -> Vec<_> {
        let lines = record(out);
        let game = |line| serde_json::from_str::<serde_json::Value>(line).expect("JSON");
        lines.lines().skip(1).map(|line| game(line)["game"].as_u64().expect("a number")).collect()
    };
    assert!(numbers(&merged).into_iter().eq(0..16));
    assert_eq!(games(&merged), games(&undivided));

    let refused = |arguments: &[&str], fault: &str| {
        let (code, _, err) = lab(&[&["match"], arguments].concat());
        assert!(code == Some(2) && err.contains(fault) && err.lines().count() == 1, "{err}");
    };
    let other = directory.path("other");
    refused(&["merge", parts[0], parts[0], "--out", &other], "game 1 is in ");
    refused(&["merge", parts[0], "--out", &merged], "is there already");
    refused(&["report", &other], "cannot read ");
    play(&[&settings[..6], &["--rounds", "2", "--seed", "9", "--out", &other]].concat());
    refused(&["merge", parts[0], &other, "--out", &directory.path("no")], "are no shards of one match");
}

/// A match that has been going on for some games, sent the signal of Ctrl-C so many times; its exit code and what it
/// printed.
#[cfg(unix)]
fn interrupted(arguments: &[&str], out: &str, times: u32) -> (Option<i32>, String, String) {
    let mut child = start(&[&["match"], arguments, &["--out", out]].concat());
    let record = format!("{out}/match.jsonl");
    wait_until(&mut child, || fs::read_to_string(&record).unwrap_or_default().lines().count() >= 4);
    for _ in 0..times {
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(times > 1 || sent.is_ok_and(|status| status.success()));
    }
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[cfg(unix)]
#[test]
fn a_match_that_is_interrupted_ends_in_good_order() {
    let faulty_engine = faulty_engine();
    let directory = Directory::new("match-interrupted");
    let engines = ["one", "two"].map(|name| format!("name={name},cmd={faulty_engine} random 1,st=20"));
    let settings =
        ["--engine", &engines[0], "--engine", &engines[1], "--rounds", "4000", "--concurrency", "2"];
    let out = directory.path("out");
    let (code, said, err) = interrupted(&settings, &out, 1);
    assert_eq!(code, Some(130), "{err}");
    assert!(err.contains("of 8000 games: `plumb-lab match --resume --out "), "{err}");
    assert!(said.contains("\nengine ") && said.contains("\none: pairs LL "), "{said}");
    let games = fs::read_to_string(format!("{out}/match.jsonl")).expect("the games are there");
    let count = games.lines().count() - 1;
    assert!(err.contains(&format!("after {count} of")), "{err}");
    // The signal is for the match and not for its engines: no game was lost by it.
    assert!(!games.contains("crash"), "{games}");
    let pgn = fs::read_to_string(format!("{out}/games.pgn")).expect("the PGN is there");
    assert_eq!(pgn.matches("[Result ").count(), count);
    assert!(fs::metadata(format!("{out}/report.html")).is_ok());
    let summary: serde_json::Value = serde_json::from_str(&directory.read("out/summary.json")).expect("JSON");
    assert_eq!((&summary["state"], &summary["games"]["played"]), (&"interrupted".into(), &count.into()));
    let (code, _, err) = interrupted(&settings, &directory.path("twice"), 2);
    assert_eq!(code, Some(130), "{err}");
}
