//! Text from outside, made fit for a message.

use std::fmt::{self, Display, Formatter, Write};

/// Displays text with its control characters escaped, as they could garble a terminal or end a line of a protocol.
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| {
            if c.is_control() { write!(f, "{}", c.escape_default()) } else { f.write_char(c) }
        })
    }
}
