//! `plumb-lab tune-hash` with short moves and few games.

use crate::common::{Directory, columns, done, engine, faulty_engine, lab, refused};
#[cfg(unix)]
use crate::common::{end_by, start, wait_until};

fn tune(arguments: &[&str]) -> String {
    done(&[&["tune-hash"], arguments].concat())
}

#[test]
fn sizes_can_be_tuned_by_play_on_any_board() {
    let directory = Directory::new("tune-hash-play");
    let out = directory.path("out");
    let tune_sizes = |sizes: &str, games: &str| {
        let control = ["--match", "--board=5x4", "--reference=4", "--time-control=nodes=2000", "--out", &out];
        tune(&[&control[..], &[sizes, games]].concat())
    };
    let said = tune_sizes("--sizes=1,2", "--games=4");
    assert!(said.contains("1 MB against 4 MB") && said.contains("2 MB against 4 MB"), "{said}");
    let last = said.lines().nth_back(1).unwrap_or_default();
    assert!(last.starts_with("cannot tell about 1 MB (Elo ") && last.contains("more games would"), "{said}");
    assert!(said.ends_with("\nrecommended Hash=none\n"), "{said}");
    let record = directory.read("out/match-1/match.jsonl");
    assert_eq!(record.lines().count(), 1 + 4);
    assert!(record.contains("\"board\":\"5x4\""), "{record}");
    // Both sides play without an opening book, which would need no table.
    assert_eq!(record.matches("\"option.OwnBook\":\"false\"").count(), 2, "{record}");
    let csv = directory.read("out/tune-hash.csv");
    let rows: Vec<_> = csv.lines().skip(1).collect();
    assert!(rows.len() == 2 && rows.iter().all(|row| row.ends_with(",cannot tell")), "{csv}");
    let page = directory.read("out/tune-hash.html");
    assert!(page.contains("cannot tell about 1 MB") && page.contains("<svg "), "{page}");
    assert!(directory.read("out/elo.svg").contains("against 4 MB"));
    assert_eq!(tune_sizes("--sizes=1,2", "--games=4"), said);
    tune_sizes("--sizes=1,2,3", "--games=6");
    for size in [1, 2, 3] {
        assert_eq!(directory.read(&format!("out/match-{size}/match.jsonl")).lines().count(), 1 + 6);
    }
    refused(&["tune-hash", "--match", "--sizes", "1", "--time-control", "st=x", "--out", &out]);
}

#[test]
fn a_match_ends_when_its_size_is_told() {
    let directory = Directory::new("tune-hash-told");
    let (out, engine) = (directory.path("out"), format!("{} small-table", faulty_engine()));
    // Both sides play alike, so each pair of games has one point for each side.
    let run = ["tune-hash", "--match", "--engine", &engine, "--sizes=1", "--reference=2", "--games=1000"];
    let (code, said, err) = lab(&[&run[..], &["--elo=50", "--time-control=nodes=1", "--out", &out]].concat());
    assert_eq!(code, Some(0), "{err}");
    let last = said.lines().nth_back(2).unwrap_or_default();
    assert_eq!(last, "1 MB: not weaker than 2 MB by more than 50 Elo with 95 %", "{said}");
    assert!(said.ends_with("or take other openings (`--openings`)\nrecommended Hash=1\n"), "{said}");
    assert!(err.contains("1 MB: 100 % of the pairs are even, "), "{err}");
    let games = directory.read("out/match-1/match.jsonl").lines().count() - 1;
    assert!((50..200).contains(&games), "{games}");
}

