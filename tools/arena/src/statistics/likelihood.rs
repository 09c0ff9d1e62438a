//! The generalised likelihood ratio of two hypotheses on the distribution of scores.
//!
//! Sources: M. Van den Bergh, "Comparing the approximations for the generalized log likelihood ratio of a
//! multinomial distribution", Proposition 1.1, <https://www.cantate.be/Fishtest/comparing_approximations.pdf>
//! (the expected score), and "Comments on normalized Elo", Section 4.1,
//! <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf> (the t-value).

use std::array::from_fn;

/// Replacement of zero counts, so that no outcome is impossible: fishtest's value.
const PRIOR: f64 = 1e-3;

/// Steps that a root or a fixed point may take. Those of the tests take up to 190.
const MAX_STEPS: usize = 500;

/// The change of a probability at which a fixed point counts as reached.
const SETTLED: f64 = 1e-12;

/// A hypothesis on the score of an observation, which ranges from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Condition {
    /// The expected score, between 0 and 1, both excluded.
    Mean(f64),
    /// How many standard deviations the expected score lies above ½. Tested from -8 to 8.
    TValue(f64),
}

/// The scores of `N` outcomes: equally spaced from 0 to 1. `N` is at least 2.
pub fn scores<const N: usize>() -> [f64; N] {
    from_fn(|outcome| outcome as f64 / (N - 1) as f64)
}

/// Mean and variance of the score where the outcomes, in order of their scores, have these probabilities.
pub fn moments<const N: usize>(probabilities: &[f64; N]) -> (f64, f64) {
    let scores = scores::<N>();
    let expectation = |of: [f64; N]| -> f64 { of.iter().zip(probabilities).map(|(of, p)| of * p).sum() };
    let mean = expectation(scores);
    (mean, expectation(scores.map(|score| (score - mean).powi(2))))
}

/// The natural logarithm of how many times likelier the counts of outcomes, in order of their scores, are under
/// the second condition than under the first, each with the distribution that suits the counts best. It is 0
/// without counts. `N` is at least 2.
pub fn log_likelihood_ratio<const N: usize>(counts: &[u64; N], first: Condition, second: Condition) -> f64 {
    weighted_log_likelihood_ratio(&counts.map(|count| count as f64), first, second)
}

/// The same for weights, from 0, in the place of counts.
pub fn weighted_log_likelihood_ratio<const N: usize>(
    weights: &[f64; N],
    first: Condition,
    second: Condition,
) -> f64 {
    if weights.iter().all(|&weight| weight <= 0.0) {
        return 0.0;
    }
    let counts = weights.map(|weight| weight.max(PRIOR));
    let total: f64 = counts.iter().sum();
    let observed = counts.map(|count| count / total);
    let [first, second] = [first, second].map(|condition| most_likely(&observed, condition));
    total * (log_likelihood(&observed, &second) - log_likelihood(&observed, &first))
}

/// The logarithm of the likelihood of `observed` shares under `probabilities`, per observation.
fn log_likelihood<const N: usize>(observed: &[f64; N], probabilities: &[f64; N]) -> f64 {
    observed.iter().zip(probabilities).map(|(share, probability)| share * probability.ln()).sum()
}

/// The distribution under which `observed` is likeliest among those that meet the condition. All probabilities
/// of `observed` must be above 0.
fn most_likely<const N: usize>(observed: &[f64; N], condition: Condition) -> [f64; N] {
    match condition {
        Condition::Mean(mean) => tilted(observed, &scores().map(|score| score - mean)),
        Condition::TValue(t) if t < 0.0 => {
            // The same as the opponent sees it.
            let mut mirrored = *observed;
            mirrored.reverse();
            let mut found = with_t_value(&mirrored, -t);
            found.reverse();
            found
        }
        Condition::TValue(t) => with_t_value(observed, t),
    }
}

/// The distribution under which `observed` is likeliest among those with a `t`-value that is not negative.
///
/// Where the t-value has to be raised, there can be more than one local maximum, each with more of another good
/// score, so there is a start at each of them. Van den Bergh starts at the even distribution, but for a `t` above
/// 0.9 no distribution is on the tangent there: <https://github.com/Disservin/fastchess/issues/879>.
fn with_t_value<const N: usize>(observed: &[f64; N], t: f64) -> [f64; N] {
    if excess(observed, t) >= 0.0 {
        return settle(observed, t, *observed);
    }
    let found = (N / 2 + 1..N).map(|good| settle(observed, t, raised(observed, t, good)));
    let likelier = |one: &[f64; N], other: &[f64; N]| {
        log_likelihood(observed, one).total_cmp(&log_likelihood(observed, other))
    };
    found.max_by(likelier).unwrap_or(*observed)
}

/// By how much the mean of the distribution is above the one that has this `t`-value.
fn excess<const N: usize>(distribution: &[f64; N], t: f64) -> f64 {
    let (mean, variance) = moments(distribution);
    mean - 0.5 - t * variance.sqrt()
}

/// `observed` with so much of the `good` outcome, whose score is above ½, added that the t-value is at least `t`.
fn raised<const N: usize>(observed: &[f64; N], t: f64, good: usize) -> [f64; N] {
    let moved = |share: f64| -> [f64; N] {
        from_fn(|outcome| (1.0 - share) * observed[outcome] + if outcome == good { share } else { 0.0 })
    };
    // With all but a millionth of the good outcome, t-values are above 200, so 20 halvings do for any test.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..20 {
        let share = f64::midpoint(low, high);
        if excess(&moved(share), t) < 0.0 {
            low = share;
        } else {
            high = share;
        }
    }
    moved(high)
}

/// The distribution with the `t`-value, which is not negative, that suits `observed` best near the start.
///
/// The condition is not linear in the probabilities. Around a distribution it is replaced with its tangent, the
/// likeliest distribution on that is the next to take a tangent at, and so on until nothing changes. The start's
/// t-value must be at least `t`. Then the tangent has values of both signs, as it needs: its expectation is the
/// excess of the distribution it is taken at, which is not negative there and, since the standard deviation is a
/// concave function of the distribution, at no later one; and its value for the score 0 is always negative.
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

/// The distribution under which `observed` is likeliest among those that give the `values` the expectation 0.
/// Some values must be below 0 and some above.
///
/// It has the probabilities p / (1 + x v), where p is observed, v the value, and x solves the secular equation:
/// the sum of p v / (1 + x v) is 0, with all denominators positive.
fn tilted<const N: usize>(observed: &[f64; N], values: &[f64; N]) -> [f64; N] {
    let expectation: f64 = observed.iter().zip(values).map(|(probability, value)| probability * value).sum();
    // With a negative expectation, x lies between 0 and the pole of the greatest value; else turn it around.
    let values = if expectation > 0.0 { values.map(|value| -value) } else { *values };
    let top = (0..N).max_by(|&one, &other| values[one].total_cmp(&values[other])).unwrap_or(0);
    let greatest = values[top];
    debug_assert!(greatest > 0.0 && values.iter().any(|&value| value < 0.0), "{values:?}");
    // Counted from that pole, no digits are lost where the root is next to it. In units of 1 / `greatest`, the
    // root is at most 1, which is x = 0, and at least the top outcome's share, which would make that certain.
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
mod tests;
