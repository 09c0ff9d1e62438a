//! Command lines of engines.

use std::env;
use std::env::consts::EXE_SUFFIX;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::file::with_suffix;
use anyhow::{Context, Result, anyhow, bail, ensure};
use plumb_protocol::escaped;

/// Splits a command line, quoted as in a shell. A backslash escapes only a blank, a quote or a backslash, because
/// Windows paths contain backslashes.
pub fn split(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut open = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, open) {
            ('\'' | '"', None) => {
                open = Some(letter);
                word.get_or_insert_default();
            }
            (_, Some(quote)) if letter == quote => open = None,
            ('\\', None | Some('"')) => {
                let is_special =
                    |next: &char| matches!(next, '\\' | '"') || open.is_none() && matches!(next, ' ' | '\'');
                word.get_or_insert_default().push(letters.next_if(is_special).unwrap_or(letter));
            }
            (_, None) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    if open.is_some() {
        return Err(format!("the quotes in `{text}` are not closed"));
    }
    words.extend(word);
    Ok(words)
}

/// Joins words for [`split`]. Words with a comma get quotes, because commas separate `key=value` pairs.
pub fn join(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let is_special = |letter: char| letter.is_whitespace() || matches!(letter, '\'' | '"' | '\\' | ',');
    if !word.is_empty() && !word.contains(is_special) {
        return word.to_owned();
    }
    format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Command to start a program. A path is relative to `directory` or the current directory. A bare name is looked up on
/// `PATH`.
pub fn command(words: &[String], directory: Option<&Path>) -> Result<Command> {
    let (program, arguments) = words.split_first().context("the command is empty")?;
    if let Some(directory) = directory.filter(|directory| !directory.is_dir()) {
        bail!("dir: there is no directory `{}`", absolute(directory).display());
    }
    let hint = if arguments.is_empty() { "" } else { "; a path with blanks needs quotes" };
    let program = found(program, directory).map_err(|error| anyhow!("{error}{hint}"))?;
    let mut command = Command::new(program);
    command.args(arguments);
    if let Some(directory) = directory {
        command.current_dir(directory);
    }
    Ok(command)
}

fn is_program(path: &Path) -> bool {
    path.is_file() || with_suffix(path, EXE_SUFFIX).is_file()
}

fn found(program: &str, directory: Option<&Path>) -> Result<PathBuf> {
    let path = Path::new(program);
    if path.components().count() < 2 && !path.is_absolute() {
        let folders = env::var_os("PATH").unwrap_or_default();
        let is_there = env::split_paths(&folders).any(|folder| is_program(&folder.join(path)));
        ensure!(is_there || !path.is_dir(), "`{program}` is a directory, not a program");
        ensure!(is_there, "there is no program `{program}` on PATH");
        return Ok(path.to_owned());
    }
    let mut tried: Vec<_> = directory.iter().map(|directory| absolute(&directory.join(path))).collect();
    tried.push(absolute(path));
    tried.dedup();
    if let Some(found) = tried.iter().find(|path| is_program(path)) {
        return Ok(found.clone());
    }
    if let Some(directory) = tried.iter().find(|path| path.is_dir()) {
        bail!("`{}` is a directory, not a program", directory.display());
    }
    let tried: Vec<_> = tried.iter().map(|path| format!("`{}`", path.display())).collect();
    bail!("there is no program {}", tried.join(" and no "))
}

pub(super) fn start_error(program: &Path, error: &io::Error) -> String {
    let (shown, mut line) = (program.display(), Vec::new());
    let read =
        File::open(program).and_then(|file| BufReader::new(file.take(100)).read_until(b'\n', &mut line));
    if error.kind() == ErrorKind::NotFound && read.is_ok() && line.starts_with(b"#!") {
        let line = escaped(String::from_utf8_lossy(&line).trim_end_matches('\n'));
        return format!("`{shown}` exists, but the interpreter that its first line names does not: `{line}`");
    }
    format!("`{shown}`: {error}")
}

/// Path of `plumb` next to the running program, or else the bare name `plumb`.
pub(crate) fn plumb_program() -> String {
    let name = format!("plumb{EXE_SUFFIX}");
    let beside = env::current_exe().ok().map(|path| path.with_file_name(&name));
    let found =
        beside.filter(|path| path.is_file()).and_then(|path| path.into_os_string().into_string().ok());
    found.unwrap_or(name)
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_as_in_a_shell() {
        for (text, expected) in [
            ("", &[][..]),
            ("  plumb  --quiet ", &["plumb", "--quiet"]),
            ("\"/opt/my engines/plumb\" -x", &["/opt/my engines/plumb", "-x"]),
            ("'/opt/my engines/plumb' --name=\"a b\"", &["/opt/my engines/plumb", "--name=a b"]),
            (r"/opt/my\ engines/plumb \'a\' \\", &["/opt/my engines/plumb", "'a'", r"\"]),
            (r#""say \"yes\"" 'a\b' "it's""#, &[r#"say "yes""#, r"a\b", "it's"]),
            (r"C:\engines\plumb.exe ''", &[r"C:\engines\plumb.exe", ""]),
        ] {
            assert_eq!(split(text).expect("closed quotes"), expected, "{text}");
        }
        for text in ["\"plumb", "plumb 'a", "plumb \"a\\\""] {
            let error = split(text).expect_err("open quotes");
            assert_eq!(error, format!("the quotes in `{text}` are not closed"));
        }
    }

    #[test]
    fn joined_words_are_split_again() {
        for words in [&["plumb", "--quiet"][..], &["/my engines/plumb", "", "it's", r#"a\"b\"#, "x\ty"]] {
            let words: Vec<_> = words.iter().map(|&word| word.to_owned()).collect();
            assert_eq!(split(&join(&words)), Ok(words));
        }
        assert_eq!(join(&["plumb".to_owned(), "--quiet".to_owned()]), "plumb --quiet");
    }

    #[test]
    fn a_program_that_is_not_there_is_named_with_the_paths_tried() {
        let refused = |program: &str, directory: Option<&Path>| {
            command(&[program.to_owned()], directory).expect_err("it is not there").to_string()
        };
        assert_eq!(refused("no-such-engine", None), "there is no program `no-such-engine` on PATH");
        assert_eq!(refused("/no/such/engine", None), "there is no program `/no/such/engine`");
        let several = command(&["/no/such".to_owned(), "engine".to_owned()], None).expect_err("not there");
        assert_eq!(several.to_string(), "there is no program `/no/such`; a path with blanks needs quotes");
        let (here, there) = (env::current_dir().expect("a directory"), env::temp_dir());
        let tried = [there.join("./no-engine"), here.join("no-engine")].map(|path| absolute(&path));
        let both = format!("there is no program `{}` and no `{}`", tried[0].display(), tried[1].display());
        assert_eq!(refused("./no-engine", Some(&there)), both);
        let folder = there.to_str().expect("a path");
        assert!(refused(folder, None).ends_with("` is a directory, not a program"));
        let said = refused("plumb", Some(Path::new("/no/such")));
        assert!(said.starts_with("dir: there is no directory `/no/such`"), "{said}");
    }
}
