"""The exact solver: suites, moves, lines, threads, Ctrl-C, memory, errors."""

from __future__ import annotations

import asyncio
import copy
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Callable

import pytest
from random_games import random_game, random_position, random_positions
from scripts import HANG

import plumb_engine
from plumb_engine import Position, Solver, StoppedError
from plumb_engine.match import run_lab

SUITES = Path(__file__).parents[3] / "tests" / "suites"
SHARED = Path(__file__).parents[4] / "shared" / "suites"


def suite(path: Path, limit: int | None) -> list[tuple[str, int]]:
    lines = [line.split() for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return [(line[0], int(line[1])) for line in lines][:limit]


def suites() -> list[Any]:
    wanted = {"end-easy": None, "middle-easy": None, "begin-easy": None, "middle-medium": 200}
    files = [(folder / f"{name}.txt", limit) for folder in (SUITES, SHARED) for name, limit in wanted.items()]
    return [pytest.param(path, limit, id=f"{path.parents[1].name}-{path.stem}") for path, limit in files if path.is_file()]


@pytest.mark.parametrize(("path", "limit"), suites())
def test_scores_are_those_of_the_suites(path: Path, limit: int | None) -> None:
    positions = suite(path, limit)
    assert len(positions) >= 40
    solver = Solver()
    scores = solver.solve_many([digits for digits, _ in positions])
    assert scores.tolist() == [score for _, score in positions]
    for digits, score in positions[:40]:
        assert solver.solve(digits) == score


def test_moves_lines_and_distances_agree() -> None:
    solver = Solver(hash_mb=16)
    for position in random_positions(150, 1, 12, 40):
        score, scores = solver.solve(position), solver.scores(position)
        assert [column for column in range(7) if scores[column] is not None] == position.legal_moves
        assert max(value for value in scores if value is not None) == score
        best = [column for column in range(7) if scores[column] == score]
        assert solver.best_moves(position) == best
        assert solver.best_move(position, "left") == best[0]
        assert solver.best_move(position) == min(best, key=lambda column: (abs(column - 3), column))
        assert solver.best_move(position, "random") in best
        assert solver.best_move(position, lambda _, columns: columns[-1]) == best[-1]
        assert solver.best_move(position.digits or "", lambda given, columns: columns[given != position]) == best[0]
        line = solver.principal_variation(position)
        assert len(line) == solver.distance(position)
        end = position
        for column in line:
            end = end.play(column)
        assert end.is_over
        assert solver.outcome(position) == ("draw" if score == 0 else "win" if score > 0 else "loss")
        assert (end.result == 0) == (score == 0) and (end.result == position.turn) == (score > 0)


def test_the_book_agrees_with_the_search() -> None:
    with_book, without = Solver(), Solver(hash_mb=128, book=False)
    for position in random_positions(6, 3, 11, 12):
        assert with_book.solve(position) == without.solve(position)
        assert with_book.scores(position) == without.scores(position)
    assert with_book.solve(Position()) == 1
    assert with_book.scores("") == [-2, -1, 0, 1, 0, -1, -2]
    assert len(with_book.principal_variation("")) == 41
    assert repr(without) == "Solver(hash_mb=128, threads=1, book=False)"


def test_a_swindle_keeps_the_result() -> None:
    solver = Solver()
    for position in random_positions(4, 4, 20, 26):
        column = solver.best_move(position, "swindle")
        assert column in solver.best_moves(position)


def test_finished_games() -> None:
    for digits, score in (("4455667", -18), ("121212212121343434434343565656656565777777", 0)):
        assert plumb_engine.solve(digits) == score
        assert plumb_engine.scores(digits) == [None] * 7
        assert plumb_engine.distance(digits) == 0
        assert plumb_engine.principal_variation(digits) == []
        with pytest.raises(ValueError, match="the game is over"):
            plumb_engine.best_move(digits)


@pytest.mark.usefixtures("plumb_lab")
def test_a_solver_names_its_book(tmp_path: Path) -> None:
    part, book = str(tmp_path / "part"), str(tmp_path / "small.book")
    run_lab(["book", "build", "--board", "5x4", "--plies", "4", "--hash", "1", "--out", part])
    assert run_lab(["book", "merge", part, "--layers", "0", "--out", book])[0] == 0
    solver = Solver(hash_mb=1, book=book, board="5x4")
    assert repr(solver) == f'Solver(hash_mb=1, threads=1, book={book!r}, board="5x4")' and solver.book_score("") == 0
    assert repr(Solver(hash_mb=1)) == repr(Solver(hash_mb=1, book=True)) == "Solver(hash_mb=1, threads=1, book=True)"


def test_clear_forgets_and_goes_on() -> None:
    solver = Solver(hash_mb=4)
    position = random_position(20, random.Random(1))
    score = solver.solve(position)
    solver.clear()
    assert solver.solve(position) == score
    assert (solver.hash_mb, solver.threads) == (4, 1)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: Solver(hash_mb=0), ValueError, "hash_mb=0; expected 1 or more"),
        (lambda: Solver(hash_mb=-1), ValueError, "hash_mb=-1; expected 1 or more"),
        (lambda: Solver(hash_mb="big"), TypeError, "hash_mb='big'; expected an integer, 1 or more"),  # type: ignore[arg-type]
        (lambda: Solver(hash_mb=1 << 50), MemoryError, "1125899906842624 MB"),
        (lambda: Solver(threads=0), ValueError, "threads=0; expected 1 to 256"),
        (lambda: Solver(threads=257), ValueError, "threads=257; expected 1 to 256"),
        (lambda: Solver(threads=1.5), TypeError, "threads=1.5; expected an integer, 1 to 256"),  # type: ignore[arg-type]
        (lambda: Solver(book="nowhere.book"), OSError, "nowhere.book"),
        (lambda: Solver(book=__file__), ValueError, "test_solver.py"),
        (lambda: Solver(book=3.5), TypeError, "book=3.5; expected True, False or a path"),  # type: ignore[arg-type]
        (lambda: plumb_engine.solve(3), TypeError, "a position is a Position or its text, not int"),  # type: ignore[arg-type]
        (lambda: plumb_engine.solve("448"), ValueError, "move 3, `8`"),
        (lambda: plumb_engine.best_move("", "middle"), ValueError, "tie_break='middle'; expected \"centre\""),  # type: ignore[arg-type]
        (lambda: plumb_engine.best_move("", lambda *_: 9), ValueError, "tie_break returned 9; expected one of [3]"),
        (lambda: plumb_engine.best_move("", 5), ValueError, "tie_break=5; expected \"centre\""),  # type: ignore[arg-type]
        (lambda: plumb_engine.Player(21), ValueError, "level=21; expected 0 to 20"),
        (lambda: plumb_engine.Player(5, nodes=0), ValueError, "nodes=0; expected 1 or more"),
        (lambda: plumb_engine.Player(5, seed=-1), ValueError, "seed=-1; expected 0 to 18446744073709551615"),
        (lambda: plumb_engine.Player(5)("4455667"), ValueError, "the game is over"),
    ],
)
def test_bad_input(call: Callable[[], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error) as raised:
        call()
    assert text in str(raised.value)


CALLS = ["solver.solve('')", "solver.scores('')", "solver.best_move('4')", "solver.principal_variation('')", "solver.outcome('')"]


@pytest.mark.skipif(os.name == "nt", reason="a signal to another process works differently on Windows")
@pytest.mark.parametrize("call", CALLS)
def test_ctrl_c_ends_a_long_solve(call: str) -> None:
    program = (
        "import sys, plumb_engine, time\n"
        "solver = plumb_engine.Solver(hash_mb=16, book=False)\n"
        "for line in sys.stdin:\n"
        "    try:\n"
        "        print('ready', flush=True)\n"
        f"        {call}\n"
        "    except KeyboardInterrupt:\n"
        "        print(time.monotonic(), plumb_engine.solve('4455'), solver.solve('2252576253462244111563365343671'), flush=True)\n"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    times = []
    with subprocess.Popen([sys.executable, "-c", program], text=True, **pipes) as process:  # type: ignore[call-overload]
        for _ in range(5):
            process.stdin.write("\n")
            process.stdin.flush()
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.3)
            sent = time.monotonic()
            process.send_signal(signal.SIGINT)
            answer = process.stdout.readline().split()
            assert answer[1:] == ["18", "6"]
            times.append(float(answer[0]) - sent)
        process.stdin.close()
    print(f"interrupted after {', '.join(f'{1000 * seconds:.0f}' for seconds in times)} ms")
    assert sorted(times)[2] < 0.1, times


@pytest.mark.skipif(os.name == "nt", reason="a signal to another process works differently on Windows")
@pytest.mark.parametrize(
    "wait",
    [
        "threading.Thread(target=solve).start(); time.sleep(600)",
        "asyncio.run(asyncio.wait_for(asyncio.to_thread(solve), 600))",
        "with concurrent.futures.ThreadPoolExecutor() as pool: pool.submit(solve).result()",
    ],
)
def test_ctrl_c_ends_a_solve_in_a_worker_thread(wait: str) -> None:
    program = (
        "import asyncio, concurrent.futures, plumb_engine, sys, threading, time\n"
        "solver = plumb_engine.Solver(book=False)\n"
        "def announce():\n"
        "    while solver.nodes == 0: time.sleep(0.01)\n"
        "    print('ready', flush=True)\n"
        "def solve():\n"
        "    threading.Thread(target=announce).start()\n"
        "    try: solver.solve('')\n"
        "    except KeyboardInterrupt: print('ended', flush=True)\n"
        "asyncio.run(asyncio.sleep(0))\n"
    )
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([sys.executable, "-c", program + wait], text=True, **pipes) as process:  # type: ignore[call-overload]
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=HANG)[0] == "ended\n"


