//! Effects of options on searches and on their reports.

use std::num::NonZeroU32;

use super::*;

#[test]
fn options_of_other_engines_are_accepted_without_a_word() {
    let mut rig = Rig::new();
    assert!(rig.lines(&["setoption name VariantPath value /tmp/variants.ini"]).is_empty());
    assert_eq!(rig.session.options, Options::default());
}

#[test]
fn a_second_name_sets_the_same_option() {
    let mut rig = Rig::new();
    rig.lines(&["setoption name showwdl value true", "setoption name Seed value 7", "go depth 4"]);
    assert_eq!(rig.search().settings.seed.map(NonZeroU32::get), Some(7));
    let line = rig.event(Event::Search(1, info(Value::Win { plies: 3 }, &[3, 3, 3]))).remove(0);
    assert!(line.contains(" wdl 1000 0 0 "), "{line}");
    rig.lines(&["setoption name UCI_ShowWDL value false"]);
    assert!(!rig.session.options.show_wdl);
}

#[test]
fn the_overhead_counts_in_full_only_if_it_was_set() {
    let mut rig = Rig::new();
    let mut hard = |lines: &[&str]| {
        rig.lines(lines);
        rig.search().budget.hard
    };
    assert_eq!(hard(&["go movetime 20"]), Some(Duration::from_millis(15)));
    assert_eq!(
        hard(&["setoption name Move Overhead value 5", "go movetime 20"]),
        Some(Duration::from_millis(15))
    );
    assert_eq!(
        hard(&["setoption name Move Overhead value 12", "go movetime 20"]),
        Some(Duration::from_millis(8))
    );
    assert_eq!(
        hard(&["setoption name Move Overhead value 100", "go movetime 20"]),
        Some(Duration::from_millis(1))
    );
}
