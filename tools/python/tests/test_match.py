"""Matches between engines, with real processes."""

from __future__ import annotations

import json
import math
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Callable, Dict, List

import pytest

from plumb_engine.engine import EngineError, Limit, Score
from plumb_engine.match import MatchError, MatchResult, Opening, play_match, read_match
from positions import position
from scripts import HANG, Faulty

pytestmark = [pytest.mark.filterwarnings("error"), pytest.mark.usefixtures("plumb", "plumb_lab")]


def test_a_match(tmp_path: Path) -> None:
    out = tmp_path / "a match"
    result = play_match("plumb", "skill-2", rounds=3, limit=Limit(depth=4), concurrency=2, out=out, options={"Hash": 4})
    assert result.engines == ("plumb", "skill-2")
    assert [game.number for game in result.games] == list(range(6))
    assert result.wins + result.draws + result.losses == 6
    assert result.points == result.wins + result.draws / 2 == 6 * result.score
    assert result.elo is not None and result.elo.low < result.elo.value
    assert result.pgn_path == out / "games.pgn" and result.pgn.count("[Result ") == 6
    assert result.directory == out and (out / "report.html").is_file()
    row = next(row for row in result.summary["standings"] if row["name"] == "plumb")
    assert (row["wins"], row["draws"], row["losses"]) == (result.wins, result.draws, result.losses)
    assert result.wins == sum(game.winner == "plumb" for game in result.games)
    assert result.losses == sum(game.loser == "plumb" for game in result.games)
    assert f"plumb: Elo {result.elo}, nElo " in " ".join(result.standings.split())
    assert json.loads((out / "summary.json").read_text()) == result.summary
    page = (out / "report.html").read_text()
    embedded = page.split('<script id="match-summary" type="application/json">')[1].split("</script>")[0]
    # The page must not show the commands of engines.
    names = [{"name": name} for name in result.engines]
    assert json.loads(embedded) == {**result.summary, "settings": {**result.summary["settings"], "engines": names}}
    for game in result.games:
        assert {game.first, game.second} == {"plumb", "skill-2"}
        assert (game.winner, game.loser) in ((game.first, game.second), (game.second, game.first), (None, None))
        assert game.reason in ("four_in_a_row", "full_board")
        end = position(game.columns)
        assert end.is_over and len(end.moves) == 8 + len(game.moves)
        assert all(move.time >= 0 and move.score is not None for move in game.moves)
    won = next(game for game in result.games if game.winner == "plumb")
    assert won.moves[-1].score == Score(plies=1)


def test_lists_of_openings() -> None:
    fen = "7/7/7/7/7/3XO2 w - - 0 1"
    empty = "7/7/7/7/7/7 w - - 0 1"
    openings: List[Opening] = ["4455", [0, 6], position([1, 5, 5]), fen, [], position([3], empty)]
    result = play_match("depth-1", "depth-2", openings=openings)
    assert [game.opening for game in result.games[::2]] == [(3, 3, 4, 4), (0, 6), (1, 5, 5), (3, 4), (), (3,)]
    assert (result.pgn_path, result.directory) == (None, None)
    assert len(result.games) == 12
    with pytest.raises(ValueError, match="openings: there is none"):
        play_match("depth-1", "depth-2", openings=[])
    with pytest.raises(ValueError, match=r"openings: \[9\]: move 9 at index 0: there is no column 9"):
        play_match("depth-1", "depth-2", openings=[[9]])
    with pytest.raises(MatchError, match="move 2, `x`: not a column digit"):
        play_match("depth-1", "depth-2", openings=["4x"])


def test_a_directory_has_one_match_with_its_openings(tmp_path: Path) -> None:
    out, own = tmp_path / "m", tmp_path / "openings.txt"
    own.write_text("mine\n")

    def play(out: Path, opening: str, resume: bool = False) -> MatchResult:
        return play_match("depth-1", "depth-2", openings=[opening], out=out, resume=resume)

    with pytest.raises(MatchError, match="not a column digit"):
        play(out, "4x")
    games = play(out, "44").games
    for place, opening, resume, text in (
        (tmp_path / "n", "44", True, "resume: `.*match.jsonl`: there is no match to resume"),
        (out, "44", False, "out: `.*match.jsonl`: there is a match already; resume=True continues it"),
        (out, "12", True, "openings: `.*openings.txt` has other lines"),
        (tmp_path, "44", False, "openings: `.*openings.txt` has other lines"),
    ):
        with pytest.raises(ValueError, match=text):
            play(place, opening, resume)
    assert (own.read_text(), (out / "openings.txt").read_text()) == ("mine\n", "44\n")
    assert play(out, "44", resume=True).games == games


