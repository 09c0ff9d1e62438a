"""The methods of `Solver` as functions.

Each board has one solver with a table of up to 64 MB, one thread and the built-in book. The first call creates it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from types import MethodType
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, TypeVar

from ._native import NO_MOVE, Position, Solver, column_of
from .argument_types import as_position

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    from .argument_types import PositionLike

    _P = ParamSpec("_P")

_T = TypeVar("_T")
Result = Literal["win", "draw", "loss"]

_lock = threading.Lock()
_solvers: dict[str, Solver] = {}


def default_solver(board: str = "7x6") -> Solver:
    if board not in _solvers:
        with _lock:
            _solvers[board] = _solvers.get(board) or Solver(board=board)
    return _solvers[board]


def _function(method: Callable[Concatenate[Solver, _P], _T]) -> Callable[_P, _T]:
    """A method of `Solver` as a function, for the board of its first argument."""
    name = method.__name__
    noun = "positions" if name.endswith("_many") else "position"

    def call(*args: Any, **named: Any) -> Any:
        given, *others = args or [named.pop(noun, None)]
        first = given
        if not isinstance(given, (str, Position)) and isinstance(given, Iterable):
            given = given if hasattr(given, "__len__") else list(given)
            first = next(iter(given), None)
        solver = default_solver(first.board if isinstance(first, Position) else "7x6")
        return getattr(solver, name)(given, *others, **named)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = (method.__doc__ or "").replace("Solver(hash_mb=1).", "")
    # Gives `inspect.signature` the parameters of the method without `self`.
    setattr(call, "__wrapped__", MethodType(method, Solver))
    return call


solve = _function(Solver.solve)
scores = _function(Solver.scores)
best_moves = _function(Solver.best_moves)
best_move = _function(Solver.best_move)
principal_variation = _function(Solver.principal_variation)
outcome = _function(Solver.outcome)
distance = _function(Solver.distance)
solve_many = _function(Solver.solve_many)
scores_many = _function(Solver.scores_many)
outcome_many = _function(Solver.outcome_many)
distance_many = _function(Solver.distance_many)


def score_move(
    position: PositionLike, column: SupportsIndex, *, timeout: float | None = None, nodes: SupportsIndex | None = None
) -> int:
    """The exact score of one move, for the player who makes it. Raises ValueError for an illegal column.

    >>> score_move("4455", 3)
    2
    """
    return -solve(as_position(position).play(column_of(column)), timeout=timeout, nodes=nodes)


def score_rows(solver: Solver, positions: list[Position], **arguments: Any) -> list[list[int | None]]:
    """`Solver.scores_many` as lists, with None for full columns."""
    rows = solver.scores_many(positions, **arguments)
    return [[None if score is None or score == NO_MOVE else int(score) for score in row] for row in rows]


def result_of(score: int) -> Result:
    return "win" if score > 0 else "loss" if score < 0 else "draw"
