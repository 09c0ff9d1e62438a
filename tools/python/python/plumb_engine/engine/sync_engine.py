"""The client of an engine for programs without asyncio: an event loop in a thread runs the asynchronous one."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import os
import threading
import weakref
from types import TracebackType
from typing import Any, Coroutine, Iterator, List, Mapping, Optional, Sequence, Type, TypeVar, Union, overload

from .analysis import AsyncAnalysis
from .async_engine import AsyncEngine
from .board import PositionLike
from .command import Command
from .errors import AnalysisComplete, EngineTerminatedError
from .info import Info
from .limit import Limit
from .option import OptionMap
from .search import PlayResult

_T = TypeVar("_T")

# Seconds between looks for Ctrl-C, which does not interrupt a wait on all systems.
_SIGNAL_INTERVAL = 0.5


class _Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._owner = os.getpid()
        self._thread = threading.Thread(target=self._run, name="plumb_engine", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Runs a coroutine to its end; an exception of this thread, such as KeyboardInterrupt, cancels it."""
        if self._is_forked():
            work.close()
            raise EngineTerminatedError(
                f"the engine belongs to process {self._owner}, of which this one is a fork: each process starts its own"
            )
        if self._loop.is_closed():
            work.close()
            raise EngineTerminatedError("the engine has been closed")
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            while not concurrent.futures.wait([future], timeout=_SIGNAL_INTERVAL).done:
                pass
        except BaseException:
            future.cancel()
            raise
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            # Another thread has closed the engine.
            raise EngineTerminatedError("the engine has been closed") from None

    def call(self, work: Coroutine[Any, Any, _T]) -> None:
        """Runs a coroutine and ends the loop and its thread, whatever comes of it."""
        if self._loop.is_closed() or self._is_forked():
            work.close()
            return
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        with contextlib.suppress(Exception):
            future.result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _is_forked(self) -> bool:
        """Whether this process is a fork of the one that made the loop: then the loop's thread is not here, and nothing that
        is given to it ends."""
        return os.getpid() != self._owner

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            tasks = asyncio.all_tasks(self._loop)
            for task in tasks:
                task.cancel()
            self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            asyncio.set_event_loop(None)
            self._loop.close()


def _end(loop: _Loop, engine: AsyncEngine) -> None:
    """Ends an engine that nobody has closed."""
    loop.call(engine.quit(0.5))


