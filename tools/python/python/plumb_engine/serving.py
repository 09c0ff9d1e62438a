"""A Python agent as a UCI engine for tournament managers: `serve`."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import Callable, SupportsIndex, TextIO

from ._native import Position, column_of
from .argument_types import as_agent
from .engine.notation import drop_word, read_move


def serve(
    agent: Callable[[Position], SupportsIndex],
    name: str = "agent",
    *,
    new_game: Callable[[], object] | None = None,
    input: TextIO | None = None,
    output: TextIO | None = None,
) -> None:
    r"""Speaks UCI until `quit` or the end of the input, for `plumb-lab match`, cutechess and other arenas.

    agent: a function of a Position that returns a column from 0. name: shown by arenas. new_game: called before each game.
    input, output: text streams. Default: standard input and output; prints of the agent then go to standard error.

    The agent must keep the time itself: limits and `stop` have no effect. An illegal move is answered with `bestmove 0000` and
    loses the game. A value that is not a column raises TypeError. Exceptions of the agent end the program.

    >>> import io, sys
    >>> serve(lambda position: 3, input=io.StringIO("position startpos moves P@d1\ngo\n"), output=sys.stdout)
    bestmove P@d2
    """
    as_agent("agent", agent)
    lines, out = input or sys.stdin, output or sys.stdout
    position = Position()
    with redirect_stdout(sys.stderr if out is sys.stdout else sys.stdout):
        for line in lines:
            words = line.split()
            command = words[0] if words else ""
            if command == "uci":
                print(f"id name {name}\nid author a Python agent", file=out)
                print("option name UCI_Variant type combo default cfour var cfour\nuciok", file=out, flush=True)
            elif command == "isready":
                print("readyok", file=out, flush=True)
            elif command == "ucinewgame" and new_game is not None:
                new_game()
            elif command == "position":
                try:
                    start, _, moves = " ".join(words[1:]).removesuffix(" moves").partition(" moves ")
                    found = Position.from_fen(start[4:]) if start.startswith("fen ") else Position(start)
                    for move in moves.split():
                        found = found.play(read_move(found, move))
                    position = found
                except ValueError as error:
                    print(f"info string {error}; the position stays as it was", file=out, flush=True)
            elif command == "go":
                column = -1 if position.is_over else column_of(agent(position))
                is_move = column in position.legal_moves
                print(f"bestmove {drop_word(position, column) if is_move else '0000'}", file=out, flush=True)
            elif command == "quit":
                return
