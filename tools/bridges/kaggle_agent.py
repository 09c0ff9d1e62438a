"""Plumb as an agent for Kaggle's ConnectX: 4 in a row on a board of any size that Plumb has, by default 7x6.

    env = kaggle_environments.make("connectx")
    env.run(["tools/bridges/kaggle_agent.py", "negamax"])

Needs the package plumb-engine (tools/python). For a submission, put this file as main.py and what `pip install --target .`
makes of the package's wheel into one archive.
"""

import os
import sys
import time

# Kaggle executes the text of this file without a __file__, but with its folder on sys.path just while it does so. Other
# folders of sys.path stay.
_folder = sys.path[-1] if sys.path else ""

from plumb_engine import Engine, EngineError, Limit, Position

# Seconds of every move kept back for the communication with the engine and for a busy machine.
MARGIN_S = 0.2

_engine = None


def _started_engine():
    global _engine
    if _engine is None:
        beside = os.path.join(_folder, "bin", "plumb")
        _engine = Engine.popen([beside] if os.path.isfile(beside) else None)
    return _engine


def agent(observation, configuration):
    """The column to play for the player `observation.mark`."""
    global _engine
    begin = time.monotonic()
    columns, rows, in_a_row = configuration["columns"], configuration["rows"], configuration["inarow"]
    if in_a_row != 4:
        raise ValueError(f"Plumb plays ConnectX with 4 in a row only; this game has {in_a_row} in a row")
    position = Position.from_kaggle(observation, board=f"{columns}x{rows}")
    try:
        engine = _started_engine()
        if position.plies < 2:
            engine.new_game()
        # The time that the start of the engine took is part of the move's time.
        left_s = configuration["actTimeout"] - MARGIN_S - (time.monotonic() - begin)
        return engine.play(position, Limit(time=max(0.01, left_s))).move
    except EngineError:
        # The next move, possibly of another game, starts a new engine.
        if _engine is not None:
            _engine.close()
            _engine = None
        raise
