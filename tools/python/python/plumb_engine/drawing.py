"""Drawings of positions as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .exact import scores as exact_scores

if TYPE_CHECKING:
    from ._native import Position

# A cell's side, and a stone's radius, in the units of the drawing.
CELL = 48
RADIUS = 19
# Colours that differ in brightness too, for people who do not tell yellow from red.
BOARD, EMPTY, FIRST, SECOND, INK = "#1f4e9c", "#f4f6fa", "#ffd34d", "#c8352b", "#222222"


class Drawing:
    """A drawing that notebooks show. `svg` is its text; `str(drawing)` too."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return f"<div>{self.svg}</div>"

    def __str__(self) -> str:
        return self.svg


def score_text(score: int | None) -> str:
    """A score with its sign: "+18", "0", "-4"; empty for a column that cannot be played."""
    return "" if score is None else f"{score:+d}" if score else "0"


def draw(position: Position, scores: Sequence[int | None] | bool | None = None) -> Drawing:
    """A drawing of a position, with scores under the columns if given, or the exact ones if `scores` is True.

    The second player's stones have a dot, and the stones of a winning line a ring. Raises ValueError if there is not a
    score for each column.
    """
    if scores is True:
        scores = exact_scores(position)
    below = list(scores) if scores else None
    rows, columns = position.shape
    if below is not None and len(below) != columns:
        raise ValueError(f"{len(below)} scores; expected {columns}")
    width, height = columns * CELL, rows * CELL + (CELL // 2 if below else 0)
    title = f"Connect Four after {position.plies} stones"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{title}"><title>{title}</title>',
        f'<rect width="{width}" height="{height}" rx="8" fill="{BOARD}"/>',
    ]
    winning = set(position.winning_line or ())
    for row, cells in enumerate(position.to_array()):
        for column, owner in enumerate(cells):
            x, y = column * CELL + CELL // 2, row * CELL + CELL // 2
            parts.append(f'<circle cx="{x}" cy="{y}" r="{RADIUS}" fill="{(EMPTY, FIRST, SECOND)[owner]}"/>')
            if owner == 2:
                parts.append(f'<circle cx="{x}" cy="{y}" r="5" fill="{EMPTY}"/>')
            if (row, column) in winning:
                parts.append(f'<circle cx="{x}" cy="{y}" r="14" fill="none" stroke="{INK}" stroke-width="4"/>')
    if below:
        best = max((score for score in below if score is not None), default=None)
        for column, score in enumerate(below):
            weight = "bold" if score is not None and score == best else "normal"
            parts.append(
                f'<text x="{column * CELL + CELL // 2}" y="{rows * CELL + 17}" text-anchor="middle" fill="{EMPTY}" '
                f'font-family="sans-serif" font-size="15" font-weight="{weight}">{score_text(score)}</text>'
            )
    parts.append("</svg>")
    return Drawing("".join(parts))
