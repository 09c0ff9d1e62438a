//! `plumb-lab suite` on small files, with the built-in solver, the engine, and engines that fail.

use crate::common::{Directory, Ended, done, engine, failed, lab, refused, rows};

/// Scores from another solver: a draw, and a win and a loss by stone 41, the first player's last stone. The last row
/// is the lost position without a score.
const RIGHT: &str = "# endings\n\n23163416124767223154467471272416755633 0\n7422341735647741166133573473242566 1\n\
                     2252576253462244111563365343671351441 -1\n2252576253462244111563365343671351441\n";

#[test]
fn right_scores_make_a_table() {
    let directory = Directory::new("suite-right");
    let (first, second) = (directory.file("first.txt", RIGHT), directory.file("second.txt", RIGHT));
    let csv = directory.path("times.csv");
    let out = done(&["suite", "--hash", "1", &first, &second, "--limit", "3", "--csv", &csv]);
    let rows = rows(&out);
    assert_eq!(rows.len(), 3, "{out}");
    assert_eq!((&rows[1][..3], &rows[2][..3]), (&["first.txt", "3", "0"][..], &["second.txt", "3", "0"][..]));
    let times: Vec<f64> = rows[1][3..7].iter().map(|word| word.parse().expect(word)).collect();
    assert!(times[1] <= times[2] && times[2] <= times[3] && times[0] <= times[3], "{out}");

    let csv = directory.read("times.csv");
    let lines: Vec<_> = csv.lines().collect();
    assert_eq!(lines.len(), 7, "{csv}");
    let heading = "file,line,moves,expected,score,nodes,nanoseconds,compared,cpu_nanoseconds,wall_nanoseconds,best_score,move_score";
    assert_eq!(lines[0], heading);
    assert!(lines[1].starts_with("first.txt,3,23163416124767223154467471272416755633,0,0,"), "{csv}");
    assert!(lines[6].starts_with("second.txt,5,2252576253462244111563365343671351441,-1,-1,"), "{csv}");

    let unscored = directory.file("unscored.txt", "2252576253462244111563365343671351441\n");
    let (code, _, said) = lab(&["suite", "--hash", "1", &unscored]);
    assert_eq!(
        (code, said.as_str()),
        (Some(0), "there are no scores to compare: the positions are only solved\n")
    );
}

#[test]
fn a_wrong_score_is_named_and_fails_and_a_malformed_line_is_refused_before_any_work() {
    let directory = Directory::new("suite-wrong");
    let wrong = RIGHT.replace("3242566 1", "3242566 2");
    let (first, second) = (directory.file("first.txt", &wrong), directory.file("second.txt", RIGHT));
    let (out, err) = failed(&["suite", "--hash", "1", &first, &second]);
    assert_eq!(err, "", "what is wrong is printed");
    let named: Vec<_> = out.lines().filter(|line| line.contains("expected")).collect();
    assert_eq!(named, ["first.txt:4: 7422341735647741166133573473242566 has score 1, expected 2"], "{out}");
    let rows = rows(&out);
    assert_eq!((&rows[2][..3], &rows[3][..3]), (&["first.txt", "4", "1"][..], &["second.txt", "4", "0"][..]));
    let bad = directory.file("bad.txt", "# fine\n44 one\n");
    let said = format!("{bad}:2: `one`: expected a score from -18 to 18");
    assert_eq!(refused(&["suite", &second, &bad]), said);
    let latin = directory.path("latin.txt");
    std::fs::write(&latin, b"# caf\xe9\n44 \xe9\n").expect("it can be written");
    assert_eq!(
        refused(&["suite", &latin]),
        format!("{latin}:2: `\u{fffd}`: expected a score from -18 to 18")
    );
    let none = directory.file("none.csv", "position,score\n");
    assert_eq!(refused(&["suite", &none]), format!("{none}: there is no row"));
    let labels = directory.file("some.jsonl", "{\"pos\":\"44\",\"score\":1}\n{\"pos\":\"4\",\"scroe\":1}\n");
    assert!(failed(&["suite", &labels]).0.contains("some.jsonl:2: it has no label\n"));
    let semicolons = directory.file("one.csv", "pos;score\n44;1\n");
    assert!(done(&["suite", &semicolons, "--delimiter", ";"]).contains("1 rows, 1 equal"));
}

