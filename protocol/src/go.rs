//! The `go` command and its limits.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::lexeme::{Value, Words, printed};
use crate::moves::push_moves;
use crate::{LineError, Move, Reason, Token, most_similar};

/// The greatest number of warnings about one line. Further faults are dropped in silence, so that a line with a million
/// faults is not answered by a million lines.
pub const MAX_WARNINGS: usize = 32;

/// The word after `go` that makes it a [`Command::Perft`](crate::Command::Perft).
const PERFT: &str = "perft";

/// The protocol, which the last handshake word, `uci` or `ugi`, decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The Universal Chess Interface, as arenas for chess variants speak it.
    #[default]
    Uci,
    /// The Universal Game Interface.
    Ugi,
}

/// Prints the handshake word: `uci` or `ugi`.
impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Uci => "uci",
            Self::Ugi => "ugi",
        })
    }
}

impl FromStr for Dialect {
    type Err = String;

    /// Reads the handshake word.
    fn from_str(text: &str) -> Result<Self, String> {
        let found = [Self::Uci, Self::Ugi].into_iter().find(|dialect| dialect.to_string() == text);
        found.ok_or_else(|| format!("`{text}` is neither uci nor ugi"))
    }
}

/// Declares [`Go`]: the doc comment of a field, its name and type, and the words that set it, each with that of UGI if
/// UGI has another; in brackets, the index that the word sets. Words are printed in this order. Struct, printer and parser
/// follow from the declaration.
macro_rules! words_of_go {
    ($($(#[$doc:meta])+ $field:ident: $type:ty = $($([$index:literal])? $uci:literal $(or $ugi:literal)?),+;)+) => {
        /// The moves to search, and the limits. The first limit that is reached ends the search.
        ///
        /// Times are whole milliseconds from 0 to `i64::MAX`; parts of a millisecond are not printed. A negative time, which
        /// arenas send after a clock has run out, is read as 0.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Go<'a> {
            $($(#[$doc])+ pub $field: $type,)+
        }

        impl<'a> Go<'a> {
            /// The words after `go`, in the order in which they are printed: that of UCI, then that of UGI if it differs.
            pub const WORDS: &'static [&'static [&'static str]] = &[$($(&[$uci $(, $ugi)?]),+),+];

            /// The whole command, with the words of a dialect.
            pub(crate) fn line(&self, dialect: Dialect) -> String {
                ["go".to_owned() $($(, printed(&self.$field $([$index])?, spelled(&[$uci $(, $ugi)?], dialect)))+)+].concat()
            }

            /// Takes what follows `name`; returns whether that is a word of `go`.
            fn parse_clause(&mut self, name: Token<'a, ()>, words: &mut Words<'a>, warnings: &mut Vec<LineError>) -> bool {
                match name.text {
                    $($($uci $(| $ugi)? => self.$field $([$index])?.parse(name, words, warnings),)+)+
                    _ => return false,
                }
                true
            }
        }
    };
}

words_of_go! {
    /// `searchmoves`: the moves to consider; empty for all.
    search_moves: Vec<Token<'a, Move>> = "searchmoves";
    /// `ponder`: search on the opponent's time, and answer only after `ponderhit` or `stop`.
    ponder: bool = "ponder";
    /// The remaining times: `wtime` or `p1time` (index 0, the player who moves first), `btime` or `p2time`.
    time: [Option<Duration>; 2] = [0] "wtime" or "p1time", [1] "btime" or "p2time";
    /// The increments of each move: `winc` or `p1inc` (index 0, the player who moves first), `binc` or `p2inc`.
    increment: [Option<Duration>; 2] = [0] "winc" or "p1inc", [1] "binc" or "p2inc";
    /// `movestogo`: number of moves until the next time control.
    moves_to_go: Option<u32> = "movestogo";
    /// `depth`, in plies.
    depth: Option<u32> = "depth";
    /// `nodes`: number of positions to visit.
    nodes: Option<u64> = "nodes";
    /// `mate`: look for a win within this many moves, under UGI plies.
    mate: Option<u32> = "mate";
    /// `movetime`: time for this move.
    move_time: Option<Duration> = "movetime";
    /// `infinite`: answer only after `stop`.
    infinite: bool = "infinite";
}

/// Prints the whole command, with the clock words of UCI: `go wtime 1000 btime 1000`.
impl fmt::Display for Go<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line(Dialect::Uci))
    }
}

/// Takes the clauses after the word `go`, and returns them with the depth of `perft` if it is among them. Adds warnings about
/// parts that are ignored or read as something else. Of two clauses with the same word, the later one holds.
pub(crate) fn go<'a>(
    words: &mut Words<'a>,
    warnings: &mut Vec<LineError>,
) -> Result<(Go<'a>, Option<u32>), LineError> {
    let (mut go, mut perft) = (Go::default(), None);
    while let Some(name) = words.next() {
        if name.text == PERFT {
            // Not a limit: with a malformed number, a count must not turn into a search.
            perft = Some(u32::parse(words)?);
        } else if !go.parse_clause(name, words, warnings) {
            warn(warnings, || {
                name.fault(Reason::UnknownLimit { similar: most_similar(name.text, clause_words()) })
            });
            // A number belongs to the unknown word before it.
            words.next_if(|word| word.parse::<f64>().is_ok());
        }
    }
    Ok((go, perft))
}

