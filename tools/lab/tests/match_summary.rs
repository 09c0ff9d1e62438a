//! `summary.json` of a match: the figures that are printed, those in the report, and those of a merge.

mod common;

use common::play::play;
use common::{Directory, engine};
use serde_json::Value;

/// A match of engines that play the same games each time.
fn settings(names: &[&str]) -> Vec<String> {
    let engine = engine();
    let description = |(place, name): (usize, &&str)| {
        let nodes = [3000, 300, 100][place];
        format!("--engine=name={name},cmd={engine},nodes={nodes},option.Hash=1,option.OwnBook=false")
    };
    names.iter().enumerate().map(description).chain(["--rounds=4".to_owned()]).collect()
}

fn words<'a>(settings: &'a [String], more: &[&'a str]) -> Vec<&'a str> {
    settings.iter().map(String::as_str).chain(more.iter().copied()).collect()
}

fn summary(directory: &Directory, out: &str) -> Value {
    serde_json::from_str(&directory.read(&format!("{out}/summary.json"))).expect("JSON")
}

/// The summary in the page of a report.
fn embedded(directory: &Directory, out: &str) -> Value {
    let page = directory.read(&format!("{out}/report.html"));
    let block = page.split_once("<script id=\"match-summary\"").expect("the block").1;
    let text = block.split_once('>').expect("a start").1.split_once("</script>").expect("an end").0;
    serde_json::from_str(text).expect("JSON")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

#[test]
fn a_table_and_a_report_have_the_figures_of_the_summary() {
    let directory = Directory::new("summary-two");
    let settings = settings(&["A", "B"]);
    let out = directory.path("out");
    let said = play(&words(&settings, &["--sprt=0,400", "--blunders", "--out", &out]));
    let found = summary(&directory, "out");
    // The page is for others, who are told no more of an engine than its name.
    let mut public = found.clone();
    for engine in public["settings"]["engines"].as_array_mut().expect("engines") {
        *engine = serde_json::json!({"name": engine["name"]});
    }
    assert_eq!(public, embedded(&directory, "out"));
    assert_eq!((text(&found["state"]), &found["settings"]["rounds"]), ("finished", &4.into()));
    let played = found["games"]["played"].as_u64().expect("a number");
    assert_eq!(played, found["standings"][0]["games"].as_u64().expect("a number"));
    for row in found["standings"].as_array().expect("rows") {
        let counts = ["games", "wins", "draws", "losses"].map(|key| row[key].as_u64().expect("a number"));
        assert_eq!(counts[0], counts[1..].iter().sum::<u64>());
        let name = text(&row["name"]);
        let line = said.lines().find(|line| line.starts_with(&format!("{name} "))).expect("a row");
        let [games, wins, draws, losses] = counts.map(|count| count.to_string());
        let score = format!("{:.1}%", 100.0 * row["score"].as_f64().expect("a share"));
        let moves = format!("{} of {}", row["blunders"], row["checked"]);
        let expected = [name, &games, &wins, &draws, &losses, &score, text(&row["elo"]["text"]), "0", &moves];
        let cells: Vec<_> = line.split_whitespace().collect();
        assert_eq!(cells, expected.join(" ").split_whitespace().collect::<Vec<_>>(), "{said}");
    }
    let first =
        found["standings"].as_array().expect("rows").iter().find(|row| row["name"] == "A").expect("A");
    assert!(said.contains(&format!("A: Elo {}, nElo ", text(&first["elo"]["text"]))), "{said}");
    let pairs: Vec<_> = first["pairs"].as_array().expect("pairs").iter().map(Value::to_string).collect();
    let [ll, ld, even, wd, ww] = &pairs[..] else { panic!("{pairs:?}") };
    assert!(said.contains(&format!("pairs LL {ll}, LD {ld}, WL/DD {even}, WD {wd}, WW {ww}")), "{said}");
    let test = &found["sprt"];
    let figures =
        ["llr", "lower", "upper"].map(|key| format!("{:.2}", test[key].as_f64().expect("a number")));
    let [ratio, lower, upper] = figures;
    assert!(said.contains(&format!("LLR {ratio} ({lower}, {upper}), H0: 0 Elo, H1: 400 Elo")), "{said}");

    // Written again from the record, they are the same.
    std::fs::remove_file(directory.path("out/summary.json")).expect("it is there");
    play(&["report", &out]);
    assert_eq!(summary(&directory, "out"), found);
}

#[test]
fn a_merge_has_the_summary_of_the_whole() {
    let directory = Directory::new("summary-merged");
    let settings = settings(&["A", "B", "C"]);
    let out = |name: &str| directory.path(name);
    let [whole, merged, one, two] = ["whole", "merged", "one", "two"].map(out);
    play(&words(&settings, &["--out", &whole]));
    for (shard, out) in [("1/2", &one), ("2/2", &two)] {
        play(&words(&settings, &["--shard", shard, "--out", out]));
    }
    let shard = summary(&directory, "one");
    assert_eq!((&shard["games"]["played"], &shard["games"]["planned"]), (&12.into(), &12.into()));
    let said = play(&["merge", &one, "--out", &merged]);
    assert!(said.contains("12 of 24 games"), "{said}");
    assert_eq!(text(&summary(&directory, "merged")["state"]), "interrupted");
    let said = play(&["merge", &one, &two, "--out", &merged]);
    let figures = |out: &str| {
        let mut summary = summary(&directory, out);
        summary["started"].take();
        for row in summary["standings"].as_array_mut().expect("rows") {
            let rating = text(&row["rating"]["text"]).to_owned();
            assert!(said.contains(&rating), "{rating} in {said}");
            for time in ["mean_ms", "longest_ms", "latency_ms"] {
                row[time].take();
            }
        }
        summary
    };
    assert_eq!(figures("merged"), figures("whole"));
}
