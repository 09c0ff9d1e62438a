"""Checks the bridges against the packages they are for.

    python check.py                                          skips packages that are not installed
    python check.py --require kaggle openspiel pettingzoo    fails if one of these is not installed
    python check.py --games 20                               plays so many games of each pairing instead of one

The engine is the one that PLUMB names. Everything else on the command line goes to unittest (-v, names of tests).
"""

import argparse
import contextlib
import importlib
import io
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings

import plumb_engine
from plumb_engine import Engine, EngineError, fen_from_cells, fen_from_rows

FOLDER = os.path.dirname(os.path.abspath(__file__))
MOVETIME_MS = 200
PACKAGES = {"kaggle": "kaggle_environments", "openspiel": "pyspiel", "pettingzoo": "pettingzoo.classic.connect_four_v3"}

required = []
games = 1


def package(name):
    """Imports what the bridge `name` needs; a package that is missing skips the test, or fails it if it is required."""
    try:
        # Kaggle's package prints the packages that it misses; PettingZoo's warns of deprecated interfaces.
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            return importlib.import_module(PACKAGES[name])
    except ImportError as error:
        message = f"the package for `{name}` cannot be imported: {error}"
        if name in required:
            raise AssertionError(message) from None
        raise unittest.SkipTest(message) from None


class Fen(unittest.TestCase):
    """The conversion of boards; neither an engine nor a package is needed."""

    def test_the_empty_board(self):
        self.assertEqual(fen_from_cells([0] * 42), "7/7/7/7/7/7[" + "P" * 21 + "p" * 21 + "] w - - 0 1")

    def test_a_board_is_not_mirrored_and_its_top_row_comes_first(self):
        rows = [[0] * 7, [0] * 7, [0] * 7, [1, 0, 0, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0, 2], [1, 0, 0, 2, 0, 1, 1]]
        expected = "7/7/7/P6/p5p/P2p1PP[" + "P" * 17 + "p" * 18 + "] b - - 0 4"
        self.assertEqual(fen_from_rows(rows), expected)
        self.assertEqual(fen_from_cells(sum(rows, []), to_move=2), expected)

    def test_a_full_board(self):
        rows = [[2, 1, 2, 1, 2, 1, 2], [1, 2, 1, 2, 1, 2, 1]] * 3
        self.assertEqual(fen_from_rows(rows), "/".join(["pPpPpPp", "PpPpPpP"] * 3) + "[] w - - 0 22")

    def test_a_board_that_cannot_be_is_an_error(self):
        for what, cells, to_move in (
            ("6 columns and 7 rows", None, None),
            ("cells", [0] * 41, None),
            ("floats", [0] * 34 + [1] + [0] * 7, None),
            ("in turns", [0] * 40 + [1, 1], None),
            ("in turns", [0] * 41 + [2], None),
            ("0, 1 or 2", [0] * 41 + [3], None),
            ("cannot be to move", [0] * 41 + [1], 1),
        ):
            with self.subTest(what=what, to_move=to_move), self.assertRaises(ValueError) as caught:
                fen_from_rows([[0] * 6] * 7) if cells is None else fen_from_cells(cells, to_move)
            if cells is not None:
                self.assertIn(what, str(caught.exception))


