//! One page with the recommendation, its table and all pictures. It loads nothing.

use std::fmt::Write;

use plumb_arena::escape::Text;

/// Nothing is loaded, from wherever it may be.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

const STYLE: &str = "body { font-family: sans-serif; max-width: 72em; margin: 1.5em auto; padding: 0 1em; }\n\
                     figure { margin: 1.5em 0; }\nsvg { max-width: 100%; height: auto; }\npre { overflow-x: auto; }\n";

/// The page as HTML in UTF-8; `setup` names the engine, `pictures` are SVG elements, and `note` explains them.
pub(super) fn page(
    setup: &str,
    recommendation: &str,
    table: &[String],
    pictures: &[String],
    note: &str,
) -> String {
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Size of the transposition table</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>Size of the transposition table</h1>\n<p>Engine: {}</p>\n<p><strong>{}</strong></p>\n<pre>{}</pre>\n",
        Text(setup),
        Text(recommendation),
        Text(&table.join("\n")),
    );
    for picture in pictures {
        // In HTML an SVG element needs no name space.
        let picture = picture.replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1);
        // What goes into a string cannot fail.
        let _ = writeln!(html, "<figure>{}</figure>", picture.trim_end());
    }
    format!("{html}<p>{}</p>\n</body>\n</html>\n", Text(note))
}
