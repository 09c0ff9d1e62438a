//! The results as a table of signs, width across and height up, as John Tromp prints it.

use std::collections::HashMap;

use crate::board_size::Size;

/// The lines of the table: `sign` for each board that is in `signs`, a point for those of `all` that are not.
pub(super) fn lines(all: &[Size], signs: &HashMap<(u32, u32), char>) -> Vec<String> {
    let widths = range(all.iter().map(|size| size.width()));
    let heights = range(all.iter().map(|size| size.height()));
    let column = |text: String| format!("{text:>3}");
    let mut lines: Vec<_> = heights
        .rev()
        .map(|height| {
            let cells = widths.clone().map(|width| {
                let is_known = |size: &Size| (size.width(), size.height()) == (width, height);
                let blank = if all.iter().any(is_known) { '.' } else { ' ' };
                column(signs.get(&(width, height)).copied().unwrap_or(blank).to_string())
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
        let signs = HashMap::from([((4, 4), '='), ((6, 4), '-'), ((4, 5), '+')]);
        let expected = [" 5 |  +  .", " 4 |  =  .  -", "   +---------", "      4  5  6"];
        assert_eq!(lines(&all, &signs), expected);
    }
}
