"""Files and data frames of positions in the forms that other programs write."""

from __future__ import annotations

from pathlib import Path

import pytest

import plumb_engine
from plumb_engine import Position, label, read_positions

pytestmark = pytest.mark.filterwarnings("error")

POSITION = Position("4453")


def test_a_file_is_read_in_any_form(tmp_path: Path) -> None:
    cells = [[0] * 7 for _ in range(4)] + [[0, 0, 0, 2, 0, 0, 0], [0, 0, 2, 1, 1, 0, 0]]
    columns = [cells[5 - row][column] for column in range(7) for row in range(6)]
    files = {
        "a.txt": "4453\nddec\n",
        "b.csv": "id,moves\n1,4453\n",
        "c.jsonl": f'{{"board": {cells}, "fen ": 1}}\n',
        "connect-4.data": ",".join("bxo"[cell] for cell in columns) + ",loss\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        assert set(read_positions(path)) == {POSITION}, name
    path = tmp_path / "zero.tsv"
    path.write_text("id\ttext\n1\t3342\n", encoding="utf-8")
    assert read_positions(str(path), column="text", first_column=0) == [POSITION]
    for name, text, settings, error in (
        ("zero.tsv", "id\ttext\n1\t3342\n", {}, r"zero\.tsv:1: none of `id`, `text` is one of position, moves"),
        ("b.csv", "id,moves\n1,44\n\n2,48\n", {}, r"b\.csv:4: move 2, `8`: there is no column 8"),
        ("b.csv", "id,moves\n1\n", {}, r"b\.csv:2: the row has 1 fields; expected 2"),
        ("b.csv", "4455\n44\n", {}, r"b\.csv:1: `4455` is a position; expected a header"),
        ("b.csv", "id,moves\n1,44\n", {"column": "x"}, r"b\.csv:1: column: there is no `x` among `id`, `moves`"),
        ("b.csv", "pos,moves\n1,44\n", {}, r"b\.csv:1: moves, pos may all be positions; `column` names"),
        ("c.jsonl", '{"moves": [3, 7]}\n', {}, r"c\.jsonl:1: move 7 at index 1"),
        ("c.jsonl", '{"moves": "4"}\n{"x": 1}\n', {}, r"c\.jsonl:2: there is no key `moves`"),
        ("c.jsonl", "[4]\n", {}, r"c\.jsonl:1: '\[4\]'; expected a JSON object"),
        ("a.txt", "44\n", {"form": "words"}, r"a\.txt:1: form: expected one of any, moves"),
        ("a.txt", "44\n", {"delimiter": ";"}, "a.txt is not a CSV file"),
        ("a.dat", "44\n", {}, "expected a file that ends in .csv"),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
        with pytest.raises(ValueError, match=error):
            read_positions(tmp_path / name, **settings)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        read_positions(tmp_path / "none.csv")


def test_lists_count_from_0_and_texts_from_1(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "a.jsonl"
    path.write_text('{"moves": [3, 3, 4, 2]}\n{"moves": "4453"}\n', encoding="utf-8")
    assert read_positions(path) == [POSITION] * 2 and read_positions(path)[0].moves == (3, 3, 4, 2)
    frame = pandas.DataFrame({"moves": [[3, 3, 4, 2], "4453"]})
    assert list(label(frame)["score"]) == [plumb_engine.solve(POSITION)] * 2
    from_one = pandas.DataFrame({"moves": [[4, 4, 5, 3]]})
    assert list(label(from_one, first_column=1)["score"]) == [plumb_engine.solve(POSITION)]
    assert plumb_engine.judge([3, 3, 4, 2]) == plumb_engine.judge("4453")


def test_a_frame_is_labelled() -> None:
    pandas = pytest.importorskip("pandas")
    numpy = pytest.importorskip("numpy")
    texts = ["4453", "", "44535"]
    frame = pandas.DataFrame({"moves": texts, "weight": [1.0, 2.0, 3.0]}, index=[5, 6, 7])
    labelled = label(frame, moves=True)
    assert list(frame.columns) == ["moves", "weight"] and list(labelled.index) == [5, 6, 7]
    assert list(labelled["score"]) == [plumb_engine.solve(text) for text in texts]
    assert list(labelled["outcome"]) == [plumb_engine.outcome(text) for text in texts]
    assert list(labelled["scores"]) == [plumb_engine.scores(text) for text in texts]
    assert list(labelled["best"]) == [plumb_engine.best_moves(text) for text in texts]
    over = label(pandas.DataFrame({"moves": ["4455667"]}), moves=True).to_dict("records")[0]
    assert (over["score"], over["distance"], over["best"]) == (-18, 0, [])
    lists = pandas.DataFrame({"p": [[3, 3, 4, 2], POSITION, numpy.array([3, 3, 4, 2]), numpy.array(POSITION.to_array())]})
    assert list(label(lists, column="p")["distance"]) == [plumb_engine.distance(POSITION)] * 4
    assert "plumb_score" in label(labelled, prefix="plumb_").columns
    with pytest.raises(TimeoutError):
        label(pandas.DataFrame({"moves": [""]}), board="8x7", timeout=0.1)
    polars = pytest.importorskip("polars")
    assert label(polars.DataFrame({"moves": texts}), moves=True)["best"].to_list() == list(labelled["best"])
    with pytest.raises(ValueError, match="'score' is in the frame already"):
        label(labelled)
    with pytest.raises(ValueError, match="position at index 1: move 1, `9`: there is no column 9"):
        label(pandas.DataFrame({"moves": ["4", "9"]}))
