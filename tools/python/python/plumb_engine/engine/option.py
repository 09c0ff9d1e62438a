"""The options that an engine declares."""

from __future__ import annotations

import difflib
import operator
from dataclasses import dataclass
from typing import Dict, Iterable, Iterator, List, Mapping, Optional, SupportsIndex, Tuple, Union, cast

from .errors import OptionError

OptionValue = Union[str, int, bool, None]

_TYPES = ("check", "spin", "combo", "button", "string")


@dataclass(frozen=True)
class Option:
    """An option of an engine.

    type: "check" (true or false), "spin" (a number from `min` to `max`), "combo" (a value of `var`), "string", or "button" (no
    value). default: a bool, an int or a str. Without a default: False, "" or, for a spin, None.

    >>> option = Option("Hash", "spin", 64, 1, 1024)
    >>> option.parse("16"), option.command(16)
    (16, 'setoption name Hash value 16')
    """

    name: str
    type: str
    default: OptionValue = None
    min: Optional[int] = None
    max: Optional[int] = None
    var: Tuple[str, ...] = ()

    def parse(self, value: object) -> OptionValue:
        """The value as a bool, an int or a str; None for a button. Accepts text in any case. Raises OptionError.

        >>> Option("Ponder", "check").parse("TRUE")
        True
        """
        if self.type == "spin":
            return self._spin(value)
        if self.type == "combo":
            return self._combo(value)
        if self.type == "check":
            text = str(value).lower()
            if not isinstance(value, (bool, str)) or text not in ("true", "false"):
                raise self._error(value, "expected true or false")
            return text == "true"
        if self.type == "button":
            if value is not None:
                raise self._error(value, "a button takes no value; expected None")
            return None
        if not isinstance(value, str):
            raise self._error(value, "expected a str")
        if "\n" in value or "\r" in value:
            raise self._error(value, "the value of an option is one line")
        return value

    def command(self, value: object) -> str:
        """The line that sets the option.

        >>> Option("Clear Hash", "button").command(None)
        'setoption name Clear Hash'
        """
        parsed = self.parse(value)
        if self.type == "button":
            return f"setoption name {self.name}"
        text = str(parsed).lower() if isinstance(parsed, bool) else str(parsed)
        return f"setoption name {self.name} value {text}"

    def _spin(self, value: object) -> int:
        least = "-∞" if self.min is None else self.min
        most = "∞" if self.max is None else self.max
        expected = f"expected a whole number from {least} to {most}"
        try:
            if isinstance(value, bool):
                raise TypeError
            number = int(value) if isinstance(value, str) else operator.index(cast(SupportsIndex, value))
        except (TypeError, ValueError):
            raise self._error(value, expected) from None
        if (self.min is not None and number < self.min) or (self.max is not None and number > self.max):
            raise self._error(value, f"out of range; {expected}")
        return number

    def _combo(self, value: object) -> str:
        text = value.lower() if isinstance(value, str) else None
        for known in self.var:
            if known.lower() == text:
                return known
        # A file of variants may define more variants than `var` lists.
        if self.name.lower() == "uci_variant" and str(value).split() == [value]:
            return str(value)
        raise self._error(value, f"expected one of {', '.join(self.var)}")

    def _error(self, value: object, expected: str) -> OptionError:
        return OptionError(f"option `{self.name}`: {value!r}: {expected}")


class OptionMap(Mapping[str, Option]):
    """The options of an engine by name, in their order. Names ignore case.

    >>> options = OptionMap([Option("Hash", "spin", 64, 1, 1024)])
    >>> "hash" in options, options["HASH"].max, list(options)
    (True, 1024, ['Hash'])
    """

    def __init__(self, options: Iterable[Option] = ()) -> None:
        self._options: Dict[str, Option] = {_key(option.name): option for option in options}

    def __getitem__(self, name: str) -> Option:
        return self._options[_key(name)]

    def __iter__(self) -> Iterator[str]:
        return (option.name for option in self._options.values())

    def __len__(self) -> int:
        return len(self._options)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and _key(name) in self._options

    def __repr__(self) -> str:
        return f"OptionMap({list(self._options.values())!r})"

    def find(self, name: str) -> Option:
        """The option `name`. Raises OptionError with the most similar name.

        >>> OptionMap([Option("Hash", "spin", 64, 1, 1024)]).find("Hsah")
        Traceback (most recent call last):
        plumb_engine.engine.errors.OptionError: option `Hsah`: the engine has none of this name; did you mean `Hash`?
        """
        if name in self:
            return self[name]
        similar = difflib.get_close_matches(_key(name), list(self._options), 1)
        hint = f"it has {', '.join(f'`{known}`' for known in self)}" if self else "it has none at all"
        hint = f"did you mean `{self[similar[0]].name}`?" if similar else hint
        raise OptionError(f"option `{name}`: the engine has none of this name; {hint}")


def _key(name: str) -> str:
    return " ".join(name.lower().split())


def parse_option(line: str) -> Option:
    """Reads a line `option name ... type ...`. Raises ValueError with the reason."""
    words = line.split()[1:]
    if words[:1] != ["name"] or "type" not in words:
        raise ValueError("expected `option name NAME type TYPE`")
    at = words.index("type")
    name, kind = " ".join(words[1:at]), " ".join(words[at + 1 : at + 2])
    if not name:
        raise ValueError("the option has no name")
    if kind not in _TYPES:
        raise ValueError(f"`{kind}` is no type of option; expected one of {', '.join(_TYPES)}")
    rest = words[at + 2 :]
    if kind == "string":
        # The default of a string option may contain keywords such as `min`.
        text = " ".join(rest[1:]) if rest[:1] == ["default"] else ""
        return Option(name, kind, "" if text == "<empty>" else text)
    values: Dict[str, List[str]] = {"default": [], "min": [], "max": [], "var": []}
    key = ""
    for word in rest:
        if word in values:
            key = word
            values[key].append("")
        elif key:
            values[key][-1] = f"{values[key][-1]} {word}".strip()
    text = "".join(values["default"][-1:])
    if kind == "spin":
        default, least, most = (_number(values[key]) for key in ("default", "min", "max"))
        return Option(name, kind, default, least, most)
    if kind == "check":
        return Option(name, kind, text.lower() == "true")
    if kind == "combo":
        return Option(name, kind, text, var=tuple(values["var"]))
    return Option(name, kind)


def _number(texts: List[str]) -> Optional[int]:
    word = "".join(texts[-1:]).partition(" ")[0]
    try:
        return int(word) if word else None
    except ValueError:
        raise ValueError(f"`{word}` is no whole number") from None
