"""The `info` lines of an engine."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from .._native import Position
from .notation import read_line, read_move


class Wdl(NamedTuple):
    """Chances of a win, a draw and a loss for the side to move, in per mille. The sum is 1000.

    >>> Wdl(700, 200, 100).draws
    200
    """

    wins: int
    draws: int
    losses: int


@dataclass(frozen=True)
class Score:
    """The score of an `info` line for the side to move.

    cp: an estimate in hundredths of the engine's unit. None for a distance to the end. wdl: None if it is not reported.
    plies: plies to the end of the game, including this move: above 0 for a win, below 0 for a loss, 0 if the game is lost
    already. None for an estimate. bound: "exact", "lower" (the true score is at least this) or "upper" (at most this).

    >>> Score(plies=3).moves, str(Score(cp=-20))
    (2, 'cp -20')
    """

    cp: Optional[int] = None
    plies: Optional[int] = None
    bound: str = "exact"
    wdl: Optional[Wdl] = None

    @classmethod
    def from_moves(cls, moves: int, bound: str = "exact", wdl: Optional[Wdl] = None) -> Score:
        """A proven end in `moves` moves of the winner, as in UCI.

        >>> Score.from_moves(2), Score.from_moves(-2)
        (Score(cp=None, plies=3, bound='exact', wdl=None), Score(cp=None, plies=-4, bound='exact', wdl=None))
        """
        # A winning side to move plays the first and the last ply. A losing side plays only the first.
        return cls(plies=2 * moves - 1 if moves > 0 else 2 * moves, bound=bound, wdl=wdl)

    @property
    def moves(self) -> Optional[int]:
        """Moves of the winner to the end of the game, with the sign of `plies`. None for an estimate."""
        if self.plies is None:
            return None
        return (self.plies + 1) // 2 if self.plies > 0 else -((1 - self.plies) // 2)

    @property
    def is_mate(self) -> bool:
        """Whether the score is a distance to the end of the game.

        An exact distance is a proven win or loss. So is a lower bound above 0, and an upper bound of 0 or less. Other bounds
        prove no result: "lower" with negative `plies` means that the side to move holds out at least that long.
        """
        return self.plies is not None

    def __str__(self) -> str:
        value = f"cp {self.cp}" if self.plies is None else f"mate in {self.plies} plies"
        return value if self.bound == "exact" else f"{value} ({self.bound} bound)"


@dataclass(frozen=True)
class Info:
    """An `info` line, or the sum of several lines. Missing values are None, and `pv` is empty.

    depth, seldepth: plies. multipv: place of the variation, from 1. nodes: positions; nps: positions per second. tbhits:
    positions from a book or tablebase. hashfull: used part of the table in per mille. time: seconds. pv: principal variation,
    columns from 0. currmove: the column that is being searched; currmovenumber: its place, from 1. string: free text.

    >>> info = Info(depth=7, score=Score(cp=12), pv=[3, 3])
    >>> info.is_variation, info.string
    (True, None)
    """

    depth: Optional[int] = None
    seldepth: Optional[int] = None
    multipv: Optional[int] = None
    score: Optional[Score] = None
    nodes: Optional[int] = None
    nps: Optional[int] = None
    hashfull: Optional[int] = None
    tbhits: Optional[int] = None
    time: Optional[float] = None
    currmove: Optional[int] = None
    currmovenumber: Optional[int] = None
    pv: List[int] = field(default_factory=list, hash=False)
    string: Optional[str] = None

    @property
    def wdl(self) -> Optional[Wdl]:
        """`score.wdl`."""
        return self.score.wdl if self.score else None

    @property
    def is_variation(self) -> bool:
        """Whether there is a score or a variation."""
        return self.score is not None or bool(self.pv)

    def updated(self, later: Info) -> Info:
        """The state after a later line: the line itself if it has a variation, otherwise this state with newer figures.

        >>> Info(depth=7, pv=[3]).updated(Info(nodes=100)).nodes
        100
        """
        if later.is_variation:
            return replace(later, string=later.string or self.string)
        figures = ("nodes", "nps", "hashfull", "tbhits", "time", "string")
        news = {name: getattr(later, name) for name in figures if getattr(later, name) is not None}
        return replace(self, **news)


_NUMBERS = ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time", "currmovenumber")
# Field names of `info`. The values of the last four are ignored.
_FIELDS = (*_NUMBERS, "score", "wdl", "currmove", "pv", "cpuload", "sbhits", "refutation", "currline")


def parse_info(line: str, position: Position, is_ugi: bool) -> Tuple[Info, List[str]]:
    """Reads an `info` line about `position`. Returns the readable part, and a message for each unreadable field."""
    line, has_string, text = f"{line} ".partition(" string ")
    words = line.split()[1:]
    # Some engines print the bound after `wdl`.
    bound = "lower" if "lowerbound" in words else "upper" if "upperbound" in words else "exact"
    fields: Dict[str, List[str]] = {}
    name = ""
    for word in words:
        if word in _FIELDS:
            name = word
            fields[name] = []
        elif name:
            fields[name].append(word)
    values: Dict[str, Any] = {"string": text.strip() if has_string else None, "pv": []}
    faults: List[str] = []
    for name, words in fields.items():
        try:
            if name in _NUMBERS:
                values[name] = _whole(words, 0)
            elif name == "score":
                values[name] = _score(words, fields.get("wdl"), bound, is_ugi)
            elif name == "currmove" and words:
                values[name] = read_move(position, words[0])
            elif name == "pv":
                read_line(position, words, values[name])
        except ValueError as error:
            faults.append(f"{name}: {error}")
    if "time" in values:
        values["time"] /= 1000
    return Info(**values), faults


def _whole(words: List[str], place: int) -> int:
    word = words[place] if place < len(words) else ""
    try:
        return int(word)
    except ValueError:
        raise ValueError(f"`{word}` is no whole number") from None


def _score(words: List[str], wdl_words: Optional[List[str]], bound: str, is_ugi: bool) -> Score:
    words = [word for word in words if word not in ("lowerbound", "upperbound")]
    wdl = Wdl(*(_whole(wdl_words, place) for place in range(3))) if wdl_words is not None else None
    kind = words[0] if words else ""
    if kind == "cp":
        return Score(cp=_whole(words, 1), bound=bound, wdl=wdl)
    if kind == "mate":
        count = _whole(words, 1)
        return Score(plies=count, bound=bound, wdl=wdl) if is_ugi else Score.from_moves(count, bound, wdl)
    raise ValueError(f"`{kind}` is neither cp nor mate")
