"""Judges games move by move: what each move was worth and what it gave away."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, SupportsIndex, Union, overload, runtime_checkable

from ._native import Position, Solver, plies_of_score, read_position
from .argument_types import as_positions, is_position
from .drawing import html_table, score_text
from .exact import Result, default_solver, result_of, score_rows

_POINTS: dict[Result, float] = {"win": 1.0, "draw": 0.5, "loss": 0.0}


@runtime_checkable
class HasColumns(Protocol):
    """A game with the columns of all its moves from the empty board, counted from 0, such as a game of `play_match`."""

    @property
    def columns(self) -> Sequence[int]: ...


GameLike = Union[Position, str, Sequence[SupportsIndex], HasColumns]


@dataclass(frozen=True)
class JudgedMove:
    """A move and its exact value, for the player who made it.

    ply: number of the stone, from 1. player: 1 or 2. column: from 0. position: the position before the move. scores: one per
    column, None for full columns.

    >>> move = judge("445").moves[2]
    >>> move.score, move.best_score, move.before, move.after, move.value_lost
    (-2, 1, 'win', 'loss', 1.0)
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
        """The points given away: 1 from a win to a loss, 0.5 for half of this, 0 if the result is kept."""
        return _POINTS[self.before] - _POINTS[self.after]

    @property
    def distance_lost(self) -> int:
        """Plies by which a win became slower or a loss faster. 0 for draws and changed results."""
        if self.before != self.after or self.before == "draw":
            return 0
        slower = plies_of_score(self.position, self.score) - plies_of_score(self.position, self.best_score)
        return slower if self.before == "win" else -slower

    @property
    def is_perfect(self) -> bool:
        """Whether no other move has a better score."""
        return self.score == self.best_score

    @property
    def is_blunder(self) -> bool:
        """Whether the move gave points away."""
        return self.value_lost > 0

    def to_dict(self) -> dict[str, Any]:
        """All values by name, for a row of a table. `position` is a FEN.

        >>> judge("44").moves[1].to_dict()["best_moves"]
        [3]
        """
        names = ("ply", "player", "column", "score", "best_score", "best_moves", "before", "after")
        row = {name: getattr(self, name) for name in (*names, "value_lost", "distance_lost", "is_blunder", "is_perfect", "scores")}
        return {**row, "position": self.position.fen()}

    def __str__(self) -> str:
        text = f"{self.ply:2d}. player {self.player} column {self.column}: {score_text(self.score)}, {self.after}"
        if self.is_blunder:
            text += f"; was {score_text(self.best_score)}, {self.before}, with column"
            text += f" {' or '.join(map(str, self.best_moves))}"
        elif self.distance_lost:
            text += f"; {self.distance_lost} plies {'slower' if self.before == 'win' else 'sooner'} than necessary"
        return text


def accuracy(moves: Sequence[JudgedMove]) -> float | None:
    """The rate of moves, 0 to 1, that kept the result. None without moves."""
    return sum(not move.is_blunder for move in moves) / len(moves) if moves else None


class JudgedMoves:
    moves: tuple[JudgedMove, ...]

    @property
    def perfect_move_rate(self) -> float | None:
        """The rate of moves, 0 to 1, that kept the exact score. None without moves."""
        return sum(move.is_perfect for move in self.moves) / len(self.moves) if self.moves else None

    def to_pandas(self) -> Any:
        """A DataFrame with a row per move; columns as in `JudgedMove.to_dict`. Raises ImportError without pandas.

        >>> judge("445").to_pandas()["score"].tolist()
        [1, -1, -2]
        """
        return importlib.import_module("pandas").DataFrame([move.to_dict() for move in self.moves])

    def _rates(self) -> str:
        if not self.moves:
            return "no moves"
        return f"good moves {accuracy(self.moves):.1%}, perfect moves {self.perfect_move_rate:.1%}"


