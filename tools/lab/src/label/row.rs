//! A row of the input: its fields as they are, and the position that it names.

use std::borrow::Cow;
use std::fmt;

use csv::ByteRecord;
use plumb::board::{Board, BoardSize, Geometry, Position};
use plumb_tools_common::notation::{column_name, position_after};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The name of the column or key that has the position.
pub(super) const POSITION: &str = "position";

/// The most characters of a text that a message repeats.
const MAX_QUOTED: usize = 60;

/// A row.
pub(super) struct Row {
    pub fields: Fields,
    /// The position; the fault if there is none.
    pub position: Result<Position<Board>, String>,
}

/// The fields of a row.
pub(super) enum Fields {
    /// Those of CSV or plain text, in the order of the columns, and as many.
    Cells(ByteRecord),
    /// Those of a JSON object.
    Object(Object),
}

/// A JSON object: its text, so that it can be written as it was, and its members in their order.
pub(super) struct Object {
    pub text: String,
    pub members: Vec<(String, Box<RawValue>)>,
}

impl Row {
    /// The row of CSV or plain text with these cells, that of the position at `index`. A row with fewer cells than
    /// `columns` gets empty ones; more are joined to the last one by commas, so that nothing of a malformed row is lost.
    pub(super) fn of_cells(cells: &ByteRecord, index: usize, columns: usize, board: Board) -> Self {
        let position = match cells.len() {
            found if found != columns => {
                let first = cells.get(0).map(String::from_utf8_lossy).unwrap_or_default();
                Err(format!(
                    "`{}`: the row has {found} fields, expected {columns} as in the header",
                    cut(&first)
                ))
            }
            _ => parse(board, &cells[index]),
        };
        let mut fitted: Vec<Cow<'_, [u8]>> = cells.iter().take(columns).map(Cow::Borrowed).collect();
        fitted.resize(columns, Cow::Borrowed(b""));
        if let Some(last) = fitted.last_mut() {
            for surplus in cells.iter().skip(columns) {
                last.to_mut().extend([b",", surplus].concat());
            }
        }
        Self { fields: Fields::Cells(fitted.iter().collect()), position }
    }

    /// The row of a line of JSON. What is no object becomes one whose position is the line.
    pub(super) fn of_json(line: &[u8], board: Board) -> Self {
        let text = String::from_utf8_lossy(line).trim().to_owned();
        let read = match str::from_utf8(line) {
            Ok(_) => Object::read(&text),
            Err(_) => Err(format!("`{}` is not UTF-8, expected a JSON object", cut(&text))),
        };
        match read {
            Ok(object) => {
                let position = object.position(board);
                Self { fields: Fields::Object(object), position }
            }
            Err(fault) => {
                let value = serde_json::Value::from(text).to_string();
                let members = RawValue::from_string(value.clone()).map(|value| (POSITION.to_owned(), value));
                let object = Object {
                    text: format!("{{\"{POSITION}\":{value}}}"),
                    members: members.into_iter().collect(),
                };
                Self { fields: Fields::Object(object), position: Err(fault) }
            }
        }
    }

    /// The keys of the row, if it is a JSON object.
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        let members = match &self.fields {
            Fields::Object(object) => object.members.as_slice(),
            Fields::Cells(_) => &[],
        };
        members.iter().map(|(key, _)| key.as_str())
    }
}

impl Object {
    fn read(text: &str) -> Result<Self, String> {
        let Members(members) = serde_json::from_str(text).map_err(|error| {
            let said = error.to_string();
            let fault = said.split(" at line ").next().unwrap_or_default();
            format!("`{}`: column {}: {fault}; expected a JSON object", cut(text), error.column())
        })?;
        Ok(Self { text: text.to_owned(), members })
    }

    fn position(&self, board: Board) -> Result<Position<Board>, String> {
        let mut values = self.members.iter().filter(|(key, _)| key == POSITION);
        let (Some((_, value)), None) = (values.next(), values.next()) else {
            return Err(format!("`{}`: expected one key `{POSITION}`", cut(&self.text)));
        };
        match serde_json::from_str::<String>(value.get()) {
            Ok(text) => parse(board, text.as_bytes()),
            Err(_) => Err(format!("`{POSITION}` is `{}`, expected a string", cut(value.get()))),
        }
    }
}

