use super::node::{Node, NodeKey};
use crate::board::{Geometry, Position};
use crate::book::BookProbe;
use crate::search::control::Control;
#[cfg(target_arch = "x86_64")]
use crate::search::simd::Avx2;
use crate::table::{Placement, Table};

/// A move that neither forced replies nor static bounds settle. `node` is the position after forced replies.
#[derive(Clone, Copy)]
pub(super) struct Child<G: Geometry> {
    pub(super) node: Node<G>,
    pub(super) key: NodeKey<G>,
    pub(super) same_side: bool,
    pub(super) column: u8,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum CodePath {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
}

impl CodePath {
    pub(crate) fn fastest() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = Avx2::detect() {
            return Self::Avx2(avx2);
        }
        Self::Portable
    }
}

pub(crate) struct ExactSearch<'a, G: Geometry> {
    pub(crate) geometry: G,
    pub(crate) table: &'a Table,
    pub(crate) control: Control<'a>,
    pub(crate) code_path: CodePath,
    thread: usize,
    pub(super) placement: Placement,
    /// Children of the nodes on the search path, [`Geometry::width`] for each number of stones.
    pub(super) children: Vec<Child<G>>,
    /// `None` if the root position is not in the book.
    pub(crate) book: Option<BookProbe<'a>>,
}

impl<'a, G: Geometry> ExactSearch<'a, G> {
    pub(crate) fn new(geometry: G, table: &'a Table, control: Control<'a>) -> Self {
        let node = Node::new(&Position::empty(geometry));
        let placement = table.placement(0);
        let vacant = Child { node, key: NodeKey::new(&node, placement), same_side: false, column: 0 };
        let children = vec![vacant; ((geometry.cells() + 1) * geometry.width()) as usize];
        Self {
            geometry,
            table,
            control,
            code_path: CodePath::fastest(),
            thread: 0,
            placement,
            children,
            book: None,
        }
    }

    pub(crate) fn set_thread(&mut self, thread: usize) {
        self.thread = thread;
        self.update_placement();
    }

    pub(crate) fn update_placement(&mut self) {
        self.placement = self.table.placement(self.thread);
    }
}
