//! The declaration of an option, as the engine lists it after `uci`.

use std::fmt;

/// An option that the engine offers.
///
/// Texts hold no line end, and a name is words with one blank between them, none of them `type`; anything else does
/// not survive the line it is printed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDeclaration {
    /// What `setoption name` calls it. Not empty; may hold blanks.
    pub name: String,
    /// What values it takes.
    pub kind: OptionKind,
}

/// The values of an option.
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
        /// The least allowed.
        min: i64,
        /// The greatest allowed.
        max: i64,
    },
    /// `combo`: one of a list. The texts are words with one blank between them, none of them `var` or `default`.
    Combo {
        /// The value before any `setoption`.
        default: String,
        /// The list, in order.
        vars: Vec<String>,
    },
    /// `button`: something to do at once; it has no value.
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

/// Prints what follows the word `type`.
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
