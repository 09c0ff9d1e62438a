"""Plumb as an agent for Kaggle's ConnectX (7 columns, 6 rows, 4 in a row).

    env = kaggle_environments.make("connectx")
    env.run(["tools/bridges/kaggle_agent.py", "negamax"])

plumb_engine.py must lie in the same folder. The program is found as that file describes: by PLUMB, in the same folder,
or on the PATH. For a submission put this file as main.py, plumb_engine.py and a `plumb` for Linux into one archive.
"""

import time

# Kaggle executes the text of this file without a __file__, but with its folder on sys.path just while it does so:
# what is needed from there must be imported here at the top. It takes the last function below for the agent.
from plumb_engine import COLUMNS, ROWS, Engine, EngineError, fen_from_cells

# Seconds of every move kept back for the communication with the engine and for a busy machine.
MARGIN_S = 0.2

_engine = None


def _started_engine():
    global _engine
    if _engine is None:
        _engine = Engine()
    return _engine


def _check_rules(configuration):
    board = (configuration["columns"], configuration["rows"], configuration["inarow"])
    if board != (COLUMNS, ROWS, 4):
        raise ValueError("Plumb plays ConnectX with 7 columns, 6 rows and 4 in a row only; this game has "
                         "{} columns, {} rows and {} in a row".format(*board))


def agent(observation, configuration):
    """The column to play for the player `observation.mark`."""
    global _engine
    begin = time.monotonic()
    _check_rules(configuration)
    # Only the board is given, not the moves that led to it.
    fen = fen_from_cells(observation["board"], to_move=observation["mark"])
    try:
        engine = _started_engine()
        if sum(map(bool, observation["board"])) < 2:
            engine.new_game()
        # The time that the start of the engine took is part of the move's time.
        left_s = configuration["actTimeout"] - MARGIN_S - (time.monotonic() - begin)
        return engine.best_move_fen(fen, movetime_ms=max(10, int(left_s * 1000)))
    except EngineError:
        # The next move, possibly of another game, starts a new engine.
        if _engine is not None:
            _engine.close()
            _engine = None
        raise
