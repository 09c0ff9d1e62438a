"""Plumb as an OpenSpiel bot for the game `connect_four` (7 columns, 6 rows, 4 in a row).

    game = pyspiel.load_game("connect_four")
    bots = [PlumbBot(0), uniform_random.UniformRandomBot(1, numpy.random)]
    pyspiel.evaluate_bots(game.new_initial_state(), bots, 1)
"""

import pyspiel

from plumb_engine import COLUMNS, ROWS, Engine, fen_from_rows


def _fen(state):
    """The FEN of a state of `connect_four`.

    It is taken from the board, not from the history, since a state need not begin with the empty board.
    """
    rules = state.get_game().get_parameters()
    board = tuple(rules.get(name, usual) for name, usual in (("columns", COLUMNS), ("rows", ROWS), ("x_in_row", 4)))
    if state.get_game().get_type().short_name != "connect_four" or board != (COLUMNS, ROWS, 4):
        raise ValueError(f"Plumb plays connect_four with 7 columns, 6 rows and 4 in a row only, not {state.get_game()}")
    rows = [[".xo".index(cell) for cell in row] for row in str(state).split()]
    return fen_from_rows(rows, to_move=state.current_player() + 1)


class PlumbBot(pyspiel.Bot):
    """Plays for `player_id`. Each move takes at most `movetime_ms`, or `nodes` positions if those are given."""

    def __init__(self, player_id, movetime_ms=1000, nodes=None, engine=None):
        pyspiel.Bot.__init__(self)
        self._player_id = player_id
        self._limit = {"nodes": nodes} if nodes is not None else {"movetime_ms": movetime_ms}
        self._engine = engine or Engine()

    def player_id(self):
        return self._player_id

    def provides_policy(self):
        return False

    def restart(self):
        """Announces that the next state belongs to another game."""
        self._engine.new_game()

    def restart_at(self, state):
        """Announces another game, like `restart`; the state is read when a move is asked for."""
        self._engine.new_game()

    def inform_action(self, state, player_id, action):
        """Does nothing: the state that comes with the next request holds the whole position."""

    def step(self, state):
        """The column to play."""
        return self._engine.best_move_fen(_fen(state), **self._limit)

    def close(self):
        """Ends the engine."""
        self._engine.close()