def test_stop_ends_what_other_threads_compute() -> None:
    solver = Solver(hash_mb=16, book=False)
    calls = [
        lambda: solver.solve(""),
        lambda: solver.scores(""),
        lambda: solver.solve_many([""]),
        lambda: solver.best_move("", "swindle", timeout=600),
    ]
    for call in calls:
        ended: list[BaseException] = []

        def work(call: Callable[[], Any] = call, ended: list[BaseException] = ended) -> None:
            try:
                call()
            except BaseException as error:
                ended.append(error)

        worker = threading.Thread(target=work)
        worker.start()
        # A stop before the call begins has no effect, so stop repeatedly.
        while worker.is_alive():
            solver.stop()
            worker.join(0.05)
        assert isinstance(ended[0], StoppedError), ended
    assert solver.solve("2252576253462244111563365343671") == 6


def test_limits_end_a_solve_and_what_was_proved_stays() -> None:
    late = "2252576253462244111563365343671"
    for call in (Solver.solve, Solver.scores, Solver.best_moves, Solver.principal_variation, Solver.outcome, Solver.distance):
        solver = Solver(hash_mb=16, book=False)
        with pytest.raises(TimeoutError, match=r"timeout=0.05: there is no answer"):
            call(solver, "", timeout=0.05)
        with pytest.raises(StoppedError, match="nodes=1000: there is no answer"):
            call(solver, "", nodes=1000)
        assert call(solver, late, timeout=600, nodes=10**9) == call(solver, late)
    solver = Solver(hash_mb=16, book=False)
    with pytest.raises(StoppedError):
        solver.solve("", nodes=12_345)
    assert solver.nodes == 12_345
    with pytest.raises(TimeoutError):
        solver.solve_many([""] * 3, timeout=0.05)
    with pytest.raises(TimeoutError):
        plumb_engine.solve(Position(board="8x7"), timeout=0.05)


