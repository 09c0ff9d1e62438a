"""An agent as a UCI engine, in real processes."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

import plumb_engine
from plumb_engine import Engine, EngineError, Limit, Position, play_match


def program(tmp_path: Path, agent: str) -> list[str]:
    path = tmp_path / "agent.py"
    path.write_text(f"import plumb_engine\nplumb_engine.serve({agent}, 'tester')\n")
    return [sys.executable, str(path)]


def test_it_plays_through_the_client(tmp_path: Path) -> None:
    with Engine.popen(program(tmp_path, "plumb_engine.best_move")) as engine:
        assert engine.id["name"] == "tester"
        for digits in ("4455", "44", "444444"):
            position = Position(digits)
            assert engine.play(position, Limit(time=1)).move == plumb_engine.best_move(position)
            again = Position.from_fen(position.fen())
            assert engine.play(again, Limit(time=1)).move == plumb_engine.best_move(position)


def test_it_plays_a_match(tmp_path: Path) -> None:
    command = " ".join(program(tmp_path, "lambda position: print('thinking') or position.legal_moves[0]"))
    result = play_match({"name": "left", "cmd": command, "timemargin": 5000}, "skill-0", rounds=2, limit=Limit(time=0.05))
    assert len(result.games) == 4 and all(game.reason != "crash" for game in result.games)


def test_an_illegal_move_is_none(tmp_path: Path) -> None:
    with Engine.popen(program(tmp_path, "lambda position: 9")) as engine, pytest.raises(EngineError):
        engine.play(Position(), Limit(time=1))


@pytest.mark.parametrize("start", ["startpos", f"fen {Position().fen()}"])
def test_a_list_of_moves_may_be_empty(start: str) -> None:
    said = io.StringIO()
    lines = f"position startpos moves d1\nposition {start} moves\ngo\n"
    plumb_engine.serve(lambda position: 3, input=io.StringIO(lines), output=said)
    assert said.getvalue() == "bestmove P@d1\n"


def test_standard_output_is_put_back(capsys: pytest.CaptureFixture[str]) -> None:
    before = sys.stdout
    plumb_engine.serve(lambda position: print("thinking") or 3, input=io.StringIO("go\n"))
    assert sys.stdout is before and capsys.readouterr() == ("bestmove P@d1\n", "thinking\n")


def test_lines() -> None:
    said = io.StringIO()
    games: list[int] = []
    lines = "uci\nisready\nucinewgame\nposition startpos moves d1 P@d2 d\nposition startpos moves d9\nposition fen x\nposition here\ngo\n\nxyzzy\nquit\ngo\n"
    plumb_engine.serve(lambda position: 3, new_game=lambda: games.append(1), input=io.StringIO(lines), output=said)
    answers = said.getvalue().splitlines()
    assert answers[-1] == "bestmove P@d4" and answers.count("bestmove P@d4") == 1 and games == [1]
    assert "info string `d9`: the stone lands on rank 1, not 9; the position stays as it was" in answers
    assert "info string `x`: the row has" in said.getvalue()
    assert sum(line.startswith("info string `here`: not a position") for line in answers) == 1
