"""Moves and positions in the notation of engines."""

from __future__ import annotations

import re
import string
from typing import List, Optional, Sequence

from .._native import Position
from ..argument_types import PositionLike, as_position

_LETTERS = string.ascii_lowercase
# `P@d1` in UCI, `d` in UGI.
_MOVE = re.compile(r"(?:[Pp]?@)?([a-zA-Z])([1-9][0-9]?)?")


def _rank(position: Position, column: int) -> int:
    """The rank, from 1, on which a stone lands."""
    return 1 + sum(1 for row in position.to_array() if row[column])


def drop_word(position: Position, column: int) -> str:
    """A move in UCI, with the square: `P@d1`."""
    return f"P@{_LETTERS[column]}{_rank(position, column)}"


def move_words(position: Position, moves: Sequence[int], is_ugi: bool) -> List[str]:
    """`moves` from `position`: `P@d1 P@d2`, or `d d` for UGI."""
    words = []
    for column in moves:
        words.append(_LETTERS[column] if is_ugi else drop_word(position, column))
        position = position.play(column)
    return words


def read_move(position: Position, word: str) -> int:
    """The column of a move in any notation: `P@d1`, `p@d1`, `@d1`, `d1`, `d`, `4`. Raises ValueError with the reason."""
    found = _MOVE.fullmatch(word)
    if word in tuple("123456789"):
        column = int(word) - 1
    else:
        column = _LETTERS.index(found[1].lower()) if found else -1
    if not 0 <= column < position.shape[1]:
        raise ValueError(f"`{word}` is no move; expected one such as P@d1, d or 4")
    if column not in position.legal_moves:
        raise ValueError(f"`{word}`: {'the game is over' if position.is_over else 'the column is full'}")
    landing = _rank(position, column)
    if found and found[2] and int(found[2]) != landing:
        raise ValueError(f"`{word}`: the stone lands on rank {landing}, not {found[2]}")
    return column


def read_line(position: Position, words: Sequence[str], columns: List[int]) -> None:
    """Appends the columns of a variation. Raises ValueError with the reason at the first wrong word."""
    for word in words:
        columns.append(read_move(position, word))
        position = position.play(columns[-1])


def position_to_search(position: PositionLike, board: Optional[str] = None) -> Position:
    """A position or the position of a text. Raises ValueError for a finished game or another board."""
    found = as_position(position)
    if board is not None and found.board != board:
        raise ValueError(f"the position is on a board of {found.board}; expected {board}")
    if found.is_over:
        raise ValueError("the game is over: there is no move to search")
    return found


def position_command(position: Position, is_ugi: bool, is_on_standard_board: bool = True) -> str:
    """The `position` line for an engine. Only a FEN has the size of a board, if the engine may be set to another one."""
    start = Position(board=position.board) if position.start is None else Position.from_fen(position.start)
    is_startpos = is_on_standard_board and start == Position()
    words = ["position", "startpos" if is_startpos else f"fen {start.fen()}"]
    if position.moves:
        words += ["moves", *move_words(start, position.moves, is_ugi)]
    return " ".join(words)
