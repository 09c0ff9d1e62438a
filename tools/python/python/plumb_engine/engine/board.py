"""The board behind a position: which moves are possible, and how they are written."""

from __future__ import annotations

import re
from typing import List, Optional, Protocol, Sequence, Tuple

COLUMNS = 7
ROWS = 6

_FIRST = "PXxr"
_SECOND = "pOoy"
# The rank is left out where the column alone is the move.
_MOVE = re.compile(r"(?:[Pp]?@)?([a-gA-G])([1-9])?")


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
    """Stones in seven columns. It is small and changes with each move; `PositionLike` is what users have."""

    def __init__(self) -> None:
        self.columns: List[List[int]] = [[] for _ in range(COLUMNS)]
        self.turn = 1

    @classmethod
    def from_fen(cls, fen: str) -> Board:
        """The board of a FEN. Raises ValueError that names the part which cannot be read."""
        board = cls()
        rows = fen.split()[0].split("[")[0].split("/") if fen.split() else []
        if len(rows) != ROWS:
            raise ValueError(f"FEN `{fen}`: there are {len(rows)} rows; expected {ROWS}")
        for text in reversed(rows):
            for column, stone in enumerate(_cells(text, fen)):
                if stone:
                    board.columns[column].append(stone)
        for column, stones in enumerate(board.columns):
            if any(_cells(rows[ROWS - 1 - row], fen)[column] == 0 for row in range(len(stones))):
                raise ValueError(f"FEN `{fen}`: a stone in column {column} floats")
        ahead = board._count(1) - board._count(2)
        if ahead not in (0, 1):
            raise ValueError(
                f"FEN `{fen}`: {board._count(1)} stones of the first player and {board._count(2)} of the second "
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

    def copy(self) -> Board:
        """A board of its own with the same stones."""
        copy = Board()
        copy.columns = [list(stones) for stones in self.columns]
        copy.turn = self.turn
        return copy

    def is_possible(self, column: int) -> bool:
        """Whether `column` is on the board and not full."""
        return 0 <= column < COLUMNS and len(self.columns[column]) < ROWS

    def play(self, column: int) -> None:
        """Drops a stone of the player to move. Raises ValueError if there is no room."""
        if not self.is_possible(column):
            raise ValueError(f"column {column} is full or not on the board")
        self.columns[column].append(self.turn)
        self.turn = 3 - self.turn

    @property
    def is_over(self) -> bool:
        """Whether the board is full or somebody has four in a row."""
        full = all(len(stones) == ROWS for stones in self.columns)
        return full or any(self._four_from(column, row) for column in range(COLUMNS) for row in range(ROWS))

    def drop_word(self, column: int) -> str:
        """A move as UCI engines print it: `P@d1`, with the square that the stone lands on."""
        return f"P@{'abcdefg'[column]}{len(self.columns[column]) + 1}"

    def words(self, moves: Sequence[int], is_ugi: bool) -> List[str]:
        """`moves` played from here, as words of the dialect: `P@d1 P@d2`, or `d d` for UGI."""
        board = self.copy()
        words = []
        for column in moves:
            words.append("abcdefg"[column] if is_ugi else board.drop_word(column))
            board.play(column)
        return words

    def read_move(self, word: str) -> int:
        """The column of a move in any notation: `P@d1`, `p@d1`, `@d1`, `d1`, `d`, `4`.

        Raises ValueError that says why the word is no move here.
        """
        if word in tuple("1234567"):
            column, rank = int(word) - 1, None
        else:
            found = _MOVE.fullmatch(word)
            if not found:
                raise ValueError(f"`{word}` is no move; expected one such as P@d1, d or 4")
            column = "abcdefg".index(found[1].lower())
            rank = int(found[2]) if found[2] else None
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
        rows = []
        for row in reversed(range(ROWS)):
            cells = ["Pp"[stones[row] - 1] if row < len(stones) else " " for stones in self.columns]
            text = "".join(cells)
            rows.append(re.sub(" +", lambda gap: str(len(gap[0])), text))
        first, second = self._count(1), self._count(2)
        half = COLUMNS * ROWS // 2
        hand = "P" * (half - first) + "p" * (half - second)
        return f"{'/'.join(rows)}[{hand}] {'w' if self.turn == 1 else 'b'} - - 0 {1 + second}"

    def _count(self, player: int) -> int:
        return sum(stones.count(player) for stones in self.columns)

    def _four_from(self, column: int, row: int) -> bool:
        def at(steps: int, right: int, up: int) -> int:
            x, y = column + steps * right, row + steps * up
            return self.columns[x][y] if 0 <= x < COLUMNS and 0 <= y < len(self.columns[x]) else 0

        directions = ((1, 0), (0, 1), (1, 1), (1, -1))
        return any(
            at(0, right, up) != 0 and all(at(steps, right, up) == at(0, right, up) for steps in (1, 2, 3))
            for right, up in directions
        )


def _cells(row: str, fen: str) -> List[int]:
    """The cells of a row of a FEN, from the left: 0 for an empty one, else the player."""
    cells: List[int] = []
    for letter in row:
        if letter in "1234567":
            cells += [0] * int(letter)
        elif letter in _FIRST:
            cells.append(1)
        elif letter in _SECOND:
            cells.append(2)
        else:
            raise ValueError(f"FEN `{fen}`: `{letter}` is no stone; expected P, p or a number of empty cells")
    if len(cells) != COLUMNS:
        raise ValueError(f"FEN `{fen}`: the row `{row}` has {len(cells)} cells; expected {COLUMNS}")
    return cells
