use super::*;
use crate::record::GameRecord;
use crate::test_match;

/// A report with everything in it.
fn html(games: &[GameRecord]) -> String {
    let header = test_match::header();
    test_match::report(&header, games).to_html().expect("a report")
}

#[test]
fn everything_is_in_it() {
    let games = test_match::games(1, 200);
    let html = html(&games);
    for name in ["standings", "crosstable", "elo", "sprt", "times", "blunders", "faults", "replay", "games"] {
        assert!(html.contains(&format!("<section id=\"{name}\"")), "{name}");
    }
    assert_eq!(html.matches("<figure><svg ").count(), 4);
    for text in
        ["<h1>Synthetic match</h1>", "10+0.1", "concurrency", "/opt/Plumb --quiet", "+31 ± 12", "penta"]
    {
        assert!(html.contains(text), "{text}");
    }
    // The script has all games.
    let data = html.split_once("type=\"application/json\">").expect("data").1;
    let data = data.split_once("</script>").expect("an end").0;
    let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
    for (game, given) in games.iter().zip(data["games"].as_array().expect("games")) {
        let columns: String = game.moves.iter().map(|played| played.column.to_string()).collect();
        assert_eq!(
            (given["m"].as_str(), given["n"].as_u64()),
            (Some(columns.as_str()), Some(game.game.into()))
        );
        assert_eq!(given["ll"].as_array().map_or(0, Vec::len), columns.len());
        assert_eq!(data["engines"][given["f"].as_u64().expect("a number") as usize], game.first);
    }
    let faulty = games.iter().filter(|game| game.reason.is_fault()).count();
    assert!(faulty > 0);
    assert_eq!(html.matches("<a href=\"#game=").count(), faulty);
    // All colours of the pictures are the page's.
    assert!(!html.contains("\"#01"), "a colour that stands for one is left");
    assert!(html.len() < 600_000, "{}", html.len());
}

#[test]
fn nothing_is_loaded() {
    let html = html(&test_match::games(1, 10));
    for address in ["http:", "https:", "src=\"", "@import", "url(", "<link", "<iframe", "fetch("] {
        assert!(!html.contains(address), "{address}");
    }
    let links = html.match_indices("href=\"").map(|(place, word)| &html[place + word.len()..]);
    assert!(links.into_iter().all(|link| link.starts_with('#')));
}

#[test]
fn what_engines_say_is_no_markup() {
    let hostile = "</script></style></title><svg onload=alert(1)>\"'><!--<script>";
    let mut header = test_match::header();
    let mut games = test_match::games(2, 40);
    let clean = test_match::report(&header, &games).to_html().expect("a report");
    for game in &mut games {
        for text in [&mut game.first, &mut game.second, &mut game.detail, &mut game.opening.name] {
            text.push_str(hostile);
        }
    }
    for engine in &mut header.engines {
        for text in [&mut engine.name, &mut engine.command, &mut engine.protocol] {
            text.push_str(hostile);
        }
        engine.options.insert(hostile.into(), hostile.into());
    }
    for text in [&mut header.title, &mut header.program, &mut header.started, &mut header.time_control] {
        text.push_str(hostile);
    }
    header.schedule.kind.push_str(hostile);
    header.schedule.openings.push_str(hostile);
    header.settings.insert(hostile.into(), hostile.into());
    let mut report = test_match::report(&header, &games);
    report.extra.push(hostile.into());
    report.notes.push(hostile.into());
    report.standings[0].elo.push_str(hostile);
    report.standings[0].extra.push(hostile.into());
    if let Some(path) = &mut report.sprt {
        path.caption.push_str(hostile);
    }
    let html = report.to_html().expect("a report");
    // No tag begins that does not begin in a report without such names, but for the one item and note more.
    let count = |html: &str, tag: &str| html.matches(tag).count();
    assert!(!html.contains("<svg onload") && !html.contains("<img") && !html.contains("<!--<"));
    for (tag, more) in
        [("<script", 0), ("</script", 0), ("<style", 0), ("</style", 0), ("<svg", 0), ("<p>", 1)]
    {
        assert_eq!(count(&html, tag), count(&clean, tag) + more, "{tag}");
    }
    // As text it is there.
    assert!(html.contains("&lt;/script&gt;&lt;/style&gt;") && html.contains("\\u003c/script\\u003e"));
}

#[test]
fn a_match_without_games_has_a_report() {
    let header = test_match::header();
    let report = Report {
        header: &header,
        games: &[],
        standings: Vec::new(),
        strength: "Elo",
        extra: Vec::new(),
        notes: Vec::new(),
        elo: Vec::new(),
        sprt: Some(SprtPath { caption: String::new(), lower: -2.9, upper: 2.9, points: Vec::new() }),
    };
    let html = report.to_html().expect("a report");
    assert!(!html.contains("<figure><svg ") && html.contains("No game was lost by a fault"));
}

#[test]
fn ratings_are_drawn_of_those_that_have_some() {
    let header = test_match::header();
    let games = test_match::games(4, 20);
    let mut report = test_match::report(&header, &games);
    let nowhere = EloPoint { games: 1, elo: f64::INFINITY, low: 100.0, high: f64::INFINITY };
    report.elo[1].points = vec![nowhere; 20];
    // One that has a single bound is drawn.
    report.elo[0].points.iter_mut().for_each(|point| point.high = f64::INFINITY);
    let html = report.to_html().expect("a report");
    let section = |html: &str| html.split_once("<section id=\"elo\">").map(|(_, rest)| rest.to_owned());
    let elo = section(&html).expect("a picture");
    let caption = elo.split_once("</figcaption>").expect("a caption").0;
    assert!(caption.matches("class=\"key\"").count() == 1 && caption.contains("without a line"), "{caption}");
    // A single point is no line.
    report.elo[0].points.truncate(1);
    assert_eq!(section(&report.to_html().expect("a report")), None);
}

#[test]
fn odd_figures_do_not_stop_a_report() {
    let header = test_match::header();
    let mut games = test_match::games(3, 2);
    games[0].moves.truncate(1);
    games.truncate(1);
    games[0].moves.iter_mut().for_each(|played| played.time_ms = 0.0);
    let mut report = test_match::report(&header, &games);
    for series in &mut report.elo {
        let nowhere = EloPoint { games: 0, elo: f64::INFINITY, low: f64::NAN, high: f64::INFINITY };
        series.points = vec![nowhere, EloPoint { games: 1, elo: 1.0, low: 1.0, high: 1.0 }];
    }
    report.elo.push(EloSeries { engine: "of no header".into(), points: Vec::new() });
    report.sprt = Some(SprtPath { caption: String::new(), lower: 0.0, upper: 0.0, points: vec![(0, 0.0)] });
    assert!(report.to_html().is_ok());
}
