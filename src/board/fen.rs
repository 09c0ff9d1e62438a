//! Positions as FEN and as drawings. Reads several dialects of FEN, and writes the dialect of
//! Fairy-Stockfish.

use std::fmt::{self, Write};

use super::bits::Bits;
use super::geometry::{Geometry, StaticGeometry};
use super::parse_error::{ParsePositionError, PositionFault, malformed, offset, words};
use super::position::{Player, Position};
use super::size::BoardSize;

fn owner(letter: char) -> Option<Player> {
    match letter {
        'P' | 'X' | 'x' | 'r' | 'R' => Some(Player::First),
        'p' | 'O' | 'o' | 'y' | 'Y' => Some(Player::Second),
        _ => None,
    }
}

/// Parses the rows of a FEN into the owners of all cells, row by row from the top.
fn owners(geometry: impl Geometry, text: &str) -> Result<Vec<Option<Player>>, ParsePositionError> {
    let height = geometry.height();
    let (mut owners, mut rows) = (Vec::new(), 0);
    for line in text.split('/') {
        let start = offset(text, line);
        if rows == height {
            return Err(malformed(line, start, format!("one row too many, the board has {height}")));
        }
        owners.extend(read_row(geometry.width() as usize, line, start)?);
        rows += 1;
    }
    if rows != height {
        return Err(malformed(text, 0, format!("expected {height} rows, found {rows}")));
    }
    Ok(owners)
}

fn read_row(width: usize, line: &str, start: usize) -> Result<Vec<Option<Player>>, ParsePositionError> {
    let (mut owners, mut gap) = (Vec::new(), 0);
    for (index, letter) in line.char_indices() {
        if let Some(digit) = letter.to_digit(10) {
            // On a board of more than nine columns `12` is a gap of twelve, otherwise gaps of 1 and 2. The limit
            // avoids an overflow.
            gap = if width > 9 { gap * 10 + digit as usize } else { gap + digit as usize }.min(1000);
            continue;
        }
        owners.resize(owners.len() + std::mem::take(&mut gap), None);
        let player = owner(letter).ok_or_else(|| {
            let reason = "expected a stone (P p, X O, r y), a number of gaps or `/`";
            malformed(&letter.to_string(), start + index, reason)
        })?;
        if owners.len() >= width {
            return Err(malformed(line, start, format!("the row is wider than {width} columns")));
        }
        owners.push(Some(player));
    }
    owners.resize(owners.len() + gap, None);
    let columns = owners.len();
    if columns != width {
        return Err(malformed(line, start, format!("the row has {columns} columns, the board {width}")));
    }
    Ok(owners)
}

impl<G: StaticGeometry> Position<G> {
    /// Reads a FEN: rows from the top with `/` between them. Optional fields follow: a pocket in brackets, the side
    /// to move (`w r x` first player, `b y o` second) and up to four counters. Stones are `P p`, `X O` (either case)
    /// or `r y` of the first and the second player.
    ///
    /// # Errors
    /// The first token that is not part of a FEN, or stones that no game has.
    ///
    /// ```
    /// use plumb::board::Position;
    ///
    /// let position: Position = Position::from_fen("7/7/7/7/3o3/3xx2 o")?;
    /// assert_eq!(Ok(position), Position::from_digits("445"));
    /// # Ok::<(), plumb::board::ParsePositionError>(())
    /// ```
    pub fn from_fen(text: &str) -> Result<Self, ParsePositionError> {
        Self::from_fen_on(G::default(), text)
    }
}

