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

# Seconds to write the files after Ctrl-C.
_INTERRUPT_DELAY = 10.0
# Seconds between checks for Ctrl-C, which does not interrupt a wait on all systems.
_SIGNAL_INTERVAL = 0.5


def run_lab(arguments: List[str], tick: Callable[[], object] = lambda: None) -> Tuple[int, str, str]:
    """Runs plumb-lab. Returns its exit status, its standard output, and the last line of standard error, which is the reason
    if the status is not 0. `tick` is called while it runs and at its end.
    """
    program = find_program("plumb-lab", "PLUMB_LAB")
    # An own group: a second Ctrl-C on the terminal would end the program before it has written its files.
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
    # Print names of arguments, not flags.
    for flag in {word.partition("=")[0] for word in arguments if word.startswith("--")}:
        name = flag[2:].replace("-", "_")
        sentence = re.sub(rf"(?<![\w.-])'?{flag}(?: <\w+>)?'?(?![\w-])", name, sentence)
    return process.returncode, output, sentence


@contextlib.contextmanager
def _interrupted_by_death(process: "subprocess.Popen[str]") -> Iterator[None]:
    """Sends Ctrl-C to the program if SIGTERM ends this process: a shell waits for the end of a pipe that only it holds."""
    watcher = None
    # Without a shell the program continues alone.
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
    """Ends the program like Ctrl-C, and kills it if it does not end."""
    if sys.platform == "win32":
        process.send_signal(signal.CTRL_BREAK_EVENT)
    else:
        process.send_signal(signal.SIGINT)
    try:
        process.communicate(timeout=_INTERRUPT_DELAY)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
