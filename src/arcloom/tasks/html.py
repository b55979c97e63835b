"""HTML for notebooks: grids as inline SVG, other values as escaped text."""

from collections.abc import Iterable
from html import escape
from typing import Any

from arcloom.tasks.grid import Grid, is_grid, shape
from arcloom.tasks.picture import grid_picture, svg

WIDEST = 240
"""Maximum width and height of a grid, in pixels."""

SHOWN = 50
"""Maximum number of rows of a table."""

LONGEST = 200
"""Maximum number of characters of a value that is not a grid."""


def value_html(value: Any) -> str:
    """A value as HTML: a grid is drawn, None is a question mark, and anything else is text."""
    if is_grid(value):
        return _drawn(value)
    if value is None:
        return "<b>?</b>"
    text = repr(value)
    return f"<code>{escape(text if len(text) <= LONGEST else f'{text[:LONGEST]}...')}</code>"


def _drawn(grid: Grid) -> str:
    picture = grid_picture(grid)
    scale = min(1.0, WIDEST / max(picture.width, picture.height))
    return svg(picture, shape(grid), scale).decode()


def figures_html(figures: Iterable[tuple[str, Any]]) -> str:
    """Values side by side, each above its caption."""
    style = "display:inline-block;margin:4px 12px 4px 0;vertical-align:top;text-align:center"
    shown = (
        f'<div style="{style}">{value_html(value)}<br><small>{escape(text)}</small></div>' for text, value in figures
    )
    return f"<div>{''.join(shown)}</div>"


def titled_html(title: str, *parts: str) -> str:
    """Parts below a title."""
    return f"<div><b>{escape(title)}</b>{''.join(parts)}</div>"


def table_html(headings: Iterable[str], rows: Iterable[Iterable[Any]], total: int) -> str:
    """A table of values, in which grids are drawn. ``rows`` are the first of ``total`` rows."""
    shown = [f"<tr>{''.join(f'<td>{_cell(value)}</td>' for value in row)}</tr>" for row in rows]
    head = "".join(f"<th>{escape(heading)}</th>" for heading in headings)
    more = f"<p>and {total - len(shown):,} more</p>" if total > len(shown) else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(shown)}</tbody></table>{more}"


def _cell(value: Any) -> str:
    return escape(value) if isinstance(value, str) else value_html(value)
