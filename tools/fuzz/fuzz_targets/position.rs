//! Any text is read as a position without a panic, and what a position displays as reads the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plumb::board::{Narrow, Position, Standard, StaticGeometry, Wide};

fn check<G: StaticGeometry>(text: &str) {
    for read in [Position::<G>::from_fen(text).ok(), Position::from_digits(text).ok(), text.parse().ok()] {
        let Some(position) = read else { continue };
        assert_eq!(Position::from_fen(&position.fen()), Ok(position));
        assert_eq!(Position::from_key(position.key()), Some(position));
        assert_eq!(position.mirrored().mirrored(), position);
        assert_eq!(position.legal_columns().next().is_none(), position.outcome().is_some());
    }
    if let Err(error) = text.parse::<Position<G>>() {
        assert!(!error.to_string().contains(char::is_control), "{error}");
    }
}

fuzz_target!(|text: &str| {
    check::<Standard>(text);
    check::<Narrow<4, 4>>(text);
    check::<Wide<12, 9>>(text);
});
