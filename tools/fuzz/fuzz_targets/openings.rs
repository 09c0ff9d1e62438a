//! Any text is read as a file of openings without a panic, for boards of two sizes. Each opening can be played on its
//! board.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plumb::board::{Board, BoardSize, Position, PositionReader};
use plumb_arena::openings::{parse, parse_pgn};

fuzz_target!(|text: &str| {
    for (width, height) in [(7, 6), (10, 9)] {
        let board = Board::new(BoardSize { width, height }).expect("128 bits hold it");
        let reader = PositionReader::new(board);
        for openings in
            [parse(&reader, text, "file"), parse_pgn(&reader, text, "file", 8)].into_iter().flatten()
        {
            for opening in openings {
                let mut position = Position::empty(board);
                for column in opening.columns {
                    position = position.play(column).expect("an opening is legal");
                }
                assert!(position.outcome().is_none());
            }
        }
    }
});