def test_two_runs_are_equal() -> None:
    runs = [play_match("skill-5", "skill-9", rounds=4, limit=Limit(nodes=300), openings="random", seed=9) for _ in "ab"]
    games = [[game.columns for game in run.games] for run in runs]
    assert games[0] == games[1]
    assert runs[0].elo == runs[1].elo


def test_settings_of_engines(plumb: str, faulty: Faulty) -> None:
    first = {
        "cmd": [plumb],
        "name": "a, with",
        "depth": 2,
        "options": {"Hash": 2, "OwnBook": False, "Clear Hash": None},
    }
    second = {"cmd": faulty("crashes", 9), "name": "b", "nodes": 5}
    with pytest.raises(MatchError, match="game 1, a, with against b: 1-0, crash: .*; this fault ends the match"):
        play_match(first, second, rounds=1)
    result = play_match(
        first, second, rounds=1, blunders=True, timeout=20.0, recover=True
    )
    assert result.engines == ("a, with", "b") and result.wins == 2
    assert {game.reason for game in result.games} == {"crash"}
    assert all("about to crash" in game.detail for game in result.games)
    moves = [move for game in result.games for move in game.moves]
    assert moves and all(move.loss is not None and move.exact is not None for move in moves)


def test_time_controls() -> None:
    clocks = Limit(first_clock=2, second_clock=2, first_inc=0.01, second_inc=0.01)
    result = play_match("depth-2", "depth-3", rounds=1, limit=clocks, time_margin=5)
    clock = result.games[0].moves[0].clock
    assert clock is not None and 0 < clock <= 2.02
    assert len(play_match("depth-2", "depth-3", rounds=1, time_control="3+0.1", time_margin=5).games) == 2
    with pytest.raises(ValueError, match="the clocks differ"):
        play_match("plumb", "plumb", limit=Limit(first_clock=2, second_clock=3))
    with pytest.raises(ValueError, match="mate"):
        play_match("plumb", "plumb", limit=Limit(mate=2))


def test_elo_of_a_one_sided_match() -> None:
    result = play_match(
        "plumb", "depth-1", rounds=20, limit=Limit(depth=12), concurrency=2, openings="decided", options={"Hash": 4}
    )
    assert result.elo is not None
    if result.wins == 40:
        assert result.elo.value == math.inf and result.elo.high == math.inf
        assert str(result.elo).startswith("> ")
    else:
        assert result.elo.value > 0


@pytest.mark.parametrize(
    ("a", "settings", "text"),
    [
        ("plumb", {}, "`plumb` has no limit: limit or time_control is needed"),
        ("skill-21", {"limit": Limit(depth=1)}, "`skill-21`: Skill Levels are 0 to 20"),
        ("plumb", {"limit": Limit(depth=1), "options": {"Foo": 1}}, "option.Foo: no such option"),
        ("plumb", {"limit": Limit(depth=1), "options": {"Hash": 0}}, "`0` is out of range"),
        ("plumb", {"limit": Limit(depth=1), "openings": "missing.txt"}, "cannot read `missing.txt`"),
        ("plumb", {"limit": Limit(depth=1), "rounds": 0}, "`rounds 0`: expected a number from 1 to 1000000"),
        ("plumb", {"limit": Limit(depth=1), "sprt": [5, 0]}, "sprt"),
        ("plumb", {"limit": Limit(depth=1), "timeout": 1e6}, "`timeout 1000000`: expected "),
        ("/no/such/engine", {"limit": Limit(depth=1)}, "cannot be started"),
        ({"cmd": "plumb", "speed": 9}, {}, "`speed` is no setting of an engine"),
        ({"name": "x"}, {}, "an engine needs either `cmd`"),
        ({"cmd": ["plumb"], "name": "x,depth=9"}, {}, "name: 'x,depth=9' cannot be told from the next setting"),
        ({"cmd": "'plumb"}, {}, "the quotes in `'plumb` are not closed"),
    ],
)
def test_errors_have_the_sentence(a: object, settings: Dict[str, object], text: str) -> None:
    with pytest.raises(ValueError) as caught:
        play_match(a, "depth-2", **settings)  # type: ignore[arg-type]
    assert text in str(caught.value)


