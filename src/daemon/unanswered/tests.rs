use super::*;
use crate::daemon::report::Style;
use crate::daemon::testing::played;

fn reporter() -> Reporter {
    Reporter { root: played(""), style: Style::default(), show_wdl: false }
}

fn add(unanswered: &mut Unanswered, infinite: bool, ponder: bool) -> (JobId, Arc<StopFlag>) {
    let limits = Limits { infinite, ponder, ..Limits::default() };
    let job =
        unanswered.add_search(reporter(), limits, TimeBudget::default(), Settings::default(), Instant::now());
    (job.id, Arc::clone(&job.stop_flag))
}

#[test]
fn stop_is_for_the_first_job_that_was_not_stopped_yet() {
    let mut unanswered = Unanswered::default();
    unanswered.stop();
    let (first, first_stop_flag) = add(&mut unanswered, true, false);
    assert!(unanswered.any_needs_stop());
    unanswered.stop();
    let (second, second_stop_flag) = add(&mut unanswered, false, false);
    assert!(first < second && first_stop_flag.is_stopped() && !second_stop_flag.is_stopped());
    assert!(!unanswered.any_needs_stop());
    unanswered.stop();
    assert!(second_stop_flag.is_stopped());
    unanswered.finish(first);
    assert!(unanswered.reporter(first).is_none() && unanswered.reporter(second).is_some());
    unanswered.finish(second);
    assert!(unanswered.is_empty());
}

#[test]
fn only_searches_without_end_make_way() {
    let mut unanswered = Unanswered::default();
    let (_, count) = unanswered.add_plain();
    let (_, limited) = add(&mut unanswered, false, false);
    let (_, infinite) = add(&mut unanswered, true, false);
    let (_, pondering) = add(&mut unanswered, false, true);
    let (_, last) = unanswered.add_plain();
    assert_eq!([&count, &limited, &infinite, &pondering].map(|s| s.is_stopped()), [false, false, true, true]);
    unanswered.stop_all();
    assert!(count.is_stopped() && limited.is_stopped() && last.is_stopped());
}

#[test]
fn a_ponder_hit_makes_a_search_limited_once() {
    let mut unanswered = Unanswered::default();
    let (_, limited) = add(&mut unanswered, false, false);
    let (_, pondering) = add(&mut unanswered, false, true);
    unanswered.ponder_hit();
    assert!(limited.ponder_hit_time().is_none() && pondering.ponder_hit_time().is_some());
    assert!(!unanswered.any_needs_stop());
    let (_, later) = add(&mut unanswered, false, true);
    assert!(!pondering.is_stopped() && unanswered.any_needs_stop());
    unanswered.ponder_hit();
    unanswered.ponder_hit();
    assert!(later.ponder_hit_time().is_some() && !unanswered.any_needs_stop());
}

fn add_timed(unanswered: &mut Unanswered, milliseconds: u64, ponder: bool, clock_start: Instant) -> JobId {
    let answer = Some(Duration::from_millis(milliseconds));
    let limits = Limits { ponder, search_moves: vec![1, 2], ..Limits::default() };
    let budget = TimeBudget { answer, hard: answer, ..TimeBudget::default() };
    unanswered.add_search(reporter(), limits, budget, Settings::default(), clock_start).id
}

#[test]
fn a_late_search_is_answered_for_with_what_it_reported() {
    let (mut unanswered, start) = (Unanswered::default(), Instant::now());
    let id = add_timed(&mut unanswered, 100, false, start);
    let due = start + Duration::from_millis(100);
    assert_eq!(unanswered.answer_deadline(), Some(due));
    assert!(unanswered.stop_overdue(start + Duration::from_millis(99), None).is_none());
    let report = |multi_pv, column| {
        let info = static_answer(&reporter().root, &[], None);
        SearchInfo { multi_pv, pv: vec![column, 3], ..info }
    };
    unanswered.record_report(id, report(None, 5));
    let bound = (Value::Loss { plies: 12 }, Bound::Lower, vec![6, 3]);
    unanswered.record_report(id, SearchInfo::new(12, bound));
    unanswered.record_report(id, report(Some(2), 4));
    let stop_flag = Arc::clone(&unanswered.jobs[0].stop_flag);
    let (late, _, info) = unanswered.stop_overdue(due + Duration::from_millis(7), None).expect("it is late");
    assert_eq!((late, info.pv, info.time), (id, vec![6, 3], Duration::from_millis(107)));
    assert!(matches!(info.value, Value::Estimate(_)), "a bound that decides nothing is no evaluation");
    assert!(stop_flag.is_stopped());
}

