//! The time controls of the two players of a game, as tags of PGN.

use super::super::record::{GameRecord, MatchHeader};

/// The PGN time control of a game without a clock.
const NONE: &str = "-";

/// The tags and their values, as cutechess has them: `TimeControl` if both players have the same, else
/// `WhiteTimeControl` and `BlackTimeControl`. What else limits a search, such as `nodes=500`, has no place there and gets
/// tags of the same kind: `Limits`, `WhiteLimits`, `BlackLimits`.
pub(super) fn tags(header: &MatchHeader, game: &GameRecord) -> Vec<(String, String)> {
    let [white, black] = [&game.first, &game.second].map(|engine| split(control_of(header, engine)));
    let mut tags = Vec::new();
    for (name, white, black) in [("TimeControl", white.0, black.0), ("Limits", white.1, black.1)] {
        if white == black {
            tags.push((name.to_owned(), white));
        } else {
            tags.extend([(format!("White{name}"), white), (format!("Black{name}"), black)]);
        }
    }
    tags.retain(|(_, value)| !value.is_empty());
    tags
}

/// The limits of an engine, from those of all engines: `st=0.1` where they are the same, else `A: st=0.1; B: tc=10+0.1`.
fn control_of<'a>(header: &'a MatchHeader, engine: &str) -> &'a str {
    let whole = header.time_control.as_str();
    let mut rest = whole;
    let mut found = None;
    for name in header.engines.iter().map(|engine| &engine.name) {
        let Some(of_this) = rest.strip_prefix(name.as_str()).and_then(|rest| rest.strip_prefix(": ")) else {
            return whole;
        };
        // Names may hold anything, limits no semicolon.
        let (control, after) = of_this.split_once("; ").unwrap_or((of_this, ""));
        if name == engine {
            found = Some(control);
        }
        rest = after;
    }
    found.unwrap_or(whole)
}

/// Limits as `TimeControl` has them, and the other ones.
fn split(control: &str) -> (String, String) {
    let clock = control.split(' ').find_map(|word| word.strip_prefix("tc=")).map(str::to_owned);
    let move_time =
        || control.split(' ').find_map(|word| Some(format!("{}/move", word.strip_prefix("st=")?)));
    let is_told = |word: &&str| word.starts_with("tc=") || clock.is_none() && word.starts_with("st=");
    let others: Vec<_> = control.split(' ').filter(|word| !is_told(word)).collect();
    if others.iter().any(|word| !word.contains('=')) {
        // Not written by this program.
        return (control.to_owned(), String::new());
    }
    (clock.clone().or_else(move_time).unwrap_or_else(|| NONE.to_owned()), others.join(" "))
}
