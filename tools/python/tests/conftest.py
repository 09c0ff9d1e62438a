"""The programs that the tests need: those of PLUMB, PLUMB_LAB and FAULTY_ENGINE, or on the PATH."""

from __future__ import annotations

import signal
import sys
import textwrap
from pathlib import Path
from typing import Iterator, List

import pytest

from plumb_engine.engine import Engine, EngineError, find_program
from scripts import Faulty, Script


def pytest_configure() -> None:
    """Ctrl-C works, here and in the processes of the tests: a shell without job control ignores it in what it starts with &."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _program(name: str, variable: str) -> str:
    try:
        return find_program(name, variable)
    except EngineError as error:
        pytest.fail(str(error))


@pytest.fixture(scope="session")
def plumb() -> str:
    """The path of the engine."""
    return _program("plumb", "PLUMB")


@pytest.fixture(scope="session")
def plumb_lab() -> str:
    """The path of the tool."""
    return _program("plumb-lab", "PLUMB_LAB")


@pytest.fixture
def engine(plumb: str) -> Iterator[Engine]:
    """Plumb, running."""
    with Engine.popen([plumb]) as running:
        yield running


@pytest.fixture
def faulty() -> Faulty:
    """The command of an engine with a fault, of `tools/lab/tests/programs/faulty_engine.rs`."""
    program = _program("faulty-engine", "FAULTY_ENGINE")

    def command(fault: str, ply: int = 0) -> List[str]:
        return [program, fault, str(ply)]

    return command


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """The command of an engine written in Python, with `say`, which prints a line, and `lines`, an iterator over its
    input."""
    head = """
        import os, sys, time
        def say(line):
            sys.stdout.write(line + "\\n")
            sys.stdout.flush()
        lines = (line.strip() for line in iter(sys.stdin.readline, ""))
    """

    def write(body: str) -> List[str]:
        path = tmp_path / "engine.py"
        path.write_text(textwrap.dedent(head) + textwrap.dedent(body), encoding="utf-8")
        return [sys.executable, str(path)]

    return write
