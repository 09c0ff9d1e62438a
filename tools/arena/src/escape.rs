//! Untrusted text on its way into an HTML page.

use std::fmt::{self, Write};

/// Text as the content of an element or the value of a quoted attribute.
pub struct Text<'a>(pub &'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|letter| match letter {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\'' => f.write_str("&#39;"),
            letter => f.write_char(letter),
        })
    }
}

/// JSON as the content of a script element, which ends at the first `</script` and knows comments; JSON has these
/// letters in strings only, where they can be written by number.
pub fn json(json: &str) -> String {
    json.replace('&', "\\u0026").replace('<', "\\u003c").replace('>', "\\u003e")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_that_ends_anything() {
        assert_eq!(Text("<a b=\"c\" d='&'>").to_string(), "&lt;a b=&quot;c&quot; d=&#39;&amp;&#39;&gt;");
        let names = ["</script><!--&amp;", "plain", "\u{2028}"];
        let written = json(&serde_json::to_string(&names).expect("JSON"));
        assert!(!written.contains(['<', '>', '&']), "{written}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&written).expect("JSON"), names);
    }
}
