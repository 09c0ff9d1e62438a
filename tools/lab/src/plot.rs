//! Figures as SVG: panels of lines and bars, with a legend next to them.
//!
//! Lines that coincide all remain visible, because later lines have gaps or are narrower.

mod axis;

pub use axis::{Axis, Quantity, extent, seconds_label};

/// Pixels from the left edge and from the top.
type Place = (f64, f64);

const MARGIN: f64 = 12.0;

/// Height of a legend entry as a multiple of the height of letters.
const ENTRY_HEIGHT: f64 = 1.6;

/// An entry of the legend.
pub type LegendEntry = (String, Stroke);

/// Panels with a common title and legend: side by side with a title, else below each other.
pub struct Figure {
    /// Heading; may be empty.
    pub title: String,
    /// Charts of the figure.
    pub panels: Vec<Panel>,
    /// Width and height of a panel in pixels.
    pub panel_size: (f64, f64),
    /// Height of the letters in pixels.
    pub letters: f64,
    /// Legend; no legend is drawn without entries.
    pub entries: Vec<LegendEntry>,
}

impl Figure {
    /// A figure without a title. The legend has the names of all lines.
    pub fn new(panels: Vec<Panel>, panel_size: (f64, f64), letters: f64) -> Self {
        let mut entries: Vec<LegendEntry> = Vec::new();
        for line in panels.iter().flat_map(|panel| &panel.lines) {
            if !line.name.is_empty() && entries.iter().all(|(name, _)| *name != line.name) {
                entries.push((line.name.clone(), line.stroke));
            }
        }
        Self { title: String::new(), panels, panel_size, letters, entries }
    }

    /// The figure as SVG.
    pub fn svg(&self) -> String {
        let Self { title, panels, panel_size, letters, entries } = self;
        let [top, right, width, height] = self.layout();
        let mut svg = vec![
            format!(
                "<svg width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
                 xmlns=\"http://www.w3.org/2000/svg\">\n"
            ),
            rectangle((0.0, 0.0), (width, height), WHITE),
            text((width / 2.0, MARGIN + letters), "middle", letters * 1.25, title),
        ];
        for ((name, stroke), row) in entries.iter().zip(1..) {
            let middle = top + ENTRY_HEIGHT * letters * (f64::from(row) + 0.5);
            svg.push(stroke.entry((right + 8.0, middle), name, *letters));
        }
        // Aligns the axes of panels below each other.
        let labels = panels.iter().map(|panel| panel.label_width(*letters)).fold(0.0, f64::max);
        for (index, panel) in panels.iter().enumerate() {
            let (column, row) = if title.is_empty() { (0, index) } else { (index, 0) };
            let place = (MARGIN + column as f64 * panel_size.0, top + row as f64 * panel_size.1);
            svg.push(panel.svg(place, *panel_size, *letters, labels));
        }
        svg.push("</svg>\n".to_owned());
        svg.concat()
    }

    /// Upper and right edge of the panels, and total width and height.
    fn layout(&self) -> [f64; 4] {
        let Self { title, panels, panel_size: (width, height), letters, entries } = self;
        let count = panels.len() as f64;
        let (columns, rows) = if title.is_empty() { (1.0, count) } else { (count, 1.0) };
        let (top, right) = (MARGIN + title_height(title, *letters), MARGIN + columns * width);
        let widths = entries.iter().map(|(name, _)| text_width(name, *letters) + SAMPLE + 1.5 * letters);
        let legend_height = ENTRY_HEIGHT * letters * (entries.len() as f64 + 1.0);
        let bottom = top + legend_height.max(rows * height);
        [top, right, right + widths.fold(MARGIN, f64::max), bottom + MARGIN]
    }
}

fn text_width(text: &str, letters: f64) -> f64 {
    text.chars().count() as f64 * letters * 0.6
}

/// SVG text, vertically centred on `y`. `x` is its left end, middle or right end, by `anchor`.
fn text((x, y): Place, anchor: &str, letters: f64, text: &str) -> String {
    // The height of a line is about 1.24 times the font size.
    let size = letters / 1.24;
    format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\" dy=\"0.35em\" text-anchor=\"{anchor}\" font-family=\"sans-serif\" \
         font-size=\"{size:.1}\">\n{}\n</text>\n",
        html_text(text)
    )
}

fn rectangle((x, y): Place, (width, height): (f64, f64), colour: &str) -> String {
    format!(
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{colour}\"/>\n"
    )
}

/// Escapes text for HTML and SVG, as content or as a quoted attribute.
pub fn html_text(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}

