//! Any text is read as a file of openings without a panic; each opening can be played.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plumb::board::{Position, Standard};
use plumb_arena::openings::{parse, parse_pgn};

fuzz_target!(|text: &str| {
    for openings in [parse(text, "file"), parse_pgn(text, "file", 8)].into_iter().flatten() {
        for opening in openings {
            let mut position = Position::<Standard>::new();
            for column in opening.columns {
                position = position.play(column).expect("an opening is legal");
            }
            assert!(position.outcome().is_none());
        }
    }
});
