//! The generalised likelihood ratio of two hypotheses on the distribution of scores.
//!
//! Sources: M. Van den Bergh, "Comparing the approximations for the generalized log likelihood ratio of a
//! multinomial distribution", Proposition 1.1, <https://www.cantate.be/Fishtest/comparing_approximations.pdf>
//! (the expected score), and "Comments on normalized Elo", Section 4.1,
//! <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf> (the t-value).

use std::array::from_fn;

use super::bisected;

/// Replaces zero counts, as in fishtest: no outcome is impossible.
const PRIOR: f64 = 1e-3;

/// Maximum number of iterations. The tests need up to 190.
const MAX_STEPS: usize = 500;

/// The iteration ends if no probability changes by more than this.
const SETTLED: f64 = 1e-12;

/// Hypothesis on the score, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Condition {
    /// Expected score between 0 and 1, both excluded.
    Mean(f64),
    /// Expected score minus ½, in standard deviations. Tests cover -8 to 8.
    TValue(f64),
}

/// Equally spaced scores of `N` outcomes, at least 2, from 0 to 1.
pub(crate) fn scores<const N: usize>() -> [f64; N] {
    from_fn(|outcome| outcome as f64 / (N - 1) as f64)
}

pub(crate) fn moments<const N: usize>(probabilities: &[f64; N]) -> (f64, f64) {
    let scores = scores::<N>();
    let mean = expectation(probabilities, &scores);
    (mean, expectation(probabilities, &scores.map(|score| (score - mean).powi(2))))
}

fn expectation<const N: usize>(probabilities: &[f64; N], values: &[f64; N]) -> f64 {
    values.iter().zip(probabilities).map(|(value, probability)| value * probability).sum()
}

/// Log-likelihood ratio of `second` to `first`, each with its likeliest distribution. 0 without counts. `N` is at least
/// 2.
pub(crate) fn log_likelihood_ratio<const N: usize>(
    counts: &[f64; N],
    first: Condition,
    second: Condition,
) -> f64 {
    if counts.iter().all(|&count| count <= 0.0) {
        return 0.0;
    }
    let counts = counts.map(|count| count.max(PRIOR));
    let total: f64 = counts.iter().sum();
    let observed = counts.map(|count| count / total);
    let [first, second] = [first, second].map(|condition| most_likely(&observed, condition));
    total * (log_likelihood(&observed, &second) - log_likelihood(&observed, &first))
}

/// Mean log-likelihood of an observation.
fn log_likelihood<const N: usize>(observed: &[f64; N], probabilities: &[f64; N]) -> f64 {
    observed.iter().zip(probabilities).map(|(share, probability)| share * probability.ln()).sum()
}

/// All shares of `observed` must be above 0.
fn most_likely<const N: usize>(observed: &[f64; N], condition: Condition) -> [f64; N] {
    match condition {
        Condition::Mean(mean) => tilted(observed, &scores().map(|score| score - mean)),
        // A negative t-value is a positive t-value of the opponent.
        Condition::TValue(t) if t < 0.0 => mirrored(with_t_value(&mirrored(*observed), -t)),
        Condition::TValue(t) => with_t_value(observed, t),
    }
}

fn mirrored<const N: usize>(mut distribution: [f64; N]) -> [f64; N] {
    distribution.reverse();
    distribution
}

/// `t` is at least 0.
///
/// Iterates from one start for each score above ½, because each can lead to a local maximum. Van den Bergh starts at
/// the uniform distribution, but for a `t` above 0.9 its tangent contains no distribution:
/// <https://github.com/Disservin/fastchess/issues/879>.
fn with_t_value<const N: usize>(observed: &[f64; N], t: f64) -> [f64; N] {
    if excess(observed, t) >= 0.0 {
        return settle(observed, t, *observed);
    }
    let found = (N.div_ceil(2)..N).map(|good| settle(observed, t, raised(observed, t, good)));
    let likeliest =
        found.max_by(|one, other| log_likelihood(observed, one).total_cmp(&log_likelihood(observed, other)));
    likeliest.unwrap_or(*observed)
}

