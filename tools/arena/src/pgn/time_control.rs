//! The time controls of the two players of a game, as tags of PGN.

use super::super::record::{GameRecord, MatchHeader};
use crate::engine::config::EngineDescription;

/// The tags and their values, as cutechess has them: `TimeControl` if both players have the same, else
/// `WhiteTimeControl` and `BlackTimeControl`. What else limits a search, such as `nodes=500`, has no place there and gets
/// tags of the same kind: `Limits`, `WhiteLimits`, `BlackLimits`.
pub(super) fn tags(header: &MatchHeader, game: &GameRecord) -> Vec<(String, String)> {
    let engines = &header.settings.engines;
    let [white, black] = [&game.first, &game.second].map(|player| {
        let engine = engines.iter().find(|engine| engine.get("name") == Some(player));
        engine.map(limits).unwrap_or_default()
    });
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

/// Limits as `TimeControl` has them, and the other ones.
fn limits(engine: &EngineDescription) -> (String, String) {
    let (clock, move_time) = (engine.get("tc"), engine.get("st"));
    let others = ["st", "nodes", "depth"].iter().filter(|&&key| key != "st" || clock.is_some());
    let others = others.filter_map(|key| Some(format!("{key}={}", engine.get(key)?)));
    let control = match (clock, move_time) {
        (Some(clock), _) => clock.to_owned(),
        (None, Some(time)) => format!("{time}/move"),
        (None, None) => "-".to_owned(),
    };
    (control, others.collect::<Vec<_>>().join(" "))
}
