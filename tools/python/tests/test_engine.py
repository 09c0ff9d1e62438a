"""The blocking engine client, with real processes."""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any, Callable, Iterator, List

import pytest
from positions import position

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

pytestmark = pytest.mark.filterwarnings("error")

Faulty = Callable[..., List[str]]
Script = Callable[[str], List[str]]

# The first player wins by playing column 3.
WON = position([0, 0, 1, 1, 2, 2])
# Seconds in which nothing of these tests takes so long unless it hangs.
HANG = 60.0

UCI = """
    for line in lines:
        word = line.split(" ")[0]
        if word == "uci":
            say("option name MultiPV type spin default 1 min 1 max 7")
            say("uciok")
        elif word == "isready":
            say("readyok")
        elif word == "quit":
            break
"""


@pytest.fixture
def engine(plumb: str) -> Iterator[Engine]:
    with Engine.popen([plumb]) as running:
        yield running


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
    lost = position([0, 0, 1, 1, 2])
    for protocol in ("uci", "ugi"):
        with Engine.popen([plumb], protocol=protocol) as engine:
            assert engine.protocol == protocol
            won = engine.analyse(position([3, 0, 3, 0]), Limit(depth=10)).score
            assert won is not None and (won.plies, won.moves) == (3, 2)
            score = engine.analyse(position([3, 0, 2]), Limit(depth=10)).score
            assert score is not None and score.plies is not None and score.plies > -40
            assert engine.play(lost, Limit(depth=3)).move == 3


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
                sys.exit(4) if line == "uci" else None
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
    with pytest.raises(OptionError, match="option `MultiPV`: 8: out of range; expected a whole number from 1 to 7"):
        engine.analyse(WON, Limit(depth=6), multipv=8)


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


def test_pondering(engine: Engine, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "plumb_engine")
    limit = Limit(first_clock=5, second_clock=5, first_inc=0.01, second_inc=0.01)
    moves: List[int] = [3]
    hits = 0
    for guessed in (True, True, False, True):
        result = engine.play(position(moves), limit, ponder=True)
        assert result.ponder is not None
        engine.ping()
        others = [column for column in range(7) if column != result.ponder]
        moves += [result.move, result.ponder if guessed else others[0]]
        hits = caplog.text.count(">> ponderhit")
    assert hits == 2
    assert engine.play(position(moves), limit).move in range(7)
    assert caplog.text.count(">> ponderhit") == 3
    engine.new_game()
    assert "setoption name Ponder value true" in caplog.text
    assert engine.play(WON, Limit(depth=2), ponder=True).move == 3


def test_pondering_ends_with_another_command(engine: Engine) -> None:
    engine.play(position([3]), Limit(time=0.05), ponder=True)
    engine.configure({"Hash": 8})
    engine.play(position([3]), Limit(time=0.05), ponder=True)
    assert engine.analyse(WON, Limit(depth=3)).pv == [3]


def test_a_refused_position_is_an_error_and_moves_for_the_one_before_are_not_taken(engine: Engine) -> None:
    assert engine.play(WON, Limit(depth=2)).move == 3

    class Wrong:
        start = None
        moves = (0, 0, 1, 1, 2, 2, 3, 3)
        turn = 1
        legal_moves = list(range(7))
        is_over = False

    with pytest.raises(EngineError, match=r"`P@d2` at byte \d+"):
        engine.play(Wrong(), Limit(depth=2))
    assert engine.play(WON, Limit(depth=2)).move == 3


