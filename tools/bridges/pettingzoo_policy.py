"""Plumb as a policy for PettingZoo's `connect_four_v3`.

    policy = PlumbPolicy()
    for agent in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        env.step(None if termination or truncation else policy(observation))
"""

from plumb_engine import Engine, fen_from_rows


def fen_from_observation(observation):
    """The FEN of an observation: the first plane has the stones of the agent to move, the second its opponent's."""
    planes = observation["observation"]
    own, other = (int(planes[:, :, plane].sum()) for plane in (0, 1))
    # The observation lacks the agent's name; with equal numbers of stones, the first player is to move.
    mine, theirs = (1, 2) if own == other else (2, 1)
    return fen_from_rows(mine * planes[:, :, 0] + theirs * planes[:, :, 1], to_move=mine)


class PlumbPolicy:
    """Called with an observation, returns the column to play. Each move takes at most `movetime_ms`, or `nodes`."""

    def __init__(self, movetime_ms=1000, nodes=None, engine=None):
        self._limit = {"nodes": nodes} if nodes is not None else {"movetime_ms": movetime_ms}
        self._engine = engine or Engine()

    def __call__(self, observation):
        allowed = [column for column, free in enumerate(observation["action_mask"]) if free]
        if not allowed:
            raise ValueError("no action is allowed: the game is over, or another agent is to move")
        return self._engine.best_move_fen(fen_from_observation(observation), allowed=allowed, **self._limit)

    def new_game(self):
        """Announces that the next observation belongs to another game."""
        self._engine.new_game()

    def close(self):
        """Ends the engine."""
        self._engine.close()
