use super::*;
use crate::record::MatchHeader;
use crate::statistics::sprt::{Model, Parameters};
use crate::test_match;

fn engines(descriptions: &[&str]) -> Vec<EngineConfig> {
    descriptions.iter().map(|text| test_match::engine(text)).collect()
}

fn plain() -> MatchSettings {
    let engines = engines(&["name=A,cmd=\"/my x/plumb\" -q,st=0.1,nodes=5", "skill-3,option.Hash=2,nodes=5"]);
    MatchSettings { engines, rounds: 3, ..MatchSettings::on(BoardSize::STANDARD) }
        .complete()
        .expect("a match")
}

fn from(source: OpeningSource, mut settings: MatchSettings) -> MatchSettings {
    settings.openings.source = source;
    settings
}

fn theory(engines: usize, tested: usize) -> MatchSettings {
    let engines = (0..engines).map(|number| test_match::engine(&format!("name={number},cmd=x,nodes=1")));
    let engines = engines.collect();
    let tested = NonZeroUsize::new(tested);
    from(
        OpeningSource::Theory(TheoreticalResult::Lost),
        MatchSettings { engines, tested, rounds: 5, ..plain() },
    )
    .complete()
    .expect("a match")
}

fn many() -> MatchSettings {
    let parameters = Parameters { model: Model::Normalized, elo0: -3.5, elo1: 2.0, alpha: 0.05, beta: 0.01 };
    MatchSettings {
        board: BoardSize { width: 8, height: 7 },
        tournament: Tournament::Gauntlet,
        rounds: 7,
        pgn: PgnSettings {
            event: Some("A \"cup\"".into()),
            site: Some("here".into()),
            fields: "nodes,pv".parse().expect("fields"),
        },
        openings: OpeningSettings {
            source: OpeningSource::File("a b.txt".into()),
            plies: 3,
            shuffle: true,
            repeat: true,
            ..plain().openings
        },
        seed: 9,
        adjudication: AdjudicationSettings {
            solved: true,
            draw: "movenumber=9,movecount=2,score=3".parse().ok(),
            resign: "movecount=2,score=300,twosided".parse().ok(),
        },
        blunders: true,
        restart: true,
        sprt: Some(Sprt::try_from(parameters).expect("a test")),
        concurrency: NonZeroUsize::new(4).expect("not 0"),
        timeouts: Timeouts { hang: 8, start: 3, ..Timeouts::default() },
        ..plain()
    }
}

#[test]
fn settings_are_read_as_they_are_written() {
    for settings in [plain(), many(), theory(3, 2)] {
        let text = serde_json::to_string(&settings).expect("JSON");
        assert_eq!(serde_json::from_str::<MatchSettings>(&text).expect(&text), settings);
        assert_eq!(settings.clone().complete().expect("the same"), settings);
    }
    let text = serde_json::to_string(&many()).expect("JSON");
    for (from, to) in [("8x7", "5x3"), ("8x7", "seven"), ("-3.5", "3.5"), ("gauntlet", "swiss")] {
        let error = serde_json::from_str::<MatchSettings>(&text.replace(from, to)).expect_err("no match");
        assert!(!error.to_string().is_empty());
    }
}

