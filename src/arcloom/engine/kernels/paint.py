"""Kernels of colours: reading them from grids and objects, and writing them into grids.

``uint64`` around a position in a heap lets the loops vectorise (see ``grid``).
"""

from typing import Any

from numba import uint64

from arcloom.dsl import paint as dsl
from arcloom.dsl.values import COLOUR_MAX, COLOUR_MIN, INT_LIMIT
from arcloom.engine.kernel import kernel
from arcloom.engine.kernels.grid import copy_cells, count_colour, highest_colour, lowest_colour, priced
from arcloom.engine.kernels.pieces import COLOURS, run_end
from arcloom.engine.kernels.structure import as_many
from arcloom.engine.words import (
    BUDGET,
    EMPTY,
    RANGE,
    SHAPE,
    SIDE_MASK,
    area_of,
    colour_of,
    column_of,
    container,
    corner_of,
    grid,
    height_of,
    length,
    pair,
    row_function,
    row_of,
    start,
    width_of,
)


@row_function
def is_colour(number: int) -> bool:
    """Whether the number fits a cell of a grid."""
    return COLOUR_MIN <= number <= COLOUR_MAX


# The colours of grids

BLOCK = 32
"""Number of colours that one pass over the cells looks for, as bits of a word."""


@row_function
def _colours_from(cells: Any, picture: int, base: int) -> int:
    """The colours of a block that occur in a grid, as a bit set: bit k stands for ``base + k``."""
    found = 0
    for k in range(area_of(picture)):
        bit = cells[uint64(corner_of(picture) + k)] - base
        found |= 1 << bit if 0 <= bit < BLOCK else 0
    return found


@row_function
def most_colour(cells: Any, picture: int) -> int:
    """The most frequent colour of a grid that has cells; of several, the lowest."""
    rest, best, most = area_of(picture), 0, 0
    colour = lowest_colour(cells, picture)
    while rest > most:  # until no other colour can have more cells
        count = count_colour(cells, picture, colour)
        if count > most:
            best, most = colour, count
        rest -= count
        colour += 1
    return best


@row_function
def _palette_room(heap: Any, cells: Any, picture: int) -> int:
    return min(area_of(picture), COLOUR_MAX - COLOUR_MIN + 1)


@kernel(dsl.palette, "grid", words=_palette_room)
def palette_grid(heap: Any, cells: Any, at: int, picture: int) -> int:
    count = 0
    for base in range(lowest_colour(cells, picture), highest_colour(cells, picture) + 1, BLOCK):
        found = _colours_from(cells, picture, base)
        for k in range(BLOCK):  # in sorted order
            if (found >> k) & 1:
                heap[uint64(at + count)] = base + k
                count += 1
    return container(at, count)


@kernel(dsl.numcolors, "grid")
def numcolors_grid(heap: Any, cells: Any, picture: int) -> int:
    count = 0
    for base in range(lowest_colour(cells, picture), highest_colour(cells, picture) + 1, BLOCK):
        found = _colours_from(cells, picture, base)
        while found != 0:
            found &= found - 1  # clear the lowest bit
            count += 1
    return count


@kernel(dsl.colorcount, "grid", "int")
def colorcount_grid(heap: Any, cells: Any, picture: int, colour: int) -> int:
    return count_colour(cells, picture, colour)


@kernel(dsl.mostcolor, "grid")
def mostcolor_grid(heap: Any, cells: Any, picture: int) -> int:
    return EMPTY if area_of(picture) == 0 else most_colour(cells, picture)


@kernel(dsl.leastcolor, "grid")
def leastcolor_grid(heap: Any, cells: Any, picture: int) -> int:
    rest = area_of(picture)
    if rest == 0:
        return EMPTY
    colour = lowest_colour(cells, picture)
    best, fewest = colour, rest + 1
    while rest > 0 and fewest > 1:  # until no other colour can have fewer cells
        count = count_colour(cells, picture, colour)
        if 0 < count < fewest:
            best, fewest = colour, count
        rest -= count
        colour += 1
    return best


# The colours of objects. Their cells are sorted by colour first, so each colour is a run of cells.


@kernel(dsl.palette, "set", words=as_many)
def palette_set(heap: Any, cells: Any, at: int, obj: int) -> int:
    first, end, count = start(obj), start(obj) + length(obj), 0
    while first < end:
        heap[uint64(at + count)] = colour_of(heap[uint64(first)])
        count += 1
        first = run_end(heap, first, end, COLOURS)
    return container(at, count)


@kernel(dsl.numcolors, "set")
def numcolors_set(heap: Any, cells: Any, obj: int) -> int:
    first, end, count = start(obj), start(obj) + length(obj), 0
    while first < end:
        first = run_end(heap, first, end, COLOURS)
        count += 1
    return count


