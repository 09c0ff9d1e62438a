//! Matches that were never played, for the tests: legal games of random moves with figures that look likely.

use crate::arena::record::{
    EngineHeader, FORMAT, GameRecord, GameResult, MatchHeader, MoveRecord, Opening, Reason, Schedule, Score,
};
use crate::arena::report::{EloPoint, EloSeries, Report, SprtPath, Standing};

/// The engines; the second one's name tries to break out of whatever it is put in.
pub(crate) const NAMES: [&str; 2] = ["Plumb", "</script><img src=x onerror=alert(1)>\"'{}]"];

/// A header with everything in it.
pub(crate) fn header() -> MatchHeader {
    let engine = |name: &str, option: &str| EngineHeader {
        name: name.into(),
        command: format!("/opt/{name} --quiet"),
        protocol: "uci".into(),
        options: [("Hash".into(), "64".into()), (option.into(), "<b>1</b>".into())].into(),
        description: format!("name={name}"),
    };
    MatchHeader {
        format: FORMAT,
        title: "Synthetic match".into(),
        program: "plumb-lab 0.1.0".into(),
        started: "2026-01-31T23:59:59Z".into(),
        engines: vec![engine(NAMES[0], "Threads"), engine(NAMES[1], "Level")],
        time_control: "10+0.1".into(),
        seed: 7,
        schedule: Schedule { games: 200, kind: "pairs".into(), openings: "drawn, 4 plies".into() },
        settings: [("concurrency".into(), "2".into())].into(),
        arguments: [("rounds".into(), "100".into())].into(),
    }
}

/// Small numbers, drawn without a library; `SplitMix64`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, count: u64) -> u64 {
        self.next() % count
    }

    fn unit(&mut self) -> f64 {
        self.below(1 << 20) as f64 / f64::from(1 << 20)
    }
}

/// The least board that tells whether a move is legal and wins: columns of stones, 1 and 2 for the players.
#[derive(Clone, Default)]
struct Board {
    columns: [Vec<u8>; 7],
}

impl Board {
    fn stone(&self, column: i32, row: i32) -> u8 {
        let column = usize::try_from(column).ok().and_then(|column| self.columns.get(column));
        let stone = column.and_then(|column| column.get(usize::try_from(row).ok()?));
        stone.copied().unwrap_or_default()
    }

    fn legal(&self) -> Vec<usize> {
        (0..7).filter(|&column| self.columns[column].len() < 6).collect()
    }

    /// Drops a stone; whether it makes four in a row.
    fn drop(&mut self, column: usize, player: u8) -> bool {
        self.columns[column].push(player);
        let (x, y) = (column as i32, self.columns[column].len() as i32 - 1);
        [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(dx, dy)| {
            let run = |sign: i32| {
                (1..4)
                    .take_while(|step| self.stone(x + sign * dx * step, y + sign * dy * step) == player)
                    .count()
            };
            run(1) + run(-1) >= 3
        })
    }

    /// A column that wins for `player`, else one that stops the other from winning, else mostly a middle one.
    fn choose(&self, player: u8, random: &mut Random, care: f64) -> usize {
        let wins = |player: u8| self.legal().into_iter().find(|&column| self.clone().drop(column, player));
        let legal = self.legal();
        let any = legal[random.below(legal.len() as u64) as usize];
        let other = legal[random.below(legal.len() as u64) as usize];
        let drawn = if other.abs_diff(3) < any.abs_diff(3) { other } else { any };
        let seen = if random.unit() < care { wins(player).or_else(|| wins(3 - player)) } else { None };
        seen.unwrap_or(drawn)
    }
}

/// So many games of pairs with swapped colours, the first engine being the more careful one; one in twenty is lost by
/// a fault.
pub(crate) fn games(seed: u64, count: u32) -> Vec<GameRecord> {
    (0..count).map(|game| play(seed, game)).collect()
}

