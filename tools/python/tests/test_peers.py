"""The same answers as other programs: BitBully's scores, the rules of pyffish and OpenSpiel, observations of PettingZoo."""

from __future__ import annotations

import random

import pytest
from random_games import random_game, random_positions

import plumb_engine
from plumb_engine import Position


def test_scores_of_ten_thousand_positions_are_those_of_bitbully() -> None:
    bitbully = pytest.importorskip("bitbully")
    solver = bitbully.BitBully(opening_book="12-ply-dist")
    # Few of those that take long.
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
            assert Position.from_openspiel(state).moves == position.moves
            row = sum(1 for move in position.moves if move == column) + 1
            moves.append(f"P@{chr(ord('a') + column)}{row}")
            state.apply_action(column)
            position = position.play(column)
        assert state.is_terminal() and position.is_over
        assert state.returns()[0] == {0: 0, 1: 1, 2: -1}[position.result or 0]
        # Of the side to move: it has lost, or the board is full.
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
            env.step(column)
            position = position.play(column)


def test_other_games_are_refused() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    with pytest.raises(ValueError, match="a state of the game tic_tac_toe; expected connect_four"):
        Position.from_openspiel(pyspiel.load_game("tic_tac_toe").new_initial_state())
    with pytest.raises(ValueError, match="connect_four with x_in_row=5; expected 4"):
        Position.from_openspiel(pyspiel.load_game("connect_four(x_in_row=5)").new_initial_state())
    wide = pyspiel.load_game("connect_four(columns=8)").new_initial_state()
    assert Position.from_openspiel(wide) == Position(board="8x6")
