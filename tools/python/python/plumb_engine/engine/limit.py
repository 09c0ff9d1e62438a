"""Limits of a search."""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace
from typing import Optional

_COUNTS = {"depth": 2**31 - 1, "nodes": 2**63 - 1, "mate": 2**31 - 1}
# Longest time: ten years in seconds.
_MAX_SECONDS = 10 * 365 * 86400.0


@dataclass(frozen=True)
class Limit:
    """Limits of a search. The search ends at the first limit. Without limits it runs until it is stopped.

    time: seconds for this move, above 0. first_inc, second_inc: seconds added per move.
    first_clock, second_clock: seconds left for the player who moved first in the game, and for the other player. Give both.
    depth: plies. nodes: positions. mate: a win in this many moves of the winner. Whole numbers from 1.

    Raises ValueError for a number out of range, TypeError for a value that is not a number.

    >>> Limit(depth=0)
    Traceback (most recent call last):
    ValueError: depth: 0 is out of range, which is 1 to 2147483647
    """

    time: Optional[float] = None
    depth: Optional[int] = None
    nodes: Optional[int] = None
    mate: Optional[int] = None
    first_clock: Optional[float] = None
    second_clock: Optional[float] = None
    first_inc: Optional[float] = None
    second_inc: Optional[float] = None

    def __post_init__(self) -> None:
        for name, most in _COUNTS.items():
            _check_count(name, getattr(self, name), most)
        for name in ("time", "first_clock", "second_clock", "first_inc", "second_inc"):
            _check_seconds(name, getattr(self, name))
        if self.time == 0:
            raise ValueError("time: 0 is no time for a move; expected seconds above 0")
        if (self.first_clock is None) != (self.second_clock is None):
            missing = "first_clock" if self.first_clock is None else "second_clock"
            raise ValueError(f"{missing} is missing: an engine needs both clocks")
        if self.first_clock is None and (self.first_inc is not None or self.second_inc is not None):
            raise ValueError("first_inc and second_inc need first_clock and second_clock")

    @property
    def is_unlimited(self) -> bool:
        return self == Limit()

    def seconds(self, turn: int) -> Optional[float]:
        """The longest time in seconds that a search of player `turn` (1 or 2) may take. None without a clock.

        >>> Limit(first_clock=60, second_clock=50).seconds(2)
        50
        """
        clock = self.first_clock if turn == 1 else self.second_clock
        times = [time for time in (self.time, clock) if time is not None]
        return min(times) if times else None


def checked(limit: Limit) -> Limit:
    """The limit. Raises TypeError for another type, with a hint for a number."""
    if isinstance(limit, Limit):
        return limit
    meant = f"Limit(time={limit!r})" if isinstance(limit, (int, float)) else "a Limit, as Limit(time=0.1)"
    raise TypeError(f"limit: {limit!r}: expected {meant}")


def after_move(limit: Limit, turn: int, elapsed: float) -> Limit:
    """The limit with the clocks after a move of player `turn` that took `elapsed` seconds."""
    if limit.first_clock is None or limit.second_clock is None:
        return limit
    if turn == 1:
        return replace(limit, first_clock=max(0.0, limit.first_clock - elapsed) + (limit.first_inc or 0.0))
    return replace(limit, second_clock=max(0.0, limit.second_clock - elapsed) + (limit.second_inc or 0.0))


def are_alike(one: Limit, other: Limit) -> bool:
    """Whether the limits are equal except for the clocks."""
    has_clock = one.first_clock is not None and other.first_clock is not None
    return one == (replace(other, first_clock=one.first_clock, second_clock=one.second_clock) if has_clock else other)


def _check_count(name: str, value: Optional[int], most: int) -> None:
    if value is None:
        return
    if isinstance(value, bool):
        raise TypeError(f"{name}: {value!r} is no number; expected a whole number from 1")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: {value!r} is no whole number; expected one from 1") from None
    if not 1 <= number <= most:
        raise ValueError(f"{name}: {number} is out of range, which is 1 to {most}")


def _check_seconds(name: str, value: Optional[float]) -> None:
    if value is None:
        return
    try:
        seconds = float("" if isinstance(value, (bool, str)) else value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: {value!r} is no number; expected seconds") from None
    if not 0 <= seconds <= _MAX_SECONDS:
        raise ValueError(f"{name}: {value!r} is out of range, which is 0 to {_MAX_SECONDS:.0f} seconds")