def test_a_finished_game_is_refused_before_anything_is_sent(
    engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    over = position([0, 0, 1, 1, 2, 2, 3])
    caplog.set_level(logging.DEBUG, "plumb_engine")
    for ask in (engine.play, engine.analyse, engine.analysis):
        with pytest.raises(ValueError, match="the game is over"):
            ask(over, Limit(depth=2))  # type: ignore[operator]
    assert ">>" not in caplog.text


def test_a_search_for_a_move_needs_a_limit(engine: Engine) -> None:
    with pytest.raises(ValueError, match="limit"):
        engine.play(WON, Limit())
    with pytest.raises(ValueError, match="limit"):
        engine.analyse(WON, Limit())


def test_the_option_map(engine: Engine) -> None:
    assert engine.options["hash"].name == "Hash"
    assert engine.options["skill LEVEL"].max == 20
    assert engine.options["Notation"].var == ("auto", "drop", "letter", "digit")
    assert engine.options["BookFile"].default == ""
    assert "nonsense" not in engine.options and 3 not in engine.options
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


def test_programs_that_cannot_be_started(plumb: str, tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="cannot start `/no/such/engine`: No such file"):
        Engine.popen("/no/such/engine")
    with pytest.raises(EngineError, match="cwd: there is no directory"):
        Engine.popen([plumb], cwd=tmp_path / "missing")
    with pytest.raises(ValueError, match="the command is empty"):
        Engine.popen("  ")
    with pytest.raises(ValueError, match="protocol: 'xboard' is none of"):
        Engine.popen([plumb], protocol="xboard")


def test_no_handshake(faulty: Faulty) -> None:
    for protocol, words in (("uci", "`uciok`"), ("ugi", "`ugiok`"), ("auto", "`uciok` or `ugiok`")):
        with pytest.raises(EngineTimeoutError, match=f"has not said {words} within 0.4 s"):
            Engine.popen(faulty("no-handshake"), protocol=protocol, timeout=0.4)


def test_an_engine_that_ends_at_once(faulty: Faulty) -> None:
    with pytest.raises(EngineTerminatedError, match="has ended with exit status 3"):
        Engine.popen(faulty("exits"))


def test_a_crash_names_exit_status_and_standard_error(faulty: Faulty) -> None:
    with Engine.popen(faulty("crashes", 1)) as engine:
        assert engine.play(position(), Limit(time=1)).move == 0
        with pytest.raises(
            EngineTerminatedError, match=r"exit status 139; standard error: .*about to crash \| at ply 1"
        ):
            engine.play(position([3]), Limit(time=1))
        assert engine.returncode == 139
        with pytest.raises(EngineTerminatedError, match="exit status 139"):
            engine.ping()


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_an_engine_killed_in_the_middle_of_play(engine: Engine) -> None:
    threading.Timer(0.3, os.kill, (engine.pid, signal.SIGKILL)).start()
    with pytest.raises(EngineTerminatedError, match="was ended by signal SIGKILL"):
        with engine.analysis(position([3])) as analysis:
            analysis.wait(HANG)
    assert engine.returncode == -signal.SIGKILL
    engine.quit()


def test_an_engine_that_closes_its_output_but_lives(script: Script) -> None:
    body = UCI + """
        elif word == "go":
            os.close(1)
            time.sleep(3600)
    """
    with Engine.popen(script(body)) as engine:
        with pytest.raises(EngineTerminatedError, match="has closed its output"):
            engine.play(position(), Limit(depth=1))
        assert engine.returncode is not None


def test_a_hang_is_an_error_after_time_and_grace(faulty: Faulty) -> None:
    with Engine.popen(faulty("hangs"), timeout=0.5) as engine:
        with pytest.raises(EngineTimeoutError, match="has not moved within 0.3 s, its time and 0.2 s of grace"):
            engine.play(position(), Limit(time=0.1), grace=0.2)
        with pytest.raises(EngineTimeoutError, match="has not said `bestmove` within 0.5 s after `stop`"):
            engine.play(position(), Limit(time=0.1), grace=0.2)
        with pytest.raises(EngineTimeoutError, match="has not said `readyok` within 0.5 s"):
            engine.ping()
        engine.quit(0.1)


def test_a_late_engine_is_stopped_and_used_on(faulty: Faulty) -> None:
    with Engine.popen(faulty("ignores-go")) as engine:
        for _ in range(2):
            with pytest.raises(EngineTimeoutError):
                engine.play(position([3]), Limit(time=0.1), grace=0.1)
        with engine.analysis(position([0, 0])) as analysis:
            pass
        assert analysis.wait(HANG).move == 0


def test_illegal_moves_name_the_line(faulty: Faulty) -> None:
    with Engine.popen(faulty("illegal")) as engine:
        with pytest.raises(EngineError, match="illegal move: `bestmove P@a6`: `P@a6`: the stone lands on rank 1, not 6"):
            engine.play(position(), Limit(time=1))
        engine.ping()
    with Engine.popen(faulty("nonsense")) as engine:
        with pytest.raises(EngineError, match="illegal move: `bestmove rather not`: `rather` is no move"):
            engine.play(position(), Limit(time=1))


def test_no_move(script: Script) -> None:
    body = UCI + """
        elif word == "go":
            say("bestmove (none)")
    """
    with Engine.popen(script(body)) as engine:
        with pytest.raises(EngineError, match="gives no move although the game is not over"):
            engine.play(position(), Limit(time=1))


def test_a_second_bestmove_is_skipped(faulty: Faulty, caplog: pytest.LogCaptureFixture) -> None:
    with Engine.popen(faulty("twice")) as engine:
        for moves in ([], [3], [3, 3]):
            assert engine.play(position(moves), Limit(time=1)).move == 0
    assert "there is no search that it could answer" in caplog.text


def test_bytes_that_are_no_utf_8(faulty: Faulty) -> None:
    with Engine.popen(faulty("latin1")) as engine:
        assert engine.id["name"] == "caf\ufffd"
        assert engine.play(position(), Limit(time=1)).move == 0


def test_endless_lines_do_not_hang(faulty: Faulty) -> None:
    with Engine.popen(faulty("floods"), timeout=1) as engine:
        with pytest.raises(EngineTimeoutError):
            engine.play(position(), Limit(time=0.1), grace=0.3)
        engine.close()
        with pytest.raises(EngineTerminatedError, match="has been closed"):
            engine.ping()


def test_nonsense_is_logged_and_skipped(script: Script, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "plumb_engine")
    body = """
        say("Welcome to the engine")
        say("option name Broken type lever")
        say("option")
        say("readyok")
        say("bestmove a")
    """ + UCI + """
        elif word == "go":
            say("")
            say("info depth much score cp 7 nodes 12 pv P@d1 P@d9 time")
            say("info depth 3 multipv 99")
            say("info score")
            say("info")
            say("x" * 3000000)
            say("bestmove p@d1 ponder z9")
    """
    with Engine.popen(script(body)) as engine:
        result = engine.play(position(), Limit(time=1), info=True)
        assert (result.move, result.ponder) == (3, None)
        assert result.info is not None and result.info.score is not None
        assert (result.info.pv, result.info.nodes, result.info.depth, result.info.score.cp) == ([3], 12, None, 7)
    for text in ("Welcome", "`lever` is no type of option", "depth: `much` is no whole number", "`P@d9`", "`z9` is no move"):
        assert text in caplog.text


@pytest.mark.parametrize("word", ["P@d1", "p@d1", "@d1", "d1", "D1", "d", "D", "4"])
def test_all_notations_are_read(script: Script, word: str) -> None:
    body = UCI + f"""
        elif word == "go":
            say("info depth 1 score cp 0 pv {word}")
            say("bestmove {word}")
    """
    with Engine.popen(script(body)) as engine:
        result = engine.play(position(), Limit(time=1), info=True)
        assert result.move == 3 and result.info is not None and result.info.pv == [3]


def test_the_words_that_are_sent(script: Script, tmp_path: Path) -> None:
    log = tmp_path / "log"
    body = f"""
        log = open({str(log)!r}, "a")
        for line in lines:
            log.write(line + "\\n")
            log.flush()
            word = line.split(" ")[0]
            if word in ("uci", "ugi"):
                say("option name UCI_Variant type combo default chess var chess var cfour")
                say(word + "ok")
            elif word == "isready":
                say("readyok")
            elif word == "go":
                say("bestmove d")
            elif word == "quit":
                break
    """
    clocks = Limit(first_clock=60, second_clock=59.5, first_inc=1, second_inc=0.25)
    with Engine.popen(script(body)) as engine:
        engine.new_game()
        engine.play(position([3, 3, 0]), Limit(time=0.25, depth=4, nodes=99, mate=2))
        engine.play(position([6], "7/7/7/7/7/3XO2 w - - 0 1"), clocks, root_moves=[0, 3])
    uci = [line for line in log.read_text().splitlines() if line != "isready"]
    assert uci == [
        "uci",
        "setoption name UCI_Variant value cfour",
        "ucinewgame",
        "position startpos moves P@d1 P@d2 P@a1",
        "go movetime 250 depth 4 nodes 99 mate 2",
        "position fen 7/7/7/7/7/3Pp2[" + "P" * 20 + "p" * 20 + "] w - - 0 2 moves P@g1",
        "go wtime 60000 btime 59500 winc 1000 binc 250 searchmoves P@a1 P@d2",
        "quit",
    ]
    log.unlink()
    with Engine.popen(script(body), protocol="ugi") as engine:
        engine.new_game()
        engine.play(position([3, 3, 0]), clocks, root_moves=[1], ponder=True)
    ugi = [line for line in log.read_text().splitlines() if line != "isready"]
    assert ugi == [
        "ugi",
        "setoption name UCI_Variant value cfour",
        "uginewgame",
        "position startpos moves d d a",
        "go p1time 60000 p2time 59500 p1inc 1000 p2inc 250 searchmoves b",
        "quit",
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_ctrl_c_leaves_the_engine_usable(engine: Engine) -> None:
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        engine.play(position(), Limit(time=HANG))
        time.sleep(HANG)
    engine.configure({"OwnBook": False})
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        engine.analysis(position()).wait()
    assert engine.play(WON, Limit(depth=2)).move == 3


def test_threads_take_turns(engine: Engine) -> None:
    results: List[Any] = []
    workers = [
        threading.Thread(target=lambda: results.append(engine.play(WON, Limit(depth=3)).move)) for _ in range(8)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(HANG)
    assert results == [3] * 8


def test_engines_end(plumb: str) -> None:
    engine = Engine.popen([plumb])
    assert engine.returncode is None
    engine.quit()
    assert engine.returncode == 0
    engine.quit()
    engine.close()
    with pytest.raises(EngineTerminatedError):
        engine.play(WON, Limit(depth=1))
    closed = Engine.popen([plumb])
    analysis = closed.analysis(position())
    closed.close()
    assert closed.returncode is not None
    with pytest.raises(EngineTerminatedError):
        analysis.wait()
    assert "exit status" in repr(closed)


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a_forgotten_engine_leaves_no_process(plumb: str) -> None:
    engine = Engine.popen([plumb])
    path = Path("/proc", str(engine.pid))
    assert path.exists()
    del engine
    gc.collect()
    assert not path.exists()
    assert not [thread for thread in threading.enumerate() if thread.name == "plumb_engine"]
