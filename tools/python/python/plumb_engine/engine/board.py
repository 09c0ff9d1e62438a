"""The board behind a position: which moves are possible, and how they are written."""

from __future__ import annotations

import copy
import re
import string
from typing import List, Optional, Protocol, Sequence, Tuple

_LETTERS = string.ascii_lowercase
_FIRST = "PXxr"
_SECOND = "pOoy"
# The rank is left out where the column alone is the move.
_MOVE = re.compile(r"(?:[Pp]?@)?([a-zA-Z])([1-9][0-9]?)?")


class PositionLike(Protocol):
    """All that the client needs to know of a position; `plumb_engine.Position` has it."""

    @property
    def start(self) -> Optional[str]:
        """The FEN of the position that `moves` begin from; None for the empty board."""
        ...

    @property
    def moves(self) -> Sequence[int]:
        """The columns played since `start`, counted from 0 on the left."""
        ...

    @property
    def turn(self) -> int:
        """Who is to move: 1, the player who moved first in the game, or 2."""
        ...

    @property
    def legal_moves(self) -> Sequence[int]:
        """The columns that can be played."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        ...


class Board:
    """Stones in columns, of a board of any size. It changes with each move; `PositionLike` is what users have."""

    def __init__(self, width: int = 7, height: int = 6) -> None:
        self.columns: List[List[int]] = [[] for _ in range(width)]
        self.height = height
        self.turn = 1

    @classmethod
    def from_fen(cls, fen: str) -> Board:
        """The board of a FEN. Raises ValueError that names the part which cannot be read."""
        rows = fen.split()[0].split("[")[0].split("/") if fen.split() else []
        cells = _cells_of(rows, fen)
        if not 4 <= len(rows) <= 31 or not 4 <= len(cells[0]) <= len(_LETTERS):
            raise ValueError(
                f"FEN `{fen}`: it has {len(rows)} rows of {len(cells[0]) if cells else 0} cells; expected at least 4 of each"
            )
        return cls.from_cells(cells, f"FEN `{fen}`")

    @classmethod
    def from_cells(cls, cells: Sequence[Sequence[int]], name: str = "cells") -> Board:
        """The board with these rows of cells, the top one first: 0 for an empty cell, else the player.

        Raises ValueError, which begins with `name`, if a stone floats or the numbers of stones do not fit.
        """
        board = cls(len(cells[0]), len(cells))
        for column, stones in enumerate(zip(*reversed(cells))):
            count = sum(1 for stone in stones if stone)
            board.columns[column] = list(stones[:count])
            if 0 in board.columns[column]:
                raise ValueError(f"{name}: a stone in column {column} floats")
        ahead = board._count(1) - board._count(2)
        if ahead not in (0, 1):
            raise ValueError(
                f"{name}: {board._count(1)} stones of the first player and {board._count(2)} of the second "
                "cannot come about in turns"
            )
        board.turn = 1 + ahead
        return board

    @classmethod
    def from_position(cls, position: PositionLike) -> Board:
        """The board of a position."""
        board = cls() if position.start is None else cls.from_fen(position.start)
        for column in position.moves:
            board.play(column)
        return board

    def cells(self) -> List[List[int]]:
        """The rows of cells, the top one first: 0 for an empty cell, else the player."""
        rows = reversed(range(self.height))
        return [[stones[row] if row < len(stones) else 0 for stones in self.columns] for row in rows]

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.columns)

    def copy(self) -> Board:
        """A board of its own with the same stones."""
        copy = Board(self.width, self.height)
        copy.columns = [list(stones) for stones in self.columns]
        copy.turn = self.turn
        return copy

    def is_possible(self, column: int) -> bool:
        """Whether `column` is on the board and not full."""
        return 0 <= column < self.width and len(self.columns[column]) < self.height

    def play(self, column: int) -> None:
        """Drops a stone of the player to move. Raises ValueError if there is no room."""
        if not self.is_possible(column):
            raise ValueError(f"column {column} is full or not on the board")
        self.columns[column].append(self.turn)
        self.turn = 3 - self.turn

    @property
    def is_over(self) -> bool:
        """Whether the board is full or somebody has four in a row."""
        full = all(len(stones) == self.height for stones in self.columns)
        return full or any(
            self._four_from(column, row) for column in range(self.width) for row in range(self.height)
        )

    def drop_word(self, column: int) -> str:
        """A move as UCI engines print it: `P@d1`, with the square that the stone lands on."""
        return f"P@{_LETTERS[column]}{len(self.columns[column]) + 1}"

    def words(self, moves: Sequence[int], is_ugi: bool) -> List[str]:
        """`moves` played from here, as words of the dialect: `P@d1 P@d2`, or `d d` for UGI."""
        board = self.copy()
        words = []
        for column in moves:
            words.append(_LETTERS[column] if is_ugi else board.drop_word(column))
            board.play(column)
        return words

    def read_move(self, word: str) -> int:
        """The column of a move in any notation: `P@d1`, `p@d1`, `@d1`, `d1`, `d`, `4`.

        Raises ValueError that says why the word is no move here.
        """
        if word in tuple("123456789"):
            column, rank = int(word) - 1, None
        else:
            found = _MOVE.fullmatch(word)
            if not found:
                raise ValueError(f"`{word}` is no move; expected one such as P@d1, d or 4")
            column = _LETTERS.index(found[1].lower())
            rank = int(found[2]) if found[2] else None
        if not 0 <= column < self.width:
            raise ValueError(f"`{word}` is no move; expected one such as P@d1, d or 4")
        if not self.is_possible(column):
            raise ValueError(f"`{word}`: the column is full")
        landing = len(self.columns[column]) + 1
        if rank not in (None, landing):
            raise ValueError(f"`{word}`: the stone lands on rank {landing}, not {rank}")
        return column

    def read_line(self, words: Sequence[str]) -> Tuple[List[int], Optional[str]]:
        """The columns of a variation, up to the first word that is no move; and why that one is none."""
        board = self.copy()
        columns: List[int] = []
        for word in words:
            try:
                column = board.read_move(word)
            except ValueError as error:
                return columns, str(error)
            columns.append(column)
            board.play(column)
        return columns, None

    def fen(self) -> str:
        """The FEN in the full form, with the stones in hand, which engines built on Fairy-Stockfish need."""
        texts = ("".join(" Pp"[owner] for owner in row) for row in self.cells())
        rows = [re.sub(" +", lambda gap: str(len(gap[0])), text) for text in texts]
        first, second = self._count(1), self._count(2)
        size = self.width * self.height
        hand = "P" * ((size + 1) // 2 - first) + "p" * (size // 2 - second)
        return f"{'/'.join(rows)}[{hand}] {'w' if self.turn == 1 else 'b'} - - 0 {1 + second}"

    def _count(self, player: int) -> int:
        return sum(stones.count(player) for stones in self.columns)

    def _four_from(self, column: int, row: int) -> bool:
        def at(steps: int, right: int, up: int) -> int:
            x, y = column + steps * right, row + steps * up
            return self.columns[x][y] if 0 <= x < self.width and 0 <= y < len(self.columns[x]) else 0

        directions = ((1, 0), (0, 1), (1, 1), (1, -1))
        return any(
            at(0, right, up) != 0 and all(at(steps, right, up) == at(0, right, up) for steps in (1, 2, 3))
            for right, up in directions
        )


class BoardPosition:
    """A position on a board of any size, for engines that play there, as Plumb does: it has all that `play` and `analyse`
    need. `plumb_engine.Position` is the one for 7 columns and 6 rows, with the solver.

    `cells` are the rows, the top one first, each a sequence of cells: 0 empty, 1 the first player, 2 the second. Raises
    ValueError if a row is shorter than the others, a stone floats, or the numbers of stones do not fit. Positions do not
    change: `play` returns a new one.
    """

    def __init__(self, cells: Sequence[Sequence[int]]) -> None:
        rows = [[int(cell) for cell in row] for row in cells]
        if not rows or any(len(row) != len(rows[0]) for row in rows):
            raise ValueError("cells: expected rows of equal length")
        self._board = Board.from_cells(rows)
        self._start = self._board.fen()
        self._moves: Tuple[int, ...] = ()

    @classmethod
    def empty(cls, columns: int, rows: int) -> BoardPosition:
        """The empty board of this size."""
        return cls([[0] * columns for _ in range(rows)])

    @classmethod
    def from_fen(cls, fen: str) -> BoardPosition:
        """The position of a FEN, whose rows tell the size. Raises ValueError that names the part which cannot be read."""
        return cls(Board.from_fen(fen).cells())

    def play(self, column: int) -> BoardPosition:
        """The position after a stone in `column`, from 0. Raises ValueError if that is not legal."""
        if column not in self.legal_moves:
            reason = "the game is over" if self.is_over else "it is full or not on the board"
            raise ValueError(f"column {column}: {reason}")
        next_position = copy.copy(self)
        next_position._board = self._board.copy()
        next_position._board.play(column)
        next_position._moves = (*self._moves, column)
        return next_position

    def fen(self) -> str:
        """The FEN of the position."""
        return self._board.fen()

    def __repr__(self) -> str:
        return f"BoardPosition.from_fen({self.fen()!r})"

    @property
    def start(self) -> str:
        """The FEN of the position that `moves` begin from."""
        return self._start

    @property
    def moves(self) -> Tuple[int, ...]:
        """The columns played with `play`."""
        return self._moves

    @property
    def turn(self) -> int:
        """Who is to move: 1 or 2."""
        return self._board.turn

    @property
    def legal_moves(self) -> Tuple[int, ...]:
        """The columns that can be played."""
        board = self._board
        return () if board.is_over else tuple(filter(board.is_possible, range(board.width)))

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self._board.is_over


def _cells_of(rows: Sequence[str], fen: str) -> List[List[int]]:
    """The cells of the rows of a FEN: 0 for an empty one, else the player.

    On boards of ten and more columns a gap may be a number of two digits; on others each digit is a gap.
    """
    for number in (r"[0-9]+", r"[0-9]"):
        cells = [_cells(row, number, fen) for row in rows]
        width = len(cells[0]) if cells else 0
        if all(len(row) == width for row in cells) and (width > 9) == (number == r"[0-9]+"):
            return cells
    for row in rows:
        if len(_cells(row, r"[0-9]", fen)) != len(_cells(rows[0], r"[0-9]", fen)):
            raise ValueError(f"FEN `{fen}`: the row `{row}` has another number of cells than the row above")
    return cells


def _cells(row: str, number: str, fen: str) -> List[int]:
    """The cells of a row of a FEN, from the left; `number` is the pattern of a gap. At most 1000."""
    cells: List[int] = []
    for part in re.findall(number + "|.", row):
        if part.isdecimal():
            cells += [0] * min(int(part), 1000)
        elif part in _FIRST:
            cells.append(1)
        elif part in _SECOND:
            cells.append(2)
        else:
            raise ValueError(f"FEN `{fen}`: `{part}` is no stone; expected P, p or a number of empty cells")
    return cells