def test_a_task_of_asyncio_ends_after_its_timeout() -> None:
    solver = Solver(hash_mb=16, book=False)

    async def main() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.to_thread(solver.solve, "", timeout=0.05)

    asyncio.run(main())


def test_other_threads_run_while_positions_are_listed() -> None:
    count, is_over = 0, threading.Event()

    def work() -> None:
        nonlocal count
        while not is_over.wait(0.001):
            count += 1

    worker = threading.Thread(target=work)
    worker.start()
    Position().positions_at(8)
    is_over.set()
    worker.join()
    assert count > 3


def test_eight_threads_on_one_solver() -> None:
    solver = Solver(hash_mb=16)
    positions = list(random_positions(60, 5, 14, 30))
    expected = [solver.scores(position) for position in positions]
    solver.clear()
    found: dict[int, list[list[int | None]]] = {}

    def work(number: int) -> None:
        order = positions[number:] + positions[:number]
        scores = [solver.scores(position) for position in order]
        found[number] = scores[len(positions) - number :] + scores[: len(positions) - number]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(found[number] == expected for number in range(8))


def test_memory_stays_flat() -> None:
    program = (
        "import pickle, random, sys, numpy, plumb_engine\n"
        "from plumb_engine import Position\n"
        "rng, solver = random.Random(1), plumb_engine.Solver(hash_mb=4)\n"
        "solver.clear()  # Now all pages of its table are in memory.\n"
        "def resident():\n"
        "    return int(open('/proc/self/statm').read().split()[1]) * 4\n"
        "def work(count):\n"
        "    for number in range(count):\n"
        "        position = Position()\n"
        "        while not position.is_over and position.plies < 34:\n"
        "            position = position.play(rng.choice(position.legal_moves))\n"
        "        solver.solve(position); position.fen(); hash(position); str(position); position.mirror()\n"
        "        if number % 10 == 0:\n"
        "            array = numpy.array(position.to_array(), dtype=numpy.int8)\n"
        "            assert Position.from_array(array) == pickle.loads(pickle.dumps(position)) == position\n"
        "            solver.scores(position); solver.scores_many(array[None], threads=1)\n"
        "            position.is_over or solver.best_move(position)\n"
        "            for bad in (lambda: solver.solve('9'), lambda: position.play(7), lambda: Position.from_fen('x')):\n"
        "                try: bad()\n"
        "                except ValueError: pass\n"
        "def tables(count):\n"
        "    for _ in range(count):\n"
        "        plumb_engine.Solver(hash_mb=1).solve('44444422'); plumb_engine.Player(3, nodes=1)('44444422')\n"
        "work(2000)\n"
        "before = resident()\n"
        "work(int(sys.argv[1]))\n"
        "print(resident() - before)\n"
        "tables(20)\n"
        "before = resident()\n"
        "tables(200)\n"
        "print(resident() - before)\n"
    )
    if not Path("/proc/self/statm").exists():
        pytest.skip("resident memory is read from /proc")
    # About a million positions, so a leak of two bytes per position is visible.
    count = int(os.environ.get("PLUMB_LEAK_POSITIONS", "35000"))
    run = subprocess.run([sys.executable, "-c", program, str(count)], capture_output=True, text=True, check=True)
    grown, of_tables = map(int, run.stdout.split())
    print(f"{grown} KB more after {count} games, {of_tables} KB after 200 solvers and players")
    assert grown < 2048, f"{grown} KB more after {count} games"
    # The allocator may keep one or two freed tables.
    assert of_tables < 65536, f"{of_tables} KB more after 200 solvers and players"


