"""Patches: sets of positions (indices) or of coloured cells (objects), and their measures."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from arcloom.dsl.declare import primitive
from arcloom.dsl.meter import affordable
from arcloom.dsl.types import Cell, Corner, Grid, Indices, Object, Pair, Patch, Piece
from arcloom.dsl.values import Reason, fail, within

# Primitives call these helpers, not each other, if the result is a container: a call of a primitive counts as work, and
# only calls of the program may count.


class Bounds(NamedTuple):
    """The first and last rows and columns of a bounding box."""

    top: int
    left: int
    bottom: int
    right: int


def place(cell: Pair | Cell) -> Pair:
    """The position of a cell; a position itself. Fails if the position is missing, that is ()."""
    where = cell[1] if cell and isinstance(cell[1], tuple) else cell
    return where or fail(Reason.NONE)


def positions(patch: Patch) -> Indices:
    """The positions of the cells of a patch."""
    return frozenset(map(place, patch))


def moved(patch: Patch, move: Callable[[Pair], Pair]) -> Patch:
    """The patch with every cell moved to another position. Colours stay."""
    return frozenset(  # type: ignore[return-value]
        move(cell) if where is cell else (cell[0], move(where))
        for cell, where in zip(patch, map(place, patch), strict=True)
    )


def step(start: Pair, direction: Pair, times: int = 1) -> Pair:
    """The position after a number of steps in a direction."""
    return within(start[0] + times * direction[0]), within(start[1] + times * direction[1])


def bounds(patch: Patch) -> Bounds:
    """The bounding box; fails if the patch is empty."""
    if not patch:
        fail(Reason.EMPTY)
    rows, columns = zip(*map(place, patch), strict=True)
    return Bounds(min(rows), min(columns), max(rows), max(columns))


def extent(piece: Piece) -> Pair:
    """The numbers of rows and columns, which may be beyond INT_LIMIT."""
    if isinstance(piece, tuple):
        return len(piece), len(piece[0]) if piece else 0
    if not piece:
        return 0, 0
    top, left, bottom, right = bounds(piece)
    return bottom - top + 1, right - left + 1


def row_length(grid: Grid) -> int:
    """The number of columns; fails if there are no rows."""
    return len(grid[0]) if grid else fail(Reason.EMPTY)


def cells_of(grid: Grid) -> Iterator[Cell]:
    """The cells of a grid, row by row."""
    return ((value, (i, j)) for i, row in enumerate(grid) for j, value in enumerate(row))


def rectangle(box: Bounds) -> Indices:
    """All positions within these bounds."""
    rows, columns = range(box.top, box.bottom + 1), range(box.left, box.right + 1)
    affordable(len(rows) * len(columns))
    return frozenset((i, j) for i in rows for j in columns)


def frame(patch: Patch, margin: int) -> Indices:
    """The outline of the bounding box, with its corners moved outwards by a margin.

    With a negative margin corners may cross; the outline is then that of the box between them.
    """
    box = bounds(patch)
    top, bottom = sorted((within(box.top - margin), within(box.bottom + margin)))
    left, right = sorted((within(box.left - margin), within(box.right + margin)))
    affordable(2 * (bottom - top + right - left))
    return frozenset((i, j) for i in (top, bottom) for j in range(left, right + 1)) | frozenset(
        (i, j) for i in range(top, bottom + 1) for j in (left, right)
    )


@primitive
def height(piece: Piece) -> int:
    """The number of rows of a grid or of a patch's bounding box; for a single row, its length.

    height(((1, 2, 3), (4, 5, 6))) -> 2
    height({(1, 2), (3, 2)}) -> 3
    height((4, 5, 6)) -> 3
    height(set()) -> 0
    """
    return within(len(piece) if isinstance(piece, tuple) else extent(piece)[0])


@primitive
def width(piece: Piece) -> int:
    """The number of columns of a grid or of a patch's bounding box.

    width(((1, 2, 3), (4, 5, 6))) -> 3
    width({(1, 2), (3, 2)}) -> 1
    width(set()) -> 0
    """
    return within(extent(piece)[1])


@primitive
def shape(piece: Piece) -> Pair:
    """The numbers of rows and columns of a grid or of a patch's bounding box.

    shape(((1, 2, 3), (4, 5, 6))) -> (2, 3)
    shape({(1, 2), (3, 2)}) -> (3, 1)
    shape(set()) -> (0, 0)
    """
    rows, columns = extent(piece)
    return within(rows), within(columns)


@primitive
def portrait(piece: Piece) -> bool:
    """Whether there are more rows than columns.

    portrait(((1,), (2,))) -> True
    portrait({(0, 0), (1, 1)}) -> False
    """
    rows, columns = extent(piece)
    return rows > columns


@primitive
def square(piece: Piece) -> bool:
    """Whether a grid has as many rows as columns, or a patch fills a square bounding box.

    square(((1, 2), (3, 4))) -> True
    square({(0, 0), (1, 1)}) -> False
    square(set()) -> True
    square(()) -> fails
    """
    rows, columns = extent(piece)
    if isinstance(piece, tuple):
        return rows == row_length(piece)
    return rows == columns and len(piece) == rows * columns


@primitive
def vline(patch: Patch) -> bool:
    """Whether the patch is a vertical line: its bounding box has one column and as many rows as the patch has cells.

    vline({(1, 2), (2, 2)}) -> True
    vline({(1, 2), (3, 2)}) -> False
    vline(set()) -> False
    """
    return extent(patch) == (len(patch), 1)


@primitive
def hline(patch: Patch) -> bool:
    """Whether the patch is a horizontal line: its bounding box has one row and as many columns as the patch has cells.

    hline({(1, 2), (1, 3)}) -> True
    hline({(1, 2), (1, 4)}) -> False
    hline(set()) -> False
    """
    return extent(patch) == (1, len(patch))


@primitive
def uppermost(patch: Patch) -> int:
    """The first row with a cell of the patch.

    uppermost({(1, 2), (4, 0)}) -> 1
    uppermost(set()) -> fails
    """
    return bounds(patch).top


@primitive
def lowermost(patch: Patch) -> int:
    """The last row with a cell of the patch.

    lowermost({(1, 2), (4, 0)}) -> 4
    lowermost(set()) -> fails
    """
    return bounds(patch).bottom


@primitive
def leftmost(patch: Patch) -> int:
    """The first column with a cell of the patch.

    leftmost({(1, 2), (4, 0)}) -> 0
    leftmost(set()) -> fails
    """
    return bounds(patch).left


@primitive
def rightmost(patch: Patch) -> int:
    """The last column with a cell of the patch.

    rightmost({(1, 2), (4, 0)}) -> 2
    rightmost(set()) -> fails
    """
    return bounds(patch).right


def _corner(patch: Patch, vertical: str, horizontal: str) -> Corner:
    if not patch:
        return ()  # type: ignore[return-value]
    box = bounds(patch)
    return getattr(box, vertical), getattr(box, horizontal)


@primitive
def ulcorner(patch: Patch) -> Corner:
    """The upper left corner of the bounding box.

    ulcorner({(1, 2), (0, 3)}) -> (0, 2)
    ulcorner(set()) -> ()
    """
    return _corner(patch, "top", "left")


@primitive
def urcorner(patch: Patch) -> Corner:
    """The upper right corner of the bounding box.

    urcorner({(1, 2), (0, 3)}) -> (0, 3)
    urcorner(set()) -> ()
    """
    return _corner(patch, "top", "right")


@primitive
def llcorner(patch: Patch) -> Corner:
    """The lower left corner of the bounding box.

    llcorner({(1, 2), (0, 3)}) -> (1, 2)
    llcorner(set()) -> ()
    """
    return _corner(patch, "bottom", "left")


@primitive
def lrcorner(patch: Patch) -> Corner:
    """The lower right corner of the bounding box.

    lrcorner({(1, 2), (0, 3)}) -> (1, 3)
    lrcorner(set()) -> ()
    """
    return _corner(patch, "bottom", "right")


@primitive
def toindices(patch: Patch) -> Indices:
    """The positions of the cells, without their colours.

    toindices({(5, (0, 1)), (6, (2, 3))}) -> {(0, 1), (2, 3)}
    toindices({(0, 1)}) -> {(0, 1)}
    """
    return positions(patch)


@primitive
def recolor(value: int, patch: Patch) -> Object:
    """The patch with all its cells in one colour.

    recolor(3, {(0, 1), (2, 3)}) -> {(3, (0, 1)), (3, (2, 3))}
    recolor(3, {(5, (0, 1))}) -> {(3, (0, 1))}
    """
    return frozenset((value, where) for where in positions(patch))


@primitive
def shift(patch: Patch, directions: Pair) -> Patch:
    """The patch moved by a number of rows and columns.

    shift({(0, 1), (2, 3)}, (1, -1)) -> {(1, 0), (3, 2)}
    shift({(5, (0, 1))}, (2, 0)) -> {(5, (2, 1))}
    shift({(0, 1)}, (1000000, 1000000)) -> fails
    """
    return moved(patch, lambda where: step(where, directions))


@primitive
def normalize(patch: Patch) -> Patch:
    """The patch moved so that its bounding box begins in row 0 and column 0.

    normalize({(2, 3), (3, 1)}) -> {(0, 2), (1, 0)}
    normalize(set()) -> set()
    """
    if not patch:
        return patch
    top, left, _, _ = bounds(patch)
    return moved(patch, lambda where: step(where, (-top, -left)))


@primitive
def center(patch: Patch) -> Pair:
    """The centre of the bounding box; of two middle rows or columns, the later one.

    center({(0, 0), (2, 3)}) -> (1, 2)
    center(set()) -> fails
    """
    top, left, bottom, right = bounds(patch)
    return (top + bottom + 1) // 2, (left + right + 1) // 2


@primitive
def centerofmass(patch: Patch) -> Corner:
    """The sum of the distinct positions divided by the number of cells, rounded down.

    A position with cells of several colours is added once, but counts as several cells.

    centerofmass({(0, 0), (1, 1), (1, 4)}) -> (0, 1)
    centerofmass({(1, (2, 2)), (5, (2, 2))}) -> (1, 1)
    centerofmass(set()) -> ()
    """
    if not patch:
        return ()  # type: ignore[return-value]
    rows, columns = zip(*positions(patch), strict=True)
    return sum(rows) // len(patch), sum(columns) // len(patch)


@primitive
def corners(patch: Patch) -> frozenset[Corner]:
    """The corners of the bounding box; for an empty patch, the set of the missing corner ().

    corners({(1, 2), (0, 4)}) -> {(0, 2), (0, 4), (1, 2), (1, 4)}
    corners(set()) -> {()}
    """
    return frozenset(_corner(patch, row, column) for row in ("top", "bottom") for column in ("left", "right"))


@primitive
def box(patch: Patch) -> Indices:
    """The outline of the bounding box.

    box({(0, 0), (2, 2)}) -> {(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)}
    box(set()) -> set()
    """
    return frame(patch, 0) if patch else frozenset()


@primitive
def inbox(patch: Patch) -> Indices:
    """The outline just inside the bounding box; just outside, if the box has one row or column.

    inbox({(0, 0), (3, 3)}) -> {(1, 1), (1, 2), (2, 1), (2, 2)}
    inbox({(1, 1)}) -> {(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)}
    inbox(set()) -> fails
    """
    return frame(patch, -1)


@primitive
def outbox(patch: Patch) -> Indices:
    """The outline just outside the bounding box.

    outbox({(1, 1)}) -> {(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)}
    outbox(set()) -> fails
    """
    return frame(patch, 1)


@primitive
def backdrop(patch: Patch) -> Indices:
    """All positions of the bounding box.

    backdrop({(0, 1), (1, 0)}) -> {(0, 0), (0, 1), (1, 0), (1, 1)}
    backdrop(set()) -> set()
    """
    return rectangle(bounds(patch)) if patch else frozenset()


@primitive
def delta(patch: Patch) -> Indices:
    """The positions of the bounding box that the patch leaves free.

    delta({(0, 1), (1, 0)}) -> {(0, 0), (1, 1)}
    delta(set()) -> set()
    """
    return rectangle(bounds(patch)) - positions(patch) if patch else frozenset()
