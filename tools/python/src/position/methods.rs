//! The methods of `Position` in Python.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};

use plumb::board::{BoardSize, Form, Geometry, Outcome, column_names};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

use super::Position;
use crate::arguments::{self, Given, named_board, plies_of};
use crate::interruptible::{self, Ends};
use crate::output::{self, number};
use crate::{Stones, input};

type Reduced<'py> = (Bound<'py, PyAny>, (String, Vec<u32>));

/// Maximum number of random games that `random` plays until one is long enough.
const MAX_RANDOM_GAMES: u32 = 10_000;

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (text = Given::default(), *, board = None), text_signature = "(text='', *, board=None)")]
    fn new(text: Given<'_>, board: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let text = text.0.as_ref().map_or(Ok("".into()), |text| arguments::text("text", text))?;
        Self::read(named_board(board)?, &text, Form::Any, 1)
    }

    /// The position after the columns of a text, such as "4455" or "4, 4, 5, 5". first_column: number of the leftmost column,
    /// 1 or 0.
    ///
    /// >>> Position.from_digits("3344", first_column=0)
    /// Position("4455")
    #[staticmethod]
    #[pyo3(signature = (text, *, first_column = None, board = None), text_signature = "(text, *, first_column=1, board=None)")]
    fn from_digits(
        text: &Bound<'_, PyAny>,
        first_column: Option<&Bound<'_, PyAny>>,
        board: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let first =
            first_column.map_or(Ok(1), |first| arguments::integer("first_column", first, 0..=1, "0 or 1"))?;
        Self::read(named_board(board)?, &arguments::text("text", text)?, Form::Moves, first as u32)
    }

    /// The position after a list, NumPy array or other iterable of columns, which count from 0.
    ///
    /// Raises ValueError with the first illegal move and its index, TypeError for a value that is not an integer.
    ///
    /// >>> Position.from_moves([3, 3, 4])
    /// Position("445")
    #[staticmethod]
    #[pyo3(signature = (columns, *, board = None))]
    fn from_moves(columns: &Bound<'_, PyAny>, board: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        Self::without_moves(Stones::empty(named_board(board)?)).after_all(arguments::columns(columns)?)
    }

    /// A position of an unfinished game after `plies` random moves. rng: random.Random, a NumPy generator, or another object
    /// with a method `choice`; default: the module random. Raises ValueError if no position is found.
    ///
    /// >>> import random
    /// >>> Position.random(8, random.Random(1)).plies
    /// 8
    #[staticmethod]
    #[pyo3(signature = (plies, rng = None, *, board = None))]
    fn random(
        py: Python<'_>,
        plies: &Bound<'_, PyAny>,
        rng: Option<&Bound<'_, PyAny>>,
        board: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let board = named_board(board)?;
        let plies = plies_of(plies, 0, board)?;
        for _ in 0..MAX_RANDOM_GAMES {
            let mut position = Self::without_moves(Stones::empty(board));
            while position.plies() < plies && !position.is_over() {
                let column = arguments::choice(py, rng, &position.legal_moves())?;
                let Ok(next) = position.played(column) else {
                    return Err(PyValueError::new_err(format!("rng: `choice` has returned {column}")));
                };
                position = next;
            }
            if position.plies() == plies && !position.is_over() {
                return Ok(position);
            }
        }
        Err(PyValueError::new_err(format!("plies={plies}: no game that goes on was found")))
    }

    /// The position of a FEN. The rows of the FEN define the board size.
    ///
    /// >>> Position.from_fen("7/7/7/7/7/3PpP1 b").turn
    /// 2
    #[staticmethod]
    fn from_fen(fen: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::of_fen(&arguments::text("fen", fen)?)
    }

    /// The position of an array, a tensor or nested lists of shape (rows, columns), the top row first. Cells are 0
    /// (empty), 1 (first player) and 2 (second player), or 0, 1 and -1. With one more -1 than 1, the cells with 1
    /// belong to the player to move.
    ///
    /// Raises ValueError for another shape, with the reader for that shape, for floating stones and for wrong numbers of stones.
    ///
    /// >>> Position.from_array([[0] * 7] * 5 + [[0, 0, 0, 1, 0, 0, 0]]) == Position("4")
    /// True
    #[staticmethod]
    #[pyo3(signature = (cells, *, board = None))]
    fn from_array(cells: &Bound<'_, PyAny>, board: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        input::from_array(cells, named_board(board)?).map(Self::without_moves)
    }

    /// The position of a BitBully board, or of its array of shape (7, 6): columns from the bottom, with 0, 1 and 2.
    ///
    /// >>> Position.from_bitbully([[0] * 6] * 3 + [[1, 0, 0, 0, 0, 0]] + [[0] * 6] * 3) == Position("4")
    /// True
    #[staticmethod]
    fn from_bitbully(state: &Bound<'_, PyAny>) -> PyResult<Self> {
        input::from_bitbully(state).map(Self::without_moves)
    }

    /// The position of a board of alpha-zero-general, canonical or not: an array of shape (rows, columns) with 0, 1 and -1, or an
    /// object with this array as `np_pieces`.
    ///
    /// >>> Position.from_alpha_zero_general([[0] * 7] * 5 + [[0, 0, 0, -1, 0, 0, 0]]) == Position("4")
    /// True
    #[staticmethod]
    #[pyo3(signature = (state, *, board = None))]
    fn from_alpha_zero_general(state: &Bound<'_, PyAny>, board: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        input::from_alpha_zero_general(state, named_board(board)?).map(Self::without_moves)
    }

    /// The position of an observation of PufferLib's connect4: 42 numbers, column by column from the bottom. 1 is the player to
    /// move, -1 the opponent.
    ///
    /// >>> Position.from_pufferlib([0] * 18 + [-1] + [0] * 23) == Position("4")
    /// True
    #[staticmethod]
    fn from_pufferlib(observation: &Bound<'_, PyAny>) -> PyResult<Self> {
        input::from_pufferlib(observation).map(Self::without_moves)
    }

    /// The position of a state of pgx's connect_four, or of its observation of shape (6, 7, 2). Plane 0 is the player to move.
    ///
    /// >>> Position.from_pgx([[[False, False]] * 7] * 6) == Position()
    /// True
    #[staticmethod]
    fn from_pgx(state: &Bound<'_, PyAny>) -> PyResult<Self> {
        input::from_last_planes(state).map(Self::without_moves)
    }

    /// The position of an OpenSpiel state of connect_four (`pyspiel.State`, with its moves), or of its text (`str(state)`). The text
    /// has a line per row, the top row first, with `x`, `o` and `.`.
    ///
    /// >>> Position.from_openspiel(".......\n" * 5 + "...x...") == Position("4")
    /// True
    #[staticmethod]
    fn from_openspiel(state: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = state.cast::<PyString>() {
            return input::from_symbols(&text.to_cow()?).map(Self::without_moves);
        }
        if !state.hasattr("get_game")? {
            let name = state.get_type().name()?;
            return Err(PyTypeError::new_err(format!("a state is a pyspiel.State or its text, not {name}")));
        }
        input::check_openspiel_game(&state.call_method0("get_game")?)?;
        let stones = input::from_symbols(&state.str()?.to_cow()?)?;
        // The game may have started from another position than the empty board.
        let empty = Self::without_moves(Stones::empty(stones.geometry()));
        let played = empty.after_all(arguments::columns(&state.call_method0("history")?)?).ok();
        let same = played.filter(|position| position.stones == stones);
        Ok(same.unwrap_or_else(|| Self::without_moves(stones)))
    }

    /// The position of a PettingZoo observation of connect_four_v3: the dictionary with key "observation", or its array of
    /// shape (6, 7, 2). Plane 0 is the player to move.
    ///
    /// >>> empty = [[[0, 0] for _ in range(7)] for _ in range(6)]
    /// >>> Position.from_pettingzoo({"observation": empty}) == Position()
    /// True
    #[staticmethod]
    fn from_pettingzoo(observation: &Bound<'_, PyAny>) -> PyResult<Self> {
        input::from_last_planes(observation).map(Self::without_moves)
    }

    /// The position of an observation of plumb_engine.environment: 2 planes of rows and columns, the top row first. Plane 0 is
    /// `player` (1 or 2), by default the player to move.
    ///
    /// >>> planes = [[[0] * 7 for _ in range(6)] for _ in range(2)]
    /// >>> planes[1][5][3] = 1
    /// >>> print(Position.from_observation(planes).fen().split("[")[0])
    /// 7/7/7/7/7/3P3
    #[staticmethod]
    #[pyo3(signature = (observation, player = None))]
    fn from_observation(observation: &Bound<'_, PyAny>, player: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let player = player.map(|player| arguments::integer("player", player, 1..=2, "1, 2 or None"));
        input::from_observation(observation, player.transpose()?).map(Self::without_moves)
    }

    /// The position of a Kaggle ConnectX observation: an object or dictionary with `board`, the cells row by row from the top, and
    /// `mark`, the player to move.
    ///
    /// >>> Position.from_kaggle({"board": [0] * 38 + [1, 0, 0, 0], "mark": 2}) == Position("4")
    /// True
    #[staticmethod]
    #[pyo3(signature = (observation, *, board = None))]
    fn from_kaggle(observation: &Bound<'_, PyAny>, board: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        input::from_kaggle(observation, named_board(board)?).map(Self::without_moves)
    }

    #[staticmethod]
    fn _restore(start: &str, columns: Vec<i64>) -> PyResult<Self> {
        Self::of_fen(start)?.after_all(columns)
    }

    /// The board size, columns by rows: "7x6".
    #[getter]
    fn board(&self) -> String {
        self.stones.geometry().to_string()
    }

    /// (rows, columns), like the shape of an array.
    #[getter]
    fn shape(&self) -> (u32, u32) {
        let BoardSize { width, height } = self.stones.geometry().size();
        (height, width)
    }

    /// The position after a move in `column`, from 0, or after the moves of a list.
    ///
    /// Raises ValueError for an illegal move, TypeError for a value that is not a column.
    ///
    /// >>> Position().play(3).play([3, 4])
    /// Position("445")
    fn play(&self, column: &Bound<'_, PyAny>) -> PyResult<Self> {
        if column.is_instance_of::<PyList>() || column.is_instance_of::<PyTuple>() {
            return self.clone().after_all(arguments::columns(column)?);
        }
        let column = arguments::column(column)?;
        self.played(column).map_err(|fault| PyValueError::new_err(format!("move {column}: {fault}")))
    }

    /// The position before the last move.
    ///
    /// Raises IndexError if no move is known: on the empty board, and after reading a board without moves.
    ///
    /// >>> Position("445").undo()
    /// Position("44")
    fn undo(&self) -> PyResult<Self> {
        let Some((_, before)) = self.history().split_last() else {
            return Err(PyIndexError::new_err("there is no move to take back"));
        };
        Self::without_moves(self.start).after_all(before.iter().map(|&column| column.into()))
    }

    /// The columns played since `start`, counted from 0.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.history())
    }

    /// The FEN of the position before `moves`, None for the empty board.
    #[getter]
    fn start(&self) -> Option<String> {
        if self.start.plies() > 0 { Some(self.start.fen()) } else { None }
    }

    /// The moves from the empty board as column digits from 1, or as letters on more than 9 columns. None if
    /// unknown.
    #[getter]
    fn digits(&self) -> Option<String> {
        if self.start.plies() > 0 {
            return None;
        }
        let columns = self.history().iter().map(|&column| u32::from(column));
        Some(column_names(self.width(), columns))
    }

    /// The FEN, in the form of Fairy-Stockfish.
    ///
    /// >>> Position("4").fen()
    /// '7/7/7/7/7/3P3[PPPPPPPPPPPPPPPPPPPPppppppppppppppppppppp] b - - 0 1'
    fn fen(&self) -> String {
        self.stones.fen()
    }

    /// The player to move, 1 or 2. After the end of the game the player whose turn it would be.
    #[getter]
    fn turn(&self) -> u8 {
        number(self.stones.side_to_move())
    }

    /// Number of stones on the board.
    #[getter]
    fn plies(&self) -> u32 {
        self.stones.plies()
    }

    /// The legal columns, ascending. Empty if the game is over.
    #[getter]
    fn legal_moves(&self) -> Vec<u32> {
        self.stones.legal_columns().collect()
    }

    /// The columns that win immediately, ascending.
    #[getter]
    fn winning_moves(&self) -> Vec<u32> {
        self.columns_to(|next| matches!(next.outcome(), Some(Outcome::Win(_))))
    }

    /// The columns after which the opponent cannot win immediately, ascending.
    #[getter]
    fn non_losing_moves(&self) -> Vec<u32> {
        self.columns_to(|next| next.outcome().is_some() || !next.can_win_now())
    }

    /// An integer that no other position on this board has.
    #[getter]
    fn key(&self) -> u128 {
        self.stones.key()
    }

    /// All positions with `plies` stones that are reachable from here. From the empty board there are 184,275 of 8
    /// stones, and about three times as many with each further stone. Raises ValueError if this position has more
    /// stones.
    ///
    /// >>> len(Position().positions_at(2))
    /// 49
    fn positions_at(&self, py: Python<'_>, plies: &Bound<'_, PyAny>) -> PyResult<Vec<Self>> {
        let plies = plies_of(plies, self.stones.plies(), self.stones.geometry())?;
        interruptible::run(py, Ends::default(), |stop| self.layer(plies, stop), |_| Ok(()))
    }

    /// None during the game, 0 for a draw, otherwise the winner, 1 or 2.
    #[getter]
    fn result(&self) -> Option<u8> {
        self.stones.outcome().map(|outcome| match outcome {
            Outcome::Win(winner) => number(winner),
            Outcome::Draw => 0,
        })
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.stones.outcome().is_some()
    }

    /// The cells of the winning lines as (row, column), row 0 at the top, ascending. None if nobody has won.
    #[getter]
    fn winning_line(&self) -> Option<Vec<(u32, u32)>> {
        let Some(Outcome::Win(winner)) = self.stones.outcome() else { return None };
        let (board, stones) = (self.stones.geometry(), self.stones.stones(winner));
        let lines = board.directions().iter().fold(0, |lines, &shift| {
            let first = stones & (stones >> shift) & (stones >> (2 * shift)) & (stones >> (3 * shift));
            (0..4).fold(lines, |lines, step| lines | first << (step * shift))
        });
        let BoardSize { width, height } = board.size();
        let cells = (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
        Some(cells.filter(|&(row, column)| board.cell(column, height - 1 - row) & lines != 0).collect())
    }

    /// The mirror image, including its moves.
    ///
    /// >>> Position("12").mirror()
    /// Position("76")
    fn mirror(&self) -> Self {
        let mut moves = self.moves;
        for column in &mut moves[..self.history().len()] {
            *column = self.width() as u8 - 1 - *column;
        }
        Self { stones: self.stones.mirrored(), start: self.start.mirrored(), moves }
    }

    /// The board as a list of rows, the top row first: 0 empty, 1 first player, 2 second player.
    ///
    /// >>> Position("44").to_array()[4:]
    /// [[0, 0, 0, 2, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0]]
    fn to_array(&self) -> Vec<Vec<i8>> {
        output::rows(&self.stones)
    }

    /// A list of columns, each from the bottom, for `bitbully.Board`.
    ///
    /// >>> Position("44").to_bitbully()[3]
    /// [1, 2, 0, 0, 0, 0]
    fn to_bitbully(&self) -> Vec<Vec<i8>> {
        output::columns(&self.stones)
    }

    /// The observation of Kaggle's ConnectX: a dictionary with `board` and `mark`.
    ///
    /// >>> Position("4").to_kaggle()["board"].index(1)
    /// 38
    fn to_kaggle<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let observation = PyDict::new(py);
        observation.set_item("board", output::rows(&self.stones).concat())?;
        observation.set_item("mark", self.turn())?;
        Ok(observation)
    }

    /// The observation of PettingZoo's connect_four_v3 for the player to move: a dictionary with the int8 arrays `observation`
    /// (6, 7, 2) and `action_mask`. Needs NumPy.
    ///
    /// >>> Position("4").to_pettingzoo()["observation"][5, 3].tolist()
    /// [0, 1]
    fn to_pettingzoo<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns: Vec<_> = (0..self.width()).map(|column| self.stones.play(column).is_some()).collect();
        let observation = PyDict::new(py);
        observation.set_item("observation", output::last_planes(py, &self.stones, "int8")?)?;
        observation.set_item("action_mask", output::array(py, columns, "int8")?)?;
        Ok(observation)
    }

    /// The text of an OpenSpiel state of connect_four.
    ///
    /// >>> Position("4").to_openspiel().splitlines()[5]
    /// '...x...'
    fn to_openspiel(&self) -> String {
        let symbols = output::rows(&self.stones).into_iter().map(|row| {
            row.into_iter().map(|cell| ['.', 'x', 'o'][cell as usize]).chain(['\n']).collect::<String>()
        });
        symbols.collect()
    }

    /// The observation of pgx's connect_four for the player to move: a boolean array of shape (6, 7, 2). Needs NumPy.
    ///
    /// >>> Position("4").to_pgx()[5, 3].tolist()
    /// [False, True]
    fn to_pgx<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        output::last_planes(py, &self.stones, "bool")
    }

    /// The board of alpha-zero-general: an array of shape (rows, columns), 1 for the first player and -1 for the second. Needs NumPy.
    ///
    /// >>> Position("44").to_alpha_zero_general()[:, 3].tolist()
    /// [0, 0, 0, 0, -1, 1]
    fn to_alpha_zero_general<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        output::array(py, output::signed(output::rows(&self.stones), 1), "int64")
    }

    /// The observation of PufferLib's connect4 for the player to move: a float32 array of shape (42,). Needs NumPy.
    ///
    /// >>> Position("4").to_pufferlib()[18].item()
    /// -1.0
    fn to_pufferlib<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let cells = output::signed(output::columns(&self.stones), self.turn() as i8).concat();
        output::array(py, cells, "float32")
    }

    /// A drawing for a notebook. Its attribute `svg` is the SVG text.
    ///
    /// scores: printed under the columns: a sequence of numbers or None, or True for the exact scores.
    /// labels: whether to print column numbers above the board.
    ///
    /// >>> Position("4").draw().svg[:4]
    /// '<svg'
    #[pyo3(signature = (scores = None, *, labels = false))]
    fn draw<'py>(
        slf: &Bound<'py, Self>,
        scores: Option<Bound<'py, PyAny>>,
        labels: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("plumb_engine.drawing")?.getattr("draw")?.call1((slf, scores, labels))
    }

    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::draw(slf, None, false)?.getattr("svg")
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::draw(slf, None, false)?.call_method0("_repr_html_")
    }

    fn __str__(&self) -> String {
        self.stones.diagram()
    }

    fn __repr__(&self) -> String {
        if let Some(digits) = self.digits() {
            return format!("Position(\"{digits}\"{})", arguments::board_argument(self.stones.geometry()));
        }
        let mut text = format!("Position.from_fen(\"{}\")", self.start.fen());
        for column in self.history() {
            let _ = write!(text, ".play({column})");
        }
        text
    }

    fn __eq__(&self, other: PyRef<'_, Self>) -> bool {
        other.stones == self.stones
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.stones.geometry().hash(&mut hasher);
        self.stones.key().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let position = slf.get();
        let columns = position.history().iter().map(|&column| column.into()).collect();
        Ok((slf.get_type().getattr("_restore")?, (position.start.fen(), columns)))
    }

    fn __bool__(&self) -> bool {
        true
    }
}
