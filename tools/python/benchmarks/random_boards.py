"""Random positions for the measurements."""

from __future__ import annotations

import random

from plumb_engine import Position


def random_position(plies: int, rng: random.Random) -> Position:
    """A position after this number of random moves, whose game goes on."""
    while True:
        position = Position()
        while position.plies < plies and not position.is_over:
            position = position.play(rng.choice(position.legal_moves))
        if not position.is_over:
            return position
