//! Adjudication of games by the scores that the engines report.

use std::fmt;
use std::str::FromStr;

use crate::record::game::{EngineScore, GameResult, MoveRecord};

/// Adjudicates a draw after both engines have reported scores near 0 for some moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// Minimum number of stones of each side on the board.
    pub move_number: u32,
    /// Number of successive moves of each side with a score near 0.
    pub move_count: u32,
    /// Maximum absolute value of a score near 0, as in `score cp`.
    pub score: i32,
}

/// Resigns for an engine that has reported bad scores for some moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResignRule {
    /// Number of successive moves of the loser with a bad score.
    pub move_count: u32,
    /// A score is bad at minus this value or below, as in `score cp`.
    pub score: i32,
    /// Whether the winner must report an equally good score in as many moves.
    pub is_two_sided: bool,
}

/// Reported score of a move. `None` if the engine reported only a bound.
fn score(made: &MoveRecord) -> Option<i32> {
    if made.bound.is_some() { None } else { made.score.map(EngineScore::value) }
}

impl DrawRule {
    /// Result after these moves, if the rule ends the game. `stones` counts both sides.
    pub fn result(&self, stones: u32, moves: &[MoveRecord]) -> Option<GameResult> {
        let start = moves.len().checked_sub(2 * self.move_count as usize)?;
        let is_drawn = stones >= 2 * self.move_number && moves[start..].iter().all(|made| self.is_even(made));
        if is_drawn { Some(GameResult::Draw) } else { None }
    }

    /// Whether the score of a move and its later bounds are near 0.
    fn is_even(&self, made: &MoveRecord) -> bool {
        let Some(score) = score(made) else { return false };
        let [lower, upper] = [made.lower, made.upper].map(|bound| bound.map_or(score, EngineScore::value));
        [score, lower, upper].iter().all(|value| value.saturating_abs() <= self.score)
    }
}

impl ResignRule {
    /// Result if the last mover resigns by the rule. `stones` counts both sides.
    pub fn result(&self, stones: u32, moves: &[MoveRecord]) -> Option<GameResult> {
        let count = self.move_count as usize;
        let own: Vec<_> = moves.iter().rev().step_by(2).take(count).collect();
        let others: Vec<_> = moves.iter().rev().skip(1).step_by(2).take(count).collect();
        if own.len() < count || !own.iter().all(|made| self.is_lost(made)) {
            return None;
        }
        if self.is_two_sided && (others.len() < count || !others.iter().all(|made| self.is_won(made))) {
            return None;
        }
        // With an even number of stones on the board, the second player moved last.
        Some(GameResult::won_by(stones as usize % 2))
    }

    /// Whether the score is bad enough, and no later lower bound contradicts it.
    fn is_lost(&self, made: &MoveRecord) -> bool {
        let is_denied = made.lower.is_some_and(|lower| lower.value() > -self.score);
        score(made).is_some_and(|score| score <= -self.score) && !is_denied
    }

    fn is_won(&self, made: &MoveRecord) -> bool {
        let is_denied = made.upper.is_some_and(|upper| upper.value() < self.score);
        score(made).is_some_and(|score| score >= self.score) && !is_denied
    }
}

/// Parses `KEY=NUMBER` pairs; also returns whether the word `flag` occurs.
fn values<const N: usize>(text: &str, keys: [&str; N], flag: &str) -> Result<([i32; N], bool), String> {
    read_values(text, keys, flag).ok_or_else(|| {
        let keys = keys.map(|key| format!("{key}=N")).join(",");
        let flag = if flag.is_empty() { String::new() } else { format!("[,{flag}]") };
        format!("`{text}`: expected {keys}{flag}, with whole numbers of at least 0")
    })
}

fn read_values<const N: usize>(text: &str, keys: [&str; N], flag: &str) -> Option<([i32; N], bool)> {
    let (mut found, mut has_flag) = ([None; N], false);
    for piece in text.split([',', ' ']).filter(|piece| !piece.is_empty()) {
        let (key, value) = piece.split_once('=').unwrap_or((piece, "true"));
        if key == flag && !flag.is_empty() {
            has_flag = value.parse().ok()?;
            continue;
        }
        let place = keys.iter().position(|known| *known == key)?;
        let number: i32 = value.parse().ok()?;
        if number < 0 {
            return None;
        }
        found[place] = Some(number);
    }
    let mut values = [0; N];
    for (value, found) in values.iter_mut().zip(found) {
        *value = found?;
    }
    Some((values, has_flag))
}

impl FromStr for DrawRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let ([number, count, score], _) = values(text, ["movenumber", "movecount", "score"], "")?;
        Ok(Self { move_number: number as u32, move_count: count.max(1) as u32, score })
    }
}

