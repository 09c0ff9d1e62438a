//! A picture of times: a histogram for each group, one below the other, over one logarithmic axis.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use plotters::prelude::*;

use crate::svg::{Area, Drawn, svg_on_white};

/// Width of the picture and height of one histogram, in pixels.
const SIZE: (u32, u32) = (900, 150);
/// The axis: powers of ten of milliseconds at its ends, and bars for each.
const AXIS: std::ops::Range<f64> = -2.0..3.0;
const BARS_PER_DECADE: f64 = 10.0;

/// Draws the groups, each with a title and its times, into `file`, which is the one at `path`.
///
/// # Errors
/// If it cannot be written.
pub(super) fn draw(groups: &[(String, Vec<Duration>)], path: &Path, mut file: BufWriter<File>) -> Result<()> {
    let size = (SIZE.0, SIZE.1 * groups.len() as u32 + 40);
    let picture = svg_on_white("the times", size, |area| draw_all(groups, area))?;
    let result = file.write_all(picture.as_bytes()).and_then(|()| file.flush());
    result.with_context(|| format!("cannot write to `{}`", path.display()))
}

fn draw_all(groups: &[(String, Vec<Duration>)], root: &Area<'_>) -> Drawn {
    for (area, (title, times)) in root.split_evenly((groups.len(), 1)).iter().zip(groups) {
        let bars = histogram(times);
        let highest = bars.iter().copied().fold(1.0, f64::max);
        let mut chart = ChartBuilder::on(area)
            .caption(title, ("sans-serif", 22))
            .margin_left(10)
            .margin_right(30)
            .x_label_area_size(30)
            .y_label_area_size(60)
            .build_cartesian_2d(AXIS, 0.0..highest * 1.1)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .x_labels(6)
            .y_labels(3)
            .x_label_formatter(&|power| label(*power))
            .y_label_formatter(&|share| format!("{share:.0} %"))
            .label_style(("sans-serif", 18))
            .draw()?;
        let width = 1.0 / BARS_PER_DECADE;
        chart.draw_series(bars.iter().enumerate().filter(|(_, share)| **share > 0.0).map(
            |(index, &share)| {
                let left = AXIS.start + index as f64 * width;
                Rectangle::new([(left, 0.0), (left + width, share)], RGBColor(31, 119, 180).filled())
            },
        ))?;
    }
    Ok(())
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

/// A power of ten of milliseconds in words.
fn label(power: f64) -> String {
    match power.round() as i32 {
        power @ ..0 => format!("{} µs", 10_i32.pow((power + 3).max(0) as u32)),
        power @ 0..3 => format!("{} ms", 10_i32.pow(power as u32)),
        power => format!("{} s", 10_i32.pow((power - 3) as u32)),
    }
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

    #[test]
    fn labels_are_round() {
        let labels = [-2.0, -1.0, 0.0, 2.0, 3.0].map(label);
        assert_eq!(labels, ["10 µs", "100 µs", "1 ms", "100 ms", "1 s"]);
    }
}
