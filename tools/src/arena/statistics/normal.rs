//! The normal distribution.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// How many standard deviations to either side of the mean hold 95 % of a normal distribution.
pub(crate) const TWO_SIDED_95: f64 = 1.959_963_984_540_054;

/// From here on [`erfc`] uses the continued fraction.
const TAIL: f64 = 2.5;

/// The probability that a standard normal variable is below `x`, with 12 significant digits.
#[must_use]
pub(crate) fn cumulative(x: f64) -> f64 {
    erfc(-x * FRAC_1_SQRT_2) / 2.0
}

/// The complementary error function, with 12 significant digits.
///
/// Source: NIST Digital Library of Mathematical Functions, <https://dlmf.nist.gov/7.6.E2> (the series, all of whose
/// terms have one sign) and <https://dlmf.nist.gov/7.9.E1> (the continued fraction, with one z taken out of each
/// level, so that the levels are z + (k / 2) / …).
fn erfc(x: f64) -> f64 {
    if x < 0.0 {
        return 2.0 - erfc(-x);
    }
    let scale = (-x * x).exp() / PI.sqrt();
    if x < TAIL {
        // At `TAIL`, 60 terms leave out less than 1e-20 of the sum.
        let mut term = 2.0 * x;
        let mut sum = term;
        for n in 1..=60 {
            term *= 2.0 * x * x / f64::from(2 * n + 1);
            sum += term;
        }
        1.0 - scale * sum
    } else {
        // At `TAIL`, 100 levels leave out less than 1e-20 of the fraction.
        let fraction = (1..=100).rev().fold(x, |below, k| x + f64::from(k) / 2.0 / below);
        scale / fraction
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_function_has_the_values_of_the_c_library() {
        // From the erfc of glibc, which is correct to its last digit or the one before.
        let known = [
            (0.1, 0.887_537_083_981_715_2),
            (0.5, 0.479_500_122_186_953_5),
            (1.0, 0.157_299_207_050_285_13),
            (2.0, 0.004_677_734_981_047_265),
            (3.0, 2.209_049_699_858_543_8e-5),
            (5.0, 1.537_459_794_428_035_1e-12),
            (10.0, 2.088_487_583_762_545e-45),
            (26.0, 5.663_192_408_856_143e-296),
        ];
        for (x, value) in known {
            let relative = erfc(x) / value - 1.0;
            assert!(relative.abs() < 1e-12, "{x}: {relative:e}");
            assert!((erfc(-x) - (2.0 - value)).abs() < 1e-15, "{x}");
        }
        assert!((erfc(TAIL) / erfc(TAIL.next_down()) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_distribution_has_the_values_of_the_tables() {
        // M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions", Table 26.1.
        let known = [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (2.0, 0.977_249_868_051_821),
            (3.0, 0.998_650_101_968_370),
        ];
        for (x, probability) in known {
            assert!((cumulative(x) - probability).abs() < 1e-15, "{x}");
            assert!((cumulative(-x) - (1.0 - probability)).abs() < 1e-15, "{x}");
        }
        assert!((cumulative(TWO_SIDED_95) - 0.975).abs() < 1e-15);
        assert!(
            (cumulative(f64::INFINITY) - 1.0).abs() < 1e-15 && cumulative(f64::NEG_INFINITY).abs() < 1e-15
        );
    }
}
