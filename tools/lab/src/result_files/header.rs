//! Header of a result file: everything on which the results depend.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use plumb::VERSION;
use plumb_arena::file::sha256_of_file;
use plumb_arena::record::file::unknown_field;
use plumb_arena::shard::Shard;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::output::{has_contents, read_if_there, replace, with_suffix};

/// Header of a file of results: a line of JSON at the top of the file, or a sidecar, `FILE.header`. Unknown fields are errors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Command that made the results.
    pub kind: String,
    program: String,
    /// Size of the board, or `None` for several boards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    #[serde(default, skip_serializing_if = "Shard::is_whole")]
    pub(crate) shard: Shard,
    /// Number of rows of the complete shard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub results: Option<u64>,
    /// Size of the complete file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// SHA-256 of the input files by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    inputs: BTreeMap<String, String>,
    /// Settings of the command. Empty if the rows have the settings.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    settings: Map<String, Value>,
}

const SHOWN_DIGITS: usize = 12;

impl Header {
    /// A header without settings, of an undivided run.
    pub fn new(kind: &str) -> Self {
        let program = format!("plumb-lab {VERSION}");
        Self { kind: kind.to_owned(), program, ..Self::default() }
    }

    /// Sets the board.
    pub fn on_board(self, size: impl Display) -> Self {
        Self { board: Some(size.to_string()), ..self }
    }

    /// Sets the shard and its number of rows.
    pub fn of_shard(self, shard: Shard, results: usize) -> Self {
        Self { shard, results: Some(results as u64), ..self }
    }

    pub(super) fn of_whole(self) -> Self {
        Self { shard: Shard::WHOLE, results: None, bytes: None, ..self }
    }

    /// Sets the settings: a structure or a JSON object.
    pub fn with_settings(self, settings: &impl Serialize) -> Result<Self> {
        let settings = serde_json::to_value(settings)?.as_object().cloned().unwrap_or_default();
        Ok(Self { settings, ..self })
    }

    /// Adds input files. Pipes cannot be read twice, so their contents are not compared.
    pub fn with_inputs<'a>(mut self, paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<Self> {
        for path in paths {
            let hash = if path.is_file() {
                sha256_of_file(path).with_context(|| format!("cannot read `{}`", path.display()))?
            } else {
                "not a file".to_owned()
            };
            let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
            self.inputs.insert(name, hash);
        }
        Ok(self)
    }

    pub(crate) fn settings<S: DeserializeOwned>(&self) -> Result<S> {
        let settings = serde_json::from_value(Value::Object(self.settings.clone()));
        settings.map_err(|error| match unknown_field(&error, &self.program) {
            Some(fault) => anyhow!(fault),
            None => anyhow!(error)
                .context(format!("the header has other settings than `plumb-lab {}`", self.kind)),
        })
    }

    /// Reads a header line. `None` if the line is not a header.
    pub(crate) fn parse(line: &[u8]) -> Result<Option<Self>> {
        #[derive(Deserialize)]
        struct Origin {
            program: String,
        }
        let error = match serde_json::from_slice(line) {
            Ok(header) => return Ok(Some(header)),
            Err(error) => error,
        };
        let Ok(Origin { program }) = serde_json::from_slice(line) else { return Ok(None) };
        unknown_field(&error, &program).map_or(Ok(None), |fault| bail!(fault))
    }

    pub(crate) fn line(&self) -> Result<String> {
        Ok(serde_json::to_string(self)?)
    }

    /// Refuses `found`, the header of `file`, if it describes another run. `flag` is the option that names the file.
    pub(crate) fn ensure_same(&self, found: &Self, file: &Path, flag: &str) -> Result<()> {
        let name = file.display();
        ensure!(
            found.kind == self.kind,
            "`{name}` has results of `plumb-lab {}`, not of `plumb-lab {}`; give another `{flag}`",
            found.kind,
            self.kind
        );
        let differences = self.differences(found, |there, here| format!("recorded {there}, given {here}"));
        let is_other_shard = !found.shard.is_whole() && found.shard != self.shard;
        let remedy = if is_other_shard { "each shard needs" } else { "remove it or give" };
        ensure!(
            differences.is_empty(),
            "`{name}` has other settings: {differences}; {remedy} another `{flag}`"
        );
        Ok(())
    }

    /// Lists the differences from `found`. `describe` gets the value in `found`, then the value in `self`.
    pub(super) fn differences(&self, found: &Self, describe: impl Fn(&str, &str) -> String) -> String {
        let has_settings = !self.settings.is_empty() && !found.settings.is_empty();
        let [there, here] = [found, self].map(|header| header.facts(has_settings));
        let names: BTreeSet<_> = there.keys().chain(here.keys()).collect();
        let mut differences = Vec::new();
        for name in names {
            let [there, here] = [&there, &here].map(|facts| facts.get(name).map_or("none", String::as_str));
            if there != here {
                differences.push(format!("{name}: {}", describe(there, here)));
            }
        }
        differences.join("; ")
    }

    fn facts(&self, has_settings: bool) -> BTreeMap<String, String> {
        let mut facts = BTreeMap::from([("program".to_owned(), self.program.clone())]);
        facts.extend(self.board.iter().map(|board| ("`board`".to_owned(), board.clone())));
        if !self.shard.is_whole() {
            facts.insert("`shard`".to_owned(), self.shard.to_string());
        }
        if has_settings {
            facts.extend(self.inputs.iter().map(|(name, hash)| {
                let digits = hash.get(..SHOWN_DIGITS).unwrap_or(hash);
                (format!("contents of `{name}`"), format!("SHA-256 {digits}…"))
            }));
            let settings = self.settings.iter().filter(|(_, value)| !value.is_null());
            facts.extend(
                settings.map(|(name, value)| (format!("`{}`", name.replace('_', "-")), shown(value))),
            );
        }
        facts
    }

    pub(crate) fn find(file: &Path) -> Result<Option<Self>> {
        let path = sidecar(file);
        let Some(line) = read_if_there(&path)? else { return Ok(None) };
        let header = Self::parse(&line).with_context(|| format!("`{}`", path.display()))?;
        ensure!(header.is_some(), "`{}`: expected the header of results", path.display());
        Ok(header)
    }

    pub(crate) fn write(&self, file: &Path) -> Result<()> {
        let line = self.line()?;
        replace(&sidecar(file), |out| writeln!(out, "{line}"))
    }

    /// If `file` has a sidecar, `FILE.header`, compares it with this header. Otherwise writes it, and refuses a `file`
    /// with contents.
    pub(crate) fn begin(&self, file: &Path, flag: &str) -> Result<()> {
        if let Some(found) = Self::find(file)? {
            return self.ensure_same(&found, file, flag);
        }
        let is_free = !has_contents(file);
        ensure!(is_free, "`{}` has no header of results; give another `{flag}`", file.display());
        self.write(file)
    }

    pub(crate) fn remove(file: &Path) -> Result<()> {
        remove_if_there(&sidecar(file))
    }

    /// Refuses to overwrite the results of a shard.
    pub(crate) fn ensure_no_shard(file: &Path, flag: &str) -> Result<()> {
        let shard = Self::find(file)?.map_or(Shard::WHOLE, |header| header.shard);
        ensure!(shard.is_whole(), "`{}` is shard {shard} of a run: give another `{flag}`", file.display());
        Ok(())
    }
}

