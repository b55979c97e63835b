"""Typed spellings: a suffix says which container a primitive takes. The meaning is the primitive's."""

from arcloom.dsl.declare import PRIMITIVES

SUFFIXES = ("_t", "_f", "_i", "_o")
"""Tuple (or grid), frozenset, indices, object."""

SPELLINGS: dict[str, str] = {
    **{f"{name}{suffix}": name for name in PRIMITIVES for suffix in SUFFIXES if f"{name}{suffix}" not in PRIMITIVES},
    "f_ofcolor": "ofcolor",
}
