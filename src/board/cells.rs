//! Positions from the stones of both players, and boards in texts that list every cell.

use super::bits::Bits;
use super::geometry::{Geometry, has_four};
use super::moves::Move;
use super::parse_error::{ParsePositionError, Token, characters, malformed, words};
use super::position::{Player, Position};

/// The owner of a cell, `None` for an empty one; an error for a text that is no cell. `-1` is the other side in lists of 1, 0
/// and -1. The cell `b` is empty if [`has_empty_b`].
fn owner(cell: &str) -> Result<Option<Player>, ()> {
    match cell {
        "1" | "+1" | "x" | "X" | "r" | "R" | "w" | "W" | "a" | "A" | "1.0" => Ok(Some(Player::First)),
        "2" | "-1" | "o" | "O" | "y" | "Y" | "2.0" | "-1.0" => Ok(Some(Player::Second)),
        "0" | "b" | "B" | "." | "_" | "-" | "*" | "#" | "0.0" | "-0.0" => Ok(None),
        _ => Err(()),
    }
}

/// Whether some cell is `b` and empty; next to `w` (white and black) or `a`, `b` is a stone of the second player.
pub(super) fn has_empty_b<'a>(cells: impl Iterator<Item = &'a str> + Clone) -> bool {
    let has_stones = cells.clone().any(|cell| matches!(cell, "w" | "W" | "a" | "A"));
    !has_stones && { cells }.any(|cell| cell.eq_ignore_ascii_case("b"))
}

/// Whether a character separates two cells.
fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | '[' | ']' | '(' | ')' | '"' | '\'')
}

/// The cells of a board as words, or as the characters of longer words, with their offsets.
fn cells<G: Geometry>(geometry: G, text: &str) -> Vec<Token<'_>> {
    let most = geometry.cells() as usize;
    let all: Vec<_> = words(text, is_separator).take(most + 1).collect();
    if all.len() < most && all.iter().all(|(_, word)| owner(word).is_err() || word.len() == 1) {
        return all.into_iter().flat_map(characters).take(most + 1).collect();
    }
    all
}

/// Whether a text is a board in which each cell has a symbol.
///
/// A list of as many words as the board has cells, all of them symbols, is no list of moves: the symbols name fewer columns
/// than the board has, which do not hold so many stones. Nor is one that has a symbol of the empty cell more often than a
/// column has rows.
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

/// Reads a board that lists every cell: column by column, each from the bottom, or row by row from the top; where that is
/// not said, by columns if a letter stands for the empty cell, as in the set of the UCI repository.
///
/// # Errors
/// A cell that has no symbol of the two players and the empty cell; another number of cells; stones of no position.
pub(super) fn read<G: Geometry>(
    geometry: G,
    text: &str,
    by_columns: Option<bool>,
    mover: Option<Player>,
) -> Result<Position<G>, ParsePositionError> {
    let (width, height, expected) = (geometry.width(), geometry.height(), geometry.cells() as usize);
    let cells = cells(geometry, text);
    let has_empty_b = has_empty_b(cells.iter().map(|&(_, cell)| cell));
    let owner = |&(at, cell): &Token<'_>| {
        if !has_empty_b && cell.eq_ignore_ascii_case("b") {
            return Ok(Some(Player::Second));
        }
        owner(cell).map_err(|()| malformed(cell, at, "expected a cell: 0 1 2, 1 0 -1, `x o b` or `x o .`"))
    };
    let owners = cells.iter().map(owner).collect::<Result<Vec<_>, _>>()?;
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

/// The side to move in a list of 1, 0 and -1 with one stone more of -1: there 1 is the side to move, whoever began.
fn signed_mover(cells: &[Token<'_>], owners: &[Option<Player>]) -> Option<Player> {
    let is_signed = cells.iter().any(|(_, cell)| cell.starts_with("-1"));
    let count = |player| owners.iter().filter(|&&owner| owner == Some(player)).count();
    (is_signed && count(Player::Second) == count(Player::First) + 1).then_some(Player::First)
}

/// Reads two integers whose bit `(height + 1) * column + row` is a stone on that cell, from the bottom left: the stones of
/// the side to move and those of both sides; or the stones of the side to move and its opponent's; or those of the first
/// and the second player. The three differ in which stones they share and in their numbers; equal numbers that share none
/// are those of the first and the second player.
///
/// # Errors
/// Not two integers; bits outside of the board; stones of no position.
pub(super) fn read_bits<G: Geometry>(
    geometry: G,
    text: &str,
    mover: Option<Player>,
) -> Result<Position<G>, ParsePositionError> {
    let all: Vec<_> = words(text, is_separator).collect();
    let &[one, other] = all.as_slice() else {
        return Err(malformed(text, 0, format!("{} words, expected two integers", all.len())));
    };
    let (height, stride) = (geometry.height(), geometry.stride());
    let set = |(at, word): Token<'_>| {
        let number = match word.strip_prefix("0x") {
            Some(digits) => u128::from_str_radix(digits, 16),
            None => word.parse(),
        };
        let number = number.map_err(|_| malformed(word, at, "expected an integer, decimal or 0x…"))?;
        let is_outside = |bit: &u32| {
            number >> bit & 1 != 0 && (bit % stride == height || bit / stride >= geometry.width())
        };
        let outside = (0..u128::BITS).find(is_outside);
        let fault = |bit| malformed(word, at, format!("bit {bit} is no cell of the board"));
        outside.map_or(Ok(number), |bit| Err(fault(bit)))
    };
    let (own, second) = (set(one)?, set(other)?);
    let is_within = own & second == own;
    let opponent = if is_within { second & !own } else { second };
    if own & opponent != 0 {
        let reason = "expected a set within the second one, or one that shares no stone with it";
        return Err(malformed(one.1, one.0, reason));
    }
    // A set within the second one is that of the side to move. With one stone more than the other set, the first one is that
    // of the first player, who is not to move.
    let is_first = match mover.filter(|_| is_within) {
        Some(mover) => mover == Player::First,
        None => own.count_ones() >= opponent.count_ones(),
    };
    let (first, second) = if is_first { (own, opponent) } else { (opponent, own) };
    let stones = [first, second].map(G::Bits::from_wide);
    position_of(geometry, stones, mover).map_err(|reason| malformed(text, 0, reason))
}

/// The position with these stones of the first and the second player in which `mover` is to move, or, where that is `None`,
/// the one who follows from the numbers of stones.
///
/// # Errors
/// A stone that floats, numbers of stones that do not come about in turns, four in a row of the side to move.
fn position_of<G: Geometry>(
    geometry: G,
    stones: [G::Bits; 2],
    mover: Option<Player>,
) -> Result<Position<G>, String> {
    let mask = stones[0] | stones[1];
    // A stone is supported by the bottom row or another stone.
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
    /// The position with these stones: one item for each cell, row by row from the top, each row from the left, `None` for
    /// an empty cell. `mover` is the player to move; `None` for the one who follows from the numbers of stones, if
    /// [`Player::First`] has begun. With `Some`, either player may have begun; the
    /// position calls that one [`Player::First`], so its side to move may have the other name.
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
        let (width, height, expected) = (geometry.width(), geometry.height(), geometry.cells());
        let mut stones = [G::Bits::ZERO; 2];
        let mut count = 0;
        for owner in cells {
            if let Some(player) = owner.filter(|_| count < expected) {
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
