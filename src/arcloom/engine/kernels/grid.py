"""Kernels of whole grids (for patches see ``pieces``).

Positions in the heaps are never negative. ``uint64`` tells Numba so: otherwise it adds code for negative indices, and
inner loops do not vectorise.
"""

from typing import Any

from numba import uint64

from arcloom.dsl import grid as dsl
from arcloom.dsl.values import COLOUR_MAX, COLOUR_MIN
from arcloom.engine.kernel import kernel
from arcloom.engine.kernels.patch import column_span, extent, first_of, row_span
from arcloom.engine.words import (
    BUDGET,
    EMPTY,
    NONE,
    SIDE_MASK,
    ZERO,
    area_of,
    cell,
    column_of,
    container,
    corner_of,
    grid,
    height_of,
    length,
    pair,
    row_function,
    row_of,
    width_of,
)

# Bounds of result sizes


@row_function
def as_large(heap: Any, cells: Any, picture: int) -> int:
    """As many cells as the grid has."""
    return area_of(picture)


@row_function
def no_cells(heap: Any, cells: Any, picture: int) -> int:
    """No cells: the result is a view of the argument's cells."""
    return 0


@row_function
def priced(elements: int) -> int:
    """The room to request in a row that fails anyway: it is refused exactly if the elements exceed the budget.

    The reference checks the budget before it fails for another reason, and only the launcher knows the budget.
    """
    return 4 * elements + 4096


# Helpers


@row_function
def copy_cells(cells: Any, to: int, source: int, count: int) -> None:
    """Copy ``count`` cells."""
    for k in range(count):
        cells[uint64(to + k)] = cells[uint64(source + k)]


@row_function
def picked(cells: Any, at: int, height: int, width: int, origin: int, down: int, along: int) -> int:
    """Copy a strided view to a new grid: cells are read from ``origin`` with strides ``down`` and ``along``."""
    for i in range(height):
        to, source = at + i * width, origin + i * down
        for j in range(width):
            cells[uint64(to + j)] = cells[uint64(source + j * along)]
    return grid(at, height, width)


# Rotations and reflections


@kernel(dsl.rot90, "grid", cells=as_large)
def rot90(heap: Any, cells: Any, at: int, picture: int) -> int:
    height, width = height_of(picture), width_of(picture)
    return picked(cells, at, width, height, corner_of(picture) + (height - 1) * width, 1, -width)


@kernel(dsl.rot180, "grid", cells=as_large)
def rot180(heap: Any, cells: Any, at: int, picture: int) -> int:
    height, width = height_of(picture), width_of(picture)
    return picked(cells, at, height, width, corner_of(picture) + height * width - 1, -width, -1)


@kernel(dsl.rot270, "grid", cells=as_large)
def rot270(heap: Any, cells: Any, at: int, picture: int) -> int:
    height, width = height_of(picture), width_of(picture)
    return picked(cells, at, width, height, corner_of(picture) + width - 1, -1, width)


@kernel(dsl.hmirror, "grid", cells=as_large)
def hmirror_grid(heap: Any, cells: Any, at: int, picture: int) -> int:
    height, width = height_of(picture), width_of(picture)
    return picked(cells, at, height, width, corner_of(picture) + (height - 1) * width, -width, 1)


@kernel(dsl.vmirror, "grid", cells=as_large)
def vmirror_grid(heap: Any, cells: Any, at: int, picture: int) -> int:
    height, width = height_of(picture), width_of(picture)
    return picked(cells, at, height, width, corner_of(picture) + width - 1, width, -1)


@kernel(dsl.dmirror, "grid", cells=as_large)
def dmirror_grid(heap: Any, cells: Any, at: int, picture: int) -> int:
    height, width = height_of(picture), width_of(picture)
    return picked(cells, at, width, height, corner_of(picture), 1, width)


@kernel(dsl.cmirror, "grid", cells=as_large)
def cmirror_grid(heap: Any, cells: Any, at: int, picture: int) -> int:
    height, width = height_of(picture), width_of(picture)
    return picked(cells, at, width, height, corner_of(picture) + height * width - 1, -1, -width)


# Scaling


