use super::minimax::Oracle;
use crate::board::{Narrow, Outcome, StaticGeometry};
use crate::daemon::LineSession;
use crate::score::{Value, to_value};

fn check_every_position<G: StaticGeometry>() {
    let mut oracle = Oracle::<G>::of_whole_board();
    let positions: Vec<_> = oracle.half_of_positions().collect();
    let mut session = LineSession::new(Vec::new());
    let mut answer = |lines: &[&str]| {
        session.output_mut().clear();
        for line in lines {
            session.line(line).expect("memory takes all output");
        }
        String::from_utf8_lossy(session.output()).into_owned()
    };
    answer(&["setoption name Hash value 16", "setoption name Swindle value false"]);
    for (position, score) in positions {
        let printed = answer(&[&format!("position fen {}", position.fen()), "go infinite"]);
        let place = || format!("\n{position}\n{printed}");
        let mut lines = printed.lines().rev();
        let best = lines
            .next()
            .and_then(|line| line.strip_prefix("bestmove P@"))
            .unwrap_or_else(|| panic!("{}", place()));
        let column = u32::from(best.as_bytes()[0] - b'a');
        let next = position.play(column).unwrap_or_else(|| panic!("{best} is illegal{}", place()));
        let found = -oracle.score(&next);
        assert_eq!(found, score, "{}", place());
        let expected = match to_value(G::default(), score, position.plies()) {
            Value::Win { plies } => format!(" score mate {} ", plies.div_ceil(2)),
            Value::Loss { plies } => format!(" score mate -{} ", plies.div_ceil(2)),
            Value::Draw | Value::Estimate(_) => " score cp 0 ".to_owned(),
        };
        let info = lines.next().unwrap_or_default();
        assert!(info.contains(&expected) && !info.contains("bound"), "expected{expected}{}", place());
        let pv = info.split_once(" pv ").map_or("", |(_, pv)| pv);
        let end =
            pv.split(' ').try_fold(position, |position, m| position.play(u32::from(m.as_bytes()[2] - b'a')));
        let outcome = end.expect("a legal line").outcome();
        assert_eq!(outcome.map(|outcome| outcome == Outcome::Draw), Some(score == 0), "{}", place());
    }
}

#[test]
fn every_position_of_4x4_is_answered_exactly() {
    check_every_position::<Narrow<4, 4>>();
}

#[test]
#[ignore = "takes some minutes"]
fn every_position_of_5x4_and_4x5_is_answered_exactly() {
    check_every_position::<Narrow<5, 4>>();
    check_every_position::<Narrow<4, 5>>();
}

#[test]
#[ignore = "takes an hour"]
fn every_position_of_4x6_is_answered_exactly() {
    check_every_position::<Narrow<4, 6>>();
}
