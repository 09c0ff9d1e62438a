//! The table `tests/lines.tsv`: how each line is read, and the errors.

use std::fmt::{Debug, Display};

use plumb_protocol::{LineError, Parsed, parse_command, parse_reply};

/// Lines for the parser of commands or replies, each with its meaning and its errors.
fn rows(parser: &str) -> Vec<(String, &'static str, &'static str)> {
    let mut rows = Vec::new();
    for row in include_str!("../lines.tsv").lines().filter(|row| !row.starts_with('#')) {
        let fields: Vec<_> = row.split('\t').collect();
        let &[found, line, meaning, errors] = fields.as_slice() else { panic!("{row}") };
        if found == parser {
            let line = line.replace("\\t", "\t").replace("\\r", "\r").replace("\\n", "\n");
            rows.push((line.replace("\\u{feff}", "\u{feff}"), meaning, errors));
        }
    }
    assert!(rows.len() > 60, "{} lines for `{parser}`", rows.len());
    rows
}

/// Variant and printed text of a command or reply, such as `Perft: perft 5`.
fn meaning(value: &(impl Debug + Display)) -> String {
    let debugged = format!("{value:?}");
    let variant = debugged.split([' ', '(']).next().unwrap_or_default();
    format!("{variant}: {value}").replace('\t', "\\t")
}

/// Byte offset and message of each error.
fn shown(errors: &[LineError]) -> String {
    errors.iter().map(|error| format!("{} {error}", error.offset)).collect::<Vec<_>>().join(" | ")
}

#[test]
fn commands_are_read_as_the_table_says() {
    for (line, expected, errors) in rows("command") {
        let found = match parse_command(&line) {
            Ok(None) => (String::new(), String::new()),
            Ok(Some(Parsed { command, warnings })) => {
                let (shown_command, errors) = (meaning(&command), shown(&warnings));
                let printed = command.to_string();
                assert_eq!(parse_command(&printed), Ok(Some(Parsed { command, warnings: Vec::new() })));
                (shown_command, errors)
            }
            Err(error) => (String::new(), shown(&[error])),
        };
        assert_eq!(found, (expected.to_owned(), errors.to_owned()), "{line:?}");
    }
}

#[test]
fn replies_are_read_as_the_table_says() {
    for (line, expected, errors) in rows("reply") {
        let found = match parse_reply(&line) {
            Ok(reply) => (meaning(&reply), String::new()),
            Err(error) => (String::new(), shown(&[error])),
        };
        assert_eq!(found, (expected.to_owned(), errors.to_owned()), "{line:?}");
    }
}
