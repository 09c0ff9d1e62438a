//! Positions as drawings for people.

use std::fmt::{self, Display, Formatter};

use super::geometry::Geometry;
use super::position::{Player, Position};

/// A drawing of a position, made by [`Position::diagram`]: `X` the first player, `O` the second, with ranks and column
/// letters at the edges.
#[derive(Clone, Copy, Debug)]
pub struct Diagram<G: Geometry>(Position<G>);

impl<G: Geometry> Position<G> {
    /// A drawing of the position, to be printed.
    ///
    /// ```
    /// use plumb::board::{Narrow, Position};
    ///
    /// let position: Position<Narrow<4, 4>> = "112".parse()?;
    /// let drawing = position.diagram().to_string();
    /// assert_eq!(drawing.lines().nth(2), Some(" 2 | O . . ."));
    /// assert_eq!(drawing.lines().nth(3), Some(" 1 | X X . ."));
    /// assert_eq!(drawing.lines().nth(4), Some("     a b c d"));
    /// # Ok::<(), plumb::board::ParsePositionError>(())
    /// ```
    #[must_use]
    pub fn diagram(&self) -> Diagram<G> {
        Diagram(*self)
    }
}

impl<G: Geometry> Display for Diagram<G> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let geometry = self.0.geometry();
        for row in (0..geometry.height()).rev() {
            write!(f, "{:>2} |", row + 1)?;
            for column in 0..geometry.width() {
                let stone = match self.0.owner(geometry.cell(column, row)) {
                    Some(Player::First) => 'X',
                    Some(Player::Second) => 'O',
                    None => '.',
                };
                write!(f, " {stone}")?;
            }
            writeln!(f)?;
        }
        write!(f, "    ")?;
        for column in 0..geometry.width() {
            write!(f, " {}", char::from(b'a' + column as u8))?;
        }
        Ok(())
    }
}
