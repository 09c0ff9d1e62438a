"""The client of an engine for asyncio."""

from __future__ import annotations

import asyncio
import os
from contextlib import AbstractAsyncContextManager
from types import MappingProxyType
from typing import AsyncIterator, Dict, List, Mapping, Optional, Tuple, Union, overload

from .._native import Position
from ..argument_types import PositionLike, RootMoves
from .command import Command, command_words
from .connection import Connection
from .errors import AnalysisComplete, EngineTimeoutError
from .info import Info
from .limit import Limit, after_move, are_alike, checked
from .notation import position_command, position_to_search
from .option import OptionMap
from .search import PlayResult, Search, go_command


class EngineBase:
    _connection: Connection

    @property
    def timeout(self) -> float:
        """Seconds that the engine has to become ready and to obey `stop`. It can be set."""
        return self._connection.timeout

    @timeout.setter
    def timeout(self, seconds: float) -> None:
        self._connection.timeout = seconds

    @property
    def id(self) -> Mapping[str, str]:
        """`name` and `author` of the engine."""
        return MappingProxyType(self._connection.id)

    @property
    def options(self) -> OptionMap:
        """The options of the engine, by name."""
        return self._connection.options

    @property
    def protocol(self) -> str:
        """The protocol: "uci" or "ugi"."""
        return "ugi" if self._connection.is_ugi else "uci"

    @property
    def returncode(self) -> Optional[int]:
        """The exit status, below 0 the number of a signal, None while the engine runs."""
        return self._connection.transport.get_returncode()

    @property
    def pid(self) -> int:
        """The process ID."""
        return self._connection.transport.get_pid()

    def __repr__(self) -> str:
        state = "running" if self.returncode is None else f"exit status {self.returncode}"
        return f"<{type(self).__name__} {self.id.get('name', self._connection.words[0])!r} ({state})>"


