"""The client without asyncio. An event loop in a thread runs the asynchronous clients."""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures
import contextlib
import functools
import inspect
import os
import threading
import weakref
from typing import TYPE_CHECKING, Any, Callable, Coroutine, Dict, Generic, Iterator, Mapping, Optional, Type, TypeVar

from ..argument_types import SIGNAL_INTERVAL
from .async_engine import AnalysisBase, AsyncAnalysis, AsyncEngine, EngineBase
from .connection import LOOP_THREAD
from .errors import AnalysisComplete, EngineTerminatedError, EngineTimeoutError
from .info import Info

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    _P = ParamSpec("_P")

_A = TypeVar("_A")
_T = TypeVar("_T")

# Seconds that an engine which was not closed has to quit before it is killed.
_QUIT_TIMEOUT = 0.5


class _Loop:
    """The event loop of all engines of this process, in a thread."""

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, name=LOOP_THREAD, daemon=True).start()

    def is_forked(self) -> bool:
        """Whether this process is a fork, in which the thread does not run."""
        return os.getpid() != self._owner

    def run(self, method: Callable[_P, Coroutine[Any, Any, _T]], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Runs a coroutine to its end. An exception of this thread, such as KeyboardInterrupt, cancels it."""
        if self.is_forked():
            raise EngineTerminatedError(
                f"the engine belongs to process {self._owner}, of which this one is a fork: each process starts its own"
            )
        try:
            work = method(*args, **kwargs)
        except TypeError as error:
            # The message must name `Engine`, not `AsyncEngine`.
            raise TypeError(str(error).replace("Async", "", 1)) from None
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            while not concurrent.futures.wait([future], timeout=SIGNAL_INTERVAL).done:
                pass
            return future.result()
        except BaseException:
            future.cancel()
            raise

    async def end(self, engine: AsyncEngine) -> None:
        """Ends an engine that was not closed."""
        with contextlib.suppress(Exception):
            await engine.quit(_QUIT_TIMEOUT)
        _running.pop(engine, None)

    def end_later(self, engine: AsyncEngine) -> None:
        """Ends an engine without references. The garbage collector calls this in any thread, with any locks: it must not wait."""
        if not self.is_forked():
            asyncio.run_coroutine_threadsafe(self.end(engine), self._loop)


# Running engines, which the program ends when it exits.
_running: Dict[AsyncEngine, _Loop] = {}
_loop: Optional[_Loop] = None


def _started_loop() -> _Loop:
    global _loop
    if _loop is None or _loop.is_forked():
        _loop = _Loop()
    return _loop


@atexit.register
def _end_all() -> None:
    for engine, loop in list(_running.items()):
        if not loop.is_forked():
            loop.run(loop.end, engine)


class _Blocking(Generic[_A]):
    _loop: _Loop
    _inner: _A


def _blocking(
    method: Callable[Concatenate[_A, _P], Coroutine[Any, Any, _T]],
) -> Callable[Concatenate[_Blocking[_A], _P], _T]:
    """The method without asyncio."""

    @functools.wraps(method)
    def call(self: _Blocking[_A], /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        return self._loop.run(method, self._inner, *args, **kwargs)

    return call


def _starting(start: Callable[_P, Coroutine[Any, Any, AsyncEngine]]) -> Callable[Concatenate[Type[Engine], _P], Engine]:
    """The class method that starts an engine, without asyncio."""

    @functools.wraps(start)
    def call(cls: Type[Engine], /, *args: _P.args, **kwargs: _P.kwargs) -> Engine:
        loop = _started_loop()
        engine = cls(loop, loop.run(start, *args, **kwargs))
        engine._connection.warn_of_values()
        return engine

    setattr(call, "__signature__", inspect.signature(getattr(start, "__func__")).replace(return_annotation="Engine"))
    return call


def _analysing(
    method: Callable[Concatenate[AsyncEngine, _P], Coroutine[Any, Any, AsyncAnalysis]],
) -> Callable[Concatenate[Engine, _P], Analysis]:
    """The method that starts an analysis, without asyncio."""

    @functools.wraps(method)
    def call(self: Engine, /, *args: _P.args, **kwargs: _P.kwargs) -> Analysis:
        return Analysis(self, self._loop.run(method, self._inner, *args, **kwargs))

    setattr(call, "__signature__", inspect.signature(method).replace(return_annotation="Analysis"))
    return call


class Engine(EngineBase, _Blocking[AsyncEngine], contextlib.AbstractContextManager["Engine"]):
    """A running engine. `Engine.popen` starts it. A `with` block, `quit` or `close` ends it.

    Methods block until there is a result. Ctrl-C interrupts them and stops the search; the engine stays usable. Several threads
    may use an engine: commands run one after the other. After the end, and in a fork, commands raise EngineTerminatedError.

    >>> with Engine.popen() as engine:
    ...     engine.play("4455", Limit(depth=5)).move
    2
    """

    def __init__(self, loop: Any, engine: AsyncEngine) -> None:
        """Private: use `popen`."""
        self._loop = loop
        self._inner = engine
        self._connection = engine._connection
        _running[engine] = loop
        # At exit `end_later` could not run its coroutine.
        weakref.finalize(self, loop.end_later, engine).atexit = False

    popen = classmethod(_starting(AsyncEngine.popen))
    ping = _blocking(AsyncEngine.ping)
    new_game = _blocking(AsyncEngine.new_game)
    play = _blocking(AsyncEngine.play)
    analyse = _blocking(AsyncEngine.analyse)
    analysis = _analysing(AsyncEngine.analysis)

    def configure(self, options: Mapping[str, object]) -> None:
        self._loop.run(self._inner.configure, options)
        self._connection.warn_of_values()

    def quit(self, timeout: float = 5.0) -> None:
        try:
            with contextlib.suppress(EngineTerminatedError):
                self._loop.run(self._inner.quit, timeout)
        finally:
            self.close()

    def close(self) -> None:
        with contextlib.suppress(EngineTerminatedError):
            self._loop.run(self._inner.close)

    configure.__doc__ = AsyncEngine.configure.__doc__
    quit.__doc__ = AsyncEngine.quit.__doc__
    close.__doc__ = AsyncEngine.close.__doc__

    def __exit__(self, *_: object) -> None:
        self.quit()


class Analysis(AnalysisBase, _Blocking[AsyncAnalysis], Iterator[Info], contextlib.AbstractContextManager["Analysis"]):
    """A running analysis: an iterator over the lines of the engine, as Info. Up to 10,000 unread lines are kept.

    It ends at its limit, by `stop`, at the end of a `with` block, and with the next command to the engine. With the `timeout`
    of `analysis` the iterator also ends when the engine is silent.

    >>> with Engine.popen() as engine:
    ...     list(engine.analysis("4455", Limit(depth=5)))[-1].pv[0]
    2
    """

    def __init__(self, engine: Engine, analysis: AsyncAnalysis) -> None:
        """Private: use `Engine.analysis`."""
        self._engine = engine
        self._loop = engine._loop
        self._inner = analysis
        self._search, self._connection = analysis._search, analysis._connection

    wait = _blocking(AsyncAnalysis.wait)
    get = _blocking(AsyncAnalysis.get)

    def __next__(self) -> Info:
        try:
            return self.get(self._inner._timeout)
        except (AnalysisComplete, EngineTimeoutError):
            raise StopIteration from None

    def __exit__(self, *error: object) -> None:
        with contextlib.suppress(EngineTerminatedError):
            self._loop.run(self._inner.__aexit__, *error)
