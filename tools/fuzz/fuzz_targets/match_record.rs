//! Any bytes are read as the record of a match without a panic. A written record reads as an equal record, and is
//! converted to PGN.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use plumb_arena::pgn::to_pgn;
use plumb_arena::record::file::{RecordReader, to_line};
use plumb_arena::record::{GameRecord, MatchHeader};

fn read(bytes: &[u8]) -> Option<(MatchHeader, Vec<GameRecord>)> {
    let mut reader = RecordReader::new(bytes, Path::new("match.jsonl")).ok()??;
    let mut games = Vec::new();
    while let Some(game) = reader.next_game().ok()? {
        games.push(game);
    }
    Some((reader.header, games))
}

fuzz_target!(|bytes: &[u8]| {
    let Some((header, games)) = read(bytes) else { return };
    let mut written = to_line(&header).expect("JSON") + "\n";
    for game in &games {
        written += &(to_line(game).expect("JSON") + "\n");
        let _ = to_pgn(&header, game);
    }
    assert_eq!(read(written.as_bytes()), Some((header, games)));
});
