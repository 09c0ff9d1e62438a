"""Connect Four, solved: exact scores, a client for engines, a judge for agents.

    >>> import plumb_engine
    >>> plumb_engine.scores(plumb_engine.Position("4455"))
    [-4, -3, 18, 2, 2, 18, -3]

Columns are integers from 0 on the left; the text of a position counts columns from 1. A score is an integer for the side to
move: 0 is a draw, n > 0 a win with the winner's n-th last stone (more is faster), a negative score a loss.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._native import NO_MOVE, Player, Position, Solver, StoppedError, __version__
from .argument_types import PositionLike, TieBreak
from .exact import (
    best_move,
    best_moves,
    distance,
    distance_many,
    outcome,
    outcome_many,
    principal_variation,
    score_move,
    scores,
    scores_many,
    solve,
    solve_many,
)

if TYPE_CHECKING:
    from .elo import Elo
    from .engine import AsyncEngine, Engine, EngineError, EngineTerminatedError, EngineTimeoutError, Limit
    from .evaluation import Evaluation, evaluate
    from .files import label, read_positions
    from .judging import Judgement, JudgedMove, judge
    from .match import MatchResult, play_match, read_match
    from .notebook import play_in_notebook as play_in_notebook
    from .serving import serve

# Modules that are slow to import or need other packages are imported on first use.
_LAZY = {
    "elo": ("Elo",),
    "engine": ("AsyncEngine", "Engine", "EngineError", "EngineTerminatedError", "EngineTimeoutError", "Limit"),
    "evaluation": ("Evaluation", "evaluate"),
    "files": ("label", "read_positions"),
    "judging": ("Judgement", "JudgedMove", "judge"),
    "match": ("MatchResult", "play_match", "read_match"),
    "notebook": ("play_in_notebook",),
    "serving": ("serve",),
}
_MODULES = {name: module for module, names in _LAZY.items() for name in names}

# `play_in_notebook` is missing, because `import *` would then need anywidget.
# fmt: off
__all__ = [
    "NO_MOVE", "AsyncEngine", "Elo", "Engine", "EngineError", "EngineTerminatedError", "EngineTimeoutError", "Evaluation",
    "JudgedMove", "Judgement", "Limit", "MatchResult", "Player", "Position", "PositionLike", "Solver", "StoppedError", "TieBreak",
    "__version__",
    "best_move", "best_moves", "distance", "distance_many", "evaluate", "judge", "label", "outcome", "outcome_many",
    "play_match", "principal_variation", "read_match", "read_positions", "score_move", "scores", "scores_many",
    "serve", "solve", "solve_many",
]
# fmt: on


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(importlib.import_module(f".{_MODULES[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_MODULES, *(name for name in globals() if name.startswith("__"))})
