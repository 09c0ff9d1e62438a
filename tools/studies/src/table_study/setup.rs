//! A search with a table design in a size.

use anyhow::{Context, Result, bail};
use plumb::board::Position;
use plumb::score::Score;
use plumb::search::Solver;

use super::design::{Bucketed, Design, DesignVisitor, Kind, select};
use super::plain::Plain;
use super::solver::{Mode, Search, TableSolver};
use crate::table_size::Size;

/// A search with a table design in a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The search.
    pub search: Search,
    /// The design of the table.
    pub design: Kind,
    /// The entries of the table.
    pub entries: usize,
    /// The memory of the table.
    pub bytes: usize,
}

impl Setup {
    /// Looks up what a table of this design has in this size, or in its own if none is given.
    ///
    /// # Errors
    /// If the design does not go with the search, or cannot have that size.
    pub fn new(search: Search, design: Kind, size: Option<Size>) -> Result<Self> {
        if search == Search::Plumb && design != Kind::Bucketed {
            bail!("`--search plumb` has its own table only: ask for `--designs bucketed`, not {design}");
        }
        let (entries, bytes) = select(design, Measure(size)).with_context(|| design.to_string())?;
        Ok(Self { search, design, entries, bytes })
    }

    /// The search with its table.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn solver(&self) -> Result<Box<dyn TableSolver>> {
        match self.search {
            Search::Plain => select(self.design, Build(self.entries)),
            Search::Plumb => Ok(Box::new(Plumb { table: Bucketed::new(self.entries)?, nodes: 0 })),
        }
    }
}

/// Tells the entries of a table and the bytes they take.
struct Measure(Option<Size>);

impl DesignVisitor for Measure {
    type Output = Result<(usize, usize)>;

    fn visit<D: Design + 'static>(self) -> Self::Output {
        let entries = D::entries(self.0.unwrap_or(D::DEFAULT))?;
        Ok((entries, entries.saturating_mul(D::ENTRY_BYTES)))
    }
}

/// Makes the plain search over a table of so many entries.
struct Build(usize);

impl DesignVisitor for Build {
    type Output = Result<Box<dyn TableSolver>>;

    fn visit<D: Design + 'static>(self) -> Self::Output {
        Ok(Box::new(Plain::new(D::new(self.0)?)))
    }
}

/// Plumb's own solver over its own table.
struct Plumb {
    table: Bucketed,
    nodes: u64,
}

impl TableSolver for Plumb {
    fn forget(&mut self) {
        self.table.clear();
        self.nodes = 0;
    }

    fn solve(&mut self, position: &Position, mode: Mode) -> Score {
        let mut solver = Solver::new(self.table.table());
        let score = match mode {
            Mode::Strong => solver.score(position),
            Mode::Weak => solver.weak_score(position),
        };
        self.nodes += solver.nodes();
        score.expect("nothing stops this solver")
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plumbs_search_goes_with_its_own_table_only() {
        assert!(Setup::new(Search::Plumb, Kind::Bucketed, None).is_ok());
        let said = Setup::new(Search::Plumb, Kind::Lru, None).expect_err("refused").to_string();
        assert_eq!(said, "`--search plumb` has its own table only: ask for `--designs bucketed`, not lru");
    }

    #[test]
    fn sizes_come_to_entries_and_bytes() {
        let setup =
            |design, size| Setup::new(Search::Plain, design, size).map(|setup| (setup.entries, setup.bytes));
        let megabytes = Some(Size::Megabytes(16));
        assert_eq!(setup(Kind::None, megabytes).expect("any"), (0, 0));
        assert_eq!(setup(Kind::FullKey, None).expect("its own"), (1 << 23, 128 << 20));
        assert_eq!(setup(Kind::FullKey, megabytes).expect("any"), (1 << 20, 16 << 20));
        assert_eq!(setup(Kind::CrtUpper, None).expect("its own"), (8_388_617, 41_943_085));
        assert_eq!(setup(Kind::Lru, None).expect("its own"), (50_000, 50_000 * 28));
        assert_eq!(setup(Kind::Bucketed, megabytes).expect("any"), (1 << 21, 16 << 20));
        let said = format!("{:#}", setup(Kind::CrtBounds, Some(Size::Entries(9))).expect_err("too few"));
        assert_eq!(said, "crt-bounds: 9: truncated keys need more than 131072 entries");
    }
}
