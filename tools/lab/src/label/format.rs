//! The formats of files of positions.

use std::fmt;
use std::path::Path;

use clap::ValueEnum;

/// A format of a file of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Comma-separated values with a header.
    Csv,
    /// JSON Lines: an object on each line.
    Jsonl,
    /// Plain text: a position on each line.
    Text,
}

impl Format {
    /// The format that the extension of a file name stands for.
    pub(super) fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "csv" | "data" => Some(Self::Csv),
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            "txt" => Some(Self::Text),
            _ => None,
        }
    }
}

/// The name that the command line has.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Csv => "csv",
            Self::Jsonl => "jsonl",
            Self::Text => "text",
        })
    }
}
