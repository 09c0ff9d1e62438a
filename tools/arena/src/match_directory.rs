//! The directory of a match: its games as JSON lines and as PGN, and its report.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::pgn::to_pgn;
use crate::record::file::{self, Writer};
use crate::record::{GameRecord, MatchHeader};
use crate::report::{EloPoint, EloSeries, Report, SprtPath, StandingsRow};
use crate::statistics::sprt::Sprt;
use crate::tally::Tally;

/// Points of a curve in the report, at most.
const MAX_POINTS: usize = 500;

/// The file with the games.
const RECORD: &str = "match.jsonl";

/// The directory of a match.
pub struct MatchDirectory {
    directory: PathBuf,
    header: MatchHeader,
    games: Vec<GameRecord>,
    writer: Writer<File>,
}

/// A match that was found in a directory.
pub struct SavedMatch {
    /// The first line of the record.
    pub header: MatchHeader,
    /// The games, in the order in which they ended.
    pub games: Vec<GameRecord>,
    /// The record, up to its last whole line.
    text: Vec<u8>,
}

impl SavedMatch {
    /// The match in `directory`; `None` if there is none, or not even its first line is complete.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub fn find(directory: &Path) -> Result<Option<Self>> {
        let shown = record_of(directory);
        let mut text = match fs::read(&shown) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("cannot read `{}`", shown.display())),
        };
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        text.truncate(whole);
        if whole == 0 {
            return Ok(None);
        }
        let record = file::read(text.as_slice()).with_context(|| format!("`{}`", shown.display()))?;
        Ok(Some(Self { header: record.header, games: record.games, text }))
    }

    /// The match in `directory`.
    ///
    /// # Errors
    /// If there is none, or the record cannot be read.
    pub fn read(directory: &Path) -> Result<Self> {
        Self::find(directory)?
            .with_context(|| format!("cannot read `{}`: there is no match", record_of(directory).display()))
    }

    /// Replaces the header of the record at `path`, atomically.
    fn rewrite(&self, path: &Path, header: &MatchHeader) -> Result<()> {
        let games =
            self.text.iter().position(|&byte| byte == b'\n').map_or(&[][..], |end| &self.text[end + 1..]);
        let new = path.with_extension("jsonl.new");
        let mut file = File::create(&new)?;
        Writer::new(&mut file, header)?;
        file.write_all(games)?;
        file.sync_all()?;
        Ok(fs::rename(&new, path)?)
    }
}

/// The path of the record in `directory`.
#[must_use]
pub fn record_of(directory: &Path) -> PathBuf {
    directory.join(RECORD)
}

impl MatchDirectory {
    /// Begins a match in `directory`, where there is none.
    ///
    /// # Errors
    /// If the files cannot be written.
    pub fn begin(directory: &Path, header: MatchHeader) -> Result<Self> {
        let name = directory.display();
        fs::create_dir_all(directory).with_context(|| format!("cannot make the directory `{name}`"))?;
        let path = record_of(directory);
        let file = File::create(&path).with_context(|| format!("cannot open `{}`", path.display()))?;
        let writer = Writer::new(file, &header)?;
        Ok(Self { directory: directory.to_owned(), header, games: Vec::new(), writer })
    }

    /// Resumes a match found in `directory`, with a new `header` that differs at most by more rounds or a test.
    ///
    /// # Errors
    /// If the files cannot be written.
    pub fn resume(directory: &Path, header: MatchHeader, found: SavedMatch) -> Result<Self> {
        let path = record_of(directory);
        let shown = path.display();
        let MatchHeader { program, started, .. } = found.header.clone();
        let header = MatchHeader { program, started, ..header };
        if header != found.header {
            found.rewrite(&path, &header).with_context(|| format!("cannot write `{shown}`"))?;
        }
        let file = fs::OpenOptions::new().append(true).open(&path);
        let file = file.with_context(|| format!("cannot open `{shown}`"))?;
        if header == found.header {
            file.set_len(found.text.len() as u64).with_context(|| format!("cannot write to `{shown}`"))?;
        }
        let writer = Writer::resume(file);
        Ok(Self { directory: directory.to_owned(), header, games: found.games, writer })
    }

