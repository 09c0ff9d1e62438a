//! The options of the engine. One declaration gives the listing, help and parser of an option.

use std::fmt::{self, Display, Formatter, Write};
use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;

use plumb_protocol::{LineError, OptionDeclaration, OptionKind, Token, most_similar};

use crate::board::{Board, BoardSize};
use crate::search::strength::{MAX_ELO, MIN_ELO, level_for_elo};
use crate::search::{DEFAULT_OVERHEAD, Settings, Strength};

/// Largest `Hash` in megabytes. On 32-bit systems, the table and its alignment of 2 MB must stay below 2 GB.
pub(super) const MAX_HASH: i64 = if cfg!(target_pointer_width = "64") { 33_554_432 } else { 2045 };
/// Default of `Hash` in megabytes (2^20 bytes).
pub const DEFAULT_HASH: usize = 64;

/// Greatest number of search threads: more would slow each other down. A web worker has a single thread.
pub(super) const MAX_THREADS: i64 =
    if cfg!(all(target_family = "wasm", target_os = "unknown")) { 1 } else { 256 };

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Notation {
    #[default]
    Auto,
    /// `P@d1`.
    Drop,
    /// `d`.
    Letter,
    /// `4`.
    Digit,
}

impl Notation {
    const WORDS: [(&str, Self); 4] =
        [("auto", Self::Auto), ("drop", Self::Drop), ("letter", Self::Letter), ("digit", Self::Digit)];
}

impl OptionValue for Notation {
    fn kind(&self) -> OptionKind {
        let word = Self::WORDS.iter().find(|(_, notation)| notation == self).map_or("", |(word, _)| word);
        OptionKind::Combo {
            default: word.to_owned(),
            vars: Self::WORDS.map(|(word, _)| word.to_owned()).into(),
        }
    }

