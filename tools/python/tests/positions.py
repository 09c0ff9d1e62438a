"""Positions for tests of the engine client: the real class, or a stand-in where the extension is not built."""

from __future__ import annotations

from typing import Optional, Sequence, Tuple

from plumb_engine.engine import PositionLike
from plumb_engine.engine.board import Board

try:
    from plumb_engine import Position  # type: ignore[attr-defined,unused-ignore]
except ImportError:
    Position = None  # type: ignore[assignment,misc,unused-ignore]


class StandIn:
    """A position with all that the client asks for."""

    def __init__(self, start: Optional[str], moves: Sequence[int]) -> None:
        self.start = start
        self.moves: Tuple[int, ...] = tuple(moves)
        board = Board.from_position(self)
        self.turn = board.turn
        self.is_over = board.is_over
        self.legal_moves = [] if self.is_over else [column for column in range(7) if board.is_possible(column)]


def position(moves: Sequence[int] = (), start: Optional[str] = None) -> PositionLike:
    """The position after `moves`, from the FEN `start` or the empty board."""
    if Position is None:
        return StandIn(start, moves)
    found = Position() if start is None else Position.from_fen(start)
    for column in moves:
        found = found.play(column)
    return found  # type: ignore[no-any-return,unused-ignore]


# The first player wins by playing column 3.
WON = position([0, 0, 1, 1, 2, 2])
