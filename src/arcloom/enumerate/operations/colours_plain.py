"""Primitives that return a colour."""

# Read as text and never imported: see arcloom.enumerate.operations.
# mypy: ignore-errors
# ruff: noqa


def mostcolor_grid(g):  # cost 1
    return mostcolor(g)


def leastcolor_grid(g):  # cost 1
    return leastcolor(g)


def mostcolor_object(x):
    return mostcolor(x)


def leastcolor_object(x):
    return leastcolor(x)


def color_object(x):  # cost 1
    return color(x)
