//! Newton's method for concave functions of a few variables.

/// Iterations at most; a dozen are plenty.
const MAX_ITERATIONS: usize = 50;

/// A function's value with its gradient and the negated matrix of its second derivatives.
pub(super) struct Expansion<const N: usize> {
    pub(super) value: f64,
    pub(super) gradient: [f64; N],
    pub(super) curvature: [[f64; N]; N],
}

impl<const N: usize> Expansion<N> {
    /// Zero, less the penalty `strength` times the square of the distance from the origin, which keeps the maximum finite.
    pub(super) fn penalty(at: &[f64; N], strength: f64) -> Self {
        let mut curvature = [[0.0; N]; N];
        (0..N).for_each(|index| curvature[index][index] = 2.0 * strength);
        let value = -strength * at.iter().map(|one| one * one).sum::<f64>();
        Self { value, gradient: at.map(|one| -2.0 * strength * one), curvature }
    }
}

/// The place of the maximum of a concave function.
pub(super) fn maximise<const N: usize>(
    start: [f64; N],
    function: impl Fn(&[f64; N]) -> Expansion<N>,
) -> [f64; N] {
    let mut at = start;
    let mut here = function(&at);
    for _ in 0..MAX_ITERATIONS {
        let step = solve(here.curvature, here.gradient);
        let mut scale = 1.0;
        let (next, there) = loop {
            let mut next = at;
            next.iter_mut().zip(&step).for_each(|(one, step)| *one += scale * step);
            let there = function(&next);
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
    fn the_maximum_of_a_quadratic_function_is_found() {
        let at = maximise([0.0, 0.0], |&[x, y]| Expansion {
            value: -(x - 3.0).powi(2) - (x - 3.0) * (y + 1.0) - (y + 1.0).powi(2),
            gradient: [-2.0 * (x - 3.0) - (y + 1.0), -(x - 3.0) - 2.0 * (y + 1.0)],
            curvature: [[2.0, 1.0], [1.0, 2.0]],
        });
        assert!((at[0] - 3.0).abs() < 1e-9 && (at[1] + 1.0).abs() < 1e-9, "{at:?}");
    }

    #[test]
    fn the_maximum_of_a_log_likelihood_is_found() {
        // Three heads of four: the logarithm of the odds is that of three.
        let at = maximise([0.0], |&[x]| {
            let p = 1.0 / (1.0 + (-x).exp());
            Expansion {
                value: 3.0 * p.ln() + (1.0 - p).ln(),
                gradient: [3.0 - 4.0 * p],
                curvature: [[4.0 * p * (1.0 - p)]],
            }
        });
        assert!((at[0] - 3.0_f64.ln()).abs() < 1e-6, "{at:?}");
    }
}
