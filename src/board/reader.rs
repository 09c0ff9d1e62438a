//! Reads positions from text in any notation.

use std::fmt;
use std::str::FromStr;

use super::cells;
use super::geometry::{Geometry, StaticGeometry};
use super::moves::{ColumnNotation, Move};
use super::parse_error::{ParsePositionError, PositionFault, Token, characters, malformed, offset, words};
use super::position::{Player, Position};

/// Reads positions of a board from text in any of these forms:
///
/// - a list of moves from the empty board, separated by blanks or commas: column numbers `4 4 5 5`, letters
///   `d d e e`, or moves with the landing rank, `d1 d2` or `P@d1 P@d2`;
/// - one word of column digits, `4455` (up to nine columns), or letters, `ddee`;
/// - a [FEN](Position::from_fen);
/// - a symbol for each cell, with or without blanks, commas and brackets: `0 1 2` (empty, first, second player),
///   `0 1 -1` or `. x o` by rows from the top, or `b x o` by columns from the bottom;
/// - [`Form::Bits`] and [`Form::Digits`], if you choose them.
///
/// The reader ignores a byte-order mark, and blanks and brackets around the text. It skips the words `position`,
/// `startpos`, `moves` and `fen` of a UCI command before the text. With 20 columns or more it skips them only before
/// a FEN, because `position` could be eight moves there. The empty text is the empty board.
///
/// ```
/// use plumb::board::{PositionReader, Standard};
///
/// let reader = PositionReader::new(Standard::default());
/// let read = reader.read("4 4 5 5")?;
/// assert_eq!((read.position.plies(), read.columns), (4, Some(vec![3, 3, 4, 4])));
/// let from_0 = PositionReader { first_column: 0, ..reader };
/// assert_eq!(from_0.read("3344")?.position, read.position);
/// let error = reader.read("4458").unwrap_err();
/// assert_eq!(error.to_string(), "move 4, `8`: there is no column 8 (columns 1 to 7)");
/// # Ok::<(), plumb::board::ParsePositionError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PositionReader<G> {
    /// The board of the positions.
    pub geometry: G,
    /// The number of the leftmost column, 1 or 0; letters do not depend on it.
    pub first_column: u32,
    /// The form of the text.
    pub form: Form,
    /// The side to move, for texts that list cells or have two bitboards. `None` counts the stones: the first
    /// player began.
    pub mover: Option<Player>,
    /// Hints for error messages, about a setting that accepts the text.
    pub remedies: Remedies,
}

/// The notation of a position in text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Detects the form from the characters of the text. Never detects `Bits` or `Digits`.
    #[default]
    Any,
    /// A list of moves from the empty board.
    Moves,
    /// One character per move: a digit, then `a` or `:` for column 10, `b` or `;` for column 11, and so on.
    Digits,
    /// A FEN.
    Fen,
    /// A symbol for each cell, row by row from the top.
    Rows,
    /// A symbol for each cell, column by column from the left, each from the bottom.
    Columns,
    /// Two bitboards as integers: the stones of the side to move and of both sides, or of each side. The bit
    /// of a cell is `(height + 1) * column + row`, counted from 0 at the bottom left.
    Bits,
}

impl FromStr for Form {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = [Self::Any, Self::Moves, Self::Digits, Self::Fen, Self::Rows, Self::Columns, Self::Bits];
        let found = all.into_iter().find(|form| form.to_string() == text);
        found.ok_or_else(|| format!("expected one of {}", all.map(|form| form.to_string()).join(", ")))
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format!("{self:?}").to_lowercase())
    }
}

/// Hints for error messages: how the user changes a setting of the [`PositionReader`]. An empty hint is not printed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Remedies {
    /// How to read columns that count from 0.
    pub first_column: &'static str,
    /// How to choose another board. `{}` is replaced by its size.
    pub board: &'static str,
}

/// A position that was read from text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadPosition<G: Geometry> {
    /// The position.
    pub position: Position<G>,
    /// The moves from the empty board, as columns from 0. `None` if the text is not a list of moves.
    pub columns: Option<Vec<u32>>,
}

/// Error for a word that is not a list of moves, such as `hello` or `games.csv`.
const NOT_A_POSITION: &str = "not a position; expected moves such as ddee, \"d1 d2\" or \"4 4\", or a FEN";

impl<G: Geometry> PositionReader<G> {
    /// A reader for text in any form, with columns from 1.
    #[must_use]
    pub fn new(geometry: G) -> Self {
        Self { geometry, first_column: 1, form: Form::Any, mover: None, remedies: Remedies::default() }
    }

