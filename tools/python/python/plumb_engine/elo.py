"""Elo ratings and differences."""

from __future__ import annotations

import math
from typing import NamedTuple


class Elo(NamedTuple):
    """An Elo rating or difference with its 95 % interval. An open end of the interval is infinite.

    >>> import math
    >>> print(Elo(12.34, 4.0, 20.0), Elo(math.inf, 311.7, math.inf), Elo(0, -math.inf, math.inf))
    12.3 ± 8.0 > 311 unknown
    """

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        """The value with half the width of the interval, or its only bound, or "unknown"."""
        if math.isfinite(self.high - self.low):
            return f"{self.value:.1f} ± {(self.high - self.low) / 2:.1f}"
        if math.isfinite(self.low):
            return f"> {math.floor(self.low)}"
        return f"< {math.ceil(self.high)}" if math.isfinite(self.high) else "unknown"


def elo_of_score(share: float) -> float:
    if not 0 < share < 1:
        return math.copysign(math.inf, share - 0.5)
    return -400 * math.log10(1 / share - 1)
