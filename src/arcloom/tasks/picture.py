"""Pictures of grids, made of filled rectangles, and writing them as SVG or PNG without any library."""

import struct
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import NamedTuple

from arcloom.tasks.grid import Grid, shape
from arcloom.tasks.lettering import lettered

PALETTE = (
    "#000000", "#0074D9", "#FF4136", "#2ECC40", "#FFDC00",
    "#AAAAAA", "#F012BE", "#FF851B", "#7FDBFF", "#870C25",
)  # fmt: skip
"""The usual colours of ARC."""

STRANGE, PAPER, LINE = "#E8DAB2", "#FFFFFF", "#555555"
"""The colours of cells that are not from 0 to 9, of the background, and of lines between cells."""

CELL, GAP, DOT, LETTER, LABEL_GAP = 20, 24, 4, 2, 6
"""Sizes in pixels: the side of a cell, the space around a grid, the side of a dot of a sign, the side of a dot of a
letter, and the space between a label and a grid."""

ARROW = ("....#..", ".....#.", "#######", ".....#.", "....#..")
UNKNOWN = (".###.", "#...#", "....#", "...#.", "..#..", ".....", "..#..")


class Box(NamedTuple):
    """A filled rectangle."""

    x: int
    y: int
    width: int
    height: int
    colour: str

    def moved(self, x: int, y: int) -> "Box":
        """The box moved to the right by ``x`` and down by ``y``."""
        return Box(self.x + x, self.y + y, self.width, self.height, self.colour)


@dataclass(frozen=True)
class Picture:
    """Boxes, drawn in this order. The upper left corner is (0, 0)."""

    boxes: tuple[Box, ...]

    @cached_property
    def width(self) -> int:
        """The right edge of the rightmost box."""
        return max((box.x + box.width for box in self.boxes), default=0)

    @cached_property
    def height(self) -> int:
        """The lower edge of the lowest box."""
        return max((box.y + box.height for box in self.boxes), default=0)


def colour_of(cell: int) -> str:
    """The colour of a cell in pictures, as #RRGGBB."""
    return PALETTE[cell] if 0 <= cell < len(PALETTE) else STRANGE


def grid_picture(grid: Grid) -> Picture:
    """A picture of a grid without a frame and a label."""
    return Picture(tuple(_cells(grid)))


def labelled(label: str, grid: Grid | None) -> Picture:
    """A grid below its label. An unknown grid is a question mark."""
    shown = sign(UNKNOWN) if grid is None else grid_picture(grid)
    name = sign(lettered(f"{label} {shape(grid)}"), LETTER)
    return Picture((*name.boxes, *_moved(shown, 0, name.height + LABEL_GAP)))


def _cells(grid: Grid) -> Iterator[Box]:
    yield Box(0, 0, len(next(iter(grid), ())) * CELL + 1, len(grid) * CELL + 1, LINE)
    for i, row in enumerate(grid):
        for j, cell in enumerate(row):
            yield Box(j * CELL + 1, i * CELL + 1, CELL - 1, CELL - 1, colour_of(cell))


def sign(dots: Sequence[str], side: int = DOT) -> Picture:
    """A picture of squares, one for each "#" in the rows."""
    marked = ((i, j) for i, line in enumerate(dots) for j, dot in enumerate(line) if dot == "#")
    return Picture(tuple(Box(j * side, i * side, side, side, LINE) for i, j in marked))


def beside(pictures: tuple[Picture, ...], widths: list[int]) -> Picture:
    """Pictures side by side in columns of these widths, each centred."""
    height = max(picture.height for picture in pictures)
    boxes: list[Box] = []
    left = 0
    for picture, width in zip(pictures, widths, strict=True):
        boxes += _moved(picture, left + (width - picture.width) // 2, (height - picture.height) // 2)
        left += width + GAP
    return Picture(tuple(boxes))


def stacked(pictures: Iterable[Picture]) -> Picture:
    """Pictures below each other."""
    boxes: list[Box] = []
    top = 0
    for picture in pictures:
        boxes += _moved(picture, 0, top)
        top += picture.height + GAP
    return Picture(tuple(boxes))


def framed(picture: Picture) -> Picture:
    """The picture on paper, with a margin around it."""
    paper = Box(0, 0, picture.width + 2 * GAP, picture.height + 2 * GAP, PAPER)
    return Picture((paper, *_moved(picture, GAP, GAP)))


def _moved(picture: Picture, x: int, y: int) -> Iterator[Box]:
    return (box.moved(x, y) for box in picture.boxes)


def svg(picture: Picture, title: str, scale: float = 1.0) -> bytes:
    """The picture as an SVG file: one path for each colour. ``scale`` makes it smaller or larger."""
    size = f'width="{picture.width * scale:g}" height="{picture.height * scale:g}"'
    size += f' viewBox="0 0 {picture.width} {picture.height}"'
    paths = (f'<path fill="{colour}" d="{path}"/>' for colour, path in _paths(picture).items())
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" {size} shape-rendering="crispEdges">'
    return "\n".join((opening, f"<title>{escape(title)}</title>", *paths, "</svg>\n")).encode(errors="replace")


def _paths(picture: Picture) -> dict[str, str]:
    """SVG paths by colour, in the order of the first box of each colour: background, lines, cells."""
    outlines: defaultdict[str, list[str]] = defaultdict(list)
    for x, y, width, height, colour in picture.boxes:
        outlines[colour].append(f"M{x} {y}h{width}v{height}h{-width}z")
    return {colour: "".join(parts) for colour, parts in outlines.items()}


def png(picture: Picture) -> bytes:
    """The picture as a PNG file with a palette: one byte per pixel."""
    colours = sorted({box.colour for box in picture.boxes})
    header = struct.pack(">IIBBBBB", picture.width, picture.height, 8, 3, 0, 0, 0)
    table = b"".join(bytes.fromhex(colour[1:]) for colour in colours)
    lines = b"".join(b"\0" + line for line in _pixels(picture, colours))
    chunks = ((b"IHDR", header), (b"PLTE", table), (b"IDAT", zlib.compress(lines)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _pixels(picture: Picture, colours: list[str]) -> list[bytearray]:
    lines = [bytearray(picture.width) for _ in range(picture.height)]
    for x, y, width, height, colour in picture.boxes:
        run = bytes([colours.index(colour)]) * width
        for line in lines[y : y + height]:
            line[x : x + width] = run
    return lines
