"""Random positions and games for the tests."""

from __future__ import annotations

import random
from collections.abc import Iterator

from plumb_engine import Position


def random_game(rng: random.Random) -> Position:
    """The end of a game of random moves."""
    position = Position()
    while not position.is_over:
        position = position.play(rng.choice(position.legal_moves))
    return position


def random_position(plies: int, rng: random.Random) -> Position:
    """A position after this number of random moves, whose game goes on."""
    while True:
        position = Position()
        while position.plies < plies and not position.is_over:
            position = position.play(rng.choice(position.legal_moves))
        if not position.is_over:
            return position


def random_positions(count: int, seed: int, fewest: int = 0, most: int = 41) -> Iterator[Position]:
    """Positions of `fewest` to `most` stones whose games go on."""
    rng = random.Random(seed)
    for _ in range(count):
        yield random_position(rng.randint(fewest, most), rng)
