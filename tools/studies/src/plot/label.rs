//! Labels of ticks: a number of at most three digits, and its unit.

/// A number of seconds: `20 µs`, `1.5 ms`.
pub fn seconds(value: f64) -> String {
    scaled(value, &[(1e-9, "ns"), (1e-6, "µs"), (1e-3, "ms"), (1.0, "s")])
}

/// A count: `500`, `20 k`, `1.5 M`.
pub fn count(value: f64) -> String {
    scaled(value, &[(1.0, ""), (1e3, "k"), (1e6, "M"), (1e9, "G")])
}

/// The value in the largest unit that is not above it.
fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    // Logarithms do not come back as they were: 999.9999 is 1 k.
    let fitting = units.iter().rev().find(|(unit, _)| value >= unit * 0.9999);
    let &(unit, name) = fitting.unwrap_or(&units[0]);
    let number = value / unit;
    let number = if number < 100.0 { format!("{number:.1}") } else { format!("{number:.0}") };
    let number = number.strip_suffix(".0").unwrap_or(&number);
    format!("{number} {name}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_short() {
        let times = [1e-9, 2e-5, 1.5e-3, 0.1, 0.999_999_9, 20.0, 3000.0].map(seconds);
        assert_eq!(times, ["1 ns", "20 µs", "1.5 ms", "100 ms", "1 s", "20 s", "3000 s"]);
        let counts = [0.5, 1.0, 500.0, 999.99999, 2e4, 1.5e6, 2.5e12].map(count);
        assert_eq!(counts, ["0.5", "1", "500", "1 k", "20 k", "1.5 M", "2500 G"]);
    }
}
