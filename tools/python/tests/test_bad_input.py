"""What wrong values of arguments are answered with: for each public function the exception and its sentence."""

from __future__ import annotations

import inspect
import io
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import plumb_engine
import plumb_engine.engine
from plumb_engine.engine import Engine

numpy = pytest.importorskip("numpy")
pandas = pytest.importorskip("pandas")
pytest.importorskip("gymnasium")
pytest.importorskip("anywidget")

ROWS = [line.split(" | ") for line in Path(__file__).with_name("bad_input.txt").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def names(plumb: str, plumb_lab: str) -> Iterator[dict[str, object]]:
    from plumb_engine.environment import ConnectFour, observation

    found = {name: getattr(module, name) for module in (plumb_engine.engine, plumb_engine) for name in module.__all__}
    found["play_in_notebook"] = plumb_engine.play_in_notebook
    modules = {"io": io, "random": random, "numpy": numpy, "pandas": pandas}
    with Engine.popen([plumb]) as engine:
        yield {**found, **modules, "ConnectFour": ConnectFour, "observation": observation, "engine": engine}


@pytest.mark.parametrize(("call", "exception", "sentence"), ROWS, ids=[row[0] for row in ROWS])
def test_a_wrong_value_is_named(names: dict[str, object], call: str, exception: str, sentence: str) -> None:
    with pytest.raises(Exception) as raised:
        eval(call, names)
    assert type(raised.value).__name__ == exception and str(raised.value).startswith(sentence), str(raised.value)


def test_each_public_function_is_in_the_table() -> None:
    calls = " ".join(row[0] for row in ROWS)
    functions = [name for name in (*plumb_engine.__all__, "play_in_notebook") if inspect.isroutine(getattr(plumb_engine, name))]
    methods = [f"{cls.__name__}.{name}" for cls in (plumb_engine.Position,) for name in vars(cls) if name.startswith("from_")]
    for name in [*functions, *methods, "Position", "Solver", "Player", "Limit", "Engine.popen"]:
        assert re.search(rf"\b{re.escape(name)}\(", calls), name
