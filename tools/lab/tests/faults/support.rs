//! What the tests of faults share.

use std::process::{Child, Command, Output};
use std::sync::mpsc::channel;

pub(crate) use super::common::command;
pub(crate) use super::common::start_command as start;
use super::common::{HANGS, faulty_engine};
#[cfg(unix)]
pub(crate) use super::common::{signal, wait_until};

/// The number of cases to try: `short`, unless the environment says otherwise.
pub(crate) fn cases(short: u32) -> u32 {
    let given = std::env::var("PLUMB_FAULT_CASES").ok();
    given.map_or(short, |text| text.parse().expect("PLUMB_FAULT_CASES: expected a number"))
}

/// How a run has ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// `None` if a signal ended it.
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ended {
    fn new(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        let ended = Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
        assert!(!ended.err.contains("panicked"), "{}", ended.err);
        ended
    }

    /// Checks that it ended in good order; returns what it printed.
    pub(crate) fn done(self) -> String {
        assert!(self.code == Some(0) && !self.err.contains("plumb-lab: "), "{self:?}");
        self.out
    }

    /// Checks that a match with `--recover` was played to its end, whether games were lost by faults or not.
    pub(crate) fn recovered(self) {
        let has_faults = self.code == Some(1) && self.err.contains(" lost by ");
        assert!(has_faults || self.code == Some(0), "{self:?}");
    }

    /// Checks that it ended with exit code 2 and one sentence that has these parts, after progress at most.
    pub(crate) fn refused(&self, parts: &[&str]) {
        let sentence = self.err.lines().last().unwrap_or_default();
        assert_eq!((self.code, self.err.matches("plumb-lab: ").count()), (Some(2), 1), "{self:?}");
        let has_all = parts.iter().all(|part| sentence.contains(part));
        assert!(sentence.starts_with("plumb-lab: ") && has_all, "{parts:?}: {self:?}");
    }
}

/// Waits for a program to end, which must not hang.
pub(crate) fn wait(child: Child) -> Ended {
    let id = child.id();
    let (sender, ended) = channel();
    std::thread::spawn(move || sender.send(child.wait_with_output()));
    let Ok(output) = ended.recv_timeout(HANGS) else {
        let _ended = Command::new("kill").args(["-KILL", &id.to_string()]).status();
        panic!("it hangs");
    };
    Ended::new(output.expect("its output can be read"))
}

/// Runs plumb-lab, which must not hang.
pub(crate) fn lab(arguments: &[&str]) -> Ended {
    wait(start(&mut command(arguments)))
}

/// A match of engines whose moves depend on the number of the game alone, so that it is the same however often it is
/// interrupted.
pub(crate) fn settings(rounds: u32) -> Vec<String> {
    let engine = |name| format!("--engine=name={name},cmd={} seeded,st=60", faulty_engine());
    let rounds = format!("--rounds={rounds}");
    vec!["match".to_owned(), engine("A"), engine("B"), rounds, "--report-every=0".to_owned()]
}

/// These words as arguments, with more after them.
pub(crate) fn with<'a>(words: &'a [String], more: &[&'a str]) -> Vec<&'a str> {
    words.iter().map(String::as_str).chain(more.iter().copied()).collect()
}

/// Waits until a process has ended: one that nobody waits for is a zombie at most.
#[cfg(target_os = "linux")]
pub(crate) fn wait_for_end(process: impl std::fmt::Display) {
    let start = std::time::Instant::now();
    let status = || std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    while !status().is_empty() && !status().contains(") Z ") {
        assert!(start.elapsed() < HANGS, "{}", status());
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// The processes that a process has started, without those that have ended.
#[cfg(target_os = "linux")]
pub(crate) fn children(process: u32) -> Vec<u32> {
    let numbers = std::fs::read_dir("/proc").expect("readable").flatten();
    let numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let is_child = |number: &u32| {
        let status = std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
        // After the name, which may have blanks in it: the state, and the parent.
        let after = status.rsplit_once(") ").map_or("", |(_, after)| after);
        let mut words = after.split(' ');
        words.next() != Some("Z") && words.next().is_some_and(|parent| parent == process.to_string())
    };
    numbers.filter(is_child).collect()
}
