//! Axes: a range with labelled round values.

use std::ops::Range;

/// An axis. The places of a logarithmic axis are logarithms; see [`Axis::log`] and [`Axis::doublings`].
#[derive(Clone, Debug, Default)]
pub struct Axis {
    /// Values at the ends.
    pub range: Range<f64>,
    /// Places and labels in ascending order.
    pub ticks: Vec<(f64, String)>,
    /// Places of faint lines between ticks.
    pub minor: Vec<f64>,
    /// Title; may be empty.
    pub title: String,
}

/// Digits with ticks on a logarithmic axis, by its width in decades. The first row that is as wide as the axis counts.
const DIGITS: [(f64, &[f64]); 4] = [
    (0.8, &[1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0]),
    (1.3, &[1.0, 1.5, 2.0, 3.0, 5.0, 7.0]),
    (3.2, &[1.0, 2.0, 5.0]),
    (f64::INFINITY, &[1.0]),
];

const EVERY_DIGIT: [f64; 9] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];

/// Minimum ratio of the ends of a logarithmic axis, so noise does not look like a difference.
const LEAST_RATIO: f64 = 4.0;

/// Tolerance at the ends of an axis, in doublings. Tables with whole numbers of entries are often slightly smaller
/// than a power of two.
const NEARLY: f64 = 0.1;

const MAX_DOUBLINGS: f64 = 11.0;

impl Axis {
    /// A linear axis with ticks at its ends that covers `values`. It has at most `most` steps (one more if `values`
    /// begin within a step) of 1, 2 or 5 times a power of ten. `label` gets a value and its number of decimals.
    pub fn linear(values: Range<f64>, most: u32, label: impl Fn(f64, usize) -> String) -> Self {
        let width = (values.end - values.start).max(1e-9);
        let step = round_step(width / f64::from(most.max(1)));
        // If an end is on a tick, the axis needs no further tick.
        let first = (values.start / step + 1e-6).floor();
        let last = (values.end / step - 1e-6).ceil().max(first + 1.0);
        let decimals = (-(step.log10() + 1e-9).floor()).max(0.0) as usize;
        let ticks = (0..=(last - first) as u32).map(|index| {
            let value = (first + f64::from(index)) * step;
            // Avoids -0.
            let value = if value.abs() < step / 2.0 { 0.0 } else { value };
            (value, label(value, decimals))
        });
        Self { range: first * step..last * step, ticks: ticks.collect(), ..Self::default() }
    }

    /// A logarithmic axis around positive `values`, with ends at least a factor of `LEAST_RATIO` apart. Places are
    /// exponents of ten. Fewer decades have more ticks.
    pub fn log(values: Range<f64>, label: impl Fn(f64) -> String) -> Self {
        let (low, high) = (values.start.log10(), values.end.log10());
        let lacking = (LEAST_RATIO.log10() - (high - low)).max(0.0);
        let room = (high - low + lacking) * 0.06 + lacking / 2.0;
        let range = low - room..high + room;
        let width = range.end - range.start;
        let digits =
            DIGITS.iter().find(|(decades, _)| width <= *decades).map_or(&[1.0][..], |(_, digits)| digits);
        let ticks = digit_places(&range, digits).into_iter().map(|place| (place, label(10_f64.powf(place))));
        let minor = digit_places(&range, &EVERY_DIGIT);
        Self { range, ticks: ticks.collect(), minor, ..Self::default() }
    }

    /// A logarithmic axis between whole powers of ten, with ticks at 1, 2 and 5 times each power. `label` gets the
    /// exponent. Only the ticks at 1 have a unit, because there is no room for more.
    pub fn decades(powers: Range<f64>, label: impl Fn(f64) -> String) -> Self {
        let ticks = digit_places(&powers, &[1.0, 2.0, 5.0]).into_iter().map(|place| {
            let text = label(place);
            let is_power = (place - place.round()).abs() < 1e-9;
            let shown = if is_power { text.as_str() } else { text.split(' ').next().unwrap_or_default() };
            (place, shown.to_owned())
        });
        let ticks = ticks.collect();
        Self { minor: digit_places(&powers, &EVERY_DIGIT), range: powers, ticks, ..Self::default() }
    }

