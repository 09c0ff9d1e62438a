//! The library and the command `position` read the texts in `tests/positions.tsv` as the table says.

use plumb::board::{AnyBoard, BoardSize, Position, PositionReader, Remedies, column_names};

use crate::common::Engine;
use crate::position_table::{Row, rows};

fn board(row: &Row) -> AnyBoard<u128> {
    AnyBoard::new(row.board.parse().expect("a size")).expect("a board")
}

#[test]
fn the_library_reads_every_text_as_the_table_says() {
    let rows = rows();
    assert!(rows.len() > 80, "{} rows", rows.len());
    for row in rows {
        let (geometry, text) = (board(&row), &row.text);
        let remedies = Remedies { first_column: "count from 0", board: "try {}" };
        let reader =
            PositionReader { first_column: row.first_column, remedies, ..PositionReader::new(geometry) };
        let read = reader.read(text);
        let Some(fen) = &row.fen else {
            let error = read.expect_err(text);
            assert_eq!(error.to_string(), row.error("count from 0", "try {}"), "{text:?}");
            assert!(text[error.offset..].starts_with(error.token.trim_end_matches('…')), "{error}");
            let silent = PositionReader { remedies: Remedies::default(), ..reader };
            assert_eq!(silent.read(text).expect_err(text).to_string(), row.error("", ""), "{text:?}");
            continue;
        };
        let read = read.unwrap_or_else(|error| panic!("{text:?}: {error}"));
        assert_eq!(Ok(read.position), Position::from_fen_on(geometry, fen), "{text:?}");
        let Some(columns) = read.columns else { continue };
        let width = row.board.parse::<BoardSize>().expect("a size").width;
        let written = column_names(width, columns.iter().copied());
        let again = PositionReader::new(geometry).read(&written);
        assert_eq!(again.map(|read| read.columns), Ok(Some(columns)), "{written}");
    }
}

#[test]
fn the_command_position_reads_what_its_grammar_has_and_says_the_same() {
    let mut engine = Engine::start();
    let mut count = 0;
    for row in rows().into_iter().filter(|row| row.is_command) {
        engine.send(&format!("setoption name Board value {}", row.board));
        engine.send(&format!("position {}", row.text));
        count += 1;
        let Some(fen) = &row.fen else {
            let error = row.error("", "");
            assert_eq!(engine.line(), format!("info string {error}; the position stays as it was"));
            continue;
        };
        let position = Position::from_fen_on(board(&row), fen).expect(fen);
        engine.ask("query fen", &format!("response {}", position.fen()));
    }
    assert!(count > 30, "{count} texts");
    engine.quit();
}
