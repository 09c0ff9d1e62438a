//! Questions to the solver, and answers.

use std::cmp::Reverse;

use hyper::StatusCode;
use hyper::body::Bytes;
use plumb::board::{Board, Geometry, Position, PositionReader, Remedies};
use plumb::score::Score;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::record::file::json_fault;

/// Score of a column without a legal move.
const NO_MOVE: Score = 100;

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Question {
    #[serde(alias = "moves")]
    pos: Option<String>,
    board: Option<String>,
    best: Option<bool>,
    line: Option<bool>,
    /// Whether the answer is a list of moves, the best first.
    #[serde(skip)]
    is_ranked: bool,
}

#[derive(Debug)]
pub(super) struct Task {
    pub pos: String,
    pub position: Position<Board>,
    best: bool,
    pub line: bool,
    is_ranked: bool,
}

#[derive(Debug)]
pub(super) struct Answer {
    pub status: StatusCode,
    pub json: Bytes,
}

/// Scores by column. Optional members come last and are absent by default: some clients expect `]}` after `score`.
#[derive(Serialize)]
struct Scores<'a> {
    pos: &'a str,
    score: Vec<Score>,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Vec<u32>>,
}

#[derive(Serialize)]
struct Refusal<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pos: Option<&'a str>,
    error: &'a str,
}

impl Question {
    pub(super) fn from_query(query: &str, is_ranked: bool) -> Result<Self, String> {
        let (mut question, mut names) = (Self { is_ranked, ..Self::default() }, Vec::new());
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if names.contains(&name) {
                return Err(format!("`{name}` stands there twice"));
            }
            match (&*name, is_ranked) {
                ("pos", false) | ("position", true) => question.pos = Some(value.into_owned()),
                ("board", _) => question.board = Some(value.into_owned()),
                ("best", false) => question.best = Some(flag(&name, &value)?),
                ("line", false) => question.line = Some(flag(&name, &value)?),
                // Ignored: scores are exact at every level, and jQuery adds `_` to bypass caches.
                ("level", true) | ("_", _) => {}
                _ => {
                    let expected =
                        if is_ranked { "position, level or board" } else { "pos, board, best or line" };
                    return Err(format!("`{name}`: no such parameter; expected {expected}"));
                }
            }
            names.push(name);
        }
        Ok(question)
    }

    /// Parses a line. Missing members have the values of `self`.
    pub(super) fn with_line(&self, line: &[u8]) -> Result<Self, String> {
        let question: Self = serde_json::from_slice(line).map_err(|error| {
            format!("{}; expected an object such as {{\"pos\":\"4455\"}}", json_fault(&error))
        })?;
        if self.pos.is_some() {
            return Err("`pos` in the address: expected positions in the lines only".to_owned());
        }
        let Self { pos, board, best, line, is_ranked } = question;
        let board = board.or_else(|| self.board.clone());
        Ok(Self { pos, board, best: best.or(self.best), line: line.or(self.line), is_ranked })
    }

    pub(super) fn task(self) -> Result<Task, Answer> {
        let Self { pos, board, best, line, is_ranked } = self;
        let name = if is_ranked { "position" } else { "pos" };
        let Some(pos) = pos else {
            let sentence = format!(
                "there is no `{name}`: expected the moves so far, as in {name}=4455; empty is the empty board"
            );
            return Err(Answer::refusal(StatusCode::BAD_REQUEST, None, &sentence));
        };
        let board = board.map_or(Ok(Board::default()), |text| text.parse::<Board>());
        let board = board.map_err(|error| {
            Answer::refusal(StatusCode::BAD_REQUEST, Some(&pos), &format!("board: {error}"))
        })?;
        let remedies = Remedies { board: "`board={}` reads it", ..Remedies::default() };
        let reader = PositionReader { remedies, ..PositionReader::new(board) };
        let read = reader.read(&pos).map_err(|error| {
            Answer::refusal(StatusCode::BAD_REQUEST, Some(&pos), &format!("{name}: {error}"))
        })?;
        let position = read.position;
        Ok(Task { pos, position, best: best.unwrap_or(false), line: line.unwrap_or(false), is_ranked })
    }
}

impl Task {
    pub(super) fn answer(&self, moves: &[(u32, Score)], line: Option<Vec<u32>>) -> Answer {
        if self.is_ranked {
            return Answer::ranked(moves);
        }
        let mut score = vec![NO_MOVE; self.position.geometry().width() as usize];
        for &(column, value) in moves {
            score[column as usize] = value;
        }
        let most = moves.iter().map(|&(_, value)| value).max();
        let best = moves.iter().filter(|&&(_, value)| Some(value) == most).map(|&(column, _)| column + 1);
        let best = if self.best { Some(best.collect()) } else { None };
        let line = line.map(|line| line.into_iter().map(|column| column + 1).collect());
        Answer::new(StatusCode::OK, &Scores { pos: &self.pos, score, best, line })
    }
}

impl Answer {
    pub(super) fn new(status: StatusCode, content: &impl Serialize) -> Self {
        Self { status, json: serde_json::to_vec(content).unwrap_or_default().into() }
    }

    /// `[{"move":"4","score":1.0},…]`, the best first: some clients play the first move.
    fn ranked(moves: &[(u32, Score)]) -> Self {
        let mut moves = moves.to_vec();
        moves.sort_by_key(|&(_, score)| Reverse(score));
        let moves = moves
            .iter()
            .map(|&(column, score)| json!({ "move": (column + 1).to_string(), "score": f64::from(score) }));
        Self::new(StatusCode::OK, &moves.collect::<Vec<_>>())
    }

    pub(super) fn refusal(status: StatusCode, pos: Option<&str>, error: &str) -> Self {
        Self::new(status, &Refusal { pos, error })
    }
}

fn flag(name: &str, value: &str) -> Result<bool, String> {
    match value {
        "" | "1" | "true" => Ok(true),
        "0" | "false" => Ok(false),
        _ => Err(format!("`{name}={value}`: expected 1 or 0")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_adds_to_the_query() {
        let query = Question::from_query("board=8x7&best", false).expect("a question");
        Question::from_query("pos=4&pos=5", false).expect_err("two positions");
        let line = b"{\"moves\":\"88\",\"line\":true,\"best\":false}";
        let question = query.with_line(line).expect("a question");
        let board = Some("8x7".to_owned());
        let (best, line) = (Some(false), Some(true));
        assert_eq!(question, Question { pos: Some("88".to_owned()), board, best, line, is_ranked: false });
        let with_position = Question::from_query("pos=4", false).expect("a question");
        with_position.with_line(b"{}").expect_err("two positions");
        let error = query.with_line(b"{\"pos\":4455}").expect_err("no text");
        assert!(error.contains(" at byte ") && error.ends_with("such as {\"pos\":\"4455\"}"), "{error}");
    }
}