    /// A logarithmic axis of positive sizes. Places are exponents of two.
    pub fn doublings(values: Range<f64>, label: impl Fn(f64) -> String) -> Self {
        let (first, last) = ((values.start.log2() + NEARLY).floor(), (values.end.log2() - NEARLY).ceil());
        let every = ((last - first) / MAX_DOUBLINGS).ceil().max(1.0) as usize;
        let powers = (first as i32..=last.max(first) as i32).map(f64::from);
        let minor = powers.clone().collect();
        let ticks = powers.step_by(every).map(|power| (power, label(power.exp2()))).collect();
        Self { range: first - 0.3..last.max(first) + 0.3, ticks, minor, ..Self::default() }
    }

    /// An axis of whole numbers with at most `most` ticks.
    pub fn whole(first: u32, last: u32, most: u32) -> Self {
        let every = (last.saturating_sub(first) + 1).div_ceil(most.max(1)).max(1);
        let ticks =
            (first..=last).step_by(every as usize).map(|number| (f64::from(number), number.to_string()));
        let range = f64::from(first) - 0.3..f64::from(last.max(first)) + 0.3;
        Self { range, ticks: ticks.collect(), ..Self::default() }
    }

    /// Sets the title.
    #[must_use]
    pub fn titled(self, title: &str) -> Self {
        Self { title: title.to_owned(), ..self }
    }

    /// Relative place on the axis, from 0 (start) to 1 (end), even for the logarithm of 0.
    pub(super) fn share(&self, place: f64) -> f64 {
        ((place - self.range.start) / (self.range.end - self.range.start)).clamp(0.0, 1.0)
    }

    /// The longest label.
    pub fn widest_label(&self) -> &str {
        let labels = self.ticks.iter().map(|(_, label)| label.as_str());
        labels.max_by_key(|label| label.chars().count()).unwrap_or_default()
    }
}

/// The least and the greatest value; 1 without values.
pub fn extent(values: impl Iterator<Item = f64>) -> Range<f64> {
    let join = |one: Range<f64>, other: Range<f64>| one.start.min(other.start)..one.end.max(other.end);
    values.map(|value| value..value).reduce(join).unwrap_or(1.0..1.0)
}

fn digit_places(range: &Range<f64>, digits: &[f64]) -> Vec<f64> {
    let decades = range.start.floor() as i32..=range.end.ceil() as i32;
    let places = decades.flat_map(|decade| digits.iter().map(move |digit| digit.log10() + f64::from(decade)));
    places.filter(|place| (range.start - 1e-9..=range.end + 1e-9).contains(place)).collect()
}

/// The smallest of 1, 2 and 5 times a power of ten that is at least `least`.
fn round_step(least: f64) -> f64 {
    let unit = 10_f64.powf(least.log10().floor());
    let mut steps = [1.0, 2.0, 5.0].into_iter().map(|digit| digit * unit);
    steps.find(|step| *step >= least * (1.0 - 1e-9)).unwrap_or(10.0 * unit)
}

/// A number of seconds: `20 µs`, `1.5 ms`.
pub fn seconds_label(value: f64) -> String {
    scaled(value, &[(1e-9, "ns"), (1e-6, "µs"), (1e-3, "ms"), (1.0, "s")])
}

/// A quantity by which searches are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Nodes of a search.
    Nodes,
    /// Processor time in seconds.
    Time,
}

impl Quantity {
    /// Both quantities.
    pub const ALL: [Self; 2] = [Self::Nodes, Self::Time];

    /// Returns `nodes` or `time`, by the quantity.
    pub fn of<T>(self, nodes: T, time: T) -> T {
        match self {
            Self::Nodes => nodes,
            Self::Time => time,
        }
    }

    /// Label of a value.
    pub fn label(self, value: f64) -> String {
        self.of::<fn(f64) -> String>(count_label, seconds_label)(value)
    }

    /// Name in titles and file names.
    pub fn name(self) -> &'static str {
        self.of("nodes", "time")
    }
}

/// A count: `500`, `20 k`, `1.5 M`.
fn count_label(value: f64) -> String {
    scaled(value, &[(1.0, ""), (1e3, "k"), (1e6, "M"), (1e9, "G")])
}

