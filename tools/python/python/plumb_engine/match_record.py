"""The record of a match, and its results."""

from __future__ import annotations

import importlib
import json
import math
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple, Union

from .drawing import html_table
from .elo import Elo
from .engine.errors import EngineError
from .engine.info import Score

_FORMAT = 1
RECORD = "match.jsonl"


@dataclass(frozen=True)
class MatchMove:
    """A move of a game, with the report of the engine. Unknown values are None.

    column: from 0. time, clock: seconds; `clock` is the time left after the move. score: for the player who moves.
    hashfull: used part of the table in per mille. tbhits: positions from a book or tablebase.
    loss: exact score that the move gave away, from 0. exact: exact score before the move. Both only with `blunders`.

    >>> MatchMove(column=3, time=0.25).clock is None
    True
    """

    column: int
    time: float
    clock: Optional[float] = None
    depth: Optional[int] = None
    score: Optional[Score] = None
    nodes: Optional[int] = None
    loss: Optional[int] = None
    exact: Optional[int] = None
    hashfull: Optional[int] = None
    tbhits: Optional[int] = None


@dataclass(frozen=True)
class Game:
    """A game. `first` is the engine that moved first in the game, even if the opening left a move to the other engine.

    number: place in the schedule, from 0. pair: the two games of an opening share a pair.
    opening: columns of the opening, from 0. moves: the moves after it.
    result: "1-0" if the first engine won, "0-1" or "1/2-1/2". winner, loser: names, or None for a draw.
    reason: four_in_a_row, full_board, adjudicated, time_forfeit, illegal_move, crash, hang, nonsense or several_best_moves.
    detail: more about the reason. seconds: duration of the game.

    >>> game = play_match("depth-4", "depth-1", rounds=1).games[0]
    >>> game.first, game.columns == (*game.opening, *(move.column for move in game.moves))
    ('depth-4', True)
    """

    number: int
    pair: int
    first: str
    second: str
    opening: Tuple[int, ...]
    moves: Tuple[MatchMove, ...]
    result: str
    reason: str
    detail: str
    seconds: float

    @property
    def columns(self) -> Tuple[int, ...]:
        """All columns of the game, from the empty board."""
        return (*self.opening, *(move.column for move in self.moves))

    def to_dict(self) -> Dict[str, Any]:
        """The game by name, for a row of a table: without `moves`, with `columns`, `winner` and `loser`.

        >>> play_match("depth-4", "depth-1", rounds=1).games[1].to_dict()["first"]
        'depth-1'
        """
        names = ("number", "pair", "first", "second", "result", "winner", "loser", "reason", "detail", "seconds")
        return {name: getattr(self, name) for name in (*names, "opening", "columns")}

    @property
    def winner(self) -> Optional[str]:
        return {"1-0": self.first, "0-1": self.second}.get(self.result)

    @property
    def loser(self) -> Optional[str]:
        return {"1-0": self.second, "0-1": self.first}.get(self.result)


@dataclass(frozen=True)
class MatchResult:
    """The results of a match, for the first engine.

    engines: the two names. games: in the order of the schedule.
    points: a win is 1, a draw ½. score: points per game, ½ without games. elo: None without games.
    summary: all figures, as in summary.json. standings: the printed table. pgn: the games.
    pgn_path, directory: the files, None if they were not kept.

    >>> result = play_match("depth-4", "depth-1", rounds=1)
    >>> result.engines, len(result.games)
    (('depth-4', 'depth-1'), 2)
    """

    engines: Tuple[str, str]
    games: List[Game] = field(repr=False, hash=False)
    wins: int
    draws: int
    losses: int
    points: float
    score: float
    elo: Optional[Elo]
    summary: Dict[str, Any] = field(repr=False, hash=False)
    standings: str = field(repr=False)
    pgn: str = field(repr=False)
    pgn_path: Optional[Path]
    directory: Optional[Path]

    def _repr_html_(self) -> str:
        figures = (*self.engines, len(self.games), self.wins, self.draws, self.losses, self.points, self.elo)
        names = ("first engine", "second engine", "games", "won", "drawn", "lost", "points", "Elo of the first")
        return html_table(names, [(figures, False)])

    def to_pandas(self) -> Any:
        """A DataFrame with a row per game; columns as in `Game.to_dict`. Raises ImportError without pandas.

        >>> list(play_match("depth-4", "depth-1", rounds=1).to_pandas()["number"])
        [0, 1]
        """
        return importlib.import_module("pandas").DataFrame([game.to_dict() for game in self.games])


