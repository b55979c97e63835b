"""Neighbours of a position, and lines from it."""

from arcloom.dsl.declare import primitive
from arcloom.dsl.meter import affordable
from arcloom.dsl.patch import step
from arcloom.dsl.types import Indices, Pair
from arcloom.dsl.values import SIDE_MAX

REACH = 42
"""Length of a ray, in steps. A ray of this length from any cell leaves every grid of a task."""

STRAIGHT: tuple[Pair, ...] = ((-1, 0), (0, -1), (0, 1), (1, 0))
SLANTED: tuple[Pair, ...] = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def around(start: Pair, directions: tuple[Pair, ...]) -> Indices:
    """The positions one step away in these directions."""
    return frozenset(step(start, direction) for direction in directions)


def line(start: Pair, end: Pair) -> Indices:
    """The positions of the line between two positions; none if it is neither straight nor diagonal."""
    down, right = end[0] - start[0], end[1] - start[1]
    length = max(abs(down), abs(right))
    if {abs(down), abs(right)} - {0, length}:
        return frozenset()
    affordable(length + 1)
    direction = (down // (length or 1), right // (length or 1))
    return frozenset(step(start, direction, times) for times in range(length + 1))


@primitive
def dneighbors(loc: Pair) -> Indices:
    """The four positions above, below, left and right.

    dneighbors((1, 1)) -> {(0, 1), (1, 0), (1, 2), (2, 1)}
    """
    return around(loc, STRAIGHT)


@primitive
def ineighbors(loc: Pair) -> Indices:
    """The four positions that touch diagonally.

    ineighbors((1, 1)) -> {(0, 0), (0, 2), (2, 0), (2, 2)}
    """
    return around(loc, SLANTED)


@primitive
def neighbors(loc: Pair) -> Indices:
    """The eight positions around a position.

    neighbors((1, 1)) -> {(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)}
    """
    return around(loc, STRAIGHT + SLANTED)


@primitive
def connect(a: Pair, b: Pair) -> Indices:
    """The line between two positions, including both; empty if it is neither straight nor diagonal.

    connect((1, 1), (1, 3)) -> {(1, 1), (1, 2), (1, 3)}
    connect((2, 0), (0, 2)) -> {(0, 2), (1, 1), (2, 0)}
    connect((0, 0), (1, 2)) -> set()
    """
    return line(a, b)


@primitive
def shoot(start: Pair, direction: Pair) -> Indices:
    """The line from a position of 42 steps in a direction; empty if it is neither straight nor diagonal.

    shoot((1, 1), (0, 0)) -> {(1, 1)}
    shoot((1, 1), (1, 2)) -> set()
    shoot((1, 1), (100000, 0)) -> fails
    """
    return line(start, step(start, direction, REACH))


@primitive
def vfrontier(location: Pair) -> Indices:
    """The first 30 positions of the column through a position.

    shape(vfrontier((2, 5))) -> (30, 1)
    ulcorner(vfrontier((2, 5))) -> (0, 5)
    """
    return frozenset((i, location[1]) for i in range(SIDE_MAX))


@primitive
def hfrontier(location: Pair) -> Indices:
    """The first 30 positions of the row through a position.

    shape(hfrontier((2, 5))) -> (1, 30)
    ulcorner(hfrontier((2, 5))) -> (2, 0)
    """
    return frozenset((location[0], j) for j in range(SIDE_MAX))
