//! The arguments of the program.

use std::process::Output;

use crate::common::Engine;

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } =
        Engine::command().args(arguments).output().expect("the engine can be started");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code(), text(stdout), text(stderr))
}

#[test]
fn version_and_help_are_printed() {
    for flag in ["--version", "-V"] {
        let version = concat!("Plumb ", env!("CARGO_PKG_VERSION"), "\n").to_owned();
        assert_eq!(run(&[flag]), (Some(0), version, String::new()));
    }
    for flag in ["--help", "-h"] {
        let (code, stdout, stderr) = run(&[flag]);
        assert_eq!((code, stderr.as_str()), (Some(0), ""));
        assert!(stdout.lines().all(|line| line.chars().count() <= 80), "{stdout}");
        assert!(
            ["bench", "--help", "--version", "  Move Overhead (0 to 5000; default 10)\n"]
                .iter()
                .all(|word| stdout.contains(word)),
            "{stdout}"
        );
    }
}

#[test]
fn unknown_arguments_are_refused_in_one_sentence() {
    for arguments in [&["--fast"][..], &["bench", "--fast"], &["--version", "--fast"], &["--fast", "bench"]] {
        let (code, stdout, stderr) = run(arguments);
        assert_eq!((code, stdout.as_str()), (Some(2), ""));
        assert_eq!(stderr, "plumb: unknown argument `--fast`; `plumb --help` lists those there are\n");
    }
}

#[test]
fn the_benchmark_runs_to_its_end_without_input() {
    let (code, stdout, stderr) = run(&["bench"]);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    assert!(!stdout.is_empty());
}
