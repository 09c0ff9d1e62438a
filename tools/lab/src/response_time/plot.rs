//! A picture of times: a histogram for each group, one below the other, over one logarithmic axis.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use plumb_studies::plot::label::seconds;
use plumb_studies::plot::{Axis, Bar, Figure, Legend, Panel};

/// Width and height of one histogram, in pixels.
const SIZE: (u32, u32) = (900, 170);
/// The axis: powers of ten of milliseconds at its ends, and bars for each.
const AXIS: std::ops::Range<f64> = -2.0..3.0;
const BARS_PER_DECADE: f64 = 10.0;

/// Draws the groups, each with a title and its times, into `file`, which is the one at `path`.
///
/// # Errors
/// If it cannot be written.
pub(super) fn draw(groups: &[(String, Vec<Duration>)], path: &Path, mut file: BufWriter<File>) -> Result<()> {
    let figure = Figure {
        title: String::new(),
        panels: groups.iter().map(|(title, times)| panel(title, times)).collect(),
        columns: 1,
        panel_size: SIZE,
        letters: 16,
        entries: Vec::new(),
        legend: Legend::Right,
    };
    let result = file.write_all(figure.svg()?.as_bytes()).and_then(|()| file.flush());
    result.with_context(|| format!("cannot write to `{}`", path.display()))
}

fn panel(title: &str, times: &[Duration]) -> Panel {
    let shares = histogram(times);
    let highest = shares.iter().copied().fold(10.0, f64::max);
    let width = 1.0 / BARS_PER_DECADE;
    let bars = shares.into_iter().enumerate().filter(|(_, share)| *share > 0.0).map(|(index, top)| {
        let left = AXIS.start + index as f64 * width;
        Bar { left, right: left + width, top }
    });
    Panel {
        title: title.to_owned(),
        x: Axis::decades(AXIS, |power| seconds(10_f64.powf(power - 3.0))),
        y: Axis::linear(0.0..highest, 3, |share, _| format!("{share:.0} %")),
        lines: Vec::new(),
        bars: bars.collect(),
    }
}

/// The share of the times in each bar, in per cent; those beyond the axis are in the bars at its ends.
fn histogram(times: &[Duration]) -> Vec<f64> {
    let count = ((AXIS.end - AXIS.start) * BARS_PER_DECADE) as usize;
    let mut bars = vec![0.0; count];
    for time in times {
        let power = (time.as_secs_f64() * 1e3).max(f64::MIN_POSITIVE).log10();
        let index = ((power - AXIS.start) * BARS_PER_DECADE).max(0.0) as usize;
        bars[index.min(count - 1)] += 100.0 / times.len() as f64;
    }
    bars
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_time_is_in_a_bar() {
        let micros = [0, 1, 10, 999, 1_000, 50_000, 10_000_000];
        let times: Vec<_> = micros.into_iter().map(Duration::from_micros).collect();
        let bars = histogram(&times);
        assert_eq!(bars.len(), 50);
        assert!((bars.iter().sum::<f64>() - 100.0).abs() < 1e-9);
        assert!(bars[20] > 0.0, "a millisecond begins the bar of its own decade");
        assert!(bars[0] > 40.0 && bars[49] > 0.0, "what lies beyond the axis is at its ends");
    }
}