class AsyncEngine(EngineBase, AbstractAsyncContextManager["AsyncEngine"]):
    """A running engine for asyncio. `AsyncEngine.popen` starts it. Use all methods in the event loop that started it.

    Commands run one after the other. The next command stops a running analysis and pondering, except `ping`. If you cancel a
    task that waits for a search, the search stops and the engine stays usable. After the end of the engine every command
    raises EngineTerminatedError. The examples of the methods are for `Engine`; here each call needs `await`.

    >>> import asyncio
    >>> async def main():
    ...     async with await AsyncEngine.popen() as engine:
    ...         return (await engine.play("4455", Limit(depth=5))).move
    >>> asyncio.run(main())
    2
    """

    def __init__(self, connection: Connection) -> None:
        """Private: use `popen`."""
        self._connection = connection
        # Option values that were set, by name in lower case.
        self._values: Dict[str, object] = {}
        self._is_on_standard_board = True
        self._lock = asyncio.Lock()

    @classmethod
    async def popen(
        cls,
        cmd: Optional[Command] = None,
        *,
        protocol: str = "uci",
        timeout: float = 10.0,
        cwd: Optional[Union[str, "os.PathLike[str]"]] = None,
        env: Optional[Mapping[str, str]] = None,
        options: Optional[Mapping[str, object]] = None,
    ) -> AsyncEngine:
        """Starts an engine and waits until it is ready.

        cmd: a command line, split as by a shell, a path, or a list of words. None is Plumb: the environment variable PLUMB,
        the installed program, or the program on PATH. protocol: "uci", "ugi", or "auto" to try both. timeout: seconds, above 0.
        cwd, env: directory and environment of the process. options: as for `configure`; UCI_Variant is `cfour` by default.

        Raises ValueError for a bad argument, EngineError if the program cannot start, EngineTimeoutError if it does not
        answer, EngineTerminatedError if it ends, OptionError for a bad option.

        >>> with Engine.popen(options={"Hash": 16}) as engine:
        ...     engine.id["author"], engine.protocol
        ('the Plumb developers', 'uci')
        """
        if protocol not in ("uci", "ugi", "auto"):
            raise ValueError(f"protocol: {protocol!r} is none of 'uci', 'ugi' and 'auto'")
        if not isinstance(timeout, (int, float)) or not timeout > 0:
            raise ValueError(f"timeout: {timeout!r}: expected seconds above 0")
        directory = None if cwd is None else os.fspath(cwd)
        engine = cls(await Connection.start(command_words(cmd), timeout, protocol, directory, env))
        try:
            options = options or {}
            if "UCI_Variant" in engine.options and not any(name.lower() == "uci_variant" for name in options):
                # Last, because an option before it may load a file that defines the variant.
                options = {**options, "UCI_Variant": "cfour"}
            await engine.configure(options)
        except BaseException:
            await engine.close()
            raise
        return engine

    async def ping(self) -> None:
        """Waits until the engine has carried out all commands. A search continues. Raises EngineTimeoutError after `timeout`.

        >>> with Engine.popen() as engine:
        ...     engine.ping()
        """
        await self._connection.wait_until_ready()

    async def new_game(self) -> None:
        """Announces a new game, for which the engine forgets the last game.

        >>> with Engine.popen() as engine:
        ...     engine.new_game()
        """
        async with self._lock:
            await self._connection.end_search()
            self._connection.send("uginewgame" if self._connection.is_ugi else "ucinewgame")
            await self._connection.wait_until_ready()

    async def configure(self, options: Mapping[str, object]) -> None:
        """Sets options. Names ignore case. The value of a button is None.

        All options are checked first. MultiPV is set by `analyse` and `analysis`. Raises OptionError, a ValueError, for an
        unknown name or a wrong value, EngineError if the engine refuses a value. Warns if the engine chooses another value.

        >>> with Engine.popen() as engine:
        ...     engine.configure({"Hash": 16, "Clear Hash": None})
        """
        if not isinstance(options, Mapping):
            raise TypeError(f"options: {options!r}; expected a dict of names and values")
        if any(name.lower() == "multipv" for name in options):
            raise ValueError("option `MultiPV`: set by the argument multipv of analyse and analysis")
        lines = [(name, value, self._connection.options.find(name).command(value)) for name, value in options.items()]
        async with self._lock:
            await self._connection.end_search()
            self._connection.refusals.clear()
            self._connection.other_values.clear()
            for name, value, line in lines:
                is_of_board = name.lower() in ("board", "uci_variant") and value not in ("7x6", "cfour")
                self._is_on_standard_board &= not is_of_board
                self._connection.send(line)
                self._values[name.lower()] = value
            await self._connection.wait_until_ready()
            self._connection.check_refusals()
            self._connection.warn_of_values()

    async def play(
        self,
        position: PositionLike,
        limit: Limit,
        *,
        root_moves: RootMoves = None,
        ponder: bool = False,
        info: bool = False,
        grace: float = 30.0,
    ) -> PlayResult:
        """Searches a move in a position or its text.

        root_moves: the only columns to consider. info: return the engine's last Info. ponder: think during the opponent's turn
        on the expected reply (UCI only). The next `play` continues this search if the opponent has made that move.

        Raises ValueError before anything is sent if the game is over or a limit or root move is illegal. Raises EngineError if
        the engine refuses the position or returns an illegal move, EngineTimeoutError `grace` seconds after its time.

        >>> with Engine.popen() as engine:
        ...     engine.play("4455", Limit(depth=5), root_moves=[2, 3]).move
        2
        """
        if checked(limit).is_unlimited:
            raise ValueError("limit: it limits nothing; a search for a move needs an end")
        root = position_to_search(position)
        go_command(limit, root, self._connection.is_ugi, root_moves)
        async with self._lock:
            search = self._ponder_hit(root, limit) if root_moves is None else None
            if search is None:
                if ponder and "Ponder" in self._connection.options and self._values.get("ponder") is not True:
                    await self._connection.end_search()
                    self._connection.send(self._connection.options["Ponder"].command(True))
                    self._values["ponder"] = True
                search = await self._begin(root, limit, None, root_moves)
            move, reply = await self._result(search, grace)
            if ponder and reply is not None:
                self._begin_pondering(search, move, reply)
            return PlayResult(move, reply, search.info if info else None)

    @overload
    async def analyse(
        self, position: PositionLike, limit: Limit, *, multipv: None = None, root_moves: RootMoves = None, grace: float = 30.0
    ) -> Info: ...

    @overload
    async def analyse(
        self, position: PositionLike, limit: Limit, *, multipv: int, root_moves: RootMoves = None, grace: float = 30.0
    ) -> List[Info]: ...

    async def analyse(
        self, position: PositionLike, limit: Limit, *, multipv: Optional[int] = None, root_moves: RootMoves = None, grace: float = 30.0
    ) -> Union[Info, List[Info]]:
        """Searches a position. Returns the last Info; with `multipv` a list of up to so many variations, the best first.

        Raises the exceptions of `play`, and OptionError if the engine does not support so many variations.

        >>> with Engine.popen() as engine:
        ...     [info.pv[0] for info in engine.analyse("4455", Limit(depth=20), multipv=2)]
        [2, 5]
        """
        if checked(limit).is_unlimited:
            raise ValueError("limit: it limits nothing; `analysis` is for searches without an end")
        root = position_to_search(position)
        go_command(limit, root, self._connection.is_ugi, root_moves)
        async with self._lock:
            search = await self._begin(root, limit, multipv, root_moves)
            await self._result(search, grace)
            return search.info if multipv is None else list(search.variations)

    async def analysis(
        self,
        position: PositionLike,
        limit: Optional[Limit] = None,
        *,
        multipv: Optional[int] = None,
        root_moves: RootMoves = None,
        timeout: Optional[float] = None,
    ) -> AsyncAnalysis:
        """Starts an analysis to read while it runs. Without a limit it runs until it is stopped.

        timeout: seconds of silence after which a loop over the analysis ends. Raises the exceptions of `analyse`.

        >>> with Engine.popen() as engine:
        ...     with engine.analysis("4455", timeout=2.0) as analysis:
        ...         [info.pv[0] for info in analysis][-1]
        2
        """
        limit = Limit() if limit is None else checked(limit)
        root = position_to_search(position)
        go_command(limit, root, self._connection.is_ugi, root_moves)
        async with self._lock:
            search = await self._begin(root, limit, multipv, root_moves)
            search.is_streamed = True
            return AsyncAnalysis(search, self._connection, timeout)

    async def quit(self, timeout: float = 5.0) -> None:
        """Sends `quit`, and kills the engine after `timeout` seconds. No error if it has ended.

        >>> engine = Engine.popen()
        >>> engine.quit()
        >>> engine.returncode
        0
        """
        await self._connection.quit(timeout)

    async def close(self) -> None:
        """Ends the engine immediately. Waiting commands raise EngineTerminatedError.

        >>> engine = Engine.popen()
        >>> engine.close()
        >>> engine.returncode is None
        False
        """
        await self._connection.close()

    async def __aexit__(self, *_: object) -> None:
        await self.quit()

    async def _begin(self, root: Position, limit: Limit, multipv: Optional[int], root_moves: RootMoves) -> Search:
        """Sends the position, and `go` if the engine has accepted it."""
        is_set = multipv in (None, 1) and self._values.get("multipv", 1) == 1
        line = None if is_set else self._connection.options.find("MultiPV").command(1 if multipv is None else multipv)
        await self._connection.end_search()
        if line is not None:
            self._connection.send(line)
        self._values["multipv"] = multipv or 1
        self._connection.refusals.clear()
        self._send_position(root)
        await self._connection.wait_until_ready()
        self._connection.check_refusals()
        search = Search(root, limit, self._connection.is_ugi)
        self._connection.search = search
        self._connection.send(go_command(limit, root, self._connection.is_ugi, root_moves))
        return search

    def _send_position(self, root: Position) -> None:
        self._is_on_standard_board &= root.board == Position().board
        self._connection.send(position_command(root, self._connection.is_ugi, self._is_on_standard_board))

    async def _result(self, search: Search, grace: float) -> Tuple[int, Optional[int]]:
        """Waits for the move. Stops the search if the task is cancelled."""
        seconds = search.limit.seconds(search.root.turn)
        timeout = None if seconds is None else seconds + grace
        try:
            await asyncio.wait([search.done], timeout=timeout)
            if not search.done.done():
                program = self._connection.words[0]
                raise EngineTimeoutError(
                    f"the engine `{program}` has not moved within {timeout:g} s, its time and {grace:g} s of grace"
                )
        except BaseException:
            self._connection.stop(search)
            raise
        return search.done.result()

    def _begin_pondering(self, search: Search, move: int, reply: int) -> None:
        root = search.root.play(move).play(reply)
        if root.is_over or self._connection.is_ugi:
            return
        elapsed = asyncio.get_running_loop().time() - search.begin
        clocks = after_move(search.limit, search.root.turn, elapsed)
        self._connection.search = Search(root, search.limit, self._connection.is_ugi, is_pondering=True)
        self._send_position(root)
        self._connection.send(go_command(clocks, root, self._connection.is_ugi, None, True))

    def _ponder_hit(self, root: Position, limit: Limit) -> Optional[Search]:
        """Turns pondering on this position into a search."""
        search = self._connection.search
        if search is None or not search.is_pondering or search.is_stopped or search.done.done():
            return None
        if search.root != root or not are_alike(search.limit, limit):
            return None
        search.is_pondering = False
        search.limit = limit
        search.begin = asyncio.get_running_loop().time()
        self._connection.send("ponderhit")
        return search


