use std::time::Duration;

use plumb_protocol::{Bound, Column, Dialect, Info, Move, MoveForm, Reply, Score, ScoreReport};

use super::options::Notation;
use crate::board::{Bits, Board, Geometry, Position, each_cell};
use crate::search::{self, SearchInfo, Value};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Style {
    pub(super) dialect: Dialect,
    pub(super) notation: Notation,
}

impl Style {
    pub(super) fn spell(self, position: &Position<Board>, column: u32) -> Option<Move> {
        if position.outcome().is_some() {
            return None;
        }
        let cell = position.landing(column)?;
        let rank = position.geometry().row_of(cell) as u8 + 1;
        let form = match (self.notation, self.dialect) {
            (Notation::Drop, _) | (Notation::Auto, Dialect::Uci) => MoveForm::Drop(rank),
            (Notation::Letter, _) | (Notation::Auto, Dialect::Ugi) => MoveForm::Letter,
            (Notation::Digit, _) => MoveForm::Digit,
        };
        Some(Move::new(Column::new(column as u8)?, form))
    }

    /// The distance after `score mate`: the winner's moves in UCI, plies in UGI.
    pub(super) fn mate_distance(self, plies: u32) -> i32 {
        match self.dialect {
            Dialect::Uci => plies.div_ceil(2) as i32,
            Dialect::Ugi => plies as i32,
        }
    }

