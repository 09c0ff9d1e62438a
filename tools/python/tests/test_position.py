"""Positions: rules, every way to make one, and their errors."""

from __future__ import annotations

import copy
import math
import pickle
import random
import re
from pathlib import Path
from typing import Any, Callable

import numpy
import pytest
from random_games import random_game, random_positions

import plumb_engine
from plumb_engine import Position


def test_moves_and_their_order() -> None:
    position = Position("4455")
    assert position.moves == (3, 3, 4, 4)
    assert position.digits == "4455"
    assert position.start is None
    assert (position.plies, position.turn) == (4, 1)
    assert position.play(0).moves == (3, 3, 4, 4, 0)
    assert position.undo() == Position("445")
    assert position.undo().moves == (3, 3, 4)
    assert position.legal_moves == [0, 1, 2, 3, 4, 5, 6]
    assert Position("444444").legal_moves == [0, 1, 2, 4, 5, 6]
    assert repr(position) == 'Position("4455")'
    assert str(Position("4")).splitlines()[5] == " 1 | . . . X . . ."


def test_results() -> None:
    assert Position("4455").result is None and not Position("4455").is_over
    first = Position("4455667")
    assert (first.result, first.is_over, first.legal_moves) == (1, True, [])
    assert first.winning_line == [(5, 3), (5, 4), (5, 5), (5, 6)]
    assert Position("14242424").result == 2
    assert Position("4455").winning_line is None
    drawn = Position("121212212121343434434343565656656565777777")
    assert (drawn.plies, drawn.result, drawn.winning_line) == (42, 0, None)


def test_winning_lines_of_random_games() -> None:
    rng = random.Random(3)
    lengths = set()
    for _ in range(2000):
        end = random_game(rng)
        if end.winning_line is None:
            assert end.result == 0
            continue
        board = end.to_array()
        assert all(board[row][column] == end.result for row, column in end.winning_line)
        assert end.winning_line == sorted(set(end.winning_line))
        # Each winning line contains the last stone.
        column = end.moves[-1]
        assert (min(row for row in range(6) if board[row][column]), column) in end.winning_line
        lengths.add(len(end.winning_line))
    assert {4, 7} <= lengths, "some games end with two lines at once"


def test_round_trips() -> None:
    for position in random_positions(300, 1):
        array = position.to_array()
        assert Position.from_array(array) == position
        assert Position.from_array(numpy.array(array)) == position
        assert Position.from_array(numpy.array(array, dtype=float)) == position
        assert Position.from_fen(position.fen()) == position
        assert Position.from_moves(position.moves) == position
        assert Position.from_moves(numpy.array(position.moves, dtype=numpy.int8)).moves == position.moves
        assert Position(position.digits or "") == position
        for copied in (pickle.loads(pickle.dumps(position)), copy.deepcopy(position), eval(repr(position))):
            assert copied == position and copied.moves == position.moves
            assert hash(copied) == hash(position)
        assert position.mirror().mirror() == position
        assert position.mirror().to_array() == [row[::-1] for row in array]
        assert position.mirror() == Position.from_moves(position.mirror().moves)
        own, other = numpy.array(array) == position.turn, numpy.array(array) == 3 - position.turn
        planes = numpy.stack([own, other], axis=-1).astype("int8")
        assert Position.from_pettingzoo({"observation": planes, "action_mask": None}) == position
        assert Position.from_pettingzoo(planes) == position
        board = [cell for row in array for cell in row]
        assert Position.from_kaggle({"board": board, "mark": position.turn}) == position
        text = "\n".join("".join(".xo"[cell] for cell in row) for row in array) + "\n"
        assert Position.from_openspiel(text) == position


def test_other_boards() -> None:
    for board, moves in (("8x7", "4455881"), ("5x4", "3312"), ("10x6", "eeffja"), ("16x7", "pppaah")):
        position = Position(moves, board=board)
        columns, rows = map(int, board.split("x"))
        array = position.to_array()
        assert (position.board, position.shape, position.digits) == (board, (rows, columns), moves)
        assert (len(array), {len(row) for row in array}) == (rows, {columns})
        for cells in (array, numpy.array(array)):
            assert Position.from_array(cells, board=board) == position
        assert Position.from_moves(position.moves, board=board) == position == Position.from_fen(position.fen())
        assert repr(position) == f'Position("{moves}", board="{board}")'
        for copied in (pickle.loads(pickle.dumps(position)), copy.deepcopy(position), eval(repr(position))):
            assert (copied, copied.moves, hash(copied)) == (position, position.moves, hash(position))
        empty = pickle.loads(pickle.dumps(Position(board=board)))
        assert (empty.board, empty.digits) == (board, "")
        assert position.mirror().to_array() == [row[::-1] for row in array]
        assert position.draw([0] * columns).svg.count("<circle") >= rows * columns
        text = "\n".join("".join(".xo"[cell] for cell in row) for row in array) + "\n"
        assert Position.from_openspiel(text) == position
    assert Position("11", board="8x7") != Position("11")
    won = Position("aabbccd", board="10x6")
    assert (won.result, won.winning_line) == (1, [(5, 0), (5, 1), (5, 2), (5, 3)])


