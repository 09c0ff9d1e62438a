//! Any bytes are read as the record of a match without a panic; what was read is written and read again as the same, and
//! is made into PGN.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plumb_arena::pgn::to_pgn;
use plumb_arena::record::file::{Writer, read};

fuzz_target!(|bytes: &[u8]| {
    let Ok(record) = read(bytes) else { return };
    let mut written = Vec::new();
    let mut writer = Writer::new(&mut written, &record.header).expect("memory takes it");
    for game in &record.games {
        writer.append(game).expect("memory takes it");
        let _ = to_pgn(&record.header, game);
    }
    let again = read(&written[..]).expect("what was written can be read");
    assert_eq!((again.header, again.games, again.is_broken_off), (record.header, record.games, false));
});