/// Adds a warning, if there are fewer than [`MAX_WARNINGS`]. To make one takes time, and a line may hold a million faults.
fn warn(warnings: &mut Vec<LineError>, warning: impl FnOnce() -> LineError) {
    if warnings.len() < MAX_WARNINGS {
        warnings.push(warning());
    }
}

/// All words that begin a clause.
fn clause_words() -> impl Iterator<Item = &'static str> {
    Go::WORDS.iter().copied().flatten().copied().chain([PERFT])
}

/// Whether the word begins no clause.
fn is_other(word: &str) -> bool {
    clause_words().all(|known| known != word)
}

/// The word of a dialect.
fn spelled(spellings: &[&'static str], dialect: Dialect) -> &'static str {
    spellings[if dialect == Dialect::Uci { 0 } else { spellings.len() - 1 }]
}

/// Parser of a clause of `go`, by the type of its field in [`Go`].
trait ParseClause<'a> {
    /// Takes what follows the word `name`.
    fn parse(&mut self, name: Token<'a, ()>, words: &mut Words<'a>, warnings: &mut Vec<LineError>);
}

impl<'a> ParseClause<'a> for bool {
    fn parse(&mut self, _: Token<'a, ()>, _: &mut Words<'a>, _: &mut Vec<LineError>) {
        *self = true;
    }
}

/// Moves up to the next word that begins a clause.
impl<'a> ParseClause<'a> for Vec<Token<'a, Move>> {
    fn parse(&mut self, _: Token<'a, ()>, words: &mut Words<'a>, warnings: &mut Vec<LineError>) {
        self.clear();
        while let Some(word) = words.next_if(is_other) {
            if let Err(fault) = push_moves(word, self) {
                warn(warnings, || fault);
            }
        }
    }
}

/// A malformed number is reported and left out. If a word that begins a clause stands in its place, that clause holds: in
/// `go depth movetime 100` the time.
impl<'a, T: Value> ParseClause<'a> for Option<T> {
    fn parse(&mut self, name: Token<'a, ()>, words: &mut Words<'a>, warnings: &mut Vec<LineError>) {
        let word = words.peek();
        match T::parse(words) {
            Ok(value) => {
                *self = Some(value);
                if let Some(reason) = T::warning(word.text) {
                    warn(warnings, || word.fault(reason));
                }
                return;
            }
            Err(fault) if !word.text.is_empty() => warn(warnings, || fault),
            Err(_) => warn(warnings, || name.fault(Reason::MissingNumber)),
        }
        words.next_if(is_other);
    }
}