    /// Reads a position.
    ///
    /// # Errors
    /// The first malformed token, otherwise the first illegal move.
    pub fn read(&self, text: &str) -> Result<ReadPosition<G>, ParsePositionError> {
        let list = without_keywords(text, self.geometry.width());
        let position = |position| ReadPosition { position, columns: None };
        let form = match self.form {
            Form::Any if list.contains('/') => Form::Fen,
            Form::Any if !cells::is_board(self.geometry, list) => Form::Moves,
            // With `Form::Any`, the symbols decide whether cells are listed by rows or by columns.
            form => form,
        };
        let cells = |by_columns| cells::read(self.geometry, list, by_columns, self.mover).map(position);
        let read = match form {
            Form::Fen => Position::from_fen_on(self.geometry, list).map(position),
            Form::Moves => self.tokens(list).and_then(|(tokens, joined)| self.play(tokens, joined)),
            Form::Digits => self.play_digits(list),
            Form::Bits => cells::read_bits(self.geometry, list, self.mover).map(position),
            Form::Rows => cells(Some(false)),
            Form::Columns => cells(Some(true)),
            Form::Any => cells(None),
        };
        read.map_err(|mut error| {
            if form == Form::Moves && is_other_word(list, &error) {
                error = malformed(list, 0, NOT_A_POSITION);
            }
            let remedy = match error.fault {
                PositionFault::CountsFromOne(_) => self.remedies.first_column.to_owned(),
                PositionFault::OtherBoard { found, .. } => {
                    self.remedies.board.replace("{}", &found.to_string())
                }
                _ => String::new(),
            };
            ParsePositionError { remedy, ..error.shifted(offset(text, list)) }
        })
    }

    /// Whether the cells are listed column by column.
    #[must_use]
    pub fn is_by_columns(&self, cells: &[&str]) -> bool {
        match self.form {
            Form::Any => cells::has_empty_b(cells.iter().copied()),
            form => form == Form::Columns,
        }
    }

    /// Like [`read`](Self::read), but returns only the position. Parsing a word of column digits allocates no
    /// memory.
    ///
    /// # Errors
    /// The errors of [`read`](Self::read).
    pub fn position(&self, text: &str) -> Result<Position<G>, ParsePositionError> {
        match self.after_digits(text) {
            Some(position) => Ok(position),
            None => self.read(text).map(|read| read.position),
        }
    }

    /// The position after a word of column digits. `None` for other texts, or if a side has four in a row.
    fn after_digits(&self, digits: &str) -> Option<Position<G>> {
        let is_list = matches!(self.form, Form::Any | Form::Moves);
        // A text with as many digits as the board has cells may list the cells.
        let is_short = digits.len() < self.geometry.cells() as usize;
        if !is_list || !is_short || self.first_column + self.geometry.width() > 10 {
            return None;
        }
        let mut position = Position::empty(self.geometry);
        for digit in digits.bytes() {
            let number = char::from(digit).to_digit(10)?;
            let cell = position.landing(number.checked_sub(self.first_column)?)?;
            position = position.after(cell);
        }
        // Stones are never removed. If there is no four in a row now, there was none before.
        if position.has_lines() { None } else { Some(position) }
    }

    /// The moves with their offsets, and the column notation if the moves are joined to one word.
    fn tokens<'a>(
        &self,
        list: &'a str,
    ) -> Result<(Vec<Token<'a>>, Option<ColumnNotation>), ParsePositionError> {
        let lone = list.split(',').find(|item| item.trim().is_empty());
        if let Some(item) = lone
            && !list.is_empty()
        {
            let start = offset(list, item);
            let comma = if start == 0 { item.len() } else { start - 1 };
            return Err(malformed(",", comma, "expected a column on both sides"));
        }
        let tokens: Vec<_> = words(list, |c| c == ',' || c.is_whitespace()).collect();
        let &[(at, word)] = tokens.as_slice() else { return Ok((tokens, None)) };
        let joined = match word.as_bytes() {
            [b'0'..=b'9', _, ..] => ColumnNotation::Numbers { first: self.first_column },
            [first, second, ..] if first.is_ascii_alphabetic() && second.is_ascii_alphabetic() => {
                ColumnNotation::Letters
            }
            _ => return Ok((tokens, None)),
        };
        let width = self.geometry.width();
        if joined != ColumnNotation::Letters && self.first_column + width > 10 {
            let reason = format!(
                "on a board of {width} columns write letters ({}), or numbers with blanks between them ({})",
                ColumnNotation::Letters.range(width),
                joined.range(width)
            );
            return Err(malformed(word, at, reason));
        }
        Ok((characters((at, word)).collect(), Some(joined)))
    }

    fn play<'a>(
        &self,
        tokens: impl IntoIterator<Item = Token<'a>>,
        joined: Option<ColumnNotation>,
    ) -> Result<ReadPosition<G>, ParsePositionError> {
        let mut moves = Vec::new();
        for (index, token) in tokens.into_iter().enumerate() {
            match self.read_move(token.1, joined) {
                Ok((m, notation)) => moves.push((token, m, notation)),
                Err(fault) => return Err(ParsePositionError::of_move(index, token, fault)),
            }
        }
        let mut position = Position::empty(self.geometry);
        let mut columns = Vec::new();
        // All tokens are parsed before any move is played, because a column 0 is a more helpful error than an
        // illegal move.
        for (index, (token, m, notation)) in moves.into_iter().enumerate() {
            position = position.try_play(m).map_err(|error| {
                ParsePositionError::of_move(index, token, PositionFault::Illegal(error, notation))
            })?;
            columns.push(m.column);
        }
        Ok(ReadPosition { position, columns: Some(columns) })
    }

    fn play_digits(&self, list: &str) -> Result<ReadPosition<G>, ParsePositionError> {
        let (width, first) = (self.geometry.width(), self.first_column);
        let mut numbers = Vec::new();
        for (index, (at, token)) in characters((0, list)).enumerate() {
            let byte = token.as_bytes()[0];
            let number = match byte {
                b'0'..=b'?' => u32::from(byte - b'0'),
                _ => char::from(byte).to_digit(36).unwrap_or(u32::MAX),
            };
            if number == 0 && first == 1 {
                let fault = PositionFault::CountsFromOne(width);
                return Err(ParsePositionError::of_move(index, (at, token), fault));
            }
            if number >= first + width {
                let greatest = first + width - 1;
                let reason = format!("not a column digit (columns {first} to {greatest}, a is 10)");
                let fault = PositionFault::Malformed(reason);
                return Err(ParsePositionError::of_move(index, (at, token), fault));
            }
            numbers.push((at, number.to_string()));
        }
        self.play(numbers.iter().map(|(at, number)| (*at, number.as_str())), None)
    }

    fn read_move(
        &self,
        token: &str,
        joined: Option<ColumnNotation>,
    ) -> Result<(Move, ColumnNotation), PositionFault> {
        let (width, first) = (self.geometry.width(), self.first_column);
        let numbers = ColumnNotation::Numbers { first };
        let is_letter = token.as_bytes()[0].is_ascii_alphabetic();
        if token.bytes().all(|byte| byte.is_ascii_digit()) && joined != Some(ColumnNotation::Letters) {
            let number = token.parse::<u32>().ok().filter(|&number| number < 1000);
            let number = number.ok_or_else(|| {
                let range = numbers.range(width);
                PositionFault::Malformed(format!("there is no column {token} (columns {range})"))
            })?;
            let column = number.checked_sub(first).ok_or(PositionFault::CountsFromOne(width))?;
            return Ok((column.into(), numbers));
        }
        let reason = match joined {
            Some(ColumnNotation::Letters) if !is_letter => {
                format!("not a column letter (columns {})", ColumnNotation::Letters.range(width))
            }
            Some(ColumnNotation::Numbers { .. }) => {
                format!("not a column digit (columns {})", numbers.range(width))
            }
            _ => match Move::from_str(token) {
                Ok(m) => return Ok((m, ColumnNotation::Letters)),
                Err(error) => error.to_string(),
            },
        };
        Err(PositionFault::Malformed(reason))
    }
}