class AnalysisBase:
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
        if not self.is_done:
            self._connection.loop.call_soon_threadsafe(self._connection.stop, self._search)


class AsyncAnalysis(AnalysisBase, AsyncIterator[Info], AbstractAsyncContextManager["AsyncAnalysis"]):
    """Like `Analysis`, but an async iterator. An `async with` block waits for the end of the search, a `with` block does not.

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

        Raises EngineError for an illegal move, EngineTerminatedError if the engine ends, EngineTimeoutError after `timeout`.

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
            # Before Python 3.12, `wait_for` with timeout 0 returns no result that is already there.
            return await self._next()
        try:
            return await asyncio.wait_for(self._next(), timeout)
        except asyncio.TimeoutError:
            raise EngineTimeoutError(f"the engine has said nothing new of the position within {timeout:g} s") from None

    async def _next(self) -> Info:
        search = self._search
        while not search.waiting:
            if search.done.done():
                search.done.result()
                raise AnalysisComplete("the engine has ended the analysis")
            search.news.clear()
            await search.news.wait()
        return search.waiting.popleft()

    async def __anext__(self) -> Info:
        try:
            return await self.get(self._timeout)
        except (AnalysisComplete, EngineTimeoutError):
            raise StopAsyncIteration from None

    def __enter__(self) -> AsyncAnalysis:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    async def __aexit__(self, *_: object) -> None:
        self._connection.stop(self._search)
        # Unlike `await`, `asyncio.wait` raises no error that would hide an exception of the block.
        await asyncio.wait([self._search.done], timeout=self._connection.timeout)