    pub(super) fn mate_limit(self, distance: u32) -> u32 {
        match self.dialect {
            Dialect::Uci => distance.saturating_mul(2).saturating_sub(1),
            Dialect::Ugi => distance,
        }
        .max(1)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reporter {
    pub(super) root: Position<Board>,
    pub(super) style: Style,
    pub(super) show_wdl: bool,
}

impl Reporter {
    pub(super) fn info(&self, info: &SearchInfo) -> Reply {
        let &SearchInfo { depth, sel_depth, multi_pv, value, bound, nodes, time, hash_full, tb_hits, ref pv } =
            info;
        let score = self.score(value, bound);
        let mut columns = pv.clone();
        // variantfishtest ends the game as a draw after `cp 0` with a pv of one move.
        if score.score == Score::Cp(0) && columns.len() == 1 {
            columns.extend(self.reply_to(columns[0]));
        }
        Reply::Info(Info {
            depth: Some(depth),
            // A finished game has no `seldepth`, as in Stockfish: `depth 0 score …`.
            sel_depth: if self.root.outcome().is_none() { Some(sel_depth) } else { None },
            multi_pv: multi_pv.map(|rank| rank as u32),
            score: Some(score),
            wdl: if self.show_wdl { wdl(value, bound) } else { None },
            nodes: Some(nodes),
            nps: Some(nodes_per_second(nodes, time)),
            hash_full: Some(hash_full.into()),
            tb_hits: Some(tb_hits),
            time: Some(time),
            pv: self.line(&columns),
            string: None,
        })
    }

    pub(super) fn best_move(&self, best: Option<u32>, ponder: Option<u32>) -> Reply {
        let columns: Vec<_> = best.into_iter().chain(ponder).collect();
        let line = if best.is_some() { self.line(&columns) } else { Vec::new() };
        if line.is_empty() && (best.is_some() || self.root.outcome().is_none()) {
            log::error!("the search answered {best:?} in {}", self.root.fen());
        }
        // The word `ponder` would hang the UGI arena cutegames.
        let ponder = if self.style.dialect == Dialect::Uci { line.get(1).copied() } else { None };
        Reply::BestMove { best: line.first().copied(), ponder }
    }

    fn line(&self, columns: &[u32]) -> Vec<Move> {
        let mut position = self.root;
        let mut moves = Vec::with_capacity(columns.len());
        for &column in columns {
            let Some((spelled, next)) = self.style.spell(&position, column).zip(position.play(column)) else {
                log::error!("illegal line {columns:?} in {}", self.root.fen());
                break;
            };
            moves.push(spelled);
            position = next;
        }
        moves
    }

    fn score(&self, value: Value, bound: search::Bound) -> ScoreReport {
        let score = match value {
            Value::Win { plies } => Score::Mate(self.style.mate_distance(plies)),
            Value::Loss { plies } => Score::Mate(-self.style.mate_distance(plies)),
            Value::Draw => Score::Cp(0),
            Value::Estimate(estimate) => Score::Cp(estimate),
        };
        let bound = match bound {
            search::Bound::Exact => None,
            search::Bound::Lower => Some(Bound::Lower),
            search::Bound::Upper => Some(Bound::Upper),
        };
        ScoreReport { score, bound }
    }

    /// A legal reply to the move into `column`, if possible without an immediate loss.
    fn reply_to(&self, column: u32) -> Option<u32> {
        let next = self.root.play(column).filter(|next| next.outcome().is_none())?;
        let safe = next.non_losing_moves();
        let cells = if safe.is_empty() { next.playable() } else { safe };
        each_cell(cells).next().map(|cell| next.geometry().column_of(cell))
    }
}

fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    let micros = time.as_micros().max(1000);
    u64::try_from(u128::from(nodes) * 1_000_000 / micros).unwrap_or(u64::MAX)
}

/// The chances to win, draw and lose in thousandths: certain for a proven result, otherwise a function of the
/// estimate. `None` for a bound that proves no result.
///
/// Wins and losses follow a logistic curve each. The curves are a convention, not fitted to games: an even
/// estimate is 401 198 401, an estimate of 100 is 832 85 83.
fn wdl(value: Value, bound: search::Bound) -> Option<[u16; 3]> {
    const EVEN_CHANCE: f64 = 20.0;
    const SCALE: f64 = 50.0;
    let chance = |estimate: f64| (1000.0 / (1.0 + ((EVEN_CHANCE - estimate) / SCALE).exp())).round() as u16;
    match (value, bound) {
        (Value::Win { .. }, search::Bound::Exact | search::Bound::Lower) => Some([1000, 0, 0]),
        (Value::Draw, search::Bound::Exact) => Some([0, 1000, 0]),
        (Value::Loss { .. }, search::Bound::Exact | search::Bound::Upper) => Some([0, 0, 1000]),
        (Value::Win { .. } | Value::Draw | Value::Loss { .. }, _) => None,
        (Value::Estimate(estimate), _) => {
            let (win, loss) = (chance(estimate.into()), chance((-estimate).into()));
            Some([win, 1000_u16.saturating_sub(win + loss), loss])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::daemon::testing::played;
    use crate::search::Bound::{Exact, Lower, Upper};

    #[test]
    fn the_notation_overrides_the_dialect() {
        let position = played("44");
        let spell = |dialect, notation| {
            Style { dialect, notation }.spell(&position, 3).map(|m| m.to_string()).expect("legal")
        };
        for (dialect, auto) in [(Dialect::Uci, "P@d3"), (Dialect::Ugi, "d")] {
            assert_eq!(spell(dialect, Notation::Auto), auto);
            assert_eq!(spell(dialect, Notation::Drop), "P@d3");
            assert_eq!(spell(dialect, Notation::Letter), "d");
            assert_eq!(spell(dialect, Notation::Digit), "4");
        }
    }

    #[test]
    fn illegal_moves_have_no_spelling() {
        let style = Style::default();
        assert_eq!(style.spell(&played("444444"), 3), None);
        assert_eq!(style.spell(&played(""), 7), None);
        assert_eq!(style.spell(&played("1122334"), 6), None);
    }

    fn reporter(digits: &str, dialect: Dialect) -> Reporter {
        let root = played(digits);
        Reporter { root, style: Style { dialect, notation: Notation::Auto }, show_wdl: false }
    }

    fn info(value: Value, bound: search::Bound, pv: &[u32]) -> SearchInfo {
        let info = crate::daemon::testing::info(value, pv);
        let time = Duration::from_micros(2500);
        SearchInfo { depth: 5, sel_depth: 9, bound, nodes: 3000, time, hash_full: 17, tb_hits: 1, ..info }
    }

    fn print(digits: &str, dialect: Dialect, value: Value, bound: search::Bound, pv: &[u32]) -> String {
        reporter(digits, dialect).info(&info(value, bound, pv)).to_string()
    }

    #[test]
    fn a_line_carries_all_that_arenas_read() {
        assert_eq!(
            print("44", Dialect::Uci, Value::Estimate(-12), Exact, &[3, 3, 2]),
            "info depth 5 seldepth 9 score cp -12 nodes 3000 nps 1200000 hashfull 17 tbhits 1 time 2 pv P@d3 P@d4 P@c1"
        );
        let second = SearchInfo { multi_pv: Some(2), ..info(Value::Draw, Lower, &[3, 2]) };
        assert_eq!(
            Reporter { show_wdl: true, ..reporter("", Dialect::Ugi) }.info(&second).to_string(),
            "info depth 5 seldepth 9 multipv 2 score cp 0 lowerbound nodes 3000 nps 1200000 hashfull 17 \
             tbhits 1 time 2 pv d c"
        );
    }

    #[test]
    fn scores_have_the_units_of_the_dialect() {
        for (value, bound, uci, ugi) in [
            (Value::Win { plies: 1 }, Exact, "mate 1", "mate 1"),
            (Value::Win { plies: 5 }, Lower, "mate 3 lowerbound", "mate 5 lowerbound"),
            (Value::Loss { plies: 0 }, Exact, "mate 0", "mate 0"),
            (Value::Loss { plies: 2 }, Exact, "mate -1", "mate -2"),
            (Value::Loss { plies: 6 }, Upper, "mate -3 upperbound", "mate -6 upperbound"),
            (Value::Draw, Exact, "cp 0", "cp 0"),
            (Value::Estimate(7), Exact, "cp 7", "cp 7"),
        ] {
            for (dialect, score) in [(Dialect::Uci, uci), (Dialect::Ugi, ugi)] {
                let line = print("", dialect, value, bound, &[3, 3]);
                assert!(line.contains(&format!(" score {score} nodes ")), "{line}");
            }
        }
    }

    #[test]
    fn a_finished_game_prints_no_pv() {
        let line = print("1122334", Dialect::Uci, Value::Loss { plies: 0 }, Exact, &[]);
        assert!(line.starts_with("info depth 5 score mate 0 nodes ") && !line.contains("pv"), "{line}");
        assert_eq!(reporter("1122334", Dialect::Uci).best_move(None, None).to_string(), "bestmove (none)");
    }

    #[test]
    fn an_even_score_never_comes_with_a_single_move() {
        for value in [Value::Draw, Value::Estimate(0)] {
            let line = print("", Dialect::Ugi, value, Exact, &[3]);
            assert!(line.ends_with("pv d a"), "{line}");
        }
        // d1, e1 and f1 threaten g1.
        let line = print("4353", Dialect::Ugi, Value::Draw, Exact, &[5]);
        assert!(line.ends_with("pv f g"), "{line}");
        let full = "121212212121343434434343565656656565777777";
        let last = print(&full[..41], Dialect::Ugi, Value::Draw, Exact, &[6]);
        assert!(last.ends_with("pv g"), "{last}");
        assert!(print("", Dialect::Ugi, Value::Estimate(1), Exact, &[3]).ends_with("pv d"));
    }

    #[test]
    fn ugi_never_names_the_ponder_move() {
        let best = |dialect| reporter("44", dialect).best_move(Some(3), Some(3)).to_string();
        assert_eq!(best(Dialect::Uci), "bestmove P@d3 ponder P@d4");
        assert_eq!(best(Dialect::Ugi), "bestmove d");
        assert_eq!(reporter("", Dialect::Uci).best_move(Some(0), None).to_string(), "bestmove P@a1");
    }

    #[test]
    fn an_illegal_continuation_is_cut() {
        assert!(print("444444", Dialect::Uci, Value::Estimate(3), Exact, &[0, 3, 1]).ends_with("pv P@a1"));
        let best = reporter("112233", Dialect::Uci).best_move(Some(3), Some(3));
        assert_eq!(best.to_string(), "bestmove P@d1", "the game is over after a win");
    }

    #[test]
    fn chances_sum_to_certainty() {
        for estimate in [i32::MIN + 1, -1000, -100, -1, 0, 1, 100, 1000, i32::MAX] {
            let [win, draw, loss] = wdl(Value::Estimate(estimate), Exact).expect("an estimate");
            assert_eq!(win + draw + loss, 1000, "{estimate}");
            assert_eq!(wdl(Value::Estimate(-estimate), Exact), Some([loss, draw, win]));
        }
        assert_eq!(wdl(Value::Estimate(0), Exact), Some([401, 198, 401]));
        for (value, bounds) in [
            (Value::Win { plies: 3 }, [Some([1000, 0, 0]), Some([1000, 0, 0]), None]),
            (Value::Draw, [Some([0, 1000, 0]), None, None]),
            (Value::Loss { plies: 2 }, [Some([0, 0, 1000]), None, Some([0, 0, 1000])]),
        ] {
            assert_eq!([Exact, Lower, Upper].map(|bound| wdl(value, bound)), bounds, "{value:?}");
        }
    }

    #[test]
    fn speed_is_finite_even_without_time() {
        assert_eq!(nodes_per_second(7, Duration::ZERO), 7000);
        assert_eq!(nodes_per_second(u64::MAX, Duration::from_millis(1)), u64::MAX);
        assert_eq!(nodes_per_second(10, Duration::from_secs(2)), 5);
    }
}
