//! `plumb-lab table-study` on small files: what it writes, and that it goes on where it was broken off.

mod common;

use common::{Directory, lab, refused};

/// Two endings and two positions with something left to play; the scores are published ones.
const ENDINGS: &str =
    "# endings\n7422341735647741166133573473242566 1\n2252576253462244111563365343671351441 -1\n";
const LONGER: &str = "5554224333234511764415115 4\n52753311433677442422121 8\n";

/// Runs `plumb-lab table-study`; returns the exit code, standard output and standard error.
fn study(out: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
    lab(&[&["table-study", "--out", out], arguments].concat())
}

#[test]
fn a_study_is_made_and_resumed() {
    let directory = Directory::new("table-study");
    let (endings, longer) = (directory.file("end-easy.txt", ENDINGS), directory.file("longer.txt", LONGER));
    let out = directory.path("out");
    let designs = "none,full-key,crt-upper,crt-bounds,lru,bucketed";
    let arguments = [&endings, &longer, "--designs", designs, "--sizes", "1MB,2MB", "--mode", "both"];
    let (code, text, err) = study(&out, &arguments);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{text}");
    // Without a table all sizes are one.
    let units = (5 * 2 + 1) * 2 * 2;
    assert_eq!(text.lines().count(), units, "{text}");

    let csv = directory.read("out/table-study.csv");
    assert_eq!(csv.lines().count(), units + 1, "{csv}");
    assert!(
        csv.starts_with("search,design,entries,bytes,suite,fingerprint,mode,positions,nodes,cpu_seconds\n")
    );
    // The first row of a design and a suite is that of the smaller table and the exact score.
    let nodes = |design: &str, suite: &str| {
        let row = csv.lines().find(|line| line.contains(design) && line.contains(suite)).expect(design);
        row.split(',').nth(8).expect(row).to_owned()
    };
    assert_eq!(nodes(",crt-upper,", ",longer.txt,"), (198 + 48).to_string(), "{csv}");
    assert_eq!(nodes(",crt-bounds,", ",longer.txt,"), (168 + 44).to_string(), "{csv}");

    let table = directory.read("out/table-study.md");
    assert_eq!(table.lines().filter(|line| line.starts_with("|plain, ")).count(), units, "{table}");
    assert!(table.contains("|Solver|Test set|"), "{table}");
    for picture in ["out/table-study-nodes.svg", "out/table-study-time.svg"] {
        assert!(directory.read(picture).starts_with("<svg"), "{picture}");
    }

    // The same again finds everything done; what a line was broken off of is measured anew, and nothing else.
    assert_eq!(study(&out, &arguments), (Some(0), String::new(), String::new()));
    assert_eq!(directory.read("out/table-study.csv"), csv);
    let last = csv.trim_end().rfind('\n').expect("many lines") + 1;
    directory.file("out/table-study.csv", &csv[..last + 20]);
    let (code, text, _) = study(&out, &arguments);
    assert_eq!((code, text.lines().count()), (Some(0), 1), "{text}");
    assert_eq!(directory.read("out/table-study.csv").lines().count(), units + 1);

    // Fewer positions are another unit, and so is another search.
    let (code, text, _) = study(&out, &[&longer, "--designs", "lru", "--sizes", "1MB", "--limit", "1"]);
    assert_eq!((code, text.lines().count()), (Some(0), 1), "{text}");
    let (code, text, _) = study(&out, &[&longer, "--search", "plumb", "--sizes", "1MB", "--mode", "both"]);
    assert_eq!((code, text.lines().count()), (Some(0), 2), "{text}");
    assert_eq!(directory.read("out/table-study.csv").lines().count(), units + 4);
}

#[test]
fn a_wrong_score_ends_the_run() {
    let directory = Directory::new("table-study-wrong");
    let wrong = directory.file("wrong.txt", &LONGER.replace("2121 8", "2121 7"));
    let out = directory.path("out");
    let arguments = [&wrong, "--designs", "crt-bounds", "--sizes", "1MB"];
    let (code, text, err) = study(&out, &arguments);
    assert_eq!((code, text.as_str()), (Some(1), ""));
    let said = "plumb-lab: crt-bounds wrong.txt strong: wrong.txt:2: 52753311433677442422121 has score 8, expected 7\n";
    assert_eq!(err, said);
    assert_eq!(directory.read("out/table-study.csv").lines().count(), 1, "nothing is kept of it");
    // Only the sign counts for who wins.
    let (code, _, err) = study(&out, &[&arguments[..], &["--mode", "weak"]].concat());
    assert_eq!((code, err.as_str()), (Some(0), ""));
}

#[test]
fn what_cannot_be_is_one_sentence_before_any_work() {
    let directory = Directory::new("table-study-refused");
    let file = directory.file("end-easy.txt", ENDINGS);
    let out = directory.path("out");
    for (arguments, said) in [
        (&["--designs", "lru", "--search", "plumb"][..], "`--search plumb` has its own table only"),
        (
            &["--designs", "lru,crt-upper", "--sizes", "1000"],
            "crt-upper: 1000: truncated keys need more than 131072",
        ),
        (&["--limit", "0"], &format!("`{file}`: there is no position to solve")),
        (&[&file], &format!("`{file}`: there is another file called end-easy.txt")),
    ] {
        let sentence = refused(&[&["table-study", "--out", &out, &file], arguments].concat());
        assert!(sentence.starts_with(said), "{sentence}");
    }
    assert!(!std::path::Path::new(&out).exists(), "nothing was begun");
}
