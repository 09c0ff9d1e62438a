//! A part file of `plumb-lab book build` with any bytes is read whole, as `book merge` does, and taken up, as `book build`
//! does. The sources of that program are compiled into this one, as it is no library.
#![no_main]

#[path = "../../lab/src/line_file.rs"]
#[allow(dead_code)]
mod line_file;
#[path = "../../lab/src/book/part.rs"]
#[allow(dead_code)]
mod part;
#[path = "../../lab/src/shard.rs"]
#[allow(dead_code)]
mod shard;

use std::path::Path;

use libfuzzer_sys::fuzz_target;

use part::{Part, Whole};

/// Reads the part at `path`.
fn read(path: &Path) {
    assert!(part::is_part(path).is_ok());
    let Ok(whole) = Whole::read(path) else { return };
    let heading = whole.heading;
    let scores = whole.content::<i32>().map(|content| content.entries);
    let _columns = whole.content::<u32>();
    // A part that is taken up has what was read, and an entry that is appended is there the next time.
    let Ok((mut part, found)) = Part::open::<i32>(path, &heading) else {
        assert!(scores.is_err(), "it was read before");
        return;
    };
    assert!(scores.is_err() || scores.is_ok_and(|scores| scores == found.entries));
    part.append(0xabc, -7).expect("there is room");
    let (_, longer) = Part::open::<i32>(path, &heading).expect("it was opened before");
    assert_eq!(longer.entries.len(), found.entries.len() + 1);
    assert_eq!(longer.entries.last(), Some(&(0xabc, -7)));
}
fuzz_target!(|bytes: &[u8]| {
    let path = std::env::temp_dir().join(format!("plumb-fuzz-part-{}", std::process::id()));
    std::fs::write(&path, bytes).expect("there is room");
    read(&path);
});
