//! Any text is read as a command without a panic. The printed command reads as an equal command without a
//! warning.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plumb_protocol::{MAX_WARNINGS, Parsed, parse_command};

fuzz_target!(|line: &str| match parse_command(line) {
    Ok(None) => {}
    Ok(Some(Parsed { command, warnings })) => {
        assert!(warnings.len() <= MAX_WARNINGS);
        assert!(warnings.iter().all(|warning| !warning.to_string().contains(char::is_control)));
        let displayed = command.to_string();
        assert_eq!(parse_command(&displayed), Ok(Some(Parsed { command, warnings: Vec::new() })));
    }
    Err(error) => {
        assert!(line.is_char_boundary(error.offset));
        assert!(!error.to_string().contains(char::is_control));
    }
});
