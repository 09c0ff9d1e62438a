//! Names and values of labels in the files of several programs.

use anyhow::{Result, ensure};
use clap::ValueEnum;
use plumb::board::{Board, Geometry, Player, Position, column_name};
use plumb::score::Score;
use serde_json::{Value, json};

use super::scorer::Label;
use crate::rows::input::Format;
use crate::solve::Verdict;

/// Format of the labels: the names and values that a program or data set uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Convention {
    /// `score`, `outcome` (win, draw, loss) and `distance` in plies, for the side to move.
    #[default]
    Plumb,
    /// Kaggle's reference moves: `score` and `move score`, a list with null for full columns.
    Kaggle,
    /// UC Irvine Machine Learning Repository: `class` (win, draw, loss) for the first player.
    Uci,
    /// `OpenSpiel`: `returns`, the results (1, 0, -1) of both players.
    Openspiel,
    /// Pascal Pons's solver: `score`, a list of move scores with 100 for full columns.
    Pons,
    /// `fen`: the position as a FEN, without solving it.
    Fen,
}

crate::display_by_value_name!(Convention);

/// Score of a full column in lists of Pascal Pons's solver.
const FULL: Score = 100;

impl Convention {
    /// Whether the labels include the scores of moves. `moves` is the flag `--moves`.
    pub(crate) fn has_moves(self, moves: bool) -> bool {
        match self {
            Self::Plumb => moves,
            Self::Kaggle | Self::Pons => true,
            Self::Uci | Self::Openspiel | Self::Fen => false,
        }
    }

    /// Refuses `--mover` with labels for the first player, because with `--mover` either player may have begun.
    pub(super) fn check(self, mover: Option<Player>) -> Result<()> {
        ensure!(
            mover.is_none() || !matches!(self, Self::Uci | Self::Openspiel),
            "`--as {self}` has labels for the first player, so it cannot be used with `--mover`"
        );
        Ok(())
    }
}

#[derive(Clone, Copy)]
pub(super) struct LabelFormat {
    pub convention: Convention,
    pub board: Board,
    pub format: Format,
    /// Whether [`Convention::Plumb`] includes the scores of the moves.
    pub moves: bool,
}

impl LabelFormat {
    /// Names and values of the labels of a position.
    pub(super) fn of(self, label: &Label) -> Vec<(String, Value)> {
        let Label { ref position, score, .. } = *label;
        let width = self.board.width();
        let of_first = if position.side_to_move() == Player::First { score } else { -score };
        let labels = match self.convention {
            Convention::Plumb => {
                let end = Verdict::of(score, position, false).last_stone;
                let distance = end.map_or(0, |end| end - position.plies());
                vec![
                    ("score", json!(score)),
                    ("outcome", json!(outcome(score))),
                    ("distance", json!(distance)),
                ]
            }
            Convention::Kaggle => {
                vec![("score", json!(score)), ("move score", list(label, width, &Value::Null))]
            }
            Convention::Uci => vec![("class", json!(outcome(of_first)))],
            Convention::Openspiel => vec![("returns", json!([of_first.signum(), -of_first.signum()]))],
            Convention::Pons => vec![("score", list(label, width, &json!(FULL)))],
            Convention::Fen => vec![("fen", json!(position.fen()))],
        };
        let mut labels: Vec<_> = labels.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        if self.convention == Convention::Plumb && self.moves {
            let best = (0..width).filter(|&column| score_of(label, column) == Some(score));
            let best: Value = if self.format == Format::Jsonl {
                labels.push(("scores".to_owned(), list(label, width, &Value::Null)));
                best.map(|column| column + 1).collect()
            } else {
                for column in 0..width {
                    let name = format!("score{}", column_name(width, column));
                    labels.push((name, json!(score_of(label, column))));
                }
                json!(best.map(|column| column_name(width, column)).collect::<String>())
            };
            labels.push(("best".to_owned(), best));
        }
        labels
    }

    pub(super) fn names(self) -> Vec<String> {
        let position = Position::empty(self.board);
        let labels = self.of(&Label { position, score: 0, moves: None });
        labels.into_iter().map(|(name, _)| name).collect()
    }
}

