"""Exact scores of random positions beside BitBully: CPU time of both in one process, and their agreement.

    pip install plumb-engine bitbully numpy
    python benchmarks/against_bitbully.py [--positions 500] [--plies 10 14 18 24] [--seed 1]

One thread each. The tables are warm: both solvers keep them from one position to the next. The two take turns, 50
positions at a time, so that another load on the machine meets both.
"""

from __future__ import annotations

import argparse
import random
import time
from typing import Any, Callable

import bitbully

import plumb_engine
from random_boards import random_position

TURN = 50


def timed(function: Callable[[Any], Any], values: list[Any]) -> tuple[float, list[Any]]:
    """CPU seconds of the calls, and their results."""
    start = time.process_time()
    results = [function(value) for value in values]
    return time.process_time() - start, results


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--plies", type=int, nargs="+", default=[10, 14, 18, 24])
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    ours = plumb_engine.Solver(hash_mb=64, threads=1)
    theirs = bitbully.BitBully(opening_book="12-ply-dist")
    print(f"{'plies':>5} {'task':>6} {'Plumb ms':>10} {'BitBully ms':>12} {'ratio':>7}")
    for plies in options.plies:
        positions = [random_position(plies, rng) for _ in range(options.positions)]
        boards = [bitbully.Board(list(position.moves)) for position in positions]
        tasks: list[tuple[str, Callable[[Any], Any], Callable[[Any], Any]]] = [
            ("score", ours.solve, theirs.mtdf),
            ("scores", ours.scores, theirs.score_all_moves),
        ]
        for name, mine, other in tasks:
            mine_s = other_s = 0.0
            for at in range(0, len(positions), TURN):
                took, mine_found = timed(mine, positions[at : at + TURN])
                mine_s += took
                took, other_found = timed(other, boards[at : at + TURN])
                other_s += took
                if name == "score" and mine_found != other_found:
                    raise SystemExit(f"{plies} plies: the solvers disagree: {mine_found} {other_found}")
            count = len(positions) / 1000
            print(f"{plies:>5} {name:>6} {mine_s / count:>10.4f} {other_s / count:>12.4f} {other_s / mine_s:>7.2f}")


if __name__ == "__main__":
    main()