@dataclass(frozen=True, repr=False)
class Judgement(JudgedMoves):
    """A judged game: its moves and its final position.

    >>> judgement = judge("4455667")
    >>> judgement.accuracy(1), [move.ply for move in judgement.blunders]
    (0.75, [3, 4])
    """

    moves: tuple[JudgedMove, ...]
    end: Position

    def of_player(self, player: int) -> list[JudgedMove]:
        """The moves of a player, 1 or 2.

        >>> [move.ply for move in judge("445").of_player(1)]
        [1, 3]
        """
        if player not in (1, 2):
            raise ValueError(f"player={player!r}; expected 1 or 2")
        return [move for move in self.moves if move.player == player]

    def accuracy(self, player: int | None = None) -> float | None:
        """The rate of good moves, 0 to 1, of one player or of both: moves that kept the result. None without moves.

        >>> judge("4455667").accuracy(1)
        0.75
        """
        return accuracy(self.moves if player is None else self.of_player(player))

    @property
    def blunders(self) -> list[JudgedMove]:
        """The moves that gave points away."""
        return [move for move in self.moves if move.is_blunder]

    def __str__(self) -> str:
        return "\n".join([*map(str, self.moves), self._rates()])

    def __repr__(self) -> str:
        return f"<Judgement of {len(self.moves)} moves: {self._rates()}, {len(self.blunders)} blunders>"

    def _repr_html_(self) -> str:
        names = ("ply", "player", "column", "score", "best", "value lost", "distance lost")
        rows = []
        for move in self.moves:
            best = f"{score_text(move.best_score)} ({', '.join(map(str, move.best_moves))})"
            of_move = (move.ply, move.player, move.column, score_text(move.score), best)
            rows.append(((*of_move, f"{move.value_lost:g}", move.distance_lost), move.is_blunder))
        return html_table(names, rows)


@overload
def judge(  # type: ignore[overload-overlap]  # A text is a sequence of texts.
    games: Position | str | HasColumns | Sequence[SupportsIndex], *, solver: Solver | None = None, progress: bool = False
) -> Judgement: ...


@overload
def judge(games: Iterable[GameLike], *, solver: Solver | None = None, progress: bool = False) -> list[Judgement]: ...


def judge(
    games: GameLike | Iterable[GameLike], *, solver: Solver | None = None, progress: bool = False
) -> Judgement | list[Judgement]:
    """Judges one game or several.

    games: a Position with its moves, a text, a sequence of columns from 0, or a game of `play_match`. A list of these returns
    a list of judgements, computed on all processors. solver: default: the solver of the module functions. progress: whether to
    show a progress bar.

    Raises ValueError with the game for an illegal move, stones without moves, and another board, TypeError for a value that is
    not a game, such as a DataFrame: use `frame.to_numpy()`.

    >>> print(judge("445").moves[2])
     3. player 1 column 4: -2, loss; was +1, win, with column 3
    """
    solver = solver or default_solver()
    board = solver.board
    is_one = _is_game(games)
    if not is_one and not isinstance(games, Iterable):
        raise TypeError(_NO_GAME.format(type(games).__name__))
    if not is_one and getattr(games, "shape", None) == Position(board=board).shape and is_position(games, board):
        raise ValueError("the array is a board, which has no moves; expected games, such as lists of columns")
    ends = [_position(games, board)] if is_one else as_positions("game", games, lambda game: _position(game, board))
    before: list[tuple[Position, int]] = []
    for position in ends:
        for column in reversed(position.moves):
            position = position.undo()
            before.append((position, column))
    rows = score_rows(solver, [position for position, _ in before], progress=progress)
    moves = (
        JudgedMove(position.plies + 1, position.turn, column, position, tuple(row))
        for (position, column), row in zip(before, rows)
    )
    judgements = [Judgement(tuple(itertools.islice(moves, len(end.moves)))[::-1], end) for end in ends]
    return judgements[0] if is_one else judgements


_NO_GAME = "a game is a Position, its text or a sequence of columns, not {}"


def _is_game(value: Any) -> bool:
    if isinstance(value, (Position, str)) or _has_columns(value):
        return True
    is_list = hasattr(value, "__len__") and hasattr(value, "__iter__") and len(value) > 0
    return is_list and all(isinstance(item, SupportsIndex) and not hasattr(item, "__len__") for item in value)


def _has_columns(value: Any) -> bool:
    """Whether a value is a game with columns. Raises TypeError for a DataFrame."""
    if not isinstance(value, HasColumns):
        return False
    if hasattr(value, "to_numpy"):
        raise TypeError(_NO_GAME.format(type(value).__name__) + "; `.to_numpy()` has its rows, which may be games")
    return True


def _position(game: Any, board: str) -> Position:
    game = game.columns if _has_columns(game) else game
    if not hasattr(game, "__iter__") and not isinstance(game, Position):
        raise TypeError(_NO_GAME.format(type(game).__name__))
    position = read_position(game, board)
    if position.board != board:
        raise ValueError(f"the game is on a board of {position.board}; expected {board}")
    if position.plies > 0 and not position.moves:
        raise ValueError(f"{position!r} has stones but no moves; expected a game with its moves")
    return position
