//! Any bytes are read as an opening book without a panic, and look-ups in the book do not panic either. The target writes
//! the right length into the header, and builds for fuzzing do not compare checksums. A fuzzer would find neither.
#![no_main]

use std::borrow::Cow;

use libfuzzer_sys::fuzz_target;
use plumb::board::{Narrow, Position};
use plumb::book::{Book, BookProbe};

type Board = Narrow<5, 4>;

fuzz_target!(|bytes: &[u8]| {
    let mut file = bytes.to_vec();
    if let Some(length) = file.get_mut(16..20) {
        length.copy_from_slice(&(bytes.len() as u32).to_le_bytes());
    }
    let Ok(book) = Book::open(Cow::Owned(file)) else { return };
    let mut position = Position::<Board>::new();
    for column in [2, 2, 2, 1, 3, 3, 0, 4, 1, 2, 1, 0, 4, 4] {
        let _ = (book.look_up(&position), book.stored_score(&position), book.extension_move(&position));
        let _ = book.bounds_past_last_layer(&position);
        if let Some(mut probe) = BookProbe::new(&book, &position) {
            let _ = (probe.score(&position), probe.best_move(&position), probe.best_line(position, 0));
        }
        let Some(next) = position.play(column) else { break };
        let _ = book.upper_bound_of_move(&position, &next);
        position = next;
    }
});
