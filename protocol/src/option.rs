//! The declaration of an option, as the engine lists it after `uci`.

use std::fmt;

/// An option of the engine.
///
/// Texts hold no line end, and a name is words with one blank between them, none of them `type`; other texts read back
/// differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDeclaration {
    /// The name, as in `setoption name`. Not empty; may hold blanks.
    pub name: String,
    /// The type, with default and bounds.
    pub kind: OptionKind,
}

/// The type of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `check`: `true` or `false`.
    Check {
        /// The value before any `setoption`.
        default: bool,
    },
    /// `spin`: a whole number.
    Spin {
        /// The value before any `setoption`.
        default: i64,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// `combo`: one of a list. The texts are words with one blank between them, none of them `var` or `default`.
    Combo {
        /// The value before any `setoption`.
        default: String,
        /// The list, in order.
        vars: Vec<String>,
    },
    /// `button`: an action; it has no value.
    Button,
    /// `string`: any text.
    String {
        /// The value before any `setoption`, without blanks at its ends. Empty prints as `<empty>`.
        default: String,
    },
}

/// Prints the whole line: `option name Hash type spin default 64 min 1 max 1024`.
impl fmt::Display for OptionDeclaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type {}", self.name, self.kind)
    }
}

/// Prints the text after the word `type`.
impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check { default } => write!(f, "check default {default}"),
            Self::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            Self::Combo { default, vars } => {
                write!(f, "combo default {default}")?;
                vars.iter().try_for_each(|var| write!(f, " var {var}"))
            }
            Self::Button => f.write_str("button"),
            Self::String { default } if default.is_empty() => f.write_str("string default <empty>"),
            Self::String { default } => write!(f, "string default {default}"),
        }
    }
}
