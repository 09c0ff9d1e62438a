"""The command that starts an engine: words of a command line, and the lookup of Plumb's programs."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import sysconfig
from typing import List, Optional, Sequence, Union

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
    """The path of a program of Plumb: the one that the environment variable names, else the one beside the Python
    interpreter, else the one on the PATH. Raises EngineError if there is none.

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
    scripts = sysconfig.get_path("scripts")
    for directory in (scripts, os.path.dirname(sys.executable), None):
        found = shutil.which(name, path=directory)
        if found:
            return found
    raise EngineError(
        f"there is no program `{name}` beside the Python interpreter, nor on the PATH; set the environment variable "
        f"{variable} to its path"
    )
