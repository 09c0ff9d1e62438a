"""A client for any Connect Four engine that speaks UCI with the variant `cfour`, or UGI.

`Engine` is for plain programs, `AsyncEngine` for asyncio.
"""

from __future__ import annotations

from ..argument_types import PositionLike
from .async_engine import AsyncAnalysis, AsyncEngine
from .command import find_program
from .errors import AnalysisComplete, EngineError, EngineTerminatedError, EngineTimeoutError, OptionError
from .info import Info, Score, Wdl
from .limit import Limit
from .option import Option, OptionMap
from .search import PlayResult
from .sync_engine import Analysis, Engine

# fmt: off
__all__ = [
    "Analysis", "AnalysisComplete", "AsyncAnalysis", "AsyncEngine", "Engine", "EngineError", "EngineTerminatedError",
    "EngineTimeoutError", "Info", "Limit", "Option", "OptionError", "OptionMap", "PlayResult", "PositionLike", "Score", "Wdl",
    "find_program",
]
# fmt: on
