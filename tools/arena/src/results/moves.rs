//! Times and exact losses of an engine's moves, by phase.

use serde::{Serialize, Serializer};

use crate::record::MoveRecord;
use crate::statistics::rounded;

/// By stones before a move, a third of the cells each. On 7x6 these are the bounds of Pascal Pons, "Solving Connect 4",
/// part 2: up to 14 stones, up to 28, and more.
const PHASES: [&str; 3] = ["opening", "middle", "end"];

#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct MoveCounts {
    pub checked: u32,
    pub blunders: u32,
    moves: u64,
    mean_ms: Option<f64>,
    longest_ms: Option<f64>,
    /// Mean time without the engine's reported time.
    latency_ms: Option<f64>,
    pv_faults: u64,
    #[serde(serialize_with = "checked_phases")]
    phases: [PhaseCounts; PHASES.len()],
    #[serde(skip)]
    total_ms: f64,
    /// Number and sum of times.
    #[serde(skip)]
    latency: (u64, f64),
    #[serde(skip)]
    first_pv_fault: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
struct PhaseCounts {
    phase: &'static str,
    checked: u32,
    blunders: u32,
    /// Exact score given away: the mean of the checked moves, the greatest, and `loss`, the sum.
    mean_loss: f64,
    worst_loss: i32,
    #[serde(skip)]
    loss: i64,
}

impl MoveCounts {
    pub(super) fn add(&mut self, made: &MoveRecord, stones: usize, cells: usize) {
        self.moves += 1;
        self.total_ms += made.time_ms;
        self.mean_ms = Some(rounded(self.total_ms / self.moves as f64));
        self.longest_ms = Some(rounded(made.time_ms).max(self.longest_ms.unwrap_or_default()));
        // A longer own time does not count: after a ponder hit an engine counts from `go ponder`.
        if let Some(own) = made.own_ms.filter(|&own| own as f64 <= made.time_ms + 1.0) {
            let (count, sum) = (self.latency.0 + 1, self.latency.1 + made.time_ms - own as f64);
            self.latency = (count, sum);
            self.latency_ms = Some(rounded(sum / count as f64));
        }
        if !made.pv_fault.is_empty() {
            self.pv_faults += 1;
            self.first_pv_fault.get_or_insert_with(|| made.pv_fault.clone());
        }
        let Some(loss) = made.loss else { return };
        self.checked += 1;
        self.blunders += u32::from(loss > 0);
        let third = (1..PHASES.len()).find(|thirds| 3 * stones <= thirds * cells).unwrap_or(PHASES.len());
        let phase = &mut self.phases[third - 1];
        phase.phase = PHASES[third - 1];
        phase.checked += 1;
        phase.blunders += u32::from(loss > 0);
        phase.loss += i64::from(loss.max(0));
        phase.mean_loss = rounded(phase.loss as f64 / f64::from(phase.checked));
        phase.worst_loss = phase.worst_loss.max(loss);
    }

    pub(crate) fn note(&self) -> Option<String> {
        let (count, first) = (self.pv_faults, self.first_pv_fault.as_ref()?);
        Some(format!("lines of play (`pv`) with a fault: {count}; of the first: {first}."))
    }
}

fn checked_phases<S: Serializer>(phases: &[PhaseCounts], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(phases.iter().filter(|phase| phase.checked > 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_match;

    #[test]
    fn every_move_is_of_one_phase() {
        let games = test_match::games(6, 60);
        let mut both = [MoveCounts::default(), MoveCounts::default()];
        for game in &games {
            for (stones, made) in (game.opening.moves.len()..).zip(&game.moves) {
                both[stones % 2].add(made, stones, 42);
            }
        }
        let all = || games.iter().flat_map(|game| &game.moves);
        assert_eq!(both.iter().map(|counts| counts.moves as usize).sum::<usize>(), all().count());
        let phases = || both.iter().flat_map(|counts| counts.phases);
        let losses = || all().filter_map(|made| made.loss);
        assert_eq!(phases().map(|phase| phase.checked as usize).sum::<usize>(), losses().count());
        let blunders = losses().filter(|loss| *loss > 0).count();
        assert_eq!(phases().map(|phase| phase.blunders as usize).sum::<usize>(), blunders);
        assert_eq!(phases().map(|phase| phase.worst_loss).max(), losses().max());
        let figures = |counts: &MoveCounts| serde_json::to_value(counts).expect("JSON");
        for figures in both.each_ref().map(figures) {
            assert!(figures["phases"][2]["checked"].is_u64() && figures["mean_ms"].as_f64() > Some(0.0));
        }
        assert!(figures(&MoveCounts::default())["mean_ms"].is_null());
    }
}
