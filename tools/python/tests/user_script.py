"""A script as users write them, for the type checkers, and run by the tests."""

from __future__ import annotations

import asyncio
import contextlib

import numpy

import plumb_engine
from plumb_engine import AsyncEngine, Elo, Engine, Judgement, Limit, Player, Position, PositionLike, Solver, TieBreak
from plumb_engine.engine import Info
from plumb_engine.environment import ConnectFour, observation


def scored(position: PositionLike, tie_break: TieBreak = "center") -> tuple[int, int]:
    return plumb_engine.solve(position), plumb_engine.best_move(position, tie_break)


def agent(position: Position) -> numpy.int64:
    return numpy.int64(position.legal_moves[0])


def last_choice(position: Position, columns: list[int]) -> int:
    return columns[-1]


async def first_move(text: str) -> int:
    async with await AsyncEngine.popen() as engine:
        return (await engine.play(text, Limit(nodes=100))).move


def main() -> None:
    position = Position("4455").play(numpy.int64(2)).play([0])
    columns, others = [0, 1], [numpy.int64(2)]
    print(position.play(columns).play(others).play((3, numpy.int8(4))).plies)
    with contextlib.suppress(TypeError):
        position.play(range(2))  # type: ignore[arg-type]
    print(scored(position), scored("4455", last_choice), position.winning_moves, position.key)
    print(Position.from_observation(observation(position)) == position, position.draw(labels=True).svg[:4])
    solver = Solver(hash_mb=numpy.int32(4), threads=1)
    scores = solver.solve_many(["44", "4455"], threads=numpy.int64(1))
    floats: list[list[float]] = solver.scores_many(["44"], dtype=float).tolist()
    print((-scores).mean(), floats[0][0], solver.book_score("44"), solver.nodes)

    one: Judgement = plumb_engine.judge("445")
    many: list[Judgement] = plumb_engine.judge(["445", position])
    of_columns: Judgement = plumb_engine.judge([numpy.int64(3), numpy.int64(3)])
    print(one.accuracy(1), len(many), of_columns.blunders)
    evaluation = plumb_engine.evaluate(agent, Player(numpy.int8(3), seed=numpy.int64(1)), games=numpy.int64(2))
    elo: Elo | None = evaluation.elo
    print(elo.value if elo else None, evaluation.accuracy("opening"))
    evaluation.plot().set_size_inches(6, 3)

    with Engine.popen(options={"Hash": 16}) as engine:
        engine.configure({"Hash": 8})
        move: int = engine.play(position, Limit(depth=4), root_moves=[numpy.int64(3)]).move
        best: Info = engine.analyse("44", Limit(depth=6))
        lines: list[Info] = engine.analyse("44", Limit(depth=6), multipv=2)
        with engine.analysis("44", timeout=0.2) as analysis:
            depths = [info.depth for info in analysis]
        print(move, best.pv[:1], best.string, len(lines), len(depths) > 0, analysis.wait().move)
    print(asyncio.run(first_move("4455")))

    env = ConnectFour("random", agent_is=1)
    env.reset(seed=1)
    _, reward, _, _, info = env.step(numpy.int64(3))
    print(reward, info["position"].plies)


if __name__ == "__main__":
    main()