class Engine:
    """A running engine. `Engine.popen` starts one; a `with` block, `quit` or `close` ends it.

    Methods block until there is a result; Ctrl-C interrupts them, stops the search, and leaves the engine usable.
    Several threads may use one engine: commands are carried out one after the other. Once the engine has ended, every
    command raises EngineTerminatedError; so it does in a fork of the process, which leaves the engine to its owner.
    """

    def __init__(self, loop: Any, engine: AsyncEngine) -> None:
        """Not for users, who have `popen`."""
        self._loop: _Loop = loop
        self._engine = engine
        # Also at the end of the program, so that no process is left.
        self._finalizer = weakref.finalize(self, _end, loop, engine)

    @classmethod
    def popen(
        cls,
        cmd: Optional[Command] = None,
        *,
        protocol: str = "uci",
        timeout: float = 10.0,
        cwd: Optional[Union[str, "os.PathLike[str]"]] = None,
        env: Optional[Mapping[str, str]] = None,
        options: Optional[Mapping[str, object]] = None,
    ) -> Engine:
        """Starts an engine, and waits until it is ready. Arguments and exceptions: those of `AsyncEngine.popen`."""
        loop = _Loop()
        try:
            work = AsyncEngine.popen(cmd, protocol=protocol, timeout=timeout, cwd=cwd, env=env, options=options)
            engine = loop.run(work)
        except BaseException:
            loop.call(asyncio.sleep(0))
            raise
        return cls(loop, engine)

    @property
    def timeout(self) -> float:
        """Seconds in which the engine has to say that it is ready, and to obey `stop`; it can be set."""
        return self._engine.timeout

    @timeout.setter
    def timeout(self, seconds: float) -> None:
        self._engine.timeout = seconds

    @property
    def id(self) -> Mapping[str, str]:
        """What the engine says of itself: `name` and `author`."""
        return self._engine.id

    @property
    def options(self) -> OptionMap:
        """The options that the engine has, by name."""
        return self._engine.options

    @property
    def protocol(self) -> str:
        """The protocol that it speaks: "uci" or "ugi"."""
        return self._engine.protocol

    @property
    def returncode(self) -> Optional[int]:
        """The exit status; below 0, the number of the signal that ended the engine; None while it runs."""
        return self._engine.returncode

    @property
    def pid(self) -> int:
        """The number of the process in the system."""
        return self._engine.pid

    def ping(self) -> None:
        """Waits until the engine has carried out all that was sent to it; a search goes on meanwhile.

        Raises EngineTimeoutError after `timeout` seconds.
        """
        self._loop.run(self._engine.ping())

    def new_game(self) -> None:
        """Tells the engine that the next position is of another game, so that it forgets the last one."""
        self._loop.run(self._engine.new_game())

    def configure(self, options: Mapping[str, object]) -> None:
        """Sets options. Arguments and exceptions: those of `AsyncEngine.configure`."""
        self._loop.run(self._engine.configure(options))

    def play(
        self,
        position: Union[PositionLike, str],
        limit: Limit,
        *,
        root_moves: Optional[Sequence[int]] = None,
        ponder: bool = False,
        info: bool = False,
        grace: float = 30.0,
    ) -> PlayResult:
        """Asks for a move. Arguments and exceptions: those of `AsyncEngine.play`."""
        work = self._engine.play(position, limit, root_moves=root_moves, ponder=ponder, info=info, grace=grace)
        return self._loop.run(work)

    @overload
    def analyse(
        self,
        position: Union[PositionLike, str],
        limit: Limit,
        *,
        multipv: None = None,
        root_moves: Optional[Sequence[int]] = None,
        grace: float = 30.0,
    ) -> Info: ...

    @overload
    def analyse(
        self,
        position: Union[PositionLike, str],
        limit: Limit,
        *,
        multipv: int,
        root_moves: Optional[Sequence[int]] = None,
        grace: float = 30.0,
    ) -> List[Info]: ...

    def analyse(
        self,
        position: Union[PositionLike, str],
        limit: Limit,
        *,
        multipv: Optional[int] = None,
        root_moves: Optional[Sequence[int]] = None,
        grace: float = 30.0,
    ) -> Union[Info, List[Info]]:
        """What the engine says of a position: an Info, or with `multipv` a list of them, the best first. Arguments and
        exceptions: those of `AsyncEngine.analyse`."""
        if multipv is None:
            return self._loop.run(self._engine.analyse(position, limit, root_moves=root_moves, grace=grace))
        work = self._engine.analyse(position, limit, multipv=multipv, root_moves=root_moves, grace=grace)
        return self._loop.run(work)

    def analysis(
        self,
        position: Union[PositionLike, str],
        limit: Optional[Limit] = None,
        *,
        multipv: Optional[int] = None,
        root_moves: Optional[Sequence[int]] = None,
    ) -> Analysis:
        """Starts an analysis and returns it. Arguments and exceptions: those of `AsyncEngine.analysis`."""
        work = self._engine.analysis(position, limit, multipv=multipv, root_moves=root_moves)
        return Analysis(self._loop, self._loop.run(work), self)

    def quit(self, timeout: float = 5.0) -> None:
        """Asks the engine to end, and kills it if it has not ended after `timeout` seconds. Not an error if it has."""
        if self._finalizer.detach():
            self._loop.call(self._engine.quit(timeout))

    def close(self) -> None:
        """Ends the engine at once. Commands that wait in other threads raise EngineTerminatedError."""
        if self._finalizer.detach():
            self._loop.call(self._engine.close())

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.quit()

    def __repr__(self) -> str:
        return repr(self._engine).replace("AsyncEngine", "Engine", 1)


class Analysis:
    """An analysis that is running: an iterator over the lines of the engine, as Info, each what its line says.

    It ends at its limit, by `stop`, with a `with` block, or by the next command to the engine. Of lines that nobody
    reads the last 10,000 are kept.
    """

    def __init__(self, loop: Any, analysis: AsyncAnalysis, engine: Engine) -> None:
        """Not for users, who have `Engine.analysis`."""
        self._loop: _Loop = loop
        self._analysis = analysis
        # An engine that nobody refers to any more is ended.
        self._engine = engine

    @property
    def info(self) -> Info:
        """What is known of the best variation so far."""
        return self._analysis.info

    @property
    def multipv(self) -> List[Info]:
        """What is known of each variation so far, the best first."""
        return self._analysis.multipv

    @property
    def is_done(self) -> bool:
        """Whether the engine has ended the search; lines may still wait to be read."""
        return self._analysis.is_done

    def stop(self) -> None:
        """Tells the engine to end the search, and does not wait for that. Not an error if it has ended."""

        async def stop() -> None:
            self._analysis.stop()

        if not self._analysis.is_done:
            self._loop.run(stop())

    def wait(self, timeout: Optional[float] = None) -> PlayResult:
        """Waits for the end of the search, and returns its move with the last Info.

        Raises EngineError if the engine does not answer with a legal move, EngineTerminatedError if it ends, and
        EngineTimeoutError after `timeout` seconds, if they are given.
        """
        return self._loop.run(self._analysis.wait(timeout))

    def get(self, timeout: Optional[float] = None) -> Info:
        """Waits for the next line. An engine that knows all of a position may have nothing to say until it is stopped.

        Raises AnalysisComplete after the last one, and the exceptions of `wait` if the search has failed or `timeout`
        seconds, if they are given, have passed.
        """
        return self._loop.run(self._analysis.get(timeout))

    def __iter__(self) -> Iterator[Info]:
        return self

    def __next__(self) -> Info:
        try:
            return self.get()
        except AnalysisComplete:
            raise StopIteration from None

    def __enter__(self) -> Analysis:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        with contextlib.suppress(EngineTerminatedError):
            self._loop.run(self._analysis.__aexit__(kind, error, trace))