#[test]
fn a_size_that_loses_a_game_by_a_fault_is_left_out() {
    let directory = Directory::new("tune-hash-fault");
    let faulty = faulty_engine();
    let run = |out: &str, manner: &str, sizes: &str| {
        let (out, engine) = (directory.path(out), format!("{faulty} {manner}"));
        let run = ["tune-hash", "--match", "--engine", &engine, "--reference=2", "--games=4"];
        lab(&[&run[..], &["--time-control=nodes=1", sizes, "--out", &out]].concat())
    };
    for _resumed in [false, true] {
        let (code, said, err) = run("all", "nonsense", "--sizes=1");
        assert_eq!(code, Some(1), "{said}{err}");
        let fault = "\n1 MB: game 1, 1 MB against 2 MB: 0-1, nonsense instead of a move: ";
        assert!(said.contains(fault) && said.ends_with("; it is left out\n"), "{said}");
        assert!(err.ends_with("plumb-lab: no size is left to play against 2 MB\n"), "{err}");
        let (code, said, err) = run("some", "crashes-above-64 12", "--sizes=1,128");
        assert!(code == Some(0) && said.contains("\n128 MB: game 1, 128 MB against 2 MB: "), "{said}{err}");
        assert!(said.contains("\ncannot tell about 1 MB ("), "{said}");
    }
    // Without results of the reference size no size can be judged, so the run fails.
    let (code, _, err) = run("reference", "nonsense 5", "--sizes=1");
    assert_eq!(code, Some(1), "{err}");
    let (code, said, err) = run("start", "ends-above-64", "--sizes=1,128");
    let sentence = "has ended (exit status: 3); it is left out\n";
    assert!(code == Some(0) && said.starts_with("128 MB: `") && said.contains(sentence), "{said}{err}");
}

#[test]
fn a_size_at_which_the_engine_crashes_is_left_out() {
    let directory = Directory::new("tune-hash-crash");
    let engine = format!("{} crashes-above-64 12", faulty_engine());
    let out = directory.path("timed");
    let run = ["--engine", &engine, "--movetime=5", "--sizes=1,4,128", "--out", &out];
    for games in ["--games=2", "--games=3"] {
        let said = tune(&[&run[..], &[games]].concat());
        let sentence = said.lines().find(|line| line.starts_with("128 MB, game 1, move "));
        assert!(sentence.is_some_and(|line| line.contains("has ended (exit status: 139)")), "{said}");
    }
    let rows = columns(&directory.read("timed/tune-hash.csv"), &GAMES);
    assert_eq!(rows[7..], [["3", "1"], ["3", "4"], ["3", "128"]]);
    let shard = ["--shard=2/2", "--games=2", "--out", &directory.path("shard")];
    let (code, _, err) = lab(&[&["tune-hash"], &run[..4], &shard].concat());
    assert!(code == Some(1) && err.contains("; leave it out of `--sizes` in all shards"), "{err}");
}

#[test]
fn a_size_that_overruns_its_time_is_not_good() {
    let directory = Directory::new("tune-hash-late");
    let (out, engine) = (directory.path("out"), format!("{} late-above-64 20", faulty_engine()));
    let run = ["--engine", &engine, "--movetime=20", "--sizes=1,64,128", "--games=10", "--concurrency=2"];
    let said = tune(&[&run[..], &["--out", &out]].concat());
    assert!(said.contains("128 MB loses games on time: "), "{said}");
    assert!(!said.contains("\nrecommended Hash=128\n"), "{said}");
    let json = directory.json("out/tune-hash.json");
    let late = &json["sizes"][2];
    assert!(late["verdict"] == "loses on time" && late["late"].as_u64() > Some(0), "{json}");
}

