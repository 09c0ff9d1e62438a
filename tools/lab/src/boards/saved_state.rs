//! The state of a search on disk: the transposition table, and what is proved of the score so far.
//!
//! ```text
//! {"kind":"boards --save-every"…  the header of results, as a line of JSON
//! {"lower":-3,"upper":4, …        what is proved of the score, and at what cost, as a line of JSON
//! words of the table              8 bytes each, little-endian, in the order of its memory
//! checksum                        8 bytes, little-endian, of all before it
//! ```
//!
//! **Why the words can be copied while the search runs.** Every word is one entry, loaded in one piece, and an entry is a
//! bound proved for its own position: it stays true whatever happens to the others. So the words on disk are a table that
//! the search could have had, with some entries older than others, and some lost.
//!
//! **Why another version is refused.** The solver believes what it loads. An entry is found by the bits of its position's
//! key, so words of a version that mixes keys in another way, or packs bounds in another way, would be false. A version
//! number is easily forgotten; the header has instead a [fingerprint] of what the search leaves in a table.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, Result, ensure};
use plumb::board::{Board, Position};
use plumb::score::Score;
use plumb::search::{AnySolver, StopFlag};
use plumb::table::AnyTable;
use serde::{Deserialize, Serialize};

use crate::output::replace;
use crate::results::Header;

/// The kind in the header of a state.
const KIND: &str = "boards --save-every";
/// The longest header that is read, in bytes.
const MAX_HEADER: u64 = 4096;
/// Words that are read or written at a time.
const PIECE: usize = 1 << 16;

/// What decides the table of a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Settings {
    /// `WxH`.
    #[serde(skip)]
    pub board: String,
    /// Size of the table in MB.
    pub hash: usize,
    /// See [`fingerprint`], in hexadecimal digits.
    pub search: String,
}

impl Settings {
    fn header(&self) -> Result<Header> {
        Header::new(KIND).on_board(&self.board).with_settings(self)
    }
}

/// What is known about the search beside its table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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

/// A state that was looked for.
pub(super) enum Found {
    /// There is none.
    Nothing,
    /// It is in the table, which this progress goes with.
    State(Progress),
    /// It is damaged, in this way; the table is empty.
    Damaged(String),
}

/// Writes the state in place of the one at `path`, which stays as it is until the new one is on the disk.
pub(super) fn save(path: &Path, settings: &Settings, progress: &Progress, table: &AnyTable) -> Result<()> {
    let header = settings.header()?.line()? + "\n";
    let progress = serde_json::to_string(progress)? + "\n";
    replace(path, |out| {
        let mut out = Summed { stream: out, sum: Checksum::default() };
        out.write_all(header.as_bytes())?;
        out.write_all(progress.as_bytes())?;
        let mut words = vec![0; PIECE];
        let mut bytes = Vec::with_capacity(8 * PIECE);
        for first in (0..table.entries()).step_by(PIECE) {
            let count = PIECE.min(table.entries() - first);
            table.copy_words(first, &mut words[..count]);
            bytes.clear();
            bytes.extend(words[..count].iter().flat_map(|word| word.to_le_bytes()));
            out.write_all(&bytes)?;
        }
        let sum = out.sum.finish();
        out.stream.write_all(&sum.to_le_bytes())
    })
}

/// Loads the state at `path` into `table`, which is empty, if it is one of a search with these settings.
///
/// # Errors
/// If the file is none that [`save`] makes, or one of a search with other settings, or cannot be read.
pub(super) fn load(path: &Path, settings: &Settings, table: &mut AnyTable) -> Result<Found> {
    let name = path.display().to_string();
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Found::Nothing),
        file => file.with_context(|| format!("cannot read `{name}`"))?,
    };
    let mut reader = Summed { stream: BufReader::with_capacity(1 << 16, file), sum: Checksum::default() };
    let mut line = || reader.line(MAX_HEADER).with_context(|| format!("cannot read `{name}`"));
    let (header, progress) = (line()?, line()?);
    let own = settings.header()?;
    let Some(found) = str::from_utf8(&header).ok().and_then(Header::parse) else {
        // The beginning of one, as of a disk that was full, is a damaged one; all else belongs to somebody.
        ensure!(
            own.line()?.as_bytes().starts_with(&header),
            "`{name}` is no state of `plumb-lab boards`: it begins otherwise, and is left alone"
        );
        return Ok(Found::Damaged("it is cut off".to_owned()));
    };
    own.ensure_same(&found, path, "--csv")?;
    let Ok(progress) = serde_json::from_slice::<Progress>(&progress) else {
        return Ok(Found::Damaged("it is cut off".to_owned()));
    };
    match load_words(reader, table) {
        Ok(true) => Ok(Found::State(progress)),
        result => {
            // What was loaded before the fault came to light need not be true.
            table.clear(1);
            match result {
                Ok(_) => Ok(Found::Damaged("its checksum is wrong".to_owned())),
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                    Ok(Found::Damaged("it is cut off".to_owned()))
                }
                Err(error) => Err(error).with_context(|| format!("cannot read `{name}`")),
            }
        }
    }
}

