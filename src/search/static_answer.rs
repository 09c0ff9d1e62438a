use super::evaluation::evaluate;
use super::event::SearchInfo;
use super::root::Root;
use crate::board::{Board, Position};
use crate::book::{Book, BookProbe};
use crate::score::Value;

/// A move for `position` without a search, within microseconds. Prefers the book's best move, then an
/// immediate win, then a move after which the opponent cannot win immediately. The static
/// [evaluation](evaluate) decides between equal moves.
///
/// Considers only `search_moves`, or all moves if none of them is legal.
pub(crate) fn static_answer(
    position: &Position<Board>,
    search_moves: &[u32],
    book: Option<&Book>,
) -> SearchInfo {
    let mut tb_hits = 0;
    let mut root = Root::new(position, search_moves);
    for m in root.moves.iter_mut().filter(|m| !m.is_exact()) {
        m.set_estimate(-evaluate(&m.next), false);
    }
    root.bound_immediate_losses();
    if let Some(mut probe) = book.and_then(|book| BookProbe::new(book, position)) {
        root.add_book_scores(&mut probe, 1);
        tb_hits = probe.probes();
    }
    let line = root.reported_line(0);
    let depth = match line.0 {
        Value::Win { plies } | Value::Loss { plies } => plies,
        Value::Draw | Value::Estimate(_) => u32::from(position.outcome().is_none()),
    };
    SearchInfo { tb_hits, ..SearchInfo::new(depth, line) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(digits: &str, search_moves: &[u32]) -> (Option<u32>, Value) {
        let position = Position::from_digits_on(Board::default(), digits).expect("legal");
        let info = static_answer(&position, search_moves, None);
        (info.pv.first().copied(), info.value)
    }

    #[test]
    fn wins_and_losses_with_the_next_stones_are_found() {
        assert_eq!(answer("112233", &[]), (Some(3), Value::Win { plies: 1 }));
        assert_eq!(answer("41424", &[]).0, Some(3), "a vertical three must be stopped");
        assert_eq!(answer("", &[]).0, Some(3));
        assert_eq!(answer("", &[0, 6]).0.map(|column| column % 6), Some(0));
        assert_eq!(answer("1122334", &[]), (None, Value::Loss { plies: 0 }));
        assert_eq!(answer("121212212121343434434343565656656565777777", &[]), (None, Value::Draw));
    }

    #[cfg(feature = "book")]
    #[test]
    fn a_position_in_the_book_gets_a_best_move() {
        let book = Book::embedded().expect("it is part of the program");
        for digits in ["", "2", "44", "445", "4444", "44444"] {
            let position = Position::from_digits_on(Board::default(), digits).expect("legal");
            let info = static_answer(&position, &[], Some(&book));
            let score = |position: &Position<Board>| book.look_up(position).expect("few stones").score;
            let next = position.play(info.pv[0]).expect("legal");
            assert_eq!(score(&next), -score(&position), "{digits}");
            assert!(info.tb_hits > 0, "{digits}: {info:?}");
        }
    }
}