/// Formats a value with the largest unit that does not exceed the value.
fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    // Values from logarithms are inexact: 999.9999 is shown as 1 k.
    let sized = if value == 0.0 { 1.0 } else { value };
    let fitting = units.iter().rev().find(|(unit, _)| sized >= unit * 0.9999);
    let &(unit, name) = fitting.unwrap_or(&units[0]);
    let number = value / unit;
    let number = if number < 100.0 { format!("{number:.1}") } else { format!("{number:.0}") };
    let number = number.strip_suffix(".0").unwrap_or(&number);
    format!("{number} {name}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|(_, label)| label.as_str()).collect()
    }

    #[test]
    fn a_linear_axis_begins_and_ends_with_a_tick() {
        let axis =
            |low: f64, high: f64| Axis::linear(low..high, 6, |value, decimals| format!("{value:.decimals$}"));
        assert_eq!(labels(&axis(0.0, 47.0)), ["0", "10", "20", "30", "40", "50"]);
        assert_eq!(labels(&axis(0.9, 1.2)), ["0.90", "0.95", "1.00", "1.05", "1.10", "1.15", "1.20"]);
        assert_eq!(labels(&axis(-3.0, 10.0)), ["-5", "0", "5", "10"]);
        assert_eq!(labels(&axis(3.0, 3.0)).len(), 2, "an axis is never empty");
    }

    #[test]
    fn the_narrower_a_logarithmic_axis_the_more_ticks_it_has() {
        let axis = |low: f64, high: f64| {
            Axis::log(low..high, |value| format!("{}", (value * 100.0).round() / 100.0))
        };
        assert_eq!(labels(&axis(220.0, 430.0)), ["150", "200", "250", "300", "400", "500", "600"]);
        let decade = axis(39_000.0, 430_000.0);
        assert_eq!(labels(&decade), ["50000", "70000", "100000", "150000", "200000", "300000"]);
        assert_eq!(labels(&axis(10.0, 900.0)), ["10", "20", "50", "100", "200", "500", "1000"]);
        assert_eq!(labels(&axis(1.0, 1e5)).len(), 6);
    }

    #[test]
    fn a_place_beyond_the_axis_is_drawn_at_its_end() {
        let axis = Axis::log(extent([1.0, 100.0].into_iter()), |_| String::new());
        assert_eq!((axis.share(f64::NEG_INFINITY), axis.share(9.0)), (0.0, 1.0));
        assert_eq!(extent(std::iter::empty()), 1.0..1.0);
    }

    #[test]
    fn a_flat_series_does_not_get_an_axis_of_noise() {
        for value in [1e-5, 17.0, 3e8] {
            let Axis { range, ticks, .. } = Axis::log(value..value * 1.001, |_| String::new());
            assert!(range.end - range.start >= LEAST_RATIO.log10(), "{range:?}");
            assert!(range.contains(&value.log10()) && ticks.len() >= 4, "{ticks:?}");
        }
    }

    #[test]
    fn decades_are_divided_sizes_are_powers_of_two_and_whole_numbers_thin_out() {
        let axis = Axis::decades(-2.0..0.0, |power| format!("{:.2} ms", 10_f64.powf(power)));
        assert_eq!(labels(&axis), ["0.01 ms", "0.02", "0.05", "0.10 ms", "0.20", "0.50", "1.00 ms"]);
        let axis = |low: f64, high: f64| Axis::doublings(low..high, |size| format!("{size}"));
        assert_eq!(labels(&axis(1.0, 16.0)), ["1", "2", "4", "8", "16"]);
        assert_eq!(labels(&axis(0.999, 4.001)), ["1", "2", "4"]);
        assert_eq!(labels(&axis(3.0, 24.0)), ["2", "4", "8", "16", "32"]);
        assert_eq!(labels(&axis(64.0, 64.0)), ["64"]);
        let wide = axis(1.0, 65536.0);
        assert_eq!(labels(&wide), ["1", "4", "16", "64", "256", "1024", "4096", "16384", "65536"]);
        assert_eq!(labels(&Axis::whole(1, 6, 8)), ["1", "2", "3", "4", "5", "6"]);
        assert_eq!(labels(&Axis::whole(1, 14, 8)), ["1", "3", "5", "7", "9", "11", "13"]);
    }

    #[test]
    fn labels_are_short() {
        let times = [0.0, 1e-9, 2e-5, 1.5e-3, 0.1, 0.999_999_9, 20.0, 3000.0].map(seconds_label);
        assert_eq!(times, ["0 s", "1 ns", "20 µs", "1.5 ms", "100 ms", "1 s", "20 s", "3000 s"]);
        let counts = [0.0, 0.5, 1.0, 500.0, 999.99999, 2e4, 1.5e6, 2.5e12].map(count_label);
        assert_eq!(counts, ["0", "0.5", "1", "500", "1 k", "20 k", "1.5 M", "2500 G"]);
    }
}
