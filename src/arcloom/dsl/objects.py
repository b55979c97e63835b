"""Objects: finding them in grids, filtering them, finding their occurrences."""

from arcloom.dsl.declare import primitive
from arcloom.dsl.grid import has_position
from arcloom.dsl.paint import mostcolor
from arcloom.dsl.patch import bounds, cells_of, extent, positions, row_length
from arcloom.dsl.places import SLANTED, STRAIGHT
from arcloom.dsl.types import Cell, Container, Grid, Indices, Object, Patch, T
from arcloom.dsl.values import Reason, fail, ordered


def _take_connected(colors: dict[int, int], steps: list[int], univalued: bool) -> dict[int, int]:
    """Remove one of these numbered positions and all that are connected to it, and return them. ``steps`` are the
    differences to the numbers of neighbours."""
    start, color = colors.popitem()
    taken, waiting = {start: color}, [start]
    while waiting:
        at = waiting.pop()
        for step in steps:
            near = at + step
            if near in colors and (not univalued or colors[near] == color):
                taken[near] = colors.pop(near)
                waiting.append(near)
    return taken


def _by_color(grid: Grid) -> dict[int, Object]:
    """The cells of each colour."""
    groups: dict[int, set[Cell]] = {}
    for cell in cells_of(grid):
        groups.setdefault(cell[0], set()).add(cell)
    return {color: frozenset(group) for color, group in groups.items()}


@primitive
def objects(grid: Grid, univalued: bool, diagonal: bool, without_bg: bool) -> frozenset[Object]:
    """The connected components of a grid.

    With ``univalued``, cells of an object have one colour; with ``diagonal``, cells that touch at a corner are
    connected, too; with ``without_bg``, cells of the most frequent colour are left out.

    objects(((1, 1, 0), (0, 0, 2)), True, False, True) -> {{(1, (0, 0)), (1, (0, 1))}, {(2, (1, 2))}}
    objects(((1, 0, 0), (0, 2, 0)), False, True, True) -> {{(1, (0, 0)), (2, (1, 1))}}
    objects((), True, False, False) -> fails
    """
    if not grid:
        fail(Reason.EMPTY)
    background = mostcolor.function(grid) if without_bg else None
    width = row_length(grid) + 1  # an empty column, so that border cells have no neighbours beyond it
    colors = {i * width + j: color for color, (i, j) in cells_of(grid) if color != background}
    steps = [down * width + right for down, right in (STRAIGHT + SLANTED if diagonal else STRAIGHT)]
    found: set[Object] = set()
    while colors:
        connected = _take_connected(colors, steps, univalued)
        found.add(frozenset((color, divmod(at, width)) for at, color in connected.items()))
    return frozenset(found)


@primitive
def partition(grid: Grid) -> frozenset[Object]:
    """One object per colour: all cells of the grid that have it.

    partition(((1, 2), (2, 1))) -> {{(1, (0, 0)), (1, (1, 1))}, {(2, (0, 1)), (2, (1, 0))}}
    partition(()) -> set()
    """
    return frozenset(_by_color(grid).values())


@primitive
def fgpartition(grid: Grid) -> frozenset[Object]:
    """One object per colour except the most frequent one: all cells of the grid that have it.

    fgpartition(((1, 2), (2, 2))) -> {{(1, (0, 0))}}
    fgpartition(()) -> fails
    """
    background = mostcolor.function(grid)
    return frozenset(obj for color, obj in _by_color(grid).items() if color != background)


@primitive
def frontiers(grid: Grid) -> frozenset[Object]:
    """The rows and columns of a single colour.

    frontiers(((1, 1), (2, 3))) -> {{(1, (0, 0)), (1, (0, 1))}}
    frontiers(()) -> fails
    """
    if not grid:
        fail(Reason.EMPTY)
    rows = [tuple((value, (i, j)) for j, value in enumerate(row)) for i, row in enumerate(grid)]
    lines = [*rows, *zip(*rows, strict=True)]
    return frozenset(frozenset(line) for line in lines if len({value for value, _ in line}) == 1)


@primitive
def toobject(patch: Patch, grid: Grid) -> Object:
    """The cells of a grid at the positions of a patch. Positions off the grid are ignored.

    toobject({(0, 1), (5, 5)}, ((1, 2), (3, 4))) -> {(2, (0, 1))}
    toobject(set(), ()) -> fails
    """
    if not grid:
        fail(Reason.EMPTY)
    return frozenset((grid[i][j], (i, j)) for i, j in positions(patch) if has_position(grid, (i, j)))


@primitive
def color(obj: Object) -> int:
    """The colour of an object; of several, the lowest.

    color({(3, (0, 0)), (3, (0, 1))}) -> 3
    color({(3, (0, 0)), (2, (0, 1))}) -> 2
    color(set()) -> fails
    """
    return ordered(obj)[0][0] if obj else fail(Reason.EMPTY)


@primitive
def colorfilter(objs: Container[Object], value: int) -> frozenset[Object]:
    """The objects of a colour.

    colorfilter({{(3, (0, 0))}, {(2, (0, 1))}}, 3) -> {{(3, (0, 0))}}
    colorfilter({set()}, 3) -> fails
    """
    return frozenset(obj for obj in objs if color.function(obj) == value)


@primitive
def sizefilter(container: Container[frozenset[T]], n: int) -> frozenset[frozenset[T]]:
    """The sets with this number of elements.

    sizefilter({{(3, (0, 0))}, {(2, (0, 1)), (2, (1, 1))}}, 2) -> {{(2, (0, 1)), (2, (1, 1))}}
    sizefilter(({(0, 0)}, set()), 0) -> {set()}
    """
    return frozenset(each for each in container if len(each) == n)


@primitive
def occurrences(grid: Grid, obj: Object) -> Indices:
    """The positions to which the object's upper left corner can be moved so that all its cells equal the grid's.

    For an empty object, these are all positions and those just behind the last row and column.

    occurrences(((1, 2, 1), (0, 1, 2)), {(1, (5, 5)), (2, (5, 6))}) -> {(0, 0), (1, 1)}
    occurrences(((7,),), set()) -> {(0, 0), (0, 1), (1, 0), (1, 1)}
    occurrences((), {(1, (0, 0))}) -> fails
    """
    rows, columns = extent(obj)
    last_row, last_column = len(grid) - rows, row_length(grid) - columns
    starts = ((i, j) for i in range(last_row + 1) for j in range(last_column + 1))
    top, left = bounds(obj)[:2] if obj else (0, 0)
    pattern = [(value, i - top, j - left) for value, (i, j) in obj]
    return frozenset((i, j) for i, j in starts if all(grid[i + di][j + dj] == v for v, di, dj in pattern))