pub(super) fn sidecar(file: &Path) -> PathBuf {
    with_suffix(file, ".header")
}

/// Removes a file, if it exists.
pub fn remove_if_there(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove `{}`", path.display()))
        }
        _ => Ok(()),
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(shown).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_setting_that_differs_is_named() {
        let directory = crate::result_files::tests::Directory::new("header");
        let input = directory.file("a.txt", "44\n");
        let settings = |hash: Option<u32>| json!({ "hash": hash, "out_format": ["a", "b"] });
        let header = |hash| {
            let header = Header::new("suite").on_board("7x6").with_settings(&settings(hash))?;
            header.with_inputs([&input])
        };
        let one = header(Some(16)).expect("a header");
        let line = one.line().expect("JSON");
        assert_eq!(Header::parse(line.as_bytes()).expect("known"), Some(one.clone()));
        let refused = |other: &Header, given: &Header| {
            given.ensure_same(other, Path::new("out.csv"), "--csv").expect_err("it differs").to_string()
        };
        one.ensure_same(&header(Some(16)).expect("a header"), &input, "--csv").expect("the same");
        assert_eq!(
            refused(&one, &header(Some(64)).expect("a header")),
            "`out.csv` has other settings: `hash`: recorded 16, given 64; remove it or give another `--csv`"
        );
        std::fs::write(&input, "45\n").expect("written");
        let other = header(None).expect("a header").on_board("5x4");
        let other = other.of_shard("2/3".parse().expect("a shard"), 5);
        assert_eq!(
            refused(&other, &one),
            "`out.csv` has other settings: `board`: recorded 5x4, given 7x6; `hash`: recorded none, given 16; \
             `shard`: recorded 2/3, given none; contents of `a.txt`: recorded SHA-256 420002158111…, given SHA-256 \
             b1ce0aa6fdf3…; each shard needs another `--csv`"
        );
        assert_eq!(
            refused(&Header::new("boards"), &one),
            "`out.csv` has results of `plumb-lab boards`, not of `plumb-lab suite`; give another `--csv`"
        );
        // A header without settings fits, because the rows have the settings.
        one.ensure_same(&Header::new("suite").on_board("7x6"), &input, "--csv").expect("the same");
    }
}
