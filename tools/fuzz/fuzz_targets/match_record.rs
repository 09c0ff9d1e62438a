//! Any bytes are read as the record of a match without a panic; what was read is written and read again as the same, and
//! is made into PGN.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plumb_arena::pgn::to_pgn;
use plumb_arena::record::file::{read, to_line};

fuzz_target!(|bytes: &[u8]| {
    let Ok(record) = read(bytes) else { return };
    let mut written = to_line(&record.header).expect("JSON") + "\n";
    for game in &record.games {
        written += &(to_line(game).expect("JSON") + "\n");
        let _ = to_pgn(&record.header, game);
    }
    let again = read(written.as_bytes()).expect("what was written can be read");
    assert_eq!((again.header, again.games), (record.header, record.games));
});
