#!/usr/bin/env python3
"""BitBully, a perfect player of Connect Four, as an opponent for engines that speak UCI.

    python3 -m venv .venv && .venv/bin/pip install bitbully bitbully-databases
    .venv/bin/python bitbully_uci.py

BitBully is a library; this gives it the line protocol, with the variant `cfour` and moves such as `P@d1`. It solves
every position to the end and plays a best move: the fastest win, or the slowest loss. Limits in `go` are therefore not
heeded, nor is anything that comes before the move is found. With the default book that takes milliseconds in the first
twelve plies, up to a few seconds in the next two, and less and less after them.
"""
import sys
import time

from bitbully import BitBully, Board

BOOKS = ["12-ply-dist", "12-ply", "8-ply", "none"]


def say(line):
    print(line, flush=True)


class Adapter:
    def __init__(self):
        self.book, self.agent = BOOKS[0], None
        self.board = Board()
        self.held = None  # A `bestmove` that waits for `stop`.

    def load(self):
        # Reading a book takes a second. `isready` allows more time than the handshake.
        if self.agent is None:
            self.agent = BitBully(None if self.book == "none" else self.book)

    def hello(self):
        say("id name BitBully\nid author Markus Thill")
        say("option name UCI_Variant type combo default cfour var cfour")
        say(f"option name Book type combo default {BOOKS[0]} var {' var '.join(BOOKS)}\nuciok")

    def set_option(self, words):
        name, _, value = " ".join(words[1:]).partition(" value ")
        if name.lower() == "book" and value.lower() in BOOKS:
            self.book, self.agent = value.lower(), None
        elif (name.lower(), value.lower()) != ("uci_variant", "cfour"):
            say(f"info string no such option or value: {name} {value}")

    def set_position(self, words):
        if words[:1] != ["startpos"] or words[1:2] not in ([], ["moves"]):
            return say("info string expected: position startpos [moves ...]")
        board = Board()
        for word in words[2:]:
            # The library accepts moves after the end of the game. A wrong rank means that the arena sees another board.
            column = "abcdefg".find(word[2:3].lower() or "?")
            legal = column >= 0 and not board.is_game_over() and board.is_legal_move(column)
            if not legal or word != square(board, column):
                return say(f"info string illegal move {word}, the position stays")
            board.play(column)
        self.board = board

    def go(self, words):
        self.release()
        if self.board.is_game_over():
            say(f"info depth 0 score {'mate 0' if self.board.has_win() else 'cp 0'}")
            best = "(none)"
        else:
            best = square(self.board, self.think())
        self.held = f"bestmove {best}"
        if not {"infinite", "ponder"} & set(words):
            self.release()

    def think(self):
        """The best column; says what is known of it."""
        self.load()
        self.agent.reset_node_counter()
        start = time.monotonic()
        scores = self.agent.score_all_moves(self.board)
        score = max(scores.values())
        # Of equal moves the one nearest to the centre, like the library's `best_move`, which would score all moves again.
        column = min((c for c in scores if scores[c] == score), key=lambda c: (abs(c - 3), c))
        elapsed, nodes = time.monotonic() - start, self.agent.get_node_counter()
        # Books without distances know only the winner.
        plies = BitBully.score_to_moves_left(score, self.board)
        is_exact = self.book in ("12-ply-dist", "none")
        told = f"mate {(plies + 1) // 2 if score > 0 else -(plies // 2)}" if score and is_exact else f"cp {100 * score}"
        # No pv, because only its first move is known. Arenas mistake the end of a short pv for the end of the game.
        say(f"info depth {plies} score {told} nodes {nodes} time {elapsed * 1000:.0f}")
        return column

    def release(self):
        if self.held:
            say(self.held)
        self.held = None


def square(board, column):
    """A move as it is written: with the rank on which the stone lands."""
    return f"P@{'abcdefg'[column]}{board.get_column_height(column) + 1}"


def main():
    adapter = Adapter()
    for line in sys.stdin:
        command, *words = line.split() or [""]
        match command:
            case "uci":
                adapter.hello()
            case "isready":
                adapter.load()
                say("readyok")
            case "setoption":
                adapter.set_option(words)
            case "position":
                adapter.set_position(words)
            case "go":
                adapter.go(words)
            case "stop" | "ponderhit":
                adapter.release()
            case "quit":
                break
            case "" | "ucinewgame" | "debug":
                pass
            case _:
                say(f"info string unknown command {command}")


if __name__ == "__main__":
    main()
