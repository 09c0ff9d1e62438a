//! Resumption of a match: the given settings are compared with those of the record.

use anyhow::{Result, anyhow, bail};
use plumb::board::BoardSize;
use plumb_arena::engine::config::EngineDescription;
use plumb_arena::record::{FREE, MatchHeader};

use super::Settings;

/// Flags that may be added on resumption, beside those that no game depends on.
const ADDED: [&str; 1] = ["repeat-openings"];

/// The flag of the board, which is compared on its own.
const BOARD: &str = "board";

impl Settings {
    /// The settings of a resumed match: those of its record, with more rounds or a test if they are given here.
    /// `record` is the name of its file.
    ///
    /// # Errors
    /// Which settings differ, all of them; if the record, of an older version, does not hold what is not given here.
    pub(in super::super) fn resumed(&self, header: &MatchHeader, record: &str) -> Result<Self> {
        if header.arguments.is_empty() {
            if self.engines.is_empty() {
                bail!(
                    "`{record}` is of an older version and does not hold its settings: give all of them again"
                );
            }
            let configs = self.configs()?;
            let games = self.plans(configs.len(), None).0;
            if !header.is_of_same_match(&self.header(&configs, games)) {
                bail!("`{record}` has other settings, so it cannot be resumed with these");
            }
            return Ok(self.clone());
        }
        let recorded = Self::from_record(header).map_err(|error| anyhow!("`{record}`: {error}"))?;
        let mut differences = self.differing_engines(header)?;
        differences.extend(self.differing_flags(header));
        if !differences.is_empty() {
            bail!(
                "`{record}` has other settings, so it cannot be resumed with these: {}",
                differences.join("; ")
            );
        }
        Ok(self.clone().or(recorded))
    }

    /// The given flags that differ from those of the record.
    fn differing_flags(&self, header: &MatchHeader) -> Vec<String> {
        let recorded = &header.arguments;
        let mut differences = Vec::new();
        if let Some(here) = self.board {
            // A record that names no board is of 7x6.
            let standard = BoardSize::STANDARD.to_string();
            let (there, here) = (recorded.get(BOARD).unwrap_or(&standard), here.to_string());
            differences.extend((*there != here).then(|| difference(BOARD, Some(there), Some(&here))));
        }
        for (flag, here) in self.given() {
            let there = recorded.get(&flag);
            let may_differ = FREE.contains(&flag.as_str()) || ADDED.contains(&flag.as_str());
            if flag == BOARD || there == Some(&here) || may_differ || flag == "sprt" && there.is_none() {
                continue;
            }
            let number = |text: &String| text.parse::<u32>().unwrap_or(0);
            let remedy = match flag.as_str() {
                "rounds" if there.map(number) > Some(number(&here)) => " (there may be more, not fewer)",
                "rounds" if recorded.contains_key("shard") => " (a shard cannot have more)",
                "rounds" => continue,
                _ => "",
            };
            differences.push(difference(&flag, there.map(String::as_str), Some(&here)) + remedy);
        }
        differences
    }

    /// The given engines' differences from those of the record.
    fn differing_engines(&self, header: &MatchHeader) -> Result<Vec<String>> {
        if self.engines.is_empty() {
            if self.each.is_some() {
                bail!(
                    "--each: with `--resume` the engines are those of the record, unless all are given again"
                );
            }
            return Ok(Vec::new());
        }
        let (there, here) = (&header.engines, self.configs()?);
        if there.len() != here.len() {
            return Ok(vec![format!("engines: {} in the record, {} here", there.len(), here.len())]);
        }
        let mut differences = Vec::new();
        for (there, here) in there.iter().zip(&here) {
            let read = |text: &str| text.parse::<EngineDescription>().map_err(|error| anyhow!("{error}"));
            let (old, new) = (read(&there.description)?, read(&here.description())?);
            let mut keys: Vec<_> = old.keys().chain(new.keys()).collect();
            keys.sort_unstable();
            keys.dedup();
            for key in keys {
                if old.get(key) != new.get(key) {
                    let name = format!("`{}`, {key}", there.name);
                    differences.push(difference(&name, old.get(key), new.get(key)));
                }
            }
        }
        Ok(differences)
    }
}