    /// Adds a game and writes it at once.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, game: GameRecord) -> Result<()> {
        self.writer.append(&game)?;
        self.games.push(game);
        Ok(())
    }

    /// Writes the PGN and the report.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn finish(mut self, tally: &Tally, sprt: Option<&Sprt>) -> Result<()> {
        self.games.sort_by_key(|game| game.game);
        let pgn: String = self.games.iter().map(|game| to_pgn(&self.header, game)).collect();
        self.write("games.pgn", &pgn)?;
        let report = self.report(tally, sprt).to_html()?;
        self.write("report.html", &report)
    }

    fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.directory.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write to `{}`", path.display()))
    }

    fn report(&self, tally: &Tally, sprt: Option<&Sprt>) -> Report<'_> {
        let ratings = tally.ratings();
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        let standing = |place: usize| {
            let (counts, figures) = (tally.of(place), tally.standing(place, None));
            let elo = figures.elo.filter(|_| tally.theory().is_none());
            let elo = or_dash(elo.map(|elo| elo.to_string()));
            let rating = ratings.as_ref().map(|all| or_dash(all[place].map(|rating| rating.to_string())));
            let pairs = counts.pairs().map(|count| count.to_string()).join(" ");
            StandingsRow {
                engine: tally.names()[place].clone(),
                wins: counts.wins() as u32,
                draws: counts.draws() as u32,
                losses: counts.losses() as u32,
                elo: rating.clone().unwrap_or_else(|| elo.clone()),
                extra: rating
                    .map(|_| elo)
                    .into_iter()
                    .chain([
                        or_dash(figures.normalized_elo.map(|elo| elo.to_string())),
                        or_dash(figures.superiority.map(|share| format!("{:.1} %", 100.0 * share))),
                        pairs,
                        tally.faults(place).to_string(),
                    ])
                    .collect(),
            }
        };
        // Of three or more engines the rating from all games precedes the Elo against the opponents.
        let strength = if ratings.is_some() { "Rating" } else { "Elo" };
        let headings = ["Elo", "nElo", "LOS", "pairs LL LD WL/DD WD WW", "faults"].into_iter();
        let headings = headings.skip(usize::from(ratings.is_none()));
        let (elo, path) = self.curves(tally, sprt);
        let test = sprt.map(|sprt| tally.standing(0, Some(sprt)).to_string());
        Report {
            header: &self.header,
            games: &self.games,
            standings: tally.ranking().into_iter().map(standing).collect(),
            strength,
            extra: headings.map(str::to_owned).collect(),
            notes: test
                .map(|test| format!("{}: {test}", tally.names()[0]))
                .into_iter()
                .chain(tally.repeated_openings())
                .collect(),
            elo,
            sprt: path,
        }
    }

    /// Ratings and test, game by game.
    fn curves(&self, tally: &Tally, sprt: Option<&Sprt>) -> (Vec<EloSeries>, Option<SprtPath>) {
        if tally.theory().is_some() {
            // From lost and drawn positions the sides are not equal, so that the score tells no Elo.
            return (Vec::new(), None);
        }
        let names = tally.names();
        let mut so_far = Tally::new(names.to_vec());
        let mut series: Vec<_> =
            names.iter().map(|name| EloSeries { engine: name.clone(), points: Vec::new() }).collect();
        let mut ratios = Vec::new();
        let step = self.games.len().div_ceil(MAX_POINTS).max(1);
        for (number, game) in (1..).zip(&self.games) {
            so_far.add(game);
            if number % step != 0 && number != self.games.len() {
                continue;
            }
            for (place, series) in series.iter_mut().enumerate() {
                if let Some(elo) = so_far.standing(place, None).elo {
                    let (value, low, high) = (elo.value, elo.low, elo.high);
                    series.points.push(EloPoint { games: number as u32, elo: value, low, high });
                }
            }
            if let Some(test) = so_far.standing(0, sprt).test {
                ratios.push((number as u32, test.log_likelihood_ratio));
            }
        }
        let path = sprt.map(|sprt| SprtPath {
            caption: tally.standing(0, Some(sprt)).to_string(),
            lower: sprt.lower_bound(),
            upper: sprt.upper_bound(),
            points: ratios,
        });
        (series, path)
    }
}