class Client(unittest.TestCase):
    """The client itself against the engine; no package is needed."""

    def setUp(self):
        self.engine = Engine(options={"Hash": 16, "Threads": 1})
        self.addCleanup(self.engine.close)

    def test_it_wins_at_once_and_says_so(self):
        self.assertEqual(self.engine.best_move([0, 0, 1, 1, 2, 2], movetime_ms=MOVETIME_MS), 3)
        self.assertIn(" score mate 1 ", self.engine.last_info)
        self.engine.new_game()
        self.assertEqual(self.engine.best_move([6, 0, 6, 0, 6], nodes=1000), 6)

    def test_moves_are_read_in_every_notation(self):
        for notation in ("drop", "letter", "digit", "auto"):
            self.engine.set_option("Notation", notation)
            self.assertEqual(self.engine.best_move([6, 0, 6, 0, 6, 0], movetime_ms=MOVETIME_MS), 6, notation)

    def test_a_board_and_the_moves_to_it_are_the_same_position(self):
        generator = random.Random(4)
        for _ in range(50):
            columns, cells = [], [0] * 42
            for ply in range(generator.randrange(8)):
                columns.append(generator.randrange(7))
                cells[max(at for at in range(columns[-1], 42, 7) if not cells[at])] = 1 + ply % 2
            self.engine._send("position startpos moves " + " ".join("abcdefg"[column] for column in columns))
            self.engine._send("query fen")
            answer = self.engine._until("response")[-1]
            self.assertEqual(answer, "response " + fen_from_cells(cells))

    def test_only_allowed_columns_are_played(self):
        self.assertEqual(self.engine.best_move([0, 0, 1, 1, 2, 2], movetime_ms=MOVETIME_MS, allowed=[6]), 6)

    def test_errors_are_told_and_survived(self):
        for call, words in (
            (lambda: self.engine.best_move([0] * 7, movetime_ms=10), "column a is full"),
            (lambda: self.engine.best_move([0, 1, 0, 1, 0, 1, 0], movetime_ms=10), "the game is over"),
            (lambda: self.engine.best_move_fen("8/8/8/8/8/8/8/8 w - - 0 1", movetime_ms=10), "at byte"),
            (lambda: self.engine.set_option("Coffee", "on"), "no option has this name"),
        ):
            with self.assertRaises(EngineError) as caught:
                call()
            self.assertIn(words, str(caught.exception))
        with self.assertRaises(ValueError):
            self.engine.best_move([])
        self.assertEqual(self.engine.best_move([0, 0, 1, 1, 2, 2], movetime_ms=MOVETIME_MS), 3)

    def test_a_missing_program_and_a_dead_engine_are_told(self):
        missing = os.path.join(tempfile.gettempdir(), "no such folder", "plumb")
        with self.assertRaisesRegex(EngineError, "cannot start .*PLUMB"):
            Engine(missing)
        with self.assertRaisesRegex(EngineError, "has ended"):
            Engine(shutil.which("true"))
        self.engine._process.kill()
        with self.assertRaisesRegex(EngineError, "has ended"):
            self.engine.best_move([], movetime_ms=10)
        self.engine.close()
        self.engine.close()


class Kaggle(unittest.TestCase):
    """Games of ConnectX as Kaggle runs them, the agent loaded from its file."""

    AGENT = os.path.join(FOLDER, "kaggle_agent.py")

    def play(self, agents, seed):
        """The statuses and rewards at the end, and what the agents wrote to stderr; Kaggle itself judges the time."""
        kaggle_environments = package("kaggle")
        random.seed(seed)  # Negamax chooses at random among equal moves.
        env = kaggle_environments.make("connectx", configuration={"actTimeout": 1})
        env.run(agents)
        faults = "".join(entry.get("stderr", "") for log in env.logs for entry in log)
        return [(state["status"], state["reward"]) for state in env.steps[-1]], faults

    def test_it_beats_negamax_playing_first(self):
        for seed in range(games):
            result, faults = self.play([self.AGENT, "negamax"], seed)
            self.assertEqual(result, [("DONE", 1), ("DONE", -1)], f"seed {seed} {faults}")

    def test_it_beats_negamax_playing_second(self):
        for seed in range(games):
            result, faults = self.play(["negamax", self.AGENT], seed)
            self.assertEqual(result, [("DONE", -1), ("DONE", 1)], f"seed {seed} {faults}")

    def test_a_submission_needs_its_own_folder_only(self):
        package("kaggle")
        program = shutil.which(plumb_engine.program_path())
        environment = {name: value for name, value in os.environ.items() if name != "PLUMB"}
        play = (
            "import sys, kaggle_environments as kaggle; env = kaggle.make('connectx'); env.run([sys.argv[1], 'random']);"
            "print([(state['status'], state['reward']) for state in env.steps[-1]])"
        )
        with tempfile.TemporaryDirectory() as folder:
            main = os.path.join(folder, "main.py")
            shutil.copy(self.AGENT, main)
            shutil.copy(os.path.join(FOLDER, "plumb_engine.py"), folder)
            shutil.copy(program, os.path.join(folder, "plumb"))
            # A process of its own, in which this folder is not on sys.path.
            run = subprocess.run(
                [sys.executable, "-c", play, main], env=environment, cwd=os.sep, text=True, capture_output=True
            )
        self.assertEqual(run.stdout.splitlines()[-1:], ["[('DONE', 1), ('DONE', -1)]"], run.stderr)

    def test_another_board_is_refused_with_words(self):
        kaggle_environments = package("kaggle")
        env = kaggle_environments.make("connectx", configuration={"columns": 8})
        env.run([self.AGENT, "random"])
        self.assertEqual(env.steps[-1][0]["status"], "ERROR")
        self.assertIn("8 columns, 6 rows and 4 in a row", str(env.logs))


