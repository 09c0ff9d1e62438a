"""A board to click on in a notebook. Needs the package anywidget."""

from __future__ import annotations

from pathlib import Path
from typing import Any, SupportsIndex

import anywidget
import traitlets

from ._native import Player, Position, column_of
from .argument_types import PositionLike, as_position
from .evaluation import Opponent, opponent_player
from .exact import scores as exact_scores


class Board(anywidget.AnyWidget):
    """A board for a user against a Skill Level or an agent. See `play_in_notebook`.

    level: Skill Level of the opponent, 0 to 20. user_is: player of the user, 1 or 2. show_scores: whether to show the exact
    scores of the user's moves. position: the current position.
    """

    _esm = Path(__file__).with_name("board.js")
    level = traitlets.Int(10, min=0, max=20).tag(sync=True)
    user_is = traitlets.Int(1, min=1, max=2).tag(sync=True)
    show_scores = traitlets.Bool(False).tag(sync=True)
    # State that the page shows: drawing, message, whether it is the user's turn.
    _svg = traitlets.Unicode("").tag(sync=True)
    _message = traitlets.Unicode("").tag(sync=True)
    _is_users_turn = traitlets.Bool(False).tag(sync=True)

    def __init__(self, opponent: Opponent | None = None, start: PositionLike = "", **settings: Any) -> None:
        super().__init__(**settings)
        self._agent = None if opponent is None else opponent_player(opponent, None)[0]
        # The FEN drops the earlier moves, so the user cannot take them back.
        self._start = Position.from_fen(as_position(start).fen())
        if self._start.board != Position().board:
            raise ValueError(f"start: the position is on a board of {self._start.board}; expected {Position().board}")
        self.position = self._start
        self._undone: list[Position] = []
        self.on_msg(self._on_message)
        self.observe(lambda _: self._show(), ["level", "show_scores"])
        self._let_opponent_play()

    def play(self, column: SupportsIndex) -> None:
        """Plays the user's move, a column from 0, and the reply. Raises ValueError for an illegal move."""
        self.position = self.position.play(column_of(column))
        self._undone.clear()
        self._let_opponent_play()

    def undo(self) -> None:
        """Takes back the user's last move and the reply, if any."""
        position = self.position
        while position.moves:
            position = position.undo()
            if position.turn == self.user_is:
                self._undone.append(self.position)
                self.position = position
                break
        self._show()

    def redo(self) -> None:
        """Plays the last move again that was taken back, if any."""
        self.position = self._undone.pop() if self._undone else self.position
        self._show()

    def new_game(self, user_is: int | None = None) -> None:
        """Begins a game. user_is: the player of the user, by default unchanged."""
        self.user_is = user_is or self.user_is
        self.position = self._start
        self._undone.clear()
        self._let_opponent_play()

    def _let_opponent_play(self) -> None:
        if not self.position.is_over and self.position.turn != self.user_is:
            agent = self._agent or Player(self.level)
            self.position = self.position.play(column_of(agent(self.position)))
        self._show()

    def _show(self) -> None:
        position = self.position
        self._is_users_turn = not position.is_over and position.turn == self.user_is
        with_scores = self.show_scores and self._is_users_turn
        self._svg = position.draw(exact_scores(position) if with_scores else None).svg
        if position.is_over:
            self._message = "Drawn" if position.result == 0 else "You have won" if position.result == self.user_is else "You have lost"
        else:
            self._message = f"Your move, against {'the agent' if self._agent else f'Skill Level {self.level}'}"

    def _on_message(self, _widget: Any, content: dict[str, Any], _buffers: Any) -> None:
        if content.get("do") == "play" and content.get("column") in self.position.legal_moves and self._is_users_turn:
            self.play(content["column"])
        elif content.get("do") == "new":
            self.new_game(3 - self.user_is)
        elif content.get("do") in ("undo", "redo"):
            getattr(self, content["do"])()


def play_in_notebook(
    level: int = 10, user_is: int = 1, show_scores: bool = False, *, opponent: Opponent | None = None, start: PositionLike = ""
) -> Board:
    """A board for a notebook, to play by clicks or the keys 1 to 7. Raises ValueError for values out of range.

    level: Skill Level of the opponent, 0 to 20. user_is: 1 to move first, 2 to move second.
    show_scores: whether to show the exact score of each of the user's moves. start: the position in which games begin.
    opponent: an opponent instead of the Skill Level, as for `evaluate`, such as a function of a Position.

    >>> board = play_in_notebook(opponent="perfect", start="44")
    >>> board.play(4)
    >>> board.position.plies
    4
    """
    try:
        return Board(opponent, start, level=level, user_is=user_is, show_scores=show_scores)
    except traitlets.TraitError as error:
        raise ValueError(str(error)) from None
