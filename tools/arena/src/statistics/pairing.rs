//! The games of two engines against each other, for ratings.

/// Virtual drawn games between each two engines that have met. Without them an engine that won or lost all its games would
/// have no rating.
pub(super) const PRIOR_GAMES: f64 = 0.1;

/// The score of two engines against each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pairing {
    /// Their places.
    pub engines: [usize; 2],
    /// Their points; together as many as games, of which there is one at least.
    pub points: [f64; 2],
    /// The standard error of the points.
    pub error: f64,
}

impl Pairing {
    /// Number of games.
    pub(super) fn games(&self) -> f64 {
        self.points[0] + self.points[1]
    }

    /// The points of the engine, and the place of its opponent, if it is one of the two.
    pub(super) fn of(&self, engine: usize) -> Option<(f64, usize)> {
        let [one, other] = self.engines;
        if engine == one {
            Some((self.points[0], other))
        } else {
            (engine == other).then_some((self.points[1], one))
        }
    }
}
