"""Evaluates an agent: games against an opponent, and its moves compared with the exact scores."""

from __future__ import annotations

import math
import operator
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, SupportsIndex, Union, cast

from ._native import Player, Position, column_of, level_elo, read_position
from .argument_types import PositionLike, as_agent, as_integer, as_positions
from .drawing import html_table
from .elo import Elo, elo_of_score
from .engine.notation import position_to_search
from .exact import best_move
from .judging import JudgedMove, JudgedMoves, accuracy, judge
from .progress import progress_bar

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Agent = Callable[[Position], SupportsIndex]
Opponent = Union[Agent, str, SupportsIndex]

# Phases of the game by the number of stones before a move.
PHASES = {"opening": range(14), "middle": range(14, 28), "end": range(28, 42)}


@dataclass(frozen=True)
class EvaluatedGame:
    """A game of the agent: the final position, the agent's player number, and its points: 1, 0.5 or 0.

    illegal_move: the illegal column that lost the game, or None. error: the message about another value, or None.

    >>> game = evaluate(lambda position: "?", "random", 1).games[0]
    >>> game.points, game.error
    (0.0, "'?': expected a column, an integer from 0")
    """

    end: Position
    agent_is: int
    points: float
    illegal_move: int | None = None
    error: str | None = None


@dataclass(frozen=True, repr=False)
class Evaluation(JudgedMoves):
    """The result of `evaluate`.

    games: empty if positions were given. moves: the agent's moves with their exact scores. illegal: (position, column) of each
    illegal move. errors: (position, message) of each returned value that is not a column.
    opponent_elo: the rating of the opponent, for a Skill Level below 20.

    >>> evaluation = evaluate(best_move, "random", 4)
    >>> evaluation.wins, evaluation.accuracy(), evaluation.blunders
    (4, 1.0, [])
    """

    games: tuple[EvaluatedGame, ...]
    moves: tuple[JudgedMove, ...]
    illegal: tuple[tuple[Position, int], ...] = ()
    opponent_elo: float | None = None
    errors: tuple[tuple[Position, str], ...] = ()

    @property
    def wins(self) -> int:
        """Games won."""
        return sum(game.points == 1 for game in self.games)

    @property
    def draws(self) -> int:
        """Games drawn."""
        return sum(game.points == 0.5 for game in self.games)

    @property
    def losses(self) -> int:
        """Games lost."""
        return sum(game.points == 0 for game in self.games)

    @property
    def different(self) -> int:
        """Number of games that differ in moves or in the agent's side."""
        return len({(game.end.start, game.end.moves, game.agent_is) for game in self.games})

    @property
    def score(self) -> float | None:
        """Points per game, 0 to 1. None without games."""
        return sum(game.points for game in self.games) / len(self.games) if self.games else None

    @property
    def elo(self) -> Elo | None:
        """The agent's Elo with its 95 % interval. None without games. Repeated games do not narrow the interval.

        Against a Skill Level below 20 it is on the scale of UCI_Elo, otherwise relative to the opponent. An open end is infinite.
        """
        mean = self.score
        if mean is None:
            return None
        count = self.different
        variance = sum((game.points - mean) ** 2 for game in self.games) / len(self.games)
        # Wilson score interval (95 %), with the variance of the points.
        z = 1.96
        centre = (mean + z * z / (2 * count)) / (1 + z * z / count)
        half = z / (1 + z * z / count) * math.sqrt(variance / count + z * z / (4 * count * count))
        # Exactly 0 and 1 give an infinite Elo, in spite of rounding.
        low, high = 0.0 if mean == 0 else centre - half, 1.0 if mean == 1 else centre + half
        base = self.opponent_elo or 0.0
        return Elo(*(base + elo_of_score(share) for share in (mean, low, high)))

    def accuracy(self, phase: str | None = None) -> float | None:
        """The rate of good moves, 0 to 1: moves that kept the result. phase: "opening" (up to 13 stones), "middle" (up to 27),
        "end", or None for all. None without moves. Raises ValueError for other names.

        >>> evaluate(best_move, ["4455", "44"]).accuracy("opening")
        1.0
        """
        return accuracy(self.moves if phase is None else self._in_phase(phase))

    def _in_phase(self, phase: str) -> list[JudgedMove]:
        if phase not in PHASES:
            raise ValueError(f"phase {phase!r}; expected one of {', '.join(PHASES)}")
        return [move for move in self.moves if move.ply - 1 in PHASES[phase]]

    @property
    def blunders(self) -> list[JudgedMove]:
        """The moves that gave points away, the most expensive first."""
        return sorted((move for move in self.moves if move.is_blunder), key=lambda move: -move.value_lost)

    def __str__(self) -> str:
        lines = []
        if self.games:
            lines.append(f"{len(self.games)} games: {self.wins} won, {self.draws} drawn, {self.losses} lost")
            if self.different < len(self.games):
                lines.append(f"only {self.different} of the games differ")
            lines.append(f"Elo{'' if self.opponent_elo is not None else ' relative to the opponent'}: {self.elo}")
        for phase in PHASES:
            moves = self._in_phase(phase)
            if moves:
                bad = sum(move.is_blunder for move in moves)
                lines.append(f"{phase}: {accuracy(moves):.1%} of {len(moves)} moves keep the result, {bad} blunders")
        lines.append(f"all phases: {self._rates()}")
        if self.illegal:
            lines.append(f"{len(self.illegal)} illegal moves")
        if self.errors:
            lines.append(f"{len(self.errors)} errors of the agent, such as {self.errors[0][1]}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {'; '.join(str(self).splitlines())}>"

    def _repr_html_(self) -> str:
        return html_table(["agent"], [([line], False) for line in str(self).splitlines()])

    def plot(self) -> Figure:
        """A matplotlib figure: accuracy by phase and by number of stones. Raises ImportError without matplotlib.

        >>> len(evaluate(best_move, ["4455"]).plot().axes)
        2
        """
        from matplotlib import pyplot

        figure, (by_phase, by_stones) = pyplot.subplots(1, 2, figsize=(9, 3.4), sharey=True, layout="constrained")
        phases = [phase for phase in PHASES if self._in_phase(phase)]
        shares = [100 * (accuracy(self._in_phase(phase)) or 0) for phase in phases]
        bars = by_phase.bar(phases, shares, color="#0072b2", width=0.6)
        by_phase.bar_label(bars, [f"{share:.0f} %" for share in shares])
        by_phase.set(ylim=(0, 108), ylabel="moves that keep the result, %", title="By phase")
        groups: dict[int, list[JudgedMove]] = {}
        for move in self.moves:
            groups.setdefault((move.ply - 1) // 4, []).append(move)
        stones = sorted(groups)
        shares = [100 * (accuracy(groups[group]) or 0) for group in stones]
        by_stones.plot([4 * group + 1.5 for group in stones], shares, marker="o", color="#d55e00")
        by_stones.set(xlim=(0, 42), xlabel="stones on the board", title="By number of stones")
        by_stones.grid(alpha=0.3)
        # A notebook would show an open figure twice.
        pyplot.close(figure)
        return figure


def evaluate(
    agent: Agent,
    opponent_or_positions: Opponent | Iterable[PositionLike],
    games: SupportsIndex = 100,
    *,
    random_plies: SupportsIndex = 4,
    seed: SupportsIndex = 1,
    progress: bool = False,
) -> Evaluation:
    """Plays games with an agent, and compares its moves with the exact scores.

    agent: a function of a Position that returns a column: an integer, also of NumPy, or an array or tensor with one element.
    opponent_or_positions: another such function, a Skill Level ("skill-7" or 7, 0 to 20), "random" or "perfect"; or positions,
    also a column or array of boards. With positions only the moves are judged.
    games: number of games. Each opening of `random_plies` random moves is played twice, once with each side.
    seed: seed of openings and opponent. A Skill Level gets another seed in each game. progress: whether to show a progress bar.

    An illegal column loses the game. A value that is not a column also loses it and is listed in `errors`. Exceptions of the
    agent are raised. Raises ValueError for an unknown opponent or arguments out of range.

    >>> print(evaluate(best_move, "random", 4))
    4 games: 4 won, 0 drawn, 0 lost
    Elo relative to the opponent: > 7
    opening: 100.0% of 16 moves keep the result, 0 blunders
    all phases: good moves 100.0%, perfect moves 100.0%
    """
    as_agent("agent", agent)
    seed, games, random_plies = as_integer("seed", seed), as_integer("games", games), as_integer("random_plies", random_plies)
    given = opponent_or_positions
    is_level = isinstance(given, SupportsIndex) and not hasattr(given, "__len__")
    if not is_level and not isinstance(given, str) and not callable(given):
        if not isinstance(given, Iterable):
            raise TypeError(_OPPONENTS.format(given) + ", or positions")
        return _by_positions(agent, given, progress)
    opponent, elo = opponent_player(cast(Opponent, given), seed)
    if games < 1:
        raise ValueError(f"games={games}; expected 1 or more")
    if not 0 <= random_plies <= 20:
        raise ValueError(f"random_plies={random_plies}; expected 0 to 20")
    rng = random.Random(seed)
    opening = Position()
    played: list[EvaluatedGame] = []
    with progress_bar(games, "games", progress) as tick:
        for number in range(games):
            if number % 2 == 0:
                opening = random_opening(random_plies, rng)
            if not callable(given):
                reseed(opponent, rng.getrandbits(32))
            played.append(_play(agent, opponent, opening, 1 + number % 2))
            tick(number + 1)
    judged = zip(played, judge([game.end for game in played]))
    by_agent = (move for game, judgement in judged for move in judgement.of_player(game.agent_is))
    moves = tuple(move for move in by_agent if move.ply > random_plies)
    illegal = tuple((game.end, game.illegal_move) for game in played if game.illegal_move is not None)
    errors = tuple((game.end, game.error) for game in played if game.error is not None)
    return Evaluation(tuple(played), moves, illegal, elo, errors)


_OPPONENTS = 'opponent {!r}; expected "skill-0" to "skill-20", "random", "perfect" or a function of a position'


def opponent_player(opponent: Opponent, seed: int | None) -> tuple[Agent, float | None]:
    """The function of a named opponent, and its Elo for a Skill Level below 20."""
    if callable(opponent):
        return opponent, level_elo(opponent.level) if isinstance(opponent, Player) else None
    if opponent == "random":
        return _RandomPlayer(seed), None
    if opponent == "perfect":
        return best_move, None
    try:
        level = int(opponent.removeprefix("skill-")) if isinstance(opponent, str) else operator.index(opponent)
        player = Player(level)
    except (TypeError, ValueError) as error:
        raise type(error)(_OPPONENTS.format(opponent)) from None
    player.seed = seed
    return player, level_elo(player.level)


class _RandomPlayer(random.Random):
    def __call__(self, position: Position) -> int:
        return self.choice(position.legal_moves)


def reseed(opponent: Agent, seed: int) -> None:
    """Gives a named opponent a new seed. With one seed a Skill Level would repeat its games."""
    if isinstance(opponent, Player):
        opponent.seed = seed
    elif isinstance(opponent, _RandomPlayer):
        opponent.seed(seed)


def random_opening(plies: int, rng: random.Random) -> Position:
    """A position after random moves in which nobody can win immediately."""
    position = Position.random(plies, rng)
    return random_opening(plies, rng) if position.winning_moves else position


def _play(agent: Agent, opponent: Agent, position: Position, agent_is: int) -> EvaluatedGame:
    while not position.is_over:
        if position.turn == agent_is:
            move = agent(position)
            try:
                column = column_of(move)
            except (TypeError, ValueError) as error:
                return EvaluatedGame(position, agent_is, 0.0, error=str(error))
            if column not in position.legal_moves:
                return EvaluatedGame(position, agent_is, 0.0, column)
        else:
            column = column_of(opponent(position))
        position = position.play(column)
    points = 0.5 if position.result == 0 else float(position.result == agent_is)
    return EvaluatedGame(position, agent_is, points)


def _by_positions(agent: Agent, positions: Iterable[PositionLike], progress: bool) -> Evaluation:
    illegal: list[tuple[Position, int]] = []
    errors: list[tuple[Position, str]] = []
    ends: list[Position] = []
    board = Position().board
    roots = as_positions("position", positions, lambda given: position_to_search(read_position(given, board), board))
    with progress_bar(len(roots), "positions", progress) as tick:
        for index, position in enumerate(roots):
            move = agent(position)
            tick(index + 1)
            try:
                column = column_of(move)
            except (TypeError, ValueError) as error:
                errors.append((position, str(error)))
                continue
            if column in position.legal_moves:
                ends.append(Position.from_fen(position.fen()).play(column))
            else:
                illegal.append((position, column))
    moves = [judgement.moves[-1] for judgement in judge(ends)]
    return Evaluation((), tuple(moves), tuple(illegal), None, tuple(errors))