/// The JSON is from a record of version 0.2.0.
#[test]
fn old_records_are_written_as_they_were_read() {
    let text = r#"{"event":"X","site":null,"pgn-fields":"nodes,pv","engines":[{"name":"A","cmd":"plumb -q","proto":"uci","nodes":"50","option.Hash":"2"},{"name":"B","cmd":"plumb","dir":"\"/a b\"","proto":"uci","tc":"10+0.1","timemargin":"30","ponder":"true","option.Skill Level":"3"}],"board":"7x6","tournament":"round-robin","rounds":2,"colours":"swapped","openings":"random","first-column":1,"plies":4,"shuffle":false,"openings-start":1,"repeat-openings":false,"tested":null,"seed":18446744073709551615,"adjudicate":false,"draw":"movenumber=9,movecount=2,score=3","resign":"movecount=2,score=300","blunders":false,"sprt":{"model":"logistic","elo0":-3.0,"elo1":5.0,"alpha":0.05,"beta":0.05},"restart":false,"concurrency":1,"hang-timeout":7,"start-timeout":10,"ready-timeout":30}"#;
    let settings: MatchSettings = serde_json::from_str(text).expect("settings");
    assert_eq!(serde_json::to_string(&settings).expect("JSON"), text);
    let missing = text.replace(r#""shuffle":false,"#, "");
    let error = serde_json::from_str::<MatchSettings>(&missing).expect_err("a field is missing").to_string();
    assert!(error.starts_with("missing field `shuffle`"), "{error}");
}

#[test]
fn openings_begin_with_the_one_that_is_named() {
    let from = |start| {
        let mut settings = plain();
        settings.openings.start = NonZeroUsize::new(start).expect("not 0");
        settings.openings().map(|(lines, _)| lines).map_err(|error| error.to_string())
    };
    let all = from(1).expect("three openings");
    assert_eq!(from(2).expect("three openings")[..2], all[1..]);
    let said = from(4485).expect_err("two are left");
    let start = "`balanced` has 2 different openings from number 4485 on for 3 rounds: ";
    assert!(said.starts_with(start), "{said}");
    assert_eq!(from(4487), Err("`balanced` has no opening from number 4487 on".to_owned()));
}

#[test]
fn engines_have_different_names() {
    let engines = engines(&["cmd=x,st=1", "cmd=x,st=1", "name=x 2,cmd=x,st=1"]);
    let settings = MatchSettings { engines, ..plain() }.complete().expect("a match");
    assert_eq!(settings.names(), ["x", "x 2", "x 2 3"]);
    assert_eq!(settings.title(), "x - x 2 - x 2 3");
    assert_eq!(settings.time_control(), "st=1");
    assert_eq!(plain().time_control(), "A: st=0.1 nodes=5; skill-3: nodes=5");
}

#[test]
fn the_number_of_games_is_that_of_the_schedule() {
    let gauntlet = MatchSettings { tournament: Tournament::Gauntlet, ..theory(4, 1) };
    let random = [gauntlet, theory(4, 1)].map(|settings| from(OpeningSource::Random, settings));
    for settings in [vec![plain(), theory(4, 1), theory(5, 2)], random.into()].concat() {
        let sides = settings.theoretical_result().map(|_| vec![0; settings.rounds as usize]);
        for shard in ["1/1", "1/3", "2/3", "7/9"].map(|text| text.parse().expect("a shard")) {
            let games = settings.scheduled_games(sides.as_deref(), shard);
            assert_eq!(settings.games(shard), games.len(), "{shard}: {settings:?}");
        }
    }
}

#[test]
fn a_resumed_match_may_have_more() {
    let more = MatchSettings {
        rounds: 5,
        sprt: many().sprt,
        concurrency: many().concurrency,
        timeouts: Timeouts { hang: 1, start: 1, ..Timeouts::default() },
        openings: OpeningSettings { repeat: true, ..plain().openings },
        pgn: PgnSettings { event: Some("final".into()), ..plain().pgn },
        ..plain()
    };
    let header = |settings| MatchHeader::new("plumb-lab", settings, None);
    let resumed = header(plain()).resumed(more.clone(), None, "record").expect("more of the same");
    assert_eq!((resumed.title.as_str(), &resumed.settings), ("final", &more));
    assert!(!header(plain()).is_of_same_match(&resumed));
    let free = MatchSettings { rounds: 3, sprt: None, openings: plain().openings, ..more };
    assert!(header(plain()).is_of_same_match(&header(free)));
}

#[test]
fn differences_are_named() {
    let refused = |recorded: &MatchSettings, given: &MatchSettings, shards: [Option<Shard>; 2]| {
        let header = MatchHeader::new("plumb-lab", recorded.clone(), shards[0]);
        let error = header.resumed(given.clone(), shards[1], "record").expect_err("other").to_string();
        let differences = error.strip_prefix("`record` has other settings: ").expect(&error);
        differences
            .strip_suffix("; leave these flags out with `--resume`, or give another `--out`")
            .expect(&error)
            .to_owned()
    };
    let whole = |given: &MatchSettings| refused(&plain(), given, [None; 2]);
    let fewer = MatchSettings { rounds: 2, ..plain() };
    assert_eq!(whole(&fewer), "`rounds`: recorded 3, given 2 (there may be more, not fewer)");
    let other = from(OpeningSource::Suite(Suite::Decided), MatchSettings { seed: 2, ..plain() });
    assert_eq!(whole(&other), "`openings`: recorded balanced, given decided; `seed`: recorded 1, given 2");
    let openings = OpeningSettings { shuffle: true, ..plain().openings };
    assert_eq!(whole(&MatchSettings { openings, ..plain() }), "`shuffle`: recorded false, given true");
    let changed = engines(&["name=A,cmd=x,nodes=7", "skill-3,st=1"]);
    let changed = MatchSettings { engines: changed, ..plain() }.complete().expect("a match");
    assert_eq!(
        whole(&changed),
        "`cmd` of `A`: recorded \"/my x/plumb\" -q, given x; `nodes` of `A`: recorded 5, given 7; `st` of `A`: recorded 0.1, \
         given none; `nodes` of `skill-3`: recorded 5, given none; `option.Hash` of `skill-3`: recorded 2, given none; `st` of \
         `skill-3`: recorded none, given 1"
    );
    let tested = MatchSettings { sprt: many().sprt, ..plain() };
    let said = refused(&tested, &plain(), [None; 2]);
    assert!(said.starts_with("`sprt`: recorded ") && said.ends_with(", given none"), "{said}");
    let openings = OpeningSettings { repeat: true, ..plain().openings };
    let said = refused(&MatchSettings { openings, ..plain() }, &plain(), [None; 2]);
    assert_eq!(said, "`repeat-openings`: recorded true, given false");
    let three = MatchSettings { engines: [plain().engines, engines(&["cmd=x,st=1"])].concat(), ..plain() };
    assert_eq!(whole(&three), "`engines`: recorded 2, given 3");
    let shard = "2/3".parse().ok();
    let parameters = Parameters { elo1: 5.0, ..many().sprt.expect("a test").parameters() };
    let given = MatchSettings { rounds: 8, sprt: Sprt::try_from(parameters).ok(), ..many() };
    assert_eq!(
        refused(&many(), &given, [shard, shard]),
        "`rounds`: recorded 7, given 8 (a shard keeps its number); `sprt.elo1`: recorded 2.0, given 5.0"
    );
    assert_eq!(refused(&many(), &many(), [None, shard]), "`shard`: recorded none, given 2/3");
    let wide = MatchSettings { board: BoardSize { width: 8, height: 7 }, ..plain() };
    assert_eq!(whole(&wide), "`board`: recorded 7x6, given 8x7");
}