fn play(seed: u64, game: u32) -> GameRecord {
    let pair = game / 2;
    let mut random = Random(seed << 32 | u64::from(pair));
    let mut board = Board::default();
    let opening: Vec<usize> = (0..random.below(5)).map(|_| random.below(7) as usize).collect();
    for (ply, &column) in opening.iter().enumerate() {
        board.drop(column, 1 + (ply % 2) as u8);
    }
    let mut random = Random(seed << 33 | u64::from(game));
    let swapped = game % 2 == 1;
    let fault_at = if random.below(20) == 0 { random.below(20) } else { 99 };
    let mut moves = Vec::new();
    let mut clocks = [10_000.0, 10_000.0];
    let mut truth = 0.0;
    let (result, reason, detail) = loop {
        let ply = opening.len() + moves.len();
        let player = ply % 2;
        let engine = player ^ usize::from(swapped);
        let won = |player: usize| if player == 0 { GameResult::FirstWon } else { GameResult::SecondWon };
        if ply as u64 >= fault_at {
            let reason = Reason::ALL[3 + random.below(6) as usize];
            let detail = if reason == Reason::IllegalMove { "P@d7" } else { "<i>no</i> answer & \"so on\"" };
            break (won(1 - player), reason, detail.to_owned());
        }
        if board.legal().is_empty() {
            break (GameResult::Draw, Reason::FullBoard, String::new());
        }
        let column = board.choose(player as u8 + 1, &mut random, [0.97, 0.85][engine]);
        let four = board.drop(column, player as u8 + 1);
        let time_ms = [300.0, 700.0][engine] * 0.93_f64.powi(ply as i32) * (0.2 + random.unit() * 1.6);
        clocks[player] += 100.0 - time_ms;
        truth += (random.unit() - 0.5) * 40.0;
        let opinion = truth * if player == 0 { 1.0 } else { -1.0 } + random.unit() * 30.0;
        let score = match ply {
            _ if four => Score::Mate(1),
            28.. => {
                Score::Mate(if opinion > 0.0 { (43 - ply as i32) | 1 } else { -((43 - ply as i32) & !1) })
            }
            _ => Score::Cp(opinion as i32),
        };
        let bad = random.unit() > [0.97, 0.88][engine];
        moves.push(MoveRecord {
            column: column as u8 + 1,
            time_ms,
            clock_ms: Some(clocks[player]),
            depth: Some(8 + ply as u32),
            score: (moves.len() % 9 != 8).then_some(score),
            nodes: Some((time_ms * 2100.0) as u64),
            loss: Some(if bad { 1 + random.below(12) as i32 } else { 0 }),
        });
        if four {
            break (won(player), Reason::FourInARow, String::new());
        }
    };
    let names = if swapped { [NAMES[1], NAMES[0]] } else { NAMES };
    GameRecord {
        game,
        pair,
        opening: Opening {
            name: format!("random {pair}"),
            moves: opening.iter().map(|column| (b'1' + *column as u8) as char).collect(),
        },
        first: names[0].into(),
        second: names[1].into(),
        result,
        reason,
        detail,
        seconds: moves.iter().map(|played: &MoveRecord| played.time_ms / 1e3).sum::<f64>(),
        moves,
    }
}

/// A report with everything in it; its ratings are drawn, too.
pub(crate) fn report<'a>(header: &'a MatchHeader, games: &'a [GameRecord]) -> Report<'a> {
    let mut random = Random(99);
    let count = games.len() as u32;
    let mut elo = 0.0;
    let path: Vec<f64> = (0..count)
        .map(|_| {
            elo += (random.unit() - 0.42) * 3.0;
            elo
        })
        .collect();
    let series = |sign: f64| {
        let point = |(games, elo): (u32, &f64)| {
            let error = 600.0 / f64::from(games).sqrt();
            EloPoint { games, elo: sign * elo, low: sign * elo - error, high: sign * elo + error }
        };
        (1..).zip(&path).map(point).collect()
    };
    let tally = |engine: &str| {
        let mut standing = Standing { engine: engine.into(), elo: "+31 ± 12".into(), ..Default::default() };
        for game in games {
            match game.result {
                GameResult::Draw => standing.draws += 1,
                GameResult::FirstWon if game.first == engine => standing.wins += 1,
                GameResult::SecondWon if game.second == engine => standing.wins += 1,
                _ => standing.losses += 1,
            }
        }
        standing.extra = vec!["99.9 %".into(), "1 4 22 40 33".into()];
        standing
    };
    let names = header.engines.iter().map(|engine| engine.name.clone());
    Report {
        header,
        games,
        standings: names.clone().map(|name| tally(&name)).collect(),
        strength: "Elo",
        extra: vec!["LOS".into(), "pentanomial".into()],
        notes: vec!["Plumb is stronger than its opponent; the test ended after 188 games.".into()],
        elo: names
            .zip([1.0, -1.0])
            .map(|(engine, sign)| EloSeries { engine, points: series(sign) })
            .collect(),
        sprt: Some(SprtPath {
            caption: "H0: Elo is 0, H1: Elo is 10; α = β = 5 %: H1 accepted".into(),
            lower: -2.94,
            upper: 2.94,
            points: (1..).zip(path.iter().map(|elo| elo / 14.0)).collect(),
        }),
    }
}
