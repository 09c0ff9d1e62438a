use std::fmt::{self, Display, Formatter};

use plumb_protocol::OptionKind;

use crate::board::Board;

pub(crate) trait OptionValue: Sized {
    fn kind(&self) -> OptionKind;

    /// Parses the text after `value`. The error names what is expected.
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

/// The name of the game in arenas: `cfour`, with the size for other boards.
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

/// Lists one name only, because graphical interfaces make a menu of the names.
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

/// `<empty>` is the empty text, as UCI declares it.
impl OptionValue for String {
    fn kind(&self) -> OptionKind {
        OptionKind::String { default: self.clone() }
    }

    fn parse(text: &str) -> Result<Self, String> {
        Ok(if text.eq_ignore_ascii_case("<empty>") { Self::new() } else { text.to_owned() })
    }
}
