//! Fixed-depth searches: alpha-beta, principal variation search and MTD(f) in one recursion, and minimax.

use clap::ValueEnum;
use plumb::board::{Geometry, Outcome, Position, Standard};
use plumb::mix::Random;
use serde::{Deserialize, Serialize};

use crate::lru::Lru;

/// A search to a fixed depth. All methods find equal values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Method {
    /// Alpha-beta with the full window.
    #[default]
    AlphaBeta,
    /// Alpha-beta with a transposition table.
    AlphaBetaTable,
    /// Principal variation search: full window for the first move, null windows for the others.
    Pvs,
    /// Principal variation search with a transposition table.
    PvsTable,
    /// Null windows only, as in MTD(f).
    NullWindow,
    /// Null windows with a transposition table.
    NullWindowTable,
    /// Plain minimax without cutoffs: seven times as many nodes with each ply.
    Minimax,
}

impl Method {
    /// Each search without and with a transposition table.
    pub(crate) const PAIRS: [(Self, Self); 3] = [
        (Self::AlphaBeta, Self::AlphaBetaTable),
        (Self::Pvs, Self::PvsTable),
        (Self::NullWindow, Self::NullWindowTable),
    ];

    pub(crate) fn has_table(self) -> bool {
        matches!(self, Self::AlphaBetaTable | Self::PvsTable | Self::NullWindowTable)
    }
}

plumb_lab::display_by_value_name!(Method, Order);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Order {
    /// Random at each visit of a position.
    #[default]
    Random,
    /// From left to right.
    Fixed,
    /// From the centre outwards.
    Centre,
}

impl Order {
    /// The playable cells in this order, and their number.
    pub(crate) fn arrange(self, position: &Position, random: &mut Random) -> ([u64; 7], usize) {
        let playable = position.playable();
        let (mut cells, mut count) = ([0; 7], 0);
        let columns = if self == Self::Centre { [3, 2, 4, 1, 5, 0, 6] } else { [0, 1, 2, 3, 4, 5, 6] };
        let in_order = columns.into_iter().map(|column| Standard::default().column(column) & playable);
        for cell in in_order.filter(|&cell| cell != 0) {
            cells[count] = cell;
            count += 1;
        }
        if self == Self::Random {
            random.shuffle(&mut cells[..count]);
        }
        (cells, count)
    }
}

/// Value of a win, as in the student's essay. A draw is worth 0.
const WIN: i32 = 1000;
const INFINITE: i32 = WIN + 1;

/// Fail-soft value of a search, and the bounds that it proved.
#[derive(Clone, Copy, Default)]
pub(crate) struct TableEntry {
    value: i32,
    lower: i32,
    upper: i32,
    depth: u32,
}