/// Colours that colour-blind people can distinguish. Source: M. Okabe and K. Ito, "Color Universal Design", 2008.
pub const COLOURS: [&str; 7] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", BLACK];
/// Colour of axes, and of lines without measurements.
pub const BLACK: &str = "#000000";
const WHITE: &str = "#FFFFFF";

const GRID: Stroke = Stroke::plain("#CDCDCD", 1);
const FAINT_GRID: Stroke = Stroke::plain("#EEEEEE", 1);

/// A line through points.
#[derive(Clone, Debug)]
pub struct Line {
    /// Name in the legend; may be empty.
    pub name: String,
    /// Stroke of the line.
    pub stroke: Stroke,
    /// Points in units of the axes.
    pub points: Vec<(f64, f64)>,
    /// Error bars: horizontal position, lower and upper end.
    pub spreads: Vec<(f64, f64, f64)>,
}

impl Line {
    /// A line without a name and without error bars.
    pub fn new(stroke: Stroke, points: Vec<(f64, f64)>) -> Self {
        Self { name: String::new(), stroke, points, spreads: Vec::new() }
    }
}

/// Axes with lines and bars.
#[derive(Default)]
pub struct Panel {
    /// Heading above the chart.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Lines, of which later ones are drawn on top.
    pub lines: Vec<Line>,
    /// Bars of a histogram: left, right and upper edge.
    pub bars: Vec<(f64, f64, f64)>,
}

impl Panel {
    fn label_width(&self, letters: f64) -> f64 {
        text_width(self.y.widest_label(), letters) + 20.0 + title_height(&self.y.title, letters)
    }

    /// The panel as SVG. `(x, y)` is its upper left corner, `labels` the width of the labels of the vertical axis.
    fn svg(&self, (x, y): Place, (width, height): (f64, f64), letters: f64, labels: f64) -> String {
        let heading = title_height(&self.title, letters);
        // Half of the last label is beyond the axis.
        let right = x + width - 6.0 - text_width(self.x.widest_label(), letters) / 2.0;
        let (left, top) = (x + 6.0 + labels, y + 6.0 + heading);
        let bottom = y + height - 6.0 - letters * 2.0 - title_height(&self.x.title, letters);
        let (centre, middle) = (f64::midpoint(left, right), f64::midpoint(top, bottom));
        let across = |place: f64| left + (right - left) * self.x.share(place);
        let up = |place: f64| bottom - (bottom - top) * self.y.share(place);
        let upright = |place, stroke: Stroke, end| stroke.path(&[(across(place), top), (across(place), end)]);
        let level = |place, stroke: Stroke, start| stroke.path(&[(start, up(place)), (right, up(place))]);

        let mut svg = vec![text((centre, y + 6.0 + heading / 2.0), "middle", letters * 1.1, &self.title)];
        svg.extend(self.x.minor.iter().map(|&place| upright(place, FAINT_GRID, bottom)));
        svg.extend(self.y.minor.iter().map(|&place| level(place, FAINT_GRID, left)));
        for (place, label) in &self.x.ticks {
            svg.push(upright(*place, GRID, bottom + 5.0));
            svg.push(text((across(*place), bottom + letters), "middle", letters, label));
        }
        for (place, label) in &self.y.ticks {
            svg.push(level(*place, GRID, left - 5.0));
            svg.push(text((left - 10.0, up(*place)), "end", letters, label));
        }
        svg.push(Stroke::plain(BLACK, 1).path(&[(left, top), (left, bottom), (right, bottom)]));
        svg.push(text((centre, bottom + letters * 2.4), "middle", letters, &self.x.title));
        let beside = (x + 6.0 + letters * 0.75, middle);
        let title = text(beside, "middle", letters, &self.y.title);
        svg.push(format!("<g transform=\"rotate(-90 {:.1} {:.1})\">\n{title}</g>\n", beside.0, beside.1));

        svg.extend(self.bars.iter().map(|&(left, right, top)| {
            let (left, right, top) = (across(left), across(right), up(top));
            rectangle((left, top), (right - left, bottom - top), COLOURS[0])
        }));
        for Line { stroke, spreads, .. } in &self.lines {
            let thin = Stroke::plain(stroke.colour, 2);
            let spread = |&(place, low, high): &(f64, f64, f64)| {
                thin.path(&[(across(place), up(low)), (across(place), up(high))])
            };
            svg.extend(spreads.iter().map(spread));
        }
        let points = |line: &Line| line.points.iter().map(|&(x, y)| (across(x), up(y))).collect::<Vec<_>>();
        svg.extend(self.lines.iter().map(|line| line.stroke.path(&points(line))));
        svg.extend(self.lines.iter().map(|line| line.stroke.circles(&points(line))));
        svg.concat()
    }
}

