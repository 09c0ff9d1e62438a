"""Prints random positions, one on each line, as digits: made by random moves, with their games going on.

    python benchmarks/random_positions.py 1000000 > positions.txt
    time plumb-lab label positions.txt --out labelled.csv
"""

from __future__ import annotations

import argparse
import random
import sys

from random_boards import random_position


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("count", type=int)
    parser.add_argument("--stones", type=int, nargs=2, default=[8, 30], metavar=("LEAST", "MOST"))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    for _ in range(options.count):
        sys.stdout.write(f"{random_position(rng.randint(*options.stones), rng).digits}\n")


if __name__ == "__main__":
    main()
