"""A Gymnasium environment: Connect Four against an opponent. Needs gymnasium and numpy.

The import registers the environment. `gymnasium.make("plumb_engine.environment:plumb/ConnectFour-v0")` needs no import.
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any, SupportsIndex

import gymnasium
import numpy
import numpy.typing

from ._native import Position, column_of
from .argument_types import PositionLike, as_position
from .engine.notation import position_to_search
from .evaluation import Agent, Opponent, opponent_player, reseed

Observation = numpy.typing.NDArray[numpy.int8]


class ConnectFour(gymnasium.Env[Observation, Any]):
    """Connect Four against an opponent that replies within `step`.

    Observation: an int8 array of zeros and ones, shape (2, 6, 7), the top row first; plane 0 is the agent, plane 1 the opponent.
    Action: a column, 0 to 6. An illegal action loses the game. Reward: 1 for a win, -1 for a loss, otherwise 0.
    `info["action_mask"]`: an int8 array of legal columns, all ones after the end of the game. `info["position"]`: the Position.

    opponent: "skill-0" to "skill-20", "random", "perfect" or a function of a Position, as for `evaluate`. It can be set between
    games, also by `set_attr` of a vector environment and by the options of `reset`. A named opponent gets a seed for each game.
    agent_is: 1 to move first, 2 to move second, None for a random side in each game.
    render_mode: "ansi" (text), "svg", "rgb_array" (uint8 array of shape (384, 448, 3)) or None.

    >>> env = ConnectFour("perfect", agent_is=1)
    >>> observation, info = env.reset(seed=1)
    >>> env.step(3)[4]["position"].digits
    '44'
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "svg", "rgb_array"], "render_fps": 2}

    def __init__(self, opponent: Opponent = "skill-10", agent_is: int | None = None, render_mode: str | None = None) -> None:
        if agent_is not in (1, 2, None):
            raise ValueError(f"agent_is={agent_is}; expected 1, 2 or None")
        if render_mode not in (*self.metadata["render_modes"], None):
            raise ValueError(f'render_mode={render_mode!r}; expected "ansi", "svg", "rgb_array" or None')
        self.render_mode = render_mode
        self.observation_space = gymnasium.spaces.MultiBinary([2, 6, 7])
        self.action_space = gymnasium.spaces.Discrete(7)
        self.opponent = opponent
        self._agent_is = agent_is
        self._agent = 1
        self.position = Position()
        # Whether the agent lost by an illegal move.
        self._is_lost = False

    @property
    def opponent(self) -> Opponent:
        """The opponent. It can be set."""
        return self._opponent

    @opponent.setter
    def opponent(self, opponent: Opponent) -> None:
        self._reply: Agent = opponent_player(opponent, None)[0]
        self._opponent = opponent

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begins a game. options may have "position" (a Position or its text) and "opponent", which plays from this game on.

        The opponent moves first if it is its turn. If this move ends the game and `agent_is` is None, the agent gets the other
        side. With a fixed side it raises ValueError, as for an unknown option, a finished game, and a board other than 7x6.

        >>> ConnectFour("random", agent_is=1).reset(options={"position": "44"})[1]["action_mask"].tolist()
        [1, 1, 1, 1, 1, 1, 1]
        """
        options = options or {}
        unknown = set(options) - {"position", "opponent"}
        if unknown:
            raise ValueError(f"options: {', '.join(sorted(map(repr, unknown)))}; expected 'position' or 'opponent'")
        super().reset(seed=seed)
        self._take_from_wrappers()
        self.opponent = options.get("opponent", self.opponent)
        if not callable(self.opponent):
            reseed(self._reply, int(self.np_random.integers(2**32)))
        self.position = position_to_search(options.get("position", ""), Position().board)
        self._is_lost = False
        self._agent = self._agent_is or 1 + int(self.np_random.integers(2))
        start = self.position
        self._let_opponent_play()
        if self.position.is_over:
            if self._agent_is is not None:
                raise ValueError(
                    f"position: {start!r}: the opponent's move ends the game; expected one in which player {self._agent} has a move"
                )
            self.position, self._agent = start, start.turn
        return observation(self.position, self._agent), self._info()

    def step(self, action: SupportsIndex) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays a column and the reply of the opponent. An illegal column loses the game.

        Raises ValueError if the game is over, TypeError for a value that is not a column.

        >>> env = ConnectFour("random", agent_is=1)
        >>> _ = env.reset(options={"position": "112233"})
        >>> env.step(3)[1:4]
        (1.0, True, False)
        """
        if self.position.is_over or self._is_lost:
            raise ValueError("the game is over: call reset")
        column = column_of(action)
        self._is_lost = column not in self.position.legal_moves
        if not self._is_lost:
            self.position = self.position.play(column)
            self._let_opponent_play()
        winner = 3 - self._agent if self._is_lost else self.position.result
        reward = 0.0 if not winner else 1.0 if winner == self._agent else -1.0
        is_over = self._is_lost or self.position.is_over
        return observation(self.position, self._agent), reward, is_over, False, self._info()

    def render(self) -> Any:
        """The board as text, SVG or pixels, by `render_mode`.

        >>> ConnectFour(render_mode="rgb_array").render().shape
        (384, 448, 3)
        """
        if self.render_mode == "rgb_array":
            return _pixels(self.position)
        if self.render_mode is None:
            return None
        return str(self.position) if self.render_mode == "ansi" else self.position.draw().svg

    def action_masks(self) -> numpy.typing.NDArray[numpy.bool_]:
        """The legal columns for MaskablePPO of sb3-contrib: a boolean array of shape (7,).

        >>> bool(ConnectFour().action_masks().all())
        True
        """
        # After the end all columns count as legal, as in pgx: a policy needs an action, and the next step
        # begins a new game.
        return numpy.isin(range(7), self.position.legal_moves or range(7))

    def _take_from_wrappers(self) -> None:
        """Takes the opponent that `set_attr` of Stable-Baselines3 has set on a wrapper. The wrappers call `reset`."""
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and isinstance(wrapper := frame.f_locals.get("self"), gymnasium.Wrapper):
            if "opponent" in vars(wrapper):
                self.opponent = vars(wrapper).pop("opponent")
            frame = frame.f_back

    def _let_opponent_play(self) -> None:
        if not self.position.is_over and self.position.turn != self._agent:
            self.position = self.position.play(column_of(self._reply(self.position)))

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(numpy.int8), "position": self.position}


