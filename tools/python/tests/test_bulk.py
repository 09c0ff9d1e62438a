"""Scores in bulk: the same as one by one, from every form of input."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import numpy
import pytest
from random_games import random_positions

import plumb_engine
from plumb_engine import NO_MOVE, Position, Solver


def test_bulk_is_the_same_as_one_by_one() -> None:
    positions = list(random_positions(400, 1, 10, 42 - 1))
    positions += [position.mirror() for position in positions[:50]] + positions[:50]
    one = Solver(hash_mb=16)
    expected = [one.solve(position) for position in positions]
    rows = [[NO_MOVE if score is None else score for score in one.scores(position)] for position in positions]
    array = numpy.array([position.to_array() for position in positions], dtype=numpy.int8)
    for threads in (1, 2, None):
        many = Solver(hash_mb=16)
        for batch in (positions, array, [position.digits or "" for position in positions]):
            scores = many.solve_many(batch, threads=threads)
            assert scores.dtype == numpy.int8 and scores.shape == (len(positions),)
            assert scores.tolist() == expected
        moves = many.scores_many(array, threads=threads, progress=True)
        assert moves.shape == (len(positions), 7) and moves.tolist() == rows
    for empty in ([], numpy.array([]), numpy.empty((0, 6, 7)), iter(())):
        assert plumb_engine.solve_many(empty).shape == Solver(hash_mb=1).solve_many(empty).shape == (0,)
        assert Solver(hash_mb=1).scores_many(empty).shape == (0, 7)


def test_bulk_on_other_boards() -> None:
    pandas = pytest.importorskip("pandas")
    for board, moves in (("8x7", ["112233", "1122334", "8877665"]), ("10x6", ["aabbcc", "jjiihh"])):
        positions = [Position(text, board=board) for text in moves]
        solver = Solver(hash_mb=1, board=board)
        expected = [solver.solve(position) for position in positions]
        array = numpy.array([position.to_array() for position in positions], dtype=numpy.int8)
        for batch in (positions, array, moves):
            assert solver.solve_many(batch).tolist() == expected
        objects = numpy.array(positions, dtype=object)
        for batch in (positions, objects, pandas.Series(objects), iter(positions)):
            assert plumb_engine.solve_many(batch).tolist() == expected, type(batch)
        for batch in (array, list(array), array.tolist()):
            assert solver.solve_many(batch).tolist() == expected, type(batch)
            with pytest.raises(ValueError, match=f'boards of this size need board="{board}"'):
                plumb_engine.solve_many(batch)
        for one in (array[0], array[0].tolist()):
            assert solver.distance_many(one).tolist() == [solver.distance(positions[0])]
        assert array.shape[1:] == positions[0].shape
        with pytest.raises(ValueError, match=f"position at index 0: a position on {board}; this solver is for 7x6"):
            Solver(hash_mb=1).solve_many(positions)
        with pytest.raises(ValueError, match=r"expected \(n, 6, 7\)"):
            Solver(hash_mb=1).solve_many(array)
    small = Solver(hash_mb=1, board="5x4")
    positions = [Position(text, board="5x4") for text in ("1223", "1122334", "12345")]
    rows = [[NO_MOVE if score is None else score for score in small.scores(position)] for position in positions]
    assert small.scores_many(positions).tolist() == rows == plumb_engine.scores_many(positions).tolist()
    assert rows[1] == [NO_MOVE] * 5 and small.solve(Position(board="5x4")) == 0
    assert repr(small) == 'Solver(hash_mb=1, threads=1, book=False, board="5x4")'


def test_without_numpy_the_results_are_lists() -> None:
    program = (
        "import sys\n"
        "sys.modules['numpy'] = None\n"
        "import plumb_engine\n"
        "print(plumb_engine.solve_many(['44', '4455667']), plumb_engine.scores_many(['444444', '4455667']))\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    scores = plumb_engine.scores("444444")
    assert run.stdout == f"[1, -18] [{scores}, {[None] * 7}]\n"


@pytest.mark.skipif(os.name == "nt", reason="a signal to another process works differently on Windows")
def test_ctrl_c_ends_it() -> None:
    program = (
        "import plumb_engine, time\n"
        "solver = plumb_engine.Solver(hash_mb=16, book=False)\n"
        "try:\n"
        "    print('ready', flush=True)\n"
        "    solver.solve_many([''] * 100)\n"
        "except KeyboardInterrupt:\n"
        "    print(time.monotonic())\n"
    )
    times = []
    for _ in range(3):
        with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None and process.stdout.readline() == "ready\n"
            time.sleep(0.3)
            sent = time.monotonic()
            process.send_signal(signal.SIGINT)
            times.append(float(process.stdout.read()) - sent)
    assert sorted(times)[1] < 0.1, times


def test_columns_and_boards_of_other_libraries() -> None:
    pandas = pytest.importorskip("pandas")
    positions = list(random_positions(60, 4, 20, 41))
    expected = Solver(hash_mb=4).solve_many(positions).tolist()
    texts = [position.digits or "" for position in positions]
    boards = numpy.array([position.to_array() for position in positions])
    signed = numpy.where(boards == 2, -1, boards)
    # Boards with 1 for the side to move.
    own = numpy.array([board * (1 if position.turn == 1 else -1) for board, position in zip(signed, positions)])
    frame = pandas.DataFrame({"moves": texts, "boards": list(boards)})
    for batch in (
        frame["moves"],
        frame["boards"],
        pandas.Index(texts),
        frame[["moves"]]["moves"].astype("string"),
        numpy.array(texts),
        numpy.array(texts, dtype=object),
        list(boards),
        boards.tolist(),
        boards.astype(float),
        boards.astype(numpy.uint8),
        signed,
        own.astype(numpy.float32),
    ):
        assert Solver(hash_mb=4).solve_many(batch).tolist() == expected, type(batch)
        assert plumb_engine.solve_many(batch).tolist() == expected
    for board in (boards[0], boards[0].tolist(), own[0]):
        assert plumb_engine.solve_many(board).tolist() == expected[:1]
    for bad, text in (
        (numpy.zeros((1, 6, 7)) + 0.5, r"position at index 0: cell 0.5 at \[0, 0\]; expected 0, 1 and 2"),
        (boards[:, :5], r"an array of shape \(60, 5, 7\); expected \(n, 6, 7\)"),
        ([boards[0], boards[0][:4]], r"position at index 1: board: an array of shape \(4, 7\)"),
        (boards.reshape(-1, 42), "Kaggle has rows from the top"),
    ):
        with pytest.raises(ValueError, match=text):
            Solver(hash_mb=4).solve_many(bad)


class Arrow:
    """An array as pyarrow has them: texts are no array of NumPy, unless a copy is asked for."""

    def __init__(self, values: list[object]) -> None:
        self._values = values

    def to_pylist(self) -> list[object]:
        return self._values

    def to_numpy(self, zero_copy_only: bool = True) -> object:
        raise ValueError("Needed to copy 1 chunks with 0 nulls, but zero_copy_only was True")


def test_arrays_of_arrow() -> None:
    positions = [Position("44"), Position("4455")]
    for values in (["44", "4455"], [position.to_array() for position in positions]):
        assert plumb_engine.solve_many(Arrow(values)).tolist() == [1, 18]
    with pytest.raises(TypeError, match="position at index 1: a position is a Position or its text, not NoneType"):
        plumb_engine.solve_many(Arrow(["44", None]))


def test_outcomes_and_distances_in_bulk() -> None:
    positions = [*random_positions(80, 6, 18, 41), Position("1212121"), Position("44")]
    boards = numpy.array([position.to_array() for position in positions])
    for batch in (positions, [position.fen() for position in positions], boards):
        assert plumb_engine.outcome_many(batch[:1]).dtype == plumb_engine.outcome_many([]).dtype == "U4"
        assert plumb_engine.distance_many([]).dtype.kind == "i"
        assert plumb_engine.outcome_many(batch).tolist() == [plumb_engine.outcome(one) for one in positions]
        assert plumb_engine.distance_many(batch).tolist() == [plumb_engine.distance(one) for one in positions]
        once = (iter(list(batch)), iter(list(batch)))
        assert plumb_engine.outcome_many(once[0]).tolist() == [plumb_engine.outcome(one) for one in positions]
        assert plumb_engine.distance_many(once[1]).tolist() == [plumb_engine.distance(one) for one in positions]
    other = [Position("1223", board="5x4")]
    assert plumb_engine.distance_many(other).tolist() == [plumb_engine.distance(other[0])]
