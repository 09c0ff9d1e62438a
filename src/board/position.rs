//! Positions and the rules of the game.

use super::bits::{Bits, each_cell};
use super::geometry::{Geometry, Standard, StaticGeometry, has_four, winning_cells};

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// The side that moves on the empty board.
    First,
    /// The opponent of the first player.
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

/// The result of a game that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The player with four in a row.
    Win(Player),
    /// The board is full, and nobody has four in a row.
    Draw,
}

/// A position: the stones of the side to move, the stones of both sides, and their number.
///
/// Invariants: no stone floats, the sides have moved in turn, and the side to move does not have four in a row. Its
/// opponent may have; then the game is over. A position that was set up may be [unreachable](Self::is_reachable) by
/// play.
///
/// Parsed from column digits or a FEN, displayed as a FEN.
///
/// ```
/// use plumb::board::{Outcome, Player, Position};
///
/// let position: Position = "112233".parse()?;
/// assert_eq!((position.plies(), position.side_to_move()), (6, Player::First));
/// let won = position.play(3).expect("a legal move");
/// assert_eq!(won.outcome(), Some(Outcome::Win(Player::First)));
/// # Ok::<(), plumb::board::ParsePositionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position<G: Geometry = Standard> {
    geometry: G,
    own: G::Bits,
    mask: G::Bits,
    plies: u32,
}

impl<G: StaticGeometry> Default for Position<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: StaticGeometry> Position<G> {
    /// The empty board.
    #[must_use]
    pub fn new() -> Self {
        Self::empty(G::default())
    }

    /// Like [`from_key_on`](Self::from_key_on), for the board of this type.
    #[must_use]
    pub fn from_key(key: G::Bits) -> Option<Self> {
        Self::from_key_on(G::default(), key)
    }
}

impl<G: Geometry> Position<G> {
    /// The empty board of a size.
    #[must_use]
    pub fn empty(geometry: G) -> Self {
        Self { geometry, own: G::Bits::ZERO, mask: G::Bits::ZERO, plies: 0 }
    }

    /// Creates a position without checks. The caller ensures its invariants.
    #[inline]
    #[must_use]
    pub(crate) fn from_sets(geometry: G, own: G::Bits, mask: G::Bits, plies: u32) -> Self {
        debug_assert!((own & !mask).is_empty() && mask.count() == plies);
        Self { geometry, own, mask, plies }
    }

    /// Converts the position to another geometry type. `None` if the board size differs.
    #[must_use]
    pub fn with_geometry<H: Geometry>(&self, geometry: H) -> Option<Position<H>> {
        if self.geometry.size() != geometry.size() {
            return None;
        }
        let [own, mask] = [self.own, self.mask].map(|set| H::Bits::from_wide(set.to_wide()));
        Some(Position { geometry, own, mask, plies: self.plies })
    }

    /// Converts the position to another geometry type of the same board size.
    pub(crate) fn on<H: Geometry>(&self, geometry: H) -> Position<H> {
        let Some(position) = self.with_geometry(geometry) else {
            panic!("a position on {} where one on {} belongs", self.geometry.size(), geometry.size());
        };
        position
    }

