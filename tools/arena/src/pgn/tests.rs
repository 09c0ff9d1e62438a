use super::*;
use crate::engine::config::{EngineConfig, EngineDescription};
use crate::record::{EngineScore, MoveRecord, Opening, Reason, ScoreBound};
use crate::test_match;

fn played(column: u8, score: Option<EngineScore>, depth: Option<u32>, time_ms: f64) -> MoveRecord {
    MoveRecord { column, time_ms, depth, score, ..Default::default() }
}

fn game() -> GameRecord {
    GameRecord {
        game: 6,
        pair: 3,
        opening: Opening { name: "d1 d2".into(), moves: "44".into() },
        first: "Plumb".into(),
        second: "other \"quoted\\name\"\n".into(),
        result: GameResult::FirstWon,
        reason: Reason::FourInARow,
        detail: String::new(),
        moves: vec![
            played(4, Some(EngineScore::Cp(30)), Some(12), 51.2),
            played(4, Some(EngineScore::Cp(-205)), Some(7), 0.2),
            played(3, Some(EngineScore::Mate(5)), Some(9), 3.0),
            played(1, Some(EngineScore::Mate(-4)), None, 1234.0),
            played(5, Some(EngineScore::Cp(0)), Some(1), 23_400.0),
            played(2, None, None, 456.0),
            played(6, None, Some(3), 1.0),
        ],
        started: String::new(),
        seconds: 26.0,
    }
}

const MOVES: &str = "
1. P@d1 {book} P@d2 {book} 2. P@d3 {+0.30/12 0.051s} P@d4 {-2.05/7 0s}
3. P@c1 {+M5/9 0.003s} P@a1 {-M4 1.2s} 4. P@e1 {0.00/1 23s} P@b1 {0.46s}
";

fn engine(name: &str, limits: &str) -> EngineConfig {
    let named: EngineDescription = [("name", name)].into_iter().collect();
    let described = limits.parse::<EngineDescription>().expect("limits").with_defaults(&named);
    described.try_into().expect("an engine")
}

#[test]
fn a_comment_has_the_fields_that_are_asked_for() {
    let mut game = game();
    let more = MoveRecord {
        nodes: Some(9000),
        clock_ms: Some(1954.0),
        sel_depth: Some(20),
        own_ms: Some(50),
        ..game.moves[0].clone()
    };
    game.moves[0] = MoveRecord { pv: "4436".into(), bound: Some(ScoreBound::Lower), ..more };
    game.moves[1] = MoveRecord {
        lower: Some(EngineScore::Mate(9)),
        hash_full: Some(17),
        tb_hits: Some(3),
        ..game.moves[1].clone()
    };
    let mut header = test_match::header();
    header.settings.pgn.site = Some("a cellar".into());
    let mut said = |fields: &str| {
        header.settings.pgn.fields = fields.parse().expect("fields");
        assert_eq!(header.settings.pgn.fields.to_string(), fields);
        let pgn = to_pgn(&header, &game);
        assert!(pgn.contains("[Site \"a cellar\"]"), "{pgn}");
        let units = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
        units[units.find("1. P@").expect("moves")..units.find("P@d4").expect("a move")].to_owned()
    };
    assert_eq!(said("none"), "1. P@d1 P@d2 2. P@d3 ");
    let clock = "1. P@d1 {book} P@d2 {book} 2. P@d3 {+0.30/12 0.051s, clock 1.95s, lower bound} ";
    assert_eq!(said("score,depth,time,clock"), clock);
    assert_eq!(
        said("score,depth,nodes,seldepth,speed,pv"),
        "1. P@d1 {book} P@d2 {book} 2. P@d3 {+0.30/12, nodes 9000, seldepth 20, 180000 nodes/s, pv 4436, lower bound} "
    );
    let pgn = to_pgn(&header, &game);
    let later = "P@d4 {-2.05/7, lower bound +M9}";
    assert!(pgn.split_whitespace().collect::<Vec<_>>().join(" ").contains(later), "{pgn}");
    let refusal = "`x` is none of score, depth, time, clock, nodes, seldepth, speed, hashfull, tbhits, pv, nor `none` alone";
    assert_eq!("time,x".parse::<PgnFields>(), Err(refusal.to_owned()));
}