/// Mean score minus the mean that has the t-value `t` at this variance.
fn excess<const N: usize>(distribution: &[f64; N], t: f64) -> f64 {
    let (mean, variance) = moments(distribution);
    mean - 0.5 - t * variance.sqrt()
}

/// Adds enough of the outcome `good`, whose score is above ½, for a t-value of at least `t`.
fn raised<const N: usize>(observed: &[f64; N], t: f64, good: usize) -> [f64; N] {
    // 20 halvings are enough: if all but a millionth is the good outcome, the t-value is above 200.
    let (_, share) = bisected(0.0, 1.0, 20, |share| excess(&moved(observed, share, good), t) < 0.0);
    moved(observed, share, good)
}

fn moved<const N: usize>(observed: &[f64; N], share: f64, good: usize) -> [f64; N] {
    from_fn(|outcome| (1.0 - share) * observed[outcome] + if outcome == good { share } else { 0.0 })
}

/// Likeliest distribution with the t-value `t`, by iteration from `start`.
///
/// The condition is not linear, so tangents replace it. Each step finds the likeliest distribution on the tangent at
/// the previous distribution. A tangent needs values of both signs. Its value for the score 0 is negative. Its
/// expectation is the excess, which is not negative at the start, nor later, because the standard deviation is concave.
fn settle<const N: usize>(observed: &[f64; N], t: f64, start: [f64; N]) -> [f64; N] {
    let mut found = start;
    for _ in 0..MAX_STEPS {
        let (mean, variance) = moments(&found);
        let deviation = variance.sqrt();
        let tangent = scores().map(|score: f64| {
            score - 0.5 - t * deviation / 2.0 * (1.0 + ((score - mean) / deviation).powi(2))
        });
        let next = tilted(observed, &tangent);
        let change = next.iter().zip(&found).map(|(new, old)| (new - old).abs()).fold(0.0, f64::max);
        found = next;
        if change < SETTLED {
            break;
        }
    }
    found
}

/// The likeliest distribution that gives `values` the expectation 0. Some values must be below 0 and some above.
///
/// The probabilities are p / (1 + x v), where p is observed and v the value. x solves the secular equation: the sum of
/// p v / (1 + x v) is 0, with all denominators positive.
fn tilted<const N: usize>(observed: &[f64; N], values: &[f64; N]) -> [f64; N] {
    let expectation = expectation(observed, values);
    // If the expectation is negative, x lies between 0 and the pole, -1 / greatest value.
    let values = if expectation > 0.0 { values.map(|value| -value) } else { *values };
    let top = (0..N).max_by(|&one, &other| values[one].total_cmp(&values[other])).unwrap_or(0);
    let greatest = values[top];
    debug_assert!(greatest > 0.0 && values.iter().any(|&value| value < 0.0), "{values:?}");
    // Counted from the pole, no digits are lost if the root is near it. In units of 1 / `greatest`, the root is at most
    // 1 and at least the share of the top outcome.
    let values = values.map(|value| value / greatest);
    let denominator = |outcome: usize, x: f64| 1.0 - values[outcome] + x * values[outcome];
    let (mut low, mut high) = (observed[top], 1.0);
    let mut x = low;
    for _ in 0..MAX_STEPS {
        let (mut sum, mut slope) = (0.0, 0.0);
        for outcome in 0..N {
            let term = values[outcome] / denominator(outcome, x);
            sum += observed[outcome] * term;
            slope -= observed[outcome] * term * term;
        }
        // The sum falls as x grows, so the root stays within the bracket.
        if sum > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - sum / slope;
        let next = if low < newton && newton < high { newton } else { f64::midpoint(low, high) };
        let step = (next - x).abs();
        x = next;
        if step <= f64::EPSILON * x {
            break;
        }
    }
    from_fn(|outcome| observed[outcome] / denominator(outcome, x))
}

#[cfg(test)]
mod tests {
    use plumb::mix::Random;

