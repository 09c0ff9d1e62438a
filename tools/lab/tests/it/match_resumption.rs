//! `plumb-lab match`: interrupted, resumed and divided matches.

use std::fs;

#[cfg(unix)]
use crate::common::play::pair;
use crate::common::play::{block, games, play, record, searching};
use crate::common::{Directory, engine, faulty_engine, refused};
#[cfg(unix)]
use crate::common::{end_by, signal, start, wait_until};

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
    assert!(refused(&["match", "--rounds=3", "--out", &out]).contains("`--resume` continues it"));
    let resume = ["--resume", "--out", &out];
    assert_eq!(play(&resume), three);
    for (flag, fault) in [
        ("--seed=8", ": `seed`: recorded 7, given 8"),
        ("--rounds=6", "has 5 different openings for 6 rounds"),
    ] {
        let said = refused(&["match", "--resume", "--out", &out, flag]);
        assert!(said.contains(fault), "{said}");
    }
    directory.file("out/match.jsonl", &(record(&out) + "{\"game\":"));
    assert_eq!(play(&[&resume[..], &["--rounds=5"]].concat()), whole);
    assert!(play(&["report", &out]).contains("10 of 10 games"));
    let tested = play(&[&resume[..], &["--sprt=0,10"]].concat());
    assert!(tested.starts_with(&whole) && tested.contains("A: LLR "), "{tested}");
    assert_eq!(play(&[&settings[..], &resume].concat()), tested);
    directory.file("a file.txt", "11\n1\n2\n3\n44\n");
    let said = refused(&[&["match"], &resume[..]].concat());
    assert!(said.contains("game 1 was played from `4`, and `openings` has another line there now"), "{said}");
    let none = directory.path("none");
    assert!(refused(&["match", "--resume", "--out", &none]).contains("there is no match to resume"));
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
    let both = directory.path("both");
    for parts in [&parts[..2], &parts[..2], &parts[..], &parts[..]] {
        play(&[&["merge"], parts, &["--out", &both]].concat());
    }
    assert_eq!(play(&[&settings[..], &["--out", &whole, "--resume"]].concat()), expected);
    let merged = directory.path("merged");
    let said = play(&[&["merge"], &parts[..], &["--out", &merged]].concat());
    assert_eq!(said, format!("{expected}16 of 16 games\n"));
    assert_eq!(play(&["report", &merged]), said);
    assert_eq!(record(&both), record(&merged));
    let undivided = directory.path("undivided");
    play(&[&settings[..], &["--out", &undivided]].concat());
    let in_order = |(line, game): (&str, u32)| line.starts_with(&format!("{{\"game\":{game},"));
    assert!(record(&merged).lines().skip(1).zip(0..16).all(in_order));
    assert_eq!(games(&merged), games(&undivided));
    let summary = |name: &str| {
        let mut summary = directory.json(&format!("{name}/summary.json"));
        summary["started"].take();
        for row in summary["standings"].as_array_mut().expect("rows") {
            for time in ["mean_ms", "longest_ms", "latency_ms"] {
                row[time].take();
            }
        }
        summary
    };
    assert_eq!(summary("merged"), summary("undivided"));
    assert_eq!(summary("1-3")["games"], serde_json::json!({"played": 4, "planned": 4}));

    let [other, no] = ["other", "no"].map(|name| directory.path(name));
    play(&[&settings[..6], &["--rounds", "2", "--seed", "9", "--out", &other]].concat());
    for (arguments, fault) in [
        (&["merge", parts[0], parts[0], "--out", &no][..], "game 1 is in "),
        (&["merge", parts[0], "--out", &merged], "is there already"),
        (&["report", &no], "there is no match; give the directory that "),
        (&["merge", parts[0], &other, "--out", &no], "are not shards of one match"),
    ] {
        let said = refused(&[&["match"], arguments].concat());
        assert!(said.contains(fault), "{said}");
    }
}

