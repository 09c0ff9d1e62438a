"""The same answers as other programs: BitBully's scores, the rules of pyffish and OpenSpiel, observations of PettingZoo."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from random_games import random_game, random_positions

import plumb_engine
from plumb_engine import Position


def test_scores_of_ten_thousand_positions_are_those_of_bitbully() -> None:
    bitbully = pytest.importorskip("bitbully")
    solver = bitbully.BitBully(opening_book="12-ply-dist")
    positions = [*random_positions(2000, 1, 0, 12), *random_positions(500, 2, 13, 17), *random_positions(7500, 3, 18, 41)]
    assert len(positions) == 10_000
    scores = plumb_engine.solve_many(positions)
    theirs = [solver.mtdf(bitbully.Board(list(position.moves))) for position in positions]
    assert scores.tolist() == theirs


def test_rules_are_those_of_pyffish_and_openspiel() -> None:
    pyffish = pytest.importorskip("pyffish")
    pyspiel = pytest.importorskip("pyspiel")
    pyffish.load_variant_config(pyffish_variant())
    game = pyspiel.load_game("connect_four")
    start = pyffish.start_fen("cfour")
    rng = random.Random(3)
    for number in range(2000):
        end = random_game(rng)
        state, position, moves = game.new_initial_state(), Position(), []
        for column in end.moves:
            assert state.legal_actions() == position.legal_moves and not state.is_terminal()
            legal = pyffish.legal_moves("cfour", start, moves)
            assert sorted({ord(move[2]) - ord("a") for move in legal}) == position.legal_moves
            if number % 20 == 0:
                assert pyffish.get_fen("cfour", start, moves).split("[")[0] == position.fen().split("[")[0]
            assert Position.from_openspiel(state) == position == Position.from_openspiel(str(state))
            assert Position.from_openspiel(state).moves == position.moves and position.to_openspiel() == str(state)
            row = sum(1 for move in position.moves if move == column) + 1
            moves.append(f"P@{chr(ord('a') + column)}{row}")
            state.apply_action(column)
            position = position.play(column)
        assert state.is_terminal() and position.is_over
        assert state.returns()[0] == {0: 0, 1: 1, 2: -1}[position.result or 0]
        over, value = pyffish.is_immediate_game_end("cfour", start, moves)
        assert (over and value < 0) if position.result else pyffish.legal_moves("cfour", start, moves) == []


def pyffish_variant() -> str:
    """The rules as a variant: newer versions of pyffish have them in a file beside the program, not built in."""
    return """[cfour]
maxRank = 6
maxFile = 7
immobile = p
startFen = 7/7/7/7/7/7[PPPPPPPPPPPPPPPPPPPPPppppppppppppppppppppp] w - - 0 1
pieceDrops = true
enclosingDrop = top
doubleStep = false
castling = false
stalemateValue = draw
immobilityIllegal = false
connectN = 4
nMoveRule = 0
"""


def test_observations_of_pettingzoo() -> None:
    connect_four_v3 = pytest.importorskip("pettingzoo.classic.connect_four_v3")
    rng = random.Random(4)
    for _ in range(100):
        env = connect_four_v3.env()
        env.reset(seed=1)
        position = Position()
        for column in random_game(rng).moves:
            observation, _, _, _, _ = env.last()
            assert Position.from_pettingzoo(observation) == position
            written = position.to_pettingzoo()
            assert written.keys() == observation.keys() and all((written[key] == observation[key]).all() for key in written)
            assert {key: written[key].dtype for key in written} == {key: observation[key].dtype for key in written}
            env.step(column)
            position = position.play(column)


def test_boards_of_bitbully() -> None:
    bitbully = pytest.importorskip("bitbully")
    for position in random_positions(100, 5, 0, 41):
        board = bitbully.Board(list(position.moves))
        assert board == bitbully.Board(position.to_bitbully()) and Position.from_bitbully(board) == position


def test_other_games_are_refused() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    with pytest.raises(ValueError, match="a state of the game tic_tac_toe; expected connect_four"):
        Position.from_openspiel(pyspiel.load_game("tic_tac_toe").new_initial_state())
    with pytest.raises(ValueError, match="connect_four with x_in_row=5; expected 4"):
        Position.from_openspiel(pyspiel.load_game("connect_four(x_in_row=5)").new_initial_state())
    wide = pyspiel.load_game("connect_four(columns=8)").new_initial_state()
    assert Position.from_openspiel(wide) == Position(board="8x6")


def test_the_readme_has_bitbullys_tasks() -> None:
    bitbully = pytest.importorskip("bitbully")
    numpy = pytest.importorskip("numpy")
    text = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8").split("| BitBully | here |")[1].split("\n\n")[0]
    rows = [[re.findall("`([^`]+)`", cell) for cell in line.split("|")[1:3]] for line in text.splitlines()[2:]]
    assert len(rows) == 13 and all(len(theirs) == len(ours) > 0 for theirs, ours in rows)
    position, solver = Position("4442"), bitbully.BitBully(opening_book="12-ply-dist")
    common = {"rng": random.Random(1), "array": bitbully.Board([3, 3, 3, 1]).to_array(), "numpy": numpy}
    here = {**common, "plumb_engine": plumb_engine, "Position": Position, "position": position, "solver": plumb_engine.Solver()}

    def plain(value: Any) -> Any:
        """Boards as positions, of lists as sets; arrays as rows from the top; scores as a list."""
        if isinstance(value, bitbully.Board):
            return Position.from_bitbully(value)
        if isinstance(value, dict):
            return [value.get(column) for column in range(7)]
        if isinstance(value, list) and isinstance(value[0], list):
            return [list(column) for column in value]
        return set(map(plain, value)) if isinstance(value, list) else value

    for theirs, ours in rows:
        for code, own in zip(theirs, ours):
            if own == 'Solver(book="path")':
                continue
            board = bitbully.Board([3, 3, 3, 1])
            value = eval(code, {**common, "Board": bitbully.Board, "board": board, "solver": solver})
            value, found = board if code.startswith("board.play(") else value, eval(own, here)
            if own == "position.winning_moves":
                assert value == bool(found), own
            elif own == "position.key":
                assert (value == board.mirror().uid()) == (found == position.mirror().key), own
            elif own == "solver.nodes":
                assert value >= 0 and found >= 0, own
            elif own.startswith("Position.random("):
                assert plain(value[0]).plies == len(value[1]) == found.plies == 8, own
            elif own.startswith("solver.best_move("):
                assert {value, found} <= set(plumb_engine.best_moves(position)), own
            elif own.startswith("solver.book_score("):
                assert value is True and found == plumb_engine.solve(position), own
            else:
                assert plain(value) == (set(found) if isinstance(plain(value), set) else found), own
