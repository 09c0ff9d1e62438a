"""The program plumb-lab as a process."""

from __future__ import annotations

import contextlib
import re
import signal
import subprocess
import sys
from typing import Any, Callable, Dict, Iterator, List, Sequence, Tuple

from .engine.command import find_program
from .engine.errors import EngineError

# Seconds for the program to write its files after Ctrl-C.
_INTERRUPT_DELAY = 10.0
# Seconds between looks for Ctrl-C, which does not interrupt a wait on all systems.
_SIGNAL_INTERVAL = 0.5


def run_lab(arguments: List[str], tick: Callable[[], object] = lambda: None) -> Tuple[int, str, str]:
    """Runs plumb-lab to its end; returns the exit status, the text of standard output, and the last line of standard error
    without the name of the program, which is the reason if the status is not 0. Ctrl-C ends the program in good order, as the
    end of this process by a signal does, except on Windows. `tick` is called while it runs, and at its end.

    Raises EngineError if the program is not found or cannot be started.
    """
    program = find_program("plumb-lab", "PLUMB_LAB")
    # Ctrl-C on a terminal reaches a whole group of processes, and a second one would end the program before its files
    # are written: in a group of its own it gets one from here.
    settings: Dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        settings = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    try:
        process = subprocess.Popen(
            [program, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            **settings,
        )
    except (OSError, ValueError) as error:
        raise EngineError(f"cannot start `{program}`: {error}") from error
    with process, _interrupted_by_death(process):
        try:
            output, errors = _communicate(process, tick)
        except BaseException:
            _interrupt(process)
            raise
    sentences = [line for line in errors.splitlines() if line.strip()]
    sentence = sentences[-1] if sentences else f"plumb-lab has ended with exit status {process.returncode}"
    sentence = re.sub("^plumb-lab: |; see `plumb-lab [^`]*--help`$", "", sentence)
    # The names of arguments in place of the flags that were given.
    for flag in {word.partition("=")[0] for word in arguments if word.startswith("--")}:
        name = flag[2:].replace("-", "_")
        sentence = re.sub(rf"(?<![\w.-])'?{flag}(?: <\w+>)?'?(?![\w-])", name, sentence)
    return process.returncode, output, sentence


@contextlib.contextmanager
def _interrupted_by_death(process: "subprocess.Popen[str]") -> Iterator[None]:
    """Sends Ctrl-C to the program if this process is ended by a signal within it, such as SIGTERM, after which Python runs no
    more: a shell waits for the end of a pipe that only this process holds open."""
    watcher = None
    # Where there is no shell, the program plays on alone.
    with contextlib.suppress(OSError):
        if sys.platform != "win32":
            watcher = subprocess.Popen(
                ["/bin/sh", "-c", 'read line; kill -INT "$0"', str(process.pid)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
    try:
        yield
    finally:
        if watcher is not None:
            # Before the pipe is closed.
            watcher.kill()
            watcher.communicate()


def _communicate(process: "subprocess.Popen[str]", tick: Callable[[], object]) -> Sequence[str]:
    while True:
        try:
            return process.communicate(timeout=_SIGNAL_INTERVAL)
        except subprocess.TimeoutExpired:
            pass
        finally:
            tick()


def _interrupt(process: "subprocess.Popen[str]") -> None:
    """Ends the program as Ctrl-C does, and kills it if it does not end."""
    if sys.platform == "win32":
        process.send_signal(signal.CTRL_BREAK_EVENT)
    else:
        process.send_signal(signal.SIGINT)
    try:
        process.communicate(timeout=_INTERRUPT_DELAY)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