fn title_height(title: &str, letters: f64) -> f64 {
    if title.is_empty() { 0.0 } else { letters * 1.6 }
}

const SAMPLE: f64 = 52.0;

const DASHES: [&str; 3] = ["none", "16 10", "4 8"];

/// Style of a line and its points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Colour of line and points.
    pub colour: &'static str,
    /// Width in pixels.
    pub width: u32,
    /// Pixels drawn and left out, or `none`.
    pub dashes: &'static str,
    /// Radius of the circles at the points; 0 for no circles.
    pub radius: u32,
    /// Whether the circles are empty.
    pub is_open: bool,
}

impl Stroke {
    /// The stroke of line `number`, from 0. Up to twelve coinciding lines all remain visible.
    pub fn of(number: usize) -> Self {
        let round = (number / DASHES.len()) as u32;
        Self {
            colour: COLOURS[number % COLOURS.len()],
            width: 6_u32.saturating_sub(2 * round).max(1),
            dashes: DASHES[number % DASHES.len()],
            radius: 9_u32.saturating_sub(number as u32).max(3),
            is_open: false,
        }
    }

    /// A line without circles or gaps.
    pub const fn plain(colour: &'static str, width: u32) -> Self {
        Self { colour, width, dashes: DASHES[0], radius: 0, is_open: false }
    }

    fn path(self, points: &[Place]) -> String {
        let Self { colour, width, dashes, .. } = self;
        let points: Vec<_> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        format!(
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-dasharray=\"{dashes}\" \
             points=\"{}\"/>\n",
            points.join(" ")
        )
    }

    /// SVG circles at the points. Open circles are rings with half of the radius, filled with white.
    fn circles(self, points: &[Place]) -> String {
        if self.radius == 0 {
            return String::new();
        }
        let (colour, radius) = (self.colour, f64::from(self.radius));
        let (ring, fill) = if self.is_open { (radius / 2.0, WHITE) } else { (0.0, colour) };
        let radius = radius - ring / 2.0;
        let circles = points.iter().map(|(x, y)| {
            format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"{colour}\" \
                 stroke-width=\"{ring}\"/>\n"
            )
        });
        circles.collect()
    }

    /// A legend entry as SVG: a sample of the line, which starts at `left`, and the name.
    fn entry(self, (left, middle): Place, name: &str, letters: f64) -> String {
        let end = left + SAMPLE;
        let line = self.path(&[(left, middle), (end, middle)]);
        let circle = self.circles(&[(f64::midpoint(left, end), middle)]);
        line + &circle + &text((end + 8.0, middle), "start", letters, name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure() -> Figure {
        let axis = || Axis::linear(0.0..10.0, 5, |value, _| format!("{value}"));
        let line = |place, name: &str| Line {
            name: name.to_owned(),
            spreads: vec![(3.0, 0.0, 2.0)],
            ..Line::new(Stroke::of(place), vec![(0.0, 1.0), (9.0, 1.0)])
        };
        let panel = Panel {
            title: "<'\"&>".to_owned(),
            x: axis().titled("across"),
            y: axis(),
            lines: vec![line(0, "one"), line(1, "other")],
            bars: vec![(1.0, 2.0, 4.0)],
        };
        Figure::new(vec![panel], (600.0, 300.0), 18.0)
    }

    #[test]
    fn lines_that_coincide_are_drawn_apart() {
        let svg = figure().svg();
        assert!(svg.contains("&lt;&#39;&quot;&amp;&gt;") && svg.contains("across"), "{svg}");
        let strokes = |place: usize, dashes: &str| {
            let colour = format!(" stroke=\"{}\" ", Stroke::of(place).colour);
            let lines = svg.lines().filter(|line| line.starts_with("<polyline") && line.contains(&colour));
            lines.filter(|line| line.contains(&format!("dasharray=\"{dashes}\""))).count()
        };
        // A solid line, its error bar and its legend sample. The other line and its sample have gaps.
        assert_eq!(strokes(0, "none"), 3, "{svg}");
        assert_eq!((strokes(1, "none"), strokes(1, "16 10")), (1, 2), "{svg}");
    }

    #[test]
    fn a_legend_has_a_place_of_its_own() {
        let size = |count| {
            let entries = vec![("name".to_owned(), Stroke::of(0)); count];
            Figure { entries, ..figure() }.layout().map(|length| length as u32)
        };
        let ([.., without, height], [.., with, same]) = (size(0), size(2));
        assert!(with > without && same == height, "{with} {same}");
        assert!(size(100)[3] > 1800, "a long legend is not cut off");
    }
}
