//! The tables of the report, as HTML.

use std::collections::BTreeMap;
use std::fmt::{Display, Write};

use super::model::Report;
use crate::escape::Text;
use crate::record::{GameRecord, GameResult, MatchHeader};
use crate::theory::{HEADINGS, TheoryTable};

/// Begins a table that scrolls sideways where the page is narrow; by the keyboard too, hence the index.
const BEGIN: &str = "<div class=\"scroll\" tabindex=\"0\"><table>";
const END: &str = "</table></div>\n";

/// Games won, drawn and lost.
#[derive(Clone, Copy, Default)]
struct Count {
    wins: u32,
    draws: u32,
    losses: u32,
}

impl Count {
    fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The points in per cent of the games.
    fn score(self) -> f64 {
        100.0 * (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / f64::from(self.games().max(1))
    }
}

/// The table of the engines.
pub(super) fn standings(report: &Report<'_>) -> String {
    let mut html = format!(
        "{BEGIN}<thead><tr><th class=\"n\">#<th>Engine<th class=\"n\">{}<th class=\"n\">Score\
         <th class=\"n\">Games<th class=\"n\">Won<th class=\"n\">Drawn<th class=\"n\">Lost",
        Text(report.strength)
    );
    for heading in &report.extra {
        let _ = write!(html, "<th class=\"n\">{}", Text(heading));
    }
    html.push_str("</thead>\n");
    for (index, row) in report.standings.iter().enumerate() {
        let count = Count { wins: row.wins, draws: row.draws, losses: row.losses };
        let _ = write!(html, "<tr><td class=\"n\">{}<th scope=\"row\">{}", index + 1, Text(&row.engine));
        let _ = write!(html, "<td class=\"n\">{}<td class=\"n\">{:.1} %", Text(&row.elo), count.score());
        for figure in [count.games(), count.wins, count.draws, count.losses] {
            let _ = write!(html, "<td class=\"n\">{figure}");
        }
        // A row that lacks figures still has its cells.
        for figure in (0..report.extra.len()).map(|index| row.extra.get(index).map_or("", String::as_str)) {
            let _ = write!(html, "<td class=\"n\">{}", Text(figure));
        }
        html.push('\n');
    }
    html + END
}

/// The results of a match from lost or drawn positions beside those of theory; `None` for any other match.
pub(super) fn theory(report: &Report<'_>) -> Option<String> {
    let mut theory = TheoryTable::new(report.header)?;
    report.games.iter().for_each(|game| theory.add(game));
    let mut html = String::new();
    for sentence in theory.differences() {
        let _ = writeln!(html, "<p>{}</p>", Text(&sentence));
    }
    html.push_str(BEGIN);
    html.push_str("<thead><tr>");
    for (index, heading) in HEADINGS.iter().enumerate() {
        let heading = if index == 0 { "Engines" } else { heading };
        let _ = write!(html, "<th{}>{}", if index == 0 { "" } else { " class=\"n\"" }, Text(heading));
    }
    html.push_str("</thead>\n");
    for [engines, figures @ ..] in theory.rows() {
        let _ = write!(html, "<tr><th scope=\"row\">{}", Text(&engines));
        for figure in figures {
            let _ = write!(html, "<td class=\"n\">{}", Text(&figure));
        }
        html.push('\n');
    }
    Some(html + END)
}

/// Each engine against each other: won, drawn, lost and the score, seen from the engine of the row.
pub(super) fn crosstable(games: &[GameRecord], engines: &[&str]) -> String {
    let mut counts = BTreeMap::<(&str, &str), Count>::new();
    for game in games {
        let (first, second) = (game.first.as_str(), game.second.as_str());
        for (us, them, won) in [(first, second, GameResult::FirstWon), (second, first, GameResult::SecondWon)]
        {
            let count = counts.entry((us, them)).or_default();
            match game.result {
                GameResult::Draw => count.draws += 1,
                result if result == won => count.wins += 1,
                _ => count.losses += 1,
            }
        }
    }
    let mut html = format!("{BEGIN}<thead><tr><th>Engine");
    for engine in engines {
        let _ = write!(html, "<th class=\"n\">{}", Text(engine));
    }
    html.push_str("</thead>\n");
    for us in engines {
        let _ = write!(html, "<tr><th scope=\"row\">{}", Text(us));
        for them in engines {
            match counts.get(&(*us, *them)) {
                Some(count) => {
                    let Count { wins, draws, losses } = count;
                    let score = count.score();
                    let _ = write!(
                        html,
                        "<td class=\"n\">+{wins} ={draws} −{losses} <small>{score:.1} %</small>"
                    );
                }
                None => html.push_str("<td class=\"n\">·"),
            }
        }
        html.push('\n');
    }
    html + END
}

/// The games that were lost by a fault, and how often which engine had which; nothing if there is none.
pub(super) fn faults(games: &[GameRecord]) -> Option<String> {
    let mut faulty: Vec<_> = games.iter().filter(|game| game.reason.is_fault()).collect();
    faulty.sort_by_key(|game| game.game);
    let mut counts = BTreeMap::<_, u32>::new();
    let mut rows = String::new();
    for game in &faulty {
        let culprit = culprit(game);
        *counts.entry((culprit, game.reason)).or_default() += 1;
        let stones = game.opening.moves.len() + game.moves.len();
        let _ = writeln!(
            rows,
            "<tr><td class=\"n\"><a href=\"#game={}\">{}</a><th scope=\"row\">{}<td>{}\
             <td class=\"n\">{stones}<td>{}",
            u64::from(game.game) + 1,
            u64::from(game.game) + 1,
            Text(culprit),
            game.reason,
            Text(&game.detail)
        );
    }
    if faulty.is_empty() {
        return None;
    }
    let mut items = String::new();
    for ((engine, reason), count) in &counts {
        let _ = write!(items, "<li>{}: {count} × {reason}</li>", Text(engine));
    }
    Some(format!(
        "<ul>{items}</ul>\n{BEGIN}<thead><tr><th class=\"n\">Game<th>By<th>EngineFault<th class=\"n\">Stones\
         <th>Detail</thead>\n{rows}{END}"
    ))
}

/// The engine that lost.
fn culprit(game: &GameRecord) -> &str {
    match game.result {
        GameResult::FirstWon => &game.second,
        GameResult::SecondWon => &game.first,
        GameResult::Draw => "",
    }
}

/// The settings of the match, and the engines as they were started.
pub(super) fn settings(header: &MatchHeader, played: usize) -> String {
    let mut html = String::from("<dl>");
    let mut item = |name: &str, value: &dyn Display| {
        let value = value.to_string();
        if !value.is_empty() {
            let _ = write!(html, "<div><dt>{}</dt><dd>{}</dd></div>", Text(name), Text(&value));
        }
    };
    item("Games", &format!("{played} of {}", header.schedule.games));
    item("Time control", &header.time_control);
    item("Schedule", &header.schedule.kind);
    item("Openings", &header.schedule.openings);
    item("Seed", &header.seed);
    item("Started", &header.started.replace('T', " ").replace('Z', " UTC"));
    item("Program", &header.program);
    header.settings.iter().for_each(|(name, value)| item(name, value));
    let _ = write!(
        html,
        "</dl>\n<details><summary>Engines: commands and options</summary>{BEGIN}<thead><tr><th>Engine\
         <th>Protocol<th>Command<th>Options</thead>\n"
    );
    for engine in &header.engines {
        let options = engine.options.iter().map(|(name, value)| format!("{name} = {value}"));
        let _ = writeln!(
            html,
            "<tr><th scope=\"row\">{}<td>{}<td><code>{}</code><td>{}",
            Text(&engine.name),
            Text(&engine.protocol),
            Text(&engine.command),
            Text(&options.collect::<Vec<_>>().join(", "))
        );
    }
    html + END + "</details>\n"
}
