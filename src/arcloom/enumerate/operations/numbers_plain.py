"""Primitives that return a number."""

# Read as text and never imported: see arcloom.enumerate.operations.
# mypy: ignore-errors
# ruff: noqa


def numcolors_grid(g):
    return numcolors(g)


def colorcount_grid(g, c):
    return colorcount(g, c)


def size_object(x):
    return size(x)


def size_objects(xs):
    return size(xs)


def height_grid(g):
    return height(g)


def width_grid(g):
    return width(g)


def height_object(x):
    return height(x)


def width_object(x):
    return width(x)
