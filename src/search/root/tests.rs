use super::*;
use crate::board::Standard;

#[test]
fn a_suggested_move_comes_after_moves_proven_to_be_as_good() {
    let start = Position::<Standard>::new();
    let mut root = Root::new(&start, &[]);
    let mut first = |column: u32, bounds: Option<(Score, Score)>| {
        let m = root.moves.iter_mut().find(|m| m.column == column).expect("a legal move");
        if let Some((lower, upper)) = bounds {
            m.add_lower_bound(lower);
            m.add_upper_bound(upper);
        }
        root.suggest(1, 2);
        root.moves[0].column
    };
    assert_eq!(first(1, None), 1);
    assert_eq!(first(2, Some((1, 18))), 1, "a win, but not soon enough");
    assert_eq!(first(4, Some((2, 18))), 4, "as good, and proven");
    assert_eq!(first(5, Some((3, 18))), 5, "better yet");
    assert_eq!(first(1, Some((2, 18))), 5);
    let mut root = Root::new(&start, &[]);
    root.suggest(1, 2);
    root.moves[2].estimate = 1;
    root.sort(0);
    assert_eq!(root.moves[0].column, 1, "an estimate is no proof");
    root.moves[0].add_upper_bound(1);
    root.sort(0);
    assert_eq!(root.moves[0].estimate, 1, "it was refuted");
}

#[test]
fn a_winning_move_is_first_from_the_start() {
    // The first player has c1 d1 f1 and wins at e1.
    let position: Position = Position::from_digits("31664646").expect("legal");
    let root = Root::new(&position, &[]);
    assert_eq!((root.moves[0].column, root.moves[0].is_solved), (4, true));
}

#[test]
fn a_move_that_loses_at_once_is_last_before_any_search() {
    // The first player has three stones on top of each other.
    let parried: Position = Position::from_digits("41424").expect("legal");
    let mut root = Root::new(&parried, &[]);
    root.bound_immediate_losses();
    let open = |root: &Root<Standard>| {
        root.moves.iter().filter(|m| !m.is_exact()).map(|m| m.column).collect::<Vec<_>>()
    };
    assert_eq!((open(&root), root.moves[0].column), (vec![3], 3));
    root.add_upper_bound(-1);
    root.sort(0);
    assert_eq!(root.moves[0].column, 3);
}

#[test]
fn search_moves_restrict_the_root_only_if_legal() {
    let full: Position = Position::from_digits("444444").expect("legal");
    let columns = |list: &[u32]| Root::new(&full, list).moves.iter().map(|m| m.column).collect::<Vec<_>>();
    assert_eq!(columns(&[0, 6]), [6, 0]);
    assert_eq!(columns(&[3]).len(), 6);
    assert_eq!(columns(&[]).len(), 6);
}

fn with(lower: Score, upper: Score, estimate: i32) -> RootMove<Standard> {
    let start = Position::new();
    let next = start.play(3).expect("legal");
    RootMove { lower, upper, estimate, ..RootMove::new(&start, 3, next) }
}

#[test]
fn the_best_known_move_comes_first() {
    let order = [
        with(5, 5, 0),      // the fastest proven win
        with(2, 18, -50),   // a win of unknown length
        with(0, 18, 40),    // not a loss
        with(0, 0, 90),     // a draw
        with(-18, 18, 30),  // unknown, good
        with(-18, 18, -30), // unknown, bad
        with(-2, -2, 0),    // lost late
        with(-9, -9, 0),    // lost earlier
        with(-18, -2, 99),  // lost, perhaps at once
    ];
    for (index, better) in order.iter().enumerate() {
        for worse in &order[index + 1..] {
            assert_eq!(better.compare(worse, Score::MIN, None), Ordering::Less, "{better:?} {worse:?}");
        }
    }
}

#[test]
fn moves_below_the_floor_rank_above_losses_only() {
    let order = [with(2, 2, 0), with(-18, 3, -30), with(0, 2, 40), with(-18, 1, 50), with(-2, -2, 0)];
    for (index, better) in order.iter().enumerate() {
        for worse in &order[index + 1..] {
            assert_eq!(better.compare(worse, 3, None), Ordering::Less, "{better:?} {worse:?}");
        }
    }
}

#[test]
fn values_respect_what_is_proven() {
    let reported = |m: RootMove<Standard>| m.reported_value();
    assert_eq!(reported(with(0, 18, -25)), (Value::Draw, Bound::Lower));
    assert_eq!(reported(with(0, 18, 25)), (Value::Estimate(25), Bound::Exact));
    assert_eq!(reported(with(-18, 0, 25)), (Value::Draw, Bound::Upper));
    assert_eq!(reported(with(-18, -1, 0)), (Value::Loss { plies: 42 }, Bound::Upper));
    // An exact value without its principal variation is reported as a bound.
    assert_eq!(reported(with(0, 0, 25)), (Value::Draw, Bound::Lower));
    assert_eq!(reported(with(18, 18, 0)), (Value::Win { plies: 7 }, Bound::Lower));
    assert_eq!(reported(RootMove { is_solved: true, ..with(0, 0, 25) }), (Value::Draw, Bound::Exact));
}
