"""The exceptions of the engine client."""

from __future__ import annotations


class EngineError(RuntimeError):
    """An engine cannot start, refuses a position or an option, or returns no legal move."""


class EngineTerminatedError(EngineError):
    """The engine has ended, or has closed its output. The text has the exit status and the last lines of standard error."""


class EngineTimeoutError(EngineError):
    """The engine has not answered in time."""


class OptionError(EngineError, ValueError):
    """An unknown option, or a wrong value."""


class AnalysisComplete(Exception):
    """There are no more lines: the analysis has ended."""
