use super::*;
use crate::board::{Narrow, Standard, StaticGeometry, Wide};
use crate::mix::Random;
use crate::testing::lines;

/// A position with its lines of four as lists of cells (column, row).
struct Cells<G: Geometry> {
    position: Position<G>,
    lines: Vec<Vec<(u32, u32)>>,
}

impl<G: Geometry> Cells<G> {
    fn new(position: Position<G>) -> Self {
        let geometry = position.geometry();
        let mut cells_of_lines = Vec::new();
        for line in lines(geometry) {
            let mut cells = Vec::new();
            for column in 0..geometry.width() {
                for row in 0..geometry.height() {
                    if !(geometry.cell(column, row) & line).is_empty() {
                        cells.push((column, row));
                    }
                }
            }
            cells_of_lines.push(cells);
        }
        Self { position, lines: cells_of_lines }
    }

    fn owner(&self, (column, row): (u32, u32)) -> Option<Player> {
        self.position.owner(self.position.geometry().cell(column, row))
    }

    fn is_playable(&self, (column, row): (u32, u32)) -> bool {
        self.owner((column, row)).is_none() && (row == 0 || self.owner((column, row - 1)).is_some())
    }

    fn wins(&self, player: Player, cell: (u32, u32)) -> bool {
        if self.owner(cell).is_some() {
            return false;
        }
        self.lines.iter().any(|line| {
            line.contains(&cell)
                && line.iter().all(|&other| other == cell || self.owner(other) == Some(player))
        })
    }

    fn wins_below(&self, player: Player, (column, row): (u32, u32)) -> bool {
        (0..row).any(|row| self.wins(player, (column, row)))
    }

    fn is_good(&self, player: Player, row: u32) -> bool {
        let is_follow_up_row = (self.position.geometry().height() - row) % 2 == 1;
        is_follow_up_row == (player == Player::Second)
    }

    fn patterns(&self, player: Player) -> [i32; PATTERNS] {
        let mut counts = [0; PATTERNS];
        self.count_threats(player, &mut counts);
        for line in &self.lines {
            if line.iter().any(|&cell| self.owner(cell) == Some(player.other())) {
                continue;
            }
            let empty: Vec<_> = line.iter().copied().filter(|&cell| self.owner(cell).is_none()).collect();
            let playable = empty.iter().filter(|&&cell| self.is_playable(cell)).count();
            let good = empty.iter().filter(|cell| self.is_good(player, cell.1)).count();
            let is_vertical = line[0].0 == line[1].0;
            let is_along_row = line[0].1 == line[1].1;
            match (empty.len(), is_along_row, good) {
                (2, true, 2) => counts[5 + playable] += 1,
                (2, true, _) => counts[8 + playable] += 1,
                (2, false, _) if !is_vertical => counts[17 - 3 * good + playable] += 1,
                (3, true, 3) => counts[20] += 1,
                (3, true, _) => counts[21] += 1,
                _ => {}
            }
        }
        counts
    }

    fn count_threats(&self, player: Player, counts: &mut [i32; PATTERNS]) {
        let geometry = self.position.geometry();
        for cell in
            (0..geometry.width()).flat_map(|column| (0..geometry.height()).map(move |row| (column, row)))
        {
            let (column, row) = cell;
            if !self.wins(player, cell) || self.is_playable(cell) {
                continue;
            }
            let other_row = usize::from(!self.is_good(player, row));
            let is_lowest = !self.wins_below(player, cell) && !self.wins_below(player.other(), cell);
            if self.is_playable((column, row - 1)) {
                counts[other_row] += 1;
            } else if is_lowest {
                counts[2 + other_row] += 1;
            }
            let above = (column, row + 1);
            let is_pair = row + 1 < geometry.height() && self.wins(player, above);
            let is_shared = self.wins(player.other(), cell) || self.wins(player.other(), above);
            if is_lowest && is_pair && !is_shared {
                counts[4] += 1;
            }
        }
    }

    fn columns_with_threat(&self, player: Player, good: bool) -> usize {
        let columns = 0..self.position.geometry().width();
        columns.filter(|&column| self.has_threat(player, good, column)).count().min(2)
    }

    fn has_threat(&self, player: Player, good: bool, column: u32) -> bool {
        (0..self.position.geometry().height()).any(|row| {
            let cell = (column, row);
            self.is_good(player, row) == good
                && self.wins(player, cell)
                && !self.is_playable(cell)
                && !self.wins_below(player.other(), cell)
        })
    }

    fn line_points(&self, player: Player) -> i32 {
        let mut points = 0;
        for line in &self.lines {
            let stones = line.iter().filter(|&&cell| self.owner(cell) == Some(player)).count();
            let is_open = line.iter().all(|&cell| self.owner(cell) != Some(player.other()));
            match stones {
                2 if is_open => points += 1,
                3 if is_open => points += 4,
                _ => {}
            }
        }
        points
    }
}

fn check_each<G: StaticGeometry>(games: u32, check: fn(&Position<G>)) {
    for game in 0..games {
        let mut random = Random::new(2, game);
        let mut position = Position::<G>::new();
        while position.outcome().is_none() {
            check(&position);
            let column = random.below(G::WIDTH);
            position = position.play(column).unwrap_or(position);
        }
    }
}

fn check_features<G: StaticGeometry>(position: &Position<G>) {
    let cells = Cells::new(*position);
    let features = Features::of(position);
    assert_eq!(features.patterns[0], cells.patterns(Player::First), "{position}");
    assert_eq!(features.patterns[1], cells.patterns(Player::Second), "{position}");
    let a = cells.columns_with_threat(Player::First, true);
    let b = cells.columns_with_threat(Player::Second, true);
    let c = cells.columns_with_threat(Player::Second, false);
    assert_eq!(features.zugzwang, 9 * a + 3 * b + c, "{position}");
    assert_eq!(features, Features::of(&position.mirrored()));
}

#[test]
fn features_agree_with_coordinates() {
    check_each::<Wide<9, 8>>(20, check_features);
    check_each::<Narrow<7, 7>>(20, check_features);
    check_each::<Wide<12, 5>>(20, check_features);
}

fn check_points<G: StaticGeometry>(position: &Position<G>) {
    let cells = Cells::new(*position);
    for player in [Player::First, Player::Second] {
        let points =
            line_points(position.geometry(), position.stones(player), position.stones(player.other()));
        assert_eq!(points, cells.line_points(player), "{position}");
    }
}

#[test]
fn points_of_lines_agree_with_coordinates() {
    check_each::<Standard>(20, check_points);
    check_each::<Narrow<5, 4>>(20, check_points);
}
