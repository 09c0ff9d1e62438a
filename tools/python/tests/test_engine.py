"""The blocking engine client, with real processes."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from typing import Any, Dict, Type

import pytest

from plumb_engine.engine import (
    AnalysisComplete,
    Engine,
    EngineError,
    EngineTerminatedError,
    EngineTimeoutError,
    Info,
    Limit,
    OptionError,
    PlayResult,
)
from positions import WON, position
from scripts import UCI, Script

pytestmark = pytest.mark.filterwarnings("error")


def test_play(engine: Engine) -> None:
    result = engine.play(WON, Limit(time=0.2))
    assert result == PlayResult(3)
    assert engine.id["name"].startswith("Plumb")
    assert engine.protocol == "uci"


def test_play_with_info(engine: Engine) -> None:
    info = engine.play(WON, Limit(depth=5), info=True).info
    assert info is not None and info.score is not None
    assert (info.score.plies, info.score.moves, info.score.bound, info.pv) == (1, 1, "exact", [3])


def test_a_whole_game_is_played(engine: Engine) -> None:
    game = position()
    while not game.is_over:
        move = engine.play(game, Limit(nodes=500)).move
        assert move in game.legal_moves
        game = position([*game.moves, move])
    assert len(game.moves) > 6


def test_the_default_command_is_plumb(plumb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMB", plumb)
    with Engine.popen() as engine:
        assert engine.play(WON, Limit(depth=1)).move == 3
    monkeypatch.setenv("PLUMB", "/no/such/program")
    with pytest.raises(EngineError, match="PLUMB names `/no/such/program`"):
        Engine.popen()


def test_a_command_line_is_split(plumb: str, tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("needs links")
    folder = tmp_path / "my engines"
    folder.mkdir()
    (folder / "plumb").symlink_to(plumb)
    with Engine.popen(f'"{folder}/plumb"') as engine:
        assert engine.play(WON, Limit(depth=1)).move == 3
    with Engine.popen(folder / "plumb") as engine:
        engine.ping()


def test_plies_and_moves_agree_between_the_dialects(plumb: str) -> None:
    for protocol in ("uci", "ugi"):
        with Engine.popen([plumb], protocol=protocol) as engine:
            assert engine.protocol == protocol
            for moves, plies, count in (([2, 6, 3, 6, 4], -2, -1), ([2, 0, 3, 0], 3, 2), ([0, 0, 1, 1, 2, 2], 1, 1)):
                score = engine.analyse(position(moves), Limit(depth=12)).score
                assert score is not None and (score.plies, score.moves) == (plies, count)


def test_positions_from_a_fen(plumb: str) -> None:
    start = "7/7/7/7/ooo4/XXX4 w - - 0 1"
    for protocol in ("uci", "ugi"):
        with Engine.popen([plumb], protocol=protocol) as engine:
            assert engine.play(position([], start), Limit(depth=3)).move == 3
            assert engine.play(position([6, 3, 3, 6], start), Limit(depth=3)).move in range(7)


def test_auto_finds_the_dialect(plumb: str, script: Script) -> None:
    with Engine.popen([plumb], protocol="auto") as engine:
        assert engine.protocol == "uci"
    ends_at_uci = """
        for line in lines:
            if line == "ugi":
                say("id name only ugi")
                say("ugiok")
            elif line == "isready":
                say("readyok")
            elif line.startswith("go"):
                say("bestmove d")
            else:
                sys.exit(4) if line in ("uci", "quit") else None
    """
    with Engine.popen(script(ends_at_uci), protocol="auto") as engine:
        assert (engine.protocol, engine.id["name"]) == ("ugi", "only ugi")
        assert engine.play(position(), Limit(time=0.1)) == PlayResult(3)


def test_root_moves(engine: Engine) -> None:
    assert engine.play(WON, Limit(depth=4), root_moves=[6]).move == 6
    assert engine.analyse(WON, Limit(depth=4), root_moves=[5]).pv[0] == 5
    with pytest.raises(ValueError, match="root_moves: column 7 is not legal; expected some of 0, 1"):
        engine.play(WON, Limit(depth=4), root_moves=[3, 7])
    with pytest.raises(ValueError, match="root_moves: there is no move"):
        engine.play(WON, Limit(depth=4), root_moves=[])


def test_multipv(engine: Engine) -> None:
    lines = engine.analyse(WON, Limit(depth=6), multipv=7)
    assert sorted(line.pv[0] for line in lines) == list(range(7))
    assert [line.multipv for line in lines] == list(range(1, 8))
    assert lines[0].pv == [3]
    assert isinstance(engine.analyse(WON, Limit(depth=6)), Info)
    with pytest.raises(OptionError, match="option `MultiPV`: 26: out of range; expected a whole number from 1 to 25"):
        engine.analyse(WON, Limit(depth=6), multipv=26)


def test_win_draw_loss(engine: Engine) -> None:
    engine.configure({"UCI_ShowWDL": True})
    assert engine.analyse(WON, Limit(depth=6)).wdl == (1000, 0, 0)


def test_streaming(engine: Engine) -> None:
    engine.configure({"OwnBook": False})
    seen = []
    with engine.analysis(position(), multipv=2) as analysis:
        for info in analysis:
            seen.append(info)
            if len(seen) >= 4:
                break
        assert len(analysis.multipv) == 2
        assert analysis.info.depth is not None
    assert analysis.is_done
    result = analysis.wait()
    assert result.move in range(7) and result.info is not None
    for _ in analysis:
        pass
    with pytest.raises(AnalysisComplete):
        analysis.get()
    assert all(info.is_variation for info in seen)


def test_an_analysis_ends_at_its_limit(engine: Engine) -> None:
    analysis = engine.analysis(position([0, 1, 2]), Limit(depth=4))
    lines = list(analysis)
    assert lines and analysis.wait().move in range(7)
    analysis.stop()
    ended = engine.analysis(position([0, 1, 3]), Limit(depth=4))
    ended.wait()
    assert ended.get(timeout=0).depth is not None
    with pytest.raises(AnalysisComplete):
        while True:
            ended.get(timeout=0)


def test_get_and_wait_give_up(engine: Engine) -> None:
    with engine.analysis(WON) as analysis:
        with pytest.raises(EngineTimeoutError, match="has not ended within 0.05 s"):
            analysis.wait(0.05)
        with pytest.raises(EngineTimeoutError, match="nothing new"):
            while True:
                analysis.get(0.5)


def test_the_next_command_ends_an_analysis(engine: Engine) -> None:
    analysis = engine.analysis(position())
    assert engine.play(WON, Limit(depth=2)).move == 3
    assert analysis.is_done


def test_a_ping_is_answered_during_an_analysis(engine: Engine) -> None:
    engine.configure({"OwnBook": False})
    with engine.analysis(position()) as analysis:
        for _ in range(20):
            engine.ping()
        assert not analysis.is_done


def test_pondering(engine: Engine) -> None:
    limit = Limit(first_clock=5, second_clock=5, first_inc=0.01, second_inc=0.01)
    engine.configure({"Skill Level": 5})
    game = position()
    while not game.is_over:
        result = engine.play(game, limit, ponder=True)
        engine.ping()
        game = position([*game.moves, result.move])
        if not game.is_over:
            expected = result.ponder in game.legal_moves and len(game.moves) % 4 < 2
            reply = result.ponder if expected and result.ponder is not None else game.legal_moves[0]
            game = position([*game.moves, reply])
    engine.new_game()
    assert engine.play(WON, Limit(depth=2), ponder=True).move in range(7)


def test_pondering_ends_with_another_command(engine: Engine) -> None:
    engine.play(position([3]), Limit(time=0.05), ponder=True)
    engine.configure({"Hash": 8})
    engine.play(position([3]), Limit(time=0.05), ponder=True)
    assert engine.analyse(WON, Limit(depth=3)).pv == [3]


def test_a_refused_position_is_an_error_and_moves_for_the_one_before_are_not_taken(script: Script) -> None:
    body = (
        UCI
        + """
        elif word == "position" and line.endswith("P@g1"):
            say("info string illegal move P@g1")
        elif word == "go":
            say("bestmove P@d1")
    """
    )
    with Engine.popen(script(body)) as engine:
        assert engine.play(position(), Limit(depth=2)).move == 3
        with pytest.raises(EngineError, match="the engine refuses a command: illegal move P@g1"):
            engine.play(position([6]), Limit(depth=2))
        assert engine.play(position(), Limit(depth=2)).move == 3


def test_a_finished_game_is_refused_before_anything_is_sent(engine: Engine, caplog: pytest.LogCaptureFixture) -> None:
    over = position([0, 0, 1, 1, 2, 2, 3])
    caplog.set_level(logging.DEBUG, "plumb_engine")
    for ask in (engine.play, engine.analyse, engine.analysis):
        with pytest.raises(ValueError, match="the game is over"):
            ask(over, Limit(depth=2))
    assert ">>" not in caplog.text


def test_a_search_for_a_move_needs_a_limit(engine: Engine) -> None:
    with pytest.raises(ValueError, match="limit"):
        engine.play(WON, Limit())
    with pytest.raises(ValueError, match="limit"):
        engine.analyse(WON, Limit())


@pytest.mark.parametrize(
    ("limit", "error", "text"),
    [
        ({"time": 0}, ValueError, "time: 0 is no time for a move; expected seconds above 0"),
        ({"time": -1}, ValueError, "time: -1 is out of range"),
        ({"time": float("nan")}, ValueError, "time: nan is out of range"),
        ({"time": "1"}, TypeError, "time: '1' is no number; expected seconds"),
        ({"depth": 0}, ValueError, "depth: 0 is out of range, which is 1 to 2147483647"),
        ({"depth": 2.0}, TypeError, "depth: 2.0 is no whole number"),
        ({"nodes": True}, TypeError, "nodes: True is no number"),
        ({"mate": -2}, ValueError, "mate: -2 is out of range"),
        ({"first_clock": 3}, ValueError, "second_clock is missing"),
        ({"first_inc": 3}, ValueError, "first_inc and second_inc need first_clock and second_clock"),
    ],
)
def test_limits_are_checked(limit: Dict[str, Any], error: Type[Exception], text: str) -> None:
    with pytest.raises(error) as caught:
        Limit(**limit)
    assert str(caught.value).startswith(text)


def test_the_option_map(engine: Engine) -> None:
    assert engine.options["hash"].name == "Hash"
    assert engine.options["skill LEVEL"].max == 20
    assert engine.options["Notation"].var == ("auto", "drop", "letter", "digit")
    assert engine.options["BookFile"].default == ""
    assert "nonsense" not in engine.options
    assert list(engine.options)[:2] == ["Hash", "Clear Hash"]
    with pytest.raises(KeyError):
        engine.options["nonsense"]


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("Hash", 0, "option `Hash`: 0: out of range; expected a whole number from 1 to 33554432"),
        ("hash", "many", "option `Hash`: 'many': expected a whole number from 1 to 33554432"),
        ("Hash", 1.5, "option `Hash`: 1.5: expected a whole number from 1 to 33554432"),
        ("Hash", True, "option `Hash`: True: expected a whole number"),
        ("Hash", None, "option `Hash`: None: expected a whole number"),
        ("OwnBook", "perhaps", "option `OwnBook`: 'perhaps': expected true or false"),
        ("OwnBook", 1, "option `OwnBook`: 1: expected true or false"),
        ("Notation", "runes", "option `Notation`: 'runes': expected one of auto, drop, letter, digit"),
        ("Clear Hash", True, "option `Clear Hash`: True: a button takes no value"),
        ("BookFile", 7, "option `BookFile`: 7: expected a str"),
        ("BookFile", "a\nquit", "option `BookFile`: 'a\\nquit': the value of an option is one line"),
        ("Hsah", 7, "option `Hsah`: the engine has none of this name; did you mean `Hash`?"),
        ("zzzzzz", 7, "option `zzzzzz`: the engine has none of this name; it has `Hash`, `Clear Hash`"),
    ],
)
def test_a_bad_option_is_named(engine: Engine, name: str, value: object, text: str) -> None:
    with pytest.raises(OptionError) as caught:
        engine.configure({"Threads": 1, name: value})
    assert str(caught.value).startswith(text)
    assert isinstance(caught.value, ValueError)


def test_options_are_set(plumb: str) -> None:
    options = {"hash": "16", "Clear Hash": None, "ownbook": "FALSE", "notation": "DIGIT", "Debug Log File": ""}
    with Engine.popen([plumb], options=options) as engine:
        assert engine.play(WON, Limit(depth=3)).move == 3
        engine.configure({"Notation": "letter"})
        assert engine.analyse(WON, Limit(depth=3)).pv == [3]
        with pytest.raises(ValueError, match="MultiPV"):
            engine.configure({"multipv": 2})


def test_a_value_that_the_engine_refuses(engine: Engine) -> None:
    with pytest.raises(EngineError, match="the engine refuses a command"):
        engine.configure({"BookFile": "/no/such/book"})


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_leaves_the_engine_to_its_owner(engine: Engine) -> None:
    child = os.fork()
    if child == 0:
        status = 1
        try:
            engine.play(WON, Limit(depth=1))
        except EngineTerminatedError as error:
            status = 0 if "of which this one is a fork" in str(error) else 2
        finally:
            engine.quit()
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    assert engine.play(WON, Limit(depth=5)) == PlayResult(3)


def test_another_value_of_an_option_is_a_warning(engine: Engine) -> None:
    other = {"Hash": engine.options["Hash"].max}
    fault = "the engine takes another value of an option: a hash table of .* MB does not fit"
    with pytest.warns(RuntimeWarning, match=fault) as warned:
        engine.configure(other)
        Engine.popen(options=other).close()
    assert {one.filename for one in warned} == {__file__} and len(warned) == 2


def test_texts_are_positions_and_numbers_no_limits(engine: Engine) -> None:
    assert engine.play("445544", Limit(depth=5)).move == engine.play(position([3, 3, 4, 4, 3, 3]), Limit(depth=5)).move
    for bad, error, text in (
        (lambda: engine.play("448", Limit(depth=1)), ValueError, "move 3, `8`: there is no column 8"),
        (lambda: engine.play(3, Limit(depth=1)), TypeError, "a position is a Position or its text, not int"),  # type: ignore[arg-type]
        (lambda: engine.play("4", 0.1), TypeError, r"limit: 0.1: expected Limit\(time=0.1\)"),  # type: ignore[arg-type]
        (lambda: engine.analyse("4", "5"), TypeError, "limit: '5': expected a Limit"),  # type: ignore[call-overload]
        (lambda: engine.analysis("4", 5), TypeError, r"limit: 5: expected Limit\(time=5\)"),  # type: ignore[arg-type]
    ):
        with pytest.raises(error, match=text):
            bad()
