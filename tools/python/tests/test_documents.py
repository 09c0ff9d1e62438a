"""The README's lines, the notebooks and the examples of the docstrings, run as they stand."""

from __future__ import annotations

import doctest
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import plumb_engine
import plumb_engine.engine
import plumb_engine.environment
import plumb_engine.match
import user_script

ROOT = Path(__file__).parents[1]
NAMES = {
    **{name: getattr(plumb_engine.environment, name) for name in ("ConnectFour", "observation")},
    **{name: getattr(plumb_engine.match, name) for name in plumb_engine.match.__all__},
    **{name: getattr(plumb_engine.engine, name) for name in plumb_engine.engine.__all__},
    **{name: getattr(plumb_engine, name) for name in (*plumb_engine.__all__, "play_in_notebook")},
}


def documented(name: str, item: object) -> Iterator[tuple[str, str]]:
    """The docstrings of a function, or of a class and its methods, that have to have an example; exceptions need none."""
    if not callable(item) or not getattr(item, "__module__", "").startswith("plumb_engine"):
        return
    if inspect.isclass(item) and issubclass(item, BaseException):
        return
    yield name, inspect.getdoc(item) or ""
    for method, of_class in vars(item).items() if inspect.isclass(item) else ():
        if not method.startswith("_") and (callable(of_class) or isinstance(of_class, (classmethod, staticmethod))):
            yield f"{name}.{method}", inspect.getdoc(getattr(item, method)) or ""


EXAMPLES = dict(pair for name, item in NAMES.items() for pair in documented(name, item))


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.usefixtures("plumb", "plumb_lab")
def test_the_examples_of_docstrings(name: str) -> None:
    example = doctest.DocTestParser().get_doctest(EXAMPLES[name], dict(NAMES), name, None, None)
    assert example.examples, f"{name} has no example"
    said: list[str] = []
    assert doctest.DocTestRunner().run(example, out=said.append).failed == 0, "".join(said)


@pytest.mark.usefixtures("plumb")
def test_the_script_of_a_user_runs() -> None:
    user_script.main()


def test_the_readme_runs() -> None:
    pytest.importorskip("gymnasium")
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    assert len(blocks) == 2
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_the_notebooks_run(path: Path, tmp_path: Path) -> None:
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    nbformat.write(notebook, tmp_path / path.name)
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert outputs and not any(output.output_type == "error" for output in outputs)
