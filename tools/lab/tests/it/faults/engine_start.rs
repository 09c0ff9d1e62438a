//! Engines that do not answer the handshake or `isready`, in each command that starts engines.

use std::thread;

use crate::common::{Directory, Ended, faulty_engine, lab};

const COMMANDS: [(&str, i32); 3] = [("match", 2), ("suite", 1), ("tune-hash", 1)];

fn run(directory: &Directory, command: &str, engine: &str, more: &[&str]) -> Ended {
    let positions = directory.file(&format!("{command}.txt"), "7422341735647741166133573473242566 1\n");
    let described = format!("cmd={engine}");
    let out = directory.path(command);
    let good = faulty_engine();
    let with_limit = [format!("{described},st=1"), format!("cmd={good},name=good,st=1")];
    let arguments = match command {
        "match" => vec!["match", "--engine", &with_limit[1], "--engine", &with_limit[0]],
        "suite" => vec!["suite", &positions, "--engine", &described],
        _ => vec!["tune-hash", "--movetime=5", "--engine", &described, "--out", &out],
    };
    lab(&[&arguments[..], more].concat())
}

/// Runs all commands at the same time, because they mostly wait. Checks exit codes, progress and the error message.
fn all_say(name: &str, fault: &str, progress: &str, sentence: &str) {
    thread::scope(|scope| {
        for (command, code) in COMMANDS {
            scope.spawn(move || {
                let directory = Directory::new(&format!("{name}-{command}"));
                let engine = format!("{} {fault}", faulty_engine());
                let (found, out, err) = run(&directory, command, &engine, &["--timeout", "4"]);
                assert_eq!((found, out.as_str()), (Some(code), ""), "{command}: {err}");
                let lines: Vec<_> = err.lines().collect();
                assert!(lines[0].starts_with(progress) && lines[0].ends_with(" s"), "{command}: {err}");
                let last = lines.last().expect("a sentence");
                assert!(last.contains("plumb-lab") && last.ends_with(sentence), "{command}: {err}");
            });
        }
    });
}

#[test]
fn an_engine_without_an_answer_to_the_handshake_is_named() {
    all_say(
        "start-handshake",
        "no-handshake",
        "waiting for `uciok` of `",
        "`: no `uciok` within 4 s of its start; it may buffer its output: flush after each line; `proto=ugi` if it speaks UGI; try a longer timeout",
    );
}

#[test]
fn an_engine_that_is_never_ready_is_named() {
    all_say(
        "start-ready",
        "never-ready",
        "waiting for `readyok` of `",
        "`: no `readyok` within 4 s after `isready`; try a longer timeout",
    );
}

#[test]
fn remarks_of_an_engine_are_shown_and_logged() {
    let directory = Directory::new("start-remark");
    let log = directory.path("log");
    let engine = format!("{} objects,option.Hash=3", faulty_engine());
    let (_, _, err) = run(&directory, "suite", &engine, &["--log", &log]);
    assert!(err.ends_with("` on its options: option not supported\n"), "{err}");
    let text = directory.read("log");
    assert!(text.contains("(1): remark on its options: option not supported\n"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_of_a_wrapper_script_and_its_engine() {
    use super::support::wait_for_end;
    use crate::common::{signal, start, wait, wait_until};

    let directory = Directory::new("start-wrapper");
    let pids = directory.path("pids");
    // The script starts the engine in the background, so the engine is not a child of plumb-lab. The engine ignores
    // the end of its input.
    let wrapper = |fault: &str| {
        let text = format!(
            "echo $$ > {pids}.new\n{} {fault} < /dev/null > /dev/null &\necho $! >> {pids}.new\n\
             mv {pids}.new {pids}\necho option name Hash type spin min 1 max 256\necho uciok\nwait\n",
            faulty_engine()
        );
        directory.file("engine.sh", &text)
    };
    let are_gone = || {
        std::fs::read_to_string(&pids).expect("it was started").lines().for_each(wait_for_end);
        std::fs::remove_file(&pids).expect("it is there");
    };
    let engine = format!("sh {}", wrapper("no-handshake"));
    for (name, code) in COMMANDS {
        let ended = run(&directory, name, &engine, &["--timeout", "4"]);
        assert_eq!(ended.0, Some(code), "{ended:?}");
        are_gone();
    }
    let positions = directory.file("positions.txt", "44 3\n");
    let mut child = start(&["suite", &positions, "--engine", &engine]);
    wait_until(&mut child, || std::fs::exists(&pids).unwrap_or(false));
    signal("INT", child.id());
    let ended = wait(child);
    assert_eq!(ended.0, Some(130), "{ended:?}");
    are_gone();
}