/// Loads the words; returns whether they have the checksum that follows them, and nothing comes after it.
fn load_words(mut reader: Summed<impl BufRead>, table: &mut AnyTable) -> io::Result<bool> {
    let mut bytes = vec![0; 8 * PIECE];
    let mut words = Vec::with_capacity(PIECE);
    for first in (0..table.entries()).step_by(PIECE) {
        let bytes = &mut bytes[..8 * PIECE.min(table.entries() - first)];
        reader.read_exact(bytes)?;
        words.clear();
        words.extend(bytes.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word)));
        table.load_words(first, &words);
    }
    let sum = reader.sum.finish();
    let mut found = [0; 8];
    reader.stream.read_exact(&mut found)?;
    let is_end = reader.stream.fill_buf()?.is_empty();
    Ok(is_end && u64::from_le_bytes(found) == sum)
}

/// A number that differs from version to version if the table means something else, or is filled otherwise: a checksum of
/// the table after some hundred nodes of the search of the empty board. It does not depend on the machine.
///
/// # Errors
/// If there is no memory for a table of 1 MB.
pub(super) fn fingerprint(board: Board) -> Result<String> {
    let table = AnyTable::new(board, 1).context("there is no memory for the table")?;
    // Asked every so many nodes, so that the search always ends at the same one.
    let asked = AtomicU32::new(0);
    let stop = StopFlag::with_signal(Arc::new(move || asked.fetch_add(1, Ordering::Relaxed) >= 40));
    // The answer does not matter, nor whether the board is so small that there is one.
    let _answer = AnySolver::new(&table).stop_flag(&stop).score(&Position::empty(board));
    let mut words = vec![0; table.entries()];
    table.copy_words(0, &mut words);
    let mut sum = Checksum::default();
    for word in words {
        sum.add(&word.to_le_bytes());
    }
    Ok(format!("{:016x}", sum.finish()))
}

/// A stream with the checksum of what has come through it.
struct Summed<S> {
    stream: S,
    sum: Checksum,
}

impl Summed<&mut BufWriter<File>> {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.add(bytes);
        self.stream.write_all(bytes)
    }
}

impl<S: BufRead> Summed<S> {
    fn read_exact(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.stream.read_exact(bytes)?;
        self.sum.add(bytes);
        Ok(())
    }

    /// A line of at most so many bytes, with its end; without one, if there is none.
    fn line(&mut self, most: u64) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        self.stream.by_ref().take(most).read_until(b'\n', &mut line)?;
        self.sum.add(&line);
        Ok(line)
    }
}

