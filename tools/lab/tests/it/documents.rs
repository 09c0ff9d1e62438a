//! Checks the commands in the Markdown files: each flag exists, and each value is valid.

use std::process::Command;

#[cfg(unix)]
use crate::common::beside_lab;

const DOCUMENTS: [&str; 14] = [
    include_str!("../../../../README.md"),
    include_str!("../../../../GUIDE.md"),
    include_str!("../../../../FAQ.md"),
    include_str!("../../../../CONTRIBUTING.md"),
    include_str!("../../../../src/book/README.md"),
    include_str!("../../../../src/search/README.md"),
    include_str!("../../../../tests/suites/README.md"),
    include_str!("../../../matches.md"),
    include_str!("../../../positions.md"),
    include_str!("../../../hash.md"),
    include_str!("../../../bridges/README.md"),
    include_str!("../../../cluster/README.md"),
    include_str!("../../../studies/README.md"),
    include_str!("../../../web/README.md"),
];

/// The command lines of the shell blocks, with continued lines joined and comments removed.
fn shell_lines(document: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for block in document.split("\n```sh\n").skip(1) {
        let (block, _) = block.split_once("\n```").expect("the block is closed");
        for line in block.replace("\\\n", " ").lines() {
            let (line, _) = line.split_once(" #").unwrap_or((line, ""));
            lines.push(line.to_owned());
        }
    }
    lines
}

/// The arguments of `program` in a line, as the shell reads them; `{}` of GNU parallel stands for 1.
fn arguments(program: &str, line: &str) -> Option<String> {
    let mut arguments = line.split_once(program)?.1;
    for end in [" | ", " > ", " &", ";", " :::"] {
        arguments = arguments.split_once(end).map_or(arguments, |(before, _)| before);
    }
    Some(arguments.replace("{}", "1"))
}

#[cfg(unix)]
#[test]
fn commands_are_valid() {
    for (program, least) in [("plumb-lab", 60), ("plumb-studies", 5)] {
        let path = beside_lab(program);
        let lines = DOCUMENTS.into_iter().flat_map(shell_lines);
        let mut count = 0;
        for arguments in lines.filter_map(|line| arguments(&format!("{program} "), &line)) {
            let script = format!("exec \"$0\" {arguments} --help");
            let run = Command::new("sh").args(["-c", &script, &path]).output().expect("there is a shell");
            let error = String::from_utf8_lossy(&run.stderr);
            assert!(run.status.success(), "{program} {arguments}: {error}");
            count += 1;
        }
        assert!(count > least, "there are only {count} commands of {program}");
    }
}
