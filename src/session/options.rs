//! The options: each is declared once, and everything else about it follows from there.

mod setting;

use std::fmt::Write;
use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;

use plumb_protocol::{Located, OptionDeclaration, OptionKind, most_similar};

pub(crate) use setting::Choice;
use setting::{Button, OptionalSpin, Setting, Spin};

use super::fault::Fault;
use crate::board::{Geometry, Standard};
use crate::search::strength::{MAX_ELO, MIN_ELO, level_for_elo};
use crate::search::{Settings, Strength};

/// The greatest number of threads: beyond it they get more in each other's way than they help.
const MAX_THREADS: i64 = 256;

/// How moves are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Notation {
    /// As the dialect has it.
    #[default]
    Auto,
    /// `P@d1`.
    Drop,
    /// `d`.
    Letter,
    /// `4`.
    Digit,
}

impl Choice for Notation {
    const WORDS: &'static [(&'static str, Self)] =
        &[("auto", Self::Auto), ("drop", Self::Drop), ("letter", Self::Letter), ("digit", Self::Digit)];
}

/// The game played, by the name that arenas know it by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variant {
    /// Connect Four on 7x6.
    #[default]
    ConnectFour,
}

impl Choice for Variant {
    const WORDS: &'static [(&'static str, Self)] = &[("cfour", Self::ConnectFour)];
}

/// What the session has to do after an option was set, beside remembering the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing.
    None,
    /// Give the table its new size.
    Resize,
    /// Forget what the table holds.
    ClearTable,
    /// Describe the variant for those who draw the board by it.
    DescribeVariant,
    /// Log to the new file.
    LogFile,
    /// Open the new book.
    OpenBook,
}

/// A declaration with its help text, for documents.
#[derive(Clone, Debug)]
struct Documented {
    declaration: OptionDeclaration,
    help: String,
}

/// Options that arenas send to every engine and that mean nothing to this one: accepted without a word.
const IGNORED: [&str; 1] = ["VariantPath"];

