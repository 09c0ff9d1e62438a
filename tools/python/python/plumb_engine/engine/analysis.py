"""A running analysis for asyncio."""

from __future__ import annotations

import asyncio
from typing import List, Optional

from .connection import Connection
from .errors import AnalysisComplete, AnalysisSilent, EngineTimeoutError
from .info import Info
from .search import PlayResult, Search


class AnalysisBase:
    """State of a running analysis, with and without asyncio."""

    _search: Search
    _connection: Connection

    @property
    def info(self) -> Info:
        """The latest state of the best variation."""
        return self._search.info

    @property
    def multipv(self) -> List[Info]:
        """The latest state of each variation, the best first."""
        return list(self._search.variations)

    @property
    def is_done(self) -> bool:
        """Whether the search has ended. Unread lines may remain."""
        return self._search.done.done()

    def stop(self) -> None:
        """Stops the search, without waiting for its end. No error if it has ended.

        >>> with Engine.popen() as engine:
        ...     engine.analysis("").stop()
        """
        process = self._connection.process
        if process and not self.is_done:
            process.loop.call_soon_threadsafe(self._connection.stop, self._search)


class AsyncAnalysis(AnalysisBase):
    """A running analysis: an async iterator over the lines of the engine, as Info.

    It ends at its limit, by `stop`, at the end of an `async with` block (or of `with`, which does not wait), and with the next
    command to the engine. With the `timeout` of `analysis` the iterator also ends when the engine is silent. Up to 10,000
    unread lines are kept.

    >>> import asyncio
    >>> async def main():
    ...     async with await AsyncEngine.popen() as engine:
    ...         async with await engine.analysis("4455", Limit(depth=5)) as analysis:
    ...             return [info.pv[0] async for info in analysis][-1]
    >>> asyncio.run(main())
    2
    """

    def __init__(self, search: Search, connection: Connection, timeout: Optional[float]) -> None:
        """Private: use `AsyncEngine.analysis`."""
        self._search = search
        self._connection = connection
        self._timeout = timeout

    async def wait(self, timeout: Optional[float] = None) -> PlayResult:
        """Waits for the end of the search. Returns its move with the last Info.

        Raises EngineError if the engine does not answer with a legal move, EngineTerminatedError if it ends,
        EngineTimeoutError after `timeout` seconds.

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
        """Waits for the next line. An engine that has solved the position may be silent until it is stopped.

        Raises AnalysisComplete after the last line, and the exceptions of `wait`.

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
