"""The methods of `Solver` as functions, with one solver for each board.

It has a table that grows up to 64 MB, one thread and the built-in opening book, and is made by the first call.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

from ._native import NO_MOVE, Position, Solver, column_of
from .argument_types import as_position

if TYPE_CHECKING:
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


def _solver_of(position: Any) -> Solver:
    return default_solver(position.board) if isinstance(position, Position) else default_solver()


def _with_solver(positions: Any) -> tuple[Solver, Any]:
    """The solver for the board of the first of the positions, 7x6 unless it is a Position; and the positions, of an iterator as a
    list."""
    if isinstance(positions, (str, Position)) or not isinstance(positions, Iterable):
        return default_solver(), positions
    given = positions if hasattr(positions, "__len__") else list(positions)
    return _solver_of(next(iter(given), None)), given


def solve(position: PositionLike, *, timeout: float | None = None, nodes: SupportsIndex | None = None) -> int:
    """The exact score of a position, -18 to 18 on 7x6; see `Solver.solve`.

    >>> solve("4455")
    18
    """
    return _solver_of(position).solve(position, timeout=timeout, nodes=nodes)


def scores(
    position: PositionLike, *, timeout: float | None = None, nodes: SupportsIndex | None = None
) -> list[int | None]:
    """The exact scores of the moves by column, None for columns that cannot be played; see `Solver.scores`.

    >>> scores("4455")
    [-4, -3, 18, 2, 2, 18, -3]
    """
    return _solver_of(position).scores(position, timeout=timeout, nodes=nodes)


def score_move(
    position: PositionLike, column: SupportsIndex, *, timeout: float | None = None, nodes: SupportsIndex | None = None
) -> int:
    """The exact score of one move for the side that makes it, without those of the others. Raises ValueError if the column
    cannot be played.

    >>> score_move("4455", 3)
    2
    """
    return -solve(as_position(position).play(column_of(column)), timeout=timeout, nodes=nodes)


def best_moves(
    position: PositionLike, *, timeout: float | None = None, nodes: SupportsIndex | None = None
) -> list[int]:
    """The columns of the moves that keep the score; see `Solver.best_moves`.

    >>> best_moves("4455")
    [2, 5]
    """
    return _solver_of(position).best_moves(position, timeout=timeout, nodes=nodes)


def best_move(
    position: PositionLike,
    tie_break: TieBreak | None = None,
    *,
    rng: Any = None,
    timeout: float | None = None,
    nodes: SupportsIndex | None = None,
) -> int:
    """One of the moves that keep the score; see `Solver.best_move`.

    >>> best_move("4455")
    2
    """
    return _solver_of(position).best_move(position, tie_break, rng=rng, timeout=timeout, nodes=nodes)


def principal_variation(
    position: PositionLike, *, timeout: float | None = None, nodes: SupportsIndex | None = None
) -> list[int]:
    """The columns of perfect play to the end of the game; see `Solver.principal_variation`.

    >>> principal_variation("44556")
    [2, 6]
    """
    return _solver_of(position).principal_variation(position, timeout=timeout, nodes=nodes)


def outcome(position: PositionLike, *, timeout: float | None = None, nodes: SupportsIndex | None = None) -> Result:
    """The result of perfect play for the side to move; see `Solver.outcome`.

    >>> outcome("44556")
    'loss'
    """
    return _solver_of(position).outcome(position, timeout=timeout, nodes=nodes)


def distance(position: PositionLike, *, timeout: float | None = None, nodes: SupportsIndex | None = None) -> int:
    """The number of plies to the end under perfect play; see `Solver.distance`.

    >>> distance("4455")
    3
    """
    return _solver_of(position).distance(position, timeout=timeout, nodes=nodes)


def solve_many(
    positions: Positions, *, threads: SupportsIndex | None = None, progress: bool = False, timeout: float | None = None
) -> Scores:
    """The exact scores of many positions, on all processors; see `Solver.solve_many`.

    >>> solve_many(["44", "4455", "123"]).tolist()
    [1, 18, 3]
    """
    solver, given = _with_solver(positions)
    return solver.solve_many(given, threads=threads, progress=progress, timeout=timeout)


def scores_many(
    positions: Positions,
    *,
    threads: SupportsIndex | None = None,
    progress: bool = False,
    dtype: Any = None,
    timeout: float | None = None,
) -> Any:
    """The exact scores of the moves of many positions, on all processors; see `Solver.scores_many`.

    >>> scores_many(["444444"]).tolist()
    [[-1, 0, 1, -128, 1, 0, -1]]
    """
    solver, given = _with_solver(positions)
    return solver.scores_many(given, threads=threads, progress=progress, dtype=dtype, timeout=timeout)


def outcome_many(
    positions: Positions, *, threads: SupportsIndex | None = None, progress: bool = False, timeout: float | None = None
) -> Any:
    """The results of perfect play of many positions; see `Solver.outcome_many`.

    >>> outcome_many(["44", "44556"]).tolist()
    ['win', 'loss']
    """
    solver, given = _with_solver(positions)
    return solver.outcome_many(given, threads=threads, progress=progress, timeout=timeout)


def distance_many(
    positions: Positions, *, threads: SupportsIndex | None = None, progress: bool = False, timeout: float | None = None
) -> Any:
    """The numbers of plies to the end of many positions under perfect play; see `Solver.distance_many`.

    >>> distance_many(["4455", "44556"]).tolist()
    [3, 2]
    """
    solver, given = _with_solver(positions)
    return solver.distance_many(given, threads=threads, progress=progress, timeout=timeout)


def score_rows(solver: Solver, positions: list[Position], **arguments: Any) -> list[list[int | None]]:
    """What `Solver.scores_many` returns as lists, with None for columns that cannot be played."""
    rows = solver.scores_many(positions, **arguments)
    return [[None if score is None or score == NO_MOVE else int(score) for score in row] for row in rows]


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
