"""Whole grids: rotating, mirroring, scaling, joining and cutting them, and reading their cells."""

from arcloom.dsl.declare import primitive
from arcloom.dsl.meter import affordable
from arcloom.dsl.patch import bounds, cells_of, extent, moved, row_length
from arcloom.dsl.types import Colour, Element, Grid, Indices, Object, Pair, Patch, Piece, Row
from arcloom.dsl.values import SIDE_LIMIT, Reason, fail, within


def has_position(grid: Grid, position: Pair) -> bool:
    """Whether the position lies on the grid."""
    i, j = position
    return 0 <= i < len(grid) and 0 <= j < len(grid[0])


def _upside_down(grid: Grid) -> Grid:
    return grid[::-1]


def _back_to_front(grid: Grid) -> Grid:
    return tuple(row[::-1] for row in grid)


def _transposed(grid: Grid) -> Grid:
    return tuple(zip(*grid, strict=True))


@primitive
def rot90(grid: Grid) -> Grid:
    """The grid rotated by 90 degrees clockwise.

    rot90(((1, 2), (3, 4), (5, 6))) -> ((5, 3, 1), (6, 4, 2))
    rot90(((), ())) -> ()
    """
    return _transposed(_upside_down(grid))


@primitive
def rot180(grid: Grid) -> Grid:
    """The grid rotated by 180 degrees.

    rot180(((1, 2), (3, 4), (5, 6))) -> ((6, 5), (4, 3), (2, 1))
    """
    return _upside_down(_back_to_front(grid))


@primitive
def rot270(grid: Grid) -> Grid:
    """The grid rotated by 90 degrees counterclockwise.

    rot270(((1, 2), (3, 4), (5, 6))) -> ((2, 4, 6), (1, 3, 5))
    rot270(((), ())) -> ()
    """
    return _upside_down(_transposed(grid))


@primitive
def hmirror(piece: Piece) -> Piece:
    """The piece mirrored upside down. A patch keeps its bounding box; an empty one fails.

    hmirror(((1, 2), (3, 4), (5, 6))) -> ((5, 6), (3, 4), (1, 2))
    hmirror({(7, (1, 2)), (8, (5, 3))}) -> {(7, (5, 2)), (8, (1, 3))}
    hmirror(set()) -> fails
    """
    if isinstance(piece, tuple):
        return _upside_down(piece)
    top, _, bottom, _ = bounds(piece)
    return moved(piece, lambda where: (top + bottom - where[0], where[1]))


@primitive
def vmirror(piece: Piece) -> Piece:
    """The piece mirrored left to right. A patch keeps its bounding box; an empty one fails.

    vmirror(((1, 2), (3, 4), (5, 6))) -> ((2, 1), (4, 3), (6, 5))
    vmirror({(1, 2), (5, 4), (5, 3)}) -> {(1, 4), (5, 2), (5, 3)}
    vmirror(set()) -> fails
    """
    if isinstance(piece, tuple):
        return _back_to_front(piece)
    _, left, _, right = bounds(piece)
    return moved(piece, lambda where: (where[0], left + right - where[1]))


@primitive
def dmirror(piece: Piece) -> Piece:
    """The piece mirrored at its diagonal from the upper left: rows become columns.

    A patch keeps its upper left corner; an empty one fails.

    dmirror(((1, 2), (3, 4), (5, 6))) -> ((1, 3, 5), (2, 4, 6))
    dmirror({(7, (1, 2)), (8, (5, 3))}) -> {(7, (1, 2)), (8, (2, 6))}
    dmirror(set()) -> fails
    """
    if isinstance(piece, tuple):
        return _transposed(piece)
    top, left, _, _ = bounds(piece)
    return moved(piece, lambda where: (within(top + where[1] - left), within(left + where[0] - top)))


@primitive
def cmirror(piece: Piece) -> Piece:
    """The piece mirrored at its diagonal from the upper right: the last column becomes the first row.

    A patch keeps the upper left corner of its bounding box; an empty one fails.

    cmirror(((1, 2), (3, 4), (5, 6))) -> ((6, 4, 2), (5, 3, 1))
    cmirror({(7, (1, 2)), (8, (5, 3))}) -> {(7, (2, 6)), (8, (1, 2))}
    cmirror(set()) -> fails
    """
    if isinstance(piece, tuple):
        return _transposed(_upside_down(_back_to_front(piece)))
    top, left, bottom, right = bounds(piece)
    return moved(piece, lambda where: (within(top + right - where[1]), within(left + bottom - where[0])))