/// Declares the options: a doc comment that is the help text as well, field, type, default, the name on the wire, perhaps
/// second names, and what setting it sets off.
macro_rules! options {
    ($($(#[doc = $help:literal])+ $field:ident: $kind:ty = $default:expr,
        $name:literal $(or $other:literal, $why:literal)* => $effect:ident;)+) => {
        /// The values of all options.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Options {
            $($(#[doc = $help])+ pub $field: $kind,)+
        }

        impl Default for Options {
            fn default() -> Self {
                Self { $($field: $default,)+ }
            }
        }

        impl Options {
            /// All options with their present values as defaults.
            fn documented(&self) -> Vec<Documented> {
                vec![$(
                    Documented {
                        declaration: OptionDeclaration { name: $name.to_owned(), kind: self.$field.kind() },
                        help: concat!($($help),+).trim().to_owned(),
                    },
                    $(Documented {
                        declaration: OptionDeclaration { name: $other.to_owned(), kind: self.$field.kind() },
                        help: concat!("Second name of `", $name, "`, ", $why, ".").to_owned(),
                    },)*
                )+]
            }

            /// Sets the option of this name, in any case; `None` if there is none.
            ///
            /// # Errors
            /// What was expected in place of the value.
            fn assign(&mut self, name: &str, value: &str) -> Option<Result<Effect, String>> {
                $(if [$name $(, $other)*].iter().any(|known| name.eq_ignore_ascii_case(known)) {
                    return Some(<$kind>::parse(value).map(|value| {
                        self.$field = value;
                        Effect::$effect
                    }));
                })+
                None
            }
        }
    };
}

options! {
    /// Size of the transposition table in megabytes of 2^20 bytes.
    hash: Spin<1, 33_554_432> = Spin::new(64), "Hash" => Resize;
    /// Forgets what the transposition table holds.
    clear_hash: Button = Button, "Clear Hash" => ClearTable;
    /// Number of search threads; as many as there are processors to spare is best.
    threads: Spin<1, MAX_THREADS> = Spin::new(1), "Threads" => None;
    /// Number of best moves to report, each with its line of play.
    multi_pv: Spin<1, { Standard::WIDTH as i64 }> = Spin::new(1), "MultiPV" => None;
    /// Whether the arena may let the engine ponder; `go ponder` works either way.
    ponder: bool = false, "Ponder" => None;
    /// The game played; setting it prints a description of the board for graphical interfaces.
    variant: Variant = Variant::ConnectFour, "UCI_Variant" => DescribeVariant;
    /// Plays at full strength, whatever the options that weaken it say.
    analyse_mode: bool = false, "UCI_AnalyseMode" => None;
    /// Prints the chances to win, to draw and to lose with each score.
    show_wdl: bool = false, "UCI_ShowWDL"
        or "ShowWDL", "for cutechess, which keeps most options that begin with `UCI_` to itself" => None;
    /// Plays as weakly as `UCI_Elo` says.
    limit_strength: bool = false, "UCI_LimitStrength" => None;
    /// Strength to play at if `UCI_LimitStrength` is on; overrides `Skill Level` then.
    elo: Spin<{ MIN_ELO as i64 }, { MAX_ELO as i64 }> = Spin::lowest(), "UCI_Elo" => None;
    /// Strength to play at, 20 being full strength.
    skill_level: Spin<0, 20> = Spin::new(20), "Skill Level" => None;
    /// Seed of the random choices of a weakened engine: with the same number it plays the same moves again; 0 takes another one each time.
    seed: Spin<0, { u32::MAX as i64 }> = Spin::lowest(), "Seed" => None;
    /// Milliseconds kept back on each move for the way to the arena: in full if set, as long as 1 ms remains; the default at most a quarter of `go movetime`.
    move_overhead: OptionalSpin<0, 5000, 10> = OptionalSpin::default(), "Move Overhead" => None;
    /// File to append the dialogue and the log to; nothing is written while it is empty.
    log_file: String = String::new(), "Debug Log File" => LogFile;
    /// Plays from an opening book at full strength: the one within the program, or that of `BookFile`.
    own_book: bool = true, "OwnBook" => None;
    /// File of an opening book made by `plumb-lab book`, to play from instead of the one within the program.
    book_file: String = String::new(), "BookFile" => OpenBook;
    /// How moves are printed: `P@d1`, `d` or `4`; `auto` follows the protocol, `P@d1` under UCI and `d` under UGI.
    notation: Notation = Notation::Auto, "Notation" => None;
}

impl Options {
    /// The declarations, as the handshake lists them.
    #[must_use]
    pub fn declarations() -> Vec<OptionDeclaration> {
        Self::default().documented().into_iter().map(|option| option.declaration).collect()
    }

    /// Sets an option. `end` is the length of the line, the place to name where a value is missing.
    ///
    /// # Errors
    /// Names an unknown option or a value that does not fit; nothing has changed then.
    pub(crate) fn set(
        &mut self,
        name: &Located<String>,
        value: Option<&Located<String>>,
        end: usize,
    ) -> Result<Effect, Fault> {
        let text = value.map_or("", |value| value.value.trim());
        let offset = value.filter(|_| !text.is_empty()).map_or(end, |value| value.offset);
        match self.assign(&name.value, text) {
            Some(result) => {
                result.map_err(|expected| Fault::new(text, offset, format!("expected {expected}")))
            }
            None if IGNORED.iter().any(|known| name.value.eq_ignore_ascii_case(known)) => Ok(Effect::None),
            None => {
                let declared = Self::declarations();
                let similar = most_similar(&name.value, declared.iter().map(|option| option.name.as_str()));
                let hint = similar.map(|similar| format!("; did you mean `{similar}`?")).unwrap_or_default();
                Err(Fault::new(&name.value, name.offset, format!("no option has this name{hint}")))
            }
        }
    }

    /// The size of the transposition table in megabytes.
    #[must_use]
    pub fn hash_megabytes(&self) -> usize {
        usize::try_from(self.hash.get()).unwrap_or(usize::MAX)
    }

    /// What a search started now needs to know.
    #[must_use]
    pub fn settings(&self) -> Settings {
        Settings {
            multi_pv: self.multi_pv.get() as usize,
            strength: self.strength(),
            threads: NonZeroUsize::new(self.threads.get() as usize).unwrap_or(NonZeroUsize::MIN),
            own_book: self.own_book,
            seed: NonZeroU32::new(self.seed.get() as u32),
        }
    }

    /// The time to keep back on each move, if it was set.
    #[must_use]
    pub fn move_overhead(&self) -> Option<Duration> {
        self.move_overhead.get().map(|milliseconds| Duration::from_millis(milliseconds.unsigned_abs()))
    }

    fn strength(&self) -> Strength {
        if self.analyse_mode {
            Strength::Full
        } else if self.limit_strength {
            Strength::Level(level_for_elo(self.elo.get() as i32))
        } else if self.skill_level.get() < 20 {
            Strength::Level(self.skill_level.get() as f64)
        } else {
            Strength::Full
        }
    }
}

/// The options as a Markdown table, for the README, which a test compares with it.
#[must_use]
pub fn markdown_table() -> String {
    let mut table = String::from("| Name | Type | Default | Values | Meaning |\n|---|---|---|---|---|\n");
    for option in Options::default().documented() {
        let (kind, default, values) = option.words();
        let Documented { declaration: OptionDeclaration { name, .. }, help } = option;
        // Writing to a string cannot fail.
        let _ = writeln!(table, "| `{name}` | {kind} | {default} | {values} | {help} |");
    }
    table
}

/// The options as text for a terminal of 80 columns.
#[must_use]
pub fn terminal_list() -> String {
    let mut list = String::new();
    for option in Options::default().documented() {
        let (kind, default, values) = option.words();
        let Documented { declaration: OptionDeclaration { name, .. }, help } = option;
        let values = if values.is_empty() { kind.to_owned() } else { values };
        let default = if default.is_empty() { default } else { format!("; default {default}") };
        // Writing to a string cannot fail.
        let _ = writeln!(list, "  {name} ({values}{default})");
        let mut column = 0;
        for word in help.split(' ') {
            let width = word.chars().count();
            let fits = column > 0 && column + 1 + width <= 80;
            let _ = if fits {
                write!(list, " {word}")
            } else {
                write!(list, "{}      {word}", if column > 0 { "\n" } else { "" })
            };
            column = if fits { column + 1 + width } else { 6 + width };
        }
        list.push('\n');
    }
    list
}

impl Documented {
    /// Type, default and values in words.
    fn words(&self) -> (&'static str, String, String) {
        match &self.declaration.kind {
            OptionKind::Check { default } => ("check", default.to_string(), "true, false".to_owned()),
            OptionKind::Spin { default, min, max } if min == max => {
                ("spin", default.to_string(), min.to_string())
            }
            OptionKind::Spin { default, min, max } => {
                ("spin", default.to_string(), format!("{min} to {max}"))
            }
            OptionKind::Combo { default, vars } => ("combo", default.clone(), vars.join(", ")),
            OptionKind::Button => ("button", String::new(), String::new()),
            OptionKind::String { default } => ("string", default.clone(), "any text".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests;
