"""OpenSpiel's Monte Carlo tree search as a UCI engine, an opponent for matches:

    plumb-lab match --engine plumb --engine "name=mcts,cmd=python3 tools/bridges/openspiel_mcts.py 1000" ...

The argument is the number of simulations of each move. Needs the packages plumb-engine and open-spiel 2.
"""

import sys

import pyspiel

from plumb_engine import serve

simulations = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
game = pyspiel.load_game("connect_four")
bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, seed), 2.0, simulations, 256, True, seed, False)


def agent(position):
    # From the stones, as a position from a FEN has no moves. OpenSpiel's bottom row is the first.
    board = [[".xo"[cell] for cell in row] for row in reversed(position.to_array())]
    state = {"board": board, "current_player": "xo"[position.turn - 1], "is_terminal": False, "winner": ""}
    return bot.step(game.new_initial_state(state))


serve(agent, f"OpenSpiel MCTS {simulations}")
