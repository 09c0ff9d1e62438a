//! A search with a table design in a size.

use anyhow::{Context, Result, bail};
use plumb::board::Position;
use plumb::score::Score;
use plumb::search::Solver;

use super::design::{Bucketed, Cache, Crt, Design, FullKey, Kind, NoTable};
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
        let (entries, bytes) = (Code::of(design).measure)(size).with_context(|| design.to_string())?;
        Ok(Self { search, design, entries, bytes })
    }

    /// The search with its table.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn solver(&self) -> Result<Box<dyn TableSolver>> {
        match self.search {
            Search::Plain => (Code::of(self.design).build)(self.entries),
            Search::Plumb => Ok(Box::new(Plumb { table: Bucketed::new(self.entries)?, nodes: 0 })),
        }
    }
}

/// The code of a design, for a caller that knows it by its [`Kind`].
struct Code {
    /// The entries of a table of this size, or of the design's own, and the bytes they take.
    measure: fn(Option<Size>) -> Result<(usize, usize)>,
    /// The plain search over a table of so many entries.
    build: fn(usize) -> Result<Box<dyn TableSolver>>,
}

impl Code {
    fn new<D: Design + 'static>() -> Self {
        let measure = |size: Option<Size>| {
            let entries = D::entries(size.unwrap_or(D::DEFAULT))?;
            Ok((entries, entries.saturating_mul(D::ENTRY_BYTES)))
        };
        Self { measure, build: |entries| Ok(Box::new(Plain::new(D::new(entries)?))) }
    }

    fn of(kind: Kind) -> Self {
        match kind {
            Kind::None => Self::new::<NoTable>(),
            Kind::FullKey => Self::new::<FullKey>(),
            Kind::CrtUpper => Self::new::<Crt<false>>(),
            Kind::CrtBounds => Self::new::<Crt<true>>(),
            Kind::Lru => Self::new::<Cache>(),
            Kind::Bucketed => Self::new::<Bucketed>(),
        }
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
