//! How uncertain ratings are.

use super::super::pairing::{PRIOR_GAMES, Pairing};

/// The standard errors of the natural logarithms of `strengths`, which are the likeliest ones for `pairings`, relative to
/// their mean. All engines must have met, if only by way of others.
///
/// It is the "sandwich" of the inverse information around the covariance of the points, which is taken from the results and
/// not from the model: draws make it smaller, games of a pair that go the same way make it greater. Source: H. White,
/// "Maximum Likelihood Estimation of Misspecified Models", 1982.
pub(super) fn standard_errors(strengths: &[f64], pairings: &[Pairing]) -> Vec<f64> {
    let count = strengths.len();
    // Strengths have one degree of freedom too many: their mean. Fixing it makes the information regular.
    let mut information = vec![vec![1.0 / count as f64; count]; count];
    let mut covariance = vec![vec![0.0; count]; count];
    for pairing in pairings {
        let [one, other] = pairing.engines;
        let share = strengths[one] / (strengths[one] + strengths[other]);
        let weight = (pairing.games() + PRIOR_GAMES) * share * (1.0 - share);
        for (matrix, value) in [(&mut information, weight), (&mut covariance, pairing.error.powi(2))] {
            matrix[one][one] += value;
            matrix[other][other] += value;
            matrix[one][other] -= value;
            matrix[other][one] -= value;
        }
    }
    let inverse = inverse(information);
    let product = |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(a, b)| a * b).sum::<f64>();
    let variance = |row: &Vec<f64>| {
        let spread: Vec<f64> = covariance.iter().map(|column| product(row, column)).collect();
        product(&spread, row)
    };
    // The covariance has no part along the mean, so that what was added to the information does not show.
    inverse.iter().map(|row| variance(row).max(0.0).sqrt()).collect()
}

/// The inverse of a symmetric, positive definite matrix, by Gauss-Jordan elimination: such a matrix needs no pivoting.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let count = matrix.len();
    for pivot in 0..count {
        let divisor = matrix[pivot][pivot];
        matrix[pivot][pivot] = 1.0;
        matrix[pivot].iter_mut().for_each(|value| *value /= divisor);
        let line = matrix[pivot].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(place, _)| *place != pivot) {
            let factor = std::mem::replace(&mut row[pivot], 0.0);
            row.iter_mut().zip(&line).for_each(|(value, of_line)| *value -= factor * of_line);
        }
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_the_identity() {
        let matrix = vec![vec![4.0, -1.0, 0.5], vec![-1.0, 3.0, 0.2], vec![0.5, 0.2, 5.0]];
        let inverse = inverse(matrix.clone());
        for (place, row) in matrix.iter().enumerate() {
            // The inverse is symmetric, too, so that its rows are its columns.
            for (other, column) in inverse.iter().enumerate() {
                let value: f64 = row.iter().zip(column).map(|(one, other)| one * other).sum();
                assert!((value - f64::from(u8::from(place == other))).abs() < 1e-12, "{value}");
            }
        }
    }
}
