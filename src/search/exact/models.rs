//! Concurrency tests with `loom`, which tries every interleaving of threads that mark the moves under search.

use std::num::NonZeroUsize;
use std::sync::Arc;

use loom::model::Builder;
use loom::thread;

use super::negamax::{CodePath, ExactSearch};
use crate::board::{Narrow, Position, Standard};
use crate::search::control::Control;
use crate::search::team::{DeferredMoves, Team};
use crate::search::tests::{minimax::Oracle, samples};
use crate::table::Table;

/// Stack of a `loom` thread in words. The default is too small.
const STACK: usize = 1 << 16;

/// Tries interleavings with at most `preemptions` or `LOOM_MAX_PREEMPTIONS` preemptions.
fn model(preemptions: usize) -> Builder {
    let mut model = Builder::new();
    model.max_branches = 100_000;
    model.preemption_bound = model.preemption_bound.or(Some(preemptions));
    model
}

fn team() -> Arc<Team> {
    Arc::new(Team::new(NonZeroUsize::new(2).expect("not zero")))
}

fn search_children(team: &Team, children: &[u64]) -> Vec<usize> {
    let table = Table::with_buckets(Standard::default(), 1);
    let (mut moves, mut deferred, mut searched) = (0..children.len(), DeferredMoves::default(), Vec::new());
    while let Some(index) = moves.next().or_else(|| deferred.take()) {
        let child = table.placement(0).key(Standard::default(), children[index]);
        if !deferred.defer_or_mark(team, index, child) {
            searched.push(index);
            team.unmark(child);
        }
    }
    searched
}

#[test]
fn each_thread_searches_each_move_once() {
    for children in [[1, 2, 3], [1, 2, 1]] {
        model(2).check(move || {
            let team = team();
            let other = {
                let team = Arc::clone(&team);
                thread::spawn(move || search_children(&team, &children))
            };
            let searched = [search_children(&team, &children), other.join().expect("it ends")];
            for mut searched in searched {
                assert_eq!(searched[0], 0, "the first move is never deferred");
                searched.sort_unstable();
                assert_eq!(searched, [0, 1, 2]);
            }
        });
    }
}

#[test]
fn searches_that_keep_apart_are_right() {
    // Only searches of a few nodes. More would take too long in all interleavings.
    let some_nodes = |position: &Position<Narrow<4, 4>>, beta| {
        let table = Table::with_buckets(Narrow::<4, 4>, 64);
        let mut search = ExactSearch::new(Narrow::<4, 4>, &table, Control::unlimited());
        search.null_window_on_thread(position, beta).is_ok() && (3..=6).contains(&search.control.nodes())
    };
    let mut oracle = Oracle::new();
    let cases: Vec<_> = samples::positions(5, 7..=10)
        .map(|position| (position, oracle.score(&position)))
        .filter(|(position, score)| some_nodes(position, *score) && some_nodes(position, score + 1))
        .take(2)
        .collect();
    for (position, score) in cases {
        for beta in [score, score + 1] {
            model(1).check(move || {
                let (team, table) = (team(), Arc::new(Table::with_buckets(Narrow::<4, 4>, 64)));
                let searches = [0, 1].map(|number| {
                    let (team, table) = (Arc::clone(&team), Arc::clone(&table));
                    let search = move || {
                        let mut search =
                            ExactSearch::new(Narrow::<4, 4>, &table, Control::unlimited().helper(team));
                        search.set_thread(number);
                        search.code_path = CodePath::Portable;
                        search.null_window_on_thread(&position, beta)
                    };
                    thread::Builder::new().stack_size(STACK).spawn(search).expect("loom starts threads")
                });
                for search in searches {
                    let bound = search.join().expect("it ends").expect("nothing stops it");
                    let is_proved = if bound >= beta { bound <= score } else { bound >= score };
                    assert!(is_proved, "{bound} for the score {score}");
                }
            });
        }
    }
}
