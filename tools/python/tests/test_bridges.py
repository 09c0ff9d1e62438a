"""The agents of tools/bridges in games of Kaggle, OpenSpiel and PettingZoo that must be won."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import random
import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

import plumb_engine
from plumb_engine import Engine, Limit, Position

BRIDGES = Path(__file__).parents[2] / "bridges"
LIMIT = Limit(time=0.1)
GAMES = int(os.environ.get("PLUMB_BRIDGE_GAMES", "1"))


def package(name: str) -> Any:
    """Imports a package, or skips the test. Kaggle's prints what it misses, PettingZoo's warns of what is deprecated."""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip(name, exc_type=ImportError)


def bridge(name: str) -> Any:
    if str(BRIDGES) not in sys.path:
        sys.path.insert(0, str(BRIDGES))
    return importlib.import_module(name)


AGENT = str(BRIDGES / "kaggle_agent.py")


@pytest.mark.parametrize("plumb_is", (0, 1))
def test_it_beats_negamax_on_kaggle(plumb_is: int) -> None:
    kaggle = package("kaggle_environments")
    for seed in range(GAMES):
        random.seed(seed)  # Negamax is random among equal moves.
        env = kaggle.make("connectx", configuration={"actTimeout": 1})
        env.run([AGENT, "negamax"] if plumb_is == 0 else ["negamax", AGENT])
        faults = "".join(entry.get("stderr", "") for log in env.logs for entry in log)
        result = [(state["status"], state["reward"]) for state in env.steps[-1]]
        assert result[plumb_is] == ("DONE", 1), faults
        assert result[1 - plumb_is] == ("DONE", -1)


def submitted_game(main: Path) -> str:
    """The states at the end of a game of a submission against random moves, and whether the package is the installed one."""
    play = (
        "import sys, kaggle_environments as kaggle; env = kaggle.make('connectx'); env.run([sys.argv[1], 'random']);"
        "print([(state['status'], state['reward']) for state in env.steps[-1]], sys.modules['plumb_engine'].__file__)"
    )
    environment = {name: value for name, value in os.environ.items() if name not in ("PLUMB", "PYTHONPATH")}
    command = [sys.executable, "-c", play, str(main)]
    run = subprocess.run(command, env=environment, cwd=os.sep, text=True, capture_output=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()[-1]


def test_a_submission_needs_its_own_folder_only(tmp_path: Path) -> None:
    package("kaggle_environments")
    installed = Path(plumb_engine.__file__).parent
    shutil.copytree(installed, tmp_path / "plumb_engine")
    (tmp_path / "bin").mkdir()
    shutil.copy(plumb_engine.engine.find_program("plumb", "PLUMB"), tmp_path / "bin" / "plumb")
    shutil.copy(AGENT, tmp_path / "main.py")
    assert submitted_game(tmp_path / "main.py").startswith("[('DONE', 1), ('DONE', -1)]")


def test_a_submission_is_one_file(tmp_path: Path) -> None:
    package("kaggle_environments")
    main = tmp_path / "main.py"
    bridge("kaggle_submission").main(main)
    assert main.stat().st_size < 12_000_000
    end = submitted_game(main)
    assert end.startswith("[('DONE', 1), ('DONE', -1)]") and "plumb-" in end and "site-packages" not in end
    assert not Path(end.split("] ")[1]).exists()


@pytest.mark.parametrize("columns, rows", ((5, 5), (8, 6), (6, 7), (9, 8)))
def test_it_beats_random_moves_on_other_boards_of_kaggle(columns: int, rows: int) -> None:
    kaggle = package("kaggle_environments")
    random.seed(columns * rows)
    env = kaggle.make("connectx", configuration={"columns": columns, "rows": rows, "actTimeout": 1})
    env.run([AGENT, "random"])
    result = [(state["status"], state["reward"]) for state in env.steps[-1]]
    assert result == [("DONE", 1), ("DONE", -1)], str(env.logs)


def test_other_games_are_refused_on_kaggle() -> None:
    kaggle = package("kaggle_environments")
    env = kaggle.make("connectx", configuration={"inarow": 5, "columns": 9})
    env.run([AGENT, "random"])
    assert env.steps[-1][0]["status"] == "ERROR"
    assert "this game has 5 in a row" in str(env.logs)


@pytest.mark.parametrize("plumb_is", (0, 1))
def test_it_beats_the_random_bot_of_openspiel(plumb_is: int) -> None:
    pyspiel = package("pyspiel")
    numpy = package("numpy")
    uniform_random = package("open_spiel.python.bots.uniform_random")
    for seed in range(GAMES):
        bots = [uniform_random.UniformRandomBot(player, numpy.random.RandomState(seed)) for player in (0, 1)]
        bots[plumb_is] = bridge("openspiel_bot").PlumbBot(plumb_is, LIMIT)
        with contextlib.closing(bots[plumb_is]):
            state = pyspiel.load_game("connect_four").new_initial_state()
            returns = list(pyspiel.evaluate_bots(state, bots, seed))
        assert returns[plumb_is] == 1 and returns[1 - plumb_is] == -1


@pytest.mark.parametrize("columns, rows", ((5, 4), (8, 7), (10, 10)))
def test_it_beats_the_random_bot_on_other_boards_of_openspiel(columns: int, rows: int) -> None:
    pyspiel = package("pyspiel")
    numpy = package("numpy")
    uniform_random = package("open_spiel.python.bots.uniform_random")
    other = uniform_random.UniformRandomBot(1, numpy.random.RandomState(1))
    with contextlib.closing(bridge("openspiel_bot").PlumbBot(0, Limit(nodes=100_000))) as bot:
        # The node limit makes the game repeatable.
        state = pyspiel.load_game(f"connect_four(columns={columns},rows={rows})").new_initial_state()
        assert list(pyspiel.evaluate_bots(state, [bot, other], 1)) == [1, -1]


def test_other_games_are_refused_of_openspiel() -> None:
    pyspiel = package("pyspiel")
    with contextlib.closing(bridge("openspiel_bot").PlumbBot(0)) as bot:
        with pytest.raises(ValueError, match="this game has 5 in a row"):
            bot.step(pyspiel.load_game("connect_four(x_in_row=5)").new_initial_state())


def test_the_search_of_openspiel_plays_on_from_any_board() -> None:
    package("pyspiel")
    start = Position.from_fen(Position("7171").fen())
    with Engine.popen([sys.executable, str(BRIDGES / "openspiel_mcts.py"), "500"]) as engine:
        for position, winning in ((Position("717171"), 6), (start.play([6, 0]), 6), (start.play([6, 0, 1]), 0)):
            assert engine.play(position, LIMIT, grace=30).move == winning


@pytest.mark.parametrize("plumb_is", (0, 1))
def test_it_beats_random_moves_in_pettingzoo(plumb_is: int) -> None:
    connect_four_v3 = package("pettingzoo.classic.connect_four_v3")
    for seed in range(GAMES):
        generator, rewards = random.Random(seed), {}
        env = connect_four_v3.env()
        env.reset(seed=seed)
        with contextlib.closing(bridge("pettingzoo_policy").PlumbPolicy(LIMIT)) as policy:
            for agent in env.agent_iter():
                observation, rewards[agent], termination, truncation, _ = env.last()
                if termination or truncation:
                    env.step(None)
                elif agent == f"player_{plumb_is}":
                    env.step(policy(observation))
                else:
                    allowed = [column for column in range(7) if observation["action_mask"][column]]
                    env.step(generator.choice(allowed))
        env.close()
        assert rewards == {f"player_{plumb_is}": 1, f"player_{1 - plumb_is}": -1}