fn column(csv: &str, index: usize) -> Vec<i64> {
    let number = |line: &str| line.split(',').nth(index).and_then(|cell| cell.parse().ok());
    csv.lines().skip(1).map(|line| number(line).expect(line)).collect()
}

const LONGER: &str = "274552224131661 0\n5455174361263362 -1\n";

#[test]
fn weak_compares_the_signs_and_json_has_the_settings_and_the_figures_of_the_table() {
    let directory = Directory::new("suite-weak");
    let bold = RIGHT.replace("3242566 1", "3242566 4").replace("1441 -1", "1441 -2");
    let (first, second) = (directory.file("bold.txt", &bold), directory.file("second.txt", LONGER));
    let json = directory.path("figures.json");
    done(&["suite", "--hash", "1", &first, &second, "--limit", "3", "--weak", "--json", &json]);
    let found = directory.json("figures.json");
    assert_eq!(found["version"], plumb::VERSION);
    assert_eq!((&found["hash"], &found["limit"]), (&1.into(), &3.into()));
    assert_eq!((&found["weak"], &found["warm"]), (&true.into(), &false.into()));
    let files = found["files"].as_array().expect("a list");
    let figures = ["mean_us", "median_us", "p99_us", "max_us", "mean_nodes", "ns_per_node", "kpos_per_s"];
    for (file, (name, positions)) in files.iter().zip([("bold.txt", 3), ("second.txt", 2)]) {
        assert_eq!((&file["file"], &file["positions"]), (&name.into(), &positions.into()));
        assert_eq!(file["mismatches"], 0);
        let is_there = |figure: &&str| file.get(figure).is_some_and(|found| !found.is_string());
        assert!(figures.iter().all(is_there), "{file}");
    }
    let wrong = directory.file("wrong.txt", &RIGHT.replace("3242566 1", "3242566 -2"));
    let (out, _) = failed(&["suite", "--weak", "--hash", "1", &wrong, "--csv", &directory.path("weak.csv")]);
    assert!(out.starts_with("wrong.txt:4: 7422341735647741166133573473242566 has result 1, expected -1\n"));
    assert_eq!(column(&directory.read("weak.csv"), 4), [0, 1, -1, -1]);
}

#[test]
fn several_sizes_make_one_table_with_ratios_to_the_first() {
    let directory = Directory::new("suite-sizes");
    let (first, second) = (directory.file("first.txt", RIGHT), directory.file("second.txt", LONGER));
    let json = directory.path("sizes.json");
    let out = done(&["suite", "--hash", "1,4", &first, &second, "--json", &json]);
    let rows = rows(&out);
    let files: Vec<_> = rows[1..].iter().map(|row| (row[0], row[1], row[3])).collect();
    let expected = [
        ("first.txt", "1", "0"),
        ("first.txt", "4", "0"),
        ("second.txt", "1", "0"),
        ("second.txt", "4", "0"),
    ];
    assert_eq!(files, expected, "{out}");
    assert_eq!((rows[1][5], rows[1][7]), ("1.00", "1.00"), "{out}");
    let found = directory.json("sizes.json");
    assert_eq!((&found[0]["hash"], &found[1]["hash"]), (&1.into(), &4.into()));
    let nodes = |size: usize| found[size]["files"][1]["mean_nodes"].as_f64().expect("a number");
    assert_eq!(rows[4][5], format!("{:.2}", nodes(1) / nodes(0)), "{out}");
    let csv = directory.path("sizes.csv");
    let said = "--csv and --moves: expected one size of `--hash`";
    assert_eq!(refused(&["suite", "--hash", "1,4", &first, "--csv", &csv]), said);
}

#[test]
fn a_warm_table_gives_the_same_scores() {
    let directory = Directory::new("suite-warm");
    // The file ends with the same positions twice, so a warm table saves work.
    let file = directory.file("twice.txt", &format!("{RIGHT}{LONGER}{LONGER}"));
    let csv = |name: &str, more: &[&str]| {
        done(&[&["suite", "--hash", "1", &file, "--csv", &directory.path(name)], more].concat());
        directory.read(name)
    };
    let (cold, warm) = (csv("cold.csv", &[]), csv("warm.csv", &["--warm"]));
    assert_eq!(column(&cold, 4), column(&warm, 4));
    assert!(column(&warm, 5).iter().sum::<i64>() < column(&cold, 5).iter().sum());
}

