//! The picture of the time that moves take, by their number in the game.

use anyhow::Result;

use super::picture::{Axes, axes, band, colour, line, picture};
use crate::record::GameRecord;

/// Less is drawn as this, in milliseconds: nothing at all has no place on a logarithmic axis.
const LEAST: f64 = 0.01;

/// Times of the moves with one number, in milliseconds.
struct Span {
    number: usize,
    low: f64,
    median: f64,
    high: f64,
}

/// Draws the median and the middle nine tenths for each engine; nothing if there is no move.
///
/// # Errors
/// If it cannot be drawn.
pub(super) fn draw(games: &[GameRecord], engines: &[&str]) -> Result<Option<String>> {
    let spans: Vec<_> = engines.iter().map(|engine| spans(games, engine)).collect();
    let all = || spans.iter().flatten();
    let Some(last) = all().map(|span| span.number).max() else { return Ok(None) };
    let low = all().map(|span| log(span.low)).fold(f64::INFINITY, f64::min);
    let high = all().map(|span| log(span.high)).fold(f64::NEG_INFINITY, f64::max);
    // Whole powers of ten, of which at least two are labelled.
    let y = low.floor()..high.ceil().max(low.floor() + 1.0);
    let svg =
        picture("Time per move by its number in the game: median and middle 90 %, by engine", |area| {
            let decades = (y.end - y.start) as usize;
            let mut chart = axes(
                area,
                &Axes {
                    x: 1.0..last.max(2) as f64,
                    y: y.clone(),
                    x_title: "move",
                    y_title: "time",
                    labels: (last.min(11), decades + 1),
                    x_label: &|number| format!("{number:.0}"),
                    y_label: &label,
                },
            )?;
            let outline = |spans: &[Span], value: fn(&Span) -> f64| {
                spans.iter().map(|span| (span.number as f64, log(value(span)))).collect::<Vec<_>>()
            };
            // The lines above all of the bands.
            chart.draw_series(spans.iter().enumerate().map(|(engine, its)| {
                let (low, high) = (outline(its, |span| span.low), outline(its, |span| span.high));
                band(low, high, colour(engine), spans.len())
            }))?;
            chart.draw_series(
                spans
                    .iter()
                    .enumerate()
                    .map(|(engine, spans)| line(outline(spans, |span| span.median), colour(engine))),
            )?;
            Ok(())
        })?;
    Ok(Some(svg))
}

/// The times of an engine by the number of the move, from 1, the opening counted.
fn spans(games: &[GameRecord], engine: &str) -> Vec<Span> {
    let mut times = Vec::<Vec<f64>>::new();
    for game in games {
        for (ply, played) in (game.opening.moves.len()..).zip(&game.moves) {
            let mover = if ply % 2 == 0 { &game.first } else { &game.second };
            if mover == engine {
                let index = ply / 2;
                times.resize_with(times.len().max(index + 1), Vec::new);
                times[index].push(played.time_ms);
            }
        }
    }
    let numbered = times.into_iter().enumerate().filter(|(_, times)| !times.is_empty());
    numbered
        .map(|(index, mut times)| {
            times.sort_by(f64::total_cmp);
            let at = |share| quantile(&times, share);
            Span { number: index + 1, low: at(0.05), median: at(0.5), high: at(0.95) }
        })
        .collect()
}

/// The least value that a `share` of the sorted ones does not exceed; there is at least one.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let rank = (sorted.len() as f64 * share).ceil() as usize;
    sorted[rank.saturating_sub(1).min(sorted.len() - 1)]
}

fn log(milliseconds: f64) -> f64 {
    milliseconds.max(LEAST).log10()
}

/// A power of ten of milliseconds in words.
fn label(power: f64) -> String {
    match power.round() as i32 {
        power @ ..0 => format!("{} µs", 10_u64.pow((power + 3).max(0) as u32)),
        power @ 0..3 => format!("{} ms", 10_u64.pow(power as u32)),
        power => format!("{} s", 10_u64.pow((power - 3) as u32)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_match;

    #[test]
    fn every_move_is_of_one_engine_and_one_number() {
        let games = test_match::games(5, 40);
        for engine in test_match::NAMES {
            let spans = spans(&games, engine);
            assert!(spans.is_sorted_by_key(|span| span.number));
            assert!(spans.iter().all(|span| span.low <= span.median && span.median <= span.high));
            assert!((1..=21).contains(&spans.len()));
        }
        assert!(spans(&games, "nobody").is_empty());
    }

    #[test]
    fn quantiles_are_times_that_were_taken() {
        let times: Vec<_> = (1..=200).map(f64::from).collect();
        assert_eq!([0.0, 0.05, 0.5, 1.0].map(|share| quantile(&times, share) as u32), [1, 10, 100, 200]);
    }
}
