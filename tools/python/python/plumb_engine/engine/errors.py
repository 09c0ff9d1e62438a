"""The exceptions of the engine client."""

from __future__ import annotations


class EngineError(RuntimeError):
    """An engine cannot be started, refuses a position or an option, or gives no legal move."""


class EngineTerminatedError(EngineError):
    """The process of the engine has ended, or has closed its output.

    The text has the exit status and the last lines of the engine's standard error.
    """


class EngineTimeoutError(EngineError):
    """The engine has not answered in time."""


class AnalysisSilent(EngineTimeoutError):
    """The engine has said nothing new of the position for the time that was given."""


class OptionError(EngineError, ValueError):
    """An option that the engine does not have, or a value that the option cannot take."""


class AnalysisComplete(Exception):
    """There are no more lines: the engine has ended the analysis."""
