//! Positions from bitboards, and from texts that list every cell.

use super::bits::Bits;
use super::geometry::{Geometry, has_four};
use super::moves::Move;
use super::parse_error::{ParsePositionError, Token, characters, malformed, words};
use super::position::{Player, Position};

/// The owner of a cell with this symbol, `None` for an empty cell. `-1` is the second player. `b` is empty here,
/// but may be a stone: see [`has_empty_b`].
fn owner(cell: &str) -> Result<Option<Player>, ()> {
    match cell {
        "1" | "+1" | "x" | "X" | "r" | "R" | "w" | "W" | "a" | "A" | "1.0" => Ok(Some(Player::First)),
        "2" | "-1" | "o" | "O" | "y" | "Y" | "2.0" | "-1.0" => Ok(Some(Player::Second)),
        "0" | "b" | "B" | "." | "_" | "-" | "*" | "#" | "0.0" | "-0.0" => Ok(None),
        _ => Err(()),
    }
}

/// Whether `b` means an empty cell. In a text with `w` (white) or `a`, `b` is a stone of the second player.
pub(super) fn has_empty_b<'a>(cells: impl Iterator<Item = &'a str> + Clone) -> bool {
    let has_stones = cells.clone().any(|cell| matches!(cell, "w" | "W" | "a" | "A"));
    !has_stones && { cells }.any(|cell| cell.eq_ignore_ascii_case("b"))
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | '[' | ']' | '(' | ')' | '"' | '\'')
}

/// Splits a text into the symbols of cells, with their offsets: words, or the characters of longer words.
fn cells<G: Geometry>(geometry: G, text: &str) -> Vec<Token<'_>> {
    let most = geometry.cells() as usize;
    let all: Vec<_> = words(text, is_separator).take(most + 1).collect();
    if all.len() < most && all.iter().all(|(_, word)| owner(word).is_err() || word.len() == 1) {
        return all.into_iter().flat_map(characters).take(most + 1).collect();
    }
    all
}

/// Whether a text lists a symbol for each cell, and not moves.
///
/// As many moves as the board has cells fill every column, but symbols of cells name only some columns. Moves
/// also cannot repeat the symbol of an empty cell, such as column `0`, more often than a column has rows.
pub(super) fn is_board<G: Geometry>(geometry: G, text: &str) -> bool {
    let count = geometry.cells() as usize;
    if text.len() < count {
        return false;
    }
    let cells = cells(geometry, text);
    let owners: Vec<_> = cells.iter().map(|(_, cell)| owner(cell)).collect();
    let empty = owners.iter().filter(|&&owner| owner == Ok(None)).count();
    owners.len() == count && (owners.iter().all(Result::is_ok) || empty > geometry.height() as usize)
}

/// Reads a symbol for each cell: by columns from the bottom, or by rows from the top. Without `by_columns`, an
/// empty cell `b` means columns, as in the Connect-4 data set of the UC Irvine Machine Learning Repository.
pub(super) fn read<G: Geometry>(
    geometry: G,
    text: &str,
    by_columns: Option<bool>,
    mover: Option<Player>,
) -> Result<Position<G>, ParsePositionError> {
    let (width, height, expected) = (geometry.width(), geometry.height(), geometry.cells() as usize);
    let cells = cells(geometry, text);
    let has_empty_b = has_empty_b(cells.iter().map(|&(_, cell)| cell));
    let mut owners = Vec::with_capacity(cells.len());
    for &(at, cell) in &cells {
        owners.push(if !has_empty_b && cell.eq_ignore_ascii_case("b") {
            Some(Player::Second)
        } else {
            let reason = "expected a cell: 0 1 2, 1 0 -1, `x o b` or `x o .`";
            owner(cell).map_err(|()| malformed(cell, at, reason))?
        });
    }
    if owners.len() != expected {
        let at_least = if owners.len() > expected { "more than " } else { "" };
        let reason = format!("{at_least}{} cells, the board has {expected}", owners.len().min(expected));
        return Err(malformed(text, 0, reason));
    }
    let by_columns = by_columns.unwrap_or(has_empty_b);
    let mover = mover.or_else(|| signed_mover(&cells, &owners));
    let position = |by_columns| {
        let cell = |index: u32| {
            let (row, column) = (index / width, index % width);
            owners[if by_columns { column * height + height - 1 - row } else { index } as usize]
        };
        Position::from_cells(geometry, (0..width * height).map(cell), mover)
    };
    position(by_columns).map_err(|reason| {
        let (read, other) = if by_columns {
            ("column by column from the bottom", "rows from the top it is a position (rows)")
        } else {
            ("row by row from the top", "columns from the bottom it is a position (columns)")
        };
        let hint = position(!by_columns).map_or_else(|_| String::new(), |_| format!("; by {other}"));
        malformed(text, 0, format!("read {read}, {reason}{hint}"))
    })
}

