//! The choice model: the probability of an alternative is proportional to the exponential of its utility, the sum of its
//! features times weights, which are fitted by Newton's method.

use plumb::search::opponent::softmax;

/// Iterations at most; a dozen are plenty.
const MAX_ITERATIONS: usize = 50;

/// An observed choice.
pub(super) struct Choice<'a, const N: usize> {
    /// The features of each alternative.
    pub(super) alternatives: &'a [[f64; N]],
    /// The place of the chosen one.
    pub(super) chosen: usize,
    /// How much the choice counts.
    pub(super) weight: f64,
}

/// The penalised log-likelihood of weights, which is concave, with its gradient and the negated matrix of its second
/// derivatives.
struct Expansion<const N: usize> {
    value: f64,
    gradient: [f64; N],
    curvature: [[f64; N]; N],
}

/// The weights that make the choices likeliest, from a start on. The penalty is the square of the distance from the origin
/// times its strength; it keeps the maximum finite.
pub(super) fn fit<const N: usize>(choices: &[Choice<'_, N>], penalty: f64, start: [f64; N]) -> [f64; N] {
    let mut at = start;
    let mut here = expand(choices, penalty, &at);
    for _ in 0..MAX_ITERATIONS {
        let step = solve(here.curvature, here.gradient);
        let mut scale = 1.0;
        let (next, there) = loop {
            let mut next = at;
            next.iter_mut().zip(&step).for_each(|(one, step)| *one += scale * step);
            let there = expand(choices, penalty, &next);
            if there.value >= here.value || scale < 1e-6 {
                break (next, there);
            }
            scale /= 2.0;
        };
        let gain = there.value - here.value;
        (at, here) = (next, there);
        if gain < 1e-9 * (1.0 + here.value.abs()) {
            break;
        }
    }
    at
}

fn expand<const N: usize>(choices: &[Choice<'_, N>], penalty: f64, at: &[f64; N]) -> Expansion<N> {
    let mut sum = Expansion {
        value: -penalty * at.iter().map(|one| one * one).sum::<f64>(),
        gradient: at.map(|one| -2.0 * penalty * one),
        curvature: [[0.0; N]; N],
    };
    (0..N).for_each(|index| sum.curvature[index][index] = 2.0 * penalty);
    for Choice { alternatives, chosen, weight } in choices.iter().filter(|choice| choice.weight >= 1e-6) {
        let probabilities = softmax(at, alternatives);
        sum.value += weight * probabilities[*chosen].max(1e-300).ln();
        let mut mean = [0.0; N];
        for (probability, features) in probabilities.iter().zip(*alternatives) {
            mean.iter_mut().zip(features).for_each(|(sum, feature)| *sum += probability * feature);
        }
        for (place, expected) in mean.iter().enumerate() {
            sum.gradient[place] += weight * (alternatives[*chosen][place] - expected);
        }
        for (probability, features) in probabilities.iter().zip(*alternatives) {
            for row in 0..N {
                let scaled = weight * probability * (features[row] - mean[row]);
                for column in 0..N {
                    sum.curvature[row][column] += scaled * (features[column] - mean[column]);
                }
            }
        }
    }
    sum
}

/// The solution of a system of linear equations with a positive definite matrix.
fn solve<const N: usize>(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> [f64; N] {
    for pivot in 0..N {
        for row in pivot + 1..N {
            let factor = matrix[row][pivot] / matrix[pivot][pivot];
            let above = matrix[pivot];
            matrix[row].iter_mut().zip(&above).for_each(|(one, above)| *one -= factor * above);
            right[row] -= factor * right[pivot];
        }
    }
    for pivot in (0..N).rev() {
        let known: f64 = (pivot + 1..N).map(|column| matrix[pivot][column] * right[column]).sum();
        right[pivot] = (right[pivot] - known) / matrix[pivot][pivot];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_weights_are_found() {
        // Three heads of four: the logarithm of the odds is that of three. With a feature that only heads of the second
        // coin have, whose odds are one, the second weight takes those of the first away.
        let sides = [[[1.0, 0.0], [0.0, 0.0]], [[1.0, 1.0], [0.0, 0.0]]];
        let choice = |coin: usize, chosen, weight| Choice { alternatives: &sides[coin], chosen, weight };
        let choices = [choice(0, 0, 3.0), choice(0, 1, 1.0), choice(1, 0, 2.0), choice(1, 1, 2.0)];
        let at = fit(&choices, 0.0, [0.0; 2]);
        assert!((at[0] - 3.0_f64.ln()).abs() < 1e-6 && (at[0] + at[1]).abs() < 1e-6, "{at:?}");
        let weak = fit(&choices, 1.0, [0.0; 2]);
        assert!(weak[0] > 0.0 && weak[0] < at[0], "a penalty draws to the origin: {weak:?}");
    }

    #[test]
    fn a_system_of_equations_is_solved() {
        let found = solve([[4.0, 2.0, 0.0], [2.0, 5.0, 1.0], [0.0, 1.0, 3.0]], [8.0, 15.0, 11.0]);
        assert!(
            found.iter().zip([1.0, 2.0, 3.0]).all(|(one, other)| (one - other).abs() < 1e-9),
            "{found:?}"
        );
    }
}
