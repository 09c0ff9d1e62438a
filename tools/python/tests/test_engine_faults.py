"""Engines that misbehave, and how engines end."""

from __future__ import annotations

import asyncio
import gc
import inspect
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, List

import pytest

from plumb_engine.engine import Engine, EngineError, EngineTerminatedError, EngineTimeoutError, Limit
from positions import WON, position
from scripts import HANG, UCI, Faulty, Script

pytestmark = pytest.mark.filterwarnings("error")


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
    body = (
        UCI
        + """
        elif word == "go":
            os.close(1)
            time.sleep(3600)
    """
    )
    with Engine.popen(script(body)) as engine:
        with pytest.raises(EngineTerminatedError, match="has closed its output"):
            engine.play(position(), Limit(depth=1))
        engine.quit()
        assert engine.returncode is not None


def test_a_hang_is_an_error_after_time_and_grace(faulty: Faulty) -> None:
    with Engine.popen(faulty("hangs"), timeout=3) as engine:
        with pytest.raises(EngineTimeoutError, match="has not moved within 0.3 s, its time and 0.2 s of grace"):
            engine.play(position(), Limit(time=0.1), grace=0.2)
        with pytest.raises(EngineTimeoutError, match="has not said `bestmove` within 3 s after `stop`"):
            engine.play(position(), Limit(time=0.1), grace=0.2)
        with pytest.raises(EngineTimeoutError, match="has not said `readyok` within 3 s"):
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
        with pytest.raises(
            EngineError, match="illegal move: `bestmove P@a6`: `P@a6`: the stone lands on rank 1, not 6"
        ):
            engine.play(position(), Limit(time=1))
        engine.ping()
    with Engine.popen(faulty("nonsense")) as engine:
        with pytest.raises(EngineError, match="illegal move: `bestmove rather not`: `rather` is no move"):
            engine.play(position(), Limit(time=1))


def test_no_move(script: Script) -> None:
    body = (
        UCI
        + """
        elif word == "go":
            say("bestmove (none)")
    """
    )
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
    with Engine.popen(faulty("floods"), timeout=10) as engine:
        with pytest.raises(EngineTimeoutError):
            engine.play(position(), Limit(time=0.1), grace=0.3)
        engine.close()
        with pytest.raises(EngineTerminatedError, match="has been closed"):
            engine.ping()


def test_nonsense_is_logged_and_skipped(script: Script, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "plumb_engine")
    body = (
        """
    say("Welcome to the engine")
    say("option name Broken type lever")
    say("option")
    say("readyok")
    say("bestmove a")
    """
        + UCI
        + """
        elif word == "go":
            say("")
            say("info depth much score cp 7 nodes 12 pv P@d1 P@d9 time")
            say("info depth 3 multipv 99")
            say("info score")
            say("info")
            say("x" * 3000000)
            say("bestmove p@d1 ponder z9")
    """
    )
    with Engine.popen(script(body)) as engine:
        result = engine.play(position(), Limit(time=1), info=True)
        assert (result.move, result.ponder) == (3, None)
        assert result.info is not None and result.info.score is not None
        assert (result.info.pv, result.info.nodes, result.info.depth, result.info.score.cp) == ([3], 12, None, 7)
    for text in (
        "Welcome",
        "`lever` is no type of option",
        "depth: `much` is no whole number",
        "`P@d9`",
        "`z9` is no move",
    ):
        assert text in caplog.text


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_ctrl_c_leaves_the_engine_usable(engine: Engine) -> None:
    with pytest.raises(KeyboardInterrupt):
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        engine.play(position(), Limit(time=HANG))
        time.sleep(HANG)
    engine.configure({"OwnBook": False})
    with pytest.raises(KeyboardInterrupt):
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        engine.analysis(position()).wait()
    assert engine.play(WON, Limit(depth=2)).move == 3