    /// The board of this position.
    #[inline(always)]
    #[must_use]
    pub fn geometry(&self) -> G {
        self.geometry
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
        self.geometry.cells() - self.plies
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

    /// The player whose stone is on `cell`, or `None` if it is empty.
    #[must_use]
    pub fn owner(&self, cell: G::Bits) -> Option<Player> {
        [Player::First, Player::Second].into_iter().find(|&player| !(self.stones(player) & cell).is_empty())
    }

    /// The result of the game, or `None` if it is not over.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        if has_four(self.geometry, self.opponent()) {
            Some(Outcome::Win(self.side_to_move().other()))
        } else if self.plies == self.geometry.cells() {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    pub(super) fn has_lines(&self) -> bool {
        has_four(self.geometry, self.own) || has_four(self.geometry, self.opponent())
    }

    /// The cells where a stone would land, also if the game is over.
    #[inline]
    #[must_use]
    pub fn playable(&self) -> G::Bits {
        self.mask.plus(self.geometry.bottom()) & self.geometry.board()
    }

    /// Where a stone in `column` (from 0) lands. `None` if the column is full or does not exist.
    #[must_use]
    pub fn landing(&self, column: u32) -> Option<G::Bits> {
        if column >= self.geometry.width() {
            return None;
        }
        let cell = self.playable() & self.geometry.column(column);
        if cell.is_empty() { None } else { Some(cell) }
    }

    /// The columns (from 0) of the legal moves, from the left; none if the game is over.
    pub fn legal_columns(&self) -> impl Iterator<Item = u32> + use<G> {
        let playable = if self.outcome().is_some() { G::Bits::ZERO } else { self.playable() };
        let geometry = self.geometry;
        each_cell(playable).map(move |cell| geometry.column_of(cell))
    }

    /// The position after a stone on a [`playable`](Self::playable) cell. Any other cell makes an invalid position.
    /// [`play`](Self::play) checks the move.
    #[inline]
    #[must_use]
    pub fn after(&self, cell: G::Bits) -> Self {
        debug_assert!((cell & self.playable()) == cell && !cell.is_empty() && !cell.has_several());
        Self { own: self.opponent(), mask: self.mask | cell, plies: self.plies + 1, ..*self }
    }

    /// The position after a stone in `column` (from 0), or `None` if the move is illegal.
    /// [`try_play`](Self::try_play) gives the reason.
    #[must_use]
    pub fn play(&self, column: u32) -> Option<Self> {
        if self.outcome().is_some() {
            return None;
        }
        self.landing(column).map(|cell| self.after(cell))
    }

    /// The empty cells, playable or not, where a stone of the side to move completes four in a row.
    #[inline]
    #[must_use]
    pub fn own_winning_cells(&self) -> G::Bits {
        winning_cells(self.geometry, self.own, self.mask)
    }

    /// The empty cells, playable or not, where a stone of the opponent completes four in a row.
    #[inline]
    #[must_use]
    pub fn opponent_winning_cells(&self) -> G::Bits {
        winning_cells(self.geometry, self.opponent(), self.mask)
    }

    /// Whether the side to move wins with its next stone. Meaningless if the game is over.
    #[inline]
    #[must_use]
    pub fn can_win_now(&self) -> bool {
        !(self.own_winning_cells() & self.playable()).is_empty()
    }

    /// The moves after which the opponent has no immediate win. Requires that the side to move has no
    /// immediate win.
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

    /// The mirror image of the position.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let [own, mask] = [self.own, self.mask].map(|set| mirror(self.geometry, set));
        Self { own, mask, ..*self }
    }

    /// The key of the position: a number below 2^[`Geometry::key_bits`] that no other position of this board has.
    ///
    /// The key is `own + mask`. In a column of `h` stones the mask is 2^h - 1, and the own stones are a subset of
    /// it. So the sum is from 2^h - 1 to 2^(h+1) - 2: different for every height, without a carry into the next
    /// column. Source: John Tromp's encoding, as in Pascal Pons, "Solving Connect 4", part 6.
    #[inline]
    #[must_use]
    pub fn key(&self) -> G::Bits {
        self.own.plus(self.mask)
    }

    /// The position with this [`key`](Self::key), or `None` if no position has it.
    #[must_use]
    pub fn from_key_on(geometry: G, key: G::Bits) -> Option<Self> {
        let stride = geometry.stride();
        let column_bits = G::Bits::from_wide((1 << stride) - 1);
        let mut mask = G::Bits::ZERO;
        for column in 0..geometry.width() {
            // The key of a column of h stones plus 1 is from 2^h to 2^(h+1) - 1.
            let field = ((key >> (column * stride)) & column_bits).to_wide() + 1;
            let height = field.ilog2();
            if height > geometry.height() {
                return None;
            }
            mask |= G::Bits::from_wide((1 << height) - 1) << (column * stride);
        }
        let own = key.minus(mask);
        let plies = mask.count();
        let sound = (own & !mask).is_empty() && own.count() == plies / 2 && own.plus(mask) == key;
        if sound && !has_four(geometry, own) { Some(Self { geometry, own, mask, plies }) } else { None }
    }

    /// The lesser of the keys of the position and its mirror image.
    #[inline]
    #[must_use]
    pub fn canonical_key(&self) -> G::Bits {
        let key = self.key();
        key.min(mirror(self.geometry, key))
    }
}

