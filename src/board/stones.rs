//! Positions from the stones of both players.

use super::bits::Bits;
use super::geometry::Geometry;
use super::position::{Player, Position};
use super::threats::has_four;

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
