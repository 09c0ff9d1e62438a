//! A printed command or reply reads back as an equal value.

use std::path::Path;
use std::time::Duration;

use plumb_protocol::{
    Base, Bound, Column, Command, Go, Info, Move, MoveForm, OptionDeclaration, OptionKind, Parsed,
    PositionCommand, Reply, Response, Score, ScoreReport, Token, parse_command, parse_reply,
};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

fn a_move() -> impl Strategy<Value = Move> {
    let column = |indices| Strategy::prop_map(indices, |i| Column::new(i).expect("the index is in range"));
    let form = prop_oneof![
        (1_u8..).prop_map(MoveForm::Drop),
        (1_u8..).prop_map(MoveForm::Cell),
        Just(MoveForm::Letter),
    ];
    prop_oneof![
        (column(0..26_u8), form).prop_map(|(column, form)| Move::new(column, form)),
        column(0..9_u8).prop_map(|column| Move::new(column, MoveForm::Digit)),
    ]
}

/// Moves at random places in their line. Equality ignores the place.
fn moves() -> impl Strategy<Value = Vec<Token<'static, Move>>> {
    vec((a_move(), any::<usize>()).prop_map(|(m, offset)| Token::new(m, "?", offset)), 0..50)
}

fn words(forbidden: &'static [&'static str]) -> impl Strategy<Value = String> {
    let word = prop_oneof![
        r"[^ \t\r\n]{1,8}",
        proptest::sample::select(vec![
            "name", "value", "type", "moves", "var", "default", "fen", "go", "<empty>"
        ])
        .prop_map(str::to_owned),
    ]
    .prop_filter("a stop word", |word| !forbidden.contains(&word.as_str()));
    vec(word, 1..5).prop_map(|words| words.join(" "))
}

fn trimmed() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), r"[^\r\n]{0,30}", words(&[])]
        .prop_map(|text| text.trim_matches([' ', '\t']).to_owned())
}

fn milliseconds() -> impl Strategy<Value = Duration> {
    (0..=i64::MAX.unsigned_abs()).prop_map(Duration::from_millis)
}

fn go() -> impl Strategy<Value = Go<'static>> {
    let times = proptest::array::uniform5(of(milliseconds()));
    let counts = any::<([bool; 2], [Option<u32>; 3], Option<u64>)>();
    (moves(), times, counts).prop_map(|(search_moves, times, (flags, counts, nodes))| {
        let [ponder, infinite] = flags;
        let [first, second, first_increment, second_increment, move_time] = times;
        let [moves_to_go, depth, mate] = counts;
        let (time, increment) = ([first, second], [first_increment, second_increment]);
        Go { search_moves, ponder, infinite, time, increment, moves_to_go, depth, nodes, mate, move_time }
    })
}

fn command() -> impl Strategy<Value = Command<'static>> {
    let base = prop_oneof![Just(Base::Start), words(&["moves"]).prop_map(|fen| Base::Fen(fen.into()))];
    prop_oneof![
        (words(&["value"]), of(trimmed())).prop_map(|(name, value)| Command::SetOption {
            name: name.into(),
            value: value.map(Token::from)
        }),
        (base, moves()).prop_map(|(base, moves)| Command::Position(PositionCommand { base, moves })),
        moves().prop_map(Command::Moves),
        go().prop_map(Command::Go),
        any::<u32>().prop_map(Command::Perft),
        vec(r"[^ \t\r\n]{1,8}".prop_map(Token::from), 0..5).prop_map(Command::Bench),
    ]
}

fn score() -> impl Strategy<Value = ScoreReport> {
    let score = prop_oneof![any::<i32>().prop_map(Score::Cp), any::<i32>().prop_map(Score::Mate)];
    let bound = of(prop_oneof![Just(Bound::Lower), Just(Bound::Upper)]);
    (score, bound).prop_map(|(score, bound)| ScoreReport { score, bound })
}

fn info() -> impl Strategy<Value = Info> {
    let numbers = (any::<([Option<u32>; 4], [Option<u64>; 3], Option<[u16; 3]>)>(), of(milliseconds()));
    let string = of(r"[^\r\n]{0,40}");
    (numbers, of(score()), vec(a_move(), 0..43), string).prop_map(|(numbers, score, pv, string)| {
        let ((small, [nodes, nps, tb_hits], wdl), time) = numbers;
        let [depth, sel_depth, multi_pv, hash_full] = small;
        Info { depth, sel_depth, multi_pv, score, wdl, nodes, nps, hash_full, tb_hits, time, pv, string }
    })
}

fn option() -> impl Strategy<Value = OptionDeclaration> {
    let text = || prop_oneof![words(&["var", "default"]), Just(String::new())];
    let kind = prop_oneof![
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        any::<[i64; 3]>().prop_map(|[default, min, max]| OptionKind::Spin { default, min, max }),
        (text(), vec(text(), 0..5)).prop_map(|(default, vars)| OptionKind::Combo { default, vars }),
        Just(OptionKind::Button),
        trimmed()
            .prop_filter("the word for an empty text", |text| text != "<empty>")
            .prop_map(|default| OptionKind::String { default }),
    ];
    (words(&["type"]), kind).prop_map(|(name, kind)| OptionDeclaration { name, kind })
}

