//! `plumb-lab match`: engines that break rules, and what is printed and logged.

use std::thread;
use std::time::{Duration, Instant};

use crate::common::play::record;
use crate::common::{Directory, failed, faulty_engine, lab, refused};

#[test]
fn every_fault_loses_the_game_and_a_match_that_recovers_goes_on() {
    let faulty_engine = &faulty_engine();
    // Engines exceed their time at the first move. Before a later move, a busy machine could exceed a short limit.
    let faults = [
        ("illegal", 10, "st=60", "is not legal; expected a move such as `P@"),
        ("nonsense", 10, "st=60", "is no move; expected a move such as `P@"),
        ("twice", 10, "st=60", "without being asked"),
        ("moves-early", 0, "st=60,ponder=true", "while it pondered, before `ponderhit` or `stop`"),
        ("late", 0, "st=0.3", "the move took"),
        ("ignores-go", 0, "st=0.3", "the move took"),
        ("hangs", 0, "st=0.3", "no answer to `stop` within 2.0 s"),
        ("floods", 0, "st=0.3", "no answer to `stop` within 2.0 s"),
        ("crashes", 10, "st=60", "standard error: faulty-engine: about to crash / at ply 1"),
    ];
    thread::scope(|scope| {
        for (fault, from_ply, limit, reason) in faults {
            scope.spawn(move || {
                let directory = Directory::new(&format!("match-{fault}"));
                let before = Instant::now();
                let bad = format!("name=bad,cmd={faulty_engine} {fault} {from_ply},{limit}");
                // `moves-early` moves while its opponent thinks, so the opponent is slow.
                let manner = if fault == "moves-early" { "late 0" } else { "random 1" };
                let good = format!("name=good,cmd={faulty_engine} {manner},st=60");
                let out = directory.path("out");
                let settings = ["--engine", &good, "--engine", &bad, "--rounds", "2", "--out", &out];
                let (code, said, err) = lab(&[&["match", "--recover"], &settings[..]].concat());
                assert!(said.contains(reason), "{fault}: {said}");
                let is_late = reason == "the move took";
                assert_eq!(code, Some(i32::from(!is_late)), "{fault}: {err}");
                let sentence = "plumb-lab: games that were lost by faults of engines: 4; the first of this run: game 1, good against";
                assert_eq!(err.contains(sentence), !is_late, "{fault}: {err}");
                assert!(before.elapsed() < Duration::from_secs(120), "{fault} does not hang the match");
                assert_eq!(record(&out).lines().count(), 1 + 4, "{fault}: a header and four games");
                let (again, _, err) = lab(&[&["match", "--recover"], &settings[..]].concat());
                assert_eq!(again, code, "{fault}: {err}");
                let sentence = "plumb-lab: games that were lost by faults of engines: 4, before this run";
                assert_eq!(err.contains(sentence), !is_late, "{fault}: {err}");
            });
        }
    });
}

#[test]
fn a_fault_ends_the_match_and_is_named_beside_a_decision() {
    let faulty_engine = faulty_engine();
    let [bad, good] = ["crashes 10", "random 1"].map(|manner| format!("cmd={faulty_engine} {manner},st=60"));
    let (bad, good) = (format!("name=bad,{bad}"), format!("name=good,{good}"));
    let settings = ["match", "--engine", &good, "--engine", &bad, "--rounds", "300", "--seed", "5"];
    for (flags, games) in [(&[][..], 1), (&["--max-faults", "2"][..], 3)] {
        let directory = Directory::new(&format!("match-stopped-{games}"));
        let out = directory.path("out");
        let (said, err) = failed(&[&settings[..], flags, &["--out", &out]].concat());
        let end = "this fault ends the match: `--recover` plays on after faults, `--max-faults N` after N";
        let fault = format!("plumb-lab: game {games}, ");
        assert!(err.contains(&fault) && err.contains(": 1-0, crash: ") && err.contains(end), "{err}");
        assert!(said.contains(&format!("bad: {games} forfeited: crash {games}.")), "{said}");
        assert_eq!(record(&out).lines().count(), 1 + games);
        let summary = directory.json("out/summary.json");
        assert_eq!(summary["standings"][1]["fault_kinds"], serde_json::json!({"crash": games}));
        assert_eq!(summary["state"], "interrupted");
    }
    let more = ["--recover", "--sprt", "0,400,0.2,0.2", "--openings", "random"];
    let (said, _) = failed(&[&settings[..], &more].concat());
    let test = said.lines().find(|line| line.contains("H1 accepted")).expect(&said);
    assert!(test.contains(" H1 accepted; ") && said.contains("forfeited: crash"), "{said}");
}