def read_match(directory: Union[str, "os.PathLike[str]"]) -> MatchResult:
    """The results of a match in a directory of `play_match` or `plumb-lab match`, also of an interrupted match. `standings` is
    empty. Raises EngineError with the file and the line that cannot be read.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> result = play_match("depth-4", "depth-1", rounds=1, out=folder)
    >>> read_match(folder).games == result.games
    True
    """
    return read_result(Path(directory), "", is_kept=True)


def games_played(directory: Path) -> int:
    try:
        return max(0, (directory / RECORD).read_bytes().count(b"\n") - 1)
    except OSError:
        return 0


def read_result(directory: Path, standings: str, is_kept: bool) -> MatchResult:
    path, number = directory / "summary.json", 0
    try:
        summary: Dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if summary.get("format") != _FORMAT:
            raise ValueError(f"the format is {summary.get('format')!r}; expected {_FORMAT}")
        first, second = (str(engine["name"]) for engine in summary["settings"]["engines"])
        row = next(row for row in summary["standings"] if row["name"] == first)
        figures = {name: row[name] for name in ("wins", "draws", "losses", "points")}
        score, elo = row["score"], _elo(row["elo"])
        path = directory / "games.pgn"
        pgn = path.read_text(encoding="utf-8") if path.is_file() else ""
        path, games = directory / RECORD, []
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
            if number > 1 and line:
                games.append(_game(json.loads(line)))
    except (OSError, KeyError, TypeError, ValueError, StopIteration) as error:
        raise EngineError(f"`{path}`, line {number}: {error!r}" if number else f"`{path}`: {error}") from error
    return MatchResult(
        engines=(first, second),
        games=sorted(games, key=lambda game: game.number),
        **figures,
        score=0.5 if score is None else score,
        elo=elo,
        summary=summary,
        standings=standings,
        pgn=pgn,
        pgn_path=directory / "games.pgn" if is_kept else None,
        directory=directory if is_kept else None,
    )


def _elo(estimate: Optional[Dict[str, Any]]) -> Optional[Elo]:
    """An estimate of a summary. null means infinite."""
    if estimate is None:
        return None
    low = -math.inf if estimate["low"] is None else estimate["low"]
    high = math.inf if estimate["high"] is None else estimate["high"]
    value = estimate["value"]
    return Elo((low if math.isinf(low) else high) if value is None else value, low, high)


def _game(record: Dict[str, Any]) -> Game:
    names = ("pair", "first", "second", "result", "reason", "seconds")
    return Game(
        **{name: record[name] for name in names},
        number=record["game"],
        opening=tuple(int(name) - 1 if name.isdigit() else ord(name) - ord("a") for name in record["opening"]["moves"]),
        moves=tuple(_move(move) for move in record["moves"]),
        detail=record.get("detail", ""),
    )


def _move(record: Dict[str, Any]) -> MatchMove:
    said = record.get("score")
    # The record of a match counts `mate` in plies, for UCI engines too.
    score = None if said is None else Score(cp=said.get("cp"), plies=said.get("mate"), bound=record.get("bound", "exact"))
    clock = record.get("clock_ms")
    return MatchMove(
        **{name: record.get(name) for name in ("depth", "nodes", "loss", "exact")},
        column=record["column"] - 1,
        time=record["time_ms"] / 1000,
        clock=None if clock is None else clock / 1000,
        score=score,
        hashfull=record.get("hash_full"),
        tbhits=record.get("tb_hits"),
    )