@kernel(dsl.colorcount, "set", "int")
def colorcount_set(heap: Any, cells: Any, obj: int, colour: int) -> int:
    count = 0
    for k in range(length(obj)):
        count += 1 if colour_of(heap[uint64(start(obj) + k)]) == colour else 0
    return count


@kernel(dsl.mostcolor, "set")
def mostcolor_set(heap: Any, cells: Any, obj: int) -> int:
    first, end, best, most = start(obj), start(obj) + length(obj), EMPTY, 0
    while end - first > most:  # until no other colour can have more cells
        stop = run_end(heap, first, end, COLOURS)
        if stop - first > most:
            best, most = colour_of(heap[uint64(first)]), stop - first
        first = stop
    return best


@kernel(dsl.leastcolor, "set")
def leastcolor_set(heap: Any, cells: Any, obj: int) -> int:
    first, end, best, fewest = start(obj), start(obj) + length(obj), EMPTY, length(obj) + 1
    while first < end and fewest > 1:  # until no other colour can have fewer cells
        stop = run_end(heap, first, end, COLOURS)
        if stop - first < fewest:
            best, fewest = colour_of(heap[uint64(first)]), stop - first
        first = stop
    return best


@row_function
def _ofcolor_room(heap: Any, cells: Any, picture: int, colour: int) -> int:
    return area_of(picture)


@kernel(dsl.ofcolor, "grid", "int", words=_ofcolor_room)
def ofcolor(heap: Any, cells: Any, at: int, picture: int, colour: int) -> int:
    width, row, to = width_of(picture), corner_of(picture), at
    for i in range(height_of(picture)):  # sorted
        for j in range(width):
            heap[uint64(to)] = pair(i, j)  # write always, advance only for a match: faster than a branch
            to += 1 if cells[uint64(row + j)] == colour else 0
        row += width
    return container(at, to - at)


# Writing into grids


@row_function
def _canvas_room(heap: Any, cells: Any, colour: int, dims: int) -> int:
    area = max(row_of(dims), 0) * max(column_of(dims), 0)
    return area if is_colour(colour) else priced(area)


@kernel(dsl.canvas, "int", "pair", cells=_canvas_room)
def canvas(heap: Any, cells: Any, at: int, colour: int, dims: int) -> int:
    height, width = max(row_of(dims), 0), max(column_of(dims), 0)
    if not is_colour(colour):
        return RANGE
    if height > 0 and max(height, width) > SIDE_MASK:
        return BUDGET
    for k in range(height * width):
        cells[uint64(at + k)] = colour
    return grid(at, height, width)


@row_function
def _copied(cells: Any, at: int, picture: int) -> int:
    """Copy a grid and return the copy's word."""
    copy_cells(cells, at, corner_of(picture), area_of(picture))
    return grid(at, height_of(picture), width_of(picture))


@row_function
def position_in(picture: int, i: int, j: int) -> int:
    """The index in the heap of cells of a position of a grid, or -1 outside the grid."""
    if 0 <= i < height_of(picture) and 0 <= j < width_of(picture):
        return corner_of(picture) + i * width_of(picture) + j
    return -1


@row_function
def _write_colour(heap: Any, cells: Any, picture: int, colour: int, patch: int) -> int:
    """Write one colour into a grid at the positions of a patch and return the grid."""
    for k in range(length(patch)):
        word = heap[uint64(start(patch) + k)]
        to = position_in(picture, row_of(word), column_of(word))
        if to >= 0:
            cells[uint64(to)] = colour
    return picture


@row_function
def _write_cells(heap: Any, cells: Any, picture: int, obj: int, down: int, along: int) -> int:
    """Write the cells of an object into a grid, moved ``down`` and ``along``, and return the grid."""
    for k in range(length(obj)):
        word = heap[uint64(start(obj) + k)]
        to = position_in(picture, row_of(word) + down, column_of(word) + along)
        if to >= 0:
            if not is_colour(colour_of(word)):
                return RANGE
            cells[uint64(to)] = colour_of(word)
    return picture


@row_function
def _fill_room(heap: Any, cells: Any, picture: int, colour: int, patch: int) -> int:
    return area_of(picture)


@kernel(dsl.fill, "grid", "int", "set", cells=_fill_room)
def fill(heap: Any, cells: Any, at: int, picture: int, colour: int, patch: int) -> int:
    if not is_colour(colour):
        return RANGE
    if height_of(picture) == 0:
        return EMPTY
    return _write_colour(heap, cells, _copied(cells, at, picture), colour, patch)


@row_function
def _paint_room(heap: Any, cells: Any, picture: int, patch: int) -> int:
    return area_of(picture)