fn reply() -> impl Strategy<Value = Reply> {
    const KEYWORDS: [&str; 8] = ["id", "option", "uciok", "ugiok", "readyok", "info", "bestmove", "response"];
    const RESPONSES: [Response; 6] =
        [Response::True, Response::False, Response::P1Win, Response::P2Win, Response::Draw, Response::None];
    let fen = trimmed()
        .prop_filter("another response", |text| {
            !text.is_empty() && RESPONSES.iter().all(|response| response.to_string() != *text)
        })
        .prop_map(Response::Fen);
    let text = r"[^\r\n]{0,40}".prop_filter("another reply", |text| {
        !KEYWORDS.contains(&text.split([' ', '\t']).find(|word| !word.is_empty()).unwrap_or_default())
    });
    prop_oneof![
        trimmed().prop_map(Reply::Name),
        trimmed().prop_map(Reply::Author),
        option().prop_map(Reply::Option),
        proptest::sample::select(vec![Reply::UciOk, Reply::UgiOk, Reply::ReadyOk]),
        info().prop_map(Reply::Info),
        (of(a_move()), of(a_move())).prop_map(|(best, ponder)| Reply::BestMove { best, ponder }),
        proptest::sample::select(RESPONSES.to_vec()).prop_map(Reply::Response),
        fen.prop_map(Reply::Response),
        text.prop_map(Reply::Text),
    ]
}

fn babble() -> impl Strategy<Value = String> {
    const WORDS: &str = "position startpos fen moves go depth searchmoves wtime perft bench setoption name value debug on query \
        info score cp mate pv string option type spin default combo var bestmove ponder response d 4 4430 P@d1 e2e4 -1 é ";
    let word = proptest::sample::select(WORDS.split(' ').collect::<Vec<_>>());
    vec((word, proptest::sample::select(vec![" ", "\t", "  ", "", "\r", "\n"])), 0..20)
        .prop_map(|parts| parts.into_iter().flat_map(|(word, blank)| [word, blank]).collect())
}

/// Reads any text without a panic. If the text is a command or reply, its printed form reads back as an equal value.
fn check_line(line: &str) -> Result<(), TestCaseError> {
    if let Ok(Some(Parsed { command, .. })) = parse_command(line) {
        if let Command::Moves(moves) | Command::Position(PositionCommand { moves, .. }) = &command {
            for m in moves {
                prop_assert!(line[m.offset..].starts_with(m.text));
            }
        }
        let displayed = command.to_string();
        prop_assert_eq!(parse_command(&displayed), Ok(Some(Parsed { command, warnings: Vec::new() })));
    }
    if let Ok(reply) = parse_reply(line) {
        prop_assert_eq!(parse_reply(&reply.to_string()), Ok(reply));
    }
    for error in parse_command(line).err().into_iter().chain(parse_reply(line).err()) {
        prop_assert!(error.offset <= line.len());
        prop_assert!(line.is_char_boundary(error.offset));
        prop_assert!(!error.to_string().contains(char::is_control));
    }
    Ok(())
}

#[test]
fn the_fuzz_corpus_reads_back_as_it_displays() {
    let is_command = |line: &String| parse_command(line).is_ok_and(|parsed| parsed.is_some());
    let is_reply = |line: &String| parse_reply(line).is_ok();
    for (target, is_read) in [("command", &is_command as &dyn Fn(&String) -> bool), ("reply", &is_reply)] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools/fuzz/corpus").join(target);
        let files = std::fs::read_dir(&folder).expect("the corpus is there");
        let texts = files
            .map(|file| std::fs::read(file.expect("readable").path()).expect("readable"))
            .filter_map(|bytes| String::from_utf8(bytes).ok());
        let texts: Vec<_> = texts.inspect(|line| check_line(line).expect(line)).collect();
        let read = texts.iter().filter(|line| is_read(line)).count();
        assert!(texts.len() > 20 && read > 10, "{}: {} texts, {read} read", folder.display(), texts.len());
    }
}

proptest! {
    #[test]
    fn replies_survive_the_line(reply in reply()) {
        prop_assert_eq!(parse_reply(&reply.to_string()), Ok(reply));
    }

    #[test]
    fn any_text_and_any_words_are_read_without_a_panic(text in any::<String>(), words in babble()) {
        check_line(&text)?;
        check_line(&words)?;
    }

    #[test]
    fn commands_survive_the_line(command in command(), before in "[ \t]{0,3}", after in "[ \t]{0,3}(\r?\n)?") {
        for line in [command.to_string(), format!("{before}{command}{after}")] {
            let expected = Parsed { command: command.clone(), warnings: Vec::new() };
            prop_assert_eq!(parse_command(&line), Ok(Some(expected)));
        }
    }
}
