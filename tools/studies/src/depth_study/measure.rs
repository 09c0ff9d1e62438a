//! Counting and timing the searches of one game.

use std::time::Duration;

use plumb_tools_common::random::Random;

use super::game::Game;
use super::record::{Record, Unit};
use super::search::{Search, TableEntry};
use crate::cpu_time;
use crate::lru::Lru;

/// Searches that take less than this together are done again and again until they have taken it.
const MEASURABLE: Duration = Duration::from_millis(10);

/// Does the searches of a unit, which is one of `game`.
///
/// The clock is read before the first position of the game and after the last one, as reading it takes longer than the
/// smallest searches. What is done again is the same each time, random orders and all, so the nodes do not depend on
/// how fast the machine is; and where it is done again at all, the first time does not count, in which the caches of
/// the processor are still cold.
pub fn measure(unit: &Unit, game: &Game, table: &mut Lru<TableEntry>) -> Record {
    // The orders depend on the game, as the games begin alike, but not on the method.
    let random = Random::new(unit.seed.wrapping_add(game.number()), unit.repeat);
    let mut values = Vec::with_capacity(game.positions.len());
    let mut nodes = 0;
    let mut pass = || {
        let mut search = Search::new(unit.order, random.clone(), table);
        values.clear();
        values.extend(game.positions.iter().map(|position| search.value(unit.method, position, unit.depth)));
        nodes = search.nodes();
    };

    let start = cpu_time::now();
    pass();
    let mut time = cpu_time::now().saturating_sub(start);
    if time < MEASURABLE {
        let (mut passes, start) = (0, cpu_time::now());
        while time < MEASURABLE {
            // Several passes for each look at the clock.
            (0..4).for_each(|_| pass());
            passes += 4;
            time = cpu_time::now().saturating_sub(start);
        }
        time /= passes;
    }
    Record { unit: unit.clone(), nodes, nanoseconds: time.as_nanos() as u64, values }
}
