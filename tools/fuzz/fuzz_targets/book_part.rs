//! Any bytes are read as a part of a book, as by `plumb-lab book merge`, and resumed as by `book build`, without a panic.
//! Modules of plumb-lab are included by path, because the library does not export `book`.
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
#[path = "../../lab/src/result_files/mod.rs"]
#[allow(dead_code, unused_imports)]
mod result_files;

use std::path::Path;

use libfuzzer_sys::fuzz_target;

use part::{Content, Entry, ReadPart, content};
use result_files::{Lock, ResultFile};

fn open(path: &Path, part: &ReadPart<'_>) -> anyhow::Result<(ResultFile<Entry>, Content<i32>)> {
    let (file, entries) = ResultFile::open(path, "--out", &part.header, Lock::take(path, "--out")?)?;
    Ok((file, content(path, &entries)?))
}

fn read(path: &Path) {
    let Ok(whole) = ReadPart::read(path) else { return };
    let scores = whole.content::<i32>();
    let _columns = whole.content::<u32>();
    // Resuming finds the entries that reading found. An appended entry is found when the part is opened again.
    let Ok((mut part, (found, _))) = open(path, &whole) else { return };
    assert!(scores.is_err() || scores.is_ok_and(|(scores, _)| scores == found));
    if found.iter().any(|&(key, _)| key == 0xabc) {
        return;
    }
    part.append(&Entry::new(0xabc, -7, None)).expect("there is room");
    drop(part);
    let (_, (longer, _)) = open(path, &whole).expect("it was opened before");
    assert_eq!(longer.len(), found.len() + 1);
    assert_eq!(longer.last(), Some(&(0xabc, -7)));
}

fuzz_target!(|bytes: &[u8]| {
    let path = std::env::temp_dir().join(format!("plumb-fuzz-part-{}", std::process::id()));
    std::fs::write(&path, bytes).expect("there is room");
    read(&path);
});
