//! `plumb-lab response-time` with the real engine.

mod common;

use std::fs;

use common::{Directory, done, engine, lab};

#[test]
fn each_group_has_its_row_and_its_histogram() {
    let directory = Directory::new("response-time");
    let picture = directory.path("answers.svg");
    let engine = engine();
    let groups =
        ["response-time", "34-41/score", "36/scores", "--count", "20", "--repeat", "2", "--hash", "1"];
    let text = done(&[&groups[..], &["--svg", &picture, "--engine", &engine]].concat());
    let svg = fs::read_to_string(&picture).expect("the picture is there");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    for title in ["34 to 41 stones, exact score", "36 stones, seven scores"] {
        let row = text.lines().find(|line| line.starts_with(title)).expect("a row");
        let figures: Vec<f64> =
            row[title.len()..].split_whitespace().map(|n| n.parse().expect(row)).collect();
        assert_eq!((figures.len(), figures[0]), (6, 20.0), "{row}");
        assert!(figures[2..].is_sorted() && figures[1] <= figures[5], "{row}");
        assert!(svg.contains(title), "{title} is in the picture");
    }
}

#[test]
fn a_group_that_is_none_is_one_sentence() {
    let (code, _, err) = lab(&["response-time", "12/best"]);
    assert_eq!(code, Some(2));
    assert!(
        err.contains("`best` is none of `all`, `score` and `scores`") && err.lines().count() == 1,
        "{err}"
    );
}