def test_results_of_players_can_be_repeated() -> None:
    rng = random.Random(9)
    positions = [random_position(8, rng) for _ in range(10)]
    for level in (0, 7, 20):
        moves = [plumb_engine.Player(level, nodes=2000, seed=3)(position) for position in positions]
        assert moves == [plumb_engine.Player(level, nodes=2000, seed=3)(position) for position in positions]
        assert all(move in position.legal_moves for move, position in zip(moves, positions))
    assert random_game(rng).is_over


def test_copies_have_the_settings_and_a_new_table() -> None:
    solver = Solver(hash_mb=2, threads=2, book=False, board="8x7")
    player = plumb_engine.Player(5, nodes=300, seed=9)
    for copy_of in (copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))):
        assert repr(copy_of(solver)) == repr(solver) and copy_of(solver) is not solver
        assert repr(copy_of(player)) == repr(player) and copy_of(player)("4455") == player("4455")
    assert repr(copy.copy(Solver(hash_mb=1))) == repr(Solver(hash_mb=1))


def test_ties_are_broken_by_a_generator_and_nodes_are_counted() -> None:
    numpy = pytest.importorskip("numpy")
    solver = Solver(hash_mb=1)
    for rng in (random.Random(1), numpy.random.default_rng(1)):
        assert {solver.best_move("4455", rng=rng) for _ in range(30)} == {2, 5}
        assert solver.best_move("4455", "random", rng=rng) in (2, 5)
    assert solver.best_move("4455", "center") == solver.best_move("4455", "centre") == solver.best_move("4455") == 2
    assert solver.best_move("4455", lambda position, columns: numpy.int64(columns[-1])) == 5
    assert (solver.nodes, solver.book_score("4455")) == (0, 18)
    for position in random_positions(20, 3, 16, 20):
        solver.solve(position)
    assert solver.nodes > 1000


def test_the_score_of_one_move_is_that_among_all() -> None:
    for text in ("", "4455", "44444", "112233"):
        scores = plumb_engine.scores(text)
        for column, score in enumerate(scores):
            if score is not None:
                assert plumb_engine.score_move(text, column) == score
    with pytest.raises(ValueError, match="move 3: "):
        plumb_engine.score_move("444444", 3)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_hangs_on_no_lock_of_another_thread() -> None:
    solver, player = Solver(hash_mb=64), plumb_engine.Player(10, nodes=20_000, seed=1)
    is_over = threading.Event()

    def work() -> None:
        while not is_over.is_set():
            player("4455")
            solver.clear()

    worker = threading.Thread(target=work)
    worker.start()
    try:
        for _ in range(30):
            child = os.fork()
            if child == 0:
                signal.alarm(20)
                is_right = solver.solve("44444") in range(-18, 19) and player("444") in range(7)
                solver.clear()
                os._exit(0 if is_right else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        is_over.set()
        worker.join()
