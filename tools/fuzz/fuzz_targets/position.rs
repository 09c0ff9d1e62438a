//! Any text is read as a position without a panic. The printed position, and its printed moves, read as an equal
//! position.
#![no_main]

use libfuzzer_sys::fuzz_target;
use plumb::board::{Narrow, Position, PositionReader, Standard, StaticGeometry, Wide, column_names};

fn check<G: StaticGeometry>(text: &str) {
    for first_column in [0, 1] {
        let reader = PositionReader { first_column, ..PositionReader::new(G::default()) };
        let read = match reader.read(text) {
            Ok(read) => read,
            Err(error) => {
                assert!(!error.to_string().contains(char::is_control), "{error}");
                assert!(text.is_char_boundary(error.offset), "{error}");
                continue;
            }
        };
        let position = read.position;
        assert_eq!(Position::from_fen(&position.fen()), Ok(position));
        assert_eq!(position.to_string().parse(), Ok(position));
        assert_eq!(Position::from_key(position.key()), Some(position));
        assert_eq!(position.mirrored().mirrored(), position);
        assert_eq!(position.legal_columns().next().is_none(), position.outcome().is_some());
        if let Some(columns) = read.columns {
            assert_eq!(column_names(G::WIDTH, columns).parse(), Ok(position));
        }
    }
    let _ = Position::<G>::from_digits(text);
}

fuzz_target!(|text: &str| {
    check::<Standard>(text);
    check::<Narrow<4, 4>>(text);
    check::<Wide<12, 9>>(text);
});
