"""A running analysis for asyncio."""

from __future__ import annotations

import asyncio
from typing import List, Optional

from .connection import Connection
from .errors import AnalysisComplete, AnalysisSilent, EngineTimeoutError
from .info import Info
from .search import PlayResult, Search


class AnalysisBase:
    """What is known of an analysis that is running, for asyncio and without."""

    _search: Search
    _connection: Connection

    @property
    def info(self) -> Info:
        """What is known of the best variation so far."""
        return self._search.info

    @property
    def multipv(self) -> List[Info]:
        """What is known of each variation so far, the best first."""
        return list(self._search.variations)

    @property
    def is_done(self) -> bool:
        """Whether the engine has ended the search; lines may still wait to be read."""
        return self._search.done.done()

    def stop(self) -> None:
        """Tells the engine to end the search, and does not wait for that. Not an error if it has ended.

        >>> with Engine.popen() as engine:
        ...     engine.analysis("").stop()
        """
        process = self._connection.process
        if process and not self.is_done:
            process.loop.call_soon_threadsafe(self._connection.stop, self._search)


class AsyncAnalysis(AnalysisBase):
    """An analysis that is running: an async iterator over the lines of the engine, as Info, each what its line says.

    It ends at its limit, by `stop`, with an `async with` block (or `with`, which does not wait), or by the next command
    to the engine; the iterator also where the engine has said nothing for the `timeout` of `analysis`, as one that knows all
    of a position does. Of lines that nobody reads the last 10,000 are kept.

    >>> import asyncio
    >>> async def main():
    ...     async with await AsyncEngine.popen() as engine:
    ...         async with await engine.analysis("4455", Limit(depth=5)) as analysis:
    ...             return [info.pv[0] async for info in analysis][-1]
    >>> asyncio.run(main())
    2
    """

    def __init__(self, search: Search, connection: Connection, timeout: Optional[float]) -> None:
        """Not for users, who have `AsyncEngine.analysis`."""
        self._search = search
        self._connection = connection
        self._timeout = timeout

    async def wait(self, timeout: Optional[float] = None) -> PlayResult:
        """Waits for the end of the search, and returns its move with the last Info.

        Raises EngineError if the engine does not answer with a legal move, EngineTerminatedError if it ends, and
        EngineTimeoutError after `timeout` seconds, if they are given.

        >>> with Engine.popen() as engine:
        ...     engine.analysis("4455", Limit(depth=5)).wait().move
        2
        """
        await asyncio.wait([self._search.done], timeout=timeout)
        if not self._search.done.done():
            raise EngineTimeoutError(f"the analysis has not ended within {timeout:g} s")
        move, reply = self._search.done.result()
        return PlayResult(move, reply, self._search.info)

    async def get(self, timeout: Optional[float] = None) -> Info:
        """Waits for the next line. An engine that knows all of a position may have nothing to say until it is stopped.

        Raises AnalysisComplete after the last one, and the exceptions of `wait` if the search has failed or `timeout`
        seconds, if they are given, have passed.

        >>> with Engine.popen() as engine:
        ...     engine.analysis("4455", Limit(depth=5)).get().depth is not None
        True
        """
        if self._search.waiting or self._search.done.done():
            # Before Python 3.12 `wait_for` does not check with `timeout` 0.
            return await self._next()
        try:
            return await asyncio.wait_for(self._next(), timeout)
        except asyncio.TimeoutError:
            raise AnalysisSilent(f"the engine has said nothing new of the position within {timeout:g} s") from None

    async def _next(self) -> Info:
        search = self._search
        while not search.waiting:
            if search.done.done():
                search.done.result()
                raise AnalysisComplete("the engine has ended the analysis")
            search.news.clear()
            await search.news.wait()
        return search.waiting.popleft()

    def __aiter__(self) -> AsyncAnalysis:
        return self

    async def __anext__(self) -> Info:
        try:
            return await self.get(self._timeout)
        except (AnalysisComplete, AnalysisSilent):
            raise StopAsyncIteration from None

    def __enter__(self) -> AsyncAnalysis:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    async def __aenter__(self) -> AsyncAnalysis:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._connection.stop(self._search)
        # A failure must not hide an exception of the block.
        await asyncio.wait([self._search.done], timeout=self._connection.timeout)
