"""A search that an engine carries out, from `go` to `bestmove`."""

from __future__ import annotations

import asyncio
import collections
from dataclasses import dataclass
from typing import Deque, List, Optional, Sequence, Tuple, Union

from .._native import Position
from .board import Board, PositionLike
from .errors import EngineError
from .info import Info, parse_info
from .limit import Limit
from .process import LOGGER

# Lines that wait for a reader of the analysis, at most; the oldest are dropped. An engine may write without end.
_MAX_WAITING = 10_000

# What engines write instead of a move.
_NO_MOVE = ("(none)", "0000", "-", "none", "null")


@dataclass(frozen=True)
class PlayResult:
    """The answer of an engine: `move`, a column from 0 on the left; `ponder`, the reply that it expects, or None; and
    `info`, what it said last of the search, or None if that was not asked for."""

    move: int
    ponder: Optional[int] = None
    info: Optional[Info] = None


class Root:
    """A position as the engine gets it."""

    def __init__(self, start: Optional[str], moves: Sequence[int], board: Board, legal: Sequence[int]) -> None:
        self.start = start
        self.moves = tuple(moves)
        self.board = board
        self.legal = tuple(legal)

    @classmethod
    def of(cls, position: Union[PositionLike, str]) -> Root:
        """Reads a position, or its text. Raises ValueError if the game is over in it, TypeError for anything else."""
        if isinstance(position, str):
            position = Position(position)
        elif not hasattr(position, "is_over"):
            raise TypeError(f"position: {position!r}: expected a Position, a BoardPosition or the text of a position")
        if position.is_over:
            raise ValueError("the game is over in this position: there is no move to search")
        start = None if position.start is None else Board.from_fen(position.start).fen()
        return cls(start, position.moves, Board.from_position(position), position.legal_moves)

    def after(self, moves: Sequence[int]) -> Root:
        """The position after more moves."""
        board = self.board.copy()
        for column in moves:
            board.play(column)
        legal = [column for column in range(len(board.columns)) if board.is_possible(column)]
        return Root(self.start, (*self.moves, *moves), board, legal)

    def is_same(self, other: Root) -> bool:
        """Whether the engine gets the same line for both."""
        return (self.start, self.moves) == (other.start, other.moves)

    def command(self, is_ugi: bool) -> str:
        """The line that tells the engine."""
        before = Board() if self.start is None else Board.from_fen(self.start)
        words = ["position", "startpos" if self.start is None else f"fen {self.start}"]
        if self.moves:
            words += ["moves", *before.words(self.moves, is_ugi)]
        return " ".join(words)


class Search:
    """A search from `go` on. `done` becomes the move and the expected reply, or the error of the engine."""

    def __init__(self, root: Root, limit: Limit, is_ugi: bool, is_pondering: bool = False) -> None:
        self.root = root
        self.limit = limit
        self.is_pondering = is_pondering
        self.is_stopped = False
        self.begin = asyncio.get_running_loop().time()
        self.done: asyncio.Future[Tuple[int, Optional[int]]] = asyncio.get_running_loop().create_future()
        self.variations: List[Info] = []
        self.waiting: Deque[Info] = collections.deque(maxlen=_MAX_WAITING)
        self.is_streamed = False
        self.news = asyncio.Event()
        self._is_ugi = is_ugi

    @property
    def info(self) -> Info:
        """What is known of the best variation."""
        return self.variations[0] if self.variations else Info()

    def take_info(self, line: str) -> None:
        """Reads an `info` line."""
        info, faults = parse_info(line, self.root.board, self._is_ugi)
        for fault in faults:
            LOGGER.warning("`%s`: %s", line, fault)
        place = (info.multipv or 1) - 1
        if 0 <= place < len(self.variations):
            self.variations[place] = self.variations[place].updated(info)
        elif place == len(self.variations):
            self.variations.append(info)
        if self.is_streamed and info != Info():
            self.waiting.append(info)
            self.news.set()

    def take_best_move(self, line: str) -> None:
        """Reads the `bestmove` line, which ends the search."""
        try:
            result = self._best_move(line)
        except EngineError as error:
            self.fail(error)
            return
        if not self.done.done():
            self.done.set_result(result)
        self.news.set()

    def fail(self, error: EngineError) -> None:
        """Ends the search with an error."""
        if not self.done.done():
            self.done.set_exception(error)
            # Nobody may wait for a search that is thrown away, which is no fault.
            self.done.exception()
        self.news.set()

    def _best_move(self, line: str) -> Tuple[int, Optional[int]]:
        words = line.split()
        word = words[1] if len(words) > 1 else ""
        if word.lower() in _NO_MOVE:
            raise EngineError(f"the engine gives no move although the game is not over: `{line}`")
        board = self.root.board
        try:
            move = board.read_move(word)
        except ValueError as error:
            raise EngineError(f"the engine gives an illegal move: `{line}`: {error}") from None
        if move not in self.root.legal:
            raise EngineError(f"the engine gives an illegal move: `{line}`: column {move} cannot be played")
        if words[2:3] != ["ponder"] or len(words) < 4:
            return move, None
        after = self.root.after([move])
        try:
            ponder = None if after.board.is_over else after.board.read_move(words[3])
        except ValueError as error:
            if words[3].lower() not in _NO_MOVE:
                LOGGER.warning("`%s`: %s", line, error)
            ponder = None
        return move, ponder


def go_command(
    limit: Limit, root: Root, is_ugi: bool, root_moves: Optional[Sequence[int]], ponder: bool = False
) -> str:
    """The line that starts a search. Raises ValueError if one of `root_moves` is illegal, or there is none."""
    words = ["go"] + (["ponder"] if ponder else [])
    names = ("p1time", "p2time", "p1inc", "p2inc") if is_ugi else ("wtime", "btime", "winc", "binc")
    times = (limit.first_clock, limit.second_clock, limit.first_inc, limit.second_inc)
    for name, seconds in zip(names, times):
        if seconds is not None:
            words += [name, str(round(seconds * 1000))]
    if limit.time is not None:
        words += ["movetime", str(max(1, round(limit.time * 1000)))]
    for name, count in (("depth", limit.depth), ("nodes", limit.nodes), ("mate", limit.mate)):
        if count is not None:
            words += [name, str(int(count))]
    if limit.is_unlimited and not ponder:
        words.append("infinite")
    if root_moves is not None:
        columns = list(root_moves)
        for column in columns:
            if column not in root.legal:
                legal = ", ".join(map(str, root.legal))
                raise ValueError(f"root_moves: column {column!r} is not legal; expected some of {legal}")
        if not columns:
            raise ValueError("root_moves: there is no move in it; expected at least one")
        # The last words: some engines take all that follows for moves.
        words.append("searchmoves")
        words += [root.board.words([column], is_ugi)[0] for column in columns]
    return " ".join(words)
