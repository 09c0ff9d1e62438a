"""Scores of many positions: NumPy arrays in and out, and a progress bar. `Solver.solve_many` and `scores_many` call it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

from ._native import NO_MOVE, Position
from .progress import progress_bar

if TYPE_CHECKING:
    from ._native import Positions, Solver
    from .argument_types import PositionLike


def solve_many(solver: Solver, positions: Positions, threads: SupportsIndex | None, progress: bool) -> Any:
    """An int8 array of shape (n,); a list without NumPy."""
    return _run(solver, positions, threads, False, progress)[0]


def scores_many(
    solver: Solver, positions: Positions, threads: SupportsIndex | None, progress: bool, dtype: Any
) -> Any:
    """An int8 array of shape (n, columns), or one of floats with nan for NO_MOVE; a list of lists without NumPy."""
    if dtype is not None and array([], dtype).dtype.kind != "f":
        raise ValueError(f"dtype={dtype!r}; expected a type of floating-point numbers, or None for int8")
    scores, _ = _run(solver, positions, threads, True, progress)
    width, _ = _size(solver)
    if isinstance(scores, list):
        rows = [scores[at : at + width] for at in range(0, len(scores), width)]
        return [[None if score == NO_MOVE else score for score in row] for row in rows]
    scores = scores.reshape(-1, width)
    if dtype is None:
        return scores
    floats = scores.astype(dtype)
    floats[scores == NO_MOVE] = float("nan")
    return floats


def scores_and_stones(
    solver: Solver, positions: Positions, threads: SupportsIndex | None, progress: bool
) -> tuple[Any, list[int], int]:
    """What `solve_many` returns, the positions' numbers of stones, and the number of cells of the solver's board."""
    # An iterator can be read only once: the stones are those of the batch that was solved.
    scores, batch = _run(solver, positions, threads, False, progress)
    count = math.prod(_size(solver))
    if isinstance(batch, bytes):
        stones = [count - batch[at : at + count].count(0) for at in range(0, len(batch), count)]
    else:
        stones = [(Position(item, board=solver.board) if isinstance(item, str) else item).plies for item in batch]
    return scores, stones, count


def _run(
    solver: Solver, positions: Positions, threads: SupportsIndex | None, moves: bool, progress: bool
) -> tuple[Any, Sequence[PositionLike] | bytes]:
    """The scores, a list without NumPy, and the positions as the solver takes them."""
    given = as_batch(positions)
    batch = given if isinstance(given, list) else _cells(given, *_size(solver))
    count = len(batch) // math.prod(_size(solver)) if isinstance(batch, bytes) else len(batch)
    with progress_bar(count, "positions", progress) as tick:
        scores = solver._many(batch, threads, moves, tick)
        tick(count)
    try:
        import numpy
    except ImportError:
        return list(memoryview(scores).cast("b")), batch
    # A copy, as an array over bytes cannot be written to.
    return numpy.frombuffer(scores, dtype=numpy.int8).copy(), batch


def _size(solver: Solver) -> tuple[int, int]:
    """Columns and rows of the solver's board."""
    width, height = solver.board.split("x")
    return int(width), int(height)


def as_batch(positions: Any) -> Any:
    """Positions as a list, or boards as an array."""
    if isinstance(positions, (str, Position)):
        raise TypeError(f"positions: {positions!r} is one position; expected a list of them")
    for method in ("to_pylist", "to_numpy", "numpy"):
        # Arrays of Arrow, whose texts are no array of NumPy; columns of pandas and polars; tensors of torch, which may be on
        # another device.
        if hasattr(positions, method):
            positions = positions.detach().cpu() if hasattr(positions, "detach") else positions
            positions = getattr(positions, method)()
            break
    if not hasattr(positions, "__iter__"):
        raise TypeError(f"positions: {positions!r}: expected a list of positions, or an array of boards")
    # An array of nothing has a type of its own, whatever was to be in it.
    if not hasattr(positions, "astype") or positions.dtype.kind in "OUST" or positions.shape == (0,):
        positions = list(positions)
        if not positions or isinstance(positions[0], (str, Position)) or not hasattr(positions[0], "__len__"):
            return [str(item) if isinstance(item, str) else item for item in positions]
        import numpy

        try:
            return numpy.array(positions)
        except ValueError:
            raise ValueError("positions: boards of different shapes; expected the same shape for all") from None
    return positions


def _cells(boards: Any, width: int, height: int) -> bytes:
    """The cells of an array of boards, or of one board, as bytes: 0, 1 and 2, row by row from the top.

    In boards of 1, 0 and -1 with one -1 more, 1 is the player to move, as in texts.
    """
    count = width * height
    shape = boards.shape
    if shape in ((height, width), (count,)) or shape[1:] in ((count,), (height, width)):
        boards = boards.reshape(-1, height, width)
    else:
        raise ValueError(
            f"positions: an array of shape {shape}; expected (n, {height}, {width}) or (n, {count}), or one board"
            + ("; numpy.rot90(boards, axes=(-2, -1)) turns boards by columns" if shape[-2:] == (width, height) else "")
        )
    if boards.dtype.kind not in "iubf":
        raise TypeError(f"positions: an array of {boards.dtype}; expected numbers")
    is_signed = bool(boards.size and boards.min() == -1 and boards.max() <= 1)
    bad = ~((boards == 0) | (boards == 1) | (boards == (-1 if is_signed else 2)))
    if bad.any():
        index, row, column = (int(part[0]) for part in bad.nonzero())
        cell = boards[index, row, column]
        raise ValueError(f"position at index {index}: row {row}, column {column}: cell {cell}; expected 0, 1 or 2")
    cells = boards.astype("int8")
    if is_signed:
        signs = cells.sum(axis=(1, 2), keepdims=True)
        cells = cells * (1 - 2 * (signs == -1).astype("int8"))
        cells[cells == -1] = 2
    data: bytes = cells.tobytes()
    return data


def array(values: list[Any], dtype: Any = None) -> Any:
    """The values as an array of NumPy."""
    import numpy

    return numpy.array(values, dtype)
