//! Any text is read as a reply without a panic. The printed reply reads as an equal reply.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plumb_protocol::parse_reply;

fuzz_target!(|line: &str| match parse_reply(line) {
    Ok(reply) => assert_eq!(parse_reply(&reply.to_string()), Ok(reply)),
    Err(error) => {
        assert!(line.is_char_boundary(error.offset));
        assert!(!error.to_string().contains(char::is_control));
    }
});
