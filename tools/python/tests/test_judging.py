"""Games judged, and agents evaluated."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest
from random_games import random_game, random_positions

import plumb_engine
from plumb_engine import Player, Position, Solver, evaluate, judge, read_positions
from plumb_engine._native import plies_of_score
from plumb_engine.exact import result_of


def test_a_judged_game() -> None:
    judgement = judge("4455667")
    assert [move.column for move in judgement.moves] == [3, 3, 4, 4, 5, 5, 6]
    assert [move.value_lost for move in judgement.moves] == [0, 0, 1, 1, 0, 0, 0]
    third, fourth = judgement.moves[2:4]
    assert (third.ply, third.player, third.score, third.best_score, third.best_moves) == (3, 1, -2, 1, [3])
    assert (third.before, third.after, third.is_blunder) == ("win", "loss", True)
    assert fourth.best_moves == [1, 5] or fourth.best_score > 0
    assert judgement.blunders == [third, fourth]
    assert judgement.accuracy(1) == 3 / 4 and judgement.accuracy(2) == 2 / 3 and judgement.accuracy() == 5 / 7
    assert judgement.end.result == 1
    assert "was +1, win, with column 3" in str(judgement) and "<table>" in judgement._repr_html_()


def test_games_of_a_file_keep_their_moves(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text("id,moves\n1,44455554221\n", encoding="utf-8")
    (judgement,) = judge(read_positions(path))
    assert judgement == judge("44455554221") and len(judgement.moves) == 11


def test_rates_of_good_and_perfect_moves() -> None:
    judgement = judge("44455554221")
    assert (judgement.accuracy(), judgement.perfect_move_rate) == (1.0, 8 / 11)
    assert [move.is_perfect for move in judgement.moves].count(False) == 3
    assert repr(judgement) == "<Judgement of 11 moves: good moves 100.0%, perfect moves 72.7%, 0 blunders>"
    assert str(judge("4455667")).endswith("\ngood moves 71.4%, perfect moves 71.4%")
    evaluation = evaluate(plumb_engine.best_move, "random", 2)
    assert evaluation.perfect_move_rate == 1.0 and "good moves 100.0%, perfect moves 100.0%" in str(evaluation)
    assert evaluate(plumb_engine.best_move, []).perfect_move_rate is None


def test_judgements_agree_with_the_solver() -> None:
    rng = random.Random(1)
    games = [random_game(rng) for _ in range(20)]
    for game, judgement in zip(games, judge(games)):
        assert [move.column for move in judgement.moves] == list(game.moves)
        for move in judgement.moves:
            next_position = move.position.play(move.column)
            assert move.score == -plumb_engine.solve(next_position)
            assert move.before == plumb_engine.outcome(move.position)
            if move.before == move.after != "draw":
                change = 1 + plumb_engine.distance(next_position) - plumb_engine.distance(move.position)
                assert move.distance_lost == (change if move.before == "win" else -change) >= 0
            else:
                assert move.distance_lost == 0


def test_every_form_of_game() -> None:
    pandas = pytest.importorskip("pandas")
    numpy = pytest.importorskip("numpy")
    expected = judge("4455")
    from_board = Position.from_fen(Position("44").fen()).play(4).play(4)
    assert judge([3, 3, 4, 4]) == judge(Position("4455")) == expected
    assert judge(["4455", [3, 3, 4, 4], Position("4455")]) == [expected] * 3
    assert judge(pandas.DataFrame([[3, 3, 4, 4]] * 2).to_numpy()) == [expected] * 2
    assert judge(from_board).moves == expected.moves[2:]
    assert judge("").accuracy() is judge("").perfect_move_rate is None and judge([]) == []
    for bad, error, text in (
        (["44", "48"], ValueError, "game at index 1: move 2, `8`"),
        ([[3], ["x"]], TypeError, "game at index 1"),
        (5, TypeError, "a game is a Position, its text or a sequence of columns, not int"),
        (Position.from_fen(Position("44").fen()), ValueError, "has stones but no moves"),
        (pandas.Series([Position("44").to_array()]), ValueError, "game at index 0: .* has stones but no moves"),
        (numpy.array(Position("44").to_array()), ValueError, "the array is a board"),
    ):
        with pytest.raises(error, match=text):
            judge(bad)  # type: ignore[arg-type]


def test_distances_of_scores() -> None:
    for position in random_positions(100, 2, 12, 40):
        score = plumb_engine.solve(position)
        assert (plies_of_score(position, score), result_of(score)) == (plumb_engine.distance(position), plumb_engine.outcome(position))


def test_a_perfect_agent_makes_no_blunder() -> None:
    evaluation = evaluate(plumb_engine.best_move, "random", 10)
    assert evaluation.wins == 10 and evaluation.score == 1
    assert evaluation.accuracy() == 1.0 and evaluation.blunders == []
    elo = evaluation.elo
    assert elo is not None and elo.low > 0 and math.isinf(elo.value)
    assert "Elo relative to the opponent: > " in str(evaluation)


def test_what_the_games_do_not_bound_is_infinite() -> None:
    # With six games, rounding puts the upper end of the interval below 1.
    elo = evaluate(plumb_engine.best_move, "random", 6).elo
    assert elo is not None and math.isinf(elo.high) and math.isfinite(elo.low)


def test_a_game_is_judged_on_its_board() -> None:
    game = Position("2233", board="5x4")
    assert judge(game, solver=Solver(board="5x4")) == judge("2233", solver=Solver(board="5x4"))
    assert judge(game, solver=Solver(board="5x4")).moves[0].position.board == "5x4"


def test_skill_levels_are_told_apart() -> None:
    evaluation = evaluate(Player(12, nodes=5000, seed=1), "skill-2", 40)
    again = evaluate(Player(12, nodes=5000, seed=1), 2, 40)
    assert str(evaluation) == str(again)
    elo = evaluation.elo
    assert elo is not None and evaluation.opponent_elo == 1120
    assert elo.value > 1120 and elo.low < elo.value <= elo.high
    assert evaluation.wins + evaluation.draws + evaluation.losses == 40
    assert sum(game.agent_is == 1 for game in evaluation.games) == 20
    shares = [evaluation.accuracy(phase) for phase in ("opening", "middle", "end")]
    assert all(share is None or 0.3 < share <= 1 for share in shares)


def test_agents_that_play_illegal_moves_lose() -> None:
    evaluation = evaluate(lambda position: 7, "random", 4)
    assert evaluation.losses == 4 and len(evaluation.illegal) == 4 and evaluation.moves == ()
    of_positions = evaluate(lambda position: 3, [Position("44"), Position("444444")])
    assert (of_positions.accuracy(), len(of_positions.illegal), of_positions.elo) == (1.0, 1, None)
    assert "1 illegal moves" in str(of_positions)
    asked: list[Position] = []
    with pytest.raises(ValueError, match="position at index 1: the position is on a board of 8x7"):
        evaluate(lambda position: asked.append(position) or 3, ["44", Position(board="8x7")])
    assert asked == []


def test_the_plot_shows_the_accuracies() -> None:
    pytest.importorskip("matplotlib")
    figure = evaluate(Player(3, nodes=1000, seed=1), "skill-3", 6).plot()
    titles = [axes.get_title() for axes in figure.axes]
    assert titles == ["By phase", "By number of stones"]


def test_what_is_no_column_is_an_error_of_the_agent() -> None:
    for move in (None, 3.0, True, "3", (3, None), [3]):
        evaluation = evaluate(lambda position, move=move: move, "random", 2)  # type: ignore[misc]
        assert (evaluation.losses, evaluation.illegal, len(evaluation.errors)) == (2, (), 2), move
        assert evaluation.errors[0][1].startswith(f"{move!r}: expected a column, an integer from 0")
        assert "2 errors of the agent" in str(evaluation)
    assert "returns (action, state)" in evaluate(lambda position: (3, None), "random", 1).errors[0][1]  # type: ignore[arg-type, return-value]
    of_positions = evaluate(lambda position: None, [Position("44")])  # type: ignore[arg-type, return-value]
    assert (len(of_positions.errors), of_positions.accuracy()) == (1, None)
    numpy = pytest.importorskip("numpy")
    for move in (numpy.int64(3), numpy.uint8(3), numpy.array(3), numpy.array([3])):
        assert Position().play(move) == Position("4") == Position.from_moves([move])
    for move in (numpy.bool_(True), numpy.float64(3), numpy.array([3, 4])):
        with pytest.raises(TypeError, match="expected a column"):
            Position().play(move)


def test_a_named_opponent_has_another_seed_in_each_game() -> None:
    evaluation = evaluate(lambda position: position.legal_moves[-1], "skill-5", 60, random_plies=0, seed=0)
    assert evaluation.different > 20
    repeated = evaluate(lambda position: position.legal_moves[0], lambda position: position.legal_moves[-1], 60, random_plies=0)
    assert repeated.different == 2 and "only 2 of the games differ" in str(repeated)
    assert repeated.elo is not None and repeated.elo.high - repeated.elo.low > 300
    assert len(repr(repeated)) < 300


def test_seeds_are_integers_of_any_kind() -> None:
    numpy = pytest.importorskip("numpy")
    for seed in (0, 1, 2**32, 2**63, numpy.int64(7)):
        assert Player(3, nodes=100, seed=seed).seed == int(seed)
        text = str(evaluate(Player(numpy.int8(3), nodes=100, seed=seed), numpy.int64(2), 2, seed=seed))
        assert text == str(evaluate(Player(3, nodes=100, seed=int(seed)), "skill-2", 2, seed=int(seed)))
    with pytest.raises(ValueError, match="seed=-1; expected 0 to"):
        Player(3, seed=-1)


def test_moves_are_rows_of_a_frame() -> None:
    pytest.importorskip("pandas")
    judgement = plumb_engine.judge("44455554221")
    frame = judgement.to_pandas()
    assert frame.shape[0] == 11 and list(frame["ply"]) == list(range(1, 12))
    for name in ("column", "score", "best_score", "before", "after", "value_lost", "distance_lost", "is_blunder"):
        assert list(frame[name]) == [getattr(move, name) for move in judgement.moves]
    assert frame["position"][1] == Position("4").fen()
    assert evaluate(plumb_engine.best_move, "random", 2).to_pandas()["is_blunder"].sum() == 0