/// Published scores: a draw, a loss, a near win, a far win, and a finished game.
const POSITIONS: &str = "274552224131661 0\n5455174361263362 -1\n7422341735647741166133573473242566 1\n\
                         32164625 11\n1122334 -18\n";

fn run(directory: &Directory, command: &str, positions: &str, more: &[&str]) -> Ended {
    let file = directory.file("positions.txt", positions);
    lab(&[&["suite", &file, "--hash", "4", "--engine", command], more].concat())
}

#[test]
fn plumb_behind_its_protocols_agrees_with_the_scores() {
    let directory = Directory::new("suite-engine-right");
    let engine = engine();
    let (csv, json) = (directory.path("times.csv"), directory.path("figures.json"));
    let ugi = format!("cmd='{engine}',proto=ugi");
    for (command, more) in [(&engine, &[][..]), (&ugi, &[]), (&engine, &["--warm"])] {
        let more = [&["--csv", &csv, "--json", &json, "--force"][..], more].concat();
        let (code, out, err) = run(&directory, command, POSITIONS, &more);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
        assert!(out.lines().next().is_some_and(|heading| heading.ends_with("mean CPU µs  by sign")), "{out}");
        let words = rows(&out).remove(1);
        assert_eq!((words[1], words[2], words.last()), ("5", "0", Some(&"0")), "{out}");
        let text = directory.read("times.csv");
        assert_eq!(text.lines().filter(|line| line.contains(",score,")).count(), 6, "{text}");
        let found = directory.json("figures.json");
        assert!(found["engine"].as_str().is_some_and(|name| name.starts_with("Plumb ")), "{found}");
        assert_eq!(found["files"][0]["by_sign"], 0, "{found}");
    }
    let wrong = POSITIONS.replace("3242566 1\n", "3242566 2\n");
    let (code, out, err) = run(&directory, &engine, &wrong, &["--json", &json, "--force"]);
    assert!(code == Some(1) && out.contains("3242566 has score 1, expected 2"), "{out}{err}");
    assert_eq!(directory.json("figures.json")["files"][0]["mismatches"], 1);
}

#[test]
fn engines_of_a_match_solve_suites_as_well() {
    let directory = Directory::new("suite-engine-described");
    let engine = engine();
    let copy = directory.path(&format!("my plumb{}", std::env::consts::EXE_SUFFIX));
    // A hard link, because a copy could not start if a process of another test had inherited the open file.
    std::fs::hard_link(engine, &copy).expect("it can be linked");
    for (command, by_sign) in [
        ("plumb", false),
        ("skill-3", true),
        ("depth-2", true),
        (&format!("'{copy}'"), false),
        (&format!("cmd=\"{copy}\",proto=ugi,option.Threads=2"), false),
    ] {
        let (code, out, err) = run(&directory, command, "274552224131661 0\n4455 18\n32164625 11\n", &[]);
        assert_eq!(err, "", "{command}: {out}");
        assert!(by_sign || code == Some(0), "{command}: {out}");
    }
    for (command, fault) in [
        ("skill-21", "--engine: `skill-21`: Skill Levels are 0 to 20"),
        ("plumb,option.Thraeds=2", "option.Thraeds: no such option; did you mean `Threads`?"),
        ("plumb,option.Hash=0", "option.Hash: `0` is out of range, which is 1 to "),
        ("plumb,st=1", "--engine: `plumb,st=1`: the only limit allowed here is `depth`"),
        (&copy, "a path with blanks needs quotes"),
    ] {
        let (code, _, err) = run(&directory, command, "4455 18\n", &[]);
        assert!(code == Some(2) && err.contains(fault) && err.lines().count() == 1, "{err}");
    }
}

#[cfg(unix)]
mod scripts {
    use super::*;

    /// An engine that answers the handshake and runs `on_go` at each `go`.
    fn script(directory: &Directory, on_go: &str) -> String {
        let text = format!(
            "while read -r word rest; do case $word in uci) echo option name Hash type spin min 1 max 9; echo uciok;; isready) echo readyok;; \
             go) {on_go};; quit) exit;; esac; done"
        );
        format!("sh {}", directory.file("engine.sh", &text))
    }