@kernel(dsl.paint, "grid", "set", cells=_paint_room)
def paint(heap: Any, cells: Any, at: int, picture: int, obj: int) -> int:
    if height_of(picture) == 0:
        return EMPTY
    return _write_cells(heap, cells, _copied(cells, at, picture), obj, 0, 0)


@kernel(dsl.underfill, "grid", "int", "set", cells=_fill_room)
def underfill(heap: Any, cells: Any, at: int, picture: int, colour: int, patch: int) -> int:
    if not is_colour(colour):
        return RANGE
    if area_of(picture) == 0:
        return EMPTY
    ground, copy = most_colour(cells, picture), _copied(cells, at, picture)
    for k in range(length(patch)):
        word = heap[uint64(start(patch) + k)]
        to = position_in(copy, row_of(word), column_of(word))
        if to >= 0 and cells[uint64(to)] == ground:
            cells[uint64(to)] = colour
    return copy


@kernel(dsl.underpaint, "grid", "set", cells=_paint_room)
def underpaint(heap: Any, cells: Any, at: int, picture: int, obj: int) -> int:
    if area_of(picture) == 0:
        return EMPTY
    ground, copy = most_colour(cells, picture), _copied(cells, at, picture)
    for k in range(length(obj)):
        word = heap[uint64(start(obj) + k)]
        to = position_in(copy, row_of(word), column_of(word))
        if to >= 0 and cells[uint64(to)] == ground:
            if not is_colour(colour_of(word)):
                return RANGE
            cells[uint64(to)] = colour_of(word)
    return copy


@kernel(dsl.cover, "grid", "set", cells=_paint_room)
def cover(heap: Any, cells: Any, at: int, picture: int, patch: int) -> int:
    if area_of(picture) == 0:
        return EMPTY
    return _write_colour(heap, cells, _copied(cells, at, picture), most_colour(cells, picture), patch)


@row_function
def _moves_within(heap: Any, obj: int, down: int, along: int) -> bool:
    """Whether all positions of the moved object are within the limits of ints."""
    furthest = 0
    for k in range(length(obj)):
        word = heap[uint64(start(obj) + k)]
        furthest = max(furthest, abs(row_of(word) + down), abs(column_of(word) + along))
    return furthest <= INT_LIMIT


@row_function
def _move_room(heap: Any, cells: Any, picture: int, obj: int, offset: int) -> int:
    return area_of(picture)


@kernel(dsl.move, "grid", "set", "pair", cells=_move_room)
def move(heap: Any, cells: Any, at: int, picture: int, obj: int, offset: int) -> int:
    down, along = row_of(offset), column_of(offset)
    if not _moves_within(heap, obj, down, along):
        return RANGE
    if area_of(picture) == 0:
        return EMPTY
    copy = _copied(cells, at, picture)
    _write_colour(heap, cells, copy, most_colour(cells, picture), obj)
    return _write_cells(heap, cells, copy, obj, down, along)


@row_function
def _recolour_room(heap: Any, cells: Any, picture: int, old: int, new: int) -> int:
    return area_of(picture)


@kernel(dsl.replace, "grid", "int", "int", cells=_recolour_room)
def replace(heap: Any, cells: Any, at: int, picture: int, old: int, new: int) -> int:
    if not is_colour(new):
        return RANGE
    source = corner_of(picture)
    for k in range(area_of(picture)):
        colour = cells[uint64(source + k)]
        cells[uint64(at + k)] = new if colour == old else colour
    return grid(at, height_of(picture), width_of(picture))


@kernel(dsl.switch, "grid", "int", "int", cells=_recolour_room)
def switch(heap: Any, cells: Any, at: int, picture: int, a: int, b: int) -> int:
    if not (is_colour(a) and is_colour(b)):
        return RANGE
    source = corner_of(picture)
    for k in range(area_of(picture)):
        colour = cells[uint64(source + k)]
        other = a if colour == b else colour
        cells[uint64(at + k)] = b if colour == a else other
    return grid(at, height_of(picture), width_of(picture))


@row_function
def _cellwise_room(heap: Any, cells: Any, a: int, b: int, fallback: int) -> int:
    return area_of(a)


@kernel(dsl.cellwise, "grid", "grid", "int", cells=_cellwise_room)
def cellwise(heap: Any, cells: Any, at: int, a: int, b: int, fallback: int) -> int:
    height, width = height_of(a), width_of(a)
    if height == 0:
        return EMPTY
    if width > 0 and (height > height_of(b) or width > width_of(b)):
        return SHAPE
    if not is_colour(fallback):
        return RANGE
    for i in range(height):
        to, one, other = at + i * width, corner_of(a) + i * width, corner_of(b) + i * width_of(b)
        for j in range(width):
            colour = cells[uint64(one + j)]
            cells[uint64(to + j)] = colour if colour == cells[uint64(other + j)] else fallback
    return grid(at, height, width)