/// A checksum over words of eight bytes, in the manner of FNV-1a (Fowler, Noll and Vo), of which each piece is padded
/// with zeros to whole words.
///
/// Every step is invertible in the word and in the sum, so a change within one word always changes it.
struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Checksum {
    fn add(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        for &word in words {
            self.step(u64::from_le_bytes(word));
        }
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            self.step(u64::from_le_bytes(last));
        }
    }

    /// The rotation brings what a multiplication leaves in the upper bits back to the lower ones.
    fn step(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(23);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;

    fn board() -> Board {
        "5x5".parse().expect("a board")
    }

    fn empty_table() -> AnyTable {
        AnyTable::new(board(), 1).expect("one megabyte")
    }

    const PROGRESS: Progress =
        Progress { lower: -1, upper: 3, nodes: 12_345, cpu_seconds: 1.5, wall_seconds: 2.25, peak_mb: None };

    fn settings() -> Settings {
        let search = fingerprint(board()).expect("one megabyte");
        Settings { board: "5x5".to_owned(), hash: 1, search }
    }

    /// A file of this test's own, removed in the end.
    struct Place(PathBuf);

    impl Drop for Place {
        fn drop(&mut self) {
            let _left_behind = fs::remove_file(&self.0);
        }
    }

    fn place(name: &str) -> Place {
        Place(std::env::temp_dir().join(format!("plumb-boards-{name}-{}.state", std::process::id())))
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
        let place = place("whole");
        let table = solved();
        save(&place.0, &settings(), &PROGRESS, &table).expect("saved");
        let mut other = empty_table();
        let Ok(Found::State(found)) = load(&place.0, &settings(), &mut other) else { panic!("it is whole") };
        assert_eq!((found, words(&other)), (PROGRESS, words(&table)));
        fs::remove_file(&place.0).expect("removed");
        assert!(matches!(load(&place.0, &settings(), &mut other), Ok(Found::Nothing)));
    }

    #[test]
    fn no_entry_of_a_damaged_state_is_used() {
        let place = place("damaged");
        save(&place.0, &settings(), &PROGRESS, &solved()).expect("saved");
        let whole = fs::read(&place.0).expect("read");
        let settings = settings();
        let text = whole.iter().position(|&byte| byte == b'\n').expect("a line") + 1;
        let start = text + serde_json::to_string(&PROGRESS).expect("JSON").len() + 1;
        let changes: Vec<(usize, &str)> =
            [start, start + 7, start + 100_003, whole.len() - 9, whole.len() - 8, whole.len() - 1]
                .map(|at| (at, "its checksum is wrong"))
                .into();
        let mut damaged: Vec<(Vec<u8>, &str)> = Vec::new();
        for (at, said) in changes {
            let mut bytes = whole.clone();
            bytes[at] ^= 16;
            damaged.push((bytes, said));
        }
        for end in [0, 5, text - 1, whole.len() - 1, whole.len() - 8, whole.len() / 2, start] {
            damaged.push((whole[..end].to_vec(), "it is cut off"));
        }
        damaged.push((whole[..text].to_vec(), "it is cut off"));
        damaged.push((whole[..start - 2].to_vec(), "it is cut off"));
        damaged.push(([&whole[..], b"more"].concat(), "its checksum is wrong"));
        for (bytes, expected) in damaged {
            fs::write(&place.0, &bytes).expect("written");
            let mut table = empty_table();
            match load(&place.0, &settings, &mut table) {
                Ok(Found::Damaged(said)) => assert_eq!(said, expected, "{} bytes", bytes.len()),
                Ok(_) => panic!("{} bytes: expected {expected}", bytes.len()),
                Err(error) => panic!("{} bytes: {error}", bytes.len()),
            }
            assert!(table.is_ready() && words(&table).iter().all(|&word| word == 0));
        }
    }

    #[test]
    fn what_belongs_to_others_is_refused() {
        let place = place("foreign");
        let refused = |wanted: &Settings| {
            let mut table = empty_table();
            let Err(error) = load(&place.0, wanted, &mut table) else { panic!("it is another one") };
            assert!(words(&table).iter().all(|&word| word == 0));
            error.to_string()
        };
        fs::write(&place.0, "my diary\n").expect("written");
        assert!(refused(&settings()).contains("is no state of `plumb-lab boards`"));
        save(&place.0, &settings(), &PROGRESS, &solved()).expect("saved");
        assert!(
            refused(&Settings { hash: 2, ..settings() }).contains(": `hash`: recorded 1, given 2; remove it")
        );
        let other = Settings { board: "6x4".to_owned(), ..settings() };
        assert!(refused(&other).contains(": `board`: recorded 5x5, given 6x4; "));
        assert!(
            refused(&Settings { search: "0".to_owned(), ..settings() }).contains(": `search`: recorded ")
        );
    }

    #[test]
    fn a_fingerprint_is_the_same_each_time_and_another_for_another_board() {
        let of = |size: &str| fingerprint(size.parse().expect(size)).expect("one megabyte");
        let all = ["7x6", "5x5", "8x7", "8x8"].map(of);
        assert_eq!(all[0], of("7x6"));
        assert!((0..4).all(|one| (0..one).all(|other| all[one] != all[other])), "{all:?}");
    }
}
