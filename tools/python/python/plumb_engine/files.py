"""Files and data frames of positions in any form, read and labelled by the program plumb-lab.

    from plumb_engine import label, read_positions

    positions = read_positions("connect-4.data")
    frame = label(frame, column="moves")
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._native import Position
from .lab import run_lab

if TYPE_CHECKING:
    from typing import Mapping, Optional, Union

__all__ = ["label", "read_positions"]


def read_positions(
    path: Union[str, os.PathLike[str]],
    *,
    column: Optional[str] = None,
    form: Optional[str] = None,
    board: str = "7x6",
    first_column: Optional[int] = None,
    delimiter: Optional[str] = None,
) -> list[Position]:
    """The positions of a file, in its order: CSV, JSON Lines or plain text, by the extension of its name.

    They are read as by the command `plumb-lab label`, whose flags the arguments are: `column` has the positions, or else
    the only column, one with a name such as "position" or "moves", or 42 columns with the cells of the board; `form` is
    "moves", "digits", "fen", "rows", "columns" or "bits" where the look does not tell it; `first_column` is the number of the
    leftmost column, 1 or 0.

    Raises ValueError with line, place and reason if there is no such file or a position is malformed; EngineError if there
    is no program plumb-lab.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "games.csv")
    >>> _ = path.write_text("id,moves\\n1,4455\\n")
    >>> read_positions(path)[0] == Position("4455")
    True
    """
    options = {"column": column, "form": form, "board": board, "first-column": first_column, "delimiter": delimiter}
    with tempfile.TemporaryDirectory(prefix="plumb-label-") as folder:
        rows = _labelled(Path(path), Path(folder), {**options, "as": "fen", "prefix": _PREFIX})
        return [Position.from_fen(row[f"{_PREFIX}fen"]) for row in rows]


def label(
    frame: Any,
    *,
    column: str = "moves",
    moves: bool = False,
    form: Optional[str] = None,
    board: str = "7x6",
    first_column: Optional[int] = None,
) -> Any:
    """A copy of a pandas DataFrame with exact scores of the positions in `column`: Position, texts or lists.

    New columns are `score`, `outcome` ("win", "draw" or "loss") and `distance` (plies to the end), for the side to move; with
    `moves` also `scores`, the list of the scores of the moves with None for a full column, and `best`, the columns from 1
    that keep the score. The other arguments are those of `read_positions`; columns in lists count from 1 as in texts, unless
    `first_column` is 0, as `Position.moves` needs it.

    Raises ValueError if a position is malformed, with its index from 0, or if the frame has a column of such a name; EngineError if
    there is no program plumb-lab.

    >>> import pandas
    >>> label(pandas.DataFrame({"moves": ["4455"]})).to_dict("records")
    [{'moves': '4455', 'score': 18, 'outcome': 'win', 'distance': 3}]
    """
    if not hasattr(frame, "assign"):
        raise TypeError(f"frame: {frame!r}; expected a DataFrame")
    names = ["score", "outcome", "distance"] + (["scores", "best"] if moves else [])
    taken = [name for name in names if name in frame.columns]
    if taken:
        raise ValueError(f"column {taken[0]!r} is in the frame already; rename it before")
    with tempfile.TemporaryDirectory(prefix="plumb-label-") as folder:
        path = Path(folder, "frame.jsonl")
        with path.open("w", encoding="utf-8") as file:
            for index, value in enumerate(frame[column].tolist()):
                text = value.fen() if isinstance(value, Position) else value
                try:
                    # NaN is no JSON, and pandas' NA nothing that JSON has.
                    file.write(json.dumps({"position": text}, default=_plain, allow_nan=False) + "\n")
                except (AttributeError, TypeError, ValueError):
                    raise ValueError(f"position at index {index}: {value!r}; expected a Position, its text or a list") from None
        options: dict[str, object] = {"form": form, "board": board, "first-column": first_column, "moves": moves}
        rows = _labelled(path, Path(folder), options)
    return frame.assign(**{name: [row[name] for row in rows] for name in names})


# What comes before the names of labels, so that no key of a file is taken.
_PREFIX = "plumb_engine "


def _plain(value: Any) -> Any:
    """An array or a number of NumPy as lists and numbers."""
    return value.tolist()


def _labelled(path: Path, folder: Path, options: Mapping[str, object]) -> list[dict[str, Any]]:
    """The rows of a file as `plumb-lab label` writes them with these flags."""
    out = folder / "labelled.jsonl"
    words = ["label", os.fspath(path), f"--out={out}"]
    given = {name: value for name, value in options.items() if value is not None and value is not False}
    words += [f"--{name}" if value is True else f"--{name}={value}" for name, value in given.items()]
    status, _, sentence = run_lab(words)
    if status != 0:
        line = re.escape(f"{folder / 'frame.jsonl'}:") + r"(\d+)"
        raise ValueError(re.sub(line, lambda found: f"position at index {int(found[1]) - 1}", sentence))
    with out.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]
