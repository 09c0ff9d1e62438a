"""The connection to an engine: process, handshake, and lines that come at any time."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import warnings
from typing import Deque, Dict, List, Mapping, Optional, cast

from .errors import EngineError, EngineTerminatedError, EngineTimeoutError
from .option import Option, OptionMap, parse_option
from .search import LOGGER, Search

# Maximum length of a line in bytes. Longer lines are cut.
_MAX_LINE = 1 << 20
# Number of last lines of standard error that the message about a crash shows.
_ERROR_LINES = 10
# Seconds to wait until a killed process and its pipes are gone.
_KILL_DELAY = 5.0
# Seconds to wait for the pipes after the process has ended, and for the process after its pipes.
_END_DELAY = 0.5
# Messages of Plumb and other engines that reject a command.
_REFUSAL = re.compile(r"info string ((move \d+, )?`.*|.*\bnothing changes\b.*|\W*(error|illegal|invalid)\b.*)", re.I)
# Messages that an option got another value than requested.
_OTHER_VALUE = re.compile(r"info string (.*\b(?:instead|keeps|reduced|clamped|limited)\b.*)", re.IGNORECASE)
# Seconds to wait for an answer to `uci` before `ugi` is tried.
_AUTO_DELAY = 2.0
LOOP_THREAD = "plumb_engine"
_PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep
_IGNORED = ("copyprotection", "registration", "response")


class Connection(asyncio.SubprocessProtocol):
    """A running engine, with at most one search at a time."""

    transport: asyncio.SubprocessTransport

    def __init__(self, words: List[str], timeout: float) -> None:
        self.words = words
        self.timeout = timeout
        self.loop = asyncio.get_running_loop()
        self.is_ugi = False
        self.id: Dict[str, str] = {}
        self.options = OptionMap()
        self.search: Optional[Search] = None
        self.refusals: List[str] = []
        self.other_values: List[str] = []
        self._declared: List[Option] = []
        self._hello: asyncio.Future[str] = self.loop.create_future()
        self._pings: Deque[asyncio.Future[str]] = collections.deque()
        # Incomplete last lines of standard output (1) and standard error (2).
        self._rest = {1: b"", 2: b""}
        self._errors: Deque[str] = collections.deque(maxlen=_ERROR_LINES)
        self._open = {0, 1, 2}
        self.is_dead = False
        self._reason = "runs"
        self.has_exited = self.loop.create_future()
        self._is_released = self.loop.create_future()

    @classmethod
    async def start(
        cls, words: List[str], timeout: float, protocol: str, cwd: Optional[str], env: Optional[Mapping[str, str]]
    ) -> Connection:
        """Starts the program and shakes hands; `protocol` is "uci", "ugi" or "auto"."""
        if cwd is not None and not os.path.isdir(cwd):
            raise EngineError(f"cwd: there is no directory `{cwd}`")
        # A process group of its own, so that Ctrl-C does not end the engine.
        creationflags = 0
        if sys.platform == "win32":
            creationflags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        try:
            _, connection = await asyncio.get_running_loop().subprocess_exec(
                lambda: cls(words, timeout),
                *words,
                cwd=cwd,
                env=env,
                start_new_session=sys.platform != "win32",
                creationflags=creationflags,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise EngineError(f"cannot start `{words[0]}`: {reason}") from error
        try:
            await connection._shake_hands(["uci", "ugi"] if protocol == "auto" else [protocol])
        except BaseException as error:
            await connection.close()
            if protocol == "auto" and isinstance(error, EngineTerminatedError):
                # A UGI engine may exit after the unknown command `uci`.
                return await cls.start(words, timeout, "ugi", cwd, env)
            raise
        return connection

    async def _shake_hands(self, words: List[str]) -> None:
        """Sends these words with pauses until one is answered."""
        left = self.timeout
        for word in words:
            self.send(word)
            wait = left if word == words[-1] else min(_AUTO_DELAY, left / 2)
            left -= wait
            await asyncio.wait([self._hello], timeout=wait)
            if self._hello.done():
                self.is_ugi = self._hello.result() == "ugi"
                self.options = OptionMap(self._declared)
                return
        expected = " or ".join(f"`{word}ok`" for word in words)
        other = {"uci": "UGI", "ugi": "UCI"}
        hint = f'; does it speak {other[words[0]]}? protocol="{other[words[0]].lower()}"' if len(words) == 1 else ""
        raise EngineTimeoutError(f"the engine `{self.words[0]}` has not said {expected} within {self.timeout:g} s{hint}")

    def send(self, line: str) -> None:
        """Sends a line. Raises EngineTerminatedError if the engine is gone."""
        if asyncio.get_running_loop() is not self.loop:
            raise EngineError(
                "the engine belongs to another event loop: a second asyncio.run, for example, starts its own engine"
            )
        if self.is_dead:
            raise self._error()
        LOGGER.debug("%s >> %s", self.words[0], line)
        if 0 in self._open:
            pipe = cast(asyncio.WriteTransport, self.transport.get_pipe_transport(0))
            pipe.write(f"{line}\n".encode())

    async def wait_until_ready(self) -> None:
        ready: asyncio.Future[str] = self.loop.create_future()
        self.send("isready")
        # After a cancellation `ready` stays in the queue, because `readyok` still arrives.
        self._pings.append(ready)
        await asyncio.wait([ready], timeout=self.timeout)
        if not ready.done():
            raise EngineTimeoutError(f"the engine `{self.words[0]}` has not said `readyok` within {self.timeout:g} s")
        ready.result()

    def check_refusals(self) -> None:
        if self.refusals:
            raise EngineError(f"the engine refuses a command: {'; '.join(self.refusals)}")

    def warn_of_values(self) -> None:
        """Warns about options with another value than `configure` has set, at the caller outside of this package. Does nothing
        in the thread of a blocking engine, whose caller is in another thread.
        """
        if threading.current_thread().name == LOOP_THREAD:
            return
        level, frame = 1, sys._getframe().f_back
        while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
            level, frame = level + 1, frame.f_back
        for words in self.other_values:
            warnings.warn(f"the engine takes another value of an option: {words}", RuntimeWarning, stacklevel=level + 1)

    def stop(self, search: Search) -> None:
        """Sends `stop` once, if a search is running."""
        if search.is_stopped or search.done.done() or self.is_dead:
            return
        search.is_stopped = True
        self.send("stop")

    async def end_search(self) -> None:
        search = self.search
        if search is None or search.done.done():
            return
        self.stop(search)
        await asyncio.wait([search.done], timeout=self.timeout)
        if not search.done.done():
            raise EngineTimeoutError(
                f"the engine `{self.words[0]}` has not said `bestmove` within {self.timeout:g} s after `stop`"
            )

    async def quit(self, timeout: float) -> None:
        """Sends `quit`, and kills the engine after `timeout` seconds."""
        if not self.is_dead:
            if self.search:
                self.stop(self.search)
            self.send("quit")
            await asyncio.wait([self.has_exited], timeout=timeout)
        await self.close()

    async def close(self) -> None:
        """Ends the process and the processes that it started (not on Windows), and closes its pipes."""
        self._die("has been closed" if self.transport.get_returncode() is None else None)
        await asyncio.wait([self._is_released], timeout=_KILL_DELAY)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.SubprocessTransport, transport)

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
        if self.is_dead:
            self.transport.close()
        elif not self._open & {1, 2}:
            self._die()
        else:
            # A child of the engine may keep the pipes open.
            self.loop.call_later(_END_DELAY, self._die)

    def connection_lost(self, exc: Optional[Exception]) -> None:
        if not self._is_released.done():
            self._is_released.set_result(None)

    def _take_line(self, fd: int, data: bytes) -> None:
        line = data[:_MAX_LINE].decode("utf-8", "replace").rstrip("\r")
        if fd == 2:
            LOGGER.debug("%s !! %s", self.words[0], line)
            self._errors.append(line)
        elif not self.is_dead:
            LOGGER.debug("%s << %s", self.words[0], line)
            self._take_reply(line)

    def _take_reply(self, line: str) -> None:
        words = line.split()
        word = words[0] if words else ""
        search = self.search if self.search and not self.search.done.done() else None
        if word == "info":
            other_value, refusal = _OTHER_VALUE.match(" ".join(words)), _REFUSAL.match(" ".join(words))
            if other_value:
                self.other_values.append(other_value[1])
            if refusal:
                self.refusals.append(refusal[1])
            elif search:
                search.take_info(line)
        elif word == "bestmove":
            if search:
                search.take_best_move(line)
            else:
                LOGGER.warning("`%s`: there is no search that it could answer", line)
        elif word == "readyok" and self._pings:
            ready = self._pings.popleft()
            if not ready.done():
                ready.set_result(word)
        elif word in ("uciok", "ugiok") and not self._hello.done():
            self._hello.set_result(word[:3])
        elif word == "id" and len(words) > 2:
            self.id[words[1]] = line.split(None, 2)[2].strip()
        elif word == "option":
            try:
                self._declared.append(parse_option(line))
            except ValueError as error:
                LOGGER.warning("`%s`: %s", line, error)
        elif word and word not in _IGNORED:
            LOGGER.info("`%s`: no line of the protocol", line)

    def _die(self, reason: Optional[str] = None) -> None:
        """Reports the end once to everyone who waits, and kills a running process."""
        if self.is_dead:
            return
        self.is_dead = True
        self._reason = reason or self._how_it_ended()
        for future in (self._hello, *self._pings):
            if not future.done():
                future.set_exception(self._error())
                # Marks the exception as read: nobody awaits a cancelled request.
                future.exception()
        if self.search:
            self.search.fail(self._error())
        if self.has_exited.done():
            self.transport.close()
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self.transport.kill()
            else:
                os.killpg(self.transport.get_pid(), signal.SIGKILL)

    def _error(self) -> EngineTerminatedError:
        return EngineTerminatedError(f"the engine `{self.words[0]}` {self._reason}")

    def _how_it_ended(self) -> str:
        status = self.transport.get_returncode()
        if status is None:
            reason = "has closed its output" if 1 not in self._open else "has closed its input"
        elif status < 0:
            names = {one.value: one.name for one in signal.Signals}
            reason = f"was ended by signal {names.get(-status, -status)}"
        else:
            reason = f"has ended with exit status {status}"
        said = " | ".join(line.strip() for line in self._errors if line.strip())
        return f"{reason}; standard error: {said}" if said else reason
