"""Plumb as a policy for PettingZoo's `connect_four_v3`.

    policy = PlumbPolicy()
    for agent in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        env.step(None if termination or truncation else policy(observation))

Needs the package plumb-engine (tools/python).
"""

from plumb_engine import Engine, Limit, Position


class PlumbPolicy:
    """Called with an observation, returns the column to play. limit: of each move, a second if not given."""

    def __init__(self, limit=None, engine=None):
        self._limit = limit or Limit(time=1.0)
        self._engine = engine or Engine.popen()

    def __call__(self, observation):
        allowed = [column for column, free in enumerate(observation["action_mask"]) if free]
        if not allowed:
            raise ValueError("no action is allowed: the game is over, or another agent is to move")
        return self._engine.play(Position.from_pettingzoo(observation), self._limit, root_moves=allowed).move

    def new_game(self):
        """Announces that the next observation belongs to another game."""
        self._engine.new_game()

    def close(self):
        """Ends the engine."""
        self._engine.close()
