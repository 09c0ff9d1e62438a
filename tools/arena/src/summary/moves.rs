//! The moves of an engine: how long they took, and how much exact score they gave away, by the phase of the game.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::record::MoveRecord;
use crate::statistics::rounded;

/// The phases: a third of the board's cells each, counted by the stones before a move. On 7x6 these are the bounds of Pascal
/// Pons, "Solving Connect 4", part 2: up to 14 stones, up to 28, and more.
const PHASES: [&str; 3] = ["opening", "middle", "end"];

/// Counts over the moves of an engine.
#[derive(Clone, Debug, Default)]
pub(crate) struct MoveCounts {
    moves: u64,
    total_ms: f64,
    longest_ms: f64,
    /// Times of moves beyond those that the engine reported: their number and sum.
    latency: (u64, f64),
    /// Lines of play with a fault: their number, and the fault of the first.
    pv_faults: (u64, String),
    phases: [PhaseCounts; PHASES.len()],
}

/// Counts over the moves of a phase that were checked for blunders.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct PhaseCounts {
    phase: &'static str,
    checked: u32,
    blunders: u32,
    /// Exact score given away by a checked move on average, by the worst one, and by all.
    mean_loss: f64,
    worst_loss: i32,
    #[serde(skip)]
    loss: i64,
}

impl MoveCounts {
    /// Counts a move that was made with so many stones on a board of so many cells.
    pub(super) fn add(&mut self, made: &MoveRecord, stones: usize, cells: usize) {
        self.moves += 1;
        self.total_ms += made.time_ms;
        self.longest_ms = self.longest_ms.max(made.time_ms);
        if let Some(own) = made.own_ms {
            self.latency = (self.latency.0 + 1, self.latency.1 + made.time_ms - own as f64);
        }
        if !made.pv_fault.is_empty() {
            if self.pv_faults.0 == 0 {
                self.pv_faults.1.clone_from(&made.pv_fault);
            }
            self.pv_faults.0 += 1;
        }
        let Some(loss) = made.loss else { return };
        let third = (1..PHASES.len()).find(|thirds| 3 * stones <= thirds * cells).unwrap_or(PHASES.len());
        let phase = &mut self.phases[third - 1];
        phase.phase = PHASES[third - 1];
        phase.checked += 1;
        phase.blunders += u32::from(loss > 0);
        phase.loss += i64::from(loss.max(0));
        phase.mean_loss = rounded(phase.loss as f64 / f64::from(phase.checked));
        phase.worst_loss = phase.worst_loss.max(loss);
    }

    /// Moves that were checked for blunders, and blunders.
    pub(super) fn checked(&self) -> [u32; 2] {
        let sum = |of: fn(&PhaseCounts) -> u32| self.phases.iter().map(of).sum();
        [sum(|phase| phase.checked), sum(|phase| phase.blunders)]
    }

    /// A sentence on the lines of play with a fault, if there are any.
    pub(super) fn note(&self) -> Option<String> {
        let (count, first) = &self.pv_faults;
        (*count > 0).then(|| format!("{count} lines of play (`pv`) have a fault; of the first: {first}."))
    }
}

/// As figures, with those of the phases in which moves were checked for blunders. A mean of nothing is null.
impl Serialize for MoveCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mean = |sum: f64, count: u64| (count > 0).then(|| rounded(sum / count as f64));
        let phases: Vec<_> = self.phases.iter().filter(|phase| phase.checked > 0).collect();
        let mut fields = serializer.serialize_struct("MoveCounts", 6)?;
        fields.serialize_field("moves", &self.moves)?;
        fields.serialize_field("mean_ms", &mean(self.total_ms, self.moves))?;
        fields.serialize_field("longest_ms", &(self.moves > 0).then(|| rounded(self.longest_ms)))?;
        fields.serialize_field("latency_ms", &mean(self.latency.1, self.latency.0))?;
        fields.serialize_field("pv_faults", &self.pv_faults.0)?;
        fields.serialize_field("phases", &phases)?;
        fields.end()
    }
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