def observation(position: PositionLike, player: int | None = None) -> Observation:
    """The observation of a position for `player`, 1 or 2, by default the player to move: an int8 array of shape (2, rows,
    columns). A trained agent is `lambda position: model.predict(observation(position))[0]`.

    >>> observation(Position("44")).sum(axis=(1, 2)).tolist(), Position.from_observation(observation(Position("44"))).plies
    ([1, 1], 2)
    """
    position = as_position(position)
    player = position.turn if player is None else player
    if player not in (1, 2):
        raise ValueError(f"player={player!r}; expected 1, 2 or None")
    cells = numpy.array(position.to_array())
    return numpy.stack([cells == player, cells == 3 - player]).astype(numpy.int8)


_CELL = 64
_COLOURS = numpy.array([[255, 255, 255], [214, 39, 40], [255, 203, 5], [31, 78, 160]], dtype=numpy.uint8)


def _pixels(position: Position) -> numpy.typing.NDArray[numpy.uint8]:
    cells = numpy.array(position.to_array())
    rows, columns = cells.shape
    y, x = numpy.mgrid[: rows * _CELL, : columns * _CELL] % _CELL - (_CELL - 1) / 2
    is_disc = x**2 + y**2 < (0.42 * _CELL) ** 2
    owners = cells.repeat(_CELL, axis=0).repeat(_CELL, axis=1)
    return _COLOURS[numpy.where(is_disc, owners, 3)]


if "plumb/ConnectFour-v0" not in gymnasium.registry:
    gymnasium.register("plumb/ConnectFour-v0", entry_point="plumb_engine.environment:ConnectFour")
