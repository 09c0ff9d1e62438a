"""Files and data frames of positions in any form."""

from __future__ import annotations

import csv
import itertools
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Optional, Union

from ._native import Position, plies_of_score, read_position
from .argument_types import as_positions, is_position
from .exact import default_solver, result_of, score_rows

# Names of the column that has the positions, in order of priority.
_NAMES = ("position", "moves", "pos", "fen", "board")


def read_positions(
    path: Union[str, os.PathLike[str]],
    *,
    column: Optional[str] = None,
    form: Optional[str] = None,
    board: str = "7x6",
    first_column: Optional[int] = None,
    delimiter: Optional[str] = None,
) -> list[Position]:
    r"""The positions of a file in its order, with their moves. The extension decides between CSV, JSON Lines and plain text.

    column: the column with the positions. Default: the only column, a column named "position", "moves" or similar, or 42
    columns with the cells of the board.
    form: "moves", "digits", "fen", "rows", "columns" or "bits". Default: by the look of the text.
    first_column: number of the leftmost column. Default: 1 in texts, 0 in lists of integers.

    Raises OSError for an unreadable file, ValueError with line, place and reason for a malformed position.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "games.csv")
    >>> _ = path.write_text("id,moves\n1,4455\n")
    >>> read_positions(path)[0].moves
    (3, 3, 4, 4)
    """
    name, extension = os.fspath(path), Path(path).suffix.lower()
    if delimiter is not None and extension not in (".csv", ".data", ".tsv"):
        raise ValueError(f"delimiter: {name} is not a CSV file")
    with open(name, encoding="utf-8-sig", newline="") as file:
        if extension in (".csv", ".data", ".tsv"):
            values, form = _cells(name, file, column, form, board, delimiter or ("\t" if extension == ".tsv" else ","))
        elif extension in (".jsonl", ".ndjson"):
            values = _members(name, file, column)
        elif extension == ".txt":
            values = ((at, line.strip()) for at, line in enumerate(file, 1) if line.strip() and line[0] != "#")
        else:
            raise ValueError(f"{name}: expected a file that ends in .csv, .tsv, .data, .jsonl or .txt")
        positions = []
        for line, value in values:
            try:
                positions.append(read_position(value, board, form, first_column))
            except (TypeError, ValueError) as error:
                raise ValueError(f"{name}:{line}: {error}") from None
    return positions


def _cells(
    name: str, file: Any, column: Optional[str], form: Optional[str], board: str, delimiter: str
) -> tuple[Iterator[tuple[int, str]], Optional[str]]:
    """The texts of the positions of a CSV file with their lines, and their form."""
    reader = csv.reader(file, delimiter=delimiter)
    rows: Iterator[tuple[int, list[str]]] = ((reader.line_num, row) for row in reader if any(cell.strip() for cell in row))
    line, header = next(rows, (1, [""]))
    width, height = Position(board=board).shape[::-1]
    names = [f"{chr(ord('a') + column)}{row}" for row in range(height, 0, -1) for column in range(width)]
    lower = [cell.lower() for cell in header]
    by_look = "columns" if "b" in lower and "w" not in lower else "rows"
    if column is None and set(names) <= set(lower):
        return _texts(name, rows, [lower.index(cell) for cell in names], len(header)), "rows"
    text = " ".join(header[: len(names)])
    if column is None and text.strip() and is_position(text, board, form or by_look):
        rows = itertools.chain([(line, header)], rows)
        return _texts(name, rows, range(len(names)), len(header)), form or by_look
    is_name = header[0] in _NAMES or header[0][:1].isalpha() or not header[0].strip()
    if column is None and not is_name and is_position(header[0], board, form):
        raise ValueError(f"{name}:{line}: `{header[0]}` is a position; expected a header, or a file that ends in .txt")
    place = header.index(_position_name(f"{name}:{line}", header, column))
    return _texts(name, rows, [place], len(header)), form


