"""Connect Four, solved: exact scores, a client for engines, a judge for agents.

    >>> import plumb_engine
    >>> position = plumb_engine.Position("4455")
    >>> plumb_engine.scores(position)
    [-4, -3, 18, 2, 2, 18, -3]
    >>> plumb_engine.best_move(position)
    2

Columns are integers from 0 on the left; the text of a position counts columns from 1. A score is an integer for the side to
move: 0 is a draw, n > 0 a win with the winner's n-th last stone (more is faster), a negative score a loss.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

from ._native import NO_MOVE, Player, Position, Solver
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
    from .engine import (
        AsyncEngine,
        Engine,
        EngineError,
        EngineTerminatedError,
        EngineTimeoutError,
        Limit,
    )
    from .evaluation import Evaluation, evaluate
    from .files import label, read_positions
    from .judging import Judgement, JudgedMove, judge
    from .match import MatchResult, play_match, read_match
    from .notebook import play_in_notebook
    from .serving import serve

# Modules that take longer to import than the solver, or need packages that may not be installed, are imported when one
# of their names is first used.
_LAZY = {
    "AsyncEngine": "engine",
    "Engine": "engine",
    "EngineError": "engine",
    "EngineTerminatedError": "engine",
    "EngineTimeoutError": "engine",
    "Limit": "engine",
    "Evaluation": "evaluation",
    "evaluate": "evaluation",
    "label": "files",
    "read_positions": "files",
    "Judgement": "judging",
    "JudgedMove": "judging",
    "judge": "judging",
    "MatchResult": "match",
    "play_match": "match",
    "read_match": "match",
    "play_in_notebook": "notebook",
    "serve": "serving",
}

__all__ = [
    "NO_MOVE",
    "AsyncEngine",
    "Engine",
    "EngineError",
    "EngineTerminatedError",
    "EngineTimeoutError",
    "Evaluation",
    "JudgedMove",
    "Judgement",
    "Limit",
    "MatchResult",
    "Player",
    "Position",
    "Solver",
    "best_move",
    "best_moves",
    "distance",
    "distance_many",
    "evaluate",
    "judge",
    "label",
    "outcome",
    "outcome_many",
    "play_in_notebook",
    "play_match",
    "principal_variation",
    "read_match",
    "read_positions",
    "score_move",
    "scores",
    "scores_many",
    "serve",
    "solve",
    "solve_many",
]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(f".{_LAZY[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


# Registers the environment with a Gymnasium that is in use; importing Gymnasium would take a quarter of a second.
if "gymnasium" in sys.modules:
    importlib.import_module(".environment", __name__)
