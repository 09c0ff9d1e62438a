"""The command that starts an engine: words of a command line, and the lookup of Plumb's programs."""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import shlex
import shutil
import sys
import sysconfig
from typing import Iterator, List, Optional, Sequence, Union

from .errors import EngineError

Command = Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]


def split_command(text: str) -> List[str]:
    """The words of a command line, as a shell splits it; on Windows a backslash stands for itself.

    Raises ValueError if a quote is not closed or there is no word.
    """
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, ""
    lexer.escape = "" if os.name == "nt" else "\\"
    try:
        words = list(lexer)
    except ValueError:
        raise ValueError(f"the quotes in `{text}` are not closed") from None
    if not words:
        raise ValueError("the command is empty")
    return words


def join_command(words: Sequence[str]) -> str:
    """The command line of these words, as plumb-lab takes it."""
    return " ".join(_quoted(word) for word in words)


def _quoted(word: str) -> str:
    if word and not any(letter.isspace() or letter in "'\"\\," for letter in word):
        return word
    escaped = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def command_words(command: Optional[Command]) -> List[str]:
    """The words of a command, as text or in a list; for None, the program plumb. Raises ValueError if it is empty."""
    if command is None:
        return [find_program("plumb", "PLUMB")]
    if isinstance(command, str):
        return split_command(command)
    if isinstance(command, os.PathLike):
        return [os.fspath(command)]
    try:
        words = [os.fspath(word) for word in command]
    except TypeError:
        raise TypeError(f"cmd: {command!r} is no command; expected a str or a list of words") from None
    if not words:
        raise ValueError("the command is empty")
    return words


def find_program(name: str, variable: str) -> str:
    """The path of a program of Plumb. The environment variable comes first, then the installed package, then the folder of
    the Python interpreter, then PATH. Raises EngineError if no program is found.

    >>> import os
    >>> os.path.basename(find_program("plumb", "PLUMB"))
    'plumb'
    """
    named = os.environ.get(variable)
    if named:
        found = shutil.which(named)
        if not found:
            raise EngineError(f"the environment variable {variable} names `{named}`, which is no program")
        return found
    for directory in (*_folders(name), None):
        found = shutil.which(name, path=directory)
        if found:
            return found
    raise EngineError(
        f"there is no program `{name}` in the package plumb-engine, next to the Python interpreter or on PATH; "
        f"set the environment variable {variable} to its path"
    )


def _folders(name: str) -> Iterator[str]:
    """Folders into which installers put programs: by the list of files of the package, `pip --target`, and by the interpreter."""
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        for path in importlib.metadata.files("plumb-engine") or ():
            if path.stem == name and path.suffix in ("", ".exe"):
                yield os.path.normpath(os.path.dirname(path.locate()))
    package = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    yield from (os.path.join(package, "bin"), sysconfig.get_path("scripts"), os.path.dirname(sys.executable))
