"""A small client for Plumb, the Connect Four engine: starts it, asks it for moves, ends it.

    with Engine(options={"Hash": 16}) as engine:
        engine.best_move([3, 3, 2], movetime_ms=500)    # columns played so far, 0 on the left

The program is the one that the environment variable PLUMB names; else a `plumb` beside this file; else the `plumb` on
the PATH. Needs nothing but Python's standard library.
"""

import os
import queue
import subprocess
import threading
import time
import weakref

COLUMNS = 7
ROWS = 6

# Seconds beyond the time limit after which an engine counts as hung. Long, since a busy machine is no fault.
GRACE_S = 30.0


class EngineError(RuntimeError):
    """The engine cannot be started, has died or hangs, or or refuses a line."""


def program_path():
    """The engine to start by default: $PLUMB, else a `plumb` beside this file, else the one on the PATH."""
    if os.environ.get("PLUMB"):
        return os.environ["PLUMB"]
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "plumb")
    return beside if os.path.isfile(beside) else "plumb"


def fen_from_rows(rows, to_move=None):
    """The FEN of a board given as rows from top to bottom, whose cells are 0 (empty), 1 (first player) or 2 (second).

    Who is to move follows from the number of stones; a `to_move` (1 or 2) that contradicts it is an error, for then
    the caller and the engine would play different games.
    """
    rows = [[int(cell) for cell in row] for row in rows]
    if len(rows) != ROWS or any(len(row) != COLUMNS for row in rows):
        raise ValueError(f"Plumb plays on {COLUMNS} columns and {ROWS} rows only; this board has rows of "
                         f"{[len(row) for row in rows]} cells")
    cells = [cell for row in rows for cell in row]
    if not set(cells) <= {0, 1, 2}:
        raise ValueError(f"a cell is 0, 1 or 2; this board has {sorted(set(cells))}")
    for upper, lower in zip(rows, rows[1:]):
        for column, (stone, below) in enumerate(zip(upper, lower)):
            if stone and not below:
                raise ValueError(f"a stone in column {column} floats")
    first, second = cells.count(1), cells.count(2)
    if first - second not in (0, 1):
        raise ValueError(f"{first} stones of the first player and {second} of the second cannot come about in turns")
    due = 1 if first == second else 2
    if to_move not in (None, due):
        raise ValueError(f"player {to_move} cannot be to move: with {first} and {second} stones it is player {due}")
    lines = []
    for row in rows:
        line = "".join(".Pp"[cell] for cell in row)
        for gap in range(COLUMNS, 0, -1):
            line = line.replace("." * gap, str(gap))
        lines.append(line)
    left = COLUMNS * ROWS // 2
    pocket = "P" * (left - first) + "p" * (left - second)
    return f"{'/'.join(lines)}[{pocket}] {'w' if due == 1 else 'b'} - - 0 {1 + second}"


def fen_from_cells(cells, to_move=None):
    """The FEN of a flat board: all cells in reading order, the top row first."""
    cells = list(cells)
    if len(cells) != COLUMNS * ROWS:
        raise ValueError(f"Plumb plays on {COLUMNS} columns and {ROWS} rows only; this board has {len(cells)} cells")
    return fen_from_rows([cells[at : at + COLUMNS] for at in range(0, len(cells), COLUMNS)], to_move)


def _read(output, lines):
    """Puts each line that the engine writes into the queue `lines`, and None after the last one."""
    for line in output:
        lines.put(line.rstrip("\r\n"))
    lines.put(None)


def _end(process, reader):
    """Ends the engine, for which the end of its input means `quit`."""
    try:
        process.stdin.close()
    except OSError:
        pass  # The engine has died with a line still unsent.
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    reader.join(timeout=5)
    process.stdout.close()


