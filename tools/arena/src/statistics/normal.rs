//! The normal distribution.

use std::f64::consts::FRAC_1_SQRT_2;

/// Standard deviations to either side of the mean that hold 95 % of a normal distribution.
pub const TWO_SIDED_95: f64 = 1.959_963_984_540_054;

/// The probability that a standard normal variable is below `x`.
pub fn cumulative(x: f64) -> f64 {
    libm::erfc(-x * FRAC_1_SQRT_2) / 2.0
}

/// The value that a standard normal variable exceeds with this probability, above 0 and at most ½, by bisection.
pub fn deviations(probability: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if cumulative(-middle) > probability { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!((deviations(0.025) - TWO_SIDED_95).abs() < 1e-12 && deviations(0.5).abs() < 1e-12);
        assert!(
            (cumulative(f64::INFINITY) - 1.0).abs() < 1e-15 && cumulative(f64::NEG_INFINITY).abs() < 1e-15
        );
    }
}
