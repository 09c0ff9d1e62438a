use super::*;

/// What might have come of a unit.
pub(crate) fn record(design: Kind, entries: usize, suite: &str, mode: Mode) -> Record {
    let setup = Setup { search: Search::Plain, design, entries, bytes: entries * 5 };
    let blank = Record::new(&setup, suite, &[], mode);
    Record { positions: 1000, nodes: 54_000, cpu_seconds: 0.006, ..blank }
}

#[test]
fn a_unit_is_known_by_all_but_its_result() {
    let done = record(Kind::Lru, 1000, "end-easy.txt", Mode::Weak);
    assert_eq!(done.unit(), "plain lru 1000 5000 end-easy.txt e3b0c44298fc1c14 weak 1000");
    assert_eq!(done.unit(), Record { nodes: 0, cpu_seconds: 0.0, ..done.clone() }.unit());
}

#[test]
fn only_what_was_measured_alike_is_compared() {
    let whole = record(Kind::CrtUpper, ENTRIES, "end-easy.txt", Mode::Strong);
    let deviation = whole.deviation().expect("all alike");
    assert!((deviation - (54.0 / 54.93 - 1.0) * 100.0).abs() < 1e-9, "{deviation}");
    let part = Record { positions: 100, ..whole.clone() };
    assert!(part.published().is_some() && part.deviation().is_none());
    assert_eq!(record(Kind::CrtUpper, 1009, "end-easy.txt", Mode::Strong).published(), None);
    assert_eq!(record(Kind::Bucketed, ENTRIES, "end-easy.txt", Mode::Strong).published(), None);
    assert_eq!(Record { search: Search::Plumb, ..whole }.published(), None);
}