@row_function
def _scaled(cells: Any, at: int, picture: int, down: int, along: int) -> int:
    """The grid with each row repeated ``down`` times and each column ``along`` times; empty if one is below 1."""
    rows, columns, source = height_of(picture), width_of(picture), corner_of(picture)
    height, width = rows * max(down, 0), columns * max(along, 0)
    if height == 0:
        return grid(at, 0, 0)
    if height > SIDE_MASK or width > SIDE_MASK:
        return BUDGET
    for i in range(rows):
        to = at + i * down * width
        for k in range(along):
            for j in range(columns):
                cells[uint64(to + j * along + k)] = cells[uint64(source + i * columns + j)]
        for k in range(1, down):
            copy_cells(cells, to + k * width, to, width)
    return grid(at, height, width)


@row_function
def _scaled_room(heap: Any, cells: Any, picture: int, factor: int) -> int:
    return area_of(picture) * max(factor, 0)


@row_function
def _squared_room(heap: Any, cells: Any, picture: int, factor: int) -> int:
    return area_of(picture) * max(factor, 0) ** 2


@kernel(dsl.hupscale, "grid", "int", cells=_scaled_room)
def hupscale(heap: Any, cells: Any, at: int, picture: int, factor: int) -> int:
    return _scaled(cells, at, picture, 1, factor)


@kernel(dsl.vupscale, "grid", "int", cells=_scaled_room)
def vupscale(heap: Any, cells: Any, at: int, picture: int, factor: int) -> int:
    return _scaled(cells, at, picture, factor, 1)


@kernel(dsl.upscale, "grid", "int", cells=_squared_room)
def upscale_grid(heap: Any, cells: Any, at: int, picture: int, factor: int) -> int:
    return _scaled(cells, at, picture, factor, factor)


@row_function
def _downscaled_room(heap: Any, cells: Any, picture: int, factor: int) -> int:
    return area_of(picture)


@kernel(dsl.downscale, "grid", "int", cells=_downscaled_room)
def downscale(heap: Any, cells: Any, at: int, picture: int, factor: int) -> int:
    height, width, step = height_of(picture), width_of(picture), abs(factor)
    if height == 0:
        return EMPTY
    if step == 0:
        return ZERO
    rows, columns = (height + step - 1) // step, (width + step - 1) // step
    return picked(cells, at, rows, columns, corner_of(picture), step * width, step)


# Joining


@row_function
def _beside_room(heap: Any, cells: Any, left: int, right: int) -> int:
    return min(height_of(left), height_of(right)) * (width_of(left) + width_of(right))


@kernel(dsl.hconcat, "grid", "grid", cells=_beside_room)
def hconcat(heap: Any, cells: Any, at: int, left: int, right: int) -> int:
    height = min(height_of(left), height_of(right))
    width = width_of(left) + width_of(right)
    if height > 0 and width > SIDE_MASK:
        return BUDGET
    for i in range(height):
        to = at + i * width
        copy_cells(cells, to, corner_of(left) + i * width_of(left), width_of(left))
        copy_cells(cells, to + width_of(left), corner_of(right) + i * width_of(right), width_of(right))
    return grid(at, height, width)


@row_function
def _rows(heap: Any, cells: Any, at: int, inner: int, picture: int) -> int:
    """Write the handles of a grid's rows to ``at`` and their elements to ``inner``; return the end of the elements."""
    width, source = width_of(picture), corner_of(picture)
    for i in range(height_of(picture)):
        heap[uint64(at + i)] = container(inner + i * width, width)
    for k in range(area_of(picture)):
        heap[uint64(inner + k)] = cells[uint64(source + k)]
    return inner + area_of(picture)


@row_function
def _above_room(heap: Any, cells: Any, top: int, bottom: int) -> int:
    return height_of(top) * (1 + width_of(top)) + height_of(bottom) * (1 + width_of(bottom))


@kernel(dsl.vconcat, "grid", "grid", words=_above_room, deep=True)
def vconcat(heap: Any, cells: Any, at: int, top: int, bottom: int) -> int:
    height = height_of(top) + height_of(bottom)
    inner = _rows(heap, cells, at, at + height, top)
    _rows(heap, cells, at + height_of(top), inner, bottom)
    return container(at, height)


# Cutting


@row_function
def _parts_room(heap: Any, cells: Any, picture: int, count: int) -> int:
    return max(count, 0)


@row_function
def _parts_cells(heap: Any, cells: Any, picture: int, count: int) -> int:
    return area_of(picture) if count > 0 else 0