#[test]
fn a_late_search_is_answered_for_from_the_book_if_its_own_settings_allow_that() {
    let Some(book) = Book::embedded() else { return };
    for (own_book, mate, is_from_book) in [(true, None, true), (false, None, false), (true, Some(3), false)] {
        let (mut unanswered, start) = (Unanswered::default(), Instant::now());
        let budget = TimeBudget { answer: Some(Duration::ZERO), ..TimeBudget::default() };
        let settings = Settings { own_book, ..Settings::default() };
        unanswered.add_search(reporter(), Limits { mate, ..Limits::default() }, budget, settings, start);
        let (_, _, info) = unanswered.stop_overdue(start, Some(&book)).expect("it is late");
        assert_eq!(!matches!(info.value, Value::Estimate(_)), is_from_book, "{info:?}");
    }
}

#[test]
fn the_time_of_a_pondering_search_begins_with_the_hit_and_ends_with_a_stop() {
    let (mut unanswered, long_ago) = (Unanswered::default(), Instant::now());
    add_timed(&mut unanswered, 1_000_000, true, long_ago);
    assert_eq!(unanswered.answer_deadline(), None);
    unanswered.ponder_hit();
    assert!(unanswered.answer_deadline().is_some_and(|due| due >= long_ago + Duration::from_secs(1_000)));
    let stopped = Instant::now();
    unanswered.stop();
    let due = unanswered.answer_deadline().expect("it was stopped");
    assert!((stopped + STOP_GRACE..=Instant::now() + STOP_GRACE).contains(&due));
}

#[test]
fn an_answer_is_late_after_its_time_and_solved_once_a_report_was() {
    let (mut unanswered, start) = (Unanswered::default(), Instant::now());
    let id = add_timed(&mut unanswered, 100, false, start);
    let after = |milliseconds| start + Duration::from_millis(milliseconds);
    let at = |unanswered: &Unanswered, milliseconds| {
        unanswered.answer_timing(id, after(milliseconds)).map(|time| (time.lateness, time.is_solved))
    };
    assert_eq!(at(&unanswered, 99), Some((None, false)));
    assert_eq!(at(&unanswered, 107), Some((Some(Duration::from_millis(7)), false)));
    let estimate = static_answer(&reporter().root, &[], None);
    let line = (0..42).map(|stone| stone % 7).collect::<Vec<_>>();
    let report = |value, bound, plies: usize| SearchInfo {
        value,
        bound,
        pv: line[..plies].to_vec(),
        ..estimate.clone()
    };
    for (value, bound, plies, is_solved) in [
        (Value::Estimate(20), Bound::Exact, 42, false),
        (Value::Win { plies: 41 }, Bound::Lower, 41, false),
        (Value::Win { plies: 41 }, Bound::Exact, 40, false),
        (Value::Draw, Bound::Exact, 42, true),
        (Value::Draw, Bound::Exact, 2, true),
    ] {
        unanswered.record_report(id, report(value, bound, plies));
        let expected = Some((Some(Duration::from_millis(7)), is_solved));
        assert_eq!(at(&unanswered, 107), expected, "{value:?} {bound:?} {plies}");
    }
}

#[test]
fn a_search_whose_turn_comes_late_still_has_a_moment() {
    let (mut unanswered, start) = (Unanswered::default(), Instant::now());
    let first = add_timed(&mut unanswered, 0, false, start);
    let second = add_timed(&mut unanswered, 0, false, start);
    let before = Instant::now();
    unanswered.finish(first);
    assert!(unanswered.answer_deadline().is_some_and(|due| due >= before + STOP_GRACE));
    let timing = unanswered.answer_timing(second, before + Duration::from_secs(9));
    assert_eq!(timing, None, "it had to wait for its turn");
    let (mut unanswered, _) = (Unanswered::default(), unanswered.add_plain());
    unanswered.add_plain();
    add_timed(&mut unanswered, 0, false, start);
    assert_eq!(unanswered.answer_deadline(), None, "a count or benchmark comes first");
}