class Engine:
    """A running engine. It ends with `close`, with the `with` block, and at the latest with this object."""

    def __init__(self, program=None, options=None):
        """Starts `program` (see `program_path`) and sets `options`, a dictionary of names and values."""
        self.program = program or program_path()
        self.last_info = None  # The last `info` line before the last `bestmove`.
        try:
            self._process = subprocess.Popen(
                [self.program],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                bufsize=1,
            )
        except OSError as error:
            raise EngineError(
                f"cannot start `{self.program}` ({error.strerror}); set the environment variable PLUMB to the path "
                "of the program plumb"
            ) from error
        # A pipe cannot be read with a time limit on every system; a queue can.
        self._lines = queue.SimpleQueue()
        # Neither refers to `self`, so that an Engine that is not closed can be collected, which ends the process.
        reader = threading.Thread(target=_read, args=(self._process.stdout, self._lines), daemon=True)
        reader.start()
        self._end = weakref.finalize(self, _end, self._process, reader)
        try:
            self._send("uci")
            self._until("uciok")
            for name, value in (options or {}).items():
                self.set_option(name, value)
            self._ready()
        except EngineError:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def set_option(self, name, value=None):
        """Sets an option. Any value is sent as text, True and False as UCI writes them; a button takes none."""
        if isinstance(value, bool):
            value = str(value).lower()
        self._send(f"setoption name {name}" + ("" if value is None else f" value {value}"))
        self._ready()

    def new_game(self):
        """Announces that the next position belongs to another game."""
        self._send("ucinewgame")
        self._ready()

    def best_move(self, columns, movetime_ms=None, nodes=None, allowed=None):
        """The column (0 on the left) to play after `columns` were played from the empty board.

        The search is limited by time or by number of positions. `allowed` names the columns to choose from, if not
        all that have room.
        """
        moves = "".join(f" {chr(ord('a') + column)}" for column in columns)
        return self._search(f"position startpos moves{moves}", movetime_ms, nodes, allowed)

    def best_move_fen(self, fen, movetime_ms=None, nodes=None, allowed=None):
        """The column to play in the position that `fen` describes."""
        return self._search(f"position fen {fen}", movetime_ms, nodes, allowed)

    def close(self):
        """Ends the engine. Harmless if it has ended already."""
        self._end()

    def _search(self, position, movetime_ms, nodes, allowed):
        if movetime_ms is None and nodes is None:
            raise ValueError("a search needs a limit: movetime_ms or nodes")
        go = "go"
        if movetime_ms is not None:
            go += f" movetime {max(1, int(movetime_ms))}"
        if nodes is not None:
            go += f" nodes {int(nodes)}"
        if allowed is not None:
            go += " searchmoves" + "".join(f" {chr(ord('a') + column)}" for column in allowed)
        # After a refused position the engine keeps the previous one, and would answer `go` for that: check first.
        self._send(position)
        self._ready()
        self._send(go)
        # The time that a node limit takes is unknown: without a time limit, only the death of the engine is noticed.
        limit_s = None if movetime_ms is None else movetime_ms / 1000 + GRACE_S
        self.last_info = None
        *before, answer = self._until("bestmove", limit_s)
        for line in before:
            if line.startswith("info ") and " pv " in line:
                self.last_info = line
        move = answer.split()[1]
        if move in ("(none)", "0000"):
            raise EngineError(f"there is no move to play, the game is over: {position}")
        column = move.rpartition("@")[2][0]  # `P@d1`, `d` or `4`, as the option Notation says
        return ord(column) - ord("1" if column.isdigit() else "a")

    def _ready(self):
        """Waits for `readyok`; raises EngineError if the engine refused a line before it."""
        self._send("isready")
        for line in self._until("readyok"):
            # Of the `info string` lines, only errors name a byte of the line.
            if line.startswith("info string ") and " at byte " in line:
                raise EngineError(f"the engine says: {line.removeprefix('info string ')}")

    def _send(self, line):
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise self._ended() from None

    def _until(self, word, limit_s=GRACE_S):
        """The lines up to and including the one that begins with `word`."""
        lines = []
        end = None if limit_s is None else time.monotonic() + limit_s
        while True:
            try:
                line = self._lines.get(timeout=None if end is None else max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise EngineError(f"`{self.program}` gave no `{word}` within {limit_s:g} seconds") from None
            if line is None:
                self._lines.put(None)  # For the next call.
                raise self._ended()
            lines.append(line)
            if line.split(" ", 1)[0] == word:
                return lines

    def _ended(self):
        try:
            status = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return EngineError(f"`{self.program}` has closed its output")
        return EngineError(f"`{self.program}` has ended (exit status {status})")
