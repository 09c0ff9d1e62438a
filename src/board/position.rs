//! A position, and the moves in it.

use super::bits::Bits;
use super::geometry::{Geometry, Standard};
use super::threats::{has_four, winning_cells};
use crate::table::TableKey;

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// The side that moves on the empty board.
    First,
    /// The other one.
    Second,
}

impl Player {
    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This player has four in a row.
    Win(Player),
    /// The board is full and nobody has.
    Draw,
}

/// A position: the stones of the side to move, the stones of both, and how many there are.
///
/// Stones never float, and the side to move never has four in a row already; its opponent may, and then the game
/// is over.
///
/// ```
/// use plumb::board::{Position, Standard};
///
/// let position: Position = Position::from_digits("445").unwrap();
/// assert_eq!(position.plies(), 3);
/// assert_eq!(position.fen(), "7/7/7/7/3p3/3PP2[PPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] b - - 0 2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position<G: Geometry = Standard> {
    own: G::Bits,
    mask: G::Bits,
    plies: u32,
}

impl<G: Geometry> Default for Position<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Geometry> Position<G> {
    /// The empty board.
    #[must_use]
    pub fn new() -> Self {
        Self { own: G::Bits::ZERO, mask: G::Bits::ZERO, plies: 0 }
    }

    /// A position from its sets of stones; the caller answers for the type's invariants.
    #[inline]
    #[must_use]
    pub(crate) fn from_sets(own: G::Bits, mask: G::Bits, plies: u32) -> Self {
        debug_assert!((own & !mask).is_empty() && mask.count() == plies);
        Self { own, mask, plies }
    }

    /// The stones of the side to move.
    #[inline]
    #[must_use]
    pub fn own(&self) -> G::Bits {
        self.own
    }

    /// The stones of the side that moved last.
    #[inline]
    #[must_use]
    pub fn opponent(&self) -> G::Bits {
        self.own ^ self.mask
    }

    /// The stones of both sides.
    #[inline]
    #[must_use]
    pub fn mask(&self) -> G::Bits {
        self.mask
    }

    /// Number of stones on the board.
    #[inline]
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// Number of empty cells.
    #[inline]
    #[must_use]
    pub fn empty_cells(&self) -> u32 {
        G::CELLS - self.plies
    }

    /// The side to move.
    #[must_use]
    pub fn side_to_move(&self) -> Player {
        if self.plies.is_multiple_of(2) { Player::First } else { Player::Second }
    }

    /// The stones of `player`.
    #[must_use]
    pub fn stones(&self, player: Player) -> G::Bits {
        if player == self.side_to_move() { self.own } else { self.opponent() }
    }

    /// Whose stone is on `cell`, if there is one.
    #[must_use]
    pub fn owner(&self, cell: G::Bits) -> Option<Player> {
        [Player::First, Player::Second].into_iter().find(|&player| !(self.stones(player) & cell).is_empty())
    }

