//! The arguments of the engine's command line.

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
        let version = format!("Plumb {}\n", plumb::VERSION);
        assert_eq!(run(&[flag]), (Some(0), version, String::new()));
    }
    for flag in ["--help", "-h"] {
        let (code, stdout, stderr) = run(&[flag]);
        assert_eq!((code, stderr.as_str()), (Some(0), ""));
        assert!(stdout.lines().all(|line| line.chars().count() <= 80), "{stdout}");
        let words = ["bench", "--help", "--version", "  Move Overhead (0 to 5000; default 10)\n"];
        assert!(words.iter().all(|word| stdout.contains(word)), "{stdout}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_the_program_names_itself() {
    let program = Engine::command().get_program().to_owned();
    // `script` of util-linux runs a program on a terminal. Not every system has it.
    let script = std::process::Command::new("script").args(["-qec"]).arg(program).arg("/dev/null").output();
    let Ok(output) = script else { return };
    let first = String::from_utf8_lossy(&output.stdout);
    let expected = format!("Plumb {}. Type help for the commands.", plumb::VERSION);
    assert_eq!(first.lines().next(), Some(expected.as_str()));
}

#[test]
fn unknown_arguments_are_refused_in_one_sentence() {
    for arguments in [
        &["--fast"][..],
        &["bench", "--fast"],
        &["bench", "64", "--fast"],
        &["--version", "--fast"],
        &["--fast", "bench"],
    ] {
        let (code, stdout, stderr) = run(arguments);
        assert_eq!((code, stdout.as_str()), (Some(2), ""));
        assert_eq!(
            stderr,
            "plumb: unknown argument `--fast`; options are set by `setoption` on standard input; see `plumb --help`\n"
        );
    }
}

#[test]
fn the_benchmark_runs_to_its_end_without_input() {
    let (code, stdout, stderr) = run(&["bench", "1", "2", "3"]);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let words = [
        "\nPositions       : 3 of 24\nHash table (MB) : 1, 1 in use at most\n",
        "\nThreads         : 2 ",
        "\nNodes/second    : ",
    ];
    assert!(words.iter().all(|word| stdout.contains(word)), "{stdout}");
}

#[test]
fn the_node_count_is_the_signature_of_the_search() {
    let (code, stdout, stderr) = run(&["bench"]);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    // If you change the search on purpose, write the new count here.
    assert!(stdout.contains("\nNodes searched  : 2549263\n"), "{stdout}");
}

#[test]
fn the_benchmark_compares_sizes_row_by_row() {
    let (code, stdout, stderr) = run(&["bench", "--hash-sizes", "2", "1"]);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let first: Vec<_> = stdout.lines().filter_map(|row| row.split_whitespace().next()).collect();
    assert_eq!(first, ["1", "MB", "1", "4", "16", "64", "256", "1024"], "{stdout}");
    // The benchmark of threads begins with the empty board, which takes seconds.
    let (code, stdout, stderr) = run(&["bench", "threads", "1", "0"]);
    let expected = "plumb: bench: `0`: `Threads` expects a whole number from 1 to 256; \
                    usage: bench [HASH in MB] [THREADS] [NUMBER OF POSITIONS]\n";
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (Some(2), "", expected));
}
