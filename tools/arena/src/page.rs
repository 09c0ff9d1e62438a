//! HTML page of a match, from a template with a [`MARKER`] for the data.
//!
//! Engine names and messages are untrusted. The page gets them as JSON and shows them as text, never as markup.

use anyhow::{Context, Result};

use crate::record::MatchHeader;
use crate::record::file::to_line;
use crate::summary::Summary;

/// Placeholder for the data in the HTML template.
pub const MARKER: &str = "<!-- plumb-data -->";

/// Page of a running match, which receives server-sent events from the address `events`.
pub fn with_events(page: &str) -> Result<String> {
    insert(page, "<meta name=\"plumb-live\" content=\"events\">")
}

/// Page with the data of a match. `games` has the last games as lines of the record.
pub(crate) fn with_match(page: &str, header: &MatchHeader, games: &str, summary: &Summary) -> Result<String> {
    let record = script_json(&format!("{}\n{games}", to_line(&header.public())?));
    let mut summary = summary.public();
    summary.note_last_games(games.lines().count());
    let summary = script_json(&to_line(&summary)?);
    insert(
        page,
        &format!(
            "<script id=\"match-summary\" type=\"application/json\">{summary}</script>\n\
             <script id=\"match-record\" type=\"text/plain\">{record}</script>"
        ),
    )
}

fn insert(page: &str, data: &str) -> Result<String> {
    let (before, after) = page.split_once(MARKER).context("the page has no place for data")?;
    Ok([before, data, after].concat())
}

/// Content security policy in the page's `meta` element.
#[cfg(any(feature = "serve", test))]
pub(crate) fn policy(page: &str) -> Option<String> {
    let head = page.split_once("</head>").map_or(page, |(head, _)| head);
    let element = head.split("<meta ").find(|meta| {
        meta.split('>').next().unwrap_or_default().to_ascii_lowercase().contains("content-security-policy")
    })?;
    let value = element.split_once("content=")?.1;
    let quote = value.chars().next().filter(|letter| matches!(letter, '"' | '\''))?;
    let policy = value[1..].split_once(quote)?.0;
    let policy = policy.replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&");
    // An HTTP header value is one line of printable characters.
    let policy = policy.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_printable = policy.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ');
    if is_printable { Some(policy) } else { None }
}

/// Escapes JSON for a script element, which `</script` in the data would end.
pub(crate) fn script_json(json: &str) -> String {
    json.replace('&', "\\u0026").replace('<', "\\u003c").replace('>', "\\u003e")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::GameRecord;
    use crate::results::MatchResults;
    use crate::summary::MatchState;
    use crate::test_match;

    const PAGE: &str = "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" \
                    content=\"default-src 'none';\n script-src 'sha256-x='\">\n<!-- plumb-data -->\n\
                    </head><body></body></html>\n";

    #[test]
    fn the_policy_is_that_of_the_head() {
        assert_eq!(policy(PAGE).as_deref(), Some("default-src 'none'; script-src 'sha256-x='"));
        let other = "<meta content='default-src \"a\"' http-equiv=content-security-policy></head>";
        assert_eq!(policy(other).as_deref(), Some("default-src \"a\""));
        assert_eq!(policy("<head><meta charset=\"utf-8\"></head>"), None);
        assert_eq!(policy("</head><meta http-equiv=\"Content-Security-Policy\" content=\"x\">"), None);
    }

    #[test]
    fn what_engines_say_is_no_markup() {
        let hostile = "</script></style><svg onload=alert(1)>\"'>&amp;<!--<script>";
        let mut header = test_match::header();
        let mut games = test_match::games(2, 40);
        for game in &mut games {
            for text in [&mut game.first, &mut game.second, &mut game.detail, &mut game.opening.name] {
                text.push_str(hostile);
            }
        }
        header.settings.engines.iter_mut().for_each(|engine| {
            engine.name.push_str(hostile);
            engine.command = vec!["/home/somebody/engine".to_owned()];
        });
        header.title.push_str(hostile);
        let mut results = MatchResults::new(&header);
        for game in &games {
            results.add(game);
        }
        let summary = results.summary(MatchState::Finished);
        let lines: String = games.iter().map(|game| to_line(game).expect("JSON") + "\n").collect();
        let page = with_match(PAGE, &header, &lines, &summary).expect("a page");
        for (tag, count) in
            [("<script", 2), ("</script", 2), ("<svg", 0), ("<!--", 0), ("</style", 0), ("&", 0)]
        {
            assert_eq!(page.matches(tag).count(), count, "{tag}");
        }
        assert!(!page.contains("/home/somebody"), "{page}");
        let block = |id: &str| {
            let block = page.split_once(&format!("<script id=\"{id}\"")).expect("the block").1;
            block.split_once('>').expect("a start").1.split_once("</script>").expect("an end").0
        };
        let (found_header, found) = test_match::read(block("match-record").as_bytes()).expect("a record");
        let rounded = |games: &[GameRecord]| games.iter().map(|game| to_line(game).expect("JSON")).collect();
        let (found, expected): (Vec<_>, Vec<_>) = (rounded(&found), rounded(&games));
        assert_eq!((found, found_header), (expected, header.public()));
        let summary: serde_json::Value = serde_json::from_str(block("match-summary")).expect("JSON");
        assert_eq!(summary["title"], header.title);
    }

    #[test]
    fn a_page_that_lacks_games_says_so() {
        let (header, games) = (test_match::header(), test_match::games(1, 3));
        let mut results = MatchResults::new(&header);
        for game in &games {
            results.add(game);
        }
        let summary = results.summary(MatchState::Finished);
        for (count, has_note) in [(2, true), (3, false)] {
            let page = with_match(PAGE, &header, &"{}\n".repeat(count), &summary).expect("a page");
            assert_eq!(page.contains("This page has the last 2 of 3 games."), has_note);
        }
    }

    #[test]
    fn a_page_needs_a_place() {
        assert!(with_events("<html></html>").is_err());
    }
}
