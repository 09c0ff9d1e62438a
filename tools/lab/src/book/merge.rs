//! `plumb-lab book merge`: joins part files into an opening book.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use plumb::board::Bits;
use plumb::book::{self, Book, BookBoard, ExtensionEntries, LayerEntries, board_of};

use super::file;
use super::layer::{self, BookPosition, Scores, layer_before};
use super::lines::{self, Columns, steps};
use super::part::{ReadPart, What};
use crate::output::{print, read_if_there, replace};
use crate::result_files::{Shards, take_lock};

/// Number of plies between two layers of a book that a search bridges quickly.
const EASY_PLIES: u32 = 4;

/// Merge part files into a book.
///
/// A book needs all shards of the scores. Moves and lines are optional. The scores of layers with fewer stones follow
/// from the parts. By default the book also has all layers with at least four stones fewer than the parts.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Part files of `build`.
    #[arg(required = true, value_name = "PART")]
    parts: Vec<PathBuf>,
    /// Numbers of stones of further layers, which have fewer stones than the parts.
    #[arg(long, value_name = "N,N…", value_delimiter = ',')]
    layers: Option<Vec<u32>>,
    /// File of the merged book.
    #[arg(long, value_name = "F")]
    out: PathBuf,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let (mut scores, mut moves, mut lines) = (Scores::new(), HashMap::new(), HashMap::new());
    let (mut first, mut from) = (None, None);
    let mut time = Duration::ZERO;
    let out = &arguments.out;
    let _lock = take_lock(out, "--out")?;
    // Refuse to overwrite a file that is not a book, such as a part file that took hours.
    let is_other = out.is_file() && read_if_there(out)?.is_some_and(|file| board_of(&file).is_err());
    ensure!(!is_other, "`{}` is not a book; give another `--out`", out.display());
    let mut runs: BTreeMap<What, Vec<_>> = BTreeMap::new();
    for path in &arguments.parts {
        let name = path.display();
        let part = ReadPart::read(path)?;
        let (board, plies) = *first.get_or_insert((part.board, part.plies));
        if (part.board, part.plies) != (board, plies) {
            let (other_board, other) = (part.board, part.plies);
            bail!("`{name}` is about {other_board} with {other} stones, not {board} with {plies}");
        }
        runs.entry(part.what).or_default().push((path.clone(), part.header.clone()));
        let spent = match part.what {
            What::Scores => take(&part, &mut scores),
            What::Moves => take(&part, &mut moves),
            What::Lines(stones) => {
                ensure!(
                    *from.get_or_insert(stones) == stones,
                    "`{name}` has lines from {stones} stones, another part has others"
                );
                take(&part, &mut lines)
            }
        };
        time = time.saturating_add(spent?);
    }
    for (what, parts) in runs {
        Shards::of_run(parts).with_context(|| format!("the parts with {what}"))?;
    }
    let (board, plies) = first.context("there is no part")?;
    // The block frees the positions, about a gigabyte, before it makes the other layers.
    {
        let mut positions = layer::positions(board, plies);
        ensure_complete(&positions, &scores, What::Scores)?;
        let has_others = scores.len() > positions.len();
        ensure!(
            !has_others,
            "the parts have positions that are not positions of {board} with {plies} stones"
        );
        if !moves.is_empty() {
            positions.retain(|position| position.non_losing_moves().has_several());
            ensure_complete(&positions, &moves, What::Moves)?;
        }
    }
    let wanted = match &arguments.layers {
        Some(layers) => layers.clone(),
        None => (0..(plies + 1).saturating_sub(EASY_PLIES)).collect(),
    };
    if let Some(layer) = wanted.iter().find(|&&layer| layer >= plies) {
        bail!("a layer of {layer} stones does not follow from one of {plies}");
    }
    let extension = from.map(|from| line_entries(board, from, &lines, plies)).transpose()?;
    let mut layers = vec![LayerEntries { plies, scores: sorted(&scores), moves: sorted(&moves) }];
    let least = wanted.iter().copied().min().unwrap_or(plies);
    for plies in (least..plies).rev() {
        scores = layer_before(board, plies, &scores)?;
        if wanted.contains(&plies) {
            layers.push((plies, sorted(&scores)).into());
        }
    }
    let unfit = "these layers do not fit into a book";
    if let Some(from) = from {
        ensure!(!layers[0].moves.is_empty(), "lines need moves: there are none in the parts");
        let file = book::write_on(board, layers.clone(), None).context(unfit)?;
        let book = Book::open(file.into())?;
        let beginnings = lines::beginnings(&book, from, plies)?;
        ensure_complete(&beginnings, &lines, What::Lines(from))?;
    }
    let bytes = book::write_on(board, layers, extension.as_ref()).context(unfit)?;
    replace(out, |file| file.write_all(&bytes))?;
    print(format_args!("the parts took {:.1} s of CPU, as far as they tell", time.as_secs_f64()))?;
    let book = file::open(Some(out))?;
    file::rows(&book).iter().try_for_each(|row| print(format_args!("{row}")))?;
    print(format_args!("{}: {} bytes", out.display(), bytes.len()))
}

fn take<V: FromStr + PartialEq>(part: &ReadPart<'_>, all: &mut HashMap<u64, V>) -> Result<Duration> {
    let (entries, time) = part.content()?;
    let (name, what) = (part.path.display(), part.what);
    insert(all, entries).map_err(|key| anyhow!("`{name}`: the position of key {key:x} has two {what}"))?;
    Ok(time)
}

fn insert<V: PartialEq>(
    all: &mut HashMap<u64, V>,
    entries: impl IntoIterator<Item = (u64, V)>,
) -> Result<(), u64> {
    entries.into_iter().try_for_each(|(key, value)| match all.entry(key) {
        Entry::Occupied(known) if *known.get() != value => Err(key),
        entry => {
            entry.or_insert(value);
            Ok(())
        }
    })
}

fn ensure_complete<V>(positions: &[BookPosition], entries: &HashMap<u64, V>, what: What) -> Result<()> {
    let count = positions.len();
    let missing = positions.iter().filter(|position| !entries.contains_key(&position.key())).count();
    let missed = match what {
        What::Scores => format!("{missing} of {count} positions"),
        What::Moves => format!("the moves of {missing} of {count} positions"),
        What::Lines(from) => format!("{missing} of {count} lines from {from} stones"),
    };
    ensure!(missing == 0, "{missed} are in none of the parts");
    Ok(())
}

fn line_entries(
    board: BookBoard,
    from: u32,
    lines: &HashMap<u64, Columns>,
    plies: u32,
) -> Result<ExtensionEntries> {
    let mut moves = HashMap::new();
    for (key, line) in sorted(lines) {
        let steps = layer::position(board, key, plies).and_then(|position| steps(position, &line));
        let steps =
            steps.with_context(|| format!("`{line}` is not a line from the position of key {key:x}"))?;
        let entries = steps.iter().map(|(position, column)| lines::entry(position, *column));
        insert(&mut moves, entries)
            .map_err(|key| anyhow!("the position of key {key:x} has two moves on lines"))?;
    }
    Ok(ExtensionEntries { from, moves: sorted(&moves) })
}

/// Entries sorted by key, because the book must not depend on the order of the parts.
fn sorted<V: Clone>(entries: &HashMap<u64, V>) -> Vec<(u64, V)> {
    let mut entries: Vec<_> = entries.iter().map(|(&key, value)| (key, value.clone())).collect();
    entries.sort_unstable_by_key(|&(key, _)| key);
    entries
}
