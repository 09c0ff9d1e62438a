"""Connect Four: a client for engines, and matches between them."""

from __future__ import annotations

from . import engine as engine
from . import match as match

__all__ = ["engine", "match"]