/// The members of an object in their order; a map of `serde_json` would sort them.
struct Members(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

/// The position on a board that a text names.
pub(super) fn parse(board: Board, text: &[u8]) -> Result<Position<Board>, String> {
    let name = |column| column_name(board.width(), column);
    let (first, last, middle) = (name(0), name(board.width() - 1), name(board.width() / 2));
    let next = name(board.width() / 2 + 1);
    let expected =
        || format!("expected columns from {first} to {last}, such as {middle}{middle}{next}{next}, or a FEN");
    let Ok(text) = str::from_utf8(text) else {
        return Err(format!("`{}` is not UTF-8; {}", cut(&String::from_utf8_lossy(text)), expected()));
    };
    let text = text.trim();
    let fault = |error: &dyn fmt::Display| format!("`{}`: {error}; {}", cut(text), expected());
    if !text.contains('/') {
        return position_after(board, text).map_err(|error| fault(&error));
    }
    Position::from_fen_on(board, text).map_err(|error| {
        let size =
            BoardSize::of_fen(text).filter(|&size| size != board.size() && size.check(u128::BITS).is_ok());
        size.map_or_else(
            || fault(&error),
            |size| format!("`{}`: {}", cut(text), of_another_size(board, size)),
        )
    })
}

/// The fault of a FEN of `size` where one of `board` is expected.
fn of_another_size(board: Board, size: BoardSize) -> String {
    format!("a FEN of {size}, which `--board {size}` reads; expected one of {board}")
}

/// The beginning of a text, for messages.
pub(super) fn cut(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_another_length_keeps_all_its_cells() {
        let cells = |cells: &[&str]| Row::of_cells(&cells.to_vec().into(), 0, 2, Board::default());
        for (given, kept) in
            [(&["44", "a"][..], ["44", "a"]), (&["44"], ["44", ""]), (&["44", "a", "b"], ["44", "a,b"])]
        {
            let row = cells(given);
            assert_eq!(row.position.is_ok(), given.len() == 2);
            let Fields::Cells(found) = row.fields else { panic!("cells") };
            assert_eq!(found, kept.to_vec());
        }
    }

    #[test]
    fn members_stay_in_their_order_and_as_they_were() {
        let row = Row::of_json(br#" {"z": 1.50, "position": "44", "a": [1, 2]} "#, Board::default());
        assert_eq!(row.position, Ok(Position::from_digits_on(Board::default(), "44").expect("legal")));
        assert_eq!(row.keys().collect::<Vec<_>>(), ["z", "position", "a"]);
        let Fields::Object(object) = row.fields else { panic!("an object") };
        assert_eq!(object.members[0].1.get(), "1.50");
    }

    #[test]
    fn faults_name_token_and_what_was_expected() {
        let fault = |line: &str| Row::of_json(line.as_bytes(), Board::default()).position.expect_err(line);
        assert_eq!(
            fault("[44]"),
            "`[44]`: column 0: invalid type: sequence, expected an object; expected a JSON object"
        );
        assert_eq!(fault(r#"{"moves":"44"}"#), r#"`{"moves":"44"}`: expected one key `position`"#);
        assert_eq!(fault(r#"{"position":44}"#), "`position` is `44`, expected a string");
        let expected = "expected columns from 1 to 7, such as 4455, or a FEN";
        let digit = "`x` at byte 2: not a column digit from 1 to 9";
        assert_eq!(fault(r#"{"position":"44x"}"#), format!("`44x`: {digit}; {expected}"));
    }

    #[test]
    fn positions_are_of_the_board_that_is_given() {
        let read = |size: &str, text: &str| {
            let board = size.parse::<Board>().expect("a size");
            parse(board, text.as_bytes()).map(|position| position.fen())
        };
        let fault = |size: &str, text: &str| read(size, text).expect_err(text);
        assert_eq!(read("10x4", " jj "), read("10x4", "10/10/9p/9P w"));
        assert_eq!(read("5x4", "33"), read("5x4", "5/5/2p2/2P2"));
        assert_eq!(
            fault("10x4", "j1"),
            "`j1`: `1` at byte 1: not a column letter from a to j; expected columns from a to j, such as ffgg, or a FEN"
        );
        assert_eq!(
            fault("5x4", "336"),
            "`336`: `6` at byte 2: there is no column f (columns a to e); expected columns from 1 to 5, such as 3344, or a FEN"
        );
        let fen = "8/8/8/8/8/8/8 w";
        assert_eq!(
            fault("7x6", fen),
            format!("`{fen}`: a FEN of 8x7, which `--board 8x7` reads; expected one of 7x6")
        );
        // Of no size at all, and too small for any board.
        for fen in ["7/7/7/7/7/8", "7/7 w"] {
            assert!(
                fault("7x6", fen).ends_with("; expected columns from 1 to 7, such as 4455, or a FEN"),
                "{fen}"
            );
        }
    }
}
