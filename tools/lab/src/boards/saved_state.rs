//! The state of a search on disk: the transposition table, and what is proved of the score so far.
//!
//! ```text
//! {"kind":"boards --save-every"…  the header of results, as a line of JSON
//! {"lower":-3,"upper":4, …        what is proved of the score, and at what cost, as a line of JSON
//! words of the table              8 bytes each, little-endian, in the order of its memory
//! checksum                        SHA-256 of all before it, in 64 hexadecimal digits
//! ```
//!
//! **Why the words can be copied while the search runs.** Every word is one entry, loaded in one piece, and an entry is a
//! bound proved for its own position: it stays true whatever happens to the others. So the words on disk are a table that
//! the search could have had, with some entries older than others, and some lost.
//!
//! **Why another version is refused.** The solver believes what it loads. An entry is found by the bits of its position's
//! key, so words of a version that mixes keys in another way, or packs bounds in another way, would be false. A version
//! number is easily forgotten; the header has beside it a [fingerprint] of what the search leaves in a table.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, Result, ensure};
use plumb::board::{Board, Position};
use plumb::score::Score;
use plumb::search::{AnySolver, StopFlag};
use plumb::table::AnyTable;
use plumb_tools_common::file::Hasher;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::output::{replace, with_suffix};
use crate::result_files::{Header, remove_if_there};

/// The kind in the header of a state.
const KIND: &str = "boards --save-every";
/// The longest header that is read, in bytes.
const MAX_HEADER: u64 = 4096;
/// Words that are read or written at a time.
const PIECE: usize = 1 << 16;

/// The header of a state, of what decides the table of a search: the board, the size in MB, and a [fingerprint].
pub(super) fn header(board: Board, hash: usize, fingerprint: &str) -> Result<Header> {
    Header::new(KIND).on_board(board).with_settings(&json!({ "hash": hash, "search": fingerprint }))
}

/// What is known about the search beside its table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Progress {
    /// The proved bounds of the score.
    pub lower: Score,
    pub upper: Score,
    /// Of all runs so far.
    pub nodes: u64,
    pub cpu_seconds: f64,
    pub wall_seconds: f64,
    pub peak_mb: Option<u64>,
}

/// Writes the state in place of the one at `path`, which stays as it is until the new one is on the disk.
pub(super) fn save(path: &Path, header: &Header, progress: &Progress, table: &AnyTable) -> Result<()> {
    let lines = header.line()? + "\n" + &serde_json::to_string(progress)? + "\n";
    replace(path, |out| {
        let mut sum = Hasher::default();
        let mut write = |bytes: &[u8]| {
            sum.add(bytes);
            out.write_all(bytes)
        };
        write(lines.as_bytes())?;
        pieces(table).try_for_each(|piece| write(&piece))?;
        out.write_all(sum.hex().as_bytes())
    })
}

/// Removes the state at `path`, whole or damaged, and what a killed run has left of a new one; another's file stays.
pub(super) fn remove(path: &Path) -> Result<()> {
    remove_if_there(&with_suffix(path, ".new"))?;
    let (expected, mut found) = (format!("{{\"kind\":\"{KIND}\""), Vec::new());
    let read = File::open(path).and_then(|file| file.take(expected.len() as u64).read_to_end(&mut found));
    let is_state = read.is_ok() && expected.as_bytes().starts_with(&found);
    if is_state { remove_if_there(path) } else { Ok(()) }
}

/// The words of a table as bytes, piece by piece.
fn pieces(table: &AnyTable) -> impl Iterator<Item = Vec<u8>> {
    (0..table.entries()).step_by(PIECE).map(|first| {
        let mut words = vec![0; PIECE.min(table.entries() - first)];
        table.copy_words(first, &mut words);
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    })
}

/// The fault of a file that ends too early, as where its second line is no progress.
const CUT_OFF: &str = "it is cut off";

