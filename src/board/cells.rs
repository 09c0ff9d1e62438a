//! Positions from the stones of both players, and boards in texts that list every cell.

use super::bits::Bits;
use super::geometry::{Geometry, has_four};
use super::parse_error::ParsePositionError;
use super::position::{Player, Position};
use super::reader::Form;

/// The owner of a cell, `None` for an empty one; an error for a text that is no cell. `-1` is the other side in lists of 1, 0
/// and -1.
fn owner(cell: &str) -> Result<Option<Player>, ()> {
    match cell {
        "1" | "+1" | "x" | "X" | "1.0" => Ok(Some(Player::First)),
        "2" | "-1" | "o" | "O" | "2.0" | "-1.0" => Ok(Some(Player::Second)),
        "0" | "b" | "B" | "." | "_" | "0.0" | "-0.0" => Ok(None),
        _ => Err(()),
    }
}

/// Whether a character separates two cells.
fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | '[' | ']' | '(' | ')' | '"' | '\'')
}

/// The words of a list with their offsets in bytes.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let words = text.split(is_separator).filter(|word| !word.is_empty());
    words.map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// The cells of a board as words, or as the characters of longer words, with their offsets.
fn cells<G: Geometry>(geometry: G, text: &str) -> Vec<(usize, &str)> {
    let most = (geometry.width() * geometry.height()) as usize;
    let all: Vec<_> = words(text).take(most + 1).collect();
    if all.len() < most && all.iter().all(|(_, word)| owner(word).is_err() || word.len() == 1) {
        let of_word = |(at, word): (usize, &'_ str)| (at, at + word.len());
        let ranges = all.into_iter().map(of_word);
        let characters = ranges.flat_map(|(start, end)| {
            text[start..end]
                .char_indices()
                .map(move |(index, c)| (start + index, &text[start + index..start + index + c.len_utf8()]))
        });
        return characters.take(most + 1).collect();
    }
    all
}

/// Whether a text is a board in which each cell has a symbol.
///
/// A list of as many words as the board has cells, all of them symbols, is no list of moves: the symbols name three columns
/// at most, which do not hold so many stones. Nor is one that has a symbol of the empty cell more often than a column has
/// rows.
pub(super) fn is_board<G: Geometry>(geometry: G, text: &str) -> bool {
    let count = (geometry.width() * geometry.height()) as usize;
    if text.len() < count {
        return false;
    }
    let owners: Vec<_> = cells(geometry, text).into_iter().map(|(_, cell)| owner(cell)).collect();
    let empty = owners.iter().filter(|&&owner| owner == Ok(None)).count();
    owners.len() == count && (owners.iter().all(Result::is_ok) || empty > geometry.height() as usize)
}

/// Reads a board that lists every cell: row by row from the top, or column by column, each from the bottom.
///
/// # Errors
/// A cell that has no symbol of the two players and the empty cell; another number of cells; stones of no position.
pub(super) fn read<G: Geometry>(
    geometry: G,
    text: &str,
    form: Form,
    mover: Option<Player>,
) -> Result<Position<G>, ParsePositionError> {
    let malformed = |(at, cell): (usize, &str), reason: &str| ParsePositionError::malformed(cell, at, reason);
    let cells = cells(geometry, text);
    let (width, height) = (geometry.width(), geometry.height());
    let mut owners = Vec::with_capacity(cells.len());
    for &cell in &cells {
        let owner = owner(cell.1);
        owners
            .push(owner.map_err(|()| malformed(cell, "expected a cell: 0 1 2, 1 0 -1, `x o b` or `x o .`"))?);
    }
    if owners.len() != (width * height) as usize {
        let at_least = if owners.len() > (width * height) as usize { "more than " } else { "" };
        let count = owners.len() - usize::from(!at_least.is_empty());
        let reason = format!("{at_least}{count} cells, the board has {}", width * height);
        return Err(ParsePositionError::malformed(text, 0, reason));
    }
    // Lists with a letter for the empty cell, as in the set of the UCI repository, go by columns.
    let is_blank = |(_, cell): &(usize, &str)| cell.eq_ignore_ascii_case("b");
    let by_columns = match form {
        Form::Rows => false,
        Form::Columns => true,
        _ => cells.iter().any(is_blank),
    };
    let position = |by_columns| {
        let cell = |index: u32| {
            let (row, column) = (index / width, index % width);
            owners[if by_columns { column * height + height - 1 - row } else { index } as usize]
        };
        let mover = mover.or_else(|| signed_mover(&cells, &owners));
        Position::from_cells(geometry, (0..width * height).map(cell), mover)
    };
    position(by_columns).map_err(|reason| {
        let (read, other, form) = if by_columns {
            ("column by column from the bottom", "rows from the top", Form::Rows)
        } else {
            ("row by row from the top", "columns from the bottom", Form::Columns)
        };
        let hint = match position(!by_columns) {
            Ok(_) => format!("; by {other} it is a position ({form})"),
            Err(_) => String::new(),
        };
        ParsePositionError::malformed(text, 0, format!("read {read}, {reason}{hint}"))
    })
}

/// The side to move in a list of 1, 0 and -1 with one stone more of -1: there 1 is the side to move, whoever began.
fn signed_mover(cells: &[(usize, &str)], owners: &[Option<Player>]) -> Option<Player> {
    let is_signed = cells.iter().any(|(_, cell)| cell.starts_with('-') && cell.len() > 1);
    let count = |player| owners.iter().filter(|&&owner| owner == Some(player)).count();
    (is_signed && count(Player::Second) == count(Player::First) + 1).then_some(Player::First)
}

/// Reads two integers whose bit `(height + 1) * column + row` is a stone on that cell, from the bottom left: the stones of
/// the side to move and those of both sides; or the stones of the side to move and its opponent's; or those of the first
/// and the second player. The three differ in which stones they share and in their numbers.
///
/// # Errors
/// Not two integers; bits outside of the board; stones of no position.
pub(super) fn read_bits<G: Geometry>(
    geometry: G,
    text: &str,
    mover: Option<Player>,
) -> Result<Position<G>, ParsePositionError> {
    let all: Vec<_> = words(text).collect();
    let &[one, other] = all.as_slice() else {
        return Err(ParsePositionError::malformed(
            text,
            0,
            format!("{} words, expected two integers", all.len()),
        ));
    };
    let (height, stride) = (geometry.height(), geometry.height() + 1);
    let set = |(at, word): (usize, &str)| {
        let number = match word.strip_prefix("0x") {
            Some(digits) => u128::from_str_radix(digits, 16),
            None => word.parse(),
        };
        let number = number
            .map_err(|_| ParsePositionError::malformed(word, at, "expected an integer, decimal or 0x…"))?;
        let outside = (0..u128::BITS).find(|bit| {
            number >> bit & 1 != 0 && (bit % stride == height || bit / stride >= geometry.width())
        });
        match outside {
            Some(bit) => {
                Err(ParsePositionError::malformed(word, at, format!("bit {bit} is no cell of the board")))
            }
            None => Ok(number),
        }
    };
    let (own, second) = (set(one)?, set(other)?);
    let opponent = if own & second == own { second & !own } else { second };
    if own & opponent != 0 {
        let reason = "expected a set within the second one, or one that shares no stone with it";
        return Err(ParsePositionError::malformed(one.1, one.0, reason));
    }
    // With one stone more than the other set, the first one is that of the first player, who is not to move.
    let is_first = own.count_ones() >= opponent.count_ones();
    let (first, second) = if is_first { (own, opponent) } else { (opponent, own) };
    let mut stones = Stones::new(geometry);
    for bit in 0..geometry.width() * stride {
        let owner = [(first, Player::First), (second, Player::Second)];
        for (_, player) in owner.into_iter().filter(|(set, _)| set >> bit & 1 != 0) {
            stones.add(player, bit / stride, bit % stride);
        }
    }
    stones.position(mover).map_err(|reason| ParsePositionError::malformed(text, 0, reason))
}

/// The stones of both players, as they are collected cell by cell.
pub(super) struct Stones<G: Geometry> {
    geometry: G,
    pub(super) first: G::Bits,
    pub(super) second: G::Bits,
}

impl<G: Geometry> Stones<G> {
    pub(super) fn new(geometry: G) -> Self {
        Self { geometry, first: G::Bits::ZERO, second: G::Bits::ZERO }
    }

    /// Adds a stone on the cell in this column and row, both on the board, the row counted from 0 at the bottom.
    pub(super) fn add(&mut self, player: Player, column: u32, row: u32) {
        let cell = self.geometry.cell(column, row);
        match player {
            Player::First => self.first |= cell,
            Player::Second => self.second |= cell,
        }
    }

    /// The position in which `mover` is to move, or, where that is `None`, the one who follows from the numbers of stones.
    ///
    /// # Errors
    /// A stone that floats, numbers of stones that do not come about in turns, four in a row of the side to move.
    pub(super) fn position(&self, mover: Option<Player>) -> Result<Position<G>, String> {
        let Self { geometry, first, second } = *self;
        let mask = first | second;
        // A stone is supported by the bottom row or another stone.
        let floating = mask & !(geometry.bottom() | (mask << 1));
        if !floating.is_empty() {
            let cell = floating.lowest_bit();
            let column = char::from(b'a' + geometry.column_of(cell) as u8);
            return Err(format!("the stone on {column}{} floats", geometry.row_of(cell) + 1));
        }
        let counts = (first.count(), second.count());
        let to_move = mover.unwrap_or(if counts.0 == counts.1 { Player::First } else { Player::Second });
        let (own, opponent) = if to_move == Player::First { counts } else { (counts.1, counts.0) };
        if own != opponent && own + 1 != opponent {
            let whose = if mover.is_some() { " with this side to move" } else { "" };
            let (first, second) = counts;
            return Err(format!(
                "{first} stones of the first player and {second} of the second: no game has these{whose}"
            ));
        }
        let own_stones = if to_move == Player::First { first } else { second };
        if has_four(geometry, own_stones) {
            return Err("the side to move has four in a row already".to_owned());
        }
        Ok(Position::from_sets(geometry, own_stones, mask, own + opponent))
    }
}

impl<G: Geometry> Position<G> {
    /// The position with these stones: one item for each cell, row by row from the top, each row from the left, `None` for
    /// an empty cell. `mover` is the player to move; `None` for the one who follows from the numbers of stones, if
    /// [`Player::First`] has begun. With `Some`, either player may have begun.
    ///
    /// # Errors
    /// Another number of cells than the board has, a stone that floats, numbers of stones that do not come about in turns,
    /// four in a row of the side to move; in one sentence.
    ///
    /// ```
    /// use plumb::board::{Player, Position, Standard};
    ///
    /// let mut cells = [None; 42];
    /// cells[38] = Some(Player::First); // The middle of the bottom row.
    /// let position = Position::from_cells(Standard::default(), cells, None)?;
    /// assert_eq!(Ok(position), "4".parse());
    /// # Ok::<(), String>(())
    /// ```
    pub fn from_cells(
        geometry: G,
        cells: impl IntoIterator<Item = Option<Player>>,
        mover: Option<Player>,
    ) -> Result<Self, String> {
        let (width, height) = (geometry.width(), geometry.height());
        let mut stones = Stones::new(geometry);
        let mut count = 0;
        for owner in cells {
            if let Some(player) = owner.filter(|_| count < width * height) {
                stones.add(player, count % width, height - 1 - count / width);
            }
            count += 1;
        }
        if count == width * height {
            stones.position(mover)
        } else {
            Err(format!("{count} cells, the board has {}", width * height))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::any::Board;
    use crate::board::moves::column_names;
    use crate::board::reader::PositionReader;

    /// A symbol for each cell, row by row from the top.
    fn symbols(position: &Position<Board>, symbols: [&'static str; 3]) -> Vec<&'static str> {
        let board = position.geometry();
        let cell = |column, row| match position.owner(board.cell(column, row)) {
            None => symbols[0],
            Some(Player::First) => symbols[1],
            Some(Player::Second) => symbols[2],
        };
        let rows = (0..board.height()).rev();
        rows.flat_map(|row| (0..board.width()).map(move |column| cell(column, row))).collect()
    }

    /// The same column by column, each from the bottom.
    fn by_columns(position: &Position<Board>, rows: &[&'static str]) -> Vec<&'static str> {
        let (width, height) = (position.geometry().width() as usize, position.geometry().height() as usize);
        (0..width).flat_map(|column| (0..height).rev().map(move |row| rows[row * width + column])).collect()
    }

    /// A position after random moves, with its moves.
    fn random_position(board: Board, seed: u64) -> (Position<Board>, Vec<u32>) {
        let mut state = seed;
        let mut next = |bound: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % bound
        };
        let mut position = Position::empty(board);
        let mut moves = Vec::new();
        for _ in 0..next(u64::from(board.width() * board.height())) {
            let columns: Vec<_> = position.legal_columns().collect();
            if position.outcome().is_some() || columns.is_empty() {
                break;
            }
            let column = columns[next(columns.len() as u64) as usize];
            position = position.play(column).expect("legal");
            moves.push(column);
        }
        (position, moves)
    }

    /// The two sets of a position as integers, the stones of the player to move first.
    fn bits(position: &Position<Board>) -> [u128; 2] {
        let board = position.geometry();
        let bit = |column, row| 1_u128 << ((board.height() + 1) * column + row);
        let of = |player| {
            let cells =
                (0..board.width()).flat_map(|column| (0..board.height()).map(move |row| (column, row)));
            let cells =
                cells.filter(|&(column, row)| position.owner(board.cell(column, row)) == Some(player));
            cells.map(|(column, row)| bit(column, row)).sum()
        };
        [position.side_to_move(), position.side_to_move().other()].map(of)
    }

    #[test]
    fn random_positions_in_every_form_are_read_back() {
        let boards = ["7x6", "4x4", "8x7", "9x7", "5x4", "10x6", "25x4"];
        let boards = boards.map(|size| size.parse::<Board>().expect("a board"));
        for seed in 0..100_000_u64 {
            let board = boards[if seed % 4 == 0 { (seed / 4 % 7) as usize } else { 0 }];
            let (position, moves) = random_position(board, seed);
            let reader = PositionReader::new(board);
            let read = |text: &str, form| {
                let read = PositionReader { form, ..reader }.read(text);
                assert_eq!(read.map(|read| read.position), Ok(position), "{text} {form}");
            };
            let numbers: Vec<_> = moves.iter().map(|column| (column + 1).to_string()).collect();
            let [own, opponent] = bits(&position);
            let signs =
                if position.side_to_move() == Player::First { ["0", "1", "-1"] } else { ["0", "-1", "1"] };
            match seed % 12 {
                0 => read(&column_names(board.width(), moves), Form::Any),
                1 => read(&numbers.join(" "), Form::Moves),
                2 => read(&position.fen(), Form::Any),
                3 => read(&format!("[{}]", symbols(&position, ["0", "1", "2"]).join(", ")), Form::Any),
                4 => read(&by_columns(&position, &symbols(&position, ["b", "x", "o"])).join(","), Form::Any),
                5 => read(&symbols(&position, [".", "x", "o"]).concat(), Form::Rows),
                6 => {
                    let rows = symbols(&position, ["0", "1", "2"]);
                    let rows = rows.chunks(board.width() as usize).map(<[_]>::concat);
                    read(&rows.collect::<Vec<_>>().join("\n"), Form::Any);
                }
                7 => read(&symbols(&position, ["0", "1", "-1"]).join(" "), Form::Any),
                8 => read(&symbols(&position, signs).join(" "), Form::Any),
                9 => read(&format!("{own} {}", own | opponent), Form::Bits),
                10 => read(&format!("0x{own:x},0x{opponent:x}"), Form::Bits),
                _ => read(&format!("[{}]", numbers.join(",")), Form::Any),
            }
        }
    }

    #[test]
    fn either_player_may_have_begun_where_the_mover_is_said() {
        let mut cells = ["0"; 42];
        cells[38] = "2";
        let text = cells.join(" ");
        let reader = PositionReader::new(Board::default());
        assert!(reader.read(&text).is_err());
        let begun = PositionReader { mover: Some(Player::First), ..reader };
        assert_eq!(
            begun.read(&text).expect("o has begun").position.fen(),
            reader.read("4").expect("4").position.fen()
        );
        cells[37] = "1";
        let text = cells.join(" ");
        assert_ne!(
            begun.read(&text).expect("1 is to move").position,
            PositionReader { mover: Some(Player::Second), ..reader }
                .read(&text)
                .expect("2 is to move")
                .position,
        );
    }

    #[test]
    fn faults_of_boards_name_the_cell_or_the_stone() {
        let reader = PositionReader::new(Board::default());
        let said =
            |text: &str, form| PositionReader { form, ..reader }.read(text).expect_err(text).to_string();
        let mut cells = ["0"; 42];
        cells[40] = "3";
        let text = cells.join(",");
        assert_eq!(
            said(&text, Form::Any),
            "`3` at byte 80: expected a cell: 0 1 2, 1 0 -1, `x o b` or `x o .`"
        );
        cells[40] = "0";
        cells[5] = "1";
        let text = cells.join("");
        assert_eq!(
            said(&text, Form::Any),
            "`0000010000000000000000000000000000000000…` at byte 0: read row by row from the top, the stone on f6 floats"
        );
        cells[5] = "0";
        cells[6] = "1";
        assert!(
            said(&cells.join(""), Form::Any)
                .ends_with("by columns from the bottom it is a position (columns)")
        );
        for (text, form, fault) in [
            ("0 0 1", Form::Rows, "`0 0 1` at byte 0: 3 cells, the board has 42"),
            ("0 64", Form::Bits, "`64` at byte 2: bit 6 is no cell of the board"),
            ("5", Form::Bits, "`5` at byte 0: 1 words, expected two integers"),
            (
                "3 5",
                Form::Bits,
                "`3` at byte 0: expected a set within the second one, or one that shares no stone with it",
            ),
        ] {
            assert_eq!(said(text, form), fault);
        }
    }
}
