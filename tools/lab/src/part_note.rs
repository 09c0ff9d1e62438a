//! The note beside the results of a shard: what they are a part of, so that `merge` puts together only what belongs
//! together, and names what is missing.
//!
//! The results of a shard in `FILE` have their note in `FILE.shard`, a JSON object. It is written before the first
//! result, or where results get their name only when all of them are there, right before that.

use std::fs;
use std::io::{ErrorKind, Write};
use std::iter;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use plumb::board::BoardSize;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::output;
use crate::results::Shard;

/// What the results of a shard are a part of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PartNote {
    /// The command that made them.
    pub command: String,
    /// The program's version.
    version: String,
    pub shard: Shard,
    /// How many results the shard has when it is complete.
    pub results: u64,
    /// The size of the file in bytes when it is complete, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// The settings on which the results depend, by name.
    pub settings: Map<String, Value>,
}

impl PartNote {
    /// The note of a shard with so many `results` of `command`.
    pub(crate) fn new(command: &str, shard: Shard, results: usize, settings: Map<String, Value>) -> Self {
        let (command, version) = (command.to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        Self { command, version, shard, results: results as u64, bytes: None, settings }
    }

    /// Writes the note of `file`, or, where there is one, checks that it is the same.
    ///
    /// # Errors
    /// The settings that differ; or that there are results without a note; or that it cannot be written.
    pub(crate) fn begin(&self, file: &Path) -> Result<()> {
        let path = path_of(file);
        let name = file.display();
        if path.exists() {
            let found = Self::read(file)?;
            let differences = differences(&found.comparable()?, &self.comparable()?);
            ensure!(
                differences.is_empty(),
                "`{name}` was begun with other settings: {differences}; remove it and `{}` to begin anew",
                path.display()
            );
            return Ok(());
        }
        let is_empty = fs::metadata(file).map_or(true, |metadata| metadata.len() == 0);
        ensure!(is_empty, "`{name}` is there already, and is no shard: give another name, or no `--shard`");
        self.write(file)
    }

    /// Writes the note of `file` in place of one that is there.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn write(&self, file: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        output::replace(&path_of(file), |out| out.write_all(text.as_bytes()))
    }

    /// Reads the note of `file`.
    ///
    /// # Errors
    /// If there is none, or it is malformed.
    fn read(file: &Path) -> Result<Self> {
        let path = path_of(file);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => bail!(
                "`{}` is no shard: there is no `{}`, which a run with `--shard` leaves",
                file.display(),
                path.display()
            ),
            text => text.with_context(|| format!("cannot read `{}`", path.display()))?,
        };
        let note = serde_json::from_str(&text);
        note.with_context(|| format!("`{}`: expected the note of a shard", path.display()))
    }

    /// All that must be equal if the same shard goes on.
    fn comparable(&self) -> Result<Map<String, Value>> {
        let mut all = self.common()?;
        all.insert("shard".to_owned(), serde_json::to_value(self.shard)?);
        all.insert("results".to_owned(), self.results.into());
        Ok(all)
    }

    /// All that must be equal in the shards of one run.
    fn common(&self) -> Result<Map<String, Value>> {
        let mut all = self.settings.clone();
        all.insert("command".to_owned(), serde_json::to_value(&self.command)?);
        all.insert("version".to_owned(), serde_json::to_value(&self.version)?);
        Ok(all)
    }
}

/// The path of the note of the results in `file`.
fn path_of(file: &Path) -> PathBuf {
    output::with_suffix(file, ".shard")
}

/// Removes the note of `file`, which is no shard's any more.
///
/// # Errors
/// If it is there and cannot be removed.
pub(crate) fn remove(file: &Path) -> Result<()> {
    let path = path_of(file);
    match fs::remove_file(&path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove `{}`", path.display()))
        }
        _ => Ok(()),
    }
}

/// Checks that `file`, which a run without `--shard` is to write, is not a shard's.
///
/// # Errors
/// If it is.
pub(crate) fn ensure_whole(file: &Path) -> Result<()> {
    let path = path_of(file);
    let (name, note) = (file.display(), path.display());
    ensure!(!path.exists(), "`{name}` is a shard, by `{note}`: give its `--shard`, or another name");
    Ok(())
}

