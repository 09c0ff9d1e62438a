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
        "import gymnasium; gymnasium.make('plumb_engine.environment:plumb/ConnectFour-v0', opponent='skill-7')",
        "import plumb_engine.environment, gymnasium; gymnasium.make('plumb/ConnectFour-v0')",
        "import gymnasium, plumb_engine.environment; gymnasium.make('plumb/ConnectFour-v0')",
    ],
)
def test_it_is_registered(program: str) -> None:
    run = subprocess.run([sys.executable, "-W", "error::UserWarning", "-c", program], check=False, capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")


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


def test_all_actions_are_free_after_the_end() -> None:
    env = ConnectFour("random", agent_is=1)
    env.reset(options={"position": "112233"})
    _, _, is_over, _, info = env.step(3)
    assert is_over and info["action_mask"].tolist() == [1] * 7 and env.action_masks().all()
    envs = gymnasium.make_vec("plumb/ConnectFour-v0", 2, vectorization_mode="sync", opponent="random")
    _, infos = envs.reset(seed=1)
    rng, ends = numpy.random.default_rng(1), 0
    for _ in range(100):
        masks = numpy.stack(infos["action_mask"])
        actions = [rng.choice(7, p=mask / mask.sum()) for mask in masks]
        _, _, terminated, _, infos = envs.step(numpy.array(actions))
        ends += terminated.sum()
    assert ends > 2


class Wrapper(gymnasium.Wrapper):  # type: ignore[type-arg]
    """As the monitor of Stable-Baselines3, on which its `set_attr` sets attributes."""


def test_the_opponent_can_be_changed() -> None:
    asked: list[Position] = []

    def opponent(position: Position) -> int:
        asked.append(position)
        return position.legal_moves[-1]

    env = gymnasium.make("plumb/ConnectFour-v0", opponent="random", agent_is=2)
    env.reset(options={"opponent": opponent})
    assert len(asked) == 1
    env.reset()
    assert len(asked) == 2
    wrapped = Wrapper(Wrapper(env))
    setattr(wrapped, "opponent", "skill-20")
    wrapped.reset()
    assert wrapped.get_wrapper_attr("opponent") == env.unwrapped.opponent == "skill-20"  # type: ignore[attr-defined]
    assert len(asked) == 2 and env.unwrapped.position == Position("4")  # type: ignore[attr-defined]
    wrapped.set_wrapper_attr("opponent", opponent)
    wrapped.reset()
    assert len(asked) == 3
    envs = gymnasium.make_vec("plumb/ConnectFour-v0", 2, vectorization_mode="sync", opponent="random", agent_is=2)
    envs.set_attr("opponent", opponent)
    envs.reset()
    assert len(asked) == 5
    for change in (lambda: env.reset(options={"opponent": "x"}), lambda: setattr(env.unwrapped, "opponent", "x")):
        with pytest.raises(ValueError, match="opponent 'x'"):
            change()


def test_errors_and_rendering() -> None:
    env = ConnectFour(opponent="random", agent_is=1, render_mode="ansi")
    env.reset(seed=1, options={"position": Position("444444")})
    assert "X" in (env.render() or "")
    _, reward, over, _, _ = env.step(numpy.int64(3))
    assert (reward, over) == (-1.0, True)
    for settings, text in (({"agent_is": 3}, "agent_is=3"), ({"render_mode": "rgb"}, "render_mode='rgb'"), ({"opponent": "x"}, "opponent 'x'")):
        with pytest.raises(ValueError, match=text):
            ConnectFour(**settings)
    with pytest.raises(ValueError, match="options: 'positions'; expected 'position' or 'opponent'"):
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
