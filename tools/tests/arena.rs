//! `plumb-lab match` with real engines, well-behaved and other.

mod common;

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use common::{Directory, engine, lab, misfit};

/// Plays a match, without a line for each game; returns what it printed.
fn play(arguments: &[&str]) -> String {
    let is_match = arguments.first().is_some_and(|first| first.starts_with("--"));
    let quiet: &[&str] = if is_match { &["--report-every", "0"] } else { &[] };
    let (code, out, err) = lab(&[&["match"], arguments, quiet].concat());
    assert_eq!(code, Some(0), "{err}");
    out
}

#[test]
fn every_fault_loses_the_game_and_the_match_goes_on() {
    let misfit = misfit();
    for (fault, reason) in [
        ("illegal", "illegal move"),
        ("nonsense", "is no move"),
        ("twice", "without being asked"),
        ("late", "the move took"),
        ("deaf", "the move took"),
        ("hang", "no answer"),
        ("flood", "no answer"),
        ("crash", "standard error: misfit: about to crash / at ply 1"),
    ] {
        let directory = Directory::new(&format!("match-{fault}"));
        let before = Instant::now();
        let bad = format!("name=bad,cmd={misfit} {fault} 10,st=0.3");
        let good = format!("name=good,cmd={misfit} random 1,st=0.3,timemargin=2000");
        let out = directory.path("out");
        let said = play(&["--engine", &good, "--engine", &bad, "--rounds", "2", "--out", &out]);
        assert!(said.contains(reason), "{fault}: {said}");
        assert!(before.elapsed() < Duration::from_secs(120), "{fault} does not hang the match");
        let games = fs::read_to_string(format!("{out}/match.jsonl")).expect("the games are there");
        assert_eq!(games.lines().count(), 1 + 4, "{fault}: a header and four games");
    }
}

#[test]
fn an_engine_that_never_plays_is_known_before_the_first_game() {
    let misfit = misfit();
    for (fault, reason) in [
        ("mute", "no `uciok` within 2 s after `uci`; does it speak UGI? `proto=ugi`"),
        ("absent", "has ended"),
    ] {
        let [bad, good] =
            [fault, "random 1"].map(|manner| format!("name={manner},cmd={misfit} {manner},st=0.3"));
        let before = Instant::now();
        let settings = ["--engine", &good, "--engine", &bad, "--rounds", "2", "--start-timeout", "2"];
        let (code, _, err) = lab(&[&["match"], &settings[..]].concat());
        assert_eq!(code, Some(2), "{fault}: {err}");
        assert!(err.contains(reason), "{fault}: {err}");
        assert!(before.elapsed() < Duration::from_secs(120), "{fault} does not hang the match");
    }
}