/// Whether a value in a file equals a label. Numbers may be spelled differently. Programs mark full columns with
/// different values.
pub(super) fn agrees(found: &Value, label: &Value) -> bool {
    match (found, label) {
        (Value::Array(found), Value::Array(label)) if found.len() == label.len() => {
            found.iter().zip(label).all(|(found, label)| {
                let is_full = label.is_null() || *label == json!(FULL);
                is_full || agrees(found, label)
            })
        }
        (Value::Number(found), Value::Number(label)) => found.as_f64() == label.as_f64(),
        (Value::String(found), Value::String(label)) => found.eq_ignore_ascii_case(label),
        (Value::String(found), label) => serde_json::from_str(found)
            .or_else(|_| serde_json::from_str(&found.replace("None", "null")))
            .is_ok_and(|found: Value| !found.is_string() && agrees(&found, label)),
        // `best` of CSV is text, but a list of digits may be read as a number.
        (Value::Number(found), Value::String(label)) => *label == found.to_string(),
        (found, label) => found == label,
    }
}

/// A list with the score of each column, and `full` for full columns.
fn list(label: &Label, width: u32, full: &Value) -> Value {
    let mut scores = Vec::new();
    for column in 0..width {
        scores.push(score_of(label, column).map_or(full.clone(), Value::from));
    }
    scores.into()
}

fn score_of(label: &Label, column: u32) -> Option<Score> {
    label.moves.as_ref()?.iter().find(|&&(found, _)| found == column).map(|&(_, score)| score)
}

fn outcome(score: Score) -> &'static str {
    match score {
        1.. => "win",
        0 => "draw",
        _ => "loss",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(first_to_move: bool) -> Label {
        let position = Position::empty(Board::default());
        let position = if first_to_move { position } else { position.play(3).expect("legal") };
        Label { score: -2, position, moves: Some(vec![(0, -4), (1, -2), (6, -3)]) }
    }

    #[test]
    fn each_convention_has_its_names_and_values() {
        let of = |convention: Convention, first_to_move| {
            let label = label(first_to_move);
            let labels =
                LabelFormat { convention, board: Board::default(), format: Format::Jsonl, moves: true };
            let labels = labels.of(&label).into_iter();
            labels.map(|(name, value)| format!("{name}: {value}")).collect::<Vec<_>>()
        };
        assert_eq!(of(Convention::Uci, true), ["class: \"loss\""]);
        assert_eq!(of(Convention::Uci, false), ["class: \"win\""]);
        assert_eq!(of(Convention::Openspiel, false), ["returns: [1,-1]"]);
        assert_eq!(of(Convention::Pons, true), ["score: [-4,-2,100,100,100,100,-3]"]);
        assert_eq!(of(Convention::Kaggle, true), ["score: -2", "move score: [-4,-2,null,null,null,null,-3]"]);
        let plumb = of(Convention::Plumb, true);
        assert_eq!(plumb[..3], ["score: -2", "outcome: \"loss\"", "distance: 40"]);
        assert_eq!(plumb[3..], ["scores: [-4,-2,null,null,null,null,-3]", "best: [2]"]);
    }

    #[test]
    fn values_agree_however_they_are_written() {
        let list = json!([-4, null, 3]);
        for text in ["[-4, 100, 3]", "\"[-4, None, 3.0]\"", "[-4.0, -99, 3]"] {
            assert!(agrees(&serde_json::from_str(text).expect("JSON"), &list), "{text}");
        }
        for text in ["[-4, 100, 2]", "[-4, 3]", "\"x\"", "null", "3"] {
            assert!(!agrees(&serde_json::from_str(text).expect("JSON"), &list), "{text}");
        }
        for (one, other) in [(json!("Win"), json!("win")), (json!("-2"), json!(-2)), (json!(26), json!("26"))]
        {
            assert!(agrees(&one, &other), "{one} {other}");
        }
        assert!(!agrees(&json!("win"), &json!("loss")) && !agrees(&json!(""), &json!(0)));
    }
}
