//! The documents are checked against the program: dialogues are replayed, and the options compared.
//!
//! In a block marked `dialogue`, `> ` begins a line that is sent and `< ` one that is expected, in which `*` is any text. `...`
//! is any number of lines; in a block that has one, `info` lines that are not written down are skipped everywhere.

use plumb::daemon::options_markdown;

use crate::common::Engine;

const README: &str = include_str!("../../README.md");
const PROTOCOL: &str = include_str!("../../protocol/README.md");

/// Whether `text` is an instance of `pattern`.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => text.strip_prefix(start).is_some_and(|text| {
            let mut ends = text.char_indices().map(|(index, _)| index).chain([text.len()]);
            ends.any(|index| matches(rest, &text[index..]))
        }),
    }
}

fn replay(block: &str) {
    let mut engine = Engine::start();
    let is_gap = |step: &str| matches!(step.trim_end(), "..." | "< ...");
    let skips_infos = block.lines().any(is_gap);
    let mut any = false;
    let mut quits = false;
    for step in block.lines().filter(|line| !line.trim().is_empty()) {
        if let Some(line) = step.strip_prefix('>') {
            let line = line.strip_prefix(' ').unwrap_or(line);
            quits = line == "quit";
            engine.send(line);
            continue;
        }
        if is_gap(step) {
            any = true;
            continue;
        }
        let pattern = step.strip_prefix('<').unwrap_or_else(|| panic!("neither sent nor expected: {step}"));
        let pattern = pattern.strip_prefix(' ').unwrap_or(pattern);
        loop {
            let line = engine.line();
            if matches(pattern, &line) {
                break;
            }
            let skipped = any || skips_infos && line.starts_with("info ");
            assert!(skipped, "expected `{pattern}`, got `{line}` in\n{block}");
        }
        any = false;
    }
    if quits {
        let (rest, code) = engine.finish();
        assert!(any || rest.is_empty(), "{rest:?} is left over in\n{block}");
        assert_eq!(code, Some(0));
    } else {
        engine.quit();
    }
}

#[test]
fn every_dialogue_of_the_protocol_document_is_true() {
    let mut count = 0;
    for document in [README, PROTOCOL] {
        for rest in document.split("```dialogue\n").skip(1) {
            let (block, _) = rest.split_once("```").expect("the block is closed");
            replay(block);
            count += 1;
        }
    }
    assert!(count > 0, "there is nothing to replay");
}

#[test]
fn the_readme_lists_the_options_as_they_are() {
    let table = options_markdown();
    assert!(README.contains(&table), "README.md should contain\n{table}");
}

#[test]
fn patterns_match_as_described() {
    assert!(matches("bestmove *", "bestmove P@d1 ponder P@d2"));
    assert!(matches("info depth * score * pv *", "info depth 3 score cp 1 pv d"));
    assert!(matches("*", "") && matches("a*b*c", "abc") && matches("ä*", "äö"));
    assert!(!matches("readyok", "readyok ") && !matches("a*b", "abc"));
}