#[test]
fn a_killed_match_goes_on_to_the_same_counts() {
    let engine = engine();
    let engine = engine.to_str().expect("a path in UTF-8");
    let directory = Directory::new("match-killed");
    let each = "option.Hash=1,option.OwnBook=false";
    let (one, other) = (format!("name=A,cmd={engine},nodes=3000"), format!("name=B,cmd={engine},nodes=300"));
    let settings = ["--engine", &one, "--engine", &other, "--each", each, "--rounds", "15", "--seed", "5"];
    let (whole, broken) = (directory.path("whole"), directory.path("broken"));
    let expected = play(&[&settings[..], &["--out", &whole]].concat());

    let mut child = Command::new(env!("CARGO_BIN_EXE_plumb-lab"))
        .arg("match")
        .args(settings)
        .args(["--out", &broken])
        .spawn()
        .expect("plumb-lab runs");
    let record = format!("{broken}/match.jsonl");
    while fs::read_to_string(&record).unwrap_or_default().lines().count() < 6 {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().and_then(|()| child.wait()).expect("it can be killed");
    assert!(fs::read_to_string(&record).expect("it is there").lines().count() < 31, "it was not over yet");
    // A line that was broken off is not there.
    let mut text = fs::read_to_string(&record).expect("it is there");
    text.push_str("{\"game\":");
    fs::write(&record, text).expect("it can be written");

    let (code, _, err) = lab(&[&["match"], &settings[..], &["--out", &broken]].concat());
    assert!(code == Some(2) && err.contains("`--resume` goes on with it"), "{err}");
    let found = play(&[&settings[..], &["--out", &broken, "--resume"]].concat());
    assert_eq!(found, expected);
    let other_seed = [&["match"], &settings[..8], &["--seed", "6", "--out", &broken, "--resume"]].concat();
    let (code, _, err) = lab(&other_seed);
    assert!(code == Some(2) && err.contains(": seed: 5 in the record, 6 here"), "{err}");
}

#[test]
fn a_record_is_enough_to_resume_its_match() {
    let misfit = misfit();
    let directory = Directory::new("match-resumed");
    let out = directory.path("out");
    let openings = directory.file("a file.txt", "4\n1\n2\n3\n44\n");
    let settings = [
        &format!("--engine=name=A,cmd={misfit} seeded,st=5"),
        &format!("--engine=name=B,cmd={misfit} seeded,nodes=5,timemargin=100"),
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
    refused(&["--rounds=2"], ": rounds: 3 in the record, 2 here");
    refused(
        &["--seed=8", "--blunders"],
        ": blunders: none in the record, given here; seed: 7 in the record, 8 here",
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
    refused(&["--sprt=0,5"], ": sprt: 0,10,0.05,0.05 in the record, 0,5,0.05,0.05 here");
    let again = play(&[&settings[..], &resume].concat());
    assert_eq!(again, tested);
    let none = directory.path("none");
    let (code, _, err) = lab(&["match", "--resume", "--out", &none]);
    assert!(code == Some(2) && err.contains("there is no match to resume"), "{err}");
}

#[test]
fn openings_are_repeated_only_if_asked_for_and_then_count_once() {
    let misfit = misfit();
    let directory = Directory::new("match-repeated");
    // The third leads to the position of the first, the fourth to its mirror image.
    let openings = format!("--openings={}", directory.file("two.txt", "4453\n44\n5344\n4435\n"));
    let [one, other] = ["A", "B"].map(|name| format!("--engine=name={name},cmd={misfit},st=5"));
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
    let misfit = misfit();
    let directory = Directory::new("match-seeds");
    let [one, other] = ["A", "B"].map(|name| format!("--engine=name={name},cmd={misfit} seeded,nodes=9"));
    let moves = |seed: &str, more: &[&str]| {
        let out = directory
            .path(&format!("out{}", std::fs::read_dir(directory.path("")).map_or(0, Iterator::count)));
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
    engine();
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
fn shards_are_merged_into_the_whole() {
    let engine = engine();
    let engine = engine.to_str().expect("a path in UTF-8");
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
    assert!(said.ends_with("10 of 16 games\n"), "{said}");
    // The games that are missing can also be played where the others have been put together.
    assert_eq!(play(&[&settings[..], &["--out", &whole, "--resume"]].concat()), expected);
    let merged = directory.path("merged");
    let said = play(&[&["merge"], &parts[..], &["--out", &merged]].concat());
    assert_eq!(said, format!("{expected}16 of 16 games\n"));
    assert_eq!(play(&["report", &merged]), said);

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

#[test]
fn solved_games_are_adjudicated_to_the_same_results() {
    engine();
    let directory = Directory::new("match-solved");
    let out = directory.path("out");
    let settings =
        ["--engine", "plumb", "--engine", "plumb", "--each", "nodes=400000", "--openings", "decided"];
    let settings = [&settings[..], &["--rounds", "3"]].concat();
    let played = play(&settings);
    let adjudicated = play(&[&settings[..], &["--adjudicate", "solved", "--out", &out]].concat());
    assert_eq!(adjudicated, played);
    let games = fs::read_to_string(format!("{out}/match.jsonl")).expect("the games are there");
    assert_eq!(games.matches("\"reason\":\"adjudicated\"").count(), 6);
}

#[test]
fn engines_that_go_by_a_name_are_this_projects_own() {
    engine();
    let said = play(&[
        "--engine",
        "depth-6",
        "--engine",
        "skill-0",
        "--engine",
        "skill-5,name=five",
        "--each",
        "nodes=5000",
        "--tournament",
        "gauntlet",
        "--rounds",
        "6",
        "--openings",
        "random",
        "--plies",
        "4",
        "--adjudicate",
        "solved",
    ]);
    let names: Vec<_> = said.lines().map(|line| line.split_whitespace().next().unwrap_or_default()).collect();
    assert!(names.contains(&"depth-6") && names.contains(&"skill-0") && names.contains(&"five"), "{said}");
    assert!(said.lines().next().is_some_and(|line| line.contains("rating")), "{said}");
    assert_eq!(said.lines().nth(1).map(|line| line.starts_with("depth-6")), Some(true), "{said}");
}

#[test]
fn engines_may_think_on_their_opponents_time() {
    engine();
    let directory = Directory::new("match-ponder");
    let out = directory.path("out");
    play(&[
        "--engine",
        "plumb,name=A",
        "--engine",
        "plumb,name=B,proto=ugi",
        "--each",
        "tc=20/3+0.02,timemargin=2000,ponder=true,option.OwnBook=false",
        "--rounds",
        "2",
        "--out",
        &out,
    ]);
    let games = fs::read_to_string(format!("{out}/match.jsonl")).expect("the games are there");
    for game in games.lines().skip(1) {
        assert!(game.contains("four_in_a_row") || game.contains("full_board"), "{game}");
        assert!(game.contains("clock_ms"), "{game}");
    }
}

/// A shell is an engine, too. This one closes its output instead of moving, and stays.
#[cfg(unix)]
#[test]
fn an_engine_that_closes_its_output_loses() {
    let directory = Directory::new("match-closed");
    let script = "while read line; do case $line in uci) echo uciok;; isready) echo readyok;; \
                  go*) exec 1>&-; sleep 600;; esac; done\n";
    let script = directory.file("engine.sh", script);
    let bad = format!("name=bad,cmd=sh {script},st=0.3");
    let good = format!("name=good,cmd={} random 1,st=0.3,timemargin=2000", misfit());
    let said = play(&["--engine", &good, "--engine", &bad, "--rounds", "1"]);
    assert_eq!(said.matches("crash: has closed its pipes").count(), 2, "{said}");
}

#[test]
fn into_a_file_each_game_has_a_line() {
    let misfit = misfit();
    let engines = ["one", "two"].map(|name| format!("name={name},cmd={misfit} random 1,st=5"));
    let settings = ["match", "--engine", &engines[0], "--engine", &engines[1], "--rounds", "21"];
    let (code, out, err) = lab(&settings);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert_eq!(out.lines().filter(|line| line.starts_with("game ")).count(), 42, "{out}");
    assert!(out.contains("; 42 of 42 games, one +"), "{out}");
    // The standings after 20 and 40 games, and at the end.
    assert_eq!(out.lines().filter(|line| line.starts_with("engine ")).count(), 3, "{out}");
    assert!(out.lines().filter(|line| !line.starts_with("game ")).all(|line| line.chars().count() <= 80));
    let (_, out, _) = lab(&[&settings[..], &["--report-every", "20"]].concat());
    let counts: Vec<_> = out.lines().filter(|line| line.contains(" of 42 games")).collect();
    assert!(counts.len() == 2 && counts[0].starts_with("20 of 42 games, one +"), "{out}");
    assert_eq!(out.lines().filter(|line| line.starts_with("engine ")).count(), 1, "{out}");
}

#[test]
fn the_log_has_every_line_of_each_engine() {
    let misfit = misfit();
    let directory = Directory::new("match-log");
    let log = directory.path("log");
    let bad = format!("name=bad,cmd={misfit} crash 10,st=5");
    let good = format!("name=good,cmd={misfit} random 1,st=5");
    play(&["--engine", &good, "--engine", &bad, "--rounds", "2", "--concurrency", "2", "--log", &log]);
    let text = directory.read("log");
    let lines: Vec<_> = text.lines().map(|line| line.split_once(' ').expect("a time")).collect();
    assert!(lines.iter().all(|(time, _)| time.len() == 27 && time.ends_with('Z')), "{text}");
    for (start, end) in [
        (">good(1): ", "uci"),
        ("<good(1): ", "uciok"),
        ("game 1: good(", ")"),
        ("game 1: ", ", crash"),
        ("!bad(", "misfit: about to crash"),
        (">good(1): ", "quit"),
    ] {
        let is_there = lines.iter().any(|(_, line)| line.starts_with(start) && line.ends_with(end));
        assert!(is_there, "{start}{end}: {text}");
    }
    // Every `go` of the engine that answers has its move.
    let count = |part: &str| text.matches(part).count();
    assert!(count(">good") > 0 && count(": go movetime") > count(": bestmove"));
    assert_eq!(count(": go movetime") - count(": bestmove"), 4, "four crashes");
    let absent = format!("name=gone,cmd={misfit} absent,st=5");
    let log = directory.path("second");
    let (code, _, err) = lab(&["match", "--engine", &good, "--engine", &absent, "--log", &log]);
    assert_eq!(code, Some(2), "{err}");
    assert!(directory.read("second").contains(">gone(2): uci\n"), "what came before the error is there");
    let (code, _, err) =
        lab(&["match", "--engine", &good, "--engine", &bad, "--log", &directory.path("no/log")]);
    assert!(code == Some(2) && err.starts_with("plumb-lab: --log: cannot open "), "{err}");
}

/// A match that has been going on for some games, sent the signal of Ctrl-C so many times; its exit code and what it
/// printed.
#[cfg(unix)]
fn interrupted(arguments: &[&str], out: &str, times: u32) -> (Option<i32>, String, String) {
    use std::process::Stdio;
    let mut child = Command::new(env!("CARGO_BIN_EXE_plumb-lab"))
        .arg("match")
        .args(arguments)
        .args(["--out", out])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("plumb-lab runs");
    let record = format!("{out}/match.jsonl");
    while fs::read_to_string(&record).unwrap_or_default().lines().count() < 4 {
        assert!(child.try_wait().is_ok_and(|ended| ended.is_none()), "it has ended too early");
        std::thread::sleep(Duration::from_millis(2));
    }
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
    let misfit = misfit();
    let directory = Directory::new("match-interrupted");
    let engines = ["one", "two"].map(|name| format!("name={name},cmd={misfit} random 1,st=20"));
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
    let (code, _, err) = interrupted(&settings, &directory.path("twice"), 2);
    assert_eq!(code, Some(130), "{err}");
}

#[test]
fn suites_are_printed_for_other_arenas() {
    let said = play(&["openings", "balanced"]);
    assert!(
        said.lines().all(|line| line.len() == 8 && line.bytes().all(|digit| (b'1'..=b'7').contains(&digit)))
    );
    assert!(said.lines().count() >= 500);
}

#[test]
fn games_reports_and_blunders_are_written() {
    let engine = engine();
    let engine = engine.to_str().expect("a path in UTF-8");
    let directory = Directory::new("match-report");
    let out = directory.path("out");
    let strong = format!("name=strong,cmd={engine},nodes=200000,option.OwnBook=false");
    let weak = format!("name=<b>weak</b>,cmd={engine},depth=2,proto=ugi");
    let said = play(&[
        "--engine",
        &strong,
        "--engine",
        &weak,
        "--rounds",
        "4",
        "--openings",
        "random",
        "--plies",
        "16",
        "--blunders",
        "--concurrency",
        "2",
        "--sprt",
        "0,400",
        "--out",
        &out,
    ]);
    assert!(said.contains("LLR"), "{said}");
    let text = fs::read_to_string(format!("{out}/match.jsonl")).expect("the games are there");
    let games: Vec<serde_json::Value> =
        text.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for game in &games {
        let is_strong = |index: usize| {
            let opening = game["opening"]["moves"].as_str().expect("digits").len();
            (game["first"] == "strong") == ((opening + index).is_multiple_of(2))
        };
        for (index, made) in game["moves"].as_array().expect("moves").iter().enumerate() {
            let loss = made["loss"].as_i64().expect("each move was looked at");
            assert!(loss >= 0 && (loss == 0 || !is_strong(index)), "{game}");
        }
    }
    let pgn = fs::read_to_string(format!("{out}/games.pgn")).expect("the PGN is there");
    assert_eq!(pgn.matches("[Variant \"cfour\"]").count(), games.len());
    let report = fs::read_to_string(format!("{out}/report.html")).expect("the report is there");
    assert!(report.contains("&lt;b&gt;weak") && !report.contains("<b>weak"), "names are text");
}

#[test]
fn options_are_held_against_the_declared_ones_before_the_first_game() {
    let plumb = engine();
    let plumb = plumb.to_str().expect("a path in UTF-8");
    let directory = Directory::new("match-options");
    let misfit = format!("name=none,cmd={}", misfit());
    for (engine, fault) in [
        (
            format!("name=A,cmd={plumb},option.Hsah=3"),
            "`A`: option.Hsah: no such option; did you mean `Hash`?",
        ),
        (
            format!("name=A,cmd={plumb},option.Hash=0"),
            "`A`: option.Hash: `0` is out of range, which is 1 to ",
        ),
        (
            format!("name=A,cmd={plumb},proto=ugi,option.OwnBook=maybe"),
            "`A`: option.OwnBook: `maybe` is neither true nor false",
        ),
        (
            "skill-3,option.Notation=san".to_owned(),
            "`skill-3`: option.Notation: `san` is none of its values: auto, drop, letter, digit",
        ),
        (
            format!("{misfit},option.Hash=1"),
            "`none 2`: option.Hash: no such option; the engine declares none",
        ),
    ] {
        let out = directory.path("out");
        let settings = ["--engine", &misfit, "--engine", &engine, "--each", "st=0.3", "--rounds", "1"];
        let (code, said, err) = lab(&[&["match"], &settings[..], &["--out", &out]].concat());
        assert_eq!((code, said.as_str()), (Some(2), ""), "{engine}: {err}");
        assert!(err.contains(fault) && err.lines().count() == 1, "{engine}: {err}");
    }
}

#[test]
fn commands_and_directories_with_blanks_work() {
    let directory = Directory::new("match with blanks");
    let misfit = misfit();
    let copy = directory.path(&format!("mis fit{}", std::env::consts::EXE_SUFFIX));
    fs::copy(&misfit, &copy).expect("it can be copied");
    let quoted = format!("name=A,cmd=\"{copy}\" random 1");
    let beside = format!("name=B,cmd='./mis fit' random 2,dir={}", directory.path(""));
    let said = play(&["--engine", &quoted, "--engine", &beside, "--each", "st=5", "--rounds", "1"]);
    assert!(said.contains("A: pairs"), "{said}");

    for (engine, fault) in [
        (format!("cmd={copy} random 1"), "a path with blanks needs quotes"),
        (format!("cmd={misfit},dir={copy}"), "cannot be started: dir: there is no directory `"),
    ] {
        let (code, _, err) = lab(&["match", "--engine", &quoted, "--engine", &engine, "--each", "st=5"]);
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