def test_finished_games_are_positions_too() -> None:
    rng = random.Random(2)
    for _ in range(100):
        end = random_game(rng)
        again = Position.from_array(end.to_array())
        assert again == end and again.result == end.result and again.moves == ()


def test_a_position_from_a_board_has_no_history() -> None:
    position = Position.from_fen(Position("4455").fen()).play(2)
    assert position.start == Position("4455").fen()
    assert (position.moves, position.digits) == ((2,), None)
    assert pickle.loads(pickle.dumps(position)).moves == (2,)
    assert eval(repr(position)) == position
    assert position.undo().moves == ()
    with pytest.raises(IndexError, match="no move to take back"):
        position.undo().undo()


def test_equality_is_of_stones() -> None:
    assert Position("123") == Position("321") and hash(Position("123")) == hash(Position("321"))
    assert Position("12") != Position("21")
    assert Position("12") != "12" and bool(Position())
    # NotImplemented lets a pandas Series or an array compare each item.
    assert Position("12").__eq__("12") is NotImplemented
    assert len({Position("123"), Position("321")}) == 1


def test_drawings() -> None:
    svg = Position("4455667").draw([1, None, 2, 3, -4, 0, 6]).svg
    assert svg.count("<circle") == 42 + 3 + 4
    assert ">+6<" in svg and ">-4<" in svg and ">0<" in svg
    assert Position("4")._repr_svg_().startswith("<svg") and "<svg" in Position("4")._repr_html_()
    svg = Position().draw([0.5, -0.7, None, math.nan, math.inf, -3.0, 12.34]).svg
    assert re.findall(r'weight="(\w+)">(.*?)</text>', svg) == [
        ("normal", "+0.5"), ("normal", "-0.7"), ("normal", ""), ("normal", ""), ("bold", "+inf"), ("normal", "-3"), ("normal", "+12")
    ]
    assert re.findall(r'bold">(.*?)<', Position().draw([0.25, 0.26, 0, 0, 0, 0, -0.0]).svg) == ["+0.26"]
    with pytest.raises(ValueError, match="6 scores; expected 7"):
        Position().draw([1] * 6)


def rows_of_the_table() -> list[list[str]]:
    """The texts of the table that all programs share, for the board of Position and columns from 1."""
    table = Path(__file__).parents[3] / "tests" / "positions.tsv"
    rows = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    return [[unescaped(text), expected] for board, first, _, text, expected in rows if (board, first) == ("7x6", "1")]


def unescaped(text: str) -> str:
    return text.replace("\\u{feff}", "\ufeff").replace("\\r", "\r")


@pytest.mark.parametrize(("text", "expected"), rows_of_the_table())
def test_a_text_is_read_as_everywhere(text: str, expected: str) -> None:
    if "`: " not in expected:
        assert Position(text) == Position.from_fen(expected)
        return
    remedy = "Position.from_digits(text, first_column=0) takes columns from 0"
    error = expected.replace("{first_column}", remedy).split("{board}")[0]
    with pytest.raises(ValueError) as raised:
        Position(text)
    assert str(raised.value).startswith(error) and ("{board}" in expected or str(raised.value) == error)


EMPTY = [[0] * 7 for _ in range(6)]


