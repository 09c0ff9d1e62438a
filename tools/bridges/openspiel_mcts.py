"""OpenSpiel's Monte Carlo tree search as a UCI engine, an opponent for matches:

    plumb-lab match --engine plumb --engine "name=mcts,cmd=python3 tools/bridges/openspiel_mcts.py 1000" ...

The argument is the number of simulations of each move. Needs the packages plumb-engine and open-spiel.
"""

import sys

import pyspiel

from plumb_engine import serve

simulations = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
game = pyspiel.load_game("connect_four")
bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, seed), 2.0, simulations, 256, True, seed, False)


def agent(position):
    state = game.new_initial_state()
    for column in position.moves:
        state.apply_action(column)
    return bot.step(state)


serve(agent, f"OpenSpiel MCTS {simulations}")