/// The name of the board among the settings of a command that takes one. It is left out for 7x6.
const BOARD: &str = "board";

/// The settings in `here` that are others in `there`, the board first, as a list for people; empty if there are none.
pub(crate) fn differences(there: &Map<String, Value>, here: &Map<String, Value>) -> String {
    let standard = BoardSize::STANDARD.to_string().into();
    let value = |settings: &Map<String, Value>, key: &str| match settings.get(key) {
        Some(value) => value.clone(),
        None if key == BOARD => Value::clone(&standard),
        None => Value::Null,
    };
    let differs = |key: &str| {
        let (there, here) = (value(there, key), value(here, key));
        (there != here).then(|| format!("{}: {there} there, {here} here", key.replace('_', "-")))
    };
    let others = here.keys().map(String::as_str).filter(|&key| key != BOARD);
    iter::once(BOARD).chain(others).filter_map(differs).collect::<Vec<_>>().join("; ")
}

/// The shards of one run, all of them, in order.
#[derive(Debug)]
pub(crate) struct Parts(Vec<(PathBuf, PartNote)>);

impl Parts {
    /// Reads the notes of the results of `command` in `files`.
    ///
    /// # Errors
    /// If one is no shard, they are not shards of one run, two are the same, or some are missing.
    pub(crate) fn read(command: &str, files: &[PathBuf]) -> Result<Self> {
        let read = |file: &PathBuf| Ok((file.clone(), PartNote::read(file)?));
        let mut parts = files.iter().map(read).collect::<Result<Vec<_>>>()?;
        let Some((first, note)) = parts.first() else { bail!("there is nothing to merge") };
        for (file, other) in &parts {
            let name = file.display();
            ensure!(
                other.command == command,
                "`{name}` is a shard of `plumb-lab {}`, not of `plumb-lab {command}`",
                other.command
            );
            let mut differences = differences(&note.common()?, &other.common()?);
            if differences.is_empty() && !note.shard.is_of_as_many(other.shard) {
                differences = format!("shard: {} there, {} here", note.shard, other.shard);
            }
            ensure!(
                differences.is_empty(),
                "`{}` and `{name}` are no shards of one run: {differences}",
                first.display()
            );
        }
        parts.sort_by_key(|(_, note)| note.shard.number());
        if let Some(pair) = parts.windows(2).find(|pair| pair[0].1.shard == pair[1].1.shard) {
            let [one, other] = [&pair[0].0, &pair[1].0].map(|file| file.display());
            bail!("`{one}` and `{other}` are both shard {}", pair[0].1.shard);
        }
        let shards: Vec<_> = parts.iter().map(|(_, note)| note.shard).collect();
        Shard::missing(&shards).map_or(Ok(Self(parts)), |missing| bail!("{missing}"))
    }

