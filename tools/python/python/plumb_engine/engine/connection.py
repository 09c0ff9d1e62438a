"""The connection to an engine: handshake, readiness, and lines that come at any time."""

from __future__ import annotations

import asyncio
import collections
import os
import re
import sys
import threading
import warnings
from typing import Any, Deque, Dict, List, Mapping, Optional

from .errors import EngineError, EngineTerminatedError, EngineTimeoutError
from .option import Option, OptionMap, parse_option
from .process import LOGGER, EngineProcess
from .search import Search

# Lines about an unknown command, of Plumb and other engines.
_REFUSAL = re.compile(
    r"info string ((?:move \d+, )?`.*|.*\bnothing changes\b.*|\W*(?:error|illegal|invalid)\b.*)", re.IGNORECASE
)
# Lines about another option value than requested.
_OTHER_VALUE = re.compile(r"info string (.*\b(?:instead|keeps|reduced|clamped|limited)\b.*)", re.IGNORECASE)
# Seconds from `uci` to `ugi` if the protocol is unknown.
_AUTO_DELAY = 2.0
# Seconds until a killed engine is gone.
_KILL_DELAY = 5.0
LOOP_THREAD = "plumb_engine"
_PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep
# Keywords of lines that the client ignores.
_IGNORED = ("copyprotection", "registration", "response")


class Connection:
    """A connection to an engine, with at most one search at a time."""

    def __init__(self, words: List[str], timeout: float) -> None:
        self.words = words
        self.timeout = timeout
        self.protocol = "uci"
        self.id: Dict[str, str] = {}
        self.options = OptionMap()
        self.process: Optional[EngineProcess] = None
        self.search: Optional[Search] = None
        self.refusals: List[str] = []
        # Lines about other option values since `configure`.
        self.other_values: List[str] = []
        self._declared: List[Option] = []
        self._hello: Optional[asyncio.Future[str]] = None
        self._pings: Deque[asyncio.Future[None]] = collections.deque()

    @property
    def is_ugi(self) -> bool:
        return self.protocol == "ugi"

    async def start(self, protocol: str, cwd: Optional[str], env: Optional[Mapping[str, str]]) -> None:
        """Starts the process and the handshake; `protocol` is "uci", "ugi" or "auto"."""
        if protocol != "auto":
            await self._spawn(cwd, env)
            await self._shake_hands([protocol])
            return
        await self._spawn(cwd, env)
        try:
            await self._shake_hands(["uci", "ugi"])
        except EngineTerminatedError:
            # A UGI engine may end after an unknown word.
            await self.close()
            await self._spawn(cwd, env)
            await self._shake_hands(["ugi"])

    async def _spawn(self, cwd: Optional[str], env: Optional[Mapping[str, str]]) -> None:
        self.process = await EngineProcess.start(self.words, self._take_line, self._end, cwd, env)

    async def _shake_hands(self, words: List[str]) -> None:
        """Sends these words with pauses until one is answered."""
        self._hello = asyncio.get_running_loop().create_future()
        self._declared.clear()
        left = self.timeout
        for word in words:
            self.send(word)
            wait = left if word == words[-1] else min(_AUTO_DELAY, left / 2)
            left -= wait
            await asyncio.wait([self._hello], timeout=wait)
            if self._hello.done():
                self.protocol = self._hello.result()
                self.options = OptionMap(self._declared)
                return
        expected = " or ".join(f"`{word}ok`" for word in words)
        other = {"uci": "UGI", "ugi": "UCI"}
        hint = f'; does it speak {other[words[0]]}? protocol="{other[words[0]].lower()}"' if len(words) == 1 else ""
        raise EngineTimeoutError(
            f"the engine `{self.words[0]}` has not said {expected} within {self.timeout:g} s{hint}"
        )

    def send(self, line: str) -> None:
        """Sends a line. Raises EngineTerminatedError if the engine is gone."""
        if self.process is None:
            raise EngineError("the engine has not been started")
        if asyncio.get_running_loop() is not self.process.loop:
            raise EngineError(
                "the engine belongs to another event loop: a second asyncio.run, for example, starts its own engine"
            )
        self.process.send(line)

    async def wait_until_ready(self) -> None:
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.send("isready")
        # It stays in the queue after a cancellation, because the answer still comes.
        self._pings.append(ready)
        await asyncio.wait([ready], timeout=self.timeout)
        if not ready.done():
            raise EngineTimeoutError(f"the engine `{self.words[0]}` has not said `readyok` within {self.timeout:g} s")
        ready.result()

    def check_refusals(self) -> None:
        """Raises EngineError with the refusals since `refusals` was cleared."""
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
        if search.is_stopped or search.done.done() or (self.process and self.process.is_dead):
            return
        search.is_stopped = True
        self.send("stop")

    async def end_search(self) -> None:
        """Stops the running search, if any, and waits for its end."""
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
        if self.process and not self.process.is_dead:
            if self.search:
                self.stop(self.search)
            self.process.send("quit")
            await self.process.wait(timeout)
        await self.close()

    async def close(self) -> None:
        """Ends the engine immediately."""
        if self.process:
            self.process.kill()
            await self.process.wait(_KILL_DELAY)
            await self.process.release(_KILL_DELAY)

    def _take_line(self, line: str) -> None:
        words = line.split()
        word = words[0] if words else ""
        search = self.search if self.search and not self.search.done.done() else None
        if word == "info":
            self._take_info(line, words, search)
        elif word == "bestmove":
            if search:
                search.take_best_move(line)
            else:
                LOGGER.warning("`%s`: there is no search that it could answer", line)
        elif word == "readyok":
            if self._pings:
                ready = self._pings.popleft()
                if not ready.done():
                    ready.set_result(None)
        elif word in ("uciok", "ugiok"):
            if self._hello and not self._hello.done():
                self._hello.set_result(word[:3])
        elif word == "id":
            if len(words) > 2:
                self.id[words[1]] = line.split(None, 2)[2].strip()
        elif word == "option":
            try:
                self._declared.append(parse_option(line))
            except ValueError as error:
                LOGGER.warning("`%s`: %s", line, error)
        elif word and word not in _IGNORED:
            LOGGER.info("`%s`: no line of the protocol", line)

    def _take_info(self, line: str, words: List[str], search: Optional[Search]) -> None:
        other_value = _OTHER_VALUE.match(" ".join(words))
        if other_value:
            self.other_values.append(other_value[1])
        refusal = _REFUSAL.match(" ".join(words))
        if refusal:
            self.refusals.append(refusal[1])
        elif search:
            search.take_info(line)

    def _end(self) -> None:
        """Wakes everyone who waits for the engine."""
        assert self.process is not None
        waiting: List[asyncio.Future[Any]] = [*self._pings]
        if self._hello:
            waiting.append(self._hello)
        for future in waiting:
            if not future.done():
                future.set_exception(self.process.error())
                # A cancelled request has no reader.
                future.exception()
        self._pings.clear()
        if self.search:
            self.search.fail(self.process.error())
