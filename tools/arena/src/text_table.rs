//! Tables and sentences that fit a terminal.

use plumb_protocol::shortened;

/// Blanks between two columns.
const GAP: usize = 2;
/// Least length of a shortened name, in characters.
const SHORTEST_NAME: usize = 8;

/// A column of a table.
pub(crate) struct Column {
    pub heading: &'static str,
    /// As many as the other columns have.
    pub cells: Vec<String>,
    /// Order in which columns are dropped if the table is too wide: the greatest first, 0 never.
    pub expendable: u32,
}

impl Column {
    fn width(&self) -> usize {
        self.cells.iter().map(|cell| size(cell)).chain([size(self.heading)]).max().unwrap_or(0)
    }
}

/// The lines of a table of at most `width` characters: the headings and the rows. The first column has names, on the left;
/// the others have figures, on the right. Where there is not enough room, columns are left out, then names are shortened.
pub(crate) fn lines(mut columns: Vec<Column>, width: usize) -> Vec<String> {
    let total = |columns: &[Column]| -> usize {
        columns.iter().map(|column| column.width() + GAP).sum::<usize>().saturating_sub(GAP)
    };
    while total(&columns) > width {
        let Some(most) = columns.iter().map(|column| column.expendable).max().filter(|most| *most > 0) else {
            break;
        };
        columns.retain(|column| column.expendable != most);
    }
    let excess = total(&columns).saturating_sub(width);
    if let Some(names) = columns.first_mut().filter(|_| excess > 0) {
        let most = names.width().saturating_sub(excess).max(SHORTEST_NAME);
        names.cells.iter_mut().for_each(|name| *name = shortened(name, most));
    }
    let widths: Vec<_> = columns.iter().map(Column::width).collect();
    let line = |cell: &dyn Fn(&Column) -> String| {
        let mut line = String::new();
        for (index, (column, &width)) in columns.iter().zip(&widths).enumerate() {
            let text = cell(column);
            let blanks = " ".repeat(width - size(&text));
            line += &if index == 0 { text + &blanks } else { " ".repeat(GAP) + &blanks + &text };
        }
        line
    };
    let rows = columns.first().map_or(0, |column| column.cells.len());
    let headings = line(&|column| column.heading.to_owned());
    let rows = (0..rows).map(|row| line(&|column| column.cells[row].clone()));
    std::iter::once(headings).chain(rows).collect()
}

/// The sentence in lines of at most `width` characters or a word, those after the first one indented.
pub(crate) fn wrapped(sentence: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in sentence.split(' ') {
        match lines.last_mut() {
            // A sign that stands by itself belongs to the figure before it.
            Some(line) if size(line) + 1 + size(word) <= width || word == "%" => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) => lines.push(format!("  {word}")),
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

fn size(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> Vec<Column> {
        let column = |heading, cells: [&str; 2], expendable| Column {
            heading,
            cells: cells.map(str::to_owned).into(),
            expendable,
        };
        vec![
            column("engine", ["a long name", "b"], 0),
            column("won", ["12", "3"], 0),
            column("Elo", ["1.0 ± 2.0", "-"], 1),
            column("nElo", ["3.0 ± 4.0", "-"], 2),
        ]
    }

    #[test]
    fn a_table_shrinks_to_the_width() {
        let wide = ["engine       won        Elo       nElo", "a long name   12  1.0 ± 2.0  3.0 ± 4.0"];
        assert_eq!(lines(columns(), 80)[..2], wide);
        assert_eq!(lines(columns(), 38)[..2], wide);
        assert_eq!(lines(columns(), 37)[1], "a long name   12  1.0 ± 2.0");
        assert_eq!(lines(columns(), 26)[1], "a long name   12");
        assert_eq!(lines(columns(), 14), ["engine     won", "a long n…   12", "b            3"]);
    }

    #[test]
    fn a_sentence_is_broken_at_blanks() {
        assert_eq!(wrapped("one two three", 80), ["one two three"]);
        assert_eq!(wrapped("one two three four", 9), ["one two", "  three", "  four"]);
        assert_eq!(wrapped("level 5.0 % of", 9), ["level 5.0 %", "  of"]);
        assert_eq!(wrapped("unbreakable", 5), ["unbreakable"]);
    }
}
