//! The dialogues of the README: every line is one of the protocol and reads back as it was printed.

use plumb_protocol::{Go, Info, Reply, parse_command, parse_reply};

const README: &str = include_str!("../README.md");

/// The lines of each fenced block of this kind.
fn blocks(kind: &str) -> Vec<Vec<&'static str>> {
    let mut blocks = Vec::new();
    let mut lines = README.lines();
    while let Some(line) = lines.next() {
        if let Some(info) = line.strip_prefix("```") {
            let block = lines.by_ref().take_while(|line| *line != "```").collect();
            if info == kind {
                blocks.push(block);
            }
        }
    }
    blocks
}

/// A command is read without a complaint. One that earns a complaint is answered by it, word for word.
fn check_command(line: &str, answer: Option<&str>) {
    let complaint = match parse_command(line) {
        Ok(Some(parsed)) => {
            let displayed = parsed.command.to_string();
            let again = parse_command(&displayed);
            assert_eq!(
                again.map(|again| again.map(|again| again.command)),
                Ok(Some(parsed.command)),
                "{line:?}"
            );
            parsed.warnings.first().map(ToString::to_string)
        }
        Ok(None) => panic!("a blank line was sent"),
        Err(error) => Some(error.to_string()),
    };
    if let Some(complaint) = complaint {
        // The engine, which knows the board, has a sentence of its own for a column 0.
        let complaint = complaint.replace("expected a column from 1 to 9", "columns count from 1 (1 to 7)");
        let parts =
            answer.and_then(|answer| answer.strip_prefix("< info string *")).map(|text| text.split('*'));
        let mut parts = parts.unwrap_or_else(|| panic!("{line:?}: {complaint} is not answered"));
        assert!(
            parts.all(|part| complaint.contains(part)),
            "{line:?}: {complaint}, but the answer is {answer:?}"
        );
    }
}

fn check_reply(line: &str) {
    let reply = parse_reply(line).unwrap_or_else(|error| panic!("{line:?}: {error}"));
    assert!(!matches!(reply, Reply::Text(_)), "{line:?} is no line of the protocol");
    if !line.contains('*') {
        assert_eq!(reply.to_string(), line);
    }
}

#[test]
fn dialogues_are_of_this_protocol() {
    let dialogues = blocks("dialogue");
    assert!(dialogues.len() >= 8, "only {} dialogues", dialogues.len());
    for dialogue in dialogues {
        for (i, line) in dialogue.iter().enumerate() {
            if let Some(command) = line.strip_prefix("> ") {
                check_command(command, dialogue.get(i + 1).copied());
            } else if let Some(reply) = line.strip_prefix("< ") {
                check_reply(reply);
            } else {
                assert_eq!(*line, "...", "neither sent nor received");
            }
        }
    }
}

#[test]
fn words_of_go_and_fields_of_info_are_documented() {
    for word in Go::WORDS.iter().copied().flatten() {
        let rows = README.lines().filter(|line| line.starts_with("| `"));
        assert!(
            rows.filter_map(|row| row.split(" | ").next()).any(|cell| cell.contains(&format!("`{word}`"))),
            "{word}"
        );
    }
    let order = blocks("text").into_iter().flatten().find(|line| line.starts_with("depth seldepth"));
    assert_eq!(order, Some(Info::FIELDS.join(" ").as_str()));
}
