"""Engines in the form of plumb-lab: `name=A,cmd=COMMAND,option.Hash=16`."""

from __future__ import annotations

import os
import re
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union, cast

from .engine.command import Command, command_words, find_program, join_command
from .engine.errors import EngineError
from .engine.limit import Limit, checked

EngineSettings = Union[str, "os.PathLike[str]", Sequence[str], Mapping[str, Any]]

_KEYS = ("engine", "cmd", "name", "dir", "proto", "tc", "st", "nodes", "depth", "timemargin", "ponder", "options")
_REFERENCE = re.compile(r"plumb|skill-.*|depth-.*")
# This text would end a value.
_NEXT_PAIR = re.compile(r",[^,]*=")


def description(settings: EngineSettings, is_partial: bool = False) -> str:
    """The description of an engine, or of settings of all engines if `is_partial`.

    Raises ValueError for an unknown, missing or malformed setting.
    """
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
        pairs += _built_in(str(settings["engine"]))
    for key in _KEYS[1:-1]:
        if settings.get(key) is not None:
            pairs.append(f"{key}={_value(key, settings[key])}")
    for name, value in (settings.get("options") or {}).items():
        if "=" in name or "," in name:
            raise ValueError(f"options: `{name}` is no name of an option that plumb-lab can take")
        pairs.append(f"option.{name}={_value(name, '' if value is None else value)}")
    return ",".join(pairs)


def _built_in(name: str) -> List[str]:
    """A built-in engine, with the program plumb of the engine client if there is one."""
    try:
        return [name, f"cmd={join_command([find_program('plumb', 'PLUMB')])}"]
    except EngineError:
        # Next to plumb-lab.
        if os.environ.get("PLUMB"):
            raise
        return [name]


def _value(key: str, value: object) -> str:
    if key == "cmd":
        return join_command(command_words(cast(Command, value)))
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if key == "dir" and "," in text:
        return join_command([text])
    if _NEXT_PAIR.search(text) or "\n" in text:
        raise ValueError(f"{key}: {text!r} cannot be told from the next setting of the engine")
    return text


def limit_settings(limit: Optional[Limit], time_control: Optional[str]) -> Dict[str, Any]:
    """The settings of a limit and a time control. Raises ValueError for a limit that a match does not support."""
    settings: Dict[str, Any] = {}
    if time_control is not None:
        settings["tc"] = time_control
    if limit is None:
        return settings
    if checked(limit).mate is not None:
        raise ValueError("limit: a match cannot be limited by mate; expected time, clocks, nodes or depth")
    if limit.first_clock is not None:
        if (limit.first_clock, limit.first_inc) != (limit.second_clock, limit.second_inc):
            raise ValueError("limit: the clocks differ; give each engine a time control `tc` of its own")
        if time_control is not None:
            raise ValueError("time_control: the limit has clocks already")
        increment = f"+{_decimal(limit.first_inc)}" if limit.first_inc else ""
        settings["tc"] = f"{_decimal(limit.first_clock)}{increment}"
    if limit.time is not None:
        settings["st"] = _decimal(limit.time)
    settings.update(
        {key: count for key, count in (("nodes", limit.nodes), ("depth", limit.depth)) if count is not None}
    )
    return settings


def _decimal(seconds: float) -> str:
    """Seconds as a decimal number without an exponent."""
    return f"{seconds:.6f}".rstrip("0").rstrip(".")
