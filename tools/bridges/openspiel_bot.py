"""Plumb as an OpenSpiel bot for the game `connect_four`: 4 in a row, on a board of any size that Plumb has.

    game = pyspiel.load_game("connect_four")
    bots = [PlumbBot(0), uniform_random.UniformRandomBot(1, numpy.random)]
    pyspiel.evaluate_bots(game.new_initial_state(), bots, 1)

Needs the package plumb-engine (tools/python).
"""

import pyspiel

from plumb_engine import Engine, Limit, Position


class PlumbBot(pyspiel.Bot):
    """Plays for `player_id`. limit: of each move, a second if not given. engine: a running engine to use."""

    def __init__(self, player_id, limit=None, engine=None):
        pyspiel.Bot.__init__(self)
        self._player_id = player_id
        self._limit = limit or Limit(time=1.0)
        self._engine = engine or Engine.popen()

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
        parameters = state.get_game().get_parameters()
        if parameters.get("x_in_row", 4) != 4:
            raise ValueError(f"Plumb plays 4 in a row only; this game has {parameters['x_in_row']} in a row")
        return self._engine.play(Position.from_openspiel(state), self._limit).move

    def close(self):
        """Ends the engine."""
        self._engine.close()
