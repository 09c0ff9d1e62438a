"""Drawings of positions as SVG, and tables as HTML."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ._native import NO_MOVE
from .exact import scores as exact_scores

if TYPE_CHECKING:
    from ._native import Position

# Sizes in units of the SVG.
CELL = 48
RADIUS = 19
# The colours also differ in brightness, for colour-blind people.
BOARD, EMPTY, FIRST, SECOND, INK = "#1f4e9c", "#f4f6fa", "#c8352b", "#ffd34d", "#222222"


class Drawing:
    """A drawing for notebooks. `svg` and `str(drawing)` are its text."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return f"<div>{self.svg}</div>"

    def __str__(self) -> str:
        return self.svg


def score_text(score: float | None) -> str:
    """A score with its sign: "+18", "0", "-4", "+0.5". Empty for a full column."""
    if score is None:
        return ""
    # Infinity takes the first branch: its remainder is nan.
    return f"{score:+.2g}" if score % 1 else f"{int(score):+d}" if score else "0"


def draw(position: Position, scores: Iterable[float | None] | bool | None = None, labels: bool = False) -> Drawing:
    """A drawing of a position. scores: printed under the columns, the best in bold; True for the exact scores. labels: whether
    to print column numbers, from 0, above the board.

    Stones of the second player have a dot, stones of a winning line a ring. Raises ValueError for a wrong number of scores.
    """
    if scores is True:
        scores = exact_scores(position)
    below = None
    if scores is not None and not isinstance(scores, bool):
        try:
            below = [None if score is None or score == NO_MOVE or score != score else float(score) for score in scores]
        except (TypeError, ValueError):
            raise TypeError(f"scores: {scores!r}; expected a number or None for each column, or True") from None
    rows, columns = position.shape
    if below is not None and len(below) != columns:
        raise ValueError(f"{len(below)} scores; expected {columns}")
    above = CELL // 2 if labels else 0
    width, height = columns * CELL, rows * CELL + (CELL // 2 if below else 0)
    title = f"Connect Four after {position.plies} stones"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 {-above} {width} {height + above}" width="{width}" '
        f'height="{height + above}" role="img" aria-label="{title}"><title>{title}</title>',
        f'<rect width="{width}" height="{height}" rx="8" fill="{BOARD}"/>',
    ]
    winning = set(position.winning_line or ())
    for row, cells in enumerate(position.to_array()):
        for column, owner in enumerate(cells):
            x, y = column * CELL + CELL // 2, row * CELL + CELL // 2
            parts.append(f'<circle cx="{x}" cy="{y}" r="{RADIUS}" fill="{(EMPTY, FIRST, SECOND)[owner]}"/>')
            if owner == 2:
                parts.append(f'<circle cx="{x}" cy="{y}" r="5" fill="{INK}"/>')
            if (row, column) in winning:
                parts.append(f'<circle cx="{x}" cy="{y}" r="14" fill="none" stroke="{INK}" stroke-width="4"/>')
    for column in range(columns if labels else 0):
        parts.append(_text(column, -7, str(column), INK))
    if below:
        best = max((score for score in below if score is not None), default=None)
        for column, score in enumerate(below):
            weight = "bold" if score is not None and score == best else "normal"
            parts.append(_text(column, rows * CELL + 17, score_text(score), EMPTY, weight))
    parts.append("</svg>")
    return Drawing("".join(parts))


def _text(column: int, y: int, text: str, colour: str, weight: str = "normal") -> str:
    return (
        f'<text x="{column * CELL + CELL // 2}" y="{y}" text-anchor="middle" fill="{colour}" '
        f'font-family="sans-serif" font-size="15" font-weight="{weight}">{text}</text>'
    )


def html_table(head: Iterable[object], rows: Iterable[tuple[Iterable[object], bool]]) -> str:
    """A table for a notebook. Each cell is a text and whether it is bold."""
    lines = [f"<tr>{''.join(f'<th>{html.escape(str(name))}</th>' for name in head)}</tr>"]
    for cells, is_bold in rows:
        style = ' style="font-weight:bold"' if is_bold else ""
        lines.append(f"<tr{style}>{''.join(f'<td>{html.escape(str(cell))}</td>' for cell in cells)}</tr>")
    return f"<table>{''.join(lines)}</table>"