    /// How the game ended, or `None` while it goes on.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        if has_four::<G>(self.opponent()) {
            Some(Outcome::Win(self.side_to_move().other()))
        } else if self.plies == G::CELLS {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    /// The cells where a stone would land, one a column that is not full.
    #[inline]
    #[must_use]
    pub fn playable(&self) -> G::Bits {
        self.mask.plus(G::bottom()) & G::board()
    }

    /// The cell where a stone dropped into `column` (from 0) lands, or `None` if the column is full or not there.
    #[must_use]
    pub fn landing(&self, column: u32) -> Option<G::Bits> {
        let cell = if column < G::WIDTH { self.playable() & G::column(column) } else { G::Bits::ZERO };
        (!cell.is_empty()).then_some(cell)
    }

    /// The columns (from 0) in which a stone may be dropped, from the left; none once the game is over.
    pub fn legal_columns(&self) -> impl Iterator<Item = u32> + use<G> {
        let playable = if self.outcome().is_some() { G::Bits::ZERO } else { self.playable() };
        super::each_cell(playable).map(G::column_of)
    }

    /// The position after a stone on `cell`, which must be one of [`playable`](Self::playable).
    #[inline]
    #[must_use]
    pub fn after(&self, cell: G::Bits) -> Self {
        debug_assert!((cell & self.playable()) == cell && !cell.is_empty());
        Self { own: self.opponent(), mask: self.mask | cell, plies: self.plies + 1 }
    }

    /// The position after a stone in `column` (from 0), or `None` if that move is illegal.
    #[must_use]
    pub fn play(&self, column: u32) -> Option<Self> {
        if self.outcome().is_some() {
            return None;
        }
        self.landing(column).map(|cell| self.after(cell))
    }

    /// The empty cells, playable or not, with which the side to move would complete four.
    #[inline]
    #[must_use]
    pub fn own_winning_cells(&self) -> G::Bits {
        winning_cells::<G>(self.own, self.mask)
    }

    /// The empty cells, playable or not, with which the opponent would complete four.
    #[inline]
    #[must_use]
    pub fn opponent_winning_cells(&self) -> G::Bits {
        winning_cells::<G>(self.opponent(), self.mask)
    }

    /// Whether the side to move can complete four at once.
    #[inline]
    #[must_use]
    pub fn can_win_now(&self) -> bool {
        !(self.own_winning_cells() & self.playable()).is_empty()
    }

    /// The playable cells after which the opponent cannot win at once; meant for positions in which the side to
    /// move cannot win at once itself.
    ///
    /// Source: Pascal Pons, "Solving Connect 4", part 9 (`possibleNonLosingMoves`).
    #[must_use]
    pub fn non_losing_moves(&self) -> G::Bits {
        let threats = self.opponent_winning_cells();
        let playable = self.playable();
        let forced = threats & playable;
        let moves = if forced.is_empty() { playable } else { forced };
        if forced.has_several() { G::Bits::ZERO } else { moves & !(threats >> 1) }
    }

    /// The mirror image, left and right exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self { own: mirror::<G>(self.own), mask: mirror::<G>(self.mask), plies: self.plies }
    }

    /// A number that no other position of this board has, below 2^[`Geometry::KEY_BITS`].
    ///
    /// In a column of `h` stones the mask is 2^h - 1 and the own stones are a subset of it, so their sum lies from
    /// 2^h - 1 to 2^(h+1) - 2: columns of different heights never meet, and no column carries into the next.
    /// Source: John Tromp's encoding, as in Pascal Pons, "Solving Connect 4", part 6.
    #[inline]
    #[must_use]
    pub fn key(&self) -> G::Bits {
        self.own.plus(self.mask)
    }

    /// The position that has this [`key`](Self::key), or `None` if none has: columns of stones that alternate as turns do,
    /// nobody with four in a row but perhaps the side that moved last.
    #[must_use]
    pub fn from_key(key: G::Bits) -> Option<Self> {
        let column_bits = G::Bits::from_wide((1 << G::STRIDE) - 1);
        let mut mask = G::Bits::ZERO;
        for column in 0..G::WIDTH {
            // From 2^h to 2^(h+1) - 1 for a column of h stones.
            let field = ((key >> (column * G::STRIDE)) & column_bits).to_wide() + 1;
            let height = field.ilog2();
            if height > G::HEIGHT {
                return None;
            }
            mask |= G::Bits::from_wide((1 << height) - 1) << (column * G::STRIDE);
        }
        let own = key.minus(mask);
        let plies = mask.count();
        let sound = (own & !mask).is_empty() && own.count() == plies / 2 && own.plus(mask) == key;
        (sound && !has_four::<G>(own)).then_some(Self { own, mask, plies })
    }

    /// The lesser of the keys of the position and its mirror image: what both have in common, and nothing else has.
    #[inline]
    #[must_use]
    pub fn canonical_key(&self) -> G::Bits {
        let key = self.key();
        key.min(mirror::<G>(key))
    }

    /// Where the position lives in a transposition table: exact on boards of up to 64 bits.
    #[inline]
    #[must_use]
    pub fn table_key(&self) -> TableKey {
        table_key::<G>(self.key())
    }
}

/// The left-right mirror image of a set of cells (or of a key, which is made of columns as well).
#[inline]
#[must_use]
pub(crate) fn mirror<G: Geometry>(set: G::Bits) -> G::Bits {
    let column = G::Bits::from_wide((1 << G::STRIDE) - 1);
    (0..G::WIDTH).fold(G::Bits::ZERO, |mirrored, index| {
        let from = index * G::STRIDE;
        mirrored | (((set >> from) & column) << ((G::WIDTH - 1) * G::STRIDE - from))
    })
}