@kernel(dsl.hsplit, "grid", "int", words=_parts_room, cells=_parts_cells)
def hsplit(heap: Any, cells: Any, at: int, cells_at: int, picture: int, count: int) -> int:
    height, width = height_of(picture), width_of(picture)
    if height == 0:
        return EMPTY
    if count == 0:
        return ZERO
    size = width // count
    step = size + (1 if size * count < width else 0)
    for k in range(count):
        first = min(step * k, width)
        columns = min(size, width - first)
        heap[uint64(at + k)] = picked(cells, cells_at, height, columns, corner_of(picture) + first, width, 1)
        cells_at += height * columns
    return container(at, max(count, 0))


@kernel(dsl.vsplit, "grid", "int", words=_parts_room)
def vsplit(heap: Any, cells: Any, at: int, picture: int, count: int) -> int:
    height, width = height_of(picture), width_of(picture)
    if height == 0:
        return EMPTY
    if count == 0:
        return ZERO
    size = height // count
    step = size + (1 if size * count < height else 0)
    for k in range(count):  # the parts are views: their rows are contiguous
        first = min(step * k, height)
        heap[uint64(at + k)] = grid(corner_of(picture) + first * width, min(size, height - first), width)
    return container(at, max(count, 0))


@row_function
def _bound(number: int, count: int) -> int:
    """A slice bound, clipped to a sequence of this length; a negative one counts from the end."""
    if number < 0:
        return max(number + count, 0)
    return min(number, count)


@row_function
def _cut(cells: Any, at: int, picture: int, i: int, j: int, rows: int, columns: int) -> int:
    """The slices ``[i : i + rows]`` of the rows and ``[j : j + columns]`` of the columns."""
    height, width = height_of(picture), width_of(picture)
    top, left = _bound(i, height), _bound(j, width)
    rows = max(_bound(i + rows, height) - top, 0)
    columns = max(_bound(j + columns, width) - left, 0)
    origin = corner_of(picture) + top * width + left
    if columns == width:
        return grid(origin, rows, width)
    return picked(cells, at, rows, columns, origin, width, 1)


@row_function
def _crop_room(heap: Any, cells: Any, picture: int, corner: int, dims: int) -> int:
    return area_of(picture)


@kernel(dsl.crop, "grid", "pair", "pair", cells=_crop_room)
def crop(heap: Any, cells: Any, at: int, picture: int, corner: int, dims: int) -> int:
    return _cut(cells, at, picture, row_of(corner), column_of(corner), row_of(dims), column_of(dims))


@row_function
def _subgrid_room(heap: Any, cells: Any, patch: int, picture: int) -> int:
    return area_of(picture)


@kernel(dsl.subgrid, "set", "grid", cells=_subgrid_room)
def subgrid(heap: Any, cells: Any, at: int, patch: int, picture: int) -> int:
    if length(patch) == 0:
        return EMPTY
    rows, columns = row_span(heap, patch), column_span(heap, patch)
    return _cut(cells, at, picture, first_of(rows), first_of(columns), extent(rows), extent(columns))


@kernel(dsl.trim, "grid", cells=as_large)
def trim(heap: Any, cells: Any, at: int, picture: int) -> int:
    height, width = height_of(picture), width_of(picture)
    return picked(cells, at, max(height - 2, 0), max(width - 2, 0), corner_of(picture) + width + 1, width, 1)