#[test]
fn a_game_reads_as_cutechess_writes_it() {
    let mut header = MatchHeader { title: "Plumb and others".into(), ..test_match::header() };
    header.settings.engines[1] = engine(&game().second, "tc=10+0.1");
    let expected = format!(
        r#"[Event "Plumb and others"]
[Site "?"]
[Date "2026.01.31"]
[Round "4"]
[White "Plumb"]
[Black "other 'quoted/name' "]
[Result "1-0"]
[Variant "cfour"]
[Opening "d1 d2"]
[PlyCount "9"]
[Termination "normal"]
[TimeControl "10+0.1"]
{MOVES}5. P@f1 {{/3 0.001s}} 1-0

"#
    );
    assert_eq!(to_pgn(&header, &game()), expected);
}

#[test]
fn a_game_has_its_start_end_and_duration() {
    let started = "2026-01-31T23:59:59.500Z".to_owned();
    let pgn = to_pgn(&test_match::header(), &GameRecord { started, seconds: 3671.25, ..game() });
    let expected = r#"
[GameStartTime "2026-01-31T23:59:59.500 UTC"]
[GameEndTime "2026-02-01T01:01:10.750 UTC"]
[GameDuration "01:01:11"]
"#;
    assert!(pgn.contains(expected), "{pgn}");
}

#[test]
fn a_final_position_is_a_line_of_epd() {
    let expected =
        "7/7/3p3/3P3/3p3/ppPPPP1[PPPPPPPPPPPPPPPPppppppppppppppppp] b - - c9 \"1-0\"; id \"game 7\";\n";
    assert_eq!(to_epd(&test_match::header(), &game()), expected);
}

#[test]
fn time_controls_are_those_of_the_two_players() {
    let mut header = test_match::header();
    let [one, two] = test_match::NAMES;
    let game = GameRecord { first: two.into(), second: one.into(), ..game() };
    for (first, second, expected) in [
        ("st=0.1", "st=0.1", "TimeControl 0.1/move"),
        ("tc=40/60+0.5", "tc=40/60+0.5", "TimeControl 40/60+0.5"),
        ("nodes=500,depth=4", "nodes=500,depth=4", "TimeControl -, Limits nodes=500 depth=4"),
        ("tc=10+0.1", "st=0.02", "WhiteTimeControl 0.02/move, BlackTimeControl 10+0.1"),
        (
            "tc=1,st=0.5",
            "depth=3",
            "WhiteTimeControl -, BlackTimeControl 1, WhiteLimits depth=3, BlackLimits st=0.5",
        ),
    ] {
        header.settings.engines = vec![engine(one, first), engine(two, second)];
        let pgn = to_pgn(&header, &game);
        let tags = pgn.lines().filter(|line| line.contains("TimeControl") || line.contains("Limits"));
        let tags: Vec<_> = tags.map(|line| line.replace(['[', ']', '"'], "")).collect();
        assert_eq!(tags.join(", "), expected);
    }
}

#[test]
fn a_fault_is_the_last_comment() {
    let fault = GameRecord {
        result: GameResult::SecondWon,
        reason: Reason::Nonsense,
        detail: "bestmove } {; 1-0\n\n[Event \"forged\"] ".repeat(3) + &"%x".repeat(9),
        ..game()
    };
    let pgn = to_pgn(&test_match::header(), &fault);
    let moves = pgn.split_once("\n\n").expect("tags, moves").1;
    assert!(pgn.contains("[Termination \"rules infraction\"]\n"));
    let end = "5. P@f1
{/3 0.001s, White: nonsense instead of a move (bestmove ) (; 1-0 (Event
\"forged\") bestmove ) (; 1-0 (Event \"forged\") bestmove ) (; 1-0 (Event \"forged\")
'%x%x%x%x%x%x%x%x%x)} 0-1

";
    assert_eq!(moves, format!("{} {end}", MOVES.trim()));
    let empty = GameRecord { moves: Vec::new(), opening: Opening::default(), ..fault };
    let empty = GameRecord { detail: String::new(), reason: Reason::Crash, ..empty };
    assert!(to_pgn(&test_match::header(), &empty).ends_with("\"10+0.1\"]\n\n{White: crash} 0-1\n\n"));
}

#[test]
fn no_line_is_long() {
    for game in test_match::games(3, 100) {
        let pgn = to_pgn(&test_match::header(), &game);
        assert!(pgn.lines().all(|line| line.chars().count() <= LINE), "{pgn}");
        assert!(pgn.ends_with(&format!("{}\n\n", game.result)));
    }
}