    use super::*;

    fn observations(random: &mut Random) -> [f64; 5] {
        let counts: [f64; 5] =
            from_fn(|_| [PRIOR, 1.0, 2.0, 5.0, 20.0, 100.0, 1e5][random.below(7) as usize]);
        let total: f64 = counts.iter().sum();
        counts.map(|count| count / total)
    }

    #[test]
    fn what_is_found_meets_its_condition() {
        let mut random = Random::new(1, 0);
        for _ in 0..3000 {
            let observed = observations(&mut random);
            for mean in [1e-5, 0.3, 0.5, 0.5072, 1.0 - 1e-5] {
                let found = most_likely(&observed, Condition::Mean(mean));
                // Tolerance for the rounding errors of five terms.
                assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-13, "{observed:?} {found:?}");
                assert!((moments(&found).0 - mean).abs() < 1e-13, "{observed:?} {found:?}");
            }
            for t in [-8.0, -1.0, -0.01, 0.0, 0.001, 0.02, 0.3, 1.0, 3.0, 8.0] {
                let found = most_likely(&observed, Condition::TValue(t));
                assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{observed:?} {found:?}");
                // The excess is at most 10 times less accurate than the probabilities.
                assert!(excess(&found, t).abs() < 1e-11, "{t} {observed:?} {found:?}");
            }
        }
    }

    #[test]
    fn games_of_one_t_value_are_searched_thoroughly() {
        // With three outcomes, the draw rate d determines the distribution: wins and losses differ by t √((1 - d) / (1 + t²)).
        // A fine grid of draw rates finds the greatest likelihood from below.
        let mut random = Random::new(2, 0);
        for _ in 0..100 {
            let counts: [f64; 3] = from_fn(|_| [PRIOR, 1.0, 3.0, 50.0, 400.0][random.below(5) as usize]);
            let total: f64 = counts.iter().sum();
            let observed = counts.map(|count| count / total);
            for t in [-1.0, -0.1, 0.0, 0.05, 0.5, 2.0] {
                let found = log_likelihood(&observed, &most_likely(&observed, Condition::TValue(t)));
                let of_grid = (1..20_000).map(|step| {
                    let draws = (-20.0 * f64::from(step) / 20_000.0).exp();
                    let difference = t * ((1.0 - draws) / (1.0 + t * t)).sqrt();
                    let decided = 1.0 - draws;
                    let losses = f64::midpoint(decided, -difference);
                    let wins = f64::midpoint(decided, difference);
                    if losses.min(wins) <= 0.0 {
                        return f64::NEG_INFINITY;
                    }
                    log_likelihood(&observed, &[losses, draws, wins])
                });
                let best = of_grid.fold(f64::NEG_INFINITY, f64::max);
                assert!(found > best - 1e-12, "{t} {observed:?}: {found} {best}");
                // The grid misses the maximum by at most its first step, which starts at a draw rate of 1.
                assert!(found < best + 1e-3, "{t} {observed:?}: {found} {best}");
            }
        }
    }

    #[test]
    fn no_start_leads_to_a_likelier_distribution() {
        let mut random = Random::new(3, 0);
        let mut compared = 0;
        for _ in 0..500 {
            let observed = observations(&mut random);
            for t in [0.02, 0.3, 1.0, 3.0] {
                let found = log_likelihood(&observed, &with_t_value(&observed, t));
                for _ in 0..5 {
                    let weights: [f64; 5] =
                        from_fn(|_| (-8.0 * f64::from(random.below(1000)) / 1000.0).exp());
                    let total: f64 = weights.iter().sum();
                    let start = weights.map(|weight| weight / total);
                    if excess(&start, t) >= 0.0 {
                        let other = log_likelihood(&observed, &settle(&observed, t, start));
                        assert!(other < found + 1e-9, "{t} {observed:?} {start:?}: {other} {found}");
                        compared += 1;
                    }
                }
            }
        }
        assert!(compared > 1000, "{compared}");
    }
}