class OpenSpiel(unittest.TestCase):
    """Games against OpenSpiel's random bot."""

    def play(self, seat, seed):
        pyspiel = package("openspiel")
        import numpy
        from open_spiel.python.bots.uniform_random import UniformRandomBot

        from openspiel_bot import PlumbBot

        bots = [UniformRandomBot(player, numpy.random.RandomState(seed)) for player in (0, 1)]
        bots[seat] = PlumbBot(seat, movetime_ms=MOVETIME_MS)
        self.addCleanup(bots[seat].close)
        state = pyspiel.load_game("connect_four").new_initial_state()
        return pyspiel.evaluate_bots(state, bots, seed)

    def test_it_beats_the_random_bot_playing_first(self):
        for seed in range(games):
            self.assertEqual(list(self.play(0, seed)), [1, -1], f"seed {seed}")

    def test_it_beats_the_random_bot_playing_second(self):
        for seed in range(games):
            self.assertEqual(list(self.play(1, seed)), [-1, 1], f"seed {seed}")

    def test_another_board_is_refused_with_words(self):
        pyspiel = package("openspiel")
        from openspiel_bot import PlumbBot

        bot = PlumbBot(0)
        self.addCleanup(bot.close)
        state = pyspiel.load_game("connect_four(columns=8)").new_initial_state()
        with self.assertRaisesRegex(ValueError, "7 columns, 6 rows and 4 in a row only"):
            bot.step(state)


class PettingZoo(unittest.TestCase):
    """Games against random legal moves."""

    def play(self, seat, seed):
        """The rewards of both players at the end."""
        connect_four_v3 = package("pettingzoo")
        from pettingzoo_policy import PlumbPolicy

        policy = PlumbPolicy(movetime_ms=MOVETIME_MS)
        self.addCleanup(policy.close)
        generator = random.Random(seed)
        env = connect_four_v3.env()
        env.reset(seed=seed)
        rewards = {}
        for agent in env.agent_iter():
            observation, reward, termination, truncation, _ = env.last()
            rewards[agent] = reward
            if termination or truncation:
                action = None
            elif agent == f"player_{seat}":
                action = policy(observation)
            else:
                action = generator.choice([column for column in range(7) if observation["action_mask"][column]])
            env.step(action)
        env.close()
        return rewards

    def test_it_beats_random_moves_playing_first(self):
        for seed in range(games):
            self.assertEqual(self.play(0, seed), {"player_0": 1, "player_1": -1}, f"seed {seed}")

    def test_it_beats_random_moves_playing_second(self):
        for seed in range(games):
            self.assertEqual(self.play(1, seed), {"player_0": -1, "player_1": 1}, f"seed {seed}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--require", nargs="+", choices=sorted(PACKAGES), default=[], metavar="NAME")
    parser.add_argument("--games", type=int, default=1)
    options, rest = parser.parse_known_args()
    required, games = options.require, options.games
    print("engine:", plumb_engine.program_path(), flush=True)
    unittest.main(argv=[sys.argv[0], *rest])
