//! An exponential curve through measured points.

/// The curve `a * b^x`, and how well it fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    pub a: f64,
    pub b: f64,
    /// The coefficient of determination of the straight line in log space; 1 is perfect.
    pub r_squared: f64,
}

impl Fit {
    /// The curve through these points, all of which must have a positive `y`; `None` for fewer than two different `x`.
    ///
    /// It is the straight line of least squares through `(x, ln y)`, that is, the fit is done in log space: each depth
    /// weighs the same, where in the space of `y` itself the deepest one would decide alone. So do spreadsheets for an
    /// exponential trend line, with R² of the logarithms as well, and most likely so did the study.
    pub fn of(points: &[(f64, f64)]) -> Option<Self> {
        let count = points.len() as f64;
        let mean_x = points.iter().map(|(x, _)| x).sum::<f64>() / count;
        let mean_y = points.iter().map(|(_, y)| y.ln()).sum::<f64>() / count;
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        for (x, y) in points {
            let (x, y) = (x - mean_x, y.ln() - mean_y);
            xx += x * x;
            xy += x * y;
            yy += y * y;
        }
        if points.len() < 2 || xx <= 0.0 {
            return None;
        }
        let slope = xy / xx;
        // Points on a level line are all on the line.
        let r_squared = if yy > 0.0 { slope * xy / yy } else { 1.0 };
        Some(Self { a: (mean_y - slope * mean_x).exp(), b: slope.exp(), r_squared })
    }

    /// The height of the curve.
    pub fn at(&self, x: f64) -> f64 {
        self.a * self.b.powf(x)
    }

    /// Where `other`, which must grow more slowly, comes to lie below this curve; `None` if it never does.
    pub fn overtaken_by(&self, other: &Self) -> Option<f64> {
        (other.b < self.b).then(|| (other.a / self.a).ln() / (self.b / other.b).ln())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) -> bool {
        (found - expected).abs() < 1e-9 * expected.abs().max(1.0)
    }

    #[test]
    fn points_on_a_curve_give_it_back() {
        let points: Vec<_> = (1..=6).map(f64::from).map(|x| (x, 0.665 * 3.064_f64.powf(x))).collect();
        let fit = Fit::of(&points).expect("six points");
        assert!(near(fit.a, 0.665) && near(fit.b, 3.064) && near(fit.r_squared, 1.0), "{fit:?}");
        assert!(points.iter().all(|&(x, y)| near(fit.at(x), y)));
    }

    #[test]
    fn points_beside_a_curve_give_the_line_of_least_squares() {
        // The logarithms to the base 2 are 0, 2, 1: the line is 0.5 + 0.5 x, and R² is 0.25.
        let fit = Fit::of(&[(0.0, 1.0), (1.0, 4.0), (2.0, 2.0)]).expect("three points");
        assert!(near(fit.a, 2.0_f64.sqrt()) && near(fit.b, 2.0_f64.sqrt()), "{fit:?}");
        assert!(near(fit.r_squared, 0.25), "{fit:?}");
    }

    #[test]
    fn too_few_points_have_no_curve() {
        assert_eq!(Fit::of(&[]), None);
        assert_eq!(Fit::of(&[(1.0, 2.0)]), None);
        assert_eq!(Fit::of(&[(1.0, 2.0), (1.0, 3.0)]), None);
        assert_eq!(Fit::of(&[(1.0, 8.0), (2.0, 8.0)]).map(|fit| fit.r_squared), Some(1.0));
    }

    #[test]
    fn curves_cross_where_they_are_equal() {
        let plain = Fit { a: 0.665, b: 3.064, r_squared: 1.0 };
        let table = Fit { a: 1.15, b: 2.72, r_squared: 1.0 };
        let crossing = plain.overtaken_by(&table).expect("the table grows more slowly");
        assert!(near(plain.at(crossing), table.at(crossing)) && (4.5..4.7).contains(&crossing), "{crossing}");
        assert_eq!(table.overtaken_by(&plain), None);
    }
}