impl<G: Geometry> Position<G> {
    /// Reads a FEN of a position on a board of this size.
    ///
    /// # Errors
    /// As [`from_fen`](Position::from_fen).
    pub fn from_fen_on(geometry: G, text: &str) -> Result<Self, ParsePositionError> {
        let mut fields = words(text, char::is_whitespace);
        let (start, board) = fields.next().unwrap_or((0, ""));
        let rows = match board.split_once('[') {
            Some((_, pocket)) if !pocket.ends_with(']') => {
                return Err(malformed(pocket, offset(text, pocket), "the pocket has no closing `]`"));
            }
            Some((rows, _)) => rows,
            None => board,
        };
        let owners = owners(geometry, rows).map_err(|error| {
            let expected = geometry.size();
            match BoardSize::of_fen(rows) {
                Some(found) if found != expected && found.exists() => {
                    ParsePositionError::new(rows, start, PositionFault::OtherBoard { found, expected })
                }
                _ => error.shifted(start),
            }
        })?;
        let position = Self::from_cells(geometry, owners, None);
        let position = position.map_err(|reason| malformed(rows, start, reason))?;
        if let Some((at, side)) = fields.next() {
            let named = match side {
                "w" | "r" | "x" | "X" => Player::First,
                "b" | "y" | "o" | "O" => Player::Second,
                _ => return Err(malformed(side, at, "expected the side to move, `w` or `b`")),
            };
            if named != position.side_to_move() {
                let [first, second] =
                    [Player::First, Player::Second].map(|player| position.stones(player).count());
                let expected = if named == Player::First { 'b' } else { 'w' };
                let reason = format!("with {first} and {second} stones `{expected}` is to move");
                return Err(malformed(side, at, reason));
            }
        }
        for (index, (at, field)) in fields.enumerate() {
            let is_counter = field == "-" || field.bytes().all(|byte| byte.is_ascii_digit());
            if index >= 4 || !is_counter {
                return Err(malformed(field, at, "expected at most `- -` and two counters here"));
            }
        }
        Ok(position)
    }

    /// The FEN of Fairy-Stockfish's `cfour`: rows, stones in hand in brackets, side to move, counters.
    #[must_use]
    pub fn fen(&self) -> String {
        let geometry = self.geometry();
        let row = |row: u32| {
            let owners = (0..geometry.width()).map(|column| self.owner(geometry.cell(column, row)));
            let owners: Vec<_> = owners.collect();
            let parts = owners.chunk_by(|one, next| one.is_none() && next.is_none());
            let part = |part: &[Option<Player>]| match part[0] {
                Some(Player::First) => "P".to_owned(),
                Some(Player::Second) => "p".to_owned(),
                None => part.len().to_string(),
            };
            parts.map(part).collect::<String>()
        };
        let text = (0..geometry.height()).rev().map(row).collect::<Vec<_>>().join("/");
        let first_left = geometry.cells().div_ceil(2) - self.plies().div_ceil(2);
        let second_left = geometry.cells() / 2 - self.plies() / 2;
        let side = if self.side_to_move() == Player::First { 'w' } else { 'b' };
        format!(
            "{text}[{}{}] {side} - - 0 {}",
            "P".repeat(first_left as usize),
            "p".repeat(second_left as usize),
            self.plies() / 2 + 1
        )
    }
}

impl<G: Geometry> fmt::Display for Position<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen())
    }
}

impl<G: Geometry> Position<G> {
    /// A drawing: `X` the first player, `O` the second, with ranks and column letters.
    ///
    /// ```
    /// use plumb::board::{Narrow, Position};
    ///
    /// let position: Position<Narrow<4, 4>> = "112".parse()?;
    /// let drawing = position.diagram();
    /// assert_eq!(drawing.lines().nth(2), Some(" 2 | O . . ."));
    /// assert_eq!(drawing.lines().nth(3), Some(" 1 | X X . ."));
    /// assert_eq!(drawing.lines().nth(4), Some("     a b c d"));
    /// # Ok::<(), plumb::board::ParsePositionError>(())
    /// ```
    #[must_use]
    pub fn diagram(&self) -> String {
        let geometry = self.geometry();
        let mut rows = String::new();
        for row in (0..geometry.height()).rev() {
            let _ = write!(rows, "{:>2} |", row + 1);
            for column in 0..geometry.width() {
                rows += match self.owner(geometry.cell(column, row)) {
                    Some(Player::First) => " X",
                    Some(Player::Second) => " O",
                    None => " .",
                };
            }
            rows.push('\n');
        }
        let letters: String =
            (0..geometry.width()).flat_map(|column| [' ', char::from(b'a' + column as u8)]).collect();
        format!("{rows}    {letters}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::geometry::Standard;
    use proptest::prelude::*;

    const START: &str = "7/7/7/7/7/7[PPPPPPPPPPPPPPPPPPPPPppppppppppppppppppppp] w - - 0 1";

    #[test]
    fn the_written_form_is_that_of_fairy_stockfish() {
        assert_eq!(Position::<Standard>::new().fen(), START);
        let position: Position = Position::from_digits("44").expect("legal");
        assert_eq!(position.fen(), "7/7/7/7/3p3/3P3[PPPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] w - - 0 2");
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,80}|[7/Pp w0-9\\[\\]]{0,60}") {
            let _ = Position::<Standard>::from_fen(&text);
        }
    }
}
