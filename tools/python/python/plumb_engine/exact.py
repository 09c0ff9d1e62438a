"""The methods of `Solver` as functions, with one solver for all calls.

It has a table of 64 MB, one thread and the built-in opening book, and is made by the first call.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from ._native import Solver

if TYPE_CHECKING:
    from typing import Literal

    from ._native import PositionLike, Positions, Scores, TieBreak

_lock = threading.Lock()
_solver: Solver | None = None


def default_solver() -> Solver:
    """The solver that the functions of this module use."""
    global _solver
    if _solver is None:
        with _lock:
            if _solver is None:
                _solver = Solver()
    return _solver


def solve(position: PositionLike) -> int:
    """The exact score of a position, -18 to 18; see `Solver.solve`."""
    return default_solver().solve(position)


def scores(position: PositionLike) -> list[int | None]:
    """The exact scores of the seven moves, None for columns that cannot be played; see `Solver.scores`."""
    return default_solver().scores(position)


def best_moves(position: PositionLike) -> list[int]:
    """The columns of the moves that keep the score; see `Solver.best_moves`."""
    return default_solver().best_moves(position)


def best_move(position: PositionLike, tie_break: TieBreak = "centre") -> int:
    """One of the moves that keep the score; see `Solver.best_move`."""
    return default_solver().best_move(position, tie_break)


def principal_variation(position: PositionLike) -> list[int]:
    """The columns of perfect play to the end of the game; see `Solver.principal_variation`."""
    return default_solver().principal_variation(position)


def outcome(position: PositionLike) -> Literal["win", "draw", "loss"]:
    """The result of perfect play for the side to move; see `Solver.outcome`."""
    return default_solver().outcome(position)


def distance(position: PositionLike) -> int:
    """The number of plies to the end under perfect play; see `Solver.distance`."""
    return default_solver().distance(position)


def solve_many(positions: Positions, *, threads: int | None = None, progress: bool = False) -> Scores:
    """The exact scores of many positions, on all processors; see `Solver.solve_many`."""
    return default_solver().solve_many(positions, threads=threads, progress=progress)


def scores_many(positions: Positions, *, threads: int | None = None, progress: bool = False) -> Scores:
    """The exact scores of the moves of many positions, on all processors; see `Solver.scores_many`."""
    return default_solver().scores_many(positions, threads=threads, progress=progress)
