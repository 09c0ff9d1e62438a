//! The page around the tables and pictures.

use std::fmt::Write;

use anyhow::Result;

use super::model::Report;
use super::picture::swatch;
use super::{blunders, data, elo, sprt, tables, times};
use crate::escape::Text;

/// Nothing is loaded, from wherever it may be, even if somebody's text should get into the page as markup.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      base-uri 'none'; form-action 'none'";

/// The whole report.
///
/// # Errors
/// If a picture cannot be drawn.
pub(super) fn page(report: &Report<'_>) -> Result<String> {
    let header = report.header;
    let engines: Vec<&str> = header.engines.iter().map(|engine| engine.name.as_str()).collect();
    let title = Text(&header.title);
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <style>\n{}</style>\n</head>\n<body>\n<header><h1>{title}</h1>\n{}</header>\n<main>\n",
        include_str!("report.css"),
        tables::settings(header, report.games.len()),
    );
    let notes =
        report.notes.iter().fold(String::new(), |notes, note| notes + &format!("<p>{}</p>\n", Text(note)));
    section(&mut html, "standings", "Standings", &(notes + &tables::standings(report)));
    if let Some(theory) = tables::theory(report) {
        section(&mut html, "theory", "Beyond theory", &theory);
    }
    section(&mut html, "crosstable", "Crosstable", &tables::crosstable(report.games, &engines));
    let _ = writeln!(html, "<div class=\"pictures\">\n{}</div>", pictures(report, &engines)?);
    let faults =
        tables::faults(report.games).unwrap_or_else(|| "<p>No game was lost by a fault.</p>\n".into());
    section(&mut html, "faults", "Faults", &faults);
    html.push_str(include_str!("games.html"));
    let _ = write!(
        html,
        "</main>\n<script id=\"data\" type=\"application/json\">{}</script>\n\
         <script type=\"module\">\n{}{}</script>\n</body>\n</html>\n",
        data::data(report)?,
        include_str!("report.js"),
        include_str!("list.js"),
    );
    Ok(html)
}

/// The pictures for which there is something to draw.
fn pictures(report: &Report<'_>, engines: &[&str]) -> Result<String> {
    let number = |name: &str| engines.iter().position(|engine| *engine == name);
    let series: Vec<_> =
        report.elo.iter().filter_map(|series| Some((number(&series.engine)?, series))).collect();
    let all: Vec<_> = (0..engines.len()).collect();
    let mut html = String::new();
    if let Some((svg, drawn)) = elo::draw(&series)? {
        let rest = if drawn.len() < engines.len() {
            " An engine without a line won or lost every game."
        } else {
            ""
        };
        let caption = format!("{} Bands: the error.{rest}", legend(engines, &drawn));
        figure(&mut html, "elo", "Elo over time", &svg, &caption, "");
    }
    let legend = legend(engines, &all);
    if let Some(path) = &report.sprt
        && let Some(svg) = sprt::draw(path, 0)?
    {
        figure(&mut html, "sprt", "Sequential test", &svg, &Text(&path.caption).to_string(), "");
    }
    if let Some(svg) = times::draw(report.games, engines)? {
        let caption = format!(
            "{legend} Line: median; band: middle 90 %. The moves of the opening count in the number."
        );
        figure(&mut html, "times", "Time per move", &svg, &caption, "");
    }
    if let Some((svg, table)) = blunders::draw(report.games, engines)? {
        let caption = format!(
            "{legend} Moves that gave exact score away, in per cent of those that were checked. The opening is \
             up to 14 stones, the end from 29."
        );
        figure(&mut html, "blunders", "Blunders", &svg, &caption, &table);
    }
    Ok(html)
}

/// A section with a picture, and what follows it.
fn figure(html: &mut String, name: &str, title: &str, svg: &str, caption: &str, rest: &str) {
    let content = format!("<figure>{svg}\n<figcaption>{caption}</figcaption></figure>\n{rest}");
    section(html, name, title, &content);
}

fn section(html: &mut String, name: &str, title: &str, content: &str) {
    let _ = writeln!(html, "<section id=\"{name}\"><h2>{title}</h2>\n{content}</section>");
}

/// The colours of the engines with these numbers.
fn legend(engines: &[&str], numbers: &[usize]) -> String {
    let entry = |&number: &usize| {
        format!("<span class=\"key\"><i class=\"{}\"></i>{}</span>", swatch(number), Text(engines[number]))
    };
    numbers.iter().map(entry).collect::<Vec<_>>().join(" ")
}
