//! Mean cost of fixed-depth searches, exponential curves through the means, and the depths at which a table pays.

use super::record::Record;
use super::search::Method;
use plumb_lab::plot::Quantity;

/// Mean cost of one search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mean {
    pub depth: u32,
    pub nodes: f64,
    /// Mean processor time.
    pub seconds: f64,
}

impl Mean {
    /// Nodes or seconds, raised above 0 because curves need the logarithm.
    pub(crate) fn of(&self, quantity: Quantity) -> f64 {
        quantity.of(self.nodes.max(1e-6), self.seconds.max(1e-12))
    }
}

pub(crate) struct Curve {
    pub method: Method,
    /// In ascending order of depth.
    pub means: Vec<Mean>,
}

impl Curve {
    /// The curve of `method` at depths from 1 on, in one game or in all.
    pub(crate) fn of(method: Method, game: Option<&str>, max_depth: u32, records: &[Record]) -> Self {
        let mut means = Vec::new();
        for depth in 1..=max_depth {
            let (mut searches, mut nodes, mut nanoseconds) = (0, 0, 0);
            for record in records {
                let is_of_game = game.is_none_or(|game| record.game == game);
                if is_of_game && record.method == method && record.depth == depth {
                    searches += record.positions;
                    nodes += record.nodes;
                    nanoseconds += record.cpu_nanoseconds;
                }
            }
            if searches > 0 {
                let [nodes, nanoseconds] = [nodes, nanoseconds].map(|sum| sum as f64 / searches as f64);
                means.push(Mean { depth, nodes, seconds: nanoseconds / 1e9 });
            }
        }
        Self { method, means }
    }

    pub(crate) fn fit(&self, quantity: Quantity, depth: u32) -> Option<Fit> {
        let means = self.means.iter().filter(|mean| mean.depth <= depth);
        Fit::of(&means.map(|mean| (f64::from(mean.depth), mean.of(quantity))).collect::<Vec<_>>())
    }

    /// By depth: cost of `other` divided by the cost of this method.
    pub(crate) fn shares(&self, other: &Self, quantity: Quantity) -> Vec<(u32, f64)> {
        let pairs = self.means.iter().zip(&other.means);
        pairs.map(|(own, other)| (own.depth, other.of(quantity) / own.of(quantity))).collect()
    }

    /// Depths at which `other` costs less. There may be gaps, because a table that is too small costs more than it saves.
    pub(crate) fn beaten_by(&self, other: &Self, quantity: Quantity) -> Vec<u32> {
        let shares = self.shares(other, quantity).into_iter();
        shares.filter(|&(_, share)| share < 1.0).map(|(depth, _)| depth).collect()
    }
}

/// Curves of each search without and with a table, if both were measured.
pub(crate) fn pairs(curves: &[Curve]) -> impl Iterator<Item = (&Curve, &Curve)> {
    Method::PAIRS
        .into_iter()
        .filter_map(|(plain, with_table)| find(curves, plain).zip(find(curves, with_table)))
}

fn find(curves: &[Curve], method: Method) -> Option<&Curve> {
    curves.iter().find(|curve| curve.method == method)
}

/// The curve `a * b^x` and how well it fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fit {
    pub a: f64,
    pub b: f64,
    /// Coefficient of determination in log space; 1 is perfect.
    pub r_squared: f64,
}

impl Fit {
    /// Fits a curve to points with positive `y`. `None` for fewer than two different `x`.
    ///
    /// A least-squares line through `(x, ln y)` gives every depth equal weight. Without logarithms the deepest search
    /// would decide alone.
    pub(crate) fn of(points: &[(f64, f64)]) -> Option<Self> {
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
        let r_squared = if yy > 0.0 { slope * xy / yy } else { 1.0 };
        Some(Self { a: (mean_y - slope * mean_x).exp(), b: slope.exp(), r_squared })
    }

    pub(crate) fn at(&self, x: f64) -> f64 {
        self.a * self.b.powf(x)
    }

    /// The `x` from which `other` is below this curve. `None` if `other` does not grow more slowly.
    pub(crate) fn overtaken_by(&self, other: &Self) -> Option<f64> {
        if other.b < self.b { Some((other.a / self.a).ln() / (self.b / other.b).ln()) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(method: Method, depth: u32, nodes: u64, cpu_nanoseconds: u64, positions: usize) -> Record {
        Record { depth, method, positions, nodes, cpu_nanoseconds, ..Record::default() }
    }

    #[test]
    fn means_are_over_positions_not_over_games() {
        let records = [
            record(Method::Pvs, 1, 30, 3_000, 3),
            record(Method::Pvs, 1, 2, 1_000, 1),
            record(Method::PvsTable, 1, 77, 77, 1),
            record(Method::Pvs, 3, 8, 500, 1),
        ];
        let curve = Curve::of(Method::Pvs, None, 3, &records);
        assert_eq!(
            curve.means,
            [Mean { depth: 1, nodes: 8.0, seconds: 1e-6 }, Mean { depth: 3, nodes: 8.0, seconds: 5e-7 }]
        );
        assert_eq!(curve.fit(Quantity::Time, 2), None);
        assert!(curve.fit(Quantity::Time, 3).is_some_and(|fit| fit.b < 1.0));
    }

    #[test]
    fn the_table_pays_where_it_is_below() {
        let curve = |method, nodes: [u64; 5]| {
            let records: Vec<_> =
                nodes.into_iter().zip(1..).map(|(nodes, depth)| record(method, depth, nodes, 1, 1)).collect();
            Curve::of(method, None, 5, &records)
        };
        let plain = curve(Method::Pvs, [5, 5, 5, 5, 5]);
        let pays = |nodes| plain.beaten_by(&curve(Method::PvsTable, nodes), Quantity::Nodes);
        assert_eq!(pays([9, 1, 9, 4, 4]), [2, 4, 5]);
        assert!(pays([5, 5, 5, 5, 5]).is_empty());
    }

    fn near(found: f64, expected: f64) -> bool {
        (found - expected).abs() < 1e-9 * expected.abs().max(1.0)
    }

    #[test]
    fn the_fit_is_the_line_of_least_squares() {
        let points: Vec<_> = (1..=6).map(f64::from).map(|x| (x, 0.665 * 3.064_f64.powf(x))).collect();
        let fit = Fit::of(&points).expect("six points");
        assert!(near(fit.a, 0.665) && near(fit.b, 3.064) && near(fit.r_squared, 1.0), "{fit:?}");
        assert!(points.iter().all(|&(x, y)| near(fit.at(x), y)));
        // The logarithms to base 2 are 0, 2 and 1, so the line is 0.5 + 0.5 x, and R² is 0.25.
        let fit = Fit::of(&[(0.0, 1.0), (1.0, 4.0), (2.0, 2.0)]).expect("three points");
        assert!(near(fit.a, 2.0_f64.sqrt()) && near(fit.b, 2.0_f64.sqrt()), "{fit:?}");
        assert!(near(fit.r_squared, 0.25), "{fit:?}");
        for too_few in [&[][..], &[(1.0, 2.0)], &[(1.0, 2.0), (1.0, 3.0)]] {
            assert_eq!(Fit::of(too_few), None);
        }
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
