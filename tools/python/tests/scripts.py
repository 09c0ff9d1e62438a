"""What tests of engines share: types of fixtures, and the beginning of engines written in Python."""

from __future__ import annotations

from typing import Callable, List

Faulty = Callable[..., List[str]]
Script = Callable[[str], List[str]]

# Seconds after which a test counts as hanging.
HANG = 60.0

# Source of a small UCI engine. Tests add branches for other commands.
UCI = """
    for line in lines:
        word = line.split(" ")[0]
        if word == "uci":
            say("option name MultiPV type spin default 1 min 1 max 7")
            say("uciok")
        elif word == "isready":
            say("readyok")
        elif word == "quit":
            break
"""
