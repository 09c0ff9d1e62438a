"""All functions by all kinds of input: what they return, or the exception that names the remedy."""

from __future__ import annotations

from typing import Any, Callable

import pytest

import plumb_engine
from plumb_engine import Position, Solver

numpy = pytest.importorskip("numpy")
pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")

TEXTS = ["4455", "44556"]
POSITIONS = [Position(text) for text in TEXTS]
BOARDS = [position.to_array() for position in POSITIONS]
ARRAYS = numpy.array(BOARDS)
COLUMNS = [list(position.moves) for position in POSITIONS]
LIBRARIES = ("bitbully", "alpha_zero_general", "pufferlib", "pgx")

KINDS: dict[str, Any] = {
    "text": TEXTS[0],
    "Position": POSITIONS[0],
    "columns": COLUMNS[0],
    "array of columns": numpy.array(COLUMNS[0]),
    "None": None,
    "number": 4455,
    "nan": float("nan"),
    "board": BOARDS[0],
    "array of a board": ARRAYS[0],
    "diagram": str(POSITIONS[0]),
    "texts": TEXTS,
    "Positions": POSITIONS,
    "iterator": lambda: iter(TEXTS),
    "lists of columns": COLUMNS,
    "boards": BOARDS,
    "array of texts": numpy.array(TEXTS),
    "array of boards": ARRAYS,
    "floats": ARRAYS.astype(float),
    "list of arrays": list(ARRAYS),
    "flat boards": ARRAYS.reshape(-1, 42),
    "Series of texts": pandas.Series(TEXTS),
    "Series of columns": pandas.Series(COLUMNS),
    "Series of boards": pandas.Series(BOARDS),
    "Series of digits": pandas.Series([4455, 44556]),
    "Series with NaN": pandas.Series(["4455", None]),
    "polars texts": polars.Series(TEXTS),
    "polars columns": polars.Series(COLUMNS),
    "polars boards": polars.Series(BOARDS),
    "polars digits": polars.Series([4455, 44556]),
    "arrow texts": pyarrow.array(TEXTS),
    "arrow columns": pyarrow.array(COLUMNS),
    "arrow boards": pyarrow.array(BOARDS),
    "arrow digits": pyarrow.array([4455, 44556]),
    **{library: numpy.array([getattr(one, f"to_{library}")() for one in POSITIONS]) for library in LIBRARIES},
    "pettingzoo": numpy.array([one.to_pettingzoo()["observation"] for one in POSITIONS]),
}


def labelled(values: Any) -> Any:
    column = list(values.to_pylist() if hasattr(values, "to_pylist") else values)
    return plumb_engine.label(pandas.DataFrame({"moves": column}))["score"].tolist()


def evaluated(values: Any) -> Any:
    return [move.best_score for move in plumb_engine.evaluate(lambda position: position.legal_moves[0], values).moves]


FUNCTIONS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "solve": (plumb_engine.solve, 18),
    "scores": (plumb_engine.scores, plumb_engine.scores(TEXTS[0])),
    "from_array": (Position.from_array, POSITIONS[0]),
    "from_moves": (lambda columns: Position.from_moves(columns).moves, POSITIONS[0].moves),
    "solve_many": (lambda values: plumb_engine.solve_many(values).tolist(), [18, -18]),
    "Solver": (lambda values: Solver(hash_mb=1).scores_many(values).max(axis=1).tolist(), [18, -18]),
    "outcomes": (lambda values: plumb_engine.outcome_many(values).tolist(), ["win", "loss"]),
    "distances": (lambda values: plumb_engine.distance_many(values).tolist(), [3, 2]),
    "evaluate": (evaluated, [18, -18]),
    "label": (labelled, [18, -18]),
    "judge": (plumb_engine.judge, None),
}