fn signed_mover(cells: &[Token<'_>], owners: &[Option<Player>]) -> Option<Player> {
    let is_signed = cells.iter().any(|(_, cell)| cell.starts_with("-1"));
    let [mut first, mut second] = [0, 0];
    for player in owners.iter().flatten() {
        *(if *player == Player::First { &mut first } else { &mut second }) += 1;
    }
    if is_signed && second == first + 1 { Some(Player::First) } else { None }
}

/// Parses a bitboard. Every set bit must be a cell of the board.
fn integer(geometry: impl Geometry, (at, word): Token<'_>) -> Result<u128, ParsePositionError> {
    let number = match word.strip_prefix("0x") {
        Some(digits) => u128::from_str_radix(digits, 16),
        None => word.parse(),
    };
    let number = number.map_err(|_| malformed(word, at, "expected an integer, decimal or 0x…"))?;
    let (width, stride) = (geometry.width(), geometry.stride());
    for bit in 0..u128::BITS {
        let is_cell = bit % stride < geometry.height() && bit / stride < width;
        if number >> bit & 1 != 0 && !is_cell {
            return Err(malformed(word, at, format!("bit {bit} is no cell of the board")));
        }
    }
    Ok(number)
}

/// Reads two bitboards as integers. Bit `(height + 1) * column + row` is a cell, counted from 0 at the bottom
/// left. They have one of three meanings:
///
/// 1. The stones of the side to move and of both sides.
/// 2. The stones of the side to move and of its opponent.
/// 3. The stones of the first and of the second player.
///
/// The first meaning applies if the first set is a subset of the second. Otherwise the sets must be disjoint. The
/// first player then owns the larger set, or the first set if both are equally large.
pub(super) fn read_bits<G: Geometry>(
    geometry: G,
    text: &str,
    mover: Option<Player>,
) -> Result<Position<G>, ParsePositionError> {
    let all: Vec<_> = words(text, is_separator).collect();
    let &[one, other] = all.as_slice() else {
        return Err(malformed(text, 0, format!("{} words, expected two integers", all.len())));
    };
    let (own, second) = (integer(geometry, one)?, integer(geometry, other)?);
    let is_within = own & second == own;
    let opponent = if is_within { second & !own } else { second };
    if own & opponent != 0 {
        let reason = "expected a set within the second one, or one that shares no stone with it";
        return Err(malformed(one.1, one.0, reason));
    }
    // Whether `own` are the stones of the first player. A subset of the second set belongs to the side to move.
    // Otherwise the first player has at least as many stones as the second player.
    let is_first = match mover {
        Some(mover) if is_within => mover == Player::First,
        _ => own.count_ones() >= opponent.count_ones(),
    };
    let (first, second) = if is_first { (own, opponent) } else { (opponent, own) };
    let stones = [first, second].map(G::Bits::from_wide);
    position_of(geometry, stones, mover).map_err(|reason| malformed(text, 0, reason))
}

fn position_of<G: Geometry>(
    geometry: G,
    stones: [G::Bits; 2],
    mover: Option<Player>,
) -> Result<Position<G>, String> {
    let mask = stones[0] | stones[1];
    let floating = mask & !(geometry.bottom() | (mask << 1));
    if !floating.is_empty() {
        let cell = floating.lowest_bit();
        let landing = Move { column: geometry.column_of(cell), rank: Some(geometry.row_of(cell) + 1) };
        return Err(format!("the stone on {landing} floats"));
    }
    let [first, second] = stones.map(Bits::count);
    let to_move = mover.unwrap_or(if first == second { Player::First } else { Player::Second });
    let (own, opponent) = if to_move == Player::First { (first, second) } else { (second, first) };
    if own != opponent && own + 1 != opponent {
        let whose = if mover.is_some() { " with this side to move" } else { "" };
        return Err(format!(
            "{first} stones of the first player and {second} of the second: no game has these{whose}"
        ));
    }
    let own_stones = stones[to_move as usize];
    if has_four(geometry, own_stones) {
        return Err("the side to move has four in a row already".to_owned());
    }
    Ok(Position::from_sets(geometry, own_stones, mask, own + opponent))
}

impl<G: Geometry> Position<G> {
    /// The position with these cells, row by row from the top, each from the left. Without `mover`,
    /// [`Player::First`] must have begun, and the numbers of stones decide who is to move. With `mover`, either
    /// player may have begun. The player who began becomes [`Player::First`].
    ///
    /// # Errors
    /// The reason why the cells are not a position, such as a floating stone.
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
        let (width, height, expected) = (geometry.width(), geometry.height(), geometry.cells());
        let mut stones = [G::Bits::ZERO; 2];
        let mut count = 0;
        for owner in cells {
            if let Some(player) = owner
                && count < expected
            {
                stones[player as usize] |= geometry.cell(count % width, height - 1 - count / width);
            }
            count += 1;
        }
        if count == expected {
            position_of(geometry, stones, mover)
        } else {
            Err(format!("{count} cells, the board has {expected}"))
        }
    }
}