def test_threads_take_turns(engine: Engine) -> None:
    results: List[Any] = []
    workers = [threading.Thread(target=lambda: results.append(engine.play(WON, Limit(depth=3)).move)) for _ in range(8)]
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


def test_wrong_arguments_of_an_end_leave_no_engine_behind(plumb: str) -> None:
    engine = Engine.popen([plumb])
    for end in (engine.quit, engine.close):
        with pytest.raises(TypeError, match="positional argument"):
            end(1, 2)  # type: ignore[call-arg]
    assert engine.play(WON, Limit(depth=2)).move == 3
    with pytest.raises(TypeError):
        engine.quit("x")  # type: ignore[arg-type]
    assert engine.returncode is not None
    with pytest.raises(EngineTerminatedError, match="has been closed"):
        engine.ping()


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_ctrl_c_ends_a_quit_that_waits(script: Script) -> None:
    engine = Engine.popen(script(UCI.replace("break", "time.sleep(3600)")))
    with pytest.raises(KeyboardInterrupt):
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        engine.quit(HANG)
    assert engine.returncode == -signal.SIGKILL


def test_commands_of_other_threads_end_with_the_engine(plumb: str) -> None:
    for _ in range(20):
        engine = Engine.popen([plumb])

        def ping_until_the_end() -> None:
            with pytest.raises(EngineTerminatedError):
                while True:
                    engine.ping()

        workers = [threading.Thread(target=ping_until_the_end, daemon=True) for _ in range(4)]
        for worker in workers:
            worker.start()
        engine.close()
        for worker in workers:
            worker.join(HANG)
        assert not any(worker.is_alive() for worker in workers)


def test_a_subclass_starts_engines_of_its_own(plumb: str) -> None:
    class Other(Engine):
        pass

    with Other.popen([plumb]) as engine:
        assert type(engine) is Other
    assert list(inspect.signature(Engine.popen).parameters)[:2] == ["cmd", "protocol"]


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a_forgotten_engine_leaves_no_process(plumb: str) -> None:
    engine = Engine.popen([plumb])
    path, loop, connection = Path("/proc", str(engine.pid)), engine._loop, engine._connection
    assert path.exists()
    del engine
    gc.collect()
    loop.run(asyncio.wait, [connection.has_exited], timeout=HANG)
    assert not path.exists()


def test_the_garbage_collector_may_run_in_any_thread(plumb: str) -> None:
    engine = Engine.popen([plumb])
    loop, connection = engine._loop, engine._connection
    setattr(engine, "cycle", engine)
    del engine
    collected = threading.Event()
    loop._loop.call_soon_threadsafe(lambda: (gc.collect(), collected.set()))
    assert collected.wait(HANG)
    loop.run(asyncio.wait, [connection.has_exited], timeout=HANG)
    assert connection.transport.get_returncode() is not None


def test_closing_an_engine_in_another_thread_ends_what_waits(plumb: str) -> None:
    for _ in range(5):
        engine = Engine.popen([plumb], options={"OwnBook": False})
        analysis = engine.analysis(position())
        timer = threading.Timer(0.05, engine.close)
        timer.start()
        with pytest.raises(EngineTerminatedError, match="has been closed"):
            analysis.wait()
        timer.join(HANG)


@pytest.mark.parametrize("end", ["", "; del engine"])
def test_a_program_that_forgets_its_engine_ends(plumb: str, end: str) -> None:
    lines = f"from plumb_engine.engine import Engine; engine = Engine.popen(); engine.ping(); print(engine.pid){end}"
    environment = {**os.environ, "PLUMB": plumb}
    # `-W default` shows ResourceWarning. `-X dev` would also report slow steps on a busy machine.
    done = subprocess.run(
        [sys.executable, "-W", "default", "-c", lines], env=environment, capture_output=True, text=True, timeout=HANG
    )
    assert (done.returncode, done.stderr) == (0, "")
    if sys.platform == "linux":
        assert not Path("/proc", done.stdout.strip()).exists()
