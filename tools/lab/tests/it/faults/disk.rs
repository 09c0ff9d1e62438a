//! A full or read-only disk: a file system of 64 KB in memory, in its own mount namespace.

use std::fs::{self, OpenOptions};
use std::path::Path;
use std::process::{Command, Stdio};

use plumb::mix::Random;

use super::support::{assert_refused, cases, settings};
use crate::common::play::{games, with};
use crate::common::{Directory, Ended, command, done, start_command, success, wait};

/// Page size in bytes of most machines.
const PAGE: u32 = 4096;
const PAGES: u32 = 16;

/// Runs "$@" on a disk with $LEFT bytes left, then again with more room. If $LEFT is `read-only`, the disk is read-only,
/// and there is no second run.
const SCRIPT: &str = r#"
mount -t tmpfs -o size=64k tmpfs "$SMALL" || exit 99
if [ "$LEFT" = read-only ]; then mount -o remount,ro "$SMALL" || exit 99
else head -c $((65536 - LEFT)) /dev/zero >"$SMALL/filler"; fi
"$@" >"$KEPT/out" 2>"$KEPT/err"; echo $? >"$KEPT/code"
cp -r "$SMALL" "$KEPT/full" || exit 98
[ "$LEFT" = read-only ] && exit 0
mount -o remount,size=64m "$SMALL" || exit 99
"$@" >"$KEPT/out-2" 2>"$KEPT/err-2"; echo $? >"$KEPT/code-2"
rm "$SMALL/filler"; cp -r "$SMALL" "$KEPT/roomy" || exit 98
"#;

fn unshare() -> Option<&'static [&'static str]> {
    let ways: [&[&str]; 2] = [&["--mount"], &["--map-root-user", "--mount"]];
    let works = |way: &[&str]| {
        let mount = ["mount", "-t", "tmpfs", "tmpfs", "/mnt"];
        let tried = Command::new("unshare").args(way).args(mount).stderr(Stdio::null()).status();
        tried.is_ok_and(|status| status.success())
    };
    let found = ways.into_iter().find(|way| works(way));
    if found.is_none() {
        eprintln!("left out: no file system can be mounted here, neither as root nor in a user namespace");
    }
    found
}

struct Runs {
    first: Ended,
    second: Option<Ended>,
}

/// Runs a command with a full or read-only disk at `small`, and copies the results to `kept`.
fn run(way: &[&str], left: &str, small: &str, kept: &str, arguments: &[&str]) -> Runs {
    fs::create_dir_all(small).expect("it can be made");
    fs::create_dir_all(kept).expect("it can be made");
    let script = ["sh", "-c", SCRIPT, "sh", env!("CARGO_BIN_EXE_plumb-lab")];
    let mut unshared = Command::new("unshare");
    unshared.args(way).args(script).args(arguments);
    let ended = wait(start_command(unshared.env("SMALL", small).env("KEPT", kept).env("LEFT", left)));
    assert!([Some(0), Some(1)].contains(&ended.0), "{ended:?}");
    let read = |name: &str| fs::read_to_string(format!("{kept}/{name}")).ok();
    let ended = |suffix: &str| {
        let code = read(&format!("code{suffix}"))?.trim().parse().expect("a code");
        Some((Some(code), read(&format!("out{suffix}"))?, read(&format!("err{suffix}"))?))
    };
    Runs { first: ended("").expect("it ran"), second: ended("-2") }
}

/// A command with an output directory, and the columns of its results that do not depend on time. No columns means
/// all.
struct Case {
    name: &'static str,
    arguments: Vec<String>,
    file: &'static str,
    columns: &'static [usize],
    /// Whether the command resumes an incomplete file.
    is_resumed: bool,
}

