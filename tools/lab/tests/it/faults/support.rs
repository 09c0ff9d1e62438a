//! Helpers of the fault injection tests.

use crate::common::{Ended, faulty_engine};

/// Number of cases: `short`, or `PLUMB_FAULT_CASES`.
pub(crate) fn cases(short: u32) -> u32 {
    let given = std::env::var("PLUMB_FAULT_CASES").ok();
    given.map_or(short, |text| text.parse().expect("PLUMB_FAULT_CASES: expected a number"))
}

pub(crate) fn assert_recovered(ended: &Ended) {
    let (code, _, err) = ended;
    assert!(*code == Some(0) || *code == Some(1) && err.contains(" lost by "), "{ended:?}");
}

/// Checks for exit code 2, and for these texts in the last line of standard error.
pub(crate) fn assert_refused(ended: &Ended, parts: &[&str]) {
    let (code, _, err) = ended;
    let sentence = err.lines().last().unwrap_or_default();
    assert_eq!((*code, err.matches("plumb-lab: ").count()), (Some(2), 1), "{ended:?}");
    let has_all = parts.iter().all(|part| sentence.contains(part));
    assert!(sentence.starts_with("plumb-lab: ") && has_all, "{parts:?}: {ended:?}");
}

/// Arguments of a match in which moves depend only on the game number.
pub(crate) fn settings(rounds: u32) -> Vec<String> {
    let engine = |name| format!("--engine=name={name},cmd={} seeded,st=60", faulty_engine());
    let rounds = format!("--rounds={rounds}");
    vec!["match".to_owned(), engine("A"), engine("B"), rounds, "--report-every=0".to_owned()]
}

/// Waits until a process has ended or is a zombie.
#[cfg(target_os = "linux")]
pub(crate) fn wait_for_end(process: impl std::fmt::Display) {
    let start = std::time::Instant::now();
    let status = || std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    while !status().is_empty() && !status().contains(") Z ") {
        assert!(start.elapsed() < crate::common::HANGS, "{}", status());
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

#[cfg(target_os = "linux")]
pub(crate) fn children(process: u32) -> Vec<u32> {
    let numbers = std::fs::read_dir("/proc").expect("readable").flatten();
    let numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let is_child = |number: &u32| {
        let status = std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
        // The program name may contain blanks. State and parent follow it.
        let after = status.rsplit_once(") ").map_or("", |(_, after)| after);
        let mut words = after.split(' ');
        words.next() != Some("Z") && words.next().is_some_and(|parent| parent == process.to_string())
    };
    numbers.filter(is_child).collect()
}
