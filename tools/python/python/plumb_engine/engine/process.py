"""An engine as a process."""

from __future__ import annotations

import asyncio
import collections
import logging
import os
import signal
import subprocess
import sys
from typing import Callable, Deque, List, Mapping, Optional, cast

from .errors import EngineError, EngineTerminatedError

LOGGER = logging.getLogger("plumb_engine.engine")

# Bytes of a line to keep.
_MAX_LINE = 1 << 20
# Lines of standard error for the message of a crash.
_ERROR_LINES = 10
# Seconds until a killed process and its pipes are gone.
_KILL_DELAY = 5.0
# Seconds between the end of a process and the end of its pipes.
_END_DELAY = 0.5


class EngineProcess(asyncio.SubprocessProtocol):
    """A running engine. `on_line` gets each line of output. `on_end` is called once at the end."""

    def __init__(self, words: List[str], on_line: Callable[[str], None], on_end: Callable[[], None]) -> None:
        self._program = words[0]
        self._on_line = on_line
        self._on_end = on_end
        self.loop = asyncio.get_running_loop()
        self._transport: Optional[asyncio.SubprocessTransport] = None
        # The beginning of a line, for standard output and standard error.
        self._rest = {1: b"", 2: b""}
        self._errors: Deque[str] = collections.deque(maxlen=_ERROR_LINES)
        self._open = {0, 1, 2}
        self.is_dead = False
        self._reason = "runs"
        self.has_exited = self.loop.create_future()
        self._is_released = self.loop.create_future()

    @classmethod
    async def start(
        cls,
        words: List[str],
        on_line: Callable[[str], None],
        on_end: Callable[[], None],
        cwd: Optional[str] = None,
        env: Optional[Mapping[str, str]] = None,
    ) -> EngineProcess:
        """Starts the program. Raises EngineError with the program or the directory."""
        if cwd is not None and not os.path.isdir(cwd):
            raise EngineError(f"cwd: there is no directory `{cwd}`")
        loop = asyncio.get_running_loop()
        # An own group: Ctrl-C is for the Python program, not for the engine.
        creationflags = 0
        if sys.platform == "win32":
            creationflags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        try:
            _, process = await loop.subprocess_exec(
                lambda: cls(words, on_line, on_end),
                *words,
                cwd=cwd,
                env=env,
                start_new_session=sys.platform != "win32",
                creationflags=creationflags,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise EngineError(f"cannot start `{words[0]}`: {reason}") from error
        return process

    @property
    def returncode(self) -> Optional[int]:
        """The exit status, below 0 the number of a signal, None while it runs."""
        return self._transport.get_returncode() if self._transport else None

    @property
    def pid(self) -> int:
        return self._transport.get_pid() if self._transport else 0

    def send(self, line: str) -> None:
        """Sends a line. Raises EngineTerminatedError if the engine is gone."""
        if self.is_dead:
            raise self.error()
        LOGGER.debug("%s >> %s", self._program, line)
        if 0 in self._open and self._transport:
            pipe = cast(asyncio.WriteTransport, self._transport.get_pipe_transport(0))
            pipe.write(f"{line}\n".encode())

    def error(self) -> EngineTerminatedError:
        """Why the engine has ended."""
        return EngineTerminatedError(f"the engine `{self._program}` {self._reason}")

    async def wait(self, timeout: float) -> None:
        """Waits up to `timeout` seconds for the end."""
        await asyncio.wait([self.has_exited], timeout=timeout)

    async def close(self) -> None:
        """Ends the process and the processes that it started (not on Windows), and closes its pipes."""
        self._die("has been closed" if self.returncode is None else None)
        await asyncio.wait([self._is_released], timeout=_KILL_DELAY)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.SubprocessTransport, transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        *lines, rest = (self._rest[fd] + data).split(b"\n")
        self._rest[fd] = rest[:_MAX_LINE]
        for line in lines:
            self._take_line(fd, line)

    def pipe_connection_lost(self, fd: int, exc: Optional[Exception]) -> None:
        if self._rest.get(fd):
            self._take_line(fd, self._rest[fd])
        self._open.discard(fd)
        if self.has_exited.done() and not self._open & {1, 2}:
            self._die()
        elif fd != 2:
            self.loop.call_later(_END_DELAY, self._die)

    def process_exited(self) -> None:
        if not self.has_exited.done():
            self.has_exited.set_result(None)
        if self.is_dead and self._transport:
            self._transport.close()
        elif not self._open & {1, 2}:
            self._die()
        else:
            # Another process may hold the pipes.
            self.loop.call_later(_END_DELAY, self._die)

    def connection_lost(self, exc: Optional[Exception]) -> None:
        if not self._is_released.done():
            self._is_released.set_result(None)

    def _take_line(self, fd: int, data: bytes) -> None:
        line = data[:_MAX_LINE].decode("utf-8", "replace").rstrip("\r")
        if fd == 2:
            LOGGER.debug("%s !! %s", self._program, line)
            self._errors.append(line)
        elif not self.is_dead:
            LOGGER.debug("%s << %s", self._program, line)
            self._on_line(line)

    def _die(self, reason: Optional[str] = None) -> None:
        """Reports the end once, and kills a running process."""
        if self.is_dead:
            return
        self.is_dead = True
        self._reason = reason or self._how_it_ended()
        self._on_end()
        if self._transport is None:
            return
        if self.has_exited.done():
            self._transport.close()
            return
        # The pipes close after its end.
        try:
            if sys.platform == "win32":
                self._transport.kill()
            else:
                os.killpg(self._transport.get_pid(), signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass  # It has ended already.

    def _how_it_ended(self) -> str:
        status = self.returncode
        if status is None:
            reason = "has closed its output" if 1 not in self._open else "has closed its input"
        elif status < 0:
            names = {one.value: one.name for one in signal.Signals}
            reason = f"was ended by signal {names.get(-status, -status)}"
        else:
            reason = f"has ended with exit status {status}"
        said = " | ".join(line.strip() for line in self._errors if line.strip())
        return f"{reason}; standard error: {said}" if said else reason