impl FromStr for ResignRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let ([count, score], is_two_sided) = values(text, ["movecount", "score"], "twosided")?;
        Ok(Self { move_count: count.max(1) as u32, score, is_two_sided })
    }
}

impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "movenumber={},movecount={},score={}", self.move_number, self.move_count, self.score)
    }
}

impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "movecount={},score={}", self.move_count, self.score)?;
        f.write_str(if self.is_two_sided { ",twosided" } else { "" })
    }
}

serialize_as_text!(DrawRule, ResignRule);

#[cfg(test)]
mod tests {
    use super::*;

    fn said(scores: &[i32]) -> Vec<MoveRecord> {
        let made = |&score: &i32| MoveRecord {
            score: Some(match score.abs() {
                9999 => EngineScore::Mate(score.signum() * 5),
                _ => EngineScore::Cp(score),
            }),
            ..MoveRecord::default()
        };
        scores.iter().map(made).collect()
    }

    #[test]
    fn rules_are_read_as_they_are_written() {
        let draw = "movenumber=10,movecount=3,score=5";
        assert_eq!(draw.parse::<DrawRule>().map(|rule| rule.to_string()), Ok(draw.to_owned()));
        let [one, two] = ["movecount=3,score=500", "movecount=3,score=500,twosided"];
        for (given, resign) in [(one, one), (two, two), ("score=500 movecount=3 twosided=true", two)] {
            assert_eq!(given.parse::<ResignRule>().map(|rule| rule.to_string()), Ok(resign.to_owned()));
        }
        for text in
            ["", "movecount=3", "movecount=3,score=-5", "movecount=3,score=x", "movecount=3,score=5,two"]
        {
            let expected = "expected movecount=N,score=N[,twosided], with whole numbers of at least 0";
            assert_eq!(text.parse::<ResignRule>(), Err(format!("`{text}`: {expected}")));
        }
    }

    #[test]
    fn an_even_game_is_drawn_after_its_moves() {
        let rule: DrawRule = "movenumber=5,movecount=2,score=10".parse().expect("a rule");
        assert_eq!(rule.result(10, &said(&[90, 5, -10, 0, 10])), Some(GameResult::Draw));
        assert_eq!(rule.result(9, &said(&[90, 5, -10, 0, 10])), None, "too early");
        assert_eq!(rule.result(10, &said(&[5, -10, 0, 11])), None);
        assert_eq!(rule.result(10, &said(&[5, 0, 1])), None, "too few moves");
        let mut bound = said(&[5, -10, 0, 10]);
        bound[2].bound = Some(crate::record::ScoreBound::Lower);
        assert_eq!(rule.result(10, &bound), None, "a bound is no score");
        for (lower, upper, expected) in [
            (Some(EngineScore::Mate(9)), None, None),
            (None, Some(EngineScore::Mate(9)), None),
            (Some(EngineScore::Cp(-10)), Some(EngineScore::Cp(10)), Some(GameResult::Draw)),
            (Some(EngineScore::Cp(-11)), None, None),
        ] {
            let mut later = said(&[5, -10, 0, 10]);
            (later[2].lower, later[2].upper) = (lower, upper);
            assert_eq!(rule.result(10, &later), expected, "{lower:?} {upper:?}");
        }
    }

    #[test]
    fn the_last_mover_resigns() {
        let one: ResignRule = "movecount=2,score=400".parse().expect("a rule");
        let two: ResignRule = "movecount=2,score=400,twosided".parse().expect("a rule");
        assert_eq!(one.result(11, &said(&[-400, 0, -9999])), Some(GameResult::SecondWon));
        assert_eq!(one.result(12, &said(&[-400, 0, -9999])), Some(GameResult::FirstWon));
        assert_eq!(one.result(11, &said(&[-399, 0, -9999])), None);
        assert_eq!(one.result(11, &said(&[-9999])), None);
        assert_eq!(two.result(11, &said(&[-400, 0, -9999])), None);
        assert_eq!(two.result(11, &said(&[400, -400, 500, -500])), Some(GameResult::SecondWon));
        assert_eq!(two.result(11, &said(&[399, -400, 500, -500])), None);
        let scores = [400, -400, 500, -500];
        let mut saved = said(&scores);
        saved[3].lower = Some(EngineScore::Cp(0));
        assert_eq!(one.result(11, &saved), None, "a proved draw");
        let mut denied = said(&scores);
        denied[2].upper = Some(EngineScore::Cp(0));
        assert_eq!(two.result(11, &denied), None, "the winner can only draw");
        denied[3].upper = Some(EngineScore::Mate(-8));
        assert_eq!(one.result(11, &denied), Some(GameResult::SecondWon));
    }
}
