//! Test data: legal games of random moves with invented times and scores, and engines for tests.

use std::fs;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::time::Duration;
use std::time::Instant;

use anyhow::{Context, Result};
use plumb::board::{BoardSize, Outcome, Position, column_names};
use plumb::mix::Random;

use crate::engine::config::{EngineConfig, EngineDescription};
use crate::live::LiveGame;
use crate::record::file::RecordReader;
use crate::record::{EngineScore, GameRecord, GameResult, MatchHeader, MoveRecord, Opening, Reason};
use crate::settings::MatchSettings;

pub(crate) struct Directory(pub PathBuf);

impl Directory {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("plumb-arena-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("it can be made");
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _left_behind = fs::remove_dir_all(&self.0);
    }
}

/// The second name tries to inject a script into the page.
pub(crate) const NAMES: [&str; 2] = ["Plumb", "</script><img src=x onerror=alert(1)>\"'{}]"];

pub(crate) const FORFEITS: [Reason; 6] = [
    Reason::TimeForfeit,
    Reason::IllegalMove,
    Reason::Crash,
    Reason::Hang,
    Reason::Nonsense,
    Reason::SeveralBestMoves,
];

pub(crate) fn engine(text: &str) -> EngineConfig {
    let described: EngineDescription = text.parse().expect("a description");
    described.complete_without_limit().expect("an engine")
}

fn named(name: &str, option: &str) -> EngineConfig {
    let engine = engine(&format!("cmd=/opt/engine,tc=10+0.1,option.{option}=<b>1</b>"));
    EngineConfig { name: name.to_owned(), ..engine }
}

/// Engine as a shell script. `on_line` has `case` branches that precede the usual replies.
#[cfg(unix)]
pub(crate) fn script(name: &str, on_line: &str) -> EngineConfig {
    let usual = "uci) echo uciok;; isready) echo readyok;; quit) exit;;";
    let text = format!("while read -r line; do case $line in {on_line} {usual} esac; done");
    let command = ["sh".to_owned(), "-c".to_owned(), text].into();
    let (start_timeout, ready_timeout) = (Duration::from_secs(600), Duration::from_secs(600));
    let control =
        "nodes=1".parse::<EngineDescription>().and_then(EngineConfig::try_from).expect("a limit").control;
    EngineConfig { command, start_timeout, ready_timeout, control, ..EngineConfig::named(name.to_owned()) }
}

pub(crate) fn header() -> MatchHeader {
    let settings = MatchSettings {
        engines: vec![named(NAMES[0], "Threads"), named(NAMES[1], "Level")],
        rounds: 100,
        seed: 7,
        ..MatchSettings::on(BoardSize::STANDARD)
    };
    let header = MatchHeader::new("plumb-lab 0.1.0", settings, None);
    let (title, started) = ("Synthetic match".into(), "2026-01-31T23:59:59Z".into());
    MatchHeader { title, started, processors: None, ..header }
}

/// Random games, of which about one in twenty is forfeited.
pub(crate) fn games(seed: u64, count: u32) -> Vec<GameRecord> {
    (0..count).map(|game| play(seed, game)).collect()
}

fn play(seed: u64, game: u32) -> GameRecord {
    let pair = game / 2;
    let mut random = Random::new(seed << 32 | u64::from(pair), 0);
    let opening: Vec<_> = (0..random.below(5)).map(|_| random.below(7)).collect();
    let step = |position: Position, &column: &u32| position.play(column);
    let mut position = opening.iter().try_fold(Position::new(), step).expect("no column can be full");
    let mut random = Random::new(seed << 33 | u64::from(game), 1);
    let forfeit_at = if random.below(20) == 0 { random.below(20) } else { 99 };
    let (mut moves, mut clocks) = (Vec::new(), [10_000.0; 2]);
    let (result, reason, detail) = loop {
        let turn = position.plies() as usize % 2;
        match position.outcome() {
            Some(Outcome::Win(_)) => break (GameResult::won_by(1 - turn), Reason::FourInARow, ""),
            Some(Outcome::Draw) => break (GameResult::Draw, Reason::FullBoard, ""),
            None if position.plies() >= forfeit_at => {
                let reason = FORFEITS[random.below(FORFEITS.len() as u32) as usize];
                break (GameResult::won_by(1 - turn), reason, "<i>no</i> answer & \"so on\"");
            }
            None => {}
        }
        let legal: Vec<_> = position.legal_columns().collect();
        let column = legal[random.below(legal.len() as u32) as usize];
        position = position.play(column).expect("a legal move");
        let time_ms = f64::from(random.below(500_000)) / 1e3;
        clocks[turn] += 100.0 - time_ms;
        let score = [EngineScore::Cp(-31), EngineScore::Cp(5), EngineScore::Mate(7)][moves.len() % 3];
        moves.push(MoveRecord {
            column: column as u8 + 1,
            time_ms,
            clock_ms: Some(clocks[turn]),
            depth: Some(8 + position.plies()),
            score: (moves.len() % 9 != 8).then_some(score),
            lower: (moves.len() % 9 == 7).then_some(EngineScore::Mate(11)),
            hash_full: Some(17),
            nodes: Some((time_ms * 2100.0) as u64),
            loss: Some(random.below(60).saturating_sub(48) as i32),
            exact: Some(if turn == 0 { 2 } else { -2 }),
            ..MoveRecord::default()
        });
    };
    let [first, second] = if game % 2 == 1 { [NAMES[1], NAMES[0]] } else { NAMES };
    GameRecord {
        game,
        pair,
        opening: Opening { name: format!("random {pair}"), moves: column_names(7, opening) },
        first: first.into(),
        second: second.into(),
        result,
        reason,
        detail: detail.to_owned(),
        started: "2026-01-31T23:59:59.500Z".to_owned(),
        seconds: moves.iter().map(|played: &MoveRecord| played.time_ms / 1e3).sum(),
        moves,
    }
}

pub(crate) fn start(game: &GameRecord, clocks: [Option<f64>; 2]) -> LiveGame {
    let GameRecord { game, pair, first, second, opening, .. } = game.clone();
    let [began, moved] = [Instant::now(); 2];
    LiveGame { game, pair, first, second, opening, moves: Vec::new(), clocks, began, moved }
}

pub(crate) fn read(text: &[u8]) -> Result<(MatchHeader, Vec<GameRecord>)> {
    let mut reader = RecordReader::new(text, Path::new("match.jsonl"))?.context("no header")?;
    let mut games = Vec::new();
    while let Some(game) = reader.next_game()? {
        games.push(game);
    }
    Ok((reader.header, games))
}
