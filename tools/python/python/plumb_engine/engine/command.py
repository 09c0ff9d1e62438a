"""Commands that start engines, and the lookup of programs."""

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


def _split(text: str) -> List[str]:
    """The words of a command line, split as by a shell. On Windows a backslash is an ordinary character."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, ""
    lexer.escape = "" if os.name == "nt" else "\\"
    try:
        return list(lexer)
    except ValueError:
        raise ValueError(f"the quotes in `{text}` are not closed") from None


def join_command(words: Sequence[str]) -> str:
    """The command line of these words, for plumb-lab."""
    quoted = []
    for word in words:
        if not word or any(letter.isspace() or letter in "'\"\\," for letter in word):
            word = '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'
        quoted.append(word)
    return " ".join(quoted)


def command_words(command: Optional[Command]) -> List[str]:
    """The words of a command line or list; for None the program plumb. Raises ValueError for an empty command."""
    if command is None:
        return [find_program("plumb", "PLUMB")]
    if isinstance(command, os.PathLike):
        return [os.fspath(command)]
    try:
        words = _split(command) if isinstance(command, str) else [os.fspath(word) for word in command]
    except TypeError:
        raise TypeError(f"cmd: {command!r} is no command; expected a str or a list of words") from None
    if not words:
        raise ValueError("the command is empty")
    return words


def find_program(name: str, variable: str) -> str:
    """The path of a program: the environment variable, the installed package, the folder of the Python interpreter, or PATH.
    Raises EngineError if it is not found.

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
    """Folders of installed programs: from the package's list of files, from `pip --target`, and of the interpreter."""
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        for path in importlib.metadata.files("plumb-engine") or ():
            if path.stem == name and path.suffix in ("", ".exe"):
                yield os.path.normpath(os.path.dirname(path.locate()))
    package = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    yield from (os.path.join(package, "bin"), sysconfig.get_path("scripts"), os.path.dirname(sys.executable))
