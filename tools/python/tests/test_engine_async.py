"""The engine client for asyncio."""

from __future__ import annotations

import asyncio
from typing import List

import pytest

from plumb_engine.engine import AnalysisComplete, AsyncEngine, EngineError, EngineTerminatedError, Limit
from positions import WON, position
from scripts import HANG, UCI, Faulty, Script

pytestmark = pytest.mark.filterwarnings("error")


def test_play_and_analyse(plumb: str) -> None:
    async def main() -> None:
        async with await AsyncEngine.popen([plumb]) as engine:
            assert (await engine.play(WON, Limit(time=0.2))).move == 3
            assert (await engine.analyse(WON, Limit(depth=4))).pv == [3]
            assert len(await engine.analyse(WON, Limit(depth=4), multipv=2)) == 2
            await engine.new_game()
            assert engine.returncode is None
        assert engine.returncode == 0

    asyncio.run(main())


def test_a_warning_names_the_line_of_the_caller(plumb: str) -> None:
    async def main() -> None:
        async with await AsyncEngine.popen([plumb]) as engine:
            other = {"Hash": engine.options["Hash"].max}
            with pytest.warns(RuntimeWarning, match="the engine takes another value of an option") as warned:
                await engine.configure(other)
                await (await AsyncEngine.popen([plumb], options=other)).close()
            assert {one.filename for one in warned} == {__file__} and len(warned) == 2

    asyncio.run(main())


def test_cancelling_a_task_leaves_the_engine_usable(plumb: str) -> None:
    async def main() -> None:
        async with await AsyncEngine.popen([plumb], options={"OwnBook": False}) as engine:
            for delay in (0.0, 0.001, 0.01, 0.1):
                search = asyncio.create_task(engine.play(position(), Limit(time=HANG)))
                await asyncio.sleep(delay)
                search.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await search
                await engine.ping()
                assert (await engine.play(WON, Limit(depth=2))).move == 3
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(engine.analyse(position(), Limit(nodes=10**15)), 0.1)
            assert (await engine.play(WON, Limit(depth=2))).move == 3

    asyncio.run(main())


def test_commands_are_carried_out_one_after_the_other(plumb: str) -> None:
    async def main() -> List[int]:
        async with await AsyncEngine.popen([plumb]) as engine:
            plays = [engine.play(position([3, column, 3, column, 3]), Limit(time=0.05)) for column in (0, 1, 2)]
            results = await asyncio.gather(*plays, engine.configure({"Hash": 8}), engine.ping())
            return [result.move for result in results[:3] if result is not None]

    assert asyncio.run(main()) == [3, 3, 3]


def test_streaming(plumb: str) -> None:
    async def main() -> None:
        async with await AsyncEngine.popen([plumb], options={"OwnBook": False}) as engine:
            async with await engine.analysis(position(), multipv=2) as analysis:
                async for info in analysis:
                    await engine.ping()
                    if (info.depth or 0) >= 5:
                        break
                assert len(analysis.multipv) == 2
            assert analysis.is_done
            with await engine.analysis(WON, Limit(depth=3)) as short:
                lines = [info async for info in short]
                assert lines[-1].pv == [3]
                with pytest.raises(AnalysisComplete):
                    await short.get()
            assert (await short.wait()).move == 3

    asyncio.run(main())


def test_the_end_of_an_engine_reaches_all_who_wait(plumb: str) -> None:
    async def main() -> None:
        engine = await AsyncEngine.popen([plumb], options={"OwnBook": False})
        analysis = await engine.analysis(position())

        async def read() -> int:
            return len([info async for info in analysis])

        waiting = [asyncio.ensure_future(work) for work in (read(), analysis.wait())]
        await engine.ping()
        await engine.close()
        for task in waiting:
            with pytest.raises(EngineTerminatedError, match="has been closed"):
                await asyncio.wait_for(task, HANG)
        await engine.quit()

    asyncio.run(main())


def test_a_crash_ends_every_command(faulty: Faulty) -> None:
    async def main() -> None:
        async with await AsyncEngine.popen(faulty("crashes")) as engine:
            plays = [engine.play(position(), Limit(nodes=5)) for _ in range(3)]
            results = await asyncio.wait_for(asyncio.gather(*plays, return_exceptions=True), HANG)
            assert [type(result) for result in results] == [EngineTerminatedError] * 3

    asyncio.run(main())


def test_cancelling_the_start_leaves_no_process(script: Script) -> None:
    async def main() -> None:
        start = asyncio.create_task(AsyncEngine.popen(script("time.sleep(3600)"), timeout=HANG))
        await asyncio.sleep(0.3)
        start.cancel()
        with pytest.raises(asyncio.CancelledError):
            await start

    asyncio.run(main())


def test_an_answer_to_a_stopped_search_is_not_taken_for_the_next(script: Script) -> None:
    body = (
        UCI
        + """
        elif word == "position":
            move = line.split(" ")[3:]
        elif word == "stop":
            say("bestmove a")
        elif word == "go" and "depth" in line:
            say("bestmove g")
    """
    )

    async def main() -> None:
        async with await AsyncEngine.popen(script(body)) as engine:
            for _ in range(5):
                slow = asyncio.create_task(engine.play(position(), Limit(nodes=1)))
                await asyncio.sleep(0.05)
                slow.cancel()
                assert (await engine.play(position(), Limit(depth=1))).move == 6

    asyncio.run(main())


def test_an_engine_belongs_to_its_event_loop(plumb: str) -> None:
    loop = asyncio.new_event_loop()
    engine = loop.run_until_complete(AsyncEngine.popen([plumb]))

    async def play() -> None:
        with pytest.raises(EngineError, match="the engine belongs to another event loop"):
            await engine.play("44", Limit(depth=3))

    asyncio.run(play())
    assert loop.run_until_complete(engine.play(WON, Limit(depth=2))).move == 3
    loop.run_until_complete(engine.quit())
    loop.close()
