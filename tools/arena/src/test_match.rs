//! A made-up match for the tests: legal games of random moves, with likely figures.

use plumb::board::{BoardSize, Outcome, Position, column_names};
use plumb_tools_common::random::Random;

use crate::record::{EngineScore, FORMAT, GameRecord, GameResult, MatchHeader, MoveRecord, Opening, Reason};
use crate::settings::MatchSettings;

/// The engines; the second one's name tries to break out of whatever it is put in.
pub(crate) const NAMES: [&str; 2] = ["Plumb", "</script><img src=x onerror=alert(1)>\"'{}]"];

/// A header with everything in it.
pub(crate) fn header() -> MatchHeader {
    let engine = |name: &str, option: &str| {
        let pairs = [("name", name), ("cmd", "/opt/engine"), ("tc", "10+0.1"), (option, "<b>1</b>")];
        pairs.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
    };
    let settings = MatchSettings {
        engines: vec![engine(NAMES[0], "option.Threads"), engine(NAMES[1], "option.Level")],
        rounds: 100,
        seed: 7,
        ..MatchSettings::on(BoardSize::STANDARD)
    };
    MatchHeader {
        format: FORMAT,
        title: "Synthetic match".into(),
        program: "plumb-lab 0.1.0".into(),
        started: "2026-01-31T23:59:59Z".into(),
        shard: None,
        processors: None,
        settings,
    }
}

/// A number from 0 to below 1.
fn unit(random: &mut Random) -> f64 {
    f64::from(random.below(1 << 20)) / f64::from(1 << 20)
}

/// A column that wins for the side to move, else one that stops the other side from winning, else mostly a middle one.
fn choose(position: &Position, random: &mut Random, care: f64) -> u32 {
    let legal: Vec<_> = position.legal_columns().collect();
    let mut draw = || legal[random.below(legal.len() as u32) as usize];
    let (any, other) = (draw(), draw());
    let drawn = if other.abs_diff(3) < any.abs_diff(3) { other } else { any };
    let among = |cells: u64| {
        legal.iter().copied().find(|&column| position.landing(column).is_some_and(|cell| cell & cells != 0))
    };
    let seen = (unit(random) < care)
        .then(|| among(position.own_winning_cells()).or_else(|| among(position.opponent_winning_cells())));
    seen.flatten().unwrap_or(drawn)
}

/// `count` games of pairs with swapped colours, the first engine being the more careful one; one in twenty is lost by
/// a fault.
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
    let swapped = game % 2 == 1;
    let fault_at = if random.below(20) == 0 { random.below(20) } else { 99 };
    let mut moves = Vec::new();
    let mut clocks = [10_000.0, 10_000.0];
    let mut truth = 0.0;
    let (result, reason, detail) = loop {
        let ply = opening.len() + moves.len();
        let turn = ply % 2;
        let engine = turn ^ usize::from(swapped);
        let won = |turn: usize| if turn == 0 { GameResult::FirstWon } else { GameResult::SecondWon };
        if ply as u32 >= fault_at {
            let reason = Reason::ALL[3 + random.below(6) as usize];
            let detail = if reason == Reason::IllegalMove { "P@d7" } else { "<i>no</i> answer & \"so on\"" };
            break (won(1 - turn), reason, detail.to_owned());
        }
        if position.outcome() == Some(Outcome::Draw) {
            break (GameResult::Draw, Reason::FullBoard, String::new());
        }
        let column = choose(&position, &mut random, [0.97, 0.85][engine]);
        position = position.play(column).expect("a legal move");
        let four = matches!(position.outcome(), Some(Outcome::Win(_)));
        let time_ms = [300.0, 700.0][engine] * 0.93_f64.powi(ply as i32) * (0.2 + unit(&mut random) * 1.6);
        clocks[turn] += 100.0 - time_ms;
        truth += (unit(&mut random) - 0.5) * 40.0;
        let opinion = truth * if turn == 0 { 1.0 } else { -1.0 } + unit(&mut random) * 30.0;
        let score = match ply {
            _ if four => EngineScore::Mate(1),
            28.. => EngineScore::Mate(if opinion > 0.0 {
                (43 - ply as i32) | 1
            } else {
                -((43 - ply as i32) & !1)
            }),
            _ => EngineScore::Cp(opinion as i32),
        };
        let bad = unit(&mut random) > [0.97, 0.88][engine];
        moves.push(MoveRecord {
            column: column as u8 + 1,
            time_ms,
            clock_ms: Some(clocks[turn]),
            depth: Some(8 + ply as u32),
            score: (moves.len() % 9 != 8).then_some(score),
            nodes: Some((time_ms * 2100.0) as u64),
            loss: Some(if bad { 1 + random.below(12) as i32 } else { 0 }),
            exact: Some(if engine == 0 { 2 } else { -2 }),
            ..MoveRecord::default()
        });
        if four {
            break (won(turn), Reason::FourInARow, String::new());
        }
    };
    let names = if swapped { [NAMES[1], NAMES[0]] } else { NAMES };
    GameRecord {
        game,
        pair,
        opening: Opening { name: format!("random {pair}"), moves: column_names(7, opening.iter().copied()) },
        first: names[0].into(),
        second: names[1].into(),
        result,
        reason,
        detail,
        seconds: moves.iter().map(|played: &MoveRecord| played.time_ms / 1e3).sum::<f64>(),
        moves,
    }
}