impl Case {
    fn results(&self, directory: &str) -> Vec<String> {
        let text = fs::read_to_string(Path::new(directory).join(self.file)).expect("the results are there");
        let lines = text.lines().filter(|line| !line.starts_with("# ") || !line.ends_with(" s"));
        let of_line = |line: &str| match self.columns {
            [] => line.to_owned(),
            columns => {
                let fields: Vec<_> = line.split(',').collect();
                columns.iter().map(|&column| fields[column]).collect::<Vec<_>>().join(",")
            }
        };
        lines.map(of_line).collect()
    }
}

fn all_cases([input, positions]: &[String; 2], out: &str) -> Vec<Case> {
    let case = |name, line: &str, file, columns, is_resumed| {
        let word = |word: &str| word.replace("OUT", out).replace("INPUT", input).replace("SUITE", positions);
        Case { name, arguments: line.split(' ').map(word).collect(), file, columns, is_resumed }
    };
    let label = "label INPUT --out OUT/o.csv --moves --hash=1 --threads=1";
    let book = "book build --board=5x4 --plies=6 --hash=1 --threads=1 --out OUT/part";
    let suite = "suite --hash=1 --csv OUT/s.csv SUITE";
    vec![
        case("label", label, "o.csv", &[], true),
        case("label-shard", &format!("{label} --shard=1/2"), "o.csv", &[], true),
        case("positions", "positions end-easy --hash=1 --out OUT", "end-easy.txt", &[], true),
        case("book", book, "part", &[0, 1], true),
        case("suite", suite, "s.csv", &[0, 1, 2, 3, 4], false),
        case("suite-shard", &format!("{suite} --shard=1/2"), "s.csv", &[0, 1, 2, 3, 4], true),
        case("counts", "positions --count --plies=6 --results --hash=1 --csv OUT/c.csv", "c.csv", &[], true),
    ]
}

fn inputs(directory: &Directory) -> [String; 2] {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/suites/end-easy.txt");
    let text = fs::read_to_string(source).expect("it is there");
    let rows: Vec<_> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    let rows = rows.into_iter().filter(|moves| !moves.starts_with('#')).collect::<Vec<_>>().join("\n");
    [directory.file("in.csv", &format!("position\n{rows}\n")), directory.file("suite.txt", &text)]
}

/// Numbers of free pages to test: all numbers below `PAGES`, or 0 and a random sample.
fn pages(seed: u64) -> Vec<u32> {
    let mut random = Random::new(seed, 0);
    let some = (0..cases(2)).map(|_| random.below(PAGES));
    let mut pages: Vec<_> = if cases(2) >= PAGES { (0..PAGES).collect() } else { some.chain([0]).collect() };
    pages.sort_unstable();
    pages.dedup();
    pages
}

#[test]
fn what_a_full_disk_ends_goes_on_when_there_is_room() {
    let Some(way) = unshare() else { return };
    let directory = Directory::new("fault-disk");
    let inputs = inputs(&directory);
    let [small, free_disk] = ["small", "free"].map(|name| directory.path(name));
    for (case, free) in all_cases(&inputs, &small).iter().zip(all_cases(&inputs, &free_disk)) {
        fs::create_dir_all(&free_disk).expect("it can be made");
        done(&with(&free.arguments, &[]));
        let expected = free.results(&free_disk);
        fs::remove_dir_all(&free_disk).expect("it is there");
        for left in pages(3) {
            let kept = directory.path(&format!("{}-{left}", case.name));
            let arguments = with(&case.arguments, &[]);
            let Runs { first, second } = run(way, &(left * PAGE).to_string(), &small, &kept, &arguments);
            let is_done = first.0 == Some(0);
            if !is_done || left == 0 {
                assert_refused(&first, &[&small, "No space left on device"]);
                if case.is_resumed {
                    success(second.expect("it ran again"));
                }
            }
            if is_done || case.is_resumed {
                assert_eq!(case.results(&format!("{kept}/roomy")), expected, "{}, {left} pages", case.name);
            }
        }
    }
}