#[test]
fn what_a_newer_version_recorded_is_kept_or_refused() {
    let directory = Directory::new("match-newer");
    let [out, merged] = ["out", "merged"].map(|name| directory.path(name));
    play(&[&searching("A", 9), &searching("B", 5), "--rounds=2", "--out", &out]);
    let newer = record(&out).replace("\"pair\":", "\"weather\" : {\"a\":1.50}, \"pair\":");
    let newer = newer.replace("{\"column\":", "{\"heat\":1e3,\"column\":");
    let path = directory.file("out/match.jsonl", &newer);
    play(&["--resume", "--out", &out, "--rounds=3"]);
    let (_, games) = newer.split_once('\n').expect("a header");
    let text = record(&out);
    let (_, resumed) = text.split_once('\n').expect("a header");
    assert!(resumed.starts_with(games) && resumed.lines().count() == 6, "{resumed}");
    for _ in 0..2 {
        play(&["merge", &out, "--out", &merged]);
        assert!(record(&merged).ends_with(resumed));
    }
    let later = record(&out).replacen("\"rounds\":", "\"move-limit\":7,\"rounds\":", 1);
    std::fs::write(&path, &later).expect("it can be written");
    for arguments in [
        &["--resume", "--rounds=4", "--out", &out][..],
        &["report", &out],
        &["merge", &out, "--out", &merged],
    ] {
        let said = refused(&[&["match"], arguments].concat());
        assert!(
            said.contains("match.jsonl`: line 1: unknown field `move-limit` in the header: use "),
            "{said}"
        );
    }
    assert_eq!(record(&out), later);
}

#[test]
fn the_page_has_the_last_games() {
    let directory = Directory::new("match-last-games");
    let [out, merged] = ["out", "merged"].map(|name| directory.path(name));
    let page_of = |out: &str| {
        let page = fs::read_to_string(format!("{out}/report.html")).expect("the report is there");
        let games: Vec<_> = block(&page, "match-record").lines().skip(1).map(str::to_owned).collect();
        let games_of_record: Vec<_> = record(out).lines().skip(1).map(str::to_owned).collect();
        assert!(games_of_record.ends_with(&games));
        (games.len(), block(&page, "match-summary").contains("This page has the last 2 of 4 games."))
    };
    let all = ["--rounds=2", "--out", &out];
    play(&[&[&*searching("A", 9), &searching("B", 5), "--report-games=2"][..], &all].concat());
    assert_eq!(page_of(&out), (2, true));
    play(&["report", &out]);
    assert_eq!(page_of(&out), (4, false));
    play(&["report", "--report-games=2", &out]);
    assert_eq!(page_of(&out), (2, true));
    play(&["merge", "--report-games=2", &out, "--out", &merged]);
    assert_eq!(page_of(&merged), (2, true));
    assert_eq!(directory.read("merged/games.pgn").matches("[Result ").count(), 4);
}

#[cfg(unix)]
#[test]
fn a_match_that_is_interrupted_ends_in_good_order() {
    let directory = Directory::new("match-interrupted");
    let [one, other] = pair("random 1");
    let settings = ["match", &one, &other, "--rounds=4000", "--concurrency=2"];
    for (signal, expected) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let out = directory.path(signal);
        let mut child = start(&[&settings[..], &["--out", &out]].concat());
        let record = format!("{out}/match.jsonl");
        wait_until(&mut child, || fs::read_to_string(&record).unwrap_or_default().lines().count() >= 4);
        play(&["report", &out]);
        assert_eq!(directory.json(&format!("{signal}/summary.json"))["state"], "running");
        let (code, said, err) = end_by(signal, child);
        assert_eq!(code, Some(expected), "{err}");
        assert!(err.contains("of 8000 games: `plumb-lab match --resume --out "), "{err}");
        assert!(said.contains("\nengine ") && said.contains("\nA: pairs LL "), "{said}");
        let games = fs::read_to_string(&record).expect("the games are there");
        let count = games.lines().count() - 1;
        assert!(err.contains(&format!("after {count} of")), "{err}");
        // The engines do not get the signal, so no game is lost.
        assert!(!games.contains("crash"), "{games}");
        assert_eq!(directory.read(&format!("{signal}/games.pgn")).matches("[Result ").count(), count);
        assert!(fs::metadata(format!("{out}/report.html")).is_ok());
        assert!(!fs::exists(format!("{record}.lock")).expect("readable"));
        let summary = directory.json(&format!("{signal}/summary.json"));
        assert_eq!((&summary["state"], &summary["games"]["played"]), (&"interrupted".into(), &count.into()));
    }
    let mut child = start(&[&settings[..], &["--out", &directory.path("twice")]].concat());
    let record = directory.path("twice/match.jsonl");
    wait_until(&mut child, || fs::read_to_string(&record).unwrap_or_default().lines().count() >= 4);
    signal("INT", child.id());
    assert_eq!(end_by("INT", child).0, Some(130));
}