# =: the expected result. 1: only the result of the first position. T: TypeError. V: ValueError. Dot: not tested.
TABLE = """
                   solve scores from_array from_moves solve_many Solver outcomes distances evaluate label judge
text                 =     =        T          T          T         T      T         T         .      .     1
Position             =     =        T          T          T         T      T         T         T      .     1
columns              T     T        V          =          T         T      T         T         T      .     1
array of columns     T     T        V          =          T         T      T         T         T      .     1
None                 T     T        T          T          T         T      T         T         T      .     T
number               T     T        T          T          T         T      T         T         V      .     T
nan                  T     T        T          T          T         T      T         T         T      .     T
board                T     T        =          T          1         1      1         1         V      .     V
array of a board     T     T        =          T          1         1      1         1         V      .     V
diagram              =     =        T          T          T         T      T         T         .      .     V
texts                T     T        V          T          =         =      =         =         =      =     =
Positions            T     T        V          T          =         =      =         =         =      =     =
iterator             T     T        V          T          =         =      =         =         =      =     =
lists of columns     T     T        V          T          V         V      V         V         =      =     =
boards               T     T        V          T          =         =      =         =         =      =     V
array of texts       T     T        V          T          =         =      =         =         =      =     =
array of boards      T     T        V          T          =         =      =         =         =      =     V
floats               T     T        V          T          =         =      =         =         =      =     V
list of arrays       T     T        V          T          =         =      =         =         =      =     V
flat boards          T     T        V          T          V         V      V         V         V      V     V
Series of texts      T     T        V          T          =         =      =         =         =      =     =
Series of columns    T     T        V          T          V         V      V         V         =      =     =
Series of boards     T     T        V          T          =         =      =         =         =      =     V
Series of digits     T     T        V          V          T         T      T         T         T      T     V
Series with NaN      T     T        V          T          T         T      T         T         T      T     T
polars texts         T     T        V          T          =         =      =         =         =      =     =
polars columns       T     T        V          T          V         V      V         V         =      =     =
polars boards        T     T        V          T          =         =      =         =         =      =     V
polars digits        T     T        V          V          T         T      T         T         T      T     V
arrow texts          T     T        V          T          =         =      =         =         =      =     =
arrow columns        T     T        V          T          V         V      V         V         =      =     =
arrow boards         T     T        V          T          =         =      =         =         =      =     V
arrow digits         T     T        V          V          T         T      T         T         T      T     V
bitbully             T     T        V          T          V         V      V         V         V      V     V
alpha_zero_general   T     T        V          T          =         =      =         =         =      =     V
pufferlib            T     T        V          T          V         V      V         V         T      T     T
pgx                  T     T        V          T          V         V      V         V         V      V     V
pettingzoo           T     T        V          T          V         V      V         V         V      V     V
"""
NAMES, *ROWS = TABLE.strip().splitlines()
CASES = [(row[:20].strip(), name, cell) for row in ROWS for name, cell in zip(NAMES.split(), row[20:].split())]
ERRORS = {"T": TypeError, "V": ValueError}


def test_the_table_is_complete() -> None:
    assert {kind for kind, _, _ in CASES} == set(KINDS) and NAMES.split() == list(FUNCTIONS)


@pytest.mark.parametrize(("kind", "name", "cell"), CASES, ids=[f"{name}({kind})" for kind, name, _ in CASES])
def test_each_function_by_each_kind(kind: str, name: str, cell: str) -> None:
    function, result = FUNCTIONS[name]
    value = KINDS[kind]() if kind == "iterator" else KINDS[kind]
    if name == "judge":
        judged = [plumb_engine.judge(text) for text in TEXTS]
        result = judged[0] if cell == "1" else judged
    if cell in ERRORS:
        with pytest.raises(ERRORS[cell]):
            function(value)
    elif cell == "=" or name == "judge" and cell == "1":
        assert function(value) == result
    elif cell == "1":
        assert function(value) == result[:1]


@pytest.mark.parametrize(
    ("kind", "remedy"),
    [
        ("bitbully", "Position.from_bitbully"),
        ("pufferlib", "Position.from_pufferlib"),
        ("flat boards", "Position.from_kaggle"),
        ("pgx", "Position.from_pgx"),
        ("pettingzoo", "Position.from_pettingzoo"),
        ("lists of columns", "Position.from_moves"),
        ("Series of digits", "dtype=str"),
        ("arrow digits", "dtype=str"),
    ],
)
def test_an_error_names_the_remedy(kind: str, remedy: str) -> None:
    with pytest.raises((TypeError, ValueError), match=remedy):
        plumb_engine.solve_many(KINDS[kind])
