//! The means over all positions, the curves through them, and where the table pays.

use std::ops::RangeInclusive;

use super::fit::Fit;
use super::method::Method;
use super::record::Record;

/// Mean cost of one search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The depth in plies.
    pub depth: u32,
    /// Nodes for each position.
    pub nodes: f64,
    /// Processor time in microseconds.
    pub micros: f64,
}

/// A quantity that methods are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Nodes for each position.
    Nodes,
    /// Time for each position.
    Time,
}

impl Figure {
    /// Its value in `mean`; never quite 0, as it has a logarithm.
    pub fn of(self, mean: &Mean) -> f64 {
        let value = match self {
            Self::Nodes => mean.nodes,
            Self::Time => mean.micros,
        };
        value.max(1e-6)
    }
}

/// The means of one method, by depth.
pub struct Curve {
    /// The method of search.
    pub method: Method,
    /// In ascending order of depth.
    pub means: Vec<Mean>,
}

impl Curve {
    /// The curve of `method` over the `records` of it, at these depths.
    pub fn of(method: Method, depths: RangeInclusive<u32>, records: &[Record]) -> Self {
        let mean = |depth| {
            let chosen =
                records.iter().filter(|Record { unit, .. }| (unit.method, unit.depth) == (method, depth));
            let (mut searches, mut nodes, mut nanoseconds) = (0, 0, 0);
            for record in chosen {
                searches += record.values.len();
                nodes += record.nodes;
                nanoseconds += record.nanoseconds;
            }
            let each = |sum: u64| sum as f64 / searches as f64;
            (searches > 0).then(|| Mean { depth, nodes: each(nodes), micros: each(nanoseconds) / 1e3 })
        };
        Self { method, means: depths.filter_map(mean).collect() }
    }

    /// The exponential curve through the means up to `depth`.
    pub fn fit(&self, figure: Figure, depth: u32) -> Option<Fit> {
        let means = self.means.iter().filter(|mean| mean.depth <= depth);
        Fit::of(&means.map(|mean| (f64::from(mean.depth), figure.of(mean))).collect::<Vec<_>>())
    }

    /// At each depth, what `other` needs as a share of this one, by depth.
    pub fn shares(&self, other: &Self, figure: Figure) -> Vec<(u32, f64)> {
        let pairs = self.means.iter().zip(&other.means);
        pairs.map(|(own, other)| (own.depth, figure.of(other) / figure.of(own))).collect()
    }

    /// The depths at which `other` has the lesser figure. They need not be all from one on: a table that has become too
    /// small for the search costs more than it saves.
    pub fn beaten_by(&self, other: &Self, figure: Figure) -> Vec<u32> {
        let shares = self.shares(other, figure).into_iter();
        shares.filter(|&(_, share)| share < 1.0).map(|(depth, _)| depth).collect()
    }
}

/// The pairs of methods that differ by the table alone, where both were studied.
pub fn pairs(curves: &[Curve]) -> impl Iterator<Item = (&Curve, &Curve)> {
    let find = |method| curves.iter().find(move |curve| curve.method == method);
    Method::PAIRS.into_iter().filter_map(move |(plain, with_table)| find(plain).zip(find(with_table)))
}

#[cfg(test)]
mod tests {
    use super::super::method::Order;
    use super::super::record::Unit;
    use super::*;

    fn record(method: Method, depth: u32, nodes: u64, nanoseconds: u64, count: usize) -> Record {
        let unit = Unit { order: Order::Fixed, seed: 1, repeat: 1, game: "1".to_owned(), depth, method };
        Record { unit, nodes, nanoseconds, values: vec![0; count] }
    }

    #[test]
    fn means_are_over_positions_not_over_games() {
        let records = [
            record(Method::Pvs, 1, 30, 3_000, 3),
            record(Method::Pvs, 1, 2, 1_000, 1),
            record(Method::PvsTable, 1, 77, 77, 1),
            record(Method::Pvs, 3, 8, 500, 1),
        ];
        let curve = Curve::of(Method::Pvs, 1..=3, &records);
        assert_eq!(
            curve.means,
            [Mean { depth: 1, nodes: 8.0, micros: 1.0 }, Mean { depth: 3, nodes: 8.0, micros: 0.5 }]
        );
        assert_eq!(curve.fit(Figure::Time, 2), None);
        assert!(curve.fit(Figure::Time, 3).is_some_and(|fit| fit.b < 1.0));
    }

    #[test]
    fn the_table_pays_where_it_is_below() {
        let curve = |method, nodes: [u64; 5]| {
            let records: Vec<_> =
                nodes.into_iter().zip(1..).map(|(nodes, depth)| record(method, depth, nodes, 1, 1)).collect();
            Curve::of(method, 1..=5, &records)
        };
        let plain = curve(Method::Pvs, [5, 5, 5, 5, 5]);
        let pays = |nodes| plain.beaten_by(&curve(Method::PvsTable, nodes), Figure::Nodes);
        assert_eq!(pays([9, 1, 9, 4, 4]), [2, 4, 5]);
        assert!(pays([5, 5, 5, 5, 5]).is_empty());
    }
}
