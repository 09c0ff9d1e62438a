"""Types of arguments, for annotations."""

from __future__ import annotations

from typing import Callable, List, Literal, Union

from ._native import Position

# A position, or its text.
PositionLike = Union[Position, str]
# The choice among moves that keep the score; see `Solver.best_move`.
TieBreak = Union[Literal["centre", "center", "left", "random", "swindle"], Callable[[Position, List[int]], int]]
