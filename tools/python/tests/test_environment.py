"""The Gymnasium environment and the notebook board, with the real packages."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

gymnasium = pytest.importorskip("gymnasium")
import numpy  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402

import plumb_engine  # noqa: E402
from plumb_engine import Position  # noqa: E402
from plumb_engine.drawing import FIRST, SECOND  # noqa: E402
from plumb_engine.environment import ConnectFour, observation  # noqa: E402


def test_gymnasium_accepts_it() -> None:
    check_env(gymnasium.make("plumb/ConnectFour-v0", opponent="skill-3").unwrapped, skip_render_check=True)


@pytest.mark.parametrize(
    "program",
    [
        "import plumb_engine, gymnasium; gymnasium.make('plumb/ConnectFour-v0', opponent='skill-7')",
        "import plumb_engine; from gymnasium import make; make('plumb/ConnectFour-v0', opponent='skill-7')",
        "import gymnasium, plumb_engine; gymnasium.make('plumb/ConnectFour-v0', opponent='skill-7')",
        "import gymnasium; gymnasium.make('plumb_engine.environment:plumb/ConnectFour-v0')",
        "import plumb_engine, gymnasium, plumb_engine.environment; gymnasium.make('plumb/ConnectFour-v0')",
        "import importlib.util, plumb_engine; importlib.util.find_spec('gymnasium')\n"
        "import gymnasium; gymnasium.make('plumb/ConnectFour-v0')",
        # Another finder, as those of editable installations are.
        "import importlib.util, sys; spec = importlib.util.find_spec('gymnasium'); import plumb_engine\n"
        "class Finder: find_spec = lambda name, *_: spec if name == 'gymnasium' else None\n"
        "sys.meta_path.insert(1, Finder)\n"
        "import gymnasium; assert gymnasium.__spec__ is spec; gymnasium.make('plumb/ConnectFour-v0')",
    ],
)
def test_it_is_registered(program: str) -> None:
    subprocess.run([sys.executable, "-c", program], check=True)


def test_gymnasium_is_imported_also_if_it_cannot_be_registered() -> None:
    for order in ("plumb_engine, gymnasium", "gymnasium, plumb_engine"):
        program = f"import sys; sys.modules['plumb_engine.environment'] = None; import {order}; gymnasium.make('CartPole-v1')"
        run = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
        assert "RuntimeWarning: plumb/ConnectFour-v0 cannot be registered: " in run.stderr


def test_random_play_follows_the_rules() -> None:
    rng = random.Random(1)
    rewards = set()
    for seed in range(1, 60):
        env = ConnectFour(opponent="random")
        observation, info = env.reset(seed=seed)
        over = False
        while not over:
            position = info["position"]
            cells = numpy.array(position.to_array())
            assert observation.dtype == numpy.int8 and env.observation_space.contains(observation)
            assert ((observation[0] == 1) == (cells == position.turn)).all()
            assert numpy.flatnonzero(info["action_mask"]).tolist() == position.legal_moves
            observation, reward, over, _, info = env.step(numpy.int64(rng.choice(position.legal_moves)))
        assert info["position"].is_over
        rewards.add(reward)
    assert {1.0, -1.0} <= rewards


def test_a_perfect_agent_wins_against_every_opponent() -> None:
    for opponent in ("skill-0", "skill-12", "random", lambda position: position.legal_moves[0]):
        env = ConnectFour(opponent=opponent, agent_is=1)
        _, info = env.reset(seed=3)
        over, reward = False, 0.0
        while not over:
            column = plumb_engine.best_move(info["position"])
            _, reward, over, _, info = env.step(numpy.int64(column))
        assert reward == 1.0
    env = ConnectFour(opponent="perfect", agent_is=2)
    _, info = env.reset(seed=1)
    assert info["position"].moves == (3,)


def test_a_seeded_opponent_plays_other_games_after_each_reset() -> None:
    for opponent in ("skill-0", "skill-7", "random"):
        env = ConnectFour(opponent=opponent, agent_is=1)
        env.reset(seed=1)
        games = set()
        for _ in range(60):
            _, info = env.reset()
            over = False
            while not over:
                _, _, over, _, info = env.step(numpy.int64(info["position"].legal_moves[-1]))
            games.add(info["position"].moves)
        assert len(games) > 20, opponent
        # The same seed gives the same games.
        first = [env.reset(seed=5)[1]["position"].moves for _ in range(2)]
        assert first[0] == first[1]


def test_it_is_what_trainers_ask_for() -> None:
    env = ConnectFour(lambda position: 3, agent_is=1, render_mode="rgb_array")
    env.reset()
    env.step(3)
    for row, player, colour in ((5, 1, FIRST), (4, 2, SECOND)):
        pixel = env.render()[64 * row + 32, 64 * 3 + 32].astype(int)
        assert numpy.abs(pixel - list(bytes.fromhex(colour[1:]))).max() < 100, player
    assert Position("4").draw().svg.count(FIRST) == 1 and SECOND not in Position("4").draw().svg
    env = gymnasium.make("plumb/ConnectFour-v0", opponent="skill-0", render_mode="rgb_array")
    check_env(env.unwrapped)
    env.reset(seed=1, options={"position": Position("444444")})
    pixels = env.render()
    assert isinstance(pixels, numpy.ndarray) and pixels.shape == (384, 448, 3) and pixels.dtype == numpy.uint8
    masks = env.unwrapped.action_masks()  # type: ignore[attr-defined]
    assert masks.dtype == bool and not masks[3] and masks.sum() == 6
    assert (observation(Position("44"))[0] == observation(Position("44"), 1)[0]).all()
    for action in ("3", None, 3.0, True):
        with pytest.raises(TypeError, match="expected a column"):
            env.unwrapped.step(action)
    assert not env.unwrapped.step(numpy.array([2]))[2]


def test_errors_and_rendering() -> None:
    env = ConnectFour(opponent="random", agent_is=1, render_mode="ansi")
    env.reset(seed=1, options={"position": Position("444444")})
    assert "X" in (env.render() or "")
    _, reward, over, _, _ = env.step(numpy.int64(3))
    assert (reward, over) == (-1.0, True)
    for settings, text in (({"agent_is": 3}, "agent_is=3"), ({"render_mode": "rgb"}, "render_mode='rgb'"), ({"opponent": "x"}, "opponent 'x'")):
        with pytest.raises(ValueError, match=text):
            ConnectFour(**settings)
    with pytest.raises(ValueError, match="options: 'positions'; expected 'position' only"):
        env.reset(options={"positions": Position()})
    with pytest.raises(ValueError, match="the game is over: there is no move"):
        env.reset(options={"position": "4455667"})
    with pytest.raises(TypeError, match="a position is a Position or its text, not int"):
        env.reset(options={"position": 44})
    _, info = env.reset(options={"position": "44"})
    assert info["position"] == Position("44")
    won = {"position": "717171"}
    with pytest.raises(ValueError, match=r'position: Position\("717171"\): the opponent\'s move ends the game'):
        ConnectFour("perfect", agent_is=2).reset(options=won)
    for seed in range(8):
        _, info = ConnectFour("perfect").reset(seed=seed, options=won)
        assert info["position"] == Position("717171")
    assert (ConnectFour(render_mode="svg").render() or "").startswith("<svg")


def test_the_notebook_board_plays() -> None:
    pytest.importorskip("anywidget")
    board = plumb_engine.play_in_notebook(level=3, show_scores=True)
    assert board._is_users_turn and board.position == Position() and ">+1<" in board._svg
    board._on_message(board, {"do": "play", "column": 3}, [])
    assert len(board.position.moves) == 2 and board.position.moves[0] == 3
    board._on_message(board, {"do": "undo"}, [])
    assert board.position == Position()
    board._on_message(board, {"do": "new"}, [])
    assert board.user_is == 2 and len(board.position.moves) == 1
    while not board.position.is_over:
        board.play(plumb_engine.best_move(board.position))
    assert board._message in ("You have won", "You have lost", "Drawn") and not board._is_users_turn
    end = board.position
    board._on_message(board, {"do": "play", "column": 3}, [])
    assert board.position is end
    board._on_message(board, {"do": "undo"}, [])
    assert board.position.plies < end.plies
    board._on_message(board, {"do": "redo"}, [])
    assert board.position is end
    other = plumb_engine.play_in_notebook(opponent=lambda position: numpy.int64(6), start="4455", user_is=2)
    assert other.position == Position("44557") and "the agent" in other._message
    other.undo()
    assert other.position == Position("44557")
    with pytest.raises(ValueError, match="level"):
        plumb_engine.play_in_notebook(level=30)