    fn parse(text: &str) -> Result<Self, String> {
        let found = Self::WORDS.iter().find(|(word, _)| text.eq_ignore_ascii_case(word));
        found.map(|&(_, notation)| notation).ok_or_else(|| Self::WORDS.map(|(word, _)| word).join(" or "))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    None,
    Resize,
    ForgetSearches,
    SetBoard,
    /// Sets the board, and prints a description of it for graphical interfaces.
    SetVariant,
    LogFile,
    OpenBook,
    CountProcessors,
}

/// Options that arenas send to every engine, and that this engine ignores.
const IGNORED: [&str; 1] = ["VariantPath"];

/// Declares options: doc comment (the help text), field, type, default, name, alternative names with reasons, effect.
macro_rules! options {
    ($($(#[doc = $help:literal])+ $field:ident: $kind:ty = $default:expr,
        $name:literal $(or $other:literal, $why:literal)* => $effect:ident;)+) => {
        #[derive(Clone, Debug, PartialEq)]
        pub(crate) struct Options {
            $($(#[doc = $help])+ pub(crate) $field: $kind,)+
        }

        impl Default for Options {
            fn default() -> Self {
                Self { $($field: $default,)+ }
            }
        }

        impl Options {
            fn documented(&self) -> Vec<(OptionDeclaration, &'static str)> {
                let declaration = |name: &str, kind| OptionDeclaration { name: name.to_owned(), kind };
                vec![$(
                    (declaration($name, self.$field.kind()), concat!($($help),+).trim()),
                    $((
                        declaration($other, self.$field.kind()),
                        concat!("Second name of `", $name, "`, ", $why, "."),
                    ),)*
                )+]
            }

            /// Sets an option, or returns `None` if `name` is unknown. An error is a noun phrase for what is
            /// expected.
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
    /// Greatest size of the transposition table in megabytes of 2^20 bytes. A large size costs nothing until it is used.
    hash: Spin<1, MAX_HASH> = Spin::new(DEFAULT_HASH as i64), "Hash" => Resize;
    /// Forgets all earlier searches: all tables of the search and what was learned about the opponent.
    clear_hash: Button = Button, "Clear Hash" => ForgetSearches;
    /// Number of search threads; as many as there are processors to spare is best.
    threads: Spin<1, MAX_THREADS> = Spin::new(1), "Threads" => CountProcessors;
    /// Number of best moves to report, each with its line of play.
    multi_pv: Spin<1, { BoardSize::MAX_WIDTH as i64 }> = Spin::new(1), "MultiPV" => None;
    /// Tells the arena that the engine can ponder; `go ponder` works either way.
    ponder: bool = false, "Ponder" => None;
    /// Size of the board, columns by rows: 4x4 to 25x4 and 4x31, where columns times (rows + 1) is at most 128. A new size sets the empty board up and clears the transposition table; so does a FEN of another size.
    board: Board = Board::default(), "Board" => SetBoard;
    /// The game: `cfour`. Other boards have names such as `cfour8x7`, which the list of values leaves out. Sets `Board`, and prints a description of the board for graphical interfaces.
    variant: Variant = Variant(Board::default()), "UCI_Variant" => SetVariant;
    /// Plays at full strength, whatever `UCI_LimitStrength` and `Skill Level` are set to.
    analyse_mode: bool = false, "UCI_AnalyseMode" => None;
    /// Prints the chances to win, to draw and to lose with each score.
    show_wdl: bool = false, "UCI_ShowWDL"
        or "ShowWDL", "for cutechess, which keeps most options that begin with `UCI_` to itself" => None;
    /// Plays at the strength of `UCI_Elo`.
    limit_strength: bool = false, "UCI_LimitStrength" => None;
    /// Strength if `UCI_LimitStrength` is on; `Skill Level` is ignored then.
    elo: Spin<{ MIN_ELO as i64 }, { MAX_ELO as i64 }> = Spin::new(i64::from(MIN_ELO)), "UCI_Elo" => None;
    /// Strength; 20 is full strength.
    skill_level: Spin<0, 20> = Spin::new(20), "Skill Level" => None;
    /// Seed of the random choices below full strength; with the same seed, the engine repeats its moves. 0 stands for a new seed each time.
    seed: Spin<0, { u32::MAX as i64 }> = Spin::new(0), "Seed" => None;
    /// Milliseconds of each move kept back for communication with the arena. The default is at most a quarter of `go movetime`. A value that you set applies in full, but leaves 1 ms for the search.
    move_overhead: Spin<0, 5000> = Spin::new(DEFAULT_OVERHEAD.as_millis() as i64), "Move Overhead" => None;
    /// File to append the dialogue and the log to; empty for none.
    log_file: String = String::new(), "Debug Log File" => LogFile;
    /// Plays from an opening book at full strength: the built-in book, or the book in `BookFile`.
    own_book: bool = true, "OwnBook" => None;
    /// In drawn and lost positions, chooses the move after which a fallible opponent errs most often. The move keeps a draw, but may lose sooner. Uses up to three quarters of the remaining time for the move, or a quarter on a clock. Not with `MultiPV` above 1, below full strength, in `go infinite`, `go depth` or `go mate`, or with `UCI_AnalyseMode`.
    swindle: bool = true, "Swindle" => None;
    /// File of an opening book made by `plumb-lab book`, in place of the built-in one; empty for none.
    book_file: String = String::new(), "BookFile" => OpenBook;
    /// Notation of printed moves: drop `P@d1`, letter `d` or digit `4`; `auto` is drop under UCI, letter under UGI.
    notation: Notation = Notation::Auto, "Notation" => None;
}

impl Options {
    pub(crate) fn declarations() -> Vec<OptionDeclaration> {
        Self::default().documented().into_iter().map(|(declaration, _)| declaration).collect()
    }

    /// An error leaves the options unchanged.
    pub(crate) fn set(
        &mut self,
        name: &Token<'_, String>,
        value: Option<&Token<'_, String>>,
    ) -> Result<Effect, LineError> {
        // The protocol parser removes only blanks and tabs around the value.
        let text = value.map_or("", |value| value.value.trim());
        match self.assign(&name.value, text) {
            Some(Err(expected)) if text.is_empty() => {
                return Err(
                    Token::new((), &name.value, name.offset).error(format!("expected a value: {expected}"))
                );
            }
            Some(Err(expected)) => {
                let offset = value.map_or(0, |value| value.offset);
                let reason = format!("`{}` expects {expected}", name.value);
                return Err(Token::new((), text, offset).error(reason));
            }
            Some(Ok(effect)) => return Ok(effect),
            None => {}
        }
        if IGNORED.iter().any(|known| name.value.eq_ignore_ascii_case(known)) {
            return Ok(Effect::None);
        }
        let hint = similar_option(&name.value).map(|similar| format!("; did you mean `{similar}`?"));
        let reason = format!("no option has this name{}", hint.unwrap_or_default());
        Err(Token::new((), &name.value, name.offset).error(reason))
    }

    pub(crate) fn hash_megabytes(&self) -> usize {
        usize::try_from(self.hash.value).unwrap_or(usize::MAX)
    }

    pub(crate) fn hash_megabytes_or(&self, default: usize) -> usize {
        if self.hash.is_set { self.hash_megabytes() } else { default }
    }

    pub(crate) fn threads(&self) -> NonZeroUsize {
        NonZeroUsize::new(self.threads.get() as usize).unwrap_or(NonZeroUsize::MIN)
    }

    pub(crate) fn settings(&self) -> Settings {
        Settings {
            multi_pv: NonZeroUsize::new(self.multi_pv.get() as usize).unwrap_or(NonZeroUsize::MIN),
            strength: self.strength(),
            threads: self.threads(),
            own_book: self.own_book,
            swindle: self.swindle && !self.analyse_mode,
            seed: NonZeroU32::new(self.seed.get() as u32),
        }
    }

    pub(crate) fn move_overhead(&self) -> Option<Duration> {
        self.move_overhead.if_set().map(|milliseconds| Duration::from_millis(milliseconds.unsigned_abs()))
    }

    fn strength(&self) -> Strength {
        match self.skill_level.get() {
            _ if self.analyse_mode => Strength::Full,
            _ if self.limit_strength => Strength::Level(level_for_elo(self.elo.get() as i32)),
            20 => Strength::Full,
            level => Strength::Level(level as f64),
        }
    }
}

/// Suggests a similar name, or the whole command if only the word `value` is missing, as in `hash 64`.
fn similar_option(name: &str) -> Option<String> {
    let declared = Options::declarations();
    let names = declared.iter().map(|option| option.name.as_str());
    for known in names.clone() {
        if let Some((start, rest)) = name.split_at_checked(known.len())
            && start.eq_ignore_ascii_case(known)
            && let Some(value) = rest.strip_prefix(' ')
        {
            return Some(format!("setoption name {known} value {value}"));
        }
    }
    most_similar(name, names).map(str::to_owned)
}

/// The options as a Markdown table, as in the README.
#[must_use]
pub fn options_markdown() -> String {
    let mut table = "| Name | Type | Default | Values | Meaning |\n|---|---|---|---|---|\n".to_owned();
    for (OptionDeclaration { name, kind }, help) in Options::default().documented() {
        let (kind, default, values) = in_words(&kind);
        let _ = writeln!(table, "| `{name}` | {kind} | {default} | {values} | {help} |");
    }
    table
}

/// The options as text for 80 columns, for `plumb --help`.
#[must_use]
pub fn options_text() -> String {
    let mut list = String::new();
    for (OptionDeclaration { name, kind }, help) in Options::default().documented() {
        let (kind, default, values) = in_words(&kind);
        let values = if values.is_empty() { kind.to_owned() } else { values };
        let default = if default.is_empty() { default } else { format!("; default {default}") };
        list.extend(["  ", &name, " (", &values, &default, ")"]);
        let mut width = usize::MAX;
        for word in help.split(' ') {
            let length = word.chars().count();
            let is_full = width >= 80 - length;
            list += if is_full { "\n      " } else { " " };
            list += word;
            width = if is_full { 6 + length } else { width + 1 + length };
        }
        list.push('\n');
    }
    list
}

fn in_words(kind: &OptionKind) -> (&'static str, String, String) {
    match kind {
        OptionKind::Check { default } => ("check", default.to_string(), "true, false".to_owned()),
        OptionKind::Spin { default, min, max } if min == max => {
            ("spin", default.to_string(), min.to_string())
        }
        OptionKind::Spin { default, min, max } => ("spin", default.to_string(), format!("{min} to {max}")),
        OptionKind::Combo { default, vars } => ("combo", default.clone(), vars.join(", ")),
        OptionKind::Button => ("button", String::new(), String::new()),
        OptionKind::String { default } => ("string", default.clone(), "any text".to_owned()),
    }
}

pub(crate) trait OptionValue: Sized {
    fn kind(&self) -> OptionKind;

    /// Parses the text after `value` in `setoption`. An error is a noun phrase for what is expected.
    fn parse(text: &str) -> Result<Self, String>;
}

impl OptionValue for bool {
    fn kind(&self) -> OptionKind {
        OptionKind::Check { default: *self }
    }

    fn parse(text: &str) -> Result<Self, String> {
        for value in [true, false] {
            if text.eq_ignore_ascii_case(&value.to_string()) {
                return Ok(value);
            }
        }
        Err("true or false".to_owned())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spin<const MIN: i64, const MAX: i64> {
    value: i64,
    is_set: bool,
}

impl<const MIN: i64, const MAX: i64> Spin<MIN, MAX> {
    pub(crate) const fn new(value: i64) -> Self {
        assert!(MIN <= value && value <= MAX, "out of range");
        Self { value, is_set: false }
    }

    pub(crate) const fn get(self) -> i64 {
        self.value
    }

    pub(crate) fn if_set(self) -> Option<i64> {
        if self.is_set { Some(self.value) } else { None }
    }
}

impl<const MIN: i64, const MAX: i64> OptionValue for Spin<MIN, MAX> {
    fn kind(&self) -> OptionKind {
        OptionKind::Spin { default: self.value, min: MIN, max: MAX }
    }

    fn parse(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(value) if (MIN..=MAX).contains(&value) => Ok(Self { value, is_set: true }),
            _ => Err(format!("a whole number from {MIN} to {MAX}")),
        }
    }
}

impl OptionValue for Board {
    fn kind(&self) -> OptionKind {
        OptionKind::String { default: self.to_string() }
    }

    fn parse(text: &str) -> Result<Self, String> {
        let size = text.to_ascii_lowercase().parse();
        let size = size.map_err(|_| "columns and rows as WxH, such as 7x6".to_owned())?;
        Self::new(size).map_err(|error| format!("another size: {error}"))
    }
}

/// The value of `UCI_Variant`: `cfour`, or for other boards `cfour8x7` and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Variant(pub(crate) Board);

impl Variant {
    const NAME: &str = "cfour";
}

impl Display for Variant {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(Self::NAME)?;
        if self.0 == Board::default() { Ok(()) } else { self.0.fmt(f) }
    }
}

/// Lists only `cfour` of the accepted names, because graphical interfaces show all listed names in a menu.
impl OptionValue for Variant {
    fn kind(&self) -> OptionKind {
        OptionKind::Combo { default: self.to_string(), vars: vec![Self::NAME.to_owned()] }
    }

    fn parse(text: &str) -> Result<Self, String> {
        match text.split_at_checked(Self::NAME.len()) {
            Some((name, "")) if name.eq_ignore_ascii_case(Self::NAME) => Ok(Self(Board::default())),
            Some((name, size)) if name.eq_ignore_ascii_case(Self::NAME) => Board::parse(size).map(Self),
            _ => Err("cfour, or cfour and a size, such as cfour8x7".to_owned()),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Button;

impl OptionValue for Button {
    fn kind(&self) -> OptionKind {
        OptionKind::Button
    }

    fn parse(_: &str) -> Result<Self, String> {
        Ok(Self)
    }
}

/// `<empty>` is the empty string, as in UCI.
impl OptionValue for String {
    fn kind(&self) -> OptionKind {
        OptionKind::String { default: self.clone() }
    }

    fn parse(text: &str) -> Result<Self, String> {
        Ok(if text.eq_ignore_ascii_case("<empty>") { Self::new() } else { text.to_owned() })
    }
}

#[cfg(test)]
mod tests;
