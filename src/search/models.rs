//! Concurrency tests with `loom`, which tries every interleaving of threads that share a stop flag or a team
//! (the threads of a search).

use std::num::NonZeroUsize;
use std::sync::Arc;

use loom::thread;

use super::control::{Aborted, Control};
use super::stop::StopFlag;
use super::team::Team;

#[test]
fn a_search_without_end_ends_with_the_stop() {
    loom::model(|| {
        let stop = Arc::new(StopFlag::new());
        let search = {
            let stop = Arc::clone(&stop);
            thread::spawn(move || {
                let mut control = Control::new(&stop, None, None);
                let aborted = (0..2).find_map(|_| control.poll().err());
                assert!(aborted.is_none_or(|aborted| aborted == Aborted::Stop && stop.is_stopped()));
                stop.wait(false);
                assert!(stop.is_stopped() && control.poll() == Err(Aborted::Stop), "a stop is for good");
            })
        };
        stop.stop();
        search.join().expect("the search ends");
    });
}

#[test]
fn a_pondering_search_ends_its_wait_with_the_hit_or_the_stop() {
    for has_hit in [false, true] {
        loom::model(move || {
            let stop = Arc::new(StopFlag::new());
            let search = {
                let stop = Arc::clone(&stop);
                thread::spawn(move || {
                    if stop.ponder_hit_time().is_none() {
                        stop.wait(true);
                    }
                    let hit = stop.ponder_hit_time();
                    assert!(hit.is_some() || stop.is_stopped(), "it woke for nothing");
                    assert!(has_hit || hit.is_none());
                    // The time of the ponder hit, from which the deadline counts, does not change.
                    assert!(hit.is_none() || stop.ponder_hit_time() == hit);
                })
            };
            // The ponder hit of a second thread changes nothing.
            let host = has_hit.then(|| {
                let stop = Arc::clone(&stop);
                thread::spawn(move || stop.ponder_hit())
            });
            if has_hit {
                stop.ponder_hit();
            } else {
                stop.stop();
            }
            search.join().expect("the search ends");
            if let Some(host) = host {
                host.join().expect("it ends");
                assert!(stop.ponder_hit_time().is_some() && !stop.is_stopped());
            }
        });
    }
}

fn probe(team: &Arc<Team>, answers: [Option<i8>; 2]) -> Option<i32> {
    team.begin();
    let helpers = answers.map(|answer| {
        let team = Arc::clone(team);
        thread::spawn(move || {
            team.work(|| {
                team.add_nodes(10);
                answer.map(i32::from)
            });
        })
    });
    let was_over = {
        let _end = team.end_on_drop();
        team.is_over()
    };
    for helper in helpers {
        helper.join().expect("the helper ends");
    }
    let answer = team.take_answer();
    assert!(!was_over || answer.is_some(), "the probe has ended, but no helper has left an answer");
    answer
}

#[test]
fn each_probe_of_a_team_has_an_answer_of_its_own() {
    loom::model(|| {
        let team = Arc::new(Team::new(NonZeroUsize::new(3).expect("not zero")));
        let first = probe(&team, [Some(1), Some(2)]);
        assert!(matches!(first, Some(1 | 2)), "{first:?}");
        assert!(team.is_over() && team.nodes() == 20);
        team.begin();
        assert!(!team.is_over() && team.take_answer().is_none());
    });
    loom::model(|| {
        let team = Arc::new(Team::new(NonZeroUsize::new(3).expect("not zero")));
        assert_eq!(probe(&team, [None, Some(2)]), Some(2));
        assert_eq!(team.nodes(), 20);
    });
    loom::model(|| {
        let team = Arc::new(Team::new(NonZeroUsize::new(3).expect("not zero")));
        assert_eq!(probe(&team, [None, None]), None);
    });
}
