"""Alternative spellings of primitives, with a suffix for the type of the container. They mean the same."""

from arcloom.dsl.declare import PRIMITIVES

SUFFIXES = ("_t", "_f", "_i", "_o")
"""Suffixes for a tuple or grid, a frozenset, indices, and an object."""

SPELLINGS: dict[str, str] = {
    **{f"{name}{suffix}": name for name in PRIMITIVES for suffix in SUFFIXES if f"{name}{suffix}" not in PRIMITIVES},
    "f_ofcolor": "ofcolor",
}