pub(super) struct Search<'a> {
    order: Order,
    random: Random,
    table: &'a mut Lru<TableEntry>,
    has_table: bool,
    /// Whether later moves are searched with a null window before the full window.
    scouts: bool,
    nodes: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(order: Order, random: Random, table: &'a mut Lru<TableEntry>) -> Self {
        Self { order, random, table, has_table: false, scouts: false, nodes: 0 }
    }

    /// Number of visited positions. The root, leaves and table hits count.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The value of `position` for the side to move, with an empty table.
    pub(super) fn value(&mut self, method: Method, position: &Position, depth: u32) -> i32 {
        self.has_table = method.has_table();
        self.scouts = matches!(method, Method::Pvs | Method::PvsTable);
        if self.has_table {
            self.table.clear();
        }
        match method {
            Method::NullWindow | Method::NullWindowTable => self.null_windows(position, depth),
            Method::Minimax => self.minimax(position, depth),
            _ => self.negamax(position, depth, -INFINITE, INFINITE),
        }
    }

    /// MTD(f): null windows that converge to the value. The first window is at the evaluation of `position`.
    ///
    /// Source: A. Plaat, J. Schaeffer, W. Pijls, A. de Bruin, "Best-first fixed-depth minimax algorithms", 1996.
    fn null_windows(&mut self, position: &Position, depth: u32) -> i32 {
        let (mut lower, mut upper) = (-INFINITE, INFINITE);
        let mut guess = evaluate(position);
        while lower < upper {
            let beta = guess.max(lower + 1);
            guess = self.negamax(position, depth, beta - 1, beta);
            if guess < beta {
                upper = guess;
            } else {
                lower = guess;
            }
        }
        guess
    }

    fn minimax(&mut self, position: &Position, depth: u32) -> i32 {
        self.nodes += 1;
        if let Some(value) = leaf_value(position, depth) {
            return value;
        }
        let mut best = -INFINITE;
        let (cells, count) = self.order.arrange(position, &mut self.random);
        for &cell in &cells[..count] {
            best = best.max(-self.minimax(&position.after(cell), depth - 1));
        }
        best
    }

    /// Fail-soft alpha-beta: the value if it is between `alpha` and `beta`, else a bound on that side of the window.
    ///
    /// Sources: D. Knuth, R. Moore, "An analysis of alpha-beta pruning", 1975; T. Marsland, M. Campbell, "Parallel
    /// search of strongly ordered game trees", 1982, for null windows.
    fn negamax(&mut self, position: &Position, depth: u32, mut alpha: i32, mut beta: i32) -> i32 {
        self.nodes += 1;
        if let Some(value) = leaf_value(position, depth) {
            return value;
        }

        // Leaves are not stored, because evaluating is cheaper than a look-up. Only an entry of equal depth has the
        // right value.
        let key = if self.has_table { position.canonical_key() } else { 0 };
        let entry = if self.has_table { self.table.get(key) } else { None };
        if let Some(TableEntry { value, lower, upper, .. }) = entry.filter(|entry| entry.depth == depth) {
            (alpha, beta) = (alpha.max(lower), beta.min(upper));
            if alpha >= beta {
                return value;
            }
        }

        let mut best = -INFINITE;
        let mut highest = alpha;
        let (cells, count) = self.order.arrange(position, &mut self.random);
        for &cell in &cells[..count] {
            let next = position.after(cell);
            let is_first = best == -INFINITE;
            let mut value = 0;
            let mut in_window = true;
            if self.scouts && !is_first {
                value = -self.negamax(&next, depth - 1, -highest - 1, -highest);
                in_window = value > highest && value < beta;
            }
            if in_window {
                value = -self.negamax(&next, depth - 1, -beta, -highest);
            }
            best = best.max(value);
            highest = highest.max(value);
            if highest >= beta {
                break;
            }
        }

        if self.has_table {
            let lower = if best > alpha { best } else { -INFINITE };
            let upper = if best < beta { best } else { INFINITE };
            self.table.put(key, TableEntry { value: best, lower, upper, depth });
        }
        best
    }
}

/// The value if the game is over or no depth is left.
fn leaf_value(position: &Position, depth: u32) -> Option<i32> {
    match position.outcome() {
        Some(Outcome::Win(_)) => Some(-WIN),
        Some(Outcome::Draw) => Some(0),
        None if depth == 0 => Some(evaluate(position)),
        None => None,
    }
}

/// Weights of lines of four cells with two and three stones of one side and none of the other, as in the student's
/// essay. Such lines with one stone count 0.
const TWO_STONES: u32 = 1;
const THREE_STONES: u32 = 4;

/// Static evaluation for the side to move: the weights of its lines of four cells minus the opponent's.
///
/// The board has 69 lines, so every evaluation is between a loss and a win.
fn evaluate(position: &Position) -> i32 {
    let (own, opponent) = (position.own(), position.opponent());
    points(own, opponent) as i32 - points(opponent, own) as i32
}

/// Sum of the weights of all lines of four cells with stones of `side` and none of `other`.
///
/// All lines of a direction are counted in parallel, with one bit for the first cell of each line. The stones of a
/// line are a number of two bits, `high` and `odd`, because no line has four stones before the game is over.
fn points(side: u64, other: u64) -> u32 {
    let free = Standard::default().board() & !other;
    let mut points = 0;
    for shift in Standard::default().directions() {
        let two_free = free & (free >> shift);
        let open = two_free & (two_free >> (2 * shift));
        let [first, second, third, fourth] = [0, 1, 2, 3].map(|step| side >> (step * shift));
        let (left_low, left_high) = (first ^ second, first & second);
        let (right_low, right_high) = (third ^ fourth, third & fourth);
        let odd = left_low ^ right_low;
        let high = left_high ^ right_high ^ (left_low & right_low);
        points += TWO_STONES * (open & high & !odd).count_ones();
        points += THREE_STONES * (open & high & odd).count_ones();
    }
    points
}

#[cfg(test)]
mod tests {
    use plumb_arena::openings::random_position;

    use super::*;

