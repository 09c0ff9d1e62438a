//! Checks options against the engine's declarations.

use std::ops::RangeInclusive;

use plumb_protocol::{Command, OptionDeclaration, OptionKind, most_similar};

/// Option and value for `setoption`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Name as the engine spells it.
    pub name: String,
    /// Value as the engine spells it. `None` for a button.
    pub value: Option<String>,
}

impl Setting {
    pub(super) fn new(name: &str, value: &dyn ToString) -> Self {
        Self { name: name.to_owned(), value: Some(value.to_string()) }
    }
}

impl From<&Setting> for Command<'_> {
    fn from(setting: &Setting) -> Self {
        Self::SetOption { name: setting.name.clone().into(), value: setting.value.clone().map(Into::into) }
    }
}

/// Option `Seed`, which makes an engine's random choices repeatable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SeedOption {
    name: String,
    /// Allowed seeds: from 1, because 0 often means a seed from the clock, up to 32 bits.
    range: RangeInclusive<i64>,
}

impl SeedOption {
    pub(crate) fn of(declared: &[OptionDeclaration], settings: &[Setting]) -> Option<Self> {
        let option = declared.iter().find(|option| option.name.eq_ignore_ascii_case("Seed"))?;
        let OptionKind::Spin { min, max, .. } = option.kind else { return None };
        let range = min.max(1)..=max.min(u32::MAX.into());
        let is_set = settings.iter().any(|setting| setting.name == option.name);
        if is_set || range.is_empty() {
            return None;
        }
        Some(Self { name: option.name.clone(), range })
    }

    pub(crate) fn with(&self, seed: u64) -> Setting {
        let count = (self.range.end() - self.range.start() + 1) as u64;
        let value = self.range.start() + (seed % count) as i64;
        Setting::new(&self.name, &value)
    }
}

/// Checks the value of an option. The result has the option's name as the engine declares it.
pub fn checked(declared: &[OptionDeclaration], name: &str, value: &str) -> Result<Setting, String> {
    let found = declared.iter().find(|option| option.name.eq_ignore_ascii_case(name));
    let option = found.ok_or_else(|| format!("option.{name}: no such option; {}", remedy(declared, name)))?;
    let value = spelt(option, value).map_err(|error| format!("option.{name}: {error}"))?;
    Ok(Setting { name: option.name.clone(), value })
}

fn spelt(option: &OptionDeclaration, value: &str) -> Result<Option<String>, String> {
    match &option.kind {
        OptionKind::Check { .. } => match value.to_ascii_lowercase() {
            word if word == "true" || word == "false" => Ok(Some(word)),
            _ => Err(format!("`{value}`: expected true or false")),
        },
        OptionKind::Spin { min, max, .. } => match value.parse::<i64>() {
            Ok(number) if (*min..=*max).contains(&number) => Ok(Some(number.to_string())),
            Ok(_) => Err(format!("`{value}` is out of range, which is {min} to {max}")),
            Err(_) => Err(format!("`{value}` is not a whole number from {min} to {max}")),
        },
        // The file in `VariantPath` may define more variants.
        OptionKind::Combo { .. } if option.name.eq_ignore_ascii_case("UCI_Variant") => {
            Ok(Some(value.to_owned()))
        }
        OptionKind::Combo { vars, .. } => match vars.iter().find(|known| known.eq_ignore_ascii_case(value)) {
            Some(known) => Ok(Some(known.clone())),
            None => Err(format!("`{value}` is none of its values: {}", vars.join(", "))),
        },
        OptionKind::Button if value.is_empty() => Ok(None),
        OptionKind::Button => Err(format!("a button takes no value: `option.{}=`", option.name)),
        OptionKind::String { .. } => Ok(Some(value.to_owned())),
    }
}

fn remedy(declared: &[OptionDeclaration], name: &str) -> String {
    let names: Vec<_> = declared.iter().map(|option| option.name.as_str()).collect();
    match most_similar(name, names.iter().copied()) {
        Some(similar) => format!("did you mean `{similar}`?"),
        None if declared.is_empty() => "the engine declares none".to_owned(),
        None => format!("the engine has `{}`", names.join("`, `")),
    }
}

