"""Games judged move by move: what each move was worth, and what it gave away."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, Union, runtime_checkable

from ._native import NO_MOVE, Position, Solver
from .drawing import score_text
from .exact import default_solver, plies_of_score

CELLS = 42
Result = Literal["win", "draw", "loss"]
_RESULTS: tuple[Result, Result, Result] = ("loss", "draw", "win")


@runtime_checkable
class HasColumns(Protocol):
    """A game with the columns of all its moves, as those of `play_match` are."""

    @property
    def columns(self) -> Sequence[int]:
        """The columns played from the empty board, counted from 0."""
        ...


GameLike = Union[Position, str, Sequence[int], HasColumns]


def data_frame(rows: Iterable[dict[str, Any]]) -> Any:
    """A DataFrame of these rows. Raises ImportError without pandas."""
    return importlib.import_module("pandas").DataFrame(list(rows))


def result_of(score: int) -> Result:
    """The result that a score stands for."""
    return _RESULTS[(score > 0) - (score < 0) + 1]


def plies_to_end(score: int, plies: int) -> int:
    """The number of plies from a position with `plies` stones and this score to the end of the game."""
    return plies_of_score(score, plies, CELLS)


@dataclass(frozen=True)
class JudgedMove:
    """A move and its exact value, for the player who made it.

    ply: number of the stone, 1 to 42. player: 1 or 2. column: the move, 0 to 6. position: the position before the move.
    scores: of all seven moves, None for columns that could not be played.
    """

    ply: int
    player: int
    column: int
    position: Position
    scores: tuple[int | None, ...]

    @property
    def score(self) -> int:
        """The score of the move."""
        score = self.scores[self.column]
        assert score is not None, "the move is legal"
        return score

    @property
    def best_score(self) -> int:
        """The score of the best move."""
        return max(score for score in self.scores if score is not None)

    @property
    def best_moves(self) -> list[int]:
        """The columns of the best moves."""
        return [column for column, score in enumerate(self.scores) if score == self.best_score]

    @property
    def before(self) -> Result:
        """The result of perfect play before the move."""
        return result_of(self.best_score)

    @property
    def after(self) -> Result:
        """The result of perfect play after the move."""
        return result_of(self.score)

    @property
    def value_lost(self) -> float:
        """The points given away: 1 for a win turned into a loss, 0.5 for half of it, 0 if the result is kept."""
        return (_RESULTS.index(self.before) - _RESULTS.index(self.after)) / 2

    @property
    def distance_lost(self) -> int:
        """The plies by which a win became slower or a loss quicker; 0 where the result has changed, or is a draw."""
        if self.before != self.after or self.before == "draw":
            return 0
        slower = plies_to_end(self.score, self.ply - 1) - plies_to_end(self.best_score, self.ply - 1)
        return slower if self.before == "win" else -slower

    @property
    def is_blunder(self) -> bool:
        """Whether the move gave points away."""
        return self.value_lost > 0

    def to_dict(self) -> dict[str, Any]:
        """All of it by name, for a row of a table; `position` as a FEN."""
        names = ("ply", "player", "column", "score", "best_score", "best_moves", "before", "after")
        row = {name: getattr(self, name) for name in (*names, "value_lost", "distance_lost", "is_blunder", "scores")}
        return {**row, "position": self.position.fen()}

    def __str__(self) -> str:
        text = f"{self.ply:2d}. player {self.player} column {self.column}: {score_text(self.score)}, {self.after}"
        if self.is_blunder:
            text += f"; was {score_text(self.best_score)}, {self.before}, with column"
            text += f" {' or '.join(map(str, self.best_moves))}"
        elif self.distance_lost:
            text += f"; {self.distance_lost} plies {'slower' if self.before == 'win' else 'sooner'} than necessary"
        return text


@dataclass(frozen=True)
class Judgement:
    """A judged game: its moves in order, and the position at its end."""

    moves: tuple[JudgedMove, ...]
    end: Position

    def of_player(self, player: int) -> list[JudgedMove]:
        """The moves of a player, 1 or 2."""
        return [move for move in self.moves if move.player == player]

    def accuracy(self, player: int | None = None) -> float:
        """The share of moves, 0 to 1, that kept the result, of one player or of both; 1.0 if there are none."""
        return accuracy(self.moves if player is None else self.of_player(player))

    @property
    def blunders(self) -> list[JudgedMove]:
        """The moves that gave points away."""
        return [move for move in self.moves if move.is_blunder]

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each move and the columns of `JudgedMove.to_dict`. Raises ImportError without pandas."""
        return data_frame(move.to_dict() for move in self.moves)

    def __str__(self) -> str:
        return "\n".join(map(str, self.moves))

    def _repr_html_(self) -> str:
        head = "".join(
            f"<th>{name}</th>" for name in ("ply", "player", "column", "score", "best", "value lost", "distance lost")
        )
        rows = []
        for move in self.moves:
            cells = (
                move.ply,
                move.player,
                move.column,
                score_text(move.score),
                f"{score_text(move.best_score)} ({', '.join(map(str, move.best_moves))})",
                f"{move.value_lost:g}",
                move.distance_lost,
            )
            style = ' style="font-weight:bold"' if move.is_blunder else ""
            rows.append(f"<tr{style}>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
        return f"<table><tr>{head}</tr>{''.join(rows)}</table>"


def accuracy(moves: Iterable[JudgedMove]) -> float:
    """The share of moves, 0 to 1, that kept the result; 1.0 of no moves."""
    kept = [not move.is_blunder for move in moves]
    return sum(kept) / len(kept) if kept else 1.0


def judge(
    games: GameLike | Iterable[GameLike], *, solver: Solver | None = None, progress: bool = False
) -> Any:
    """Judges one game, or several.

    A game is a Position with its moves, their text, a sequence of columns from 0, or a game of `play_match`. One
    game gives a `Judgement`; a list of Position, strings, sequences or games gives a list of them, computed on all
    processors. solver: the solver to use, else the one of the module functions. progress: whether to show a progress bar.

    Raises ValueError for an illegal move, naming the game, and TypeError for anything that is no game.
    """
    if _is_game(games):
        return _judge_all([_position(games)], solver, progress)[0]
    if not isinstance(games, Iterable):
        raise TypeError(f"a game is a Position, its text or a sequence of columns, not {type(games).__name__}")
    positions = []
    for index, game in enumerate(games):
        try:
            positions.append(_position(game))
        except (TypeError, ValueError) as error:
            raise type(error)(f"game at index {index}: {error}") from None
    return _judge_all(positions, solver, progress)


def _is_game(value: object) -> bool:
    if isinstance(value, (Position, str)) or isinstance(value, HasColumns):
        return True
    return isinstance(value, Sequence) and all(isinstance(item, int) for item in value)


def _position(game: Any) -> Position:
    if isinstance(game, Position):
        return game
    if isinstance(game, str):
        return Position(game)
    if isinstance(game, HasColumns):
        return Position.from_moves(game.columns)
    if not isinstance(game, Sequence):
        name = type(game).__name__
        raise TypeError(f"a game is a Position, its text or a sequence of columns, not {name}")
    return Position.from_moves(game)


def _judge_all(ends: list[Position], solver: Solver | None, progress: bool) -> list[Judgement]:
    before = [list(_positions_before_moves(end)) for end in ends]
    solver = solver or default_solver()
    rows = solver.scores_many([position for game in before for position in game], progress=progress)
    scores = iter(rows)
    judgements = []
    for end, positions in zip(ends, before):
        moves = []
        for position, column in zip(positions, end.moves):
            of_moves = tuple(None if score is None or score == NO_MOVE else int(score) for score in next(scores))
            moves.append(JudgedMove(position.plies + 1, position.turn, column, position, of_moves))
        judgements.append(Judgement(tuple(moves), end))
    return judgements


def _positions_before_moves(end: Position) -> Iterable[Position]:
    position = Position() if end.start is None else Position.from_fen(end.start)
    for column in end.moves:
        yield position
        position = position.play(column)