    #[test]
    fn methods_come_in_pairs_without_and_with_a_table() {
        assert_eq!(Method::PAIRS[2].1.to_string(), "null-window-table");
        assert!(Method::PAIRS.iter().all(|(plain, table)| !plain.has_table() && table.has_table()));
    }

    #[test]
    fn each_order_has_every_move_once() {
        let position = Position::from_digits("444444").expect("legal");
        let mut random = Random::new(1, 0);
        let mut columns = |order: Order| {
            let (cells, count) = order.arrange(&position, &mut random);
            cells[..count].iter().map(|&cell| Standard::default().column_of(cell)).collect::<Vec<_>>()
        };
        assert_eq!(columns(Order::Fixed), [0, 1, 2, 4, 5, 6]);
        assert_eq!(columns(Order::Centre), [2, 4, 1, 5, 0, 6]);
        let mut first = [0; 7];
        for _ in 0..6_000 {
            let mut drawn = columns(Order::Random);
            first[drawn[0] as usize] += 1;
            drawn.sort_unstable();
            assert_eq!(drawn, [0, 1, 2, 4, 5, 6]);
        }
        assert_eq!(first[3], 0, "the column is full");
        assert!(first.iter().enumerate().all(|(column, count)| column == 3 || (850..1150).contains(count)));
    }

    fn minimax(position: &Position, depth: u32) -> i32 {
        if let Some(value) = leaf_value(position, depth) {
            return value;
        }
        let children = position.legal_columns().filter_map(|column| position.play(column));
        children.map(|next| -minimax(&next, depth - 1)).max().expect("the game is not over")
    }

    fn lru(capacity: usize) -> Lru<TableEntry> {
        Lru::new(capacity).expect("there is memory")
    }

    fn compare(table: &mut Lru<TableEntry>, seed: u64) {
        let mut random = Random::new(seed, 0);
        for stones in 0..42 {
            let position = random_position(&mut random, stones).position;
            for depth in 0..=if stones < 30 { 4 } else { 7 } {
                let expected = minimax(&position, depth);
                for &order in Order::value_variants() {
                    let mut search = Search::new(order, random.clone(), table);
                    for &method in Method::value_variants() {
                        let found = search.value(method, &position, depth);
                        assert_eq!(found, expected, "{method}, {order}, depth {depth}\n{position}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_method_finds_the_value_of_minimax_also_with_a_table_that_is_too_small() {
        let mut table = lru(50_000);
        (0..4).for_each(|seed| compare(&mut table, seed));
        compare(&mut lru(1), 10);
        compare(&mut lru(20), 11);
    }

    #[test]
    fn cutoffs_and_the_table_save_nodes() {
        let (start, mut table) = (Position::new(), lru(50_000));
        let mut nodes = |method| {
            let mut search = Search::new(Order::Centre, Random::new(1, 0), &mut table);
            search.value(method, &start, 7);
            search.nodes()
        };
        let [plain, with_table] = [Method::AlphaBeta, Method::AlphaBetaTable].map(&mut nodes);
        assert!(with_table < plain && plain < 100_000, "{with_table} {plain}");
    }

    fn by_coordinates(side: u64, other: u64) -> i32 {
        let mut points = 0;
        for (column, row) in (0..7).flat_map(|column| (0..6).map(move |row| (column, row))) {
            for (right, up) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let cells: Vec<(i32, i32)> =
                    (0..4).map(|step| (column + step * right, row + step * up)).collect();
                if cells.iter().any(|(column, row)| !(0..7).contains(column) || !(0..6).contains(row)) {
                    continue;
                }
                let stones = |set: u64| {
                    cells
                        .iter()
                        .filter(|&&(c, r)| set & Standard::default().cell(c as u32, r as u32) != 0)
                        .count()
                };
                points += match (stones(side), stones(other)) {
                    (2, 0) => 1,
                    (3, 0) => 4,
                    _ => 0,
                };
            }
        }
        points
    }

    #[test]
    fn bit_sums_agree_with_coordinates() {
        let mut random = Random::new(1, 0);
        for stones in (0..40).cycle().take(2_000) {
            let position = random_position(&mut random, stones).position;
            let (own, opponent) = (position.own(), position.opponent());
            assert_eq!(evaluate(&position), by_coordinates(own, opponent) - by_coordinates(opponent, own));
            assert_eq!(evaluate(&position), evaluate(&position.mirrored()));
        }
    }
}
