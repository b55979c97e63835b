"""The relative position of two patches, or of a patch and a grid."""

from arcloom.dsl.declare import primitive
from arcloom.dsl.patch import bounds, center, positions, row_length
from arcloom.dsl.places import REACH, STRAIGHT
from arcloom.dsl.types import Grid, Indices, Pair, Patch
from arcloom.dsl.values import Reason, fail, within


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _offset(first: Patch, second: Patch) -> Pair:
    """The offset (down, right) from the first patch's centre to the second's."""
    (i, j), (k, m) = center.function(first), center.function(second)
    return k - i, m - j


def _shares(axis: int, first: Patch, second: Patch) -> bool:
    """Whether two patches have a row (axis 0) or a column (axis 1) in common."""
    return not {at[axis] for at in positions(first)}.isdisjoint(at[axis] for at in positions(second))


def _touch(first: Indices, second: Indices) -> bool:
    """Whether two patches are disjoint, and a cell of one is next to a cell of the other."""
    beside = {(i + down, j + right) for i, j in first for down, right in STRAIGHT}
    return first.isdisjoint(second) and not beside.isdisjoint(second)


@primitive
def hmatching(a: Patch, b: Patch) -> bool:
    """Whether some row has cells of both patches.

    hmatching({(0, 1), (2, 2)}, {(2, 7)}) -> True
    hmatching({(0, 1)}, set()) -> False
    """
    return _shares(0, a, b)


@primitive
def vmatching(a: Patch, b: Patch) -> bool:
    """Whether some column has cells of both patches.

    vmatching({(0, 1), (2, 2)}, {(7, 2)}) -> True
    vmatching({(0, 1)}, set()) -> False
    """
    return _shares(1, a, b)


@primitive
def manhattan(a: Patch, b: Patch) -> int:
    """The least number of steps up, down, left or right from a cell of one patch to a cell of the other.

    manhattan({(0, 0), (1, 1)}, {(3, 3)}) -> 4
    manhattan(set(), {(3, 3)}) -> fails
    """
    if not (a and b):
        fail(Reason.EMPTY)
    ends = positions(b)
    return within(min(abs(i - k) + abs(j - m) for i, j in positions(a) for k, m in ends))


@primitive
def adjacent(a: Patch, b: Patch) -> bool:
    """Whether two patches touch side to side without overlapping: their Manhattan distance is 1.

    adjacent({(0, 0)}, {(0, 1)}) -> True
    adjacent({(0, 0)}, {(1, 1)}) -> False
    adjacent({(0, 0)}, set()) -> fails
    """
    if not (a and b):
        fail(Reason.EMPTY)
    return _touch(positions(a), positions(b))


@primitive
def bordering(patch: Patch, grid: Grid) -> bool:
    """Whether the patch begins in the grid's first row or column or ends in its last row or column.

    bordering({(0, 1)}, ((1, 1, 1), (1, 1, 1), (1, 1, 1))) -> True
    bordering({(1, 1)}, ((1, 1, 1), (1, 1, 1), (1, 1, 1))) -> False
    bordering(set(), ((1, 1), (1, 1))) -> fails
    """
    edge = bounds(patch)
    begins = edge.top == 0 or edge.left == 0
    return begins or edge.bottom == len(grid) - 1 or edge.right == row_length(grid) - 1


@primitive
def position(a: Patch, b: Patch) -> Pair:
    """The direction from the centre of the first patch to the centre of the second.

    Each number is -1, 0 or 1. If the centres are equal, the direction is (0, -1).

    position({(1, 1)}, {(5, 9)}) -> (1, 1)
    position({(1, 1)}, {(1, 0)}) -> (0, -1)
    position({(1, 1)}, set()) -> fails
    """
    down, right = _offset(a, b)
    return (_sign(down), _sign(right)) if down or right else (0, -1)


@primitive
def gravitate(source: Patch, destination: Patch) -> Pair:
    """The offset by which a patch moves until it is adjacent to another; 42 steps if it never is.

    It moves vertically if the patches share a column, otherwise horizontally; down or right if the other's centre is
    further down or right, otherwise up or left.

    gravitate({(0, 0)}, {(4, 0)}) -> (3, 0)
    gravitate({(0, 5)}, {(0, 1)}) -> (0, -3)
    gravitate({(0, 0)}, {(5, 5)}) -> (0, 42)
    gravitate({(0, 0)}, set()) -> fails
    """
    down, right = _offset(source, destination)
    di, dj = (1 if down > 0 else -1, 0) if _shares(1, source, destination) else (0, 1 if right > 0 else -1)
    target, moving = positions(destination), positions(source)
    steps = 0
    while steps < REACH and not _touch(moving, target):
        moving = frozenset((i + di, j + dj) for i, j in moving)
        steps += 1
    return steps * di, steps * dj
