"""The lines that the engine client sends and reads, with engines written in Python."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from plumb_engine import Position
from plumb_engine.engine import Engine, Info, Limit, PlayResult, Score, Wdl
from plumb_engine.engine.info import parse_info
from plumb_engine.engine.notation import position_command
from positions import WON, position
from scripts import UCI, Script

pytestmark = pytest.mark.filterwarnings("error")


def test_the_commands_of_pondering(script: Script, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "plumb_engine")
    body = (
        UCI
        + """
        elif word == "go" and "ponder" not in line or word in ("stop", "ponderhit"):
            say("bestmove d ponder e")
    """
    )
    with Engine.popen(script(body)) as engine:
        clock = Limit(first_clock=10, second_clock=10, first_inc=2, second_inc=1)
        assert engine.play(position([0]), clock, ponder=True) == PlayResult(3, 4)
        engine.ping()
        assert engine.play(position([0, 3, 4]), clock, ponder=True) == PlayResult(3, 4)
        assert engine.play(position([0, 3, 4, 3, 5]), clock).move == 3
        assert engine.play(position([1]), Limit(time=1), ponder=True).move == 3
        assert engine.play(position([1, 3, 4]), Limit(time=2), ponder=True).move == 3
        assert engine.play(position([1, 3, 4, 3, 4]), Limit(time=2), ponder=True, root_moves=[3]).move == 3
    sent = [record.getMessage().split(" >> ")[1] for record in caplog.records if " >> " in record.getMessage()]
    sent = [line for line in sent if line.split()[0] in ("go", "stop", "ponderhit")]
    ponders = [place for place, line in enumerate(sent) if line.startswith("go ponder wtime 10000 btime ")]
    assert ponders == [1, 3]
    clocks = [int(sent[place].split()[5]) for place in ponders]
    assert all(0 < clock <= 11_000 and clock != 10_000 for clock in clocks), clocks
    sent = [line for place, line in enumerate(sent) if place not in ponders]
    assert sent == [
        "go wtime 10000 btime 10000 winc 2000 binc 1000",
        "ponderhit",
        "stop",
        "go wtime 10000 btime 10000 winc 2000 binc 1000",
        "go movetime 1000",
        "go ponder movetime 1000",
        "stop",
        "go movetime 2000",
        "go ponder movetime 2000",
        "stop",
        "go movetime 2000 searchmoves P@d3",
        "go ponder movetime 2000",
        "stop",
    ]


@pytest.mark.parametrize("word", ["P@d1", "p@d1", "@d1", "d1", "D1", "d", "D", "4"])
def test_all_notations_are_read(script: Script, word: str) -> None:
    body = (
        UCI
        + f"""
        elif word == "go":
            say("info depth 1 score cp 0 pv {word}")
            say("bestmove {word}")
    """
    )
    with Engine.popen(script(body)) as engine:
        result = engine.play(position(), Limit(time=1), info=True)
        assert result.move == 3 and result.info is not None and result.info.pv == [3]


def test_a_bound_may_stand_after_the_expected_results() -> None:
    for words, bound in (
        ("cp 30 wdl 600 300 100", "exact"),
        ("cp 30 upperbound wdl 600 300 100", "upper"),
        ("cp 30 wdl 600 300 100 lowerbound", "lower"),
    ):
        info, faults = parse_info(f"info depth 9 score {words} pv d", position(), False)
        assert (info.score, faults) == (Score(cp=30, bound=bound, wdl=Wdl(600, 300, 100)), [])
        assert hash(info) == hash(Info(depth=9, score=info.score, pv=[3]))


def test_the_words_that_are_sent(script: Script, tmp_path: Path) -> None:
    log = tmp_path / "log"
    body = f"""
        log = open({str(log)!r}, "a")
        for line in lines:
            log.write(line + "\\n")
            log.flush()
            word = line.split(" ")[0]
            if word in ("uci", "ugi"):
                say("option name UCI_Variant type combo default chess var chess var cfour")
                say(word + "ok")
            elif word == "isready":
                say("readyok")
            elif word == "go":
                say("bestmove d")
            elif word == "quit":
                break
    """
    clocks = Limit(first_clock=60, second_clock=59.5, first_inc=1, second_inc=0.25)
    with Engine.popen(script(body)) as engine:
        engine.new_game()
        engine.play(position([3, 3, 0]), Limit(time=0.25, depth=4, nodes=99, mate=2))
        engine.play(position([6], "7/7/7/7/7/3XO2 w - - 0 1"), clocks, root_moves=[0, 3])
    uci = [line for line in log.read_text().splitlines() if line != "isready"]
    assert uci == [
        "uci",
        "setoption name UCI_Variant value cfour",
        "ucinewgame",
        "position startpos moves P@d1 P@d2 P@a1",
        "go movetime 250 depth 4 nodes 99 mate 2",
        "position fen 7/7/7/7/7/3Pp2[" + "P" * 20 + "p" * 20 + "] w - - 0 2 moves P@g1",
        "go wtime 60000 btime 59500 winc 1000 binc 250 searchmoves P@a1 P@d2",
        "quit",
    ]
    log.unlink()
    with Engine.popen(script(body), protocol="ugi") as engine:
        engine.new_game()
        engine.play(position([3, 3, 0]), clocks, root_moves=[1], ponder=True)
        engine.play(position([3]), Limit(mate=2))
    ugi = [line for line in log.read_text().splitlines() if line != "isready"]
    assert ugi == [
        "ugi",
        "setoption name UCI_Variant value cfour",
        "uginewgame",
        "position startpos moves d d a",
        "go p1time 60000 p2time 59500 p1inc 1000 p2inc 250 searchmoves b",
        "position startpos moves d",
        "go mate 3",
        "quit",
    ]


def test_positions_on_boards_of_any_size_are_sent_as_fens() -> None:
    cells = [[0] * 10 for _ in range(4)]
    cells[3][9], cells[3][0], cells[2][9] = 1, 2, 1
    game = Position.from_array(cells, board="10x4")
    assert position_command(game, False) == f"position fen 10/10/9P/p8P[{'P' * 18}{'p' * 19}] b - - 0 2"
    played = Position("aj", board="10x4")
    assert position_command(played, True) == f"position fen 10/10/10/10[{'P' * 20}{'p' * 20}] w - - 0 1 moves a j"
    with Engine.popen() as engine:
        for width, height in ((5, 4), (9, 8), (25, 4), (4, 31)):
            empty = Position(board=f"{width}x{height}")
            found = engine.play(empty, Limit(depth=4), info=True)
            assert found.move in empty.legal_moves


def test_a_game_on_another_board() -> None:
    game = Position(board="8x7")
    with Engine.popen() as engine:
        while not game.is_over:
            game = game.play(engine.play(game, Limit(nodes=500), ponder=True).move)
        with pytest.raises(ValueError, match="the game is over"):
            engine.play(game, Limit(nodes=500))
        lines = engine.analyse(Position(board="10x4"), Limit(depth=6), multipv=10)
        assert sorted(line.pv[0] for line in lines) == list(range(10))
        assert {line.pv[0] for line in engine.analyse("44444", Limit(depth=4), multipv=8)} == set(range(7))
        assert engine.play(WON, Limit(depth=2)).move == 3
    assert len(game.moves) > 7


def test_what_the_engine_says_besides(script: Script) -> None:
    body = (
        UCI
        + """
        elif word == "go":
            say("info string thinking of string theory")
            say("info depth 1 score cp 3 pv d string so far")
            say("info depth 2 score cp 4 pv d")
            if "infinite" not in line:
                say("bestmove d")
        elif word == "stop":
            say("bestmove d")
    """
    )
    with Engine.popen(script(body)) as engine:
        info = engine.analyse(position(), Limit(depth=2))
        assert (info.depth, info.string, info.pv) == (2, "so far", [3])
        # The engine prints no `bestmove` before `stop`.
        with engine.analysis(position(), timeout=3) as analysis:
            lines = list(analysis)
            assert not analysis.is_done
        assert [line.string for line in lines] == ["thinking of string theory", "so far", None]
        assert analysis.wait().move == 3