def test_numbers_reach_the_program_in_full() -> None:
    result = play_match("depth-1", "depth-2", rounds=1, sprt=(0.1234567, 1234.5675))
    assert "H0: 0.1234567 Elo, H1: 1234.5675 Elo" in result.standings


def test_the_program_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMB_LAB", "/no/such/program")
    with pytest.raises(EngineError, match="PLUMB_LAB names `/no/such/program`"):
        play_match("depth-1", "depth-2")


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_ctrl_c_ends_the_match_which_can_be_resumed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    openings = [f"4{first}{second}" for first in "123456" for second in "123"]
    slow = {"rounds": len(openings), "openings": openings, "out": out}
    record = out / "match.jsonl"

    def interrupt() -> None:
        while not (record.is_file() and record.read_text().count("\n") >= 2):
            time.sleep(0.005)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    limit = Limit(time=0.02)
    with pytest.raises(KeyboardInterrupt):
        play_match("plumb", "skill-15", limit=limit, time_margin=5, **slow)  # type: ignore[arg-type]
    lines = record.read_text().splitlines()
    assert 2 <= len(lines) < 37 and all(json.loads(line) for line in lines)
    assert (out / "games.pgn").is_file()
    result = play_match("plumb", "skill-15", limit=limit, time_margin=5, resume=True, **slow)  # type: ignore[arg-type]
    assert len(result.games) == 36


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_match_ends_with_a_program_that_is_killed(tmp_path: Path, number: int) -> None:
    out = tmp_path / "out"
    script = "import sys; from plumb_engine import *; play_match('plumb', 'plumb', limit=Limit(time=60), out=sys.argv[1])"

    def is_running() -> bool:
        return any(os.fsencode(out) in arguments_of(path) for path in Path("/proc").glob("[0-9]*"))

    def wait_until(condition: Callable[[], bool]) -> None:
        end = time.monotonic() + HANG / 2
        while not condition():
            assert time.monotonic() < end
            time.sleep(0.02)

    with subprocess.Popen([sys.executable, "-c", script, str(out)]) as program:
        wait_until((out / "match.jsonl").is_file)
        assert is_running()
        program.send_signal(number)
    wait_until(lambda: not is_running())


def arguments_of(process: Path) -> bytes:
    """The command line of a process, empty if it has ended."""
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""


def test_a_match_is_read_again(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    result = play_match("plumb", "skill-2", rounds=2, limit=Limit(depth=3), out=tmp_path / "match", options={"Hash": 4})
    again = read_match(tmp_path / "match")
    assert (again.games, again.summary, again.elo, again.pgn) == (result.games, result.summary, result.elo, result.pgn)
    frame = again.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and list(frame["number"]) == [0, 1, 2, 3]
    assert list(frame["winner"].dropna()) == [game.winner for game in result.games if game.winner is not None]
    record = tmp_path / "match" / "match.jsonl"
    record.write_text(re.sub(r'("score":{[^}]*})(,"bound":"upper")?', r'\1,"bound":"lower"', record.read_text()))
    bounds = read_match(tmp_path / "match")
    assert {move.score.bound for game in bounds.games for move in game.moves if move.score} == {"lower"}
    assert hash(bounds) == hash(again)
    with pytest.raises(EngineError, match="summary.json"):
        read_match(tmp_path / "none")
    for name in ("match.jsonl", "games.pgn"):
        path = tmp_path / "match" / name
        whole = path.read_bytes()
        path.write_bytes(whole + b"\xff")
        with pytest.raises(EngineError, match=name):
            read_match(tmp_path / "match")
        path.write_bytes(whole)


def test_progress_and_a_table_for_notebooks(capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm")
    result = play_match("depth-3", "depth-1", rounds=2, progress=True)
    assert "4/4" in capfd.readouterr().err
    assert "<th>Elo of the first</th>" in result._repr_html_() and str(result.points) in result._repr_html_()


def test_a_match_without_a_limit_names_the_argument() -> None:
    with pytest.raises(MatchError, match="^`plumb` has no limit: limit or time_control is needed$"):
        play_match("plumb", "skill-3", rounds=1)
    with pytest.raises(TypeError, match=r"limit: 0.1: expected Limit\(time=0.1\)"):
        play_match("plumb", "skill-3", rounds=1, limit=0.1)  # type: ignore[arg-type]
