"""A search, from `go` to `bestmove`."""

from __future__ import annotations

import asyncio
import collections
import logging
from dataclasses import dataclass
from typing import Deque, List, Optional, Tuple

from .._native import Position, column_of
from ..argument_types import RootMoves
from .errors import EngineError
from .info import Info, parse_info
from .limit import Limit
from .notation import move_words, read_move

LOGGER = logging.getLogger("plumb_engine.engine")

# Maximum number of unread `info` lines. Older lines are dropped, because an engine may print forever.
_MAX_WAITING = 10_000

# Words that engines print after `bestmove` instead of a move.
_NO_MOVE = ("(none)", "0000", "-", "none", "null")


@dataclass(frozen=True)
class PlayResult:
    """The answer of an engine. move: a column from 0. ponder: the expected reply, or None. info: the last Info, or None.

    >>> PlayResult(3, ponder=2).move
    3
    """

    move: int
    ponder: Optional[int] = None
    info: Optional[Info] = None


class Search:
    """A search. `done` becomes the move and the expected reply, or an error."""

    def __init__(self, root: Position, limit: Limit, is_ugi: bool, is_pondering: bool = False) -> None:
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
        return self.variations[0] if self.variations else Info()

    def take_info(self, line: str) -> None:
        info, faults = parse_info(line, self.root, self._is_ugi)
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
        try:
            result = self._best_move(line)
        except EngineError as error:
            self.fail(error)
            return
        if not self.done.done():
            self.done.set_result(result)
        self.news.set()

    def fail(self, error: EngineError) -> None:
        if not self.done.done():
            self.done.set_exception(error)
            # Marks the exception as read: nobody awaits a discarded search.
            self.done.exception()
        self.news.set()

    def _best_move(self, line: str) -> Tuple[int, Optional[int]]:
        words = line.split()
        word = words[1] if len(words) > 1 else ""
        if word.lower() in _NO_MOVE:
            raise EngineError(f"the engine gives no move although the game is not over: `{line}`")
        try:
            move = read_move(self.root, word)
        except ValueError as error:
            raise EngineError(f"the engine gives an illegal move: `{line}`: {error}") from None
        after = self.root.play(move)
        if words[2:3] != ["ponder"] or len(words) < 4 or after.is_over:
            return move, None
        try:
            return move, read_move(after, words[3])
        except ValueError as error:
            if words[3].lower() not in _NO_MOVE:
                LOGGER.warning("`%s`: %s", line, error)
            return move, None


def go_command(limit: Limit, root: Position, is_ugi: bool, root_moves: RootMoves, ponder: bool = False) -> str:
    """The `go` line. Raises ValueError for illegal or missing root moves."""
    words = ["go"] + (["ponder"] if ponder else [])
    names = ("p1time", "p2time", "p1inc", "p2inc") if is_ugi else ("wtime", "btime", "winc", "binc")
    times = (limit.first_clock, limit.second_clock, limit.first_inc, limit.second_inc)
    for name, seconds in zip(names, times):
        if seconds is not None:
            words += [name, str(round(seconds * 1000))]
    if limit.time is not None:
        words += ["movetime", str(max(1, round(limit.time * 1000)))]
    # UGI counts plies, UCI counts moves of the winner.
    mate = 2 * int(limit.mate) - 1 if is_ugi and limit.mate is not None else limit.mate
    for name, count in (("depth", limit.depth), ("nodes", limit.nodes), ("mate", mate)):
        if count is not None:
            words += [name, str(int(count))]
    if limit.is_unlimited and not ponder:
        words.append("infinite")
    if root_moves is not None:
        try:
            columns = [column_of(column) for column in root_moves]
        except TypeError as error:
            raise TypeError(f"root_moves: {error}") from None
        for column in columns:
            if column not in root.legal_moves:
                legal = ", ".join(map(str, root.legal_moves))
                raise ValueError(f"root_moves: column {column} is not legal; expected some of {legal}")
        if not columns:
            raise ValueError("root_moves: there is no move in it; expected at least one")
        # Last, because some engines read all words after `searchmoves` as moves.
        words.append("searchmoves")
        words += [move_words(root, [column], is_ugi)[0] for column in columns]
    return " ".join(words)
