"""What the package adds to the search: the time of a call, of importing it, and what two threads gain.

    pip install plumb-engine numpy
    python benchmarks/overhead.py [call] [import] [bulk]

Without a word, all three. Best of several runs each, so that another load on the machine counts little.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from random import Random

import plumb_engine
from random_boards import random_position


def seconds_of_calls(solver: plumb_engine.Solver, positions: list[plumb_engine.Position]) -> float:
    """CPU seconds of a call of `solve`, in a loop of Python that is counted too."""
    solve = solver.solve
    start = time.process_time()
    for position in positions:
        solve(position)
    return (time.process_time() - start) / len(positions)


def seconds_in_bulk(solver: plumb_engine.Solver, positions: list[plumb_engine.Position]) -> float:
    """CPU seconds of a position in `solve_many`, where the package does next to nothing for each."""
    start = time.process_time()
    solver.solve_many(positions, threads=1)
    return (time.process_time() - start) / len(positions)


def measure_calls(repetitions: int) -> None:
    """Positions that need no search: won with the next stone, and with a number of stones that the book has.

    What a call takes more than a position in `solve_many` is what the package adds to the search. The positions are so many
    that most of the book is not in the processor's cache.
    """
    solver, rng = plumb_engine.Solver(), Random(1)
    for name, plies in (("won with the next stone", 20), ("8 stones", 8), ("10 stones", 10), ("12 stones", 12)):
        unique = {random_position(plies, rng) for _ in range(20_000)}
        positions = [position for position in unique if is_won(position) == (plies == 20)]
        call = min(seconds_of_calls(solver, positions) for _ in range(repetitions))
        bulk = min(seconds_in_bulk(solver, positions) for _ in range(repetitions))
        print(f"{name}: {1e6 * call:.2f} us a call of solve, {1e6 * bulk:.2f} us in solve_many ({len(positions)} positions)")


def is_won(position: plumb_engine.Position) -> bool:
    """Whether the side to move wins with its next stone."""
    return any(position.play(column).is_over for column in position.legal_moves)


def measure_import(repetitions: int) -> None:
    """The package with all that it imports, as Python itself measures it."""
    times = []
    for _ in range(repetitions):
        command = [sys.executable, "-X", "importtime", "-c", "import plumb_engine"]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stderr
        found = re.search(r"\| +(\d+) \| plumb_engine$", lines, flags=re.MULTILINE)
        assert found, lines
        times.append(int(found[1]) / 1000)
    print(f"import plumb_engine: best {min(times):.1f} ms, median {sorted(times)[len(times) // 2]:.1f} ms")


def measure_bulk(repetitions: int) -> None:
    """Positions of 14 to 30 stones on one thread and on two, in turns."""
    rng = Random(2)
    positions = [random_position(rng.randint(14, 30), rng) for _ in range(5000)]
    wall: dict[int, list[float]] = {1: [], 2: []}
    cpu: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(repetitions):
        for threads in wall:
            solver = plumb_engine.Solver()
            start, cpu_start = time.perf_counter(), time.process_time()
            solver.solve_many(positions, threads=threads)
            wall[threads].append(time.perf_counter() - start)
            cpu[threads].append(time.process_time() - cpu_start)
    one, two = min(wall[1]), min(wall[2])
    print(
        f"bulk: {len(positions) / one:.0f} positions a second on one thread, {len(positions) / two:.0f} on two: "
        f"{one / two:.2f} times; by CPU time two threads do {2 * min(cpu[1]) / min(cpu[2]):.2f} times as much"
    )


def main() -> None:
    measures = {"call": measure_calls, "import": measure_import, "bulk": measure_bulk}
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", nargs="*", metavar="call|import|bulk", help="what to measure, by default all")
    parser.add_argument("--repetitions", type=int, default=7)
    options = parser.parse_args()
    for name in options.what or measures:
        if name not in measures:
            parser.error(f"`{name}`: expected call, import or bulk")
        measures[name](options.repetitions)


if __name__ == "__main__":
    main()
