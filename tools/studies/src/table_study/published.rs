//! Pascal Pons's published figures of his solver.

use super::design::Kind;
use super::solver::Mode;

/// The mean of a class of a thousand positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    pub seconds: f64,
    pub nodes: f64,
}

/// The number of entries of the tables with which it was measured.
pub(super) const ENTRIES: usize = 8_388_617;

/// The number of positions of each class.
pub(super) const POSITIONS: usize = 1000;

/// The classes in the order in which they are published.
pub(super) const CLASSES: [&str; 6] =
    ["end-easy", "middle-easy", "middle-medium", "begin-easy", "begin-medium", "begin-hard"];

/// Seconds and nodes of each class. Source: Pascal Pons, "Solving Connect 4", the benchmarks of parts 11 and 12.
const UPPER_STRONG: [(f64, f64); 6] = [
    (4.722e-6, 54.93),
    (39.90e-6, 517.4),
    (3.736e-3, 48_450.0),
    (275.5e-6, 3_693.0),
    (113.4e-3, 1_459_000.0),
    (5.667, 72_490_000.0),
];
const UPPER_WEAK: [(f64, f64); 6] = [
    (3.407e-6, 31.46),
    (52.21e-6, 618.8),
    (1.926e-3, 23_840.0),
    (2.013e-3, 25_530.0),
    (51.71e-3, 671_200.0),
    (3.380, 42_090_000.0),
];
const BOUNDS_STRONG: [(f64, f64); 6] = [
    (4.568e-6, 51.28),
    (37.45e-6, 449.6),
    (3.212e-3, 39_900.0),
    (254.6e-6, 3_298.0),
    (96.63e-3, 1_201_000.0),
    (5.490, 65_920_000.0),
];
const BOUNDS_WEAK: [(f64, f64); 6] = [
    (3.217e-6, 29.36),
    (47.73e-6, 532.7),
    (1.717e-3, 20_210.0),
    (1.870e-3, 22_230.0),
    (45.01e-3, 538_700.0),
    (3.149, 38_120_000.0),
];

/// The published figures of a design and a class of positions, if there are any.
pub(super) fn published(design: Kind, mode: Mode, class: &str) -> Option<Published> {
    let figures = match (design, mode) {
        (Kind::CrtUpper, Mode::Strong) => UPPER_STRONG,
        (Kind::CrtUpper, Mode::Weak) => UPPER_WEAK,
        (Kind::CrtBounds, Mode::Strong) => BOUNDS_STRONG,
        (Kind::CrtBounds, Mode::Weak) => BOUNDS_WEAK,
        _ => return None,
    };
    let (seconds, nodes) = figures[CLASSES.iter().position(|name| *name == class)?];
    Some(Published { seconds, nodes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_found_by_design_mode_and_class() {
        let nodes = |design, mode, class| published(design, mode, class).map(|figures| figures.nodes);
        assert_eq!(nodes(Kind::CrtUpper, Mode::Strong, "middle-easy"), Some(517.4));
        assert_eq!(nodes(Kind::CrtBounds, Mode::Weak, "begin-hard"), Some(38_120_000.0));
        assert_eq!(nodes(Kind::CrtBounds, Mode::Weak, "random"), None);
        assert_eq!(nodes(Kind::Lru, Mode::Weak, "end-easy"), None);
    }
}