#[test]
fn a_read_only_directory_is_refused_in_a_sentence() {
    let Some(way) = unshare() else { return };
    let directory = Directory::new("fault-read-only");
    let small = directory.path("small");
    let (game, out, log) = (settings(1), format!("{small}/out"), format!("{small}/log"));
    let matches = [with(&game, &["--out", &out]), with(&game, &["--log", &log])];
    let cases = all_cases(&inputs(&directory), &small);
    let others = cases.iter().map(|case| with(&case.arguments, &[]));
    for (arguments, number) in matches.into_iter().chain(others).zip(0..) {
        let kept = directory.path(&number.to_string());
        let ended = run(way, "read-only", &small, &kept, &arguments).first;
        assert_refused(&ended, &[&small, "Read-only file system"]);
        assert_eq!(ended.1.lines().filter(|line| line.starts_with("game")).count(), 0, "{ended:?}");
    }
}

#[test]
fn a_match_whose_disk_is_full_goes_on_to_the_same_games() {
    let Some(way) = unshare() else { return };
    let directory = Directory::new("fault-disk-match");
    let settings = settings(20);
    let whole = directory.path("whole");
    let printed = done(&with(&settings, &["--out", &whole]));
    let small = directory.path("small");
    let out = format!("{small}/out");
    for left in pages(4) {
        let kept = directory.path(&left.to_string());
        let arguments = with(&settings, &["--out", &out, "--resume"]);
        let Runs { first, second } = run(way, &(left * PAGE).to_string(), &small, &kept, &arguments);
        assert_refused(&first, &[&format!("`{out}/"), "No space left on device"]);
        assert!(success(second.expect("it ran again")) == printed, "{left} pages");
        assert_eq!(games(&format!("{kept}/roomy/out")), games(&whole), "{left} pages");
        let of = |stage: &str, name: &str| {
            fs::read_to_string(format!("{kept}/{stage}/out/{name}")).unwrap_or_default()
        };
        let before = of("full", "match.jsonl");
        let complete = &before[..before.rfind('\n').map_or(0, |end| end + 1)];
        assert!(of("roomy", "match.jsonl").starts_with(complete), "{left} pages");
        let games_in_full = of("full", "games.pgn").matches("[Result ").count();
        assert!([0, 40].contains(&games_in_full), "{left} pages");
        assert!(of("full", "report.html").is_empty() && !of("roomy", "report.html").is_empty());
        assert_eq!(of("roomy", "games.pgn").matches("[Result ").count(), 40);
        for place in ["full", "roomy"] {
            // On a disk without free pages, the output directory cannot be made.
            let entries = fs::read_dir(format!("{kept}/{place}/out")).into_iter().flatten().flatten();
            let mut names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
            assert_eq!(names.find(|name| name.contains(".new")), None, "{place}");
        }
    }
}

#[test]
fn a_full_disk_for_the_log_or_the_output_takes_no_game() {
    let Some(way) = unshare() else { return };
    let directory = Directory::new("fault-disk-log");
    let small = directory.path("small");
    let settings = settings(10);
    let (out, log) = (directory.path("out"), format!("{small}/log"));
    let arguments = with(&settings, &["--out", &out, "--log", &log]);
    let first = run(way, "8192", &small, &directory.path("kept"), &arguments).first;
    assert_refused(&first, &[&format!("--log: cannot write to `{log}`: No space left on device")]);
    assert_eq!(games(&out).len(), 20);
    assert!(first.1.contains("A: pairs ") && fs::exists(format!("{out}/report.html")).expect("readable"));

    let out = directory.path("second");
    let full = OpenOptions::new().write(true).open("/dev/full").expect("it can be opened");
    let child = command(&with(&settings[..4], &["--out", &out]))
        .stdout(full)
        .stderr(Stdio::piped())
        .spawn()
        .expect("it can be started");
    assert_refused(&wait(child), &["cannot write to standard output: No space left on device"]);
    assert_eq!(games(&out).len(), 20, "games are played although their lines are not printed");
    assert!(fs::exists(format!("{out}/report.html")).expect("readable"));
}
