//! Games in a file of UCI `position` commands, of any game.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use plumb_arena::time_control::{GameClock, MoveLimit, TimeControl, limited_go};
use plumb_protocol::Go;

pub(super) const HANG_TIMEOUT: Duration = Duration::from_secs(60);

#[derive(Clone)]
pub(super) struct Search {
    pub position: String,
    /// Place for error messages, such as `move 5`.
    pub place: String,
    /// Number of empty cells; [`u32::MAX`] in other games than Connect Four.
    pub empty: u32,
    /// The time limit, with the clocks of the game.
    pub go: Go<'static>,
    pub timeout: Duration,
}

pub(super) type Sides = [Vec<Search>; 2];

/// Reads the games of a file. A blank line separates games.
pub(super) fn read_games(path: &Path, control: &TimeControl) -> Result<Vec<Sides>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    parse_games(&text, control).with_context(|| format!("`{}`", path.display()))
}

fn parse_games(text: &str, control: &TimeControl) -> Result<Vec<Sides>> {
    let clock = GameClock::new(control);
    let mut games = Vec::new();
    let mut is_new = true;
    for (line, number) in text.trim_start_matches('\u{feff}').lines().map(str::trim).zip(1..) {
        if line.is_empty() {
            is_new = true;
            continue;
        }
        let words: Vec<_> = line.split_whitespace().collect();
        ensure!(
            matches!(words[..], ["position", "startpos", ..] | ["position", "fen", _, ..]),
            "line {number}: `{line}`: expected `position startpos moves e2e4` or `position fen FEN`"
        );
        if is_new {
            games.push(Sides::default());
            is_new = false;
        }
        let search = Search {
            position: words.join(" "),
            place: format!("line {number}"),
            empty: u32::MAX,
            go: limited_go(&clock, &clock, true),
            timeout: clock.limit().map_or(HANG_TIMEOUT, MoveLimit::total),
        };
        if let Some(game) = games.last_mut() {
            game[side_to_move(&words)].push(search);
        }
    }
    ensure!(!games.is_empty(), "no position; expected lines such as `position startpos moves e2e4`");
    Ok(games)
}

/// The side to move: 0 for the first player, 1 for the second.
fn side_to_move(words: &[&str]) -> usize {
    let moves = words.iter().skip_while(|word| **word != "moves").skip(1).count();
    let is_second = words[1] == "fen" && words.get(3) == Some(&"b");
    (moves + usize::from(is_second)) % 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(text: &str) -> Result<Vec<Sides>> {
        let control = TimeControl { move_time: Some(Duration::from_millis(20)), ..TimeControl::default() };
        parse_games(text, &control)
    }

    #[test]
    fn a_blank_line_separates_games_and_each_side_has_its_positions() {
        let text = "\u{feff}position startpos\r\nposition startpos  moves e2e4\r\n\r\n\n\
                    position fen 8/P7/8/8/8/8/8/K1k5 w - - 0 1 moves a7a8q\n\
                    position fen 8/8/8/8/8/8/8/K1k5 b - - 0 1\n";
        let found = games(text).expect("positions");
        let told: Vec<_> = found
            .iter()
            .map(|sides| {
                sides
                    .each_ref()
                    .map(|side| side.iter().map(|search| search.position.as_str()).collect::<Vec<_>>())
            })
            .collect();
        let second = [
            "position fen 8/P7/8/8/8/8/8/K1k5 w - - 0 1 moves a7a8q",
            "position fen 8/8/8/8/8/8/8/K1k5 b - - 0 1",
        ];
        assert_eq!(
            told,
            [
                [vec!["position startpos"], vec!["position startpos moves e2e4"]],
                [Vec::new(), second.to_vec()]
            ]
        );
        let last = &found[1][1][1];
        assert_eq!((last.place.as_str(), last.go.to_string().as_str()), ("line 6", "go movetime 20"));
    }

    #[test]
    fn other_lines_and_empty_files_are_refused() {
        let said = |text: &str| games(text).err().map(|error| error.to_string()).unwrap_or_default();
        let expected = "expected `position startpos moves e2e4` or `position fen FEN`";
        for line in
            ["e2e4", "go movetime 20", "position", "position fen", "position e2e4", "positions startpos"]
        {
            let text = format!("position startpos\n\n{line}\n");
            assert_eq!(said(&text), format!("line 3: `{line}`: {expected}"));
        }
        for empty in ["", "\n \n"] {
            assert_eq!(said(empty), "no position; expected lines such as `position startpos moves e2e4`");
        }
    }
}