#[test]
fn every_flag_is_used_or_refused() {
    let directory = Directory::new("tune-hash-flags");
    let out = directory.path("out");
    let run = ["tune-hash", "--sizes", "1,2", "--out", &out];
    let mode = refused(&run);
    assert!(mode.contains("missing one of --movetime <MS>, --tc <CLOCK>, --match; "), "{mode}");
    let (missing, conflict) = ("missing --", "cannot be used with");
    for (flags, fault) in [
        ("--movetime 1 --time-control st=0.1", missing),
        ("--movetime 1 --first-column 0", missing),
        ("--movetime 1 --elo 10", missing),
        ("--match --minutes 3", conflict),
        ("--movetime 1 --shard 1/2 --minutes 3", conflict),
        ("--match --tolerance 5", conflict),
        ("--movetime 1 --match", conflict),
        ("--positions x.txt", "missing one of --movetime <MS>, "),
        ("--tc 1 --positions x.txt", conflict),
        ("--movetime 1 --positions x.txt --openings random", conflict),
        ("--movetime 1 --positions x.txt --board 8x7", conflict),
        ("--movetime 1 --positions x.txt --first-column 0", conflict),
        ("--movetime 1 --positions absent.txt", "cannot read `absent.txt`"),
        ("--movetime 1 --tc 1", conflict),
        ("--tc 1 --reference 64", missing),
        ("--tc 0", "`0` leaves no time"),
        ("--movetime 0", "expected a number from 1 to 3600000"),
        ("--match --openings lost", "`--openings lost`: one game from each opening"),
        ("--movetime 1 --tolerance=-5", "expected 0 to 1000 per cent"),
        ("--movetime 1 --tolerance nan", "expected 0 to 1000 per cent"),
        ("--movetime 1 --board 8x7 --openings balanced", "`--openings balanced` is for the board of 7x6"),
        ("--match --board 8x7 --openings balanced", "`--openings balanced` is for the board of 7x6"),
        ("--movetime 1 --openings absent.txt", "cannot read `absent.txt`"),
        ("--match --openings absent.txt", "cannot read `absent.txt`"),
        ("--movetime 1 --games 1000", "`--openings random`: 1000 games need as many different openings, "),
    ] {
        let said = refused(&run.into_iter().chain(flags.split(' ')).collect::<Vec<_>>());
        assert!(said.contains(fault) && !said.contains("--rounds"), "{flags}: {said}");
        assert!(!std::path::Path::new(&out).exists(), "{flags}: it is refused before a file is made");
    }
    let said = refused(&["tune-hash", "--movetime=1", "--sizes=16", "--out", &out]);
    assert!(said.starts_with("`--sizes`: expected two sizes or more"), "{said}");
    let said = refused(&["tune-hash", "merge", &out, "--tolerance", "1001", "--out", &out]);
    assert!(said.contains("expected 0 to 1000 per cent"), "{said}");
    let limits = "--time-control=nodes=50,option.OwnBook=true";
    done(&[&run[..], &["--match", "--threads=2", "--games=2", limits]].concat());
    let record = directory.read("out/match-1/match.jsonl");
    for option in ["\"option.Threads\":\"2\"", "\"option.OwnBook\":\"true\""] {
        assert_eq!(record.matches(option).count(), 2, "{record}");
    }
}

#[test]
fn a_size_that_is_not_granted_has_a_sentence_and_no_row() {
    let directory = Directory::new("tune-hash-refused");
    let plumb = engine();
    let engine = format!("{} small-table", faulty_engine());
    // An engine that refuses 128 MB, and a size that exceeds the memory of the machine.
    for (name, engine, size, reason) in [
        ("small", &engine, "128", "the engine says `cannot have 128 MB, trying 64 MB instead`"),
        ("plumb", &plumb, "9000000", "tables of 9000000 MB in all are needed"),
    ] {
        let (out, list) = (directory.path(name), format!("1,{size},4"));
        let settings = ["--movetime=2", "--games=2", "--engine", engine, "--sizes", &list, "--out", &out];
        for _resumed in [false, true] {
            let said = tune(&settings);
            let sentence = format!("{size} MB: size not granted: {reason}");
            assert_eq!(said.matches(&sentence).count(), 1, "{name}: {said}");
            assert!(said.contains("; it is left out\n"), "{name}: {said}");
            let found = columns(&directory.read(&format!("{name}/tune-hash.csv")), &GAMES);
            assert_eq!(found[1..], [["1", "1"], ["1", "4"], ["2", "1"], ["2", "4"]], "{name}: {said}");
        }
    }
    let run = |name: &str, more: &[&str]| {
        let out = directory.path(name);
        lab(&[&["tune-hash", "--engine", &engine, "--out", &out], more].concat())
    };
    let (code, _, err) = run("none", &["--movetime=2", "--sizes", "65536"]);
    assert!(code == Some(1) && err.ends_with("plumb-lab: no size is left\n"), "{err}");
    let (code, _, err) = run("shard", &["--movetime=2", "--sizes", "1,65536", "--shard", "1/1"]);
    assert!(code == Some(1) && err.ends_with("; leave it out of `--sizes` in all shards\n"), "{err}");
    let (code, said, err) = run("match", &["--match", "--sizes", "1,65536"]);
    assert!(code == Some(2) && said.contains("65536 MB: size not granted"), "{err}");
}

#[test]
fn an_engine_without_a_table_is_refused() {
    let directory = Directory::new("tune-hash-without");
    let out = directory.path("out");
    for (engine, fault) in [
        (faulty_engine(), "option.Hash: no such option; the engine declares none"),
        ("plumb,option.Hash=3".to_owned(), "--engine: `--sizes` sets `option.Hash`; remove it"),
    ] {
        let said = refused(&["tune-hash", "--movetime=2", "--engine", &engine, "--out", &out]);
        assert!(said.ends_with(fault), "{said}");
        assert!(!std::path::Path::new(&out).exists(), "it is refused before a file is made");
    }
}