def _scaled(grid: Grid, down: int, along: int) -> Grid:
    """The grid with each row repeated ``down`` times and each column ``along`` times; empty if one is below 1."""
    rows, columns = extent(grid)
    affordable(rows * max(down, 0) * columns * max(along, 0))
    if rows * down > SIDE_LIMIT:
        fail(Reason.BUDGET)
    wider = [tuple(value for value in row for _ in range(along)) for row in grid]
    return tuple(row for row in wider for _ in range(down))


@primitive
def hupscale(grid: Grid, factor: int) -> Grid:
    """The grid with each column repeated ``factor`` times; a factor below 1 leaves empty rows.

    hupscale(((1, 2), (3, 4)), 2) -> ((1, 1, 2, 2), (3, 3, 4, 4))
    hupscale(((1, 2), (3, 4)), 0) -> ((), ())
    """
    return _scaled(grid, 1, factor)


@primitive
def vupscale(grid: Grid, factor: int) -> Grid:
    """The grid with each row repeated ``factor`` times; a factor below 1 leaves no rows.

    vupscale(((1, 2), (3, 4)), 2) -> ((1, 2), (1, 2), (3, 4), (3, 4))
    vupscale(((1, 2), (3, 4)), 0) -> ()
    """
    return _scaled(grid, factor, 1)


@primitive
def upscale(element: Element, factor: int) -> Element:
    """The element with each cell replaced by a square of factor by factor cells.

    An object keeps its upper left corner. A factor below 1 leaves no cells.

    upscale(((1, 2),), 2) -> ((1, 1, 2, 2), (1, 1, 2, 2))
    upscale({(3, (1, 5))}, 2) -> {(3, (1, 5)), (3, (1, 6)), (3, (2, 5)), (3, (2, 6))}
    upscale({(3, (1, 5)), (4, (2, 5))}, 0) -> set()
    """
    if isinstance(element, tuple):
        return _scaled(element, factor, factor)
    if not element:
        return element
    top, left, _, _ = bounds(element)
    steps = range(factor)
    affordable(len(element) * len(steps) ** 2)
    return frozenset(
        (value, (within(top + (i - top) * factor + down), within(left + (j - left) * factor + along)))
        for value, (i, j) in element
        for down in steps
        for along in steps
    )


@primitive
def downscale(grid: Grid, factor: int) -> Grid:
    """Every factor-th row and column, beginning with the first. The sign of the factor does not matter.

    downscale(((1, 2, 3), (4, 5, 6), (7, 8, 9)), 2) -> ((1, 3), (7, 9))
    downscale(((1, 2, 3), (4, 5, 6), (7, 8, 9)), 0) -> fails
    downscale((), 2) -> fails
    """
    if not grid:
        fail(Reason.EMPTY)
    if factor == 0:
        fail(Reason.ZERO)
    step = abs(factor)
    return tuple(row[::step] for row in grid[::step])


@primitive
def hconcat(a: Grid, b: Grid) -> Grid:
    """The two grids side by side, cut to the smaller height.

    hconcat(((1,), (2,)), ((3, 4), (5, 6))) -> ((1, 3, 4), (2, 5, 6))
    hconcat(((1,), (2,)), ((3, 4),)) -> ((1, 3, 4),)
    """
    return tuple(left + right for left, right in zip(a, b, strict=False))


@primitive
def vconcat(a: Grid, b: Grid) -> tuple[Row, ...]:
    """The rows of the first grid above those of the second. The result is a grid if the widths are equal.

    vconcat(((1, 2),), ((3, 4), (5, 6))) -> ((1, 2), (3, 4), (5, 6))
    vconcat(((1, 2),), ((3,),)) -> ((1, 2), (3,))
    """
    return a + b


def _part_slices(length: int, count: int) -> tuple[slice, ...]:
    """The slices of ``count`` equal parts of a length, with gaps of one if the length is not a multiple."""
    if count == 0:
        fail(Reason.ZERO)
    affordable(max(count, 0))
    size, rest = divmod(length, count)
    step = size + bool(rest)
    return tuple(slice(step * k, step * k + size) for k in range(count))