/// One setting that is not the same: `rounds: 3 in the record, 5 here`.
fn difference(name: &str, there: Option<&str>, here: Option<&str>) -> String {
    let shown = |value: Option<&str>| match value {
        None => "none".to_owned(),
        Some("") => "given".to_owned(),
        Some(value) => value.to_owned(),
    };
    format!("{name}: {} in the record, {} here", shown(there), shown(here))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn settings(words: &[&str]) -> Settings {
        Settings::from_words(words.iter().map(|&word| word.to_owned())).expect("settings")
    }

    fn header(words: &[&str]) -> MatchHeader {
        let settings = settings(words);
        let configs = settings.configs().expect("engines");
        let games = settings.plans(configs.len(), None).0;
        settings.header(&configs, games)
    }

    const ENGINES: [&str; 6] = [
        "--engine",
        "name=A,cmd=\"/my x/plumb\" -q,st=0.1",
        "--engine",
        "skill-3,option.Hash=2",
        "--each",
        "nodes=5",
    ];

    /// Settings of every kind.
    fn many() -> Vec<&'static str> {
        let flags = [
            "--rounds=7",
            "--seed=9",
            "--openings=a b.txt",
            "--shuffle",
            "--first-column=0",
            "--plies=3",
            "--tournament=gauntlet",
            "--sprt=-3.5,2",
            "--normalised",
            "--shard=2/3",
            "--adjudicate=solved",
            "--blunders",
            "--repeat-openings",
            "--concurrency=4",
            "--hang-timeout=8",
            "--start-timeout=3",
        ];
        [&ENGINES[..], &flags].concat()
    }

    #[test]
    fn a_record_holds_all_settings() {
        for words in [ENGINES.to_vec(), many()] {
            let header = header(&words);
            let resumed = settings(&[]).resumed(&header, "record").expect("the same");
            let configs = resumed.configs().expect("engines");
            assert_eq!(configs, settings(&words).configs().expect("engines"));
            let again = resumed.header(&configs, header.schedule.games as usize);
            assert_eq!(MatchHeader { started: header.started.clone(), ..again }, header);
            // All given again are the same, too.
            assert!(settings(&words).resumed(&header, "record").is_ok());
        }
    }

    #[test]
    fn rounds_and_a_test_may_be_added() {
        let header = header(&[&ENGINES[..], &["--rounds=3"]].concat());
        let more = ["--rounds=5", "--sprt=0,10", "--concurrency=3", "--repeat-openings"];
        let resumed = settings(&more).resumed(&header, "record").expect("more of the same");
        assert_eq!((resumed.rounds(), resumed.engines.len()), (5, 2));
        assert!(resumed.test().expect("a test").is_some());
    }

    #[test]
    fn what_differs_is_named() {
        let plain = header(&[&ENGINES[..], &["--rounds=3"]].concat());
        let differing = |header: &MatchHeader, words: &[&str]| {
            let error = settings(words).resumed(header, "record").expect_err("other settings").to_string();
            let start = "`record` has other settings, so it cannot be resumed with these: ";
            error.strip_prefix(start).map_or(error.clone(), str::to_owned)
        };
        for (words, expected) in [
            (&["--rounds=2"][..], "rounds: 3 in the record, 2 here (there may be more, not fewer)"),
            (
                &["--seed=2", "--openings=decided"],
                "openings: balanced in the record, decided here; seed: 1 in the record, 2 here",
            ),
            (&["--shuffle"], "shuffle: none in the record, given here"),
            (
                &["--engine=name=A,cmd=x,nodes=7", "--engine=skill-3,st=1"],
                "`A`, cmd: \"/my x/plumb\" -q in the record, x here; `A`, nodes: 5 in the record, 7 here; `A`, st: 0.1 \
                 in the record, none here; `skill-3`, nodes: 5 in the record, none here; `skill-3`, option.Hash: 2 in the \
                 record, none here; `skill-3`, st: none in the record, 1 here",
            ),
            (&["--engine=skill-3,st=1"], "a match needs two engines at least: `--engine` twice"),
            (
                &["--each=st=1"],
                "--each: with `--resume` the engines are those of the record, unless all are given again",
            ),
        ] {
            assert_eq!(differing(&plain, words), expected);
        }
        let shard = header(&many());
        assert_eq!(
            differing(&shard, &["--rounds=8", "--sprt=0,5"]),
            "rounds: 7 in the record, 8 here (a shard cannot have more); sprt: -3.5,2,0.05,0.05 normalised in the \
             record, 0,5,0.05,0.05 here"
        );
        let old = MatchHeader { arguments: BTreeMap::new(), ..plain };
        assert!(differing(&old, &[]).starts_with("`record` is of an older version"));
        let again = [&ENGINES[..], &["--rounds=3"]].concat();
        assert!(settings(&again).resumed(&old, "record").is_ok());
        let other = [&ENGINES[..], &["--rounds=4"]].concat();
        assert_eq!(
            differing(&old, &other),
            "`record` has other settings, so it cannot be resumed with these"
        );
    }
}