/// The table key of a position's own key.
#[inline]
#[must_use]
pub(crate) fn table_key<G: Geometry>(key: G::Bits) -> TableKey {
    if G::KEY_BITS <= 64 {
        TableKey::new(key.to_wide() as u64, G::KEY_BITS)
    } else {
        TableKey::from_wide(key.to_wide())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Narrow, Wide};
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_stone_lands_on_the_lowest_free_cell() {
        let mut position = Position::<Standard>::new();
        for row in 0..6 {
            assert_eq!(position.landing(3), Some(Standard::cell(3, row)));
            position = position.play(3).expect("the column is open");
        }
        assert_eq!(position.landing(3), None);
        assert_eq!(position.play(3), None);
        assert_eq!(position.landing(7), None);
    }

    #[test]
    fn four_in_a_row_ends_the_game() {
        let position: Position = Position::from_digits("1122334").expect("legal");
        assert_eq!(position.outcome(), Some(Outcome::Win(Player::First)));
        assert_eq!(position.legal_columns().count(), 0);
        assert_eq!(position.play(0), None);
    }

    #[test]
    fn non_losing_moves_are_those_after_which_the_opponent_cannot_win_at_once() {
        let mut random = 0x2545_F491_4F6C_DD1D_u64;
        let (mut blocked, mut lost) = (0, 0);
        for _ in 0..20_000 {
            let mut position = Position::<Standard>::new();
            while position.outcome().is_none() && !position.can_win_now() {
                let by_rules = super::super::each_cell(position.playable())
                    .filter(|&cell| !position.after(cell).can_win_now())
                    .fold(0, |set, cell| set | cell);
                assert_eq!(position.non_losing_moves(), by_rules, "{position}");
                blocked += u32::from(by_rules.count() == 1);
                lost += u32::from(by_rules == 0);
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                position = position.play((random >> 20) as u32 % 7).unwrap_or(position);
            }
        }
        assert!(blocked > 100 && lost > 100, "{blocked} forced and {lost} lost positions came up");
    }

    /// Walks the whole tree to `depth`, gathering keys of distinct positions.
    fn gather<G: Geometry>(position: Position<G>, depth: u32, keys: &mut HashSet<(G::Bits, Position<G>)>) {
        if !keys.insert((position.key(), position)) || depth == 0 {
            return;
        }
        for column in position.legal_columns() {
            gather(position.play(column).expect("legal"), depth - 1, keys);
        }
    }

    fn check_keys<G: Geometry>(depth: u32) {
        let mut seen = HashSet::new();
        gather(Position::<G>::new(), depth, &mut seen);
        let keys: HashSet<_> = seen.iter().map(|(key, _)| *key).collect();
        assert_eq!(keys.len(), seen.len(), "two positions share a key");
        for (key, position) in &seen {
            assert_eq!(mirror::<G>(*key), position.mirrored().key());
            assert_eq!(Position::from_key(*key), Some(*position));
            assert_eq!(position.canonical_key(), position.mirrored().canonical_key());
            assert_eq!(position.mirrored().mirrored(), *position);
            assert!(key.to_wide() >> (G::KEY_BITS - 1) <= 1);
        }
    }

    #[test]
    fn keys_are_unique_and_mirror_with_the_position() {
        check_keys::<Narrow<4, 4>>(16);
        check_keys::<Wide<4, 4>>(16);
        check_keys::<Standard>(7);
    }

    #[test]
    fn what_is_no_key_has_no_position() {
        // Two stones of the side to move; a stone above the board; a spare bit by itself; a bit beyond the board.
        for key in [0b10 | 0b10 << 7, 0b1_000_000, 0b1_111_111, 1 << 49, u64::MAX] {
            assert_eq!(Position::<Standard>::from_key(key), None, "{key:b}");
        }
        // The side to move has four in a row already.
        let over = Position::<Standard>::from_digits("1122334").expect("legal");
        assert_eq!(Position::<Standard>::from_key(over.opponent().plus(over.mask())), None);
    }
}