def _texts(name: str, rows: Iterator[tuple[int, list[str]]], places: Sequence[int], count: int) -> Iterator[tuple[int, str]]:
    """The cells at `places` of rows of `count` cells, with their lines."""
    for line, row in rows:
        if len(row) != count:
            raise ValueError(f"{name}:{line}: the row has {len(row)} fields; expected {count}")
        yield line, " ".join(row[place] for place in places)


def _members(name: str, file: Any, column: Optional[str]) -> Iterator[tuple[int, Any]]:
    """The values of the positions of a JSON Lines file, with their lines."""
    for number, line in enumerate(file, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise ValueError(f"{name}:{number}: {error}; expected a JSON object") from None
        if not isinstance(row, dict):
            raise ValueError(f"{name}:{number}: {line.strip()!r}; expected a JSON object")
        column = column or _position_name(f"{name}:{number}", list(row), None)
        if column not in row:
            raise ValueError(f"{name}:{number}: there is no key `{column}`")
        yield number, row[column]


def _position_name(place: str, names: Sequence[str], given: Optional[str]) -> str:
    """The name of the column with the positions. Raises ValueError unless exactly one column fits."""
    listed = ", ".join(f"`{name}`" for name in names)
    if given is not None:
        if given not in names:
            raise ValueError(f"{place}: column: there is no `{given}` among {listed}")
        return given
    found = [name for name in _NAMES if name in names]
    if len(names) == 1 or found[:1] == ["position"] or len(found) == 1:
        return names[0] if len(names) == 1 else found[0]
    fault = f"{', '.join(found)} may all be positions" if found else f"none of {listed} is one of {', '.join(_NAMES)}"
    raise ValueError(f"{place}: {fault}; `column` names the column with the positions")


def label(
    frame: Any,
    *,
    column: str = "moves",
    moves: bool = False,
    form: Optional[str] = None,
    board: str = "7x6",
    first_column: Optional[int] = None,
    prefix: str = "",
    timeout: Optional[float] = None,
) -> Any:
    """A copy of a pandas or polars DataFrame with exact scores of the positions in `column`: Position, texts, lists of columns
    from 0, or boards.

    New columns, for the side to move: `score`, `outcome` ("win", "draw" or "loss") and `distance` (plies to the end). With
    `moves` also `scores` (a list, None for full columns) and `best` (the best columns, from 0). prefix: put before these names.
    form, first_column: like `read_positions`.

    Raises ValueError or TypeError with the index, from 0, of a malformed position, ValueError if the frame has such a column
    already, TimeoutError after `timeout` seconds.

    >>> import pandas
    >>> label(pandas.DataFrame({"moves": ["4455"]})).to_dict("records")
    [{'moves': '4455', 'score': 18, 'outcome': 'win', 'distance': 3}]
    """
    if not hasattr(frame, "columns") or not hasattr(frame, "__getitem__"):
        raise TypeError(f"frame: {frame!r}; expected a DataFrame")
    names = [prefix + name for name in ("score", "outcome", "distance", "scores", "best")[: 5 if moves else 3]]
    taken = [name for name in names if name in frame.columns]
    if taken:
        raise ValueError(f"column {taken[0]!r} is in the frame already; `prefix` gives the new columns other names")
    positions = as_positions("position", frame[column], lambda given: read_position(given, board, form, first_column))
    solver = default_solver(board)
    if moves:
        rows = score_rows(solver, positions, timeout=timeout)
        legal = [[score for score in row if score is not None] for row in rows]
        scores = [max(row) if row else solver.solve(position) for row, position in zip(legal, positions)]
    else:
        rows, scores = [], list(map(int, solver.solve_many(positions, timeout=timeout)))
    plies = list(map(plies_of_score, positions, scores))
    best = [[column for column, of_move in enumerate(row) if of_move == score] for row, score in zip(rows, scores)]
    added = dict(zip(names, (scores, list(map(result_of, scores)), plies, rows, best)))
    if hasattr(frame, "assign"):
        return frame.assign(**added)
    series = type(frame[column])
    return frame.with_columns(series(name, values) for name, values in added.items())
