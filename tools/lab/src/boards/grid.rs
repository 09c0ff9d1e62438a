//! The results as a table of signs, width across and height up, as John Tromp prints it.

use std::collections::HashMap;

use plumb::board::BoardSize;

/// The most cells of a board that is in the table though it is not solved: what can be solved in reasonable time.
const MAX_CELLS: u32 = 48;
/// The larger boards that are in the table as well, because they are played.
const LARGER: [BoardSize; 5] = [size(7, 7), size(8, 7), size(8, 8), size(9, 6), size(9, 7)];

const fn size(width: u32, height: u32) -> BoardSize {
    BoardSize { width, height }
}

/// The lines of the table: the sign of each solved board, a point for others.
pub(super) fn lines(signs: &HashMap<BoardSize, char>) -> Vec<String> {
    let is_shown = |size: &BoardSize| {
        size.width * size.height <= MAX_CELLS || LARGER.contains(size) || signs.contains_key(size)
    };
    table(&BoardSize::all().filter(is_shown).collect::<Vec<_>>(), signs)
}

fn table(all: &[BoardSize], signs: &HashMap<BoardSize, char>) -> Vec<String> {
    let widths = range(all.iter().map(|size| size.width));
    let heights = range(all.iter().map(|size| size.height));
    let column = |text: String| format!("{text:>3}");
    let mut lines: Vec<_> = heights
        .rev()
        .map(|height| {
            let cells = widths.clone().map(|width| {
                let size = size(width, height);
                let blank = if all.contains(&size) { '.' } else { ' ' };
                column(signs.get(&size).copied().unwrap_or(blank).to_string())
            });
            format!("{height:>2} |{}", cells.collect::<String>()).trim_end().to_owned()
        })
        .collect();
    lines.push(format!("   +{}", "-".repeat(3 * widths.clone().count())));
    let names = widths.map(|width| column(width.to_string()));
    lines.push(format!("    {}", names.collect::<String>()));
    lines
}

/// From the least to the greatest.
fn range(values: impl Iterator<Item = u32> + Clone) -> std::ops::RangeInclusive<u32> {
    values.clone().min().unwrap_or(0)..=values.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn width_goes_across_and_height_up() {
        let all = ["4x4", "5x4", "6x4", "4x5", "5x5"].map(|text| text.parse().expect(text));
        let signs = HashMap::from([(size(4, 4), '='), (size(6, 4), '-'), (size(4, 5), '+')]);
        let expected = [" 5 |  +  .", " 4 |  =  .  -", "   +---------", "      4  5  6"];
        assert_eq!(table(&all, &signs), expected);
    }
}
