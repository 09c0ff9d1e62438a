"""The command that starts an engine: words of a command line, and the lookup of Plumb's programs."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from typing import List, Optional, Sequence, Union

from .errors import EngineError

Command = Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]


def split_command(text: str) -> List[str]:
    """Splits a command line into words, as a shell does: blanks separate words, quotes keep them together.

    A backslash escapes a blank, a quote or a backslash, also between double quotes; before any other letter it stands
    for itself, as in paths of Windows. Raises ValueError if a quote is not closed or there is no word.
    """
    words: List[str] = []
    word: Optional[str] = None
    quote = ""
    at = 0
    while at < len(text):
        letter = text[at]
        at += 1
        if letter == quote:
            quote = ""
        elif letter in "'\"" and not quote:
            quote, word = letter, word or ""
        elif letter == "\\" and quote != "'":
            escaped = '\\"' if quote else "\\\"' "
            if at < len(text) and text[at] in escaped:
                letter = text[at]
                at += 1
            word = (word or "") + letter
        elif letter.isspace() and not quote:
            words += [] if word is None else [word]
            word = None
        else:
            word = (word or "") + letter
    if quote:
        raise ValueError(f"the quotes in `{text}` are not closed")
    words += [] if word is None else [word]
    if not words:
        raise ValueError("the command is empty")
    return words


def join_command(words: Sequence[str]) -> str:
    """The command line of these words, which `split_command` splits into them again."""
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
    words = [os.fspath(word) for word in command]
    if not words:
        raise ValueError("the command is empty")
    return words


def find_program(name: str, variable: str) -> str:
    """The path of a program of Plumb: the one that the environment variable names, else the one beside the Python
    interpreter, else the one on the PATH. Raises EngineError if there is none."""
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
