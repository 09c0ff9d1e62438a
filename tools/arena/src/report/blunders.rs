//! How often the engines gave exact score away, by the phase of the game.

use std::fmt::Write;

use anyhow::Result;
use plotters::prelude::*;

use super::picture::{Axes, axes, colour, picture};
use crate::escape::Text;
use crate::record::GameRecord;

/// The phases, each with the most stones that are on the board before its moves. Source of the bounds: Pascal Pons,
/// "Solving Connect 4", part 2.
const PHASES: [(&str, usize); 3] = [("opening", 14), ("middle", 28), ("end", usize::MAX)];

/// The losses of one engine in one phase of the game.
#[derive(Clone, Copy, Default)]
struct Tally {
    /// Moves of which it is known.
    checked: u32,
    /// Those that gave something away.
    blunders: u32,
    /// The sum and the maximum of the score given away.
    lost: i64,
    worst: i32,
}

impl Tally {
    /// In per cent.
    fn share(self) -> f64 {
        100.0 * f64::from(self.blunders) / f64::from(self.checked.max(1))
    }
}

/// The picture and a table of its figures; nothing if no move was checked.
///
/// # Errors
/// If it cannot be drawn.
pub(super) fn draw(games: &[GameRecord], engines: &[&str]) -> Result<Option<(String, String)>> {
    let tallies: Vec<_> = engines.iter().map(|engine| tally(games, engine)).collect();
    if tallies.iter().flatten().all(|tally| tally.checked == 0) {
        return Ok(None);
    }
    let highest = tallies.iter().flatten().map(|tally| tally.share()).fold(0.1, f64::max);
    let svg = picture("Share of moves that gave exact score away, by phase and engine", |area| {
        let mut chart = axes(
            area,
            &Axes {
                x: -0.5..2.5,
                y: 0.0..highest * 1.1,
                x_title: "phase",
                y_title: "of the moves",
                labels: (4, 5),
                x_label: &|place| phase(place).into(),
                y_label: &|share| format!("{share:.*} %", usize::from(highest < 5.0)),
            },
        )?;
        // The bars of a phase fill most of the place between its neighbours.
        let width = 0.8 / engines.len() as f64;
        for (engine, tallies) in tallies.iter().enumerate() {
            chart.draw_series(tallies.iter().enumerate().map(|(phase, tally)| {
                let left = phase as f64 - 0.4 + width * engine as f64;
                Rectangle::new([(left, 0.0), (left + width * 0.94, tally.share())], colour(engine).filled())
            }))?;
        }
        Ok(())
    })?;
    Ok(Some((svg, table(engines, &tallies))))
}

fn tally(games: &[GameRecord], engine: &str) -> [Tally; PHASES.len()] {
    let mut tallies = [Tally::default(); PHASES.len()];
    for game in games {
        for (stones, played) in (game.opening.moves.len()..).zip(&game.moves) {
            let mover = if stones % 2 == 0 { &game.first } else { &game.second };
            let Some(loss) = played.loss.filter(|_| mover == engine) else { continue };
            let phase = PHASES.iter().position(|(_, most)| stones <= *most).unwrap_or_default();
            let tally = &mut tallies[phase];
            tally.checked += 1;
            tally.blunders += u32::from(loss > 0);
            tally.lost += i64::from(loss.max(0));
            tally.worst = tally.worst.max(loss);
        }
    }
    tallies
}

/// The phase whose bars stand around a place on the axis.
fn phase(place: f64) -> &'static str {
    let nearest = place.round();
    // Only the middles are labelled.
    let is_middle = (place - nearest).abs() < 1e-6 && nearest >= 0.0;
    if is_middle { PHASES.get(nearest as usize).map_or("", |(name, _)| name) } else { "" }
}

fn table(engines: &[&str], tallies: &[[Tally; PHASES.len()]]) -> String {
    let mut html = String::from(
        "<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th>Engine<th>Phase<th class=\"n\">Checked\
         <th class=\"n\">Blunders<th class=\"n\">Share<th class=\"n\">Mean loss\
         <th class=\"n\">Worst</thead>\n",
    );
    for (engine, tallies) in engines.iter().zip(tallies) {
        for ((phase, _), tally) in PHASES.iter().zip(tallies) {
            let mean = tally.lost as f64 / f64::from(tally.checked.max(1));
            let _ = writeln!(
                html,
                "<tr><th scope=\"row\">{}<td>{phase}<td class=\"n\">{}<td class=\"n\">{}\
                 <td class=\"n\">{:.1} %<td class=\"n\">{mean:.2}<td class=\"n\">{}",
                Text(engine),
                tally.checked,
                tally.blunders,
                tally.share(),
                tally.worst
            );
        }
    }
    html + "</table></div>\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_match;

    #[test]
    fn every_checked_move_is_of_one_engine_and_one_phase() {
        let games = test_match::games(6, 60);
        let tallies = test_match::NAMES.map(|engine| tally(&games, engine));
        let all = || games.iter().flat_map(|game| &game.moves).filter_map(|played| played.loss);
        let sum = |part: fn(&Tally) -> u32| tallies.iter().flatten().map(part).sum::<u32>() as usize;
        assert_eq!(sum(|tally| tally.checked), all().count());
        assert_eq!(sum(|tally| tally.blunders), all().filter(|loss| *loss > 0).count());
        assert_eq!(tallies.iter().flatten().map(|tally| tally.worst).max(), all().max());
        assert_eq!([-0.5, 0.0, 0.5, 1.0, 2.0, 3.0].map(phase), ["", "opening", "", "middle", "end", ""]);
    }
}
