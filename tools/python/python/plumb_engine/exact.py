"""The methods of `Solver` as functions.

Each board has one solver with a table of up to 64 MB, one thread and the built-in book. The first call creates it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, Protocol, SupportsIndex, TypeVar

from ._native import NO_MOVE, Position, Solver, column_of
from .argument_types import as_position

if TYPE_CHECKING:
    from ._native import Positions, Scores
    from .argument_types import PositionLike, TieBreak

Result = Literal["win", "draw", "loss"]

_lock = threading.Lock()
_solvers: dict[str, Solver] = {}


def default_solver(board: str = "7x6") -> Solver:
    """The solver of this module for a board."""
    if board not in _solvers:
        with _lock:
            _solvers[board] = _solvers.get(board) or Solver(board=board)
    return _solvers[board]


def _with_solver(given: Any) -> tuple[Solver, Any]:
    """The solver for the board of a position or of the first of several, and the given value; iterators become lists."""
    first = given
    if not isinstance(given, (str, Position)) and isinstance(given, Iterable):
        given = given if hasattr(given, "__len__") else list(given)
        first = next(iter(given), None)
    return default_solver(first.board if isinstance(first, Position) else "7x6"), given


_T = TypeVar("_T", covariant=True)


class _OfPosition(Protocol[_T]):
    def __call__(
        self, position: PositionLike, *, timeout: float | None = None, nodes: SupportsIndex | None = None
    ) -> _T: ...


class _OfPositions(Protocol[_T]):
    def __call__(
        self,
        positions: Positions,
        *,
        threads: SupportsIndex | None = None,
        progress: bool = False,
        timeout: float | None = None,
    ) -> _T: ...


def _of_position(name: str) -> Any:
    """A method of `Solver` as a function."""

    def call(
        position: PositionLike, *, timeout: float | None = None, nodes: SupportsIndex | None = None
    ) -> Any:
        return getattr(_with_solver(position)[0], name)(position, timeout=timeout, nodes=nodes)

    return _named(call, name)


def _of_positions(name: str) -> Any:
    """A method of `Solver` as a function."""

    def call(
        positions: Positions, *, threads: SupportsIndex | None = None, progress: bool = False, timeout: float | None = None
    ) -> Any:
        solver, given = _with_solver(positions)
        return getattr(solver, name)(given, threads=threads, progress=progress, timeout=timeout)

    return _named(call, name)


def _named(call: Any, name: str) -> Any:
    call.__name__ = call.__qualname__ = name
    call.__doc__ = (getattr(Solver, name).__doc__ or "").replace("Solver(hash_mb=1).", "")
    return call


solve: _OfPosition[int] = _of_position("solve")
scores: _OfPosition[list[int | None]] = _of_position("scores")
best_moves: _OfPosition[list[int]] = _of_position("best_moves")
principal_variation: _OfPosition[list[int]] = _of_position("principal_variation")
outcome: _OfPosition[Result] = _of_position("outcome")
distance: _OfPosition[int] = _of_position("distance")
solve_many: _OfPositions[Scores] = _of_positions("solve_many")
outcome_many: _OfPositions[Any] = _of_positions("outcome_many")
distance_many: _OfPositions[Any] = _of_positions("distance_many")


def score_move(
    position: PositionLike, column: SupportsIndex, *, timeout: float | None = None, nodes: SupportsIndex | None = None
) -> int:
    """The exact score of one move, for the player who makes it. Raises ValueError for an illegal column.

    >>> score_move("4455", 3)
    2
    """
    return -solve(as_position(position).play(column_of(column)), timeout=timeout, nodes=nodes)


def best_move(
    position: PositionLike,
    tie_break: TieBreak | None = None,
    *,
    rng: Any = None,
    timeout: float | None = None,
    nodes: SupportsIndex | None = None,
) -> int:
    """A column that keeps the score. See `Solver.best_move`.

    >>> best_move("4455")
    2
    """
    return _with_solver(position)[0].best_move(position, tie_break, rng=rng, timeout=timeout, nodes=nodes)


def scores_many(
    positions: Positions,
    *,
    threads: SupportsIndex | None = None,
    progress: bool = False,
    dtype: Any = None,
    timeout: float | None = None,
) -> Any:
    """The exact score of each column of many positions, on all processors. See `Solver.scores_many`.

    >>> scores_many(["444444"]).tolist()
    [[-1, 0, 1, -128, 1, 0, -1]]
    """
    solver, given = _with_solver(positions)
    return solver.scores_many(given, threads=threads, progress=progress, dtype=dtype, timeout=timeout)


def score_rows(solver: Solver, positions: list[Position], **arguments: Any) -> list[list[int | None]]:
    """`Solver.scores_many` as lists, with None for full columns."""
    rows = solver.scores_many(positions, **arguments)
    return [[None if score is None or score == NO_MOVE else int(score) for score in row] for row in rows]


def result_of(score: int) -> Result:
    """The result of a score."""
    return "win" if score > 0 else "loss" if score < 0 else "draw"


def plies_of_score(score: int, plies: int, cells: int) -> int:
    """Plies to the end of the game from a position with `plies` of `cells` stones and this score."""
    if score == 0:
        return cells - plies
    # Two successive stones share a score. The winner's stones are all odd or all even.
    later = cells + 2 - 2 * abs(score) - plies
    return later if (later % 2 == 1) == (score > 0) else later - 1