/// Whether the text is one word that cannot be a list of moves.
fn is_other_word(text: &str, error: &ParsePositionError) -> bool {
    let is_word = text.len() > 1 && !text.contains([' ', ',']);
    let is_letters = text.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_word && (text.contains('.') || is_letters && error.move_number == Some(1))
}

fn without_keywords(text: &str, width: u32) -> &str {
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text).trim();
    if let Some(list) = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        rest = list.trim();
    }
    let keywords: &[&str] = if rest.contains('/') {
        &["position", "fen"]
    } else if width < 20 {
        &["position", "startpos", "moves"]
    } else {
        // The board has a column `t`, so `position` and `startpos` could be moves.
        &[]
    };
    for keyword in keywords {
        let after = rest.strip_prefix(keyword).unwrap_or(rest);
        if after.chars().next().is_none_or(char::is_whitespace) {
            rest = after.trim_start();
        }
    }
    rest
}

/// Reads a position in any form that [`PositionReader`] recognises, with columns from 1.
///
/// ```
/// use plumb::board::Position;
///
/// let position: Position = "4455".parse()?;
/// assert_eq!(position.to_string().parse(), Ok(position)); // Displays as a FEN.
/// assert!("4x".parse::<Position>().is_err());
/// # Ok::<(), plumb::board::ParsePositionError>(())
/// ```
impl<G: StaticGeometry> FromStr for Position<G> {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Self, ParsePositionError> {
        PositionReader::new(G::default()).read(text).map(|read| read.position)
    }
}

impl<G: StaticGeometry> Position<G> {
    /// The position after moves as column digits from 1, such as `4455`.
    ///
    /// # Errors
    /// The first character that is not a digit from 1 to 9, otherwise the first illegal move.
    ///
    /// ```
    /// use plumb::board::Position;
    ///
    /// let position: Position = Position::from_digits("4455")?;
    /// assert_eq!(position.plies(), 4);
    /// # Ok::<(), plumb::board::ParsePositionError>(())
    /// ```
    pub fn from_digits(digits: &str) -> Result<Self, ParsePositionError> {
        Self::from_digits_on(G::default(), digits)
    }
}

impl<G: Geometry> Position<G> {
    /// Like [`from_digits`](Position::from_digits), on a board of any size.
    ///
    /// # Errors
    /// As [`from_digits`](Position::from_digits).
    pub fn from_digits_on(geometry: G, digits: &str) -> Result<Self, ParsePositionError> {
        let joined = Some(ColumnNotation::Numbers { first: 1 });
        PositionReader::new(geometry).play(characters((0, digits)), joined).map(|read| read.position)
    }
}

#[cfg(test)]
mod tests;
