//! A part file of `plumb-lab book build` with any bytes is read whole, as `book merge` does, and taken up, as `book build`
//! does. The sources of that program are compiled into this one, as it is no library.
#![no_main]

#[path = "../../lab/src/exit.rs"]
#[allow(dead_code)]
mod exit;
#[path = "../../lab/src/output.rs"]
#[allow(dead_code)]
mod output;
#[path = "../../lab/src/book/part.rs"]
#[allow(dead_code)]
mod part;
#[path = "../../lab/src/results/mod.rs"]
#[allow(dead_code, unused_imports)]
mod results;

use std::path::Path;

use libfuzzer_sys::fuzz_target;

use part::{Content, Part, Whole};
use results::Lock;

/// Takes the part at `path` up.
fn open(path: &Path, whole: &Whole<'_>) -> anyhow::Result<(Part, Content<i32>)> {
    Part::open::<i32>(path, &whole.heading, None, Lock::take(path, "--out")?)
}

/// Reads the part at `path`.
fn read(path: &Path) {
    assert!(part::is_part(path).is_ok());
    let Ok(whole) = Whole::read(path) else { return };
    let scores = whole.content::<i32>().map(|content| content.entries);
    let _columns = whole.content::<u32>();
    // A part that is taken up has what was read, and an entry that is appended is there the next time.
    let Ok((mut part, found)) = open(path, &whole) else { return };
    assert!(scores.is_err() || scores.is_ok_and(|scores| scores == found.entries));
    if found.entries.iter().any(|&(key, _)| key == 0xabc) {
        return;
    }
    part.append(0xabc, -7, None).expect("there is room");
    drop(part);
    let (_, longer) = open(path, &whole).expect("it was opened before");
    assert_eq!(longer.entries.len(), found.entries.len() + 1);
    assert_eq!(longer.entries.last(), Some(&(0xabc, -7)));
}

fuzz_target!(|bytes: &[u8]| {
    let path = std::env::temp_dir().join(format!("plumb-fuzz-part-{}", std::process::id()));
    std::fs::write(&path, bytes).expect("there is room");
    read(&path);
});
