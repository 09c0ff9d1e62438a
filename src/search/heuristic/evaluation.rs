//! The static evaluation of the depth-limited search.

use crate::board::{Bits, Geometry, Position};

/// The worth of an evaluation point in centipawns.
const CENTIPAWNS_PER_POINT: i32 = 10;

/// The static evaluation of a position that is not over, for the side to move, in centipawn-like units.
///
/// A segment is a line of four cells. A segment with stones of one side only counts for that side: 10 for two stones,
/// 40 for three, nothing for one. To count segments is common practice and taught in courses; these weights are
/// from no publication.
///
/// ```
/// use plumb::board::{Position, Standard};
/// use plumb::search::evaluate;
///
/// let position = Position::<Standard>::from_digits("4455").unwrap();
/// assert_eq!(evaluate(&position), 0);
/// ```
#[inline]
#[must_use]
pub fn evaluate<G: Geometry>(position: &Position<G>) -> i32 {
    let geometry = position.geometry();
    let (own, opponent) = (position.own(), position.opponent());
    CENTIPAWNS_PER_POINT * (segment_points(geometry, own, opponent) - segment_points(geometry, opponent, own))
}

/// The sum of points of the segments that hold stones of `side` and none of `other`: 1 for two stones, 4 for three.
///
/// All segments of a direction are counted at once: `s0` to `s3` are the four cells of the segments that begin at each
/// bit, and the number of stones is a sum of four bits by carry-save addition.
#[inline]
fn segment_points<G: Geometry>(geometry: G, side: G::Bits, other: G::Bits) -> i32 {
    let free = geometry.board() & !other;
    let mut pairs = 0;
    let mut threes = 0;
    for shift in geometry.directions() {
        let two_free = free & (free >> shift);
        let open = two_free & (two_free >> (2 * shift));
        let (s0, s1, s2, s3) = (side, side >> shift, side >> (2 * shift), side >> (3 * shift));
        let (first_sum, first_carry) = (s0 ^ s1, s0 & s1);
        let (second_sum, second_carry) = (s2 ^ s3, s2 & s3);
        let odd = first_sum ^ second_sum;
        // With four stones both carries are set and cancel out; that segment has ended the game anyway.
        let two_or_three = first_carry ^ second_carry ^ (first_sum & second_sum);
        pairs += (open & two_or_three & !odd).count();
        threes += (open & two_or_three & odd).count();
    }
    (pairs + 4 * threes) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Narrow, Standard, StaticGeometry, Wide};

    /// [`segment_points`] by coordinates.
    fn by_coordinates<G: StaticGeometry>(side: G::Bits, other: G::Bits) -> i32 {
        let mut points = 0;
        let holds = |set: G::Bits, column: i32, row: i32| {
            !(set & G::default().cell(column as u32, row as u32)).is_empty()
        };
        for column in 0..G::WIDTH as i32 {
            for row in 0..G::HEIGHT as i32 {
                for (right, up) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                    let cells: Vec<_> = (0..4).map(|step| (column + step * right, row + step * up)).collect();
                    if cells.iter().any(|&(c, r)| c >= G::WIDTH as i32 || !(0..G::HEIGHT as i32).contains(&r))
                        || cells.iter().any(|&(c, r)| holds(other, c, r))
                    {
                        continue;
                    }
                    points += match cells.iter().filter(|&&(c, r)| holds(side, c, r)).count() {
                        2 => 1,
                        3 => 4,
                        _ => 0,
                    };
                }
            }
        }
        points
    }

    fn check<G: StaticGeometry>() {
        let mut random = 88_172_645_463_325_252_u64;
        for _ in 0..2_000 {
            let mut position = Position::<G>::new();
            loop {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                for (side, other) in
                    [(position.own(), position.opponent()), (position.opponent(), position.own())]
                {
                    assert_eq!(segment_points(G::default(), side, other), by_coordinates::<G>(side, other));
                }
                match position.play(random as u32 % G::WIDTH) {
                    Some(next) => position = next,
                    None => break,
                }
            }
        }
    }

    #[test]
    fn bit_sums_agree_with_coordinates() {
        check::<Standard>();
        check::<Narrow<5, 4>>();
        check::<Wide<9, 8>>();
    }

    #[test]
    fn the_evaluation_is_antisymmetric() {
        let position: Position = Position::from_digits("444353").expect("legal");
        let turned = Position::<Standard>::from_sets(
            position.geometry(),
            position.opponent(),
            position.mask(),
            position.plies(),
        );
        assert_eq!(evaluate(&position), -evaluate(&turned));
        assert_eq!(evaluate(&Position::<Standard>::new()), 0);
    }
}