#[inline]
#[must_use]
pub(crate) fn mirror<G: Geometry>(geometry: G, set: G::Bits) -> G::Bits {
    let (width, stride) = (geometry.width(), geometry.stride());
    let column = G::Bits::from_wide((1 << stride) - 1);
    (0..width).fold(G::Bits::ZERO, |mirrored, index| {
        let from = index * stride;
        mirrored | (((set >> from) & column) << ((width - 1) * stride - from))
    })
}

#[cfg(test)]
mod tests {
    use super::super::any::AnyBoard;
    use super::super::geometry::{Narrow, Wide};
    use super::*;
    use crate::testing::random;
    use std::collections::HashSet;

    #[test]
    fn a_stone_lands_on_the_lowest_free_cell() {
        let mut position = Position::<Standard>::new();
        for row in 0..6 {
            assert_eq!(position.landing(3), Some(Standard::default().cell(3, row)));
            position = position.play(3).expect("the column is open");
        }
        assert_eq!(position.landing(3), None);
        assert_eq!(position.play(3), None);
        assert_eq!(position.landing(7), None);
        assert_eq!(Position::<crate::board::Narrow<8, 7>>::new().landing(8), None);
    }

    #[test]
    fn non_losing_moves_are_those_after_which_the_opponent_cannot_win_at_once() {
        let mut random = random(1);
        let (mut blocked, mut lost) = (0, 0);
        for _ in 0..20_000 {
            let mut position = Position::<Standard>::new();
            while position.outcome().is_none() && !position.can_win_now() {
                let by_rules = each_cell(position.playable())
                    .filter(|&cell| !position.after(cell).can_win_now())
                    .fold(0, |set, cell| set | cell);
                assert_eq!(position.non_losing_moves(), by_rules, "{position}");
                blocked += u32::from(by_rules.count() == 1);
                lost += u32::from(by_rules == 0);
                let column = random.next().expect("endless") as u32 % 7;
                position = position.play(column).unwrap_or(position);
            }
        }
        assert!(blocked > 100 && lost > 100, "{blocked} forced and {lost} lost positions came up");
    }

    fn gather<G: Geometry>(position: Position<G>, depth: u32, keys: &mut HashSet<(G::Bits, Position<G>)>) {
        if !keys.insert((position.key(), position)) || depth == 0 {
            return;
        }
        for column in position.legal_columns() {
            gather(position.play(column).expect("legal"), depth - 1, keys);
        }
    }

    fn check_keys<G: Geometry>(geometry: G, depth: u32) {
        let mut seen = HashSet::new();
        gather(Position::empty(geometry), depth, &mut seen);
        let keys: HashSet<_> = seen.iter().map(|(key, _)| *key).collect();
        assert_eq!(keys.len(), seen.len(), "two positions share a key");
        for (key, position) in &seen {
            assert_eq!(mirror(geometry, *key), position.mirrored().key());
            assert_eq!(Position::from_key_on(geometry, *key), Some(*position));
            assert_eq!(position.canonical_key(), position.mirrored().canonical_key());
            assert_eq!(position.mirrored().mirrored(), *position);
            assert!(key.to_wide() >> (geometry.key_bits() - 1) <= 1);
        }
    }

    #[test]
    fn keys_are_unique_and_mirror_with_the_position() {
        check_keys(Narrow::<4, 4>, 16);
        check_keys(Wide::<4, 4>, 16);
        check_keys(Standard::default(), 7);
        let any = |text: &str| AnyBoard::<u128>::new(text.parse().expect("a size")).expect("a board");
        check_keys(any("4x4"), 16);
        check_keys(any("25x4"), 3);
    }

    #[test]
    fn an_invalid_key_has_no_position() {
        // Two stones against none; five stones against one; a column of seven stones; a bit past the last column;
        // all bits.
        for key in [0b10 | 0b10 << 7, 0b1_000_000, 0b1_111_111, 1 << 49, u64::MAX] {
            assert_eq!(Position::<Standard>::from_key(key), None, "{key:b}");
        }
        let over = Position::<Standard>::from_digits("1122334").expect("legal");
        assert_eq!(Position::<Standard>::from_key(over.opponent().plus(over.mask())), None);
    }
}