    #[test]
    fn a_score_without_distance_is_compared_by_sign() {
        let directory = Directory::new("suite-engine-sign");
        let command = script(&directory, "echo info score cp 300; echo bestmove g");
        let (code, out, err) = run(&directory, &command, "44 3\n4455 18\n11 0\n", &[]);
        assert_eq!((code, err.as_str()), (Some(1), ""), "{out}");
        assert!(out.starts_with("positions.txt:3: 11 has result 1, expected 0\n"), "{out}");
        let row = rows(&out).remove(2);
        assert_eq!((row[1], row[2]), ("3", "1"), "{out}");
        assert_eq!(row[7..10], ["-", "-", "-"], "it told no nodes: {out}");
        assert_eq!(row.last(), Some(&"3"), "{out}");
    }

    #[test]
    fn a_bound_that_decides_nothing_is_no_answer() {
        let directory = Directory::new("suite-engine-open");
        let json = directory.path("figures.json");
        for score in ["cp 0 lowerbound", "mate -8 lowerbound", "cp 3 upperbound"] {
            let command = script(&directory, &format!("echo info score {score}; echo bestmove d"));
            let (code, out, err) = run(&directory, &command, "44 0\n4455\n", &["--json", &json, "--force"]);
            assert_eq!((code, err.as_str()), (Some(1), ""), "{out}");
            assert!(out.starts_with("positions.txt:1: 44 is unanswered: "), "{out}");
            assert_eq!(rows(&out)[3][1..3], ["2", "2"], "{out}");
            assert_eq!(directory.json("figures.json")["files"][0]["unanswered"], 2);
        }
    }

    #[test]
    fn moves_are_judged_without_a_score() {
        let directory = Directory::new("suite-engine-moves");
        let (csv, json) = (directory.path("moves.csv"), directory.path("figures.json"));
        let command = script(&directory, "echo bestmove d");
        // The engine plays the best move, then a slower win, then a loss instead of a draw. The last game is over.
        let more = ["--moves", "--csv", &csv, "--json", &json];
        let (code, out, err) = run(&directory, &command, "223\n4455\n334\n1122334\n", &more);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
        let text = directory.read("moves.csv");
        let judged: Vec<_> =
            text.lines().skip(1).map(|line| line.rsplitn(3, ',').collect::<Vec<_>>()).collect();
        let judged: Vec<_> = judged.iter().map(|fields| (fields[1], fields[0])).collect();
        assert_eq!(judged, [("2", "2"), ("18", "2"), ("0", "-18"), ("", "")]);
        assert_eq!(rows(&out).last().map(|row| row[row.len() - 2..].to_vec()), Some(vec!["66.7%", "33.3%"]));
        let figures = &directory.json("figures.json")["files"][0];
        assert_eq!(figures["perfect_move_rate"], 1.0 / 3.0);
    }

    #[test]
    fn an_engine_that_fails_is_one_sentence() {
        let directory = Directory::new("suite-engine-fails");
        for (on_go, said) in [
            ("exit 3", "has ended (exit status: 3)"),
            (":", "no answer within 3 s"),
            ("echo bestmove d", "it reported no score"),
            ("echo info score cp 1; echo bestmove e2e4", "`bestmove e2e4` is not a legal move there"),
            ("echo info score cp 1; echo 'bestmove (none)'", "`bestmove (none)` is not a legal move there"),
            ("echo info score mate 30; echo bestmove d", "`score mate 30` is impossible in that position"),
        ] {
            let command = script(&directory, on_go);
            let (code, out, err) = run(&directory, &command, "44 0\n", &["--timeout", "3"]);
            assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
            assert_eq!(err, format!("plumb-lab: positions.txt:1: 44: `{command}`: {said}\n"));
        }
        let (code, _, err) = run(&directory, "true", "44 0\n", &[]);
        assert_eq!(
            (code, &*err),
            (
                Some(1),
                "plumb-lab: `true`: no answer to `uci`: it has ended (exit status: 0); is it an engine?\n"
            )
        );
    }
}
