"""The methods of `Solver` as functions, with one solver for each board.

It has a table of 64 MB, one thread and the built-in opening book, and is made by the first call.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Literal

from . import bulk
from ._native import Position, Solver, column_of
from .argument_types import as_position

if TYPE_CHECKING:
    from typing import Any, SupportsIndex

    from ._native import Positions, Scores
    from .argument_types import PositionLike, TieBreak

Result = Literal["win", "draw", "loss"]

_lock = threading.Lock()
_solvers: dict[str, Solver] = {}


def default_solver(board: str = "7x6") -> Solver:
    """The solver that the functions of this module use on a board."""
    if board not in _solvers:
        with _lock:
            _solvers[board] = _solvers.get(board) or Solver(board=board)
    return _solvers[board]


def _solver_of(position: PositionLike) -> Solver:
    return default_solver(position.board) if isinstance(position, Position) else default_solver()


def _with_solver(positions: Positions) -> tuple[Solver, Any]:
    """The solver for the board of an array's shape, or of the first of the positions; and these as an array or a list."""
    given = bulk.as_batch(positions)
    if isinstance(given, list):
        return _solver_of(given[0]) if given else default_solver(), given
    try:
        return default_solver("x".join(str(size) for size in given.shape[:-3:-1])), given
    except ValueError:
        # Positions as rows of cells, or no boards, as the solver says.
        return default_solver(), given


def solve(position: PositionLike) -> int:
    """The exact score of a position, -18 to 18 on 7x6; see `Solver.solve`.

    >>> solve("4455")
    18
    """
    return _solver_of(position).solve(position)


def scores(position: PositionLike) -> list[int | None]:
    """The exact scores of the moves by column, None for columns that cannot be played; see `Solver.scores`.

    >>> scores("4455")
    [-4, -3, 18, 2, 2, 18, -3]
    """
    return _solver_of(position).scores(position)


def score_move(position: PositionLike, column: SupportsIndex) -> int:
    """The exact score of one move for the side that makes it, without those of the others. Raises ValueError if the column
    cannot be played.

    >>> score_move("4455", 3)
    2
    """
    return -solve(as_position(position).play(column_of(column)))


def best_moves(position: PositionLike) -> list[int]:
    """The columns of the moves that keep the score; see `Solver.best_moves`.

    >>> best_moves("4455")
    [2, 5]
    """
    return _solver_of(position).best_moves(position)


def best_move(position: PositionLike, tie_break: TieBreak | None = None, *, rng: Any = None) -> int:
    """One of the moves that keep the score; see `Solver.best_move`.

    >>> best_move("4455")
    2
    """
    return _solver_of(position).best_move(position, tie_break, rng=rng)


def principal_variation(position: PositionLike) -> list[int]:
    """The columns of perfect play to the end of the game; see `Solver.principal_variation`.

    >>> principal_variation("44556")
    [2, 6]
    """
    return _solver_of(position).principal_variation(position)


def outcome(position: PositionLike) -> Result:
    """The result of perfect play for the side to move; see `Solver.outcome`.

    >>> outcome("44556")
    'loss'
    """
    return _solver_of(position).outcome(position)


def distance(position: PositionLike) -> int:
    """The number of plies to the end under perfect play; see `Solver.distance`.

    >>> distance("4455")
    3
    """
    return _solver_of(position).distance(position)


def solve_many(positions: Positions, *, threads: SupportsIndex | None = None, progress: bool = False) -> Scores:
    """The exact scores of many positions, on all processors; see `Solver.solve_many`.

    >>> solve_many(["44", "4455", "123"]).tolist()
    [1, 18, 3]
    """
    solver, given = _with_solver(positions)
    return solver.solve_many(given, threads=threads, progress=progress)


def scores_many(
    positions: Positions, *, threads: SupportsIndex | None = None, progress: bool = False, dtype: Any = None
) -> Any:
    """The exact scores of the moves of many positions, on all processors; see `Solver.scores_many`.

    >>> scores_many(["444444"]).tolist()
    [[-1, 0, 1, -128, 1, 0, -1]]
    """
    solver, given = _with_solver(positions)
    return solver.scores_many(given, threads=threads, progress=progress, dtype=dtype)


def outcome_many(positions: Positions, *, threads: SupportsIndex | None = None, progress: bool = False) -> Any:
    """The results of perfect play of many positions, "win", "draw" or "loss" for the side to move: an array of texts of shape
    (n,), a list without NumPy. Positions are those of `Solver.solve_many`.

    >>> outcome_many(["44", "44556"]).tolist()
    ['win', 'loss']
    """
    scores = solve_many(positions, threads=threads, progress=progress)
    return _like(scores, [result_of(score) for score in map(int, scores)], str)


def distance_many(positions: Positions, *, threads: SupportsIndex | None = None, progress: bool = False) -> Any:
    """The numbers of plies to the end of many positions under perfect play, 0 where the game is over: an array of integers of
    shape (n,), a list without NumPy. Positions are those of `Solver.solve_many`.

    >>> distance_many(["4455", "44556"]).tolist()
    [3, 2]
    """
    solver, given = _with_solver(positions)
    scores, stones, cells = bulk.scores_and_stones(solver, given, threads, progress)
    return _like(scores, [plies_of_score(int(score), plies, cells) for score, plies in zip(scores, stones)], int)


def result_of(score: int) -> Result:
    """The result that a score stands for."""
    return "win" if score > 0 else "loss" if score < 0 else "draw"


def plies_of_score(score: int, plies: int, cells: int) -> int:
    """The number of plies from a position with `plies` stones and this score to the end of the game on a board of `cells`."""
    if score == 0:
        return cells - plies
    # Two successive numbers of stones have the same score; the winner's stones are all odd or all even.
    later = cells + 2 - 2 * abs(score) - plies
    return later if (later % 2 == 1) == (score > 0) else later - 1


def _like(scores: Scores, values: list[Any], dtype: type) -> Any:
    """The values as an array, if the scores are one."""
    return values if isinstance(scores, list) else bulk.array(values, dtype)
