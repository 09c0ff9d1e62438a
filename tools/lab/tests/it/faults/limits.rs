//! Limits of memory, files and processes.

use std::fs;
use std::process::{Command, Stdio};

use super::support::settings;
use crate::common::play::{games, with};
use crate::common::{Directory, Ended, done, engine, faulty_engine, start_command, wait};

/// Runs a program as another user, because the system limits processes per user.
fn as_user(number: &str) -> [&str; 6] {
    ["setpriv", "--reuid", number, "--regid", number, "--clear-groups"]
}

fn works(words: &[&str]) -> bool {
    let mut tried = Command::new(words[0]);
    tried.args(&words[1..]).stdout(Stdio::null()).stderr(Stdio::null());
    let is_done = tried.status().is_ok_and(|status| status.success());
    if !is_done {
        eprintln!("left out: `{}` does not work here", words.join(" "));
    }
    is_done
}

fn lab_by(words: &[&str], arguments: &[&str]) -> Ended {
    let mut command = Command::new(words[0]);
    wait(start_command(command.args(&words[1..]).arg(env!("CARGO_BIN_EXE_plumb-lab")).args(arguments)))
}

/// Whether the run succeeded, or failed with an error message about a system limit.
fn is_in_order((code, _, err): &Ended) -> bool {
    let refusals = [
        "Too many open files",
        "Resource temporarily unavailable",
        "Cannot allocate memory",
        "cannot watch for signals",
    ];
    let is_sentence = *code == Some(2) && err.matches("plumb-lab: ").count() == 1;
    *code == Some(0) || is_sentence && refusals.iter().any(|refusal| err.contains(refusal))
}

/// Runs a match under increasing limits of `prlimit`, some of which are too small. Resumed without limits, it must
/// have the games of a match that never had limits.
fn resumed_without_limits(name: &str, limits: impl Iterator<Item = String>, user: &[&str]) {
    let directory = Directory::new(name);
    let settings = settings(10);
    let whole = directory.path("whole");
    let expected = done(&with(&settings, &["--out", &whole, "--concurrency=4"]));
    let mut codes = Vec::new();
    for limit in limits {
        let out = directory.path(&limit.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-"));
        fs::create_dir_all(&out).expect("it can be made");
        // The other user must be able to write into the directory.
        assert!(works(&["chmod", "777", &out]));
        let arguments = with(&settings, &["--out", &out, "--resume", "--concurrency=4"]);
        let ended = lab_by(&[&["prlimit", &limit], user].concat(), &arguments);
        assert!(is_in_order(&ended), "{limit}: {ended:?}");
        let record = fs::read_to_string(format!("{out}/match.jsonl")).unwrap_or_default();
        let is_lost = record.contains("\"detail\"");
        assert!(!is_lost, "{limit}: no game is lost by what the system refuses: {record}");
        codes.push(ended.0);
        assert_eq!(done(&arguments), expected, "{limit}");
        assert_eq!(games(&out), games(&whole), "{limit}");
    }
    assert!(codes.contains(&Some(2)) && codes.contains(&Some(0)), "{codes:?}");
}

#[test]
fn a_match_without_files_to_open_ends_in_a_sentence_and_is_resumed() {
    if works(&["prlimit", "--nofile=64", "true"]) {
        let limits = (1..=8).map(|number| format!("--nofile={}", 6 * number));
        resumed_without_limits("fault-files", limits, &[]);
    }
}

#[test]
fn a_match_without_processes_to_start_ends_in_a_sentence_and_is_resumed() {
    let user = as_user("64001");
    // The limit of processes does not apply to root, so another user runs the program.
    if works(&[&user[..], &["test", "-x", env!("CARGO_BIN_EXE_plumb-lab")]].concat()) {
        let numbers = [1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 200].into_iter();
        resumed_without_limits("fault-processes", numbers.map(|number| format!("--nproc={number}")), &user);
    }
}

#[test]
fn other_commands_do_with_the_threads_that_they_get() {
    let user = as_user("64002");
    if !works(&[&user[..], &["test", "-x", env!("CARGO_BIN_EXE_plumb-lab")]].concat()) {
        return;
    }
    let directory = Directory::new("fault-threads");
    assert!(works(&["chmod", "777", &directory.path("")]));
    let input = directory.file("in.csv", "position\n44444432222236\n4444443222223\n");
    let mut codes = Vec::new();
    for number in ["1", "2", "3", "4", "200"] {
        let limit = format!("--nproc={number}");
        let by = [&["prlimit", &limit], &user[..]].concat();
        let path = |name: &str| directory.path(&format!("{number}-{name}"));
        let (labels, csv, part) = (path("labels.csv"), path("counts.csv"), path("part"));
        for arguments in [
            &["label", &input, "--threads=4", "--hash=1", "--out", &labels][..],
            &["positions", "--count", "--plies=4", "--results", "--threads=4", "--hash=1", "--csv", &csv],
            &["book", "build", "--board=5x4", "--plies=4", "--hash=1", "--threads=4", "--out", &part],
            &["solve", "444444322222"],
        ] {
            let ended = lab_by(&by, arguments);
            assert!(is_in_order(&ended), "{limit} {arguments:?}: {ended:?}");
            codes.push(ended.0);
        }
    }
    assert!(codes.contains(&Some(2)) && codes.ends_with(&[Some(0); 4]), "{codes:?}");
}

#[test]
fn an_engine_without_memory_plays_with_a_smaller_table_and_a_match_without_any_says_so() {
    if !works(&["prlimit", "--as=1000000000", "true"]) {
        return;
    }
    let directory = Directory::new("fault-memory");
    let good = format!("--engine=name=good,cmd={} seeded,st=60", faulty_engine());
    let out = directory.path("out");
    let poor =
        format!("--engine=name=poor,cmd=prlimit --as=300000000 {},nodes=1000,option.Hash=4000", engine());
    let log = directory.path("log");
    done(&["match", "--force", &good, &poor, "--rounds=1", "--out", &out, "--log", &log]);
    assert!(games(&out).iter().all(|game| game["detail"].is_null()));
    assert!(directory.read("log").contains("<poor(2): info string "), "it says why");

    // Tables of exact scores take most memory. They need about 80 MB of address space. Below about 40 MB the program
    // aborts, like all Rust programs that cannot allocate.
    let settings = settings(1);
    let mut codes = Vec::new();
    for megabytes in [60_u64, 100, 200, 4000] {
        let limit = format!("--as={}", megabytes * 1_000_000);
        let ended = lab_by(&["prlimit", &limit], &with(&settings, &["--blunders"]));
        let is_memory = ended.2.lines().count() == 1 && ended.2.contains("memory");
        assert!(ended.0 == Some(2) && is_memory || is_in_order(&ended), "{limit}: {ended:?}");
        codes.push(ended.0);
    }
    assert!(codes.contains(&Some(2)) && codes.ends_with(&[Some(0)]), "{codes:?}");
}