const GAMES: [usize; 2] = [0, 1];

#[test]
fn sizes_have_the_same_positions_and_a_run_goes_on_and_ends_in_an_honest_answer() {
    let directory = Directory::new("tune-hash-timed");
    let out = directory.path("out");
    let run = |games: &str| {
        let settings =
            ["tune-hash", "--movetime", "2", "--concurrency", "2", "--sizes", "4,1", "--games", games];
        done(&[&settings[..], &["--out", &out]].concat())
    };
    let said = run("2");
    assert!(said.contains("\ncannot tell from 2 games: 6 more are the least\n"), "{said}");
    let first = directory.read("out/tune-hash.csv");
    assert_eq!(columns(&first, &GAMES)[1..], [["1", "1"], ["1", "4"], ["2", "1"], ["2", "4"]]);
    let said = run("9");
    assert!(said.starts_with(&format!("2 games taken from `{out}/tune-hash.csv`\n")), "{said}");
    let csv = directory.read("out/tune-hash.csv");
    assert!(csv.starts_with(&first), "{csv}");
    let last = said.lines().last().unwrap_or_default();
    assert!(last.starts_with("recommended Hash="), "{said}");
    assert!(said.contains("the best") && said.contains("; processor share "), "{said}");
    assert!(directory.read("out/time.svg").contains("tolerance"));
    assert!(directory.read("out/tune-hash-sizes.csv").starts_with("megabytes,verdict,longer,error,late,"));
    let width = csv.lines().next().unwrap_or_default().split(',').count();
    assert!(csv.lines().all(|line| line.split(',').count() == width && !line.contains(",,")), "{csv}");
    let page = directory.read("out/tune-hash.html");
    assert!(page.contains("st=0.002, 2 at a time") && page.matches("<svg ").count() == 5, "{page}");
    let settings = ["tune-hash", "--concurrency=2", "--sizes=4,1", "--out", &out];
    let other = refused(&[&settings[..], &["--movetime=3"]].concat());
    assert!(other.contains("has other settings: `control`: recorded st=0.002, given st=0.003; r"), "{other}");
    let other = refused(&[&settings[..], &["--movetime=2", "--engine=skill-5"]].concat());
    assert!(other.contains("has other settings: `engine-description`: recorded {"), "{other}");
    // A game that lacks a row for one size is measured again.
    let row = csv.lines().last().unwrap_or_default();
    directory.file("out/tune-hash.csv", csv.strip_suffix(&format!("{row}\n")).unwrap_or_default());
    let done = (csv.lines().count() - 1) / 2;
    let resumed = run(&done.to_string());
    assert!(resumed.starts_with(&format!("{} games taken from `", done - 1)), "{resumed}");
    assert_eq!(columns(&directory.read("out/tune-hash.csv"), &GAMES), columns(&csv, &GAMES));
}

#[test]
fn games_are_whole_chunks_from_the_same_openings_in_an_order_of_their_own() {
    let directory = Directory::new("tune-hash-chunks");
    let (openings, log) = (directory.file("openings.txt", "4455\n1122\n2233\n1133\n"), directory.path("log"));
    let run = |out: &str, games: &str| {
        let (out, _no_log) = (directory.path(out), std::fs::remove_file(&log));
        let settings =
            ["tune-hash", "--engine=depth-8", "--movetime=2", "--concurrency=3", "--sizes=1,2,3,4"];
        lab(&[&settings[..], &["--openings", &openings, "--games", games, "--log", &log, "--out", &out]]
            .concat())
    };
    // The last 16 values of `Hash`, for games 3 and 4, two sides each, with four sizes.
    let order = || {
        let log = directory.read("log");
        assert!(log.contains("game 4: ") && !log.contains("game 5: "), "{log}");
        let sizes = log.lines().filter_map(|line| line.split_once("setoption name Hash value "));
        let mut sizes: Vec<_> = sizes.map(|(_, size)| size.to_owned()).collect();
        sizes.split_off(sizes.len() - 16)
    };
    let (_, said, err) = run("whole", "3");
    assert!(said.contains("st=0.002 depth=8, 3 at a time"), "{said}{err}");
    assert_eq!(directory.read("whole/tune-hash.csv").lines().count(), 1 + 4 * 4, "{said}");
    let in_one_go = order();
    run("resumed", "2");
    run("resumed", "4");
    assert_eq!(order(), in_one_go);
    let limits = ["tune-hash", "--match", "--sizes=1,2", "--games=2", "--time-control=nodes=50"];
    let played = directory.path("match");
    let play = || lab(&[&limits[..], &["--openings", &openings, "--out", &played]].concat());
    assert_eq!(play().0, Some(0));
    directory.file("openings.txt", "4455\n1122\n2233\n1144\n");
    for (_, _, err) in [run("whole", "4"), play()] {
        assert!(err.contains("has other settings: contents of `openings.txt`: recorded SHA-256 "), "{err}");
    }
}

