"""Files and data frames of positions in the forms that other programs write."""

from __future__ import annotations

from pathlib import Path

import pytest

import plumb_engine
from plumb_engine import Position, label, read_positions

pytestmark = [pytest.mark.filterwarnings("error"), pytest.mark.usefixtures("plumb_lab")]

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
    with pytest.raises(ValueError, match=r"zero\.tsv:1: none of `id`, `text` is `position`"):
        read_positions(path)
    with pytest.raises(ValueError, match="cannot read `.*no--ne.csv"):
        read_positions(tmp_path / "no--ne.csv")


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
    assert [[column - 1 for column in best] for best in labelled["best"]] == [
        plumb_engine.best_moves(text) for text in texts
    ]
    lists = pandas.DataFrame({"p": [[4, 4, 5, 3], POSITION, numpy.array([4, 4, 5, 3])]})
    assert list(label(lists, column="p")["distance"]) == [plumb_engine.distance(POSITION)] * 3
    with pytest.raises(ValueError, match="'score' is in the frame already"):
        label(labelled)
    with pytest.raises(ValueError, match="position at index 1: `9` at byte 0: there is no column 9"):
        label(pandas.DataFrame({"moves": ["4", "9"]}))
