//! Wrong command lines and their error messages.

use crate::common::{Directory, refused};

#[test]
fn a_wrong_command_line_is_one_sentence() {
    for (line, said) in [
        ("mach", "no command `mach`; did you mean `match`?"),
        ("no-such-command", "no command `no-such-command`; see `plumb-lab --help`"),
        ("book bild", "no command `bild`; did you mean `build`?"),
        ("match --engin plumb", "no option `--engin`; did you mean `--engine`?"),
        ("match --rounds -1", "`--rounds -1`: expected a positive number"),
        ("match --rounds many", "`--rounds many`: expected a whole number"),
        ("label a.txt b.txt --out c.csv", "`label` takes one FILE; `b.txt` is a second one"),
        ("solve 4 4 5 5", "quote the moves: `plumb-lab solve \"4 4 5 5\"`, or join them: 4455"),
        ("man foo", "`man` prints one page; for a command: `plumb-lab foo --help`"),
        ("suite x --threads", "`--threads`: the value is missing; see `plumb-lab suite --help`"),
        ("completions basch", "`basch`: did you mean `bash`?"),
        ("suite", "missing <FILE>...; see `plumb-lab suite --help`"),
        ("suite no-such-suite.txt", "cannot read `no-such-suite.txt`: "),
        ("suite x --weak --engine plumb", "`--weak` cannot be used with `--engine`"),
        ("latency 12/best", "`best`: expected `all`, `score` or `scores`"),
        ("variant-ini 40x40", "`40x40`: a board has at most 25 columns"),
        ("THREE --tournament=cup", "`--tournament cup`: expected round-robin or gauntlet"),
        ("THREE --serve=99999", "`--serve 99999`: ports are 0 to 65535; expected HOST:PORT"),
        ("match --engine=plumb --engine=plumb --each=st=soon", "--each: st: `soon`: expected seconds"),
        ("latency --count 0", "`--count 0`: expected a number from 1 to 4294967295"),
        ("latency 12 --engine no-such-engine", "`no-such-engine`: cannot be started: "),
        ("book build --lines 1 --moves --out x", "`--lines` cannot be used with `--moves`"),
        ("plumb-studies depth --game 49 --out x", "move 2, `9`: there is no column 9 (columns 1 to 7)"),
        ("plumb-studies table x --sizes many --out x", "`--sizes many`: expected entries, as in 8388617"),
        (
            "plumb-studies depth --game games.csv --out x",
            "`--game games.csv`: not a position; expected moves such as",
        ),
        ("solve games.csv", "`games.csv` is not a position; `plumb-lab solve - <FILE` solves"),
        ("serve --cors=example.org", "`--cors example.org`: "),
        ("serve --timeout=0", "expected seconds from 0.001 to 86400"),
        ("page --no-open /nowhere", "`/nowhere`: there is no match; give"),
        ("solve 4444 --board 4x4 --json .", "`.` is a directory; give the name of a file"),
        ("label . --out x", "`.` is a directory; give a file"),
        ("book build --out .", "`.` is a directory; give the name of a file"),
        ("solve 4444 --hash 0", "`--hash 0`: expected megabytes from 1 to 33554432"),
        ("suite x --moves", "`--moves` needs `--engine`: it judges the moves of that engine"),
        ("tune-hash --hash 1", "no option `--hash`; the sizes to compare are in `--sizes MB,MB…`"),
        ("tune-hash", "missing --out <DIR> and one of --movetime <MS>, --tc <CLOCK>, --match; see "),
        ("match --engine conf=A --engine plumb,st=1", "`conf=A` needs `--engines-file FILE`"),
        (
            "match --engine conf=A --engine plumb,st=1 --engines-file src/main.rs",
            "`src/main.rs`: expected a JSON array of engines",
        ),
        (
            "match --engine plumb,st=1 --engine skill-1,st=1 --out Cargo.toml",
            "`Cargo.toml` is a file; give a directory",
        ),
        (
            "match --engine plumb,st=1 --engine skill-1,st=1 --openings balancd",
            "`balancd`: there is no such file, and the suites are",
        ),
        ("match --engine plumb", "a match needs two engines at least"),
        (
            "match --engine skill-1 --engine skill-2 -games 5",
            "`-games` is a word of cutechess: here it is `--rounds N`, the number of openings, each of which is played twice",
        ),
        ("match --engine cmd=plumb tc=1", "commas join the settings of an engine: `--engine cmd=plumb,tc=1`"),
        ("THREE --openings=lost --tested=3", "3 of 3 engines under test leaves no opponent"),
        ("THREE --openings=lost --sprt=0,5", "--sprt is not for `--openings lost` and `drawn`"),
        ("THREE --openings=drawn --repeat-openings", "--repeat-openings is not for `--openings lost`"),
        ("THREE --tested=1", "--tested is for `--tournament gauntlet` and `--openings lost` and `drawn`"),
        ("THREE --board 8x7 --openings balanced", "balanced` is for the board of 7x6, not for 8x7: "),
        ("THREE --board=4x4 --plies=16", "--plies: 16 random moves fill the board of 4x4: fewer than 16"),
        ("THREE --serve=192.0.2.1:1", "cannot serve at `192.0.2.1:1`: "),
        ("THREE --keep-serving", "--serve"),
    ] {
        let three = "match --engine=plumb --engine=skill-3 --engine=skill-4 --each=nodes=9";
        let line = line.replace("THREE", three);
        let sentence = refused(&line.split(' ').collect::<Vec<_>>());
        assert!(sentence.contains(said), "{line}: {sentence}");
    }
    let directory = Directory::new("binary");
    let binary = directory.file("binary.txt", "\u{7f}ELF\0");
    let readers: [&[&str]; 3] = [
        &["suite", &binary],
        &["label", &binary, "--out", &directory.path("x.csv")],
        &["match", "--engine=plumb,st=1", "--engine=skill-3,st=1", "--openings", &binary],
    ];
    for reader in readers {
        let sentence = refused(reader);
        assert!(sentence.contains("` is not a text file; expected positions, one per line"), "{sentence}");
    }
    let said = "`0_11`: expected a number of stones from 0 to 41, or a range such as 0-11";
    assert_eq!(refused(&["latency", "0_11"]), said);
}
