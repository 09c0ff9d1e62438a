//! Checks the Markdown files: dialogues, the table of options, and links.
//!
//! In a block marked `dialogue`, `> ` begins a line that is sent and `< ` an expected line, in which `*` is any text.
//! `...` is any number of lines. In a block with `...`, unexpected `info` lines are skipped everywhere.

use std::fs;
use std::path::{Path, PathBuf};

use plumb::daemon::options_markdown;

use crate::common::Engine;

const PROTOCOL: &str = include_str!("../../../protocol/README.md");
const DOCUMENTS: [&str; 5] = [
    include_str!("../../../README.md"),
    include_str!("../../../GUIDE.md"),
    include_str!("../../../FAQ.md"),
    PROTOCOL,
    include_str!("../../dialogues.md"),
];

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
fn every_dialogue_in_the_documents_is_true() {
    let mut count = 0;
    for document in DOCUMENTS {
        for rest in document.split("```dialogue\n").skip(1) {
            let (block, _) = rest.split_once("```").expect("the block is closed");
            replay(block);
            count += 1;
        }
    }
    assert!(count > 0, "there is nothing to replay");
}

#[test]
fn the_protocol_document_lists_the_options_as_they_are() {
    let start = PROTOCOL.find("| Name | Type |").expect("a table of options");
    let rows = PROTOCOL[start..].split_inclusive('\n').take_while(|line| line.starts_with('|'));
    let (documented, table) = (rows.collect::<String>(), options_markdown());
    assert!(documented == table, "the table of protocol/README.md should be\n{table}");
}

fn add_markdown_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() {
            let is_made = matches!(name, "target" | "node_modules") || path.join("pyvenv.cfg").exists();
            if !is_made && !name.starts_with('.') {
                add_markdown_files(&path, files);
            }
        } else if path.extension().is_some_and(|extension| extension == "md") {
            files.push(path);
        }
    }
}

fn lines_of_text(text: &str) -> Vec<&str> {
    let mut is_code = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            lines.push(line);
        }
    }
    lines
}

fn anchor(heading: &str) -> String {
    let heading = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = heading.chars().filter(|&char| char.is_alphanumeric() || matches!(char, ' ' | '-' | '_'));
    kept.map(|char| if char == ' ' { '-' } else { char }).collect()
}

fn has_heading(file: &Path, wanted: &str) -> bool {
    let text = fs::read_to_string(file).expect("the file can be read");
    lines_of_text(&text).iter().any(|line| line.starts_with('#') && anchor(line) == wanted)
}

#[test]
fn links_lead_to_files_and_headings() {
    let mut files = Vec::new();
    add_markdown_files(Path::new(env!("CARGO_MANIFEST_DIR")), &mut files);
    let mut count = 0;
    for file in &files {
        let text = fs::read_to_string(file).expect("the file can be read");
        for line in lines_of_text(&text) {
            for rest in line.split("](").skip(1) {
                let target = rest.split_once(')').expect("the link is closed").0;
                if target.contains("://") {
                    continue;
                }
                let (path, heading) = target.split_once('#').unwrap_or((target, ""));
                let linked = if path.is_empty() { file.clone() } else { file.with_file_name(path) };
                assert!(linked.exists(), "{}: {target} is missing", file.display());
                let is_found = heading.is_empty() || has_heading(&linked, heading);
                assert!(is_found, "{}: {target} is not a heading", file.display());
                count += 1;
            }
        }
    }
    assert!(count > 100, "there are only {count} links");
}

#[test]
fn patterns_match_as_described() {
    assert!(matches("bestmove *", "bestmove P@d1 ponder P@d2"));
    assert!(matches("info depth * score * pv *", "info depth 3 score cp 1 pv d"));
    assert!(matches("*", "") && matches("a*b*c", "abc") && matches("ä*", "äö"));
    assert!(!matches("readyok", "readyok ") && !matches("a*b", "abc"));
}