@primitive
def hsplit(grid: Grid, n: int) -> tuple[Grid, ...]:
    """The grid cut into n parts from left to right, each of the width divided by n, rounded down.

    If there is a remainder, a gap of one column follows each part (grids often have separating lines there), and parts
    are cut off at the right edge. A negative n gives no parts.

    hsplit(((1, 2, 3, 4),), 2) -> (((1, 2),), ((3, 4),))
    hsplit(((1, 2, 0, 3, 4),), 2) -> (((1, 2),), ((3, 4),))
    hsplit(((1, 2, 3, 4, 5, 6, 7),), 3) -> (((1, 2),), ((4, 5),), ((7,),))
    hsplit(((1, 2, 3, 4),), 0) -> fails
    hsplit((), 2) -> fails
    """
    width = row_length(grid)
    beyond: Grid = ((),) * len(grid)
    parts = _part_slices(width, n)
    return tuple(tuple(row[part] for row in grid) if part.start < width else beyond for part in parts)


@primitive
def vsplit(grid: Grid, n: int) -> tuple[Grid, ...]:
    """The grid cut into n parts from top to bottom, each of the height divided by n, rounded down.

    If there is a remainder, a gap of one row follows each part, and parts are cut off at the lower edge. A negative n
    gives no parts.

    vsplit(((1, 1), (2, 2), (3, 3)), 3) -> (((1, 1),), ((2, 2),), ((3, 3),))
    vsplit(((1,), (0,), (2,)), 2) -> (((1,),), ((2,),))
    vsplit(((1,), (2,)), 0) -> fails
    vsplit((), 2) -> fails
    """
    if not grid:
        fail(Reason.EMPTY)
    return tuple(grid[part] for part in _part_slices(len(grid), n))


def _cut(grid: Grid, start: Pair, dims: Pair) -> Grid:
    (i, j), (height, width) = start, dims
    return tuple(row[j : j + width] for row in grid[i : i + height])


@primitive
def crop(grid: Grid, start: Pair, dims: Pair) -> Grid:
    """The part of the grid with this upper left corner and these dimensions, cut off at the grid's edges.

    Rows are the Python slice from the starting row to the starting row plus the height, so a negative bound counts from
    the lower edge; columns likewise.

    crop(((1, 2, 3), (4, 5, 6), (7, 8, 9)), (1, 1), (2, 2)) -> ((5, 6), (8, 9))
    crop(((1, 2, 3), (4, 5, 6), (7, 8, 9)), (1, 2), (5, 5)) -> ((6,), (9,))
    crop(((1, 2, 3), (4, 5, 6), (7, 8, 9)), (-2, 0), (1, 2)) -> ((4, 5),)
    crop(((1, 2, 3), (4, 5, 6), (7, 8, 9)), (0, -1), (2, 2)) -> ((), ())
    crop(((1, 2, 3), (4, 5, 6), (7, 8, 9)), (0, 0), (-1, 1)) -> ((1,), (4,))
    """
    return _cut(grid, start, dims)


@primitive
def subgrid(patch: Patch, grid: Grid) -> Grid:
    """The part of the grid in the bounding box of the patch, cut out like ``crop``.

    subgrid({(0, 1), (1, 2)}, ((1, 2, 3), (4, 5, 6), (7, 8, 9))) -> ((2, 3), (5, 6))
    subgrid(set(), ((1, 2, 3), (4, 5, 6), (7, 8, 9))) -> fails
    """
    top, left, _, _ = bounds(patch)
    return _cut(grid, (top, left), extent(patch))


@primitive
def trim(grid: Grid) -> Grid:
    """The grid without its outermost rows and columns.

    trim(((1, 2, 3), (4, 5, 6), (7, 8, 9))) -> ((5,),)
    trim(((1,), (2,), (3,))) -> ((),)
    """
    return tuple(row[1:-1] for row in grid[1:-1])