/// Loads the state at `path`, if there is one with this header, into `table`, which is empty; of a damaged state, whose
/// fault is returned, nothing.
///
/// # Errors
/// If the file is none that [`save`] makes, or one of a search with other settings, or cannot be read.
pub(super) fn load(
    path: &Path,
    own: &Header,
    table: &mut AnyTable,
) -> Result<Result<Option<Progress>, &'static str>> {
    let name = path.display();
    let reading = || format!("cannot read `{name}`");
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Ok(None)),
        file => file.with_context(reading)?,
    };
    let (mut input, mut sum) = (BufReader::with_capacity(1 << 16, file), Hasher::default());
    let mut line = || {
        let mut line = Vec::new();
        input.by_ref().take(MAX_HEADER).read_until(b'\n', &mut line).with_context(reading)?;
        sum.add(&line);
        anyhow::Ok(line)
    };
    let (header, progress) = (line()?, line()?);
    let Some(found) = Header::parse(&header).with_context(|| format!("`{name}`"))? else {
        // The beginning of one, as of a disk that was full, is a damaged one; all else belongs to somebody.
        ensure!(
            own.line()?.as_bytes().starts_with(&header),
            "`{name}` is no state of `plumb-lab boards`: it begins otherwise, and is left alone"
        );
        return Ok(Err(CUT_OFF));
    };
    own.ensure_same(&found, path, "--csv")?;
    let Ok(progress) = serde_json::from_slice::<Progress>(&progress) else { return Ok(Err(CUT_OFF)) };
    let loaded = load_words(&mut input, sum, table);
    if !matches!(loaded, Ok(true)) {
        // Entries loaded before the checksum failed may be damaged, and would give wrong scores.
        table.clear();
    }
    match loaded {
        Ok(true) => Ok(Ok(Some(progress))),
        Ok(false) => Ok(Err("its checksum is wrong")),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(Err(CUT_OFF)),
        Err(error) => Err(error).with_context(reading),
    }
}

/// Loads the words; returns whether they have the checksum that follows them, and nothing comes after it.
fn load_words(input: &mut impl Read, mut sum: Hasher, table: &mut AnyTable) -> io::Result<bool> {
    let mut bytes = vec![0; 8 * PIECE];
    for first in (0..table.entries()).step_by(PIECE) {
        let bytes = &mut bytes[..8 * PIECE.min(table.entries() - first)];
        input.read_exact(bytes)?;
        sum.add(bytes);
        let words: Vec<_> = bytes.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word)).collect();
        table.load_words(first, &words);
    }
    let expected = sum.hex();
    let mut found = vec![0; expected.len()];
    input.read_exact(&mut found)?;
    Ok(found == expected.as_bytes() && input.read(&mut [0])? == 0)
}

