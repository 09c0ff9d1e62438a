//! `match.jsonl` cut off anywhere, or damaged.

use std::fs;

use plumb::mix::Random;

use super::support::{assert_refused, cases, settings};
use crate::common::play::{games, with};
use crate::common::{Directory, done, lab};

/// Byte offsets to test: all offsets of a short text. In a long text: the start, the end of the header, the end, and
/// random offsets.
fn offsets(text: &[u8], seed: u64) -> Vec<usize> {
    let count = cases(12) as usize;
    if count > text.len() {
        return (0..=text.len()).collect();
    }
    let mut random = Random::new(seed, 0);
    let first = text.iter().position(|&byte| byte == b'\n').expect("a header");
    let last = text.len() - 1;
    let mut offsets = vec![0, 1, first, first + 1, first + 2, last - 1, last, text.len()];
    offsets.extend((0..count).map(|_| random.below(text.len() as u32) as usize));
    offsets.sort_unstable();
    offsets.dedup();
    offsets
}

#[test]
fn a_record_that_is_cut_off_anywhere_is_completed_to_the_same_games() {
    let directory = Directory::new("fault-cut");
    let settings = settings(3);
    let whole = directory.path("whole");
    let expected = done(&with(&settings, &["--out", &whole]));
    let text = fs::read(format!("{whole}/match.jsonl")).expect("it is there");
    let header = text.iter().position(|&byte| byte == b'\n').expect("a header") + 1;
    let games_of_whole = games(&whole);
    for cut in offsets(&text, 1) {
        let out = directory.path("cut");
        fs::create_dir_all(&out).expect("it can be made");
        let record = format!("{out}/match.jsonl");
        fs::write(&record, &text[..cut]).expect("it can be written");
        let found = done(&with(&settings, &["--out", &out, "--resume"]));
        assert_eq!(found, expected, "cut at byte {cut}");
        assert_eq!(games(&out), games_of_whole, "cut at byte {cut}");
        let after = fs::read(&record).expect("it is there");
        // A game or header is complete even if its line end is missing.
        let is_complete = text.get(cut) == Some(&b'\n') && cut >= header;
        let last_end = text[..cut].iter().rposition(|&byte| byte == b'\n');
        let kept = if is_complete { cut + 1 } else { last_end.map_or(0, |end| end + 1) };
        let is_kept = after.starts_with(&text[..kept]);
        assert!(is_kept, "cut at byte {cut}: a line that was complete stays as it was");
        fs::remove_dir_all(&out).expect("it is there");
    }
}

#[test]
fn a_record_that_is_damaged_in_the_middle_is_left_alone() {
    let directory = Directory::new("fault-damaged");
    let settings = settings(2);
    let out = directory.path("out");
    done(&with(&settings, &["--out", &out]));
    let record = format!("{out}/match.jsonl");
    let text = fs::read(&record).expect("it is there");
    // If its line end is missing, damage in the last line cannot be distinguished from an incomplete line.
    for offset in offsets(&text, 2).into_iter().filter(|&offset| offset + 1 < text.len()) {
        let mut damaged = text.clone();
        damaged[offset] = 0;
        fs::write(&record, &damaged).expect("it can be written");
        let line = text[..offset].split(|&byte| byte == b'\n').count();
        let named = format!("line {line}: ");
        for arguments in [
            with(&settings, &["--out", &out, "--resume"]),
            vec!["match", "--resume", "--out", &out],
            vec!["match", "report", &out],
        ] {
            assert_refused(&lab(&arguments), &["match.jsonl`: ", &named]);
        }
        assert!(fs::read(&record).expect("it is there") == damaged, "byte {offset}: it is left as it is");
    }
}
