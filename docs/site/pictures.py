"""Draws the examples of the language as SVG: the arguments of a call, an arrow, and the result."""

import ast
from dataclasses import dataclass
from html import escape
from typing import Any

from arcloom.dsl.declare import Example, run_example
from arcloom.dsl.values import SIDE_MAX, ordered
from arcloom.tasks.picture import LINE, STRANGE, colour_of

CELL, GAP, CHARACTER, TEXT_HEIGHT = 16, 14, 7.3, 16
"""Pixels: side of a cell, space between drawings, width of a character, and height of a line of text."""

TEXT_MAX = 60
"""Maximum number of characters of a value that is written instead of drawn."""

EMPTY = "#FFFFFF"


@dataclass(frozen=True)
class Drawing:
    """A fragment of SVG and its size."""

    svg: str
    width: float
    height: float


def example_svg(example: Example) -> str:
    """The picture of an example. Its colours are fixed, so that it is readable on light and dark pages."""
    call = ast.parse(example.call, mode="eval").body
    args = call.args if isinstance(call, ast.Call) else []
    result = _text("fails") if example.fails else _drawn(run_example(example.call), example.expected)
    whole = _beside([*(_argument(arg) for arg in args), _text("→"), result])
    width, height = whole.width + 2 * GAP, whole.height + 2 * GAP
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
        f"<title>{escape(example.text)}</title>"
        f'<rect width="100%" height="100%" rx="4" fill="#F4F4F4"/>'
        f'<g transform="translate({GAP} {GAP})">{whole.svg}</g></svg>\n'
    )


def _argument(node: ast.expr) -> Drawing:
    text = ast.unparse(node)
    return _drawn(run_example(text), text)


def _drawn(value: Any, text: str) -> Drawing:
    """A grid or a patch as cells, a container of such values as several drawings, any other value as text."""
    if _is_grid(value):
        return _cells({(i, j): cell for i, row in enumerate(value) for j, cell in enumerate(row)})
    cells = _patch(value)
    if cells:
        return _cells(cells)
    if isinstance(value, tuple | frozenset) and value and all(_is_grid(part) or _patch(part) for part in value):
        return _beside([_drawn(part, "") for part in ordered(value)])
    return _text(text)


def _is_grid(value: Any) -> bool:
    rows = isinstance(value, tuple) and value and all(isinstance(row, tuple) and row for row in value)
    if not rows or len(set(map(len, value))) != 1 or max(len(value), len(value[0])) > SIDE_MAX:
        return False
    return all(isinstance(cell, int) for row in value for cell in row)


def _patch(value: Any) -> dict[tuple[int, int], int | None]:
    """The colours of a set of cells by position, None for positions without colour; empty for other values."""
    if not isinstance(value, frozenset):
        return {}
    found: dict[tuple[int, int], int | None] = {}
    for part in value:
        match part:
            case (int(colour), (int(i), int(j))):
                found[i, j] = colour
            case (int(i), int(j)):
                found[i, j] = None
            case _:
                return {}
    return found if all(0 <= side < SIDE_MAX for where in found for side in where) else {}


def _cells(cells: dict[tuple[int, int], int | None]) -> Drawing:
    """Cells at their positions, counted from the upper left corner of a grid."""
    height, width = (1 + max(where[axis] for where in cells) for axis in (0, 1))
    boxes = [_box(i, j, EMPTY) for i in range(height) for j in range(width) if (i, j) not in cells]
    boxes += [_box(i, j, STRANGE if colour is None else colour_of(colour)) for (i, j), colour in cells.items()]
    return Drawing("".join(boxes), width * CELL, height * CELL)


def _box(i: int, j: int, colour: str) -> str:
    place = f'x="{j * CELL}" y="{i * CELL}" width="{CELL}" height="{CELL}"'
    return f'<rect {place} fill="{colour}" stroke="{LINE}" stroke-width="0.5"/>'


def _text(text: str) -> Drawing:
    shown = text if len(text) <= TEXT_MAX else f"{text[: TEXT_MAX - 3]}..."
    width = len(shown) * CHARACTER
    style = f'font-family="monospace" font-size="12" textLength="{width:g}" fill="#222222"'
    return Drawing(f'<text y="{TEXT_HEIGHT - 4}" {style}>{escape(shown)}</text>', width, TEXT_HEIGHT)


def _beside(drawings: list[Drawing]) -> Drawing:
    height = max(drawing.height for drawing in drawings)
    parts, left = [], 0.0
    for drawing in drawings:
        parts.append(f'<g transform="translate({left:g} {(height - drawing.height) / 2:g})">{drawing.svg}</g>')
        left += drawing.width + GAP
    return Drawing("".join(parts), left - GAP, height)
