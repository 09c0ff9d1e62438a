//! Tables of the README list all words of the grammar. The tests of the engine replay the dialogues.

use plumb_protocol::{Go, Info};

const README: &str = include_str!("../../README.md");

#[test]
fn words_of_go_and_fields_of_info_are_documented() {
    for word in Go::WORDS.iter().copied().flatten() {
        let rows = README.lines().filter(|line| line.starts_with("| `"));
        let mut cells = rows.filter_map(|row| row.split(" | ").next());
        assert!(cells.any(|cell| cell.contains(&format!("`{word}`"))), "{word}");
    }
    let order = README.lines().find(|line| line.starts_with("depth seldepth"));
    assert_eq!(order, Some(Info::FIELDS.join(" ").as_str()));
}
