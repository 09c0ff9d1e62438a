"""Matches between engines that speak UCI with the variant `cfour`, or UGI, played by the program plumb-lab."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union, cast

from ._native import Position
from .argument_types import SIGNAL_INTERVAL, as_integer
from .elo import Elo
from .engine.command import Command, command_words, find_program, join_command
from .engine.errors import EngineError
from .engine.limit import Limit, checked
from .match_record import RECORD, Game, MatchMove, MatchResult, games_played, read_match, read_result
from .progress import progress_bar

__all__ = ["Elo", "EngineSettings", "Game", "MatchError", "MatchMove", "MatchResult", "Opening", "play_match", "read_match"]

Opening = Union[str, Sequence[int], Position]
EngineSettings = Union[str, "os.PathLike[str]", Sequence[str], Mapping[str, Any]]

_KEYS = ("engine", "cmd", "name", "dir", "proto", "tc", "st", "nodes", "depth", "timemargin", "ponder", "options")
_REFERENCE = re.compile(r"plumb|skill-.*|depth-.*")
# A comma and a later `=`, which plumb-lab would read as the next setting.
_NEXT_PAIR = re.compile(r",[^,]*=")
# Seconds that plumb-lab has to write its files after Ctrl-C.
_INTERRUPT_DELAY = 10.0


class MatchError(EngineError, ValueError):
    """The match cannot be played: a wrong argument, an engine that cannot start, or an engine fault."""


def play_match(
    a: EngineSettings,
    b: EngineSettings,
    *,
    openings: Union[str, "os.PathLike[str]", Iterable[Opening], None] = None,
    rounds: Optional[int] = None,
    limit: Optional[Limit] = None,
    time_control: Optional[str] = None,
    options: Optional[Mapping[str, object]] = None,
    time_margin: Optional[float] = None,
    ponder: bool = False,
    concurrency: int = 1,
    seed: int = 1,
    shuffle: bool = False,
    repeat_openings: bool = False,
    adjudicate: bool = False,
    blunders: bool = False,
    sprt: Optional[Sequence[float]] = None,
    timeout: Optional[int] = None,
    out: Union[str, "os.PathLike[str]", None] = None,
    resume: bool = False,
    recover: bool = False,
    progress: bool = False,
) -> MatchResult:
    """Plays a match between two engines, each opening with both colours, and returns all games.

    a, b: a command line; "plumb", "skill-0" to "skill-20" or "depth-1" to "depth-42"; or a dict with the keys `engine` (one of
    these names) or `cmd` (a command line or a list of words), `name`, `dir`, `proto` ("uci" or "ugi"), `tc`, `st` (seconds),
    `nodes`, `depth`, `timemargin` (milliseconds), `ponder`, `options` (a dict). Other arguments apply to engines without a
    setting of their own.
    openings: "balanced" (default), "decided", "random", the path of a file with an opening per line or of a PGN, or a list of
    openings: texts, lists of columns from 0, or positions.
    rounds: number of openings. Default: the length of the list, otherwise 50. concurrency: games at the same time.
    limit: time per move, nodes, depth, or equal clocks. time_control: `[MOVES/]TIME[+INCREMENT]` in seconds, such as "10+0.1".
    time_margin: seconds by which an engine may exceed its time.
    seed: seed of random openings, of `shuffle` and of the engines. shuffle: mix the openings.
    repeat_openings: repeat openings if there are too few. blunders: record what each move gave away.
    adjudicate: end a game when both engines have proved its result.
    sprt: (elo0, elo1) or (elo0, elo1, alpha, beta) of a test that ends the match.
    timeout: whole seconds for an engine to start, to get ready, or to move without a clock.
    out: a directory to keep match.jsonl, summary.json, games.pgn and report.html. resume: continue the match in `out`.
    recover: continue after engine faults; the games have `reason` and `detail`.
    progress: whether to show a progress bar, by `tqdm` if installed.

    An engine that breaks a rule, exceeds its time or crashes loses the game. All of these except a time forfeit end the match,
    unless `recover` is set. Ctrl-C and, except on Windows, signals such as SIGTERM end program and engines in good order. You
    can resume the match in `out` then. The program is the environment variable PLUMB_LAB, the installed program, or on PATH.

    Raises MatchError, an EngineError and ValueError, if the match cannot be played or ended by a fault, ValueError if `out`
    does not fit to `resume` or to the openings, EngineError without plumb-lab.

    >>> result = play_match("depth-4", "depth-1", rounds=1)
    >>> len(result.games), result.points + result.losses + result.draws / 2
    (2, 2.0)
    """
    words = ["match", "--report-every", "0"]
    words += [f"--engine={_description(a)}", f"--engine={_description(b)}"]
    margin = None if time_margin is None else round(time_margin * 1000)
    each = {**_limit_settings(limit, time_control), "timemargin": margin, "ponder": ponder or None, "options": options}
    words += [f"--each={text}" for text in [_description(each, is_partial=True)] if text]
    words += [f"--concurrency={concurrency}", f"--seed={seed}"]
    flags = {
        "--shuffle": shuffle,
        "--repeat-openings": repeat_openings,
        "--blunders": blunders,
        "--adjudicate=solved": adjudicate,
        "--resume": resume,
        "--recover": recover,
    }
    words += [flag for flag, is_set in flags.items() if is_set]
    if sprt is not None:
        try:
            words.append("--sprt=" + ",".join(repr(float(number)) for number in sprt))
        except (TypeError, ValueError):
            raise TypeError(f"sprt={sprt!r}; expected two or four numbers") from None
    if timeout is not None:
        seconds: Any = timeout
        seconds = int(seconds) if isinstance(seconds, float) and seconds.is_integer() else seconds
        words.append(f"--timeout={as_integer('timeout', seconds)}")
    if resume and out is None:
        raise ValueError("resume: there is no match to resume; expected its directory in out")
    if out is not None and (record := Path(out, RECORD)).exists() != bool(resume):
        fault = "there is no match to resume" if resume else "there is a match already; resume=True continues it"
        raise ValueError(f"{'resume' if resume else 'out'}: `{record}`: {fault}")
    rounds = None if rounds is None else as_integer("rounds", rounds)
    written: Optional[Path] = None
    with tempfile.TemporaryDirectory(prefix="plumb-match-") as temporary:
        if openings is not None and not isinstance(openings, (str, os.PathLike)):
            # Writes the openings to a file in the match directory, which `resume` compares.
            lines = [_opening_line(opening) for opening in openings]
            if not lines:
                raise ValueError("openings: there is none in the list; expected at least one")
            rounds = len(lines) if rounds is None else rounds
            folder = Path(temporary if out is None else out)
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / "openings.txt"
            text = "".join(f"{line}\n" for line in lines)
            if not path.exists():
                written = path
                path.write_text(text, encoding="utf-8")
            elif path.read_text(encoding="utf-8", errors="replace") != text:
                raise ValueError(f"openings: `{path}` has other lines; expected the same openings, or another directory in out")
            openings = path
        if openings is not None:
            words.append(f"--openings={os.fspath(openings)}")
        rounds = 50 if rounds is None else rounds
        directory = Path(temporary, "match") if out is None else Path(out)
        words += [f"--rounds={rounds}", f"--out={directory}"]
        try:
            with progress_bar(2 * rounds, "games", progress) as tick:
                status, standings, sentence = run_lab(words, lambda: progress and tick(games_played(directory)))
        finally:
            # If no game was recorded, another call may use other openings.
            if written is not None and not (directory / RECORD).exists():
                written.unlink()
        # Games lost by engine faults are not an error: the match is complete, and its games name the faults.
        if status != 0 and not sentence.startswith("games that were lost by faults of engines: "):
            sentence = sentence.removeprefix("engine: ")
            raise MatchError(re.sub(r"(has no limit);.*", r"\1: limit or time_control is needed", sentence))
        return read_result(directory, standings, is_kept=out is not None)


def _opening_line(opening: Opening) -> str:
    if isinstance(opening, str):
        if "\n" in opening:
            raise ValueError(f"openings: {opening!r} has more than one line")
        return opening or Position().fen()
    if not isinstance(opening, Position):
        if not isinstance(opening, Sequence):
            raise TypeError(f"openings: {opening!r} is no opening; expected a str, a list of columns or a position")
        try:
            return _opening_line(Position.from_moves(cast(Sequence[int], opening)))
        except (TypeError, ValueError) as error:
            raise type(error)(f"openings: {list(opening)!r}: {error}") from None
    return opening.digits if opening.digits and opening.board == "7x6" else opening.fen()


def _description(settings: EngineSettings, is_partial: bool = False) -> str:
    """An engine in the form of plumb-lab, `name=A,cmd=COMMAND,option.Hash=16`, or settings of all engines if `is_partial`."""
    if isinstance(settings, str) and _REFERENCE.fullmatch(settings):
        settings = {"engine": settings}
    elif not isinstance(settings, Mapping):
        settings = {"cmd": settings}
    for key in settings:
        if key not in _KEYS:
            raise ValueError(f"`{key}` is no setting of an engine; expected some of {', '.join(_KEYS)}")
    if not is_partial and ("engine" in settings) == ("cmd" in settings):
        raise ValueError("an engine needs either `cmd`, its command, or `engine`, the name of one that is built in")
    pairs: List[str] = []
    if "engine" in settings:
        pairs.append(str(settings["engine"]))
        try:
            # The program `plumb` that `Engine` starts.
            pairs.append(f"cmd={join_command([find_program('plumb', 'PLUMB')])}")
        except EngineError:
            # Without PLUMB, plumb-lab finds the program `plumb` next to itself.
            if os.environ.get("PLUMB"):
                raise
    for key in _KEYS[1:-1]:
        if settings.get(key) is not None:
            pairs.append(f"{key}={_value(key, settings[key])}")
    for name, value in (settings.get("options") or {}).items():
        if "=" in name or "," in name:
            raise ValueError(f"options: `{name}` is no name of an option that plumb-lab can take")
        pairs.append(f"option.{name}={_value(name, '' if value is None else value)}")
    return ",".join(pairs)


def _value(key: str, value: object) -> str:
    if key == "cmd":
        return join_command(command_words(cast(Command, value)))
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if key == "dir" and "," in text:
        return join_command([text])
    if _NEXT_PAIR.search(text) or "\n" in text:
        raise ValueError(f"{key}: {text!r} cannot be told from the next setting of the engine")
    return text


def _limit_settings(limit: Optional[Limit], time_control: Optional[str]) -> Dict[str, object]:
    if limit is None:
        return {"tc": time_control}
    if checked(limit).mate is not None:
        raise ValueError("limit: a match cannot be limited by mate; expected time, clocks, nodes or depth")
    if limit.first_clock is not None:
        if (limit.first_clock, limit.first_inc) != (limit.second_clock, limit.second_inc):
            raise ValueError("limit: the clocks differ; give each engine a time control `tc` of its own")
        if time_control is not None:
            raise ValueError("time_control: the limit has clocks already")
        increment = f"+{_decimal(limit.first_inc)}" if limit.first_inc else ""
        time_control = f"{_decimal(limit.first_clock)}{increment}"
    seconds = None if limit.time is None else _decimal(limit.time)
    return {"tc": time_control, "st": seconds, "nodes": limit.nodes, "depth": limit.depth}


def _decimal(seconds: float) -> str:
    """Seconds as a decimal number without an exponent."""
    return f"{seconds:.6f}".rstrip("0").rstrip(".")


def run_lab(arguments: List[str], tick: Callable[[], object] = lambda: None) -> Tuple[int, str, str]:
    """Runs plumb-lab. Returns its exit status, its standard output, and the last line of standard error, which is the reason
    if the status is not 0. `tick` is called while it runs and at its end.
    """
    program = find_program("plumb-lab", "PLUMB_LAB")
    # A process group of its own: a second Ctrl-C in the terminal would end plumb-lab before it has written
    # its files.
    settings: Dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        settings = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    try:
        process = subprocess.Popen(
            [program, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            **settings,
        )
    except (OSError, ValueError) as error:
        raise EngineError(f"cannot start `{program}`: {error}") from error
    said: Optional[Tuple[str, str]] = None
    with process, _interrupted_by_death(process):
        try:
            while said is None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    said = process.communicate(timeout=SIGNAL_INTERVAL)
                tick()
        except BaseException:
            _interrupt(process)
            raise
    output, errors = said
    sentences = [line for line in errors.splitlines() if line.strip()]
    sentence = sentences[-1] if sentences else f"plumb-lab has ended with exit status {process.returncode}"
    sentence = re.sub("^plumb-lab: |; see `plumb-lab [^`]*--help`$", "", sentence)
    # Replaces command-line flags in the message by names of Python arguments.
    for flag in {word.partition("=")[0] for word in arguments if word.startswith("--")}:
        name = flag[2:].replace("-", "_")
        sentence = re.sub(rf"(?<![\w.-])'?{flag}(?: <\w+>)?'?(?![\w-])", name, sentence)
    return process.returncode, output, sentence


@contextlib.contextmanager
def _interrupted_by_death(process: "subprocess.Popen[str]") -> Iterator[None]:
    """Sends Ctrl-C to the program if SIGTERM ends this process: a shell waits for the end of a pipe that only it holds."""
    watcher = None
    # If no shell can be started, plumb-lab continues after SIGTERM.
    with contextlib.suppress(OSError):
        if sys.platform != "win32":
            watcher = subprocess.Popen(
                ["/bin/sh", "-c", 'read line; kill -INT "$0"', str(process.pid)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
    try:
        yield
    finally:
        if watcher is not None:
            watcher.kill()
            watcher.communicate()


def _interrupt(process: "subprocess.Popen[str]") -> None:
    """Ends the program like Ctrl-C, and kills it if it does not end."""
    if sys.platform == "win32":
        process.send_signal(signal.CTRL_BREAK_EVENT)
    else:
        process.send_signal(signal.SIGINT)
    try:
        process.communicate(timeout=_INTERRUPT_DELAY)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
