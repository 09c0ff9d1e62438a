//! `plumb-lab suite` on small files.

mod common;

use common::{Directory, lab, refused};

/// Runs `plumb-lab suite`; returns the exit code, standard output and standard error.
fn suite(arguments: &[&str]) -> (Option<i32>, String, String) {
    lab(&[&["suite", "--hash", "1"], arguments].concat())
}

/// Solved independently: one drawn, one won with the last stone, one lost with the last but one.
const RIGHT: &str = "# endings\n\n23163416124767223154467471272416755633 0\n7422341735647741166133573473242566 1\n\
                     2252576253462244111563365343671351441 -1\n2252576253462244111563365343671351441\n";

#[test]
fn right_scores_make_a_table() {
    let directory = Directory::new("suite-right");
    let (first, second) = (directory.file("first.txt", RIGHT), directory.file("second.txt", RIGHT));
    let csv = directory.path("times.csv");
    let (code, out, err) = suite(&[&first, &second, "--limit", "3", "--csv", &csv]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let rows: Vec<Vec<_>> = out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows.len(), 3, "{out}");
    assert_eq!(rows[1][..3], ["first.txt", "3", "0"], "{out}");
    assert_eq!(rows[2][..3], ["second.txt", "3", "0"], "{out}");
    let times: Vec<f64> = rows[1][3..7].iter().map(|word| word.parse().expect(word)).collect();
    assert!(times[1] <= times[2] && times[2] <= times[3] && times[0] <= times[3], "{out}");

    let csv = std::fs::read_to_string(csv).expect("it was written");
    let lines: Vec<_> = csv.lines().collect();
    assert_eq!(lines.len(), 7, "{csv}");
    assert_eq!(
        lines[0],
        "file,line,moves,expected,score,nodes,nanoseconds,compared,cpu_nanoseconds,wall_nanoseconds"
    );
    assert!(lines[1].starts_with("first.txt,3,23163416124767223154467471272416755633,0,0,"), "{csv}");
    assert!(lines[6].starts_with("second.txt,5,2252576253462244111563365343671351441,-1,-1,"), "{csv}");
}

#[test]
fn a_wrong_score_is_named_and_fails() {
    let directory = Directory::new("suite-wrong");
    let wrong = RIGHT.replace("3242566 1", "3242566 2");
    let (first, second) = (directory.file("first.txt", &wrong), directory.file("second.txt", RIGHT));
    let (code, out, err) = suite(&[&first, &second]);
    assert_eq!((code, err.as_str()), (Some(1), ""), "{out}");
    let named: Vec<_> = out.lines().filter(|line| line.contains("expected")).collect();
    assert_eq!(named, ["first.txt:4: 7422341735647741166133573473242566 has score 1, expected 2"], "{out}");
    let rows: Vec<Vec<_>> = out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[2][..3], ["first.txt", "4", "1"], "{out}");
    assert_eq!(rows[3][..3], ["second.txt", "4", "0"], "{out}");
}

#[test]
fn a_malformed_line_is_one_sentence_before_any_work() {
    let directory = Directory::new("suite-malformed");
    let good = directory.file("good.txt", RIGHT);
    for (text, said) in [
        ("# fine\n44 one\n", ":2: `one`: expected a score from -18 to 18"),
        ("44 1 1\n", ":1: `1`: a move or the score? Put a tab or `;` after the moves"),
    ] {
        let bad = directory.file("bad.txt", text);
        assert_eq!(refused(&["suite", &good, &bad]), format!("{bad}{said}"));
    }
}

#[test]
fn a_file_that_is_not_there_is_one_sentence() {
    let said = refused(&["suite", "no-such-suite.txt"]);
    assert!(said.starts_with("cannot read `no-such-suite.txt`: "), "{said}");
}

/// The score column of a CSV file.
fn scores(csv: &str) -> Vec<String> {
    let text = std::fs::read_to_string(csv).expect("it was written");
    text.lines().skip(1).map(|line| line.split(',').nth(4).expect(line).to_owned()).collect()
}

/// Positions with much left to play, so that the table matters; the scores are published ones.
const LONGER: &str = "274552224131661 0\n5455174361263362 -1\n";

#[test]
fn weak_compares_the_signs() {
    let directory = Directory::new("suite-weak");
    // The size of a score does not matter, only its sign.
    let bold = RIGHT.replace("3242566 1", "3242566 4").replace("1441 -1", "1441 -2");
    let (code, out, err) = suite(&["--weak", &directory.file("bold.txt", &bold)]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let wrong = RIGHT.replace("3242566 1", "3242566 -2");
    let csv = directory.path("weak.csv");
    let (code, out, _) = suite(&["--weak", &directory.file("wrong.txt", &wrong), "--csv", &csv]);
    assert_eq!(code, Some(1), "{out}");
    let named = out.lines().next();
    assert_eq!(
        named,
        Some("wrong.txt:4: 7422341735647741166133573473242566 has result 1, expected -1"),
        "{out}"
    );
    assert_eq!(scores(&csv), ["0", "1", "-1", "-1"]);
}

#[test]
fn a_warm_table_gives_the_same_scores() {
    let directory = Directory::new("suite-warm");
    // The last lines come up again, so a table that is kept has work to save.
    let file = directory.file("twice.txt", &format!("{RIGHT}{LONGER}{LONGER}"));
    let [cold, warm] = ["cold", "warm"].map(|name| directory.path(&format!("{name}.csv")));
    let (code, out, _) = suite(&[&file, "--csv", &cold]);
    assert_eq!(code, Some(0), "{out}");
    let (code, out, _) = suite(&[&file, "--csv", &warm, "--warm"]);
    assert_eq!(code, Some(0), "{out}");
    assert_eq!(scores(&cold), scores(&warm));
    let nodes = |csv: &str| -> u64 {
        let text = std::fs::read_to_string(csv).expect("it was written");
        text.lines().skip(1).map(|line| line.split(',').nth(5).expect(line).parse::<u64>().expect(line)).sum()
    };
    assert!(nodes(&warm) < nodes(&cold));
}

#[test]
fn json_has_the_settings_and_the_figures_of_the_table() {
    let directory = Directory::new("suite-json");
    let (first, second) = (directory.file("first.txt", RIGHT), directory.file("second.txt", LONGER));
    let json = directory.path("figures.json");
    let (code, out, err) = suite(&[&first, &second, "--limit", "3", "--weak", "--json", &json]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let text = std::fs::read_to_string(json).expect("it was written");
    let found: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(found["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!((&found["hash"], &found["limit"]), (&1.into(), &3.into()));
    assert_eq!((&found["weak"], &found["warm"]), (&true.into(), &false.into()));
    let files = found["files"].as_array().expect("a list");
    assert_eq!(files.len(), 2);
    assert_eq!((&files[0]["file"], &files[0]["positions"]), (&"first.txt".into(), &3.into()));
    assert_eq!((&files[1]["file"], &files[1]["positions"]), (&"second.txt".into(), &2.into()));
    for file in files {
        assert_eq!(file["mismatches"], 0);
        for figure in ["mean_us", "median_us", "p99_us", "max_us", "mean_nodes", "ns_per_node", "kpos_per_s"]
        {
            assert!(file[figure].is_number() || file[figure].is_null(), "{figure}: {file}");
            assert!(file.get(figure).is_some(), "{figure}: {file}");
        }
    }
}