def _first_half(rows: Grid) -> Grid:
    return rows[: len(rows) // 2]


def _second_half(rows: Grid) -> Grid:
    return rows[(len(rows) + 1) // 2 :]


@primitive
def tophalf(grid: Grid) -> Grid:
    """The upper half of the rows, without a middle row.

    tophalf(((1, 1), (2, 2), (3, 3))) -> ((1, 1),)
    tophalf(((1, 1),)) -> ()
    """
    return _first_half(grid)


@primitive
def bottomhalf(grid: Grid) -> Grid:
    """The lower half of the rows, without a middle row.

    bottomhalf(((1, 1), (2, 2), (3, 3))) -> ((3, 3),)
    bottomhalf(((1, 1),)) -> ()
    """
    return _second_half(grid)


@primitive
def lefthalf(grid: Grid) -> Grid:
    """The left half of the columns, without a middle column; () if no column is left.

    lefthalf(((1, 2, 3), (4, 5, 6))) -> ((1,), (4,))
    lefthalf(((1,), (4,))) -> ()
    """
    return _transposed(_first_half(_transposed(grid)))


@primitive
def righthalf(grid: Grid) -> Grid:
    """The right half of the columns, without a middle column; () if no column is left.

    righthalf(((1, 2, 3), (4, 5, 6))) -> ((3,), (6,))
    righthalf(((1,), (4,))) -> ()
    """
    return _transposed(_second_half(_transposed(grid)))


@primitive
def compress(grid: Grid) -> Grid:
    """The grid without rows and columns of a single colour.

    compress(((1, 1, 1), (1, 2, 3), (1, 1, 4))) -> ((2, 3), (1, 4))
    compress(((1, 2), (1, 2))) -> ((), ())
    compress(((1, 1), (2, 2))) -> ()
    """
    varied = [j for j, column in enumerate(_transposed(grid)) if len(set(column)) != 1]
    return tuple(tuple(row[j] for j in varied) for row in grid if len(set(row)) != 1)


def _period(obj: Object, axis: int) -> int:
    """The least step back along an axis that takes each cell to an equal one or out of the bounding box."""
    if not obj:
        return 0
    first, length = bounds(obj)[axis], extent(obj)[axis]
    along = {(where[axis] - first, where[1 - axis], value) for value, where in obj}

    def repeats(step: int) -> bool:
        return all((at - step, *rest) in along for at, *rest in along if at >= step)

    # Candidates are the steps that take the furthest cell to an equal one; the first of them is 0.
    furthest, *line = max(along)
    steps = sorted(furthest - at for at, *rest in along if rest == line)
    return within(next(filter(repeats, steps[1:]), length))


@primitive
def hperiod(obj: Object) -> int:
    """The least number of columns by which the object can move left so that it coincides with itself.

    Cells that leave the bounding box do not count, so the width is always a period. For an empty object it is 0.

    hperiod({(1, (0, 0)), (2, (0, 1)), (1, (0, 2)), (2, (0, 3)), (1, (0, 4))}) -> 2
    hperiod({(1, (0, 0)), (2, (0, 1)), (3, (1, 0))}) -> 2
    hperiod(set()) -> 0
    """
    return _period(obj, axis=1)


@primitive
def vperiod(obj: Object) -> int:
    """The least number of rows by which the object can move up so that it coincides with itself.

    Cells that leave the bounding box do not count, so the height is always a period. For an empty object it is 0.

    vperiod({(1, (0, 0)), (1, (1, 0)), (1, (2, 0))}) -> 1
    vperiod({(1, (0, 0)), (2, (1, 0)), (3, (0, 1))}) -> 2
    vperiod(set()) -> 0
    """
    return _period(obj, axis=0)


@primitive
def index(grid: Grid, loc: Pair) -> Colour:
    """The colour at a position; None off the grid. Negative numbers do not count from the end.

    index(((1, 2), (3, 4)), (1, 0)) -> 3
    index(((1, 2), (3, 4)), (-1, 0)) -> None
    index((), (0, 0)) -> fails
    """
    if not grid:
        fail(Reason.EMPTY)
    i, j = loc
    return grid[i][j] if has_position(grid, loc) else None  # type: ignore[return-value]


@primitive
def asindices(grid: Grid) -> Indices:
    """All positions of the grid.

    asindices(((7, 8), (7, 7))) -> {(0, 0), (0, 1), (1, 0), (1, 1)}
    """
    return frozenset(position for _, position in cells_of(grid))


@primitive
def asobject(grid: Grid) -> Object:
    """All cells of the grid as an object.

    asobject(((7, 8), (7, 7))) -> {(7, (0, 0)), (7, (1, 0)), (7, (1, 1)), (8, (0, 1))}
    """
    return frozenset(cells_of(grid))