    /// The files with their notes.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Path, &PartNote)> {
        self.0.iter().map(|(file, note)| (file.as_path(), note))
    }

    /// The settings that all have in common.
    pub(crate) fn settings(&self) -> &Map<String, Value> {
        &self.0[0].1.settings
    }

    /// The lines of all files after `heading`, in the order of the shards, each as `parse` reads it.
    ///
    /// # Errors
    /// If a shard is not complete, or a file is malformed.
    pub(crate) fn lines<T>(&self, heading: &str, parse: impl Fn(&str) -> Result<T>) -> Result<Vec<T>> {
        let mut all = Vec::new();
        for (file, note) in self.iter() {
            let name = file.display();
            let text = fs::read_to_string(file).with_context(|| format!("cannot read `{name}`"))?;
            // A last line that was broken off is none.
            let whole = text.rfind('\n').map_or("", |end| &text[..end]);
            let mut lines = whole.lines();
            let found = lines.next().unwrap_or_default();
            ensure!(found == heading, "`{name}`: it begins with `{found}`, expected `{heading}`");
            let before = all.len();
            for (line, number) in lines.zip(2..) {
                all.push(parse(line).with_context(|| format!("{name}:{number}"))?);
            }
            let (count, results, shard) = ((all.len() - before) as u64, note.results, note.shard);
            ensure!(
                count == results,
                "`{name}` is not complete: shard {shard} has {count} of {results} results, and the same command finds \
                 the rest"
            );
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A directory of this test's own, removed in the end.
    struct Directory(PathBuf);

    impl Drop for Directory {
        fn drop(&mut self) {
            let _left_behind = fs::remove_dir_all(&self.0);
        }
    }

    fn directory(name: &str) -> Directory {
        let path = std::env::temp_dir().join(format!("plumb-part-note-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("it can be made");
        Directory(path)
    }

    fn note(shard: &str, results: usize, hash: u32) -> PartNote {
        let settings = json!({ "hash": hash }).as_object().cloned().expect("an object");
        PartNote::new("suite", shard.parse().expect("a shard"), results, settings)
    }

    #[test]
    fn a_shard_goes_on_with_the_same_settings_only() {
        let directory = directory("begin");
        let file = directory.0.join("part.csv");
        note("1/2", 3, 64).begin(&file).expect("a new one");
        note("1/2", 3, 64).begin(&file).expect("the same");
        let refused = |other: PartNote| other.begin(&file).expect_err("another").to_string();
        let text = refused(note("2/2", 3, 16));
        assert!(text.contains("hash: 64 there, 16 here; shard: \"1/2\" there, \"2/2\" here;"), "{text}");
        assert!(ensure_whole(&file).expect_err("a shard").to_string().contains("is a shard, by"));
        let other = directory.0.join("whole.csv");
        fs::write(&other, "a\n").expect("written");
        let text = note("1/2", 3, 64).begin(&other).expect_err("no shard").to_string();
        assert!(text.contains("is there already, and is no shard"), "{text}");
        ensure_whole(&other).expect("no shard");
    }

    #[test]
    fn a_board_that_is_not_named_is_the_standard_one() {
        let settings = |value: Value| value.as_object().cloned().expect("an object");
        let (standard, other) = (settings(json!({ "a": 1 })), settings(json!({ "a": 2, "board": "5x4" })));
        assert_eq!(differences(&standard, &other), "board: \"7x6\" there, \"5x4\" here; a: 1 there, 2 here");
        assert_eq!(differences(&other, &standard), "board: \"5x4\" there, \"7x6\" here; a: 2 there, 1 here");
        assert_eq!(differences(&other, &other), "");
        assert_eq!(differences(&standard, &standard), "");
    }

    #[test]
    fn only_all_shards_of_one_run_are_put_together() {
        let directory = directory("merge");
        let part = |name: &str, note: PartNote, text: &str| {
            let file = directory.0.join(name);
            fs::write(&file, text).expect("written");
            note.write(&file).expect("written");
            file
        };
        let one = part("one", note("1/2", 2, 64), "n\n1\n2\n");
        let two = part("two", note("2/2", 1, 64), "n\n3\n4");
        let read = |files: &[&PathBuf]| {
            Parts::read("suite", &files.iter().map(|&file| file.clone()).collect::<Vec<_>>())
        };
        let parse = |line: &str| Ok(line.parse::<u32>()?);
        let parts = read(&[&two, &one]).expect("both");
        assert_eq!(parts.lines("n", parse).expect("whole, but for a line that was broken off"), [1, 2, 3]);
        let refused = |files: &[&PathBuf]| read(files).expect_err("refused").to_string();
        assert_eq!(refused(&[&two]), "shard 1/2 is missing");
        assert_eq!(refused(&[]), "there is nothing to merge");
        assert!(refused(&[&one, &one]).ends_with("are both shard 1/2"));
        let other = part("other", note("2/2", 1, 16), "n\n3\n");
        assert!(refused(&[&one, &other]).ends_with("no shards of one run: hash: 64 there, 16 here"));
        let other = part("other", note("2/3", 1, 64), "n\n3\n");
        assert!(refused(&[&one, &other]).ends_with("no shards of one run: shard: 1/2 there, 2/3 here"));
        let foreign = directory.0.join("foreign");
        assert!(refused(&[&one, &foreign]).contains("foreign` is no shard: there is no `"));
        assert!(
            Parts::read("boards", std::slice::from_ref(&one))
                .expect_err("another command")
                .to_string()
                .contains("a shard of")
        );

        let short = part("two", note("2/2", 2, 64), "n\n3\n");
        let text = read(&[&one, &short]).expect("both").lines("n", parse).expect_err("one is missing");
        assert!(text.to_string().contains("is not complete: shard 2/2 has 1 of 2 results"), "{text}");
    }
}
