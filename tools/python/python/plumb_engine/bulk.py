"""Scores of many positions: NumPy arrays in and out, and a progress bar. `Solver.solve_many` and `scores_many` call it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ._native import NO_MOVE

if TYPE_CHECKING:
    from ._native import PositionLike, Positions, Solver


def solve_many(solver: Solver, positions: Positions, threads: int | None, progress: bool) -> Any:
    """An int8 array of shape (n,); a list without NumPy."""
    return _as_array(_run(solver, positions, threads, False, progress))


def scores_many(solver: Solver, positions: Positions, threads: int | None, progress: bool) -> Any:
    """An int8 array of shape (n, columns); a list of lists without NumPy."""
    scores = _run(solver, positions, threads, True, progress)
    array = _as_array(scores)
    width, _ = _size(solver)
    if not isinstance(array, list):
        return array.reshape(-1, width)
    rows = [array[at : at + width] for at in range(0, len(array), width)]
    return [[None if score == NO_MOVE else score for score in row] for row in rows]


def _run(solver: Solver, positions: Positions, threads: int | None, moves: bool, progress: bool) -> bytes:
    width, height = _size(solver)
    batch = _batch(positions, width, height)
    count = len(batch) // (width * height) if isinstance(batch, bytes) else len(batch)
    with _progress_bar(count) if progress else contextlib.nullcontext() as tick:
        return solver._many(batch, threads, moves, tick)


def _size(solver: Solver) -> tuple[int, int]:
    """Columns and rows of the solver's board."""
    width, height = solver.board.split("x")
    return int(width), int(height)


def _batch(positions: Any, width: int, height: int) -> Sequence[PositionLike] | bytes:
    """The positions as a list, or those of an array as the bytes of their cells."""
    if isinstance(positions, str):
        raise TypeError("positions: a string is one position; expected a list of them")
    if not hasattr(positions, "astype"):
        return list(positions)
    if positions.ndim != 3 or positions.shape[1:] != (height, width):
        raise ValueError(f"positions: an array of shape {positions.shape}; expected (n, {height}, {width})")
    if positions.dtype.kind not in "iub":
        raise TypeError(f"positions: an array of {positions.dtype}; expected integers")
    if positions.size and not 0 <= positions.min() <= positions.max() <= 2:
        bad = (positions < 0) | (positions > 2)
        index, row, column = (int(part[0]) for part in bad.nonzero())
        cell = positions[index, row, column]
        raise ValueError(f"position at index {index}: row {row}, column {column}: cell {cell}; expected 0, 1 or 2")
    cells: bytes = positions.astype("int8").tobytes()
    return cells


def _as_array(scores: bytes) -> Any:
    try:
        import numpy
    except ImportError:
        return list(memoryview(scores).cast("b"))
    # A copy, as an array over bytes cannot be written to.
    return numpy.frombuffer(scores, dtype=numpy.int8).copy()


@contextlib.contextmanager
def _progress_bar(total: int) -> Iterator[Callable[[int], object] | None]:
    """A function that shows how many positions are done; None if `tqdm` is not installed."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    with tqdm(total=total, unit="positions") as bar:
        yield lambda done: bar.update(done - bar.n)
        bar.update(total - bar.n)