def changed(cells: dict[tuple[int, int], int]) -> list[list[int]]:
    board = [row[:] for row in EMPTY]
    for (row, column), cell in cells.items():
        board[row][column] = cell
    return board


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: Position("448"), ValueError, "move 3, `8`: there is no column 8 (columns 1 to 7)"),
        (lambda: Position("4x"), ValueError, "move 2, `x`"),
        (lambda: Position("4444444"), ValueError, "move 7, `4`: column 4 is full"),
        (lambda: Position("44556671"), ValueError, "move 8, `1`: the game is over"),
        (lambda: Position(44), TypeError, "text=44; expected a str"),
        (lambda: Position.from_moves([3, 9]), ValueError, "move 9 at index 1: there is no column 9 (columns 0 to 6)"),
        (lambda: Position.from_moves([-1]), ValueError, "move -1 at index 0: there is no column -1 (columns 0 to 6)"),
        (lambda: Position.from_moves([3] * 7), ValueError, "move 3 at index 6: column 3 is full"),
        (lambda: Position.from_moves([3, "a"]), TypeError, "move 'a' at index 1; expected integers, columns from 0"),  # type: ignore[list-item]
        (lambda: Position.from_moves([2**70]), ValueError, "move 1180591620717411303424 at index 0; expected integers"),
        (lambda: Position.from_moves("33"), TypeError, "a string; expected integers, columns from 0"),  # type: ignore[arg-type]
        (lambda: Position.from_moves(3), TypeError, "no sequence of moves; expected integers"),  # type: ignore[arg-type]
        (lambda: Position().play("d"), TypeError, "'d': expected a column, an integer from 0"),  # type: ignore[arg-type]
        (lambda: Position().play(7), ValueError, "move 7: there is no column 7 (columns 0 to 6)"),
        (lambda: Position("4455667").play(0), ValueError, "move 0: the game is over"),
        (lambda: Position.from_fen("8/7/7/7/7/7 w"), ValueError, "`8`: the row has"),
        (lambda: Position("8/8/8/8/8/8/8 w"), ValueError, "a FEN of 8x7, expected one of 7x6"),
        (lambda: Position("", board="3x9"), ValueError, 'board="3x9": a board has at least 4 columns and 4 rows'),
        (lambda: Position("", board="big"), ValueError, 'board="big": expected columns and rows as WxH, such as 7x6'),
        (lambda: Position("48", board="5x4"), ValueError, "move 2, `8`: there is no column 8 (columns 1 to 5)"),
        (lambda: Position("ak", board="10x6"), ValueError, "move 2, `k`: there is no column k (columns a to j)"),
        (lambda: Position(board="8x7").play(8), ValueError, "move 8: there is no column 8 (columns 0 to 7)"),
        (lambda: Position.from_fen(""), ValueError, "``: the row has 0 columns, the board 7"),
        (lambda: Position.from_fen("7/7/7/7/3P3/7 b"), ValueError, "the stone on d2 floats"),
        (lambda: Position.from_fen("7/7/7/7/7/3PP2 w"), ValueError, "2 stones of the first player and 0 of the second"),
        (lambda: Position.from_array([[0] * 8] * 3), ValueError, "board: an array of shape (3, 8); expected (6, 7)"),
        (lambda: Position.from_array([[0] * 8] * 7), ValueError, 'expected (6, 7); boards of this size need board="8x7"'),
        (lambda: Position.from_array([[0] * 6] * 5 + [[0] * 7]), ValueError, "board: 7 items at [5]; expected 6"),
        (lambda: Position.from_array(5), TypeError, "board: 5; expected an array or nested lists"),
        (lambda: Position.from_array(changed({(5, 2): 3})), ValueError, "cell 3 at [5, 2]; expected 0, 1 and 2, or 0, 1 and -1"),
        (lambda: Position.from_array(changed({(5, 2): "x"})), ValueError, "board: cell 'x' at [5, 2]; expected a number"),  # type: ignore[dict-item]
        (lambda: Position.from_array(changed({(4, 2): 1})), ValueError, "the stone on c2 floats"),
        (lambda: Position.from_array(changed({(5, 2): 2})), ValueError, "0 stones of the first player and 1 of the second"),
        (lambda: Position.from_openspiel(5), TypeError, "a state is a pyspiel.State or its text, not int"),
        (lambda: Position.from_openspiel("x"), ValueError, "1 rows of 1 cells: a board has at least 4"),
        (lambda: Position.from_openspiel("\n".join(["......."] * 5 + ["..y...."])), ValueError, "row 5, column 2: `y`"),
        (lambda: Position.from_pettingzoo({}), ValueError, "the observation has no `observation`"),
        (lambda: Position.from_pettingzoo(numpy.zeros((6, 7))), ValueError, "of shape (6, 7); expected (rows, columns, 2)"),
        (lambda: Position.from_pettingzoo(numpy.ones((6, 7, 2))), ValueError, "row 0, column 0: a stone in both planes"),
        (lambda: Position.from_kaggle({"board": [0] * 42}), ValueError, "the observation has no `mark`"),
        (lambda: Position.from_kaggle({"board": [0] * 20, "mark": 1}), ValueError, "board: a list of shape (20,); expected 42 cells of 7x6"),
        (lambda: Position.from_kaggle({"board": [0] * 42, "mark": 2}), ValueError, "mark 2; with 0 stones it is player 1's turn"),
        (lambda: Position.from_kaggle({"board": [7] * 42, "mark": 1}), ValueError, "cell 7 at [0]; expected 0, 1 and 2"),
    ],
)
def test_bad_input(make: Callable[[], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error) as raised:
        make()
    assert text in str(raised.value)


def test_random_positions_go_on_and_depend_on_the_generator_alone() -> None:
    for plies in (0, 1, 8, 30):
        position = Position.random(plies, random.Random(plies))
        assert position.plies == plies and not position.is_over
        assert position == Position.random(plies, random.Random(plies))
    assert Position.random(3, board="5x4").board == "5x4"
    assert Position.random(4).plies == 4
    with pytest.raises(ValueError, match="plies=42: no game that goes on was found"):
        Position.random(42)


def test_what_moves_do_at_once_and_what_comes_after() -> None:
    for position in random_positions(300, 8, 0, 41):
        after = {column: position.play(column) for column in position.legal_moves}
        wins = [column for column, next_one in after.items() if next_one.result]
        holds = [column for column, next_one in after.items() if next_one.is_over or not next_one.winning_moves]
        assert (position.winning_moves, position.non_losing_moves) == (wins, holds)
    # Numbers of positions: https://oeis.org/A212693
    layers = [Position().positions_at(plies) for plies in range(7)]
    assert [len(layer) for layer in layers] == [1, 7, 49, 238, 1120, 4263, 16422]
    assert len({position.key for layer in layers for position in layer}) == sum(map(len, layers))
    assert all(position.plies == 6 and Position.from_moves(position.moves) == position for position in layers[6][::100])
    assert {position.moves[:2] for position in Position("44").positions_at(3)} == {(3, 3)}


def test_digits_that_count_from_0() -> None:
    assert Position.from_digits("3 3 4", first_column=0) == Position("445") == Position().play([3, 3, 4])
    assert Position.from_digits("0", first_column=0, board="8x7") == Position("1", board="8x7")
    for position in random_positions(30, 9, 0, 30):
        board = numpy.array(position.to_array())
        assert Position.from_array(numpy.rot90(numpy.rot90(board, -1))) == position


def test_what_is_written_for_a_library_is_read_as_it_was() -> None:
    for position in random_positions(100, 11, 0, 41):
        for library in ("bitbully", "kaggle", "pettingzoo", "openspiel", "pgx", "alpha_zero_general", "pufferlib"):
            written = getattr(position, f"to_{library}")()
            assert getattr(Position, f"from_{library}")(written) == position, library
        canonical = position.to_alpha_zero_general() * (1 if position.turn == 1 else -1)
        assert Position.from_alpha_zero_general(canonical) == Position.from_array(canonical) == position
        assert Position(str(position)) == position
    wide = Position("8877", board="8x7")
    assert Position.from_kaggle(wide.to_kaggle(), board="8x7") == wide == Position(str(wide))
    assert Position.from_alpha_zero_general(wide.to_alpha_zero_general(), board="8x7") == wide


def test_boards_of_other_libraries_are_not_read_as_other_boards() -> None:
    for position in random_positions(50, 12, 1, 9):
        others = {
            "from_bitbully": position.to_bitbully(),
            "from_pufferlib": position.to_pufferlib(),
            "from_pettingzoo": position.to_pettingzoo()["observation"],
        }
        for reader, board in others.items():
            for read in (Position.from_array, plumb_engine.solve_many):
                with pytest.raises(ValueError, match=reader):
                    read(board)
            with pytest.raises(ValueError, match=reader):
                plumb_engine.solve_many(numpy.array([board, board]))


def test_observations_lead_back_to_positions() -> None:
    pytest.importorskip("gymnasium")
    from plumb_engine.environment import observation

    for position in random_positions(100, 10, 0, 41):
        assert Position.from_observation(observation(position)) == position
        for player in (1, 2):
            assert Position.from_observation(observation(position, player), player) == position


def test_drawings_take_rows_of_scores_and_labels() -> None:
    position = Position("444444")
    rows = plumb_engine.scores_many([position]), plumb_engine.scores_many([position], dtype="float32")
    assert position.draw(rows[0][0]).svg == position.draw(rows[1][0]).svg == position.draw(True).svg
    assert rows[1].dtype == numpy.float32 and numpy.isnan(rows[1][0, 3]) and numpy.nanmax(-rows[1]) == 1
    labelled = position.draw(labels=True).svg
    assert all(f">{column}</text>" in labelled for column in range(7)) and 'viewBox="0 -24 ' in labelled