@kernel(dsl.tophalf, "grid", cells=no_cells)
def tophalf(heap: Any, cells: Any, at: int, picture: int) -> int:
    return grid(corner_of(picture), height_of(picture) // 2, width_of(picture))


@kernel(dsl.bottomhalf, "grid", cells=no_cells)
def bottomhalf(heap: Any, cells: Any, at: int, picture: int) -> int:
    height, width = height_of(picture), width_of(picture)
    return grid(corner_of(picture) + (height + 1) // 2 * width, height // 2, width)


@row_function
def _columns(cells: Any, at: int, picture: int, first: int, columns: int) -> int:
    """The given number of columns from ``first`` on; without columns the result has no rows either."""
    height, width = height_of(picture), width_of(picture)
    return picked(cells, at, height if columns > 0 else 0, columns, corner_of(picture) + first, width, 1)


@kernel(dsl.lefthalf, "grid", cells=as_large)
def lefthalf(heap: Any, cells: Any, at: int, picture: int) -> int:
    return _columns(cells, at, picture, 0, width_of(picture) // 2)


@kernel(dsl.righthalf, "grid", cells=as_large)
def righthalf(heap: Any, cells: Any, at: int, picture: int) -> int:
    return _columns(cells, at, picture, (width_of(picture) + 1) // 2, width_of(picture) // 2)


@row_function
def _compressed_room(heap: Any, cells: Any, picture: int) -> int:
    """Cells of the result, and a flag per column."""
    return area_of(picture) + width_of(picture)


@row_function
def _mark_varied(cells: Any, marks: int, picture: int) -> None:
    """Write a flag per column: not zero if the column has several colours."""
    height, width, source = height_of(picture), width_of(picture), corner_of(picture)
    for j in range(width):
        cells[uint64(marks + j)] = 0
    for i in range(1, height):
        row = source + i * width
        for j in range(width):
            cells[uint64(marks + j)] |= cells[uint64(row + j)] ^ cells[uint64(source + j)]


@row_function
def is_uniform(cells: Any, at: int, count: int) -> bool:
    """Whether there is at least one cell and all have the same colour."""
    different = 0
    for k in range(1, count):
        different |= cells[uint64(at + k)] ^ cells[uint64(at)]
    return count > 0 and different == 0


@kernel(dsl.compress, "grid", cells=_compressed_room)
def compress(heap: Any, cells: Any, at: int, picture: int) -> int:
    height, width, source = height_of(picture), width_of(picture), corner_of(picture)
    marks = at + height * width
    _mark_varied(cells, marks, picture)
    columns = 0
    for j in range(width):
        columns += 1 if cells[uint64(marks + j)] != 0 else 0
    rows, to = 0, at
    for i in range(height):
        row = source + i * width
        if is_uniform(cells, row, width):
            continue
        rows += 1
        for j in range(width):
            if cells[uint64(marks + j)] != 0:
                cells[uint64(to)] = cells[uint64(row + j)]
                to += 1
    return grid(at, rows, columns)


# Reading cells


@kernel(dsl.index, "grid", "pair")
def index(heap: Any, cells: Any, picture: int, position: int) -> int:
    if height_of(picture) == 0:
        return EMPTY
    i, j = row_of(position), column_of(position)
    if 0 <= i < height_of(picture) and 0 <= j < width_of(picture):
        return int(cells[uint64(corner_of(picture) + i * width_of(picture) + j)])
    return NONE


@kernel(dsl.asindices, "grid", words=as_large)
def asindices(heap: Any, cells: Any, at: int, picture: int) -> int:
    width = width_of(picture)
    for i in range(height_of(picture)):  # in sorted order
        for j in range(width):
            heap[uint64(at + i * width + j)] = pair(i, j)
    return container(at, area_of(picture))


@row_function
def lowest_colour(cells: Any, picture: int) -> int:
    """The lowest colour of a grid that has cells."""
    lowest = COLOUR_MAX
    for k in range(area_of(picture)):
        lowest = min(lowest, cells[uint64(corner_of(picture) + k)])
    return lowest


@row_function
def highest_colour(cells: Any, picture: int) -> int:
    """The highest colour of a grid that has cells."""
    highest = COLOUR_MIN
    for k in range(area_of(picture)):
        highest = max(highest, cells[uint64(corner_of(picture) + k)])
    return highest


@row_function
def count_colour(cells: Any, picture: int, colour: int) -> int:
    """The number of cells of a grid that have the colour."""
    count = 0
    for k in range(area_of(picture)):
        count += 1 if cells[uint64(corner_of(picture) + k)] == colour else 0
    return count


@row_function
def _object_room(heap: Any, cells: Any, picture: int) -> int:
    """Words for the cells, and a write position per colour."""
    return area_of(picture) + COLOUR_MAX - COLOUR_MIN + 1


@kernel(dsl.asobject, "grid", words=_object_room)
def asobject(heap: Any, cells: Any, at: int, picture: int) -> int:
    count, width, source = area_of(picture), width_of(picture), corner_of(picture)
    low, high = lowest_colour(cells, picture), highest_colour(cells, picture)
    sections, to = at + count - low, at
    for colour in range(low, high + 1):
        heap[uint64(sections + colour)] = to
        to += count_colour(cells, picture, colour)
    colour, to = low, at
    for i in range(height_of(picture)):  # counting sort: each colour has its section, filled row by row
        for j in range(width):
            here = cells[uint64(source + i * width + j)]
            if here != colour:
                heap[uint64(sections + colour)] = to
                colour, to = here, heap[uint64(sections + here)]
            heap[uint64(to)] = cell(here, i, j)
            to += 1
    return container(at, count)
