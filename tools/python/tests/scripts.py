"""What tests of engines share: types of fixtures, and the beginning of engines written in Python."""

from __future__ import annotations

from typing import Callable, List

Faulty = Callable[..., List[str]]
Script = Callable[[str], List[str]]

# Seconds after which a test hangs.
HANG = 60.0

# An engine with a handshake. More branches for `word` can follow.
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