#[cfg(test)]
mod tests {
    use plumb_protocol::{Reply, parse_reply};

    use super::*;

    fn option(line: &str) -> OptionDeclaration {
        match parse_reply(line) {
            Ok(Reply::Option(option)) => option,
            other => panic!("{other:?}"),
        }
    }

    fn declared() -> Vec<OptionDeclaration> {
        let lines = [
            "option name Hash type spin default 64 min 1 max 4096",
            "option name Clear Hash type button",
            "option name Move Overhead type spin default 10 min 0 max 5000",
            "option name OwnBook type check default true",
            "option name Notation type combo default auto var auto var drop",
            "option name UCI_Variant type combo default chess var chess",
            "option name BookFile type string default <empty>",
        ];
        lines.map(option).to_vec()
    }

    #[test]
    fn values_are_spelt_as_the_engine_has_them() {
        let declared = declared();
        for (name, value, expected) in [
            ("hash", "16", ("Hash", Some("16"))),
            ("move overhead", "0", ("Move Overhead", Some("0"))),
            ("OwnBook", "False", ("OwnBook", Some("false"))),
            ("Notation", "DROP", ("Notation", Some("drop"))),
            ("UCI_Variant", "cfour", ("UCI_Variant", Some("cfour"))),
            ("BookFile", "My Book", ("BookFile", Some("My Book"))),
            ("Clear Hash", "", ("Clear Hash", None)),
        ] {
            let value = checked(&declared, name, value).expect("it is declared");
            assert_eq!((value.name.as_str(), value.value.as_deref()), expected);
        }
    }

    #[test]
    fn seeds_are_within_the_range_and_never_0() {
        let declared = [option("option name seed type spin default 0 min 0 max 3")];
        let seed = SeedOption::of(&declared, &[]).expect("there is one");
        let said: Vec<_> = (0..4).map(|number| Command::from(&seed.with(number)).to_string()).collect();
        let [one, two, three] = [1, 2, 3].map(|value| format!("setoption name seed value {value}"));
        assert_eq!(said, [&one, &two, &three, &one].map(String::as_str));
        let user = checked(&declared, "Seed", "0").expect("declared");
        assert_eq!(SeedOption::of(&declared, &[user]), None);
        for line in ["option name Seed type string", "option name Seed type spin default 0 min 0 max 0"] {
            assert_eq!(SeedOption::of(&[option(line)], &[]), None);
        }
        let wide = [option("option name Seed type spin default 0")];
        let wide = SeedOption::of(&wide, &[]).expect("there is one");
        assert_eq!(wide.with(u64::from(u32::MAX) - 1).value.as_deref(), Some("4294967295"));
    }

    #[test]
    fn what_is_not_declared_is_refused_with_the_remedy() {
        let declared = declared();
        for (name, value, expected) in [
            ("Hsah", "3", "option.Hsah: no such option; did you mean `Hash`?"),
            ("MoveOverhead", "3", "option.MoveOverhead: no such option; did you mean `Move Overhead`?"),
            (
                "Contempt",
                "3",
                "option.Contempt: no such option; the engine has `Hash`, `Clear Hash`, `Move Overhead`, `OwnBook`, \
                 `Notation`, `UCI_Variant`, `BookFile`",
            ),
            ("Hash", "0", "option.Hash: `0` is out of range, which is 1 to 4096"),
            ("Hash", "much", "option.Hash: `much` is not a whole number from 1 to 4096"),
            ("OwnBook", "yes", "option.OwnBook: `yes`: expected true or false"),
            ("Notation", "san", "option.Notation: `san` is none of its values: auto, drop"),
            ("Clear Hash", "true", "option.Clear Hash: a button takes no value: `option.Clear Hash=`"),
        ] {
            assert_eq!(checked(&declared, name, value), Err(expected.to_owned()));
        }
        let none = checked(&[], "Hash", "1").expect_err("none is declared");
        assert_eq!(none, "option.Hash: no such option; the engine declares none");
    }
}