#[test]
fn an_engine_of_another_game_searches_the_positions_of_a_file() {
    let directory = Directory::new("tune-hash-positions");
    let games = "position startpos\nposition startpos moves e2e4\nposition startpos moves e2e4 e7e5\n\n\
                 position fen 8/P7/8/8/8/8/8/K1k5 w - - 0 1 moves a7a8q\n";
    let (file, log, out) = (directory.file("chess.txt", games), directory.path("log"), directory.path("out"));
    let engine = format!("{} chess", faulty_engine());
    let run = ["tune-hash", "--engine", &engine, "--movetime=5", "--sizes=1,4", "--positions", &file];
    let run = [&run[..], &["--log", &log, "--out", &out]].concat();
    let said = done(&run);
    let setup = format!(", st=0.005, 1 at a time, threads 1, positions: {file}; 2 games, 4 positions, ");
    assert!(said.contains(&setup), "{said}");
    assert!(said.contains("\ncannot tell from 2 games: 6 more are the least\n"), "{said}");
    let log = directory.read("log");
    assert!(!log.contains("UCI_Variant value") && log.contains(": ucinewgame\n"), "{log}");
    for position in games.lines().filter(|line| line.contains("moves")) {
        assert_eq!(log.matches(&format!(": {position}\n")).count(), 2, "{position}: {log}");
    }
    assert!(done(&run).starts_with("2 games taken from "));
    directory.file("chess.txt", "position startpos\n");
    let changed = refused(&run);
    assert!(changed.contains("has other settings: contents of `chess.txt`: recorded SHA-256 "), "{changed}");
    directory.file("chess.txt", "\n");
    assert!(refused(&run).starts_with(&format!("`{file}`: no position; expected lines such as ")));
}

#[test]
#[cfg(unix)]
fn ctrl_c_prints_the_answer_so_far() {
    let directory = Directory::new("tune-hash-interrupted");
    let (out, results) = (directory.path("out"), directory.path("out/tune-hash.csv"));
    let mut child = start(&["tune-hash", "--movetime=20", "--sizes=1,4", "--tolerance=0", "--out", &out]);
    wait_until(&mut child, || std::fs::read_to_string(&results).is_ok_and(|csv| csv.lines().count() > 2));
    let (code, said, err) = end_by("INT", child);
    assert_eq!(code, Some(130), "{said}{err}");
    assert!(said.contains("    MB  solved ") && said.contains("\nrecommended Hash="), "{said}");
    assert!(
        err.contains("plumb-lab: interrupted in game ")
            && err.ends_with(": repeat the command to continue\n"),
        "{err}"
    );
}

#[test]
fn shards_of_a_game_clock_make_one_run() {
    let directory = Directory::new("tune-hash-timed-shards");
    let parts = ["1/2", "2/2"].map(|shard| {
        let out = directory.path(&shard.replace('/', "-"));
        let settings =
            ["tune-hash", "--tc", "0.05+0.001", "--sizes", "1,4", "--games", "3", "--shard", shard];
        let said = done(&[&settings[..], &["--out", &out]].concat());
        assert!(said.contains("games; `tune-hash merge` recommends a size"), "{said}");
        out
    });
    let out = directory.path("merged");
    let said = done(&["tune-hash", "merge", &parts[0], &parts[1], "--out", &out]);
    assert!(said.contains("\ncannot tell from 3 games: 5 more are the least\n"), "{said}");
    assert_eq!(directory.read("merged/tune-hash.csv").lines().count(), 1 + 6);
}
