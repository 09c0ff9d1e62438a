//! Questions to the solver by HTTP, as the query of an address or as a line of JSON, and the JSON of their answers.

use hyper::StatusCode;
use hyper::body::Bytes;
use plumb::board::{Board, Geometry, Position, PositionReader, Remedies};
use plumb::score::Score;
use serde::{Deserialize, Serialize};

use crate::record::file::json_fault;

/// The number in place of a score where there is no legal move.
const NO_MOVE: Score = 100;

/// A question as it came.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Question {
    #[serde(alias = "moves")]
    pos: Option<String>,
    board: Option<String>,
    best: Option<bool>,
    line: Option<bool>,
}

/// A question that has an answer.
#[derive(Debug)]
pub(super) struct Task {
    /// The text of the position, which the answer repeats.
    pub pos: String,
    pub position: Position<Board>,
    best: bool,
    /// Whether the answer has a line of perfect play.
    pub line: bool,
}

/// An answer: one line of JSON without its end.
#[derive(Debug)]
pub(super) struct Answer {
    pub status: StatusCode,
    pub json: Bytes,
}

/// The JSON of an answer. The members after `score` are there if they were asked for: there are clients that take `]}` as the
/// end of the text.
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
    /// The question in a query, `pos=4455&best=1`.
    ///
    /// # Errors
    /// If a parameter has no such name or value, or stands there twice.
    pub(super) fn from_query(query: &str) -> Result<Self, String> {
        let (mut question, mut names) = (Self::default(), Vec::new());
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let value = decoded(value);
            let flag = |value: &str| match value {
                "" | "1" | "true" => Ok(true),
                "0" | "false" => Ok(false),
                _ => Err(format!("`{name}={value}`: expected 1 or 0")),
            };
            if names.contains(&name) {
                return Err(format!("`{name}` stands there twice"));
            }
            names.push(name);
            match name {
                "pos" => question.pos = Some(value),
                "board" => question.board = Some(value),
                "best" => question.best = Some(flag(&value)?),
                "line" => question.line = Some(flag(&value)?),
                // That of jQuery against caches.
                "_" => {}
                _ => return Err(format!("`{name}`: no such parameter; expected pos, board, best or line")),
            }
        }
        Ok(question)
    }

    /// The question in a line of JSON; board, `best` and `line` are those of `self` if the line does not name them.
    ///
    /// # Errors
    /// If the line is no object with these members, or `self` has a position.
    pub(super) fn with_line(&self, line: &[u8]) -> Result<Self, String> {
        let question: Self = serde_json::from_slice(line).map_err(|error| {
            format!("{}; expected an object such as {{\"pos\":\"4455\"}}", json_fault(&error))
        })?;
        if self.pos.is_some() {
            return Err("`pos` in the address: expected positions in the lines only".to_owned());
        }
        let Self { pos, board, best, line } = question;
        let board = board.or_else(|| self.board.clone());
        Ok(Self { pos, board, best: best.or(self.best), line: line.or(self.line) })
    }

    /// The question with its position.
    ///
    /// # Errors
    /// The refusal of what is no board or no position on it.
    pub(super) fn task(self) -> Result<Task, Answer> {
        let Self { pos, board, best, line } = self;
        let Some(pos) = pos else {
            let sentence =
                "there is no `pos`: expected the moves so far, as in pos=4455; empty is the empty board";
            return Err(Answer::refusal(StatusCode::BAD_REQUEST, None, sentence));
        };
        let refusal = |sentence: String| Answer::refusal(StatusCode::BAD_REQUEST, Some(&pos), &sentence);
        let board = board.map_or(Ok(Board::default()), |text| text.parse::<Board>());
        let board = board.map_err(|error| refusal(format!("board: {error}")))?;
        let remedies = Remedies { board: "`board={}` reads it", ..Remedies::default() };
        let reader = PositionReader { remedies, ..PositionReader::new(board) };
        let position = reader.read(&pos).map_err(|error| refusal(format!("pos: {error}")))?.position;
        Ok(Task { pos, position, best: best.unwrap_or(false), line: line.unwrap_or(false) })
    }
}

impl Task {
    /// The answer with the scores of the legal moves, and a line of perfect play if that was asked for.
    pub(super) fn answer(&self, moves: &[(u32, Score)], line: Option<Vec<u32>>) -> Answer {
        let mut score = vec![NO_MOVE; self.position.geometry().width() as usize];
        for &(column, value) in moves {
            score[column as usize] = value;
        }
        let most = moves.iter().map(|&(_, value)| value).max();
        let best = moves.iter().filter(|&&(_, value)| Some(value) == most).map(|&(column, _)| column + 1);
        let best = self.best.then(|| best.collect());
        let line = line.map(|line| line.into_iter().map(|column| column + 1).collect());
        Answer::new(StatusCode::OK, &Scores { pos: &self.pos, score, best, line })
    }
}

impl Answer {
    pub(super) fn new(status: StatusCode, content: &impl Serialize) -> Self {
        // Numbers and text cannot fail.
        Self { status, json: serde_json::to_vec(content).unwrap_or_default().into() }
    }

    pub(super) fn refusal(status: StatusCode, pos: Option<&str>, error: &str) -> Self {
        Self::new(status, &Refusal { pos, error })
    }
}

/// A value of a query: `+` is a blank, `%` stands before the two digits of a byte.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        // A sign would be taken for a part of the number.
        let digits = after.get(..2).filter(|two| *first == b'%' && two.iter().all(u8::is_ascii_hexdigit));
        let digits = digits.and_then(|digits| str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.unwrap_or(if *first == b'+' { b' ' } else { *first }));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_decoded() {
        for (text, expected) in [
            ("4455", "4455"),
            ("4+4%2C5", "4 4,5"),
            ("7%2f7%20w", "7/7 w"),
            ("100%", "100%"),
            ("%4", "%4"),
            ("%zz%+1", "%zz% 1"),
            ("%c3%a9%ff", "é\u{fffd}"),
            ("%€", "%€"),
        ] {
            assert_eq!(decoded(text), expected);
        }
    }

    #[test]
    fn a_line_adds_to_the_query() {
        let query = Question::from_query("board=8x7&best").expect("a question");
        Question::from_query("pos=4&pos=5").expect_err("two positions");
        let line = b"{\"moves\":\"88\",\"line\":true,\"best\":false}";
        let question = query.with_line(line).expect("a question");
        let board = Some("8x7".to_owned());
        let (best, line) = (Some(false), Some(true));
        assert_eq!(question, Question { pos: Some("88".to_owned()), board, best, line });
        let with_position = Question::from_query("pos=4").expect("a question");
        with_position.with_line(b"{}").expect_err("two positions");
        let error = query.with_line(b"{\"pos\":4455}").expect_err("no text");
        assert!(error.contains(" at byte ") && error.ends_with("such as {\"pos\":\"4455\"}"), "{error}");
    }
}
