"""Types of arguments, and their checks."""

from __future__ import annotations

import operator
from typing import Any, Callable, List, Literal, Optional, Sequence, SupportsIndex, Union

from ._native import Position, read_position

PositionLike = Union[Position, str]
# Values of `tie_break`; see `Solver.best_move`.
TieBreak = Union[Literal["centre", "center", "left", "random", "swindle"], Callable[[Position, List[int]], int]]

# Seconds between checks for Ctrl-C, which does not interrupt a wait on all systems.
SIGNAL_INTERVAL = 0.5

RootMoves = Optional[Sequence[SupportsIndex]]


def as_position(value: Any) -> Position:
    """A position, or the position of a text. Raises TypeError for another type."""
    if isinstance(value, str):
        return Position(value)
    if not isinstance(value, Position):
        raise TypeError(f"a position is a Position or its text, not {type(value).__name__}")
    return value


def is_position(value: Any, board: str, form: Optional[str] = None) -> bool:
    try:
        read_position(value, board, form)
    except (TypeError, ValueError):
        return False
    return True


def as_positions(noun: str, values: Any, read: Callable[[Any], Position]) -> List[Position]:
    """The positions that `read` makes of a list or column. Errors have `noun` and the index."""
    positions = []
    # Arrow columns contain Arrow values, which `to_pylist` converts.
    for index, value in enumerate(values.to_pylist() if hasattr(values, "to_pylist") else values):
        try:
            positions.append(read(value))
        except (TypeError, ValueError) as error:
            raise type(error)(f"{noun} at index {index}: {error}") from None
    return positions


def as_integer(name: str, value: Any) -> int:
    """An integer, also of NumPy. Raises TypeError with the name of the argument."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name}={value!r}; expected an integer") from None


def as_agent(name: str, value: Any) -> Any:
    """A function of a position. Raises TypeError with the name of the argument."""
    if not callable(value):
        raise TypeError(f"{name}: {value!r}; expected a function of a Position that returns a column")
    return value
