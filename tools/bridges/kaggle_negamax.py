"""The agent `negamax` of Kaggle's ConnectX as a UCI engine, an opponent for matches:

    plumb-lab match --engine plumb --engine "name=negamax,cmd=python3 tools/bridges/kaggle_negamax.py" ...

It looks four plies ahead, and chooses at random among equal moves. Needs the packages plumb-engine and
kaggle-environments.
"""

import contextlib
import random
import sys

# Kaggle's package prints the packages that it misses.
with contextlib.redirect_stdout(sys.stderr):
    from kaggle_environments.envs.connectx.connectx import negamax_agent
    from kaggle_environments.utils import Struct

from plumb_engine import serve

random.seed(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
configuration = Struct(columns=7, rows=6, inarow=4)


def agent(position):
    board = [cell for row in position.to_array() for cell in row]
    return negamax_agent(Struct(board=board, mark=position.turn), configuration)


serve(agent, "Kaggle negamax")
