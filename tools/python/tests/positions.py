"""Positions for the tests of the engine client."""

from __future__ import annotations

from typing import Optional, Sequence

from plumb_engine import Position


def position(moves: Sequence[int] = (), start: Optional[str] = None) -> Position:
    """The position after `moves`, from the FEN `start` or the empty board."""
    found = Position() if start is None else Position.from_fen(start)
    for column in moves:
        found = found.play(column)
    return found


# The first player wins with column 3.
WON = position([0, 0, 1, 1, 2, 2])