#[test]
fn an_opponent_that_ponders_on_after_a_forfeit_is_started_anew() {
    let directory = Directory::new("match-ponders-on");
    let log = directory.path("log");
    let engine = |name: &str, manner: &str| format!("name={name},cmd={} {manner},st=60", faulty_engine());
    let (good, bad) = (engine("good", "ignores-stop") + ",ponder=true", engine("bad", "illegal"));
    let settings = ["--engine", &good, "--engine", &bad, "--rounds", "1", "--log", &log];
    let (said, _) = failed(&[&["match", "--recover"], &settings[..]].concat());
    assert!(said.contains("bad: 2 forfeited: illegal move 2."), "{said}");
    let text = directory.read("log");
    assert!(text.contains(">good(3): go ponder "), "{text}");
    assert!(text.contains("game 2: bad(4) against good(5)"), "{text}");
}

#[cfg(unix)]
#[test]
fn an_engine_that_closes_its_output_loses() {
    let directory = Directory::new("match-closed");
    for end in ["sleep 600", "exec yes >&2"] {
        let script = format!(
            "while read line; do case $line in uci) echo uciok;; isready) echo readyok;; go*) exec 1>&-; {end};; esac; done\n"
        );
        let script = directory.file("engine.sh", &script);
        let bad = format!("name=bad,cmd=sh {script},st=60");
        let good = format!("name=good,cmd={} random 1,st=60", faulty_engine());
        let (_, said, _) = lab(&["match", "--recover", "--engine", &good, "--engine", &bad, "--rounds", "1"]);
        assert_eq!(said.matches("crash: has closed its pipes").count(), 2, "{said}");
    }
}

/// The last line of standard error often names the problem. Another process may keep the pipe of standard error open.
#[cfg(unix)]
#[test]
fn an_engine_without_an_answer_is_explained() {
    let directory = Directory::new("match-unanswered");
    let good = format!("--engine=name=good,cmd={} random 1,st=60", faulty_engine());
    for (go, expected) in [
        ("echo Bestmove P@d1", ": hang: no answer to `stop` within 2.0 s; its last line was `Bestmove P@d1`"),
        ("sleep 600 <&3 & exit 3", ": crash: has ended (exit status: 3)"),
    ] {
        let script = format!(
            "exec 3<&0\nwhile read line; do case $line in uci) echo uciok;; isready) echo readyok;; go*) {go};; esac; done\n"
        );
        let bad = format!("--engine=name=bad,cmd=sh {},st=0.3", directory.file("engine.sh", &script));
        let (_, said, _) = lab(&["match", &good, &bad, "--rounds=1"]);
        assert!(said.contains(&expected[1..]), "{said}");
    }
}

/// For a script whose interpreter is missing, the system reports only that a file does not exist.
#[cfg(unix)]
#[test]
fn an_interpreter_that_is_missing_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let directory = Directory::new("match-interpreter");
    let script = directory.file("engine", "#!/no/such/interpreter -u\n");
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).expect("it is there");
    let said = refused(&["match", "--engine", &format!("cmd={script}"), "--engine=depth-1", "--each=st=1"]);
    let expected = format!(
        "`{script}` exists, but the interpreter that its first line names does not: `#!/no/such/interpreter -u`"
    );
    assert!(said.ends_with(&expected), "{said}");
}

#[test]
fn the_log_has_every_line_of_each_engine() {
    let faulty_engine = faulty_engine();
    let directory = Directory::new("match-log");
    let log = directory.path("log");
    let bad = format!("name=bad,cmd={faulty_engine} crashes 10,st=5");
    let good = format!("name=good,cmd={faulty_engine} random 1,st=5");
    let settings = ["--engine", &good, "--engine", &bad, "--rounds=2", "--concurrency=2", "--log", &log];
    lab(&[&["match", "--recover"], &settings[..]].concat());
    let text = directory.read("log");
    let lines: Vec<_> = text.lines().map(|line| line.split_once(' ').expect("a time")).collect();
    assert!(lines.iter().all(|(time, _)| time.len() == 27 && time.ends_with('Z')), "{text}");
    for (start, end) in [
        (">good(1): ", "uci"),
        ("<good(1): ", "uciok"),
        ("game 1: good(", ")"),
        ("game 1: ", ", crash"),
        ("!bad(", "faulty-engine: about to crash"),
        (">good(1): ", "quit"),
    ] {
        let is_there = lines.iter().any(|(_, line)| line.starts_with(start) && line.ends_with(end));
        assert!(is_there, "{start}{end}: {text}");
    }
    let count = |part: &str| text.matches(part).count();
    assert!(count(">good") > 0 && count(": go movetime") > count(": bestmove"));
    assert_eq!(count(": go movetime") - count(": bestmove"), 4, "four crashes");
    let absent = format!("name=gone,cmd={faulty_engine} exits,st=5");
    let log = directory.path("second");
    let said = refused(&["match", "--engine", &good, "--engine", &absent, "--log", &log]);
    assert!(said.contains("has ended"), "{said}");
    assert!(directory.read("second").contains(">gone(2): uci\n"), "what came before the error is there");
    let said = refused(&["match", "--engine", &good, "--engine", &bad, "--log", &directory.path("no/log")]);
    assert!(said.starts_with("--log: cannot open "), "{said}");
}