/// A number that differs from version to version if the table means something else, or is filled otherwise: the first
/// digits of the SHA-256 of the table after some ten thousand nodes of the search of the empty board. It does not depend on the
/// machine.
///
/// # Errors
/// If there is no memory for a table of 1 MB.
pub(super) fn fingerprint(board: Board) -> Result<String> {
    let table = AnyTable::new(board, 1)?;
    // Asked every so many nodes, so that the search always ends at the same one.
    let asked = AtomicU32::new(0);
    let stop = StopFlag::with_signal(Arc::new(move || asked.fetch_add(1, Ordering::Relaxed) >= 40));
    // The answer does not matter, nor whether the board is so small that there is one.
    let _answer = AnySolver::new(&table).stop_flag(&stop).score(&Position::empty(board));
    let mut sum = Hasher::default();
    pieces(&table).for_each(|piece| sum.add(&piece));
    Ok(sum.hex()[..16].to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::result_files::tests::Directory;

    fn board() -> Board {
        "5x5".parse().expect("a board")
    }

    fn empty_table() -> AnyTable {
        AnyTable::new(board(), 1).expect("one megabyte")
    }

    const PROGRESS: Progress =
        Progress { lower: -1, upper: 3, nodes: 12_345, cpu_seconds: 1.5, wall_seconds: 2.25, peak_mb: None };

    fn header() -> Header {
        super::header(board(), 1, &fingerprint(board()).expect("one megabyte")).expect("a header")
    }

    fn words(table: &AnyTable) -> Vec<u64> {
        let mut words = vec![0; table.entries()];
        table.copy_words(0, &mut words);
        words
    }

    /// The table after a board is solved.
    fn solved() -> AnyTable {
        let table = empty_table();
        assert_eq!(AnySolver::new(&table).score(&Position::empty(board())), Ok(0));
        table
    }

    #[test]
    fn a_state_is_loaded_as_it_was_saved() {
        let directory = Directory::new("state-whole");
        let (path, table) = (directory.path("state"), solved());
        save(&path, &header(), &PROGRESS, &table).expect("saved");
        let mut other = empty_table();
        assert_eq!(load(&path, &header(), &mut other).expect("readable"), Ok(Some(PROGRESS)));
        assert_eq!(words(&other), words(&table));
        assert_eq!(load(&directory.path("none"), &header(), &mut other).expect("readable"), Ok(None));
    }

    #[test]
    fn no_entry_of_a_damaged_state_is_used() {
        let directory = Directory::new("state-damaged");
        let path = directory.path("state");
        save(&path, &header(), &PROGRESS, &solved()).expect("saved");
        let whole = fs::read(&path).expect("read");
        let header = header();
        let text = whole.iter().position(|&byte| byte == b'\n').expect("a line") + 1;
        let start = text + serde_json::to_string(&PROGRESS).expect("JSON").len() + 1;
        let mut damaged: Vec<(Vec<u8>, &str)> = Vec::new();
        for at in [start, start + 7, start + 100_003, whole.len() - 65, whole.len() - 64, whole.len() - 1] {
            let mut bytes = whole.clone();
            bytes[at] ^= 16;
            damaged.push((bytes, "its checksum is wrong"));
        }
        for end in
            [0, 5, text - 1, text, start - 2, start, whole.len() / 2, whole.len() - 64, whole.len() - 1]
        {
            damaged.push((whole[..end].to_vec(), CUT_OFF));
        }
        damaged.push(([&whole[..], b"more"].concat(), "its checksum is wrong"));
        for (bytes, expected) in damaged {
            fs::write(&path, &bytes).expect("written");
            let mut table = empty_table();
            let found = load(&path, &header, &mut table).expect("readable");
            assert_eq!(found, Err(expected), "{} bytes", bytes.len());
            assert!(words(&table).iter().all(|&word| word == 0));
        }
    }

    #[test]
    fn what_belongs_to_others_is_refused() {
        let directory = Directory::new("state-foreign");
        let path = directory.file("state", "my diary\n");
        let refused = |wanted: &Header| {
            let mut table = empty_table();
            let error = load(&path, wanted, &mut table).expect_err("it is another one");
            assert!(words(&table).iter().all(|&word| word == 0));
            error.to_string()
        };
        assert!(refused(&header()).contains("is no state of `plumb-lab boards`"));
        save(&path, &header(), &PROGRESS, &solved()).expect("saved");
        let search = fingerprint(board()).expect("one megabyte");
        let other = |board, hash, search| refused(&super::header(board, hash, search).expect("a header"));
        assert!(other(board(), 2, &search).contains(": `hash`: recorded 1, given 2; remove it"));
        let said = other("6x4".parse().expect("a board"), 1, &search);
        assert!(said.contains(": `board`: recorded 5x5, given 6x4; "));
        assert!(other(board(), 1, "0").contains(": `search`: recorded "));
    }

    #[test]
    fn a_fingerprint_is_the_same_each_time_and_another_for_another_board() {
        let of = |size: &str| fingerprint(size.parse().expect(size)).expect("one megabyte");
        let all = ["7x6", "5x5", "8x7", "8x8"].map(of);
        assert_eq!(all[0], of("7x6"));
        assert!((0..4).all(|one| (0..one).all(|other| all[one] != all[other])), "{all:?}");
    }
}
