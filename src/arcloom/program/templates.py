"""Templates: expressions in Python syntax for the uses of dictionaries, lists and functions that programs rewrite.

A capital letter stands for a part of the program. Names that begin with ``_`` are parameters of the template.
"""

import ast
from copy import deepcopy
from functools import lru_cache
from typing import Any

Node = ast.expr | ast.stmt | ast.keyword

LOOKUP = "(lambda _k: [_w for _q, _w in D if _q == _k][0])(K)"
GET = "(lambda _k, _z: ([_w for _q, _w in D if _q == _k] + [_z])[0])(K, Z)"
KEYS, VALUES, ITEMS = "[_q for _q, _w in D]", "[_w for _q, _w in D]", "tuple(D)"
ENTRY = (
    "(lambda _d, _k, _v: [(_q, _v if _q == _k else _w) for _q, _w in _d]"
    " + ([] if _k in [_q for _q, _w in _d] else [(_k, _v)]))(D, K, V)"
)
DICTIONARY = (
    "(lambda _p: [(_q, [_w for _r, _w in _p if _r == _q][-1]) for _n, (_q, _v) in enumerate(_p)"
    " if _q not in [_r for _r, _w in _p[:_n]]])(tuple(P))"
)
WITH_ONE_VALUE = "[(_k, V) for _k in A]"
"""The pairs of ``dict.fromkeys(A, V)``."""

COUNTED = "(lambda _x: [(_e, len([_f for _f in _x if _f == _e])) for _n, _e in enumerate(_x) if _e not in _x[:_n]])"
"""The pairs of ``Counter``: the distinct elements of a tuple and how often they occur."""

MOST_COMMON = "sorted(D, key=lambda _e: _e[1], reverse=True)"
ITEM = "(lambda _x, _p, _v: [_v if _n == _p else _e for _n, _e in enumerate(_x)])(X, range(len(X))[K], V)"
COUNT = "(lambda _x, _v: len([_e for _e in _x if _e == _v]))(X, A)"
INDEX = "(lambda _x, _v: [_n for _n, _e in enumerate(_x) if _e == _v][0])(X, A)"
FLAT = "frozenset([_e for _s in A for _e in _s])"
IN_ALL = "(lambda _x, _a: frozenset([_e for _e in _x if all(_e in _s for _s in _a)]))(X, A)"
POPPED = "(lambda _x, _p: _x[:_p] + _x[_p + 1:])(X, range(len(X))[A])"

OF_SETS = {"union": "X | A", "intersection": "X & A", "difference": "X - A", "symmetric_difference": "X ^ A"}
VALUE_METHODS = {
    "count": COUNT,
    "index": INDEX,
    "issubset": "X <= frozenset(A)",
    "issuperset": "X >= frozenset(A)",
    "isdisjoint": "not X & frozenset(A)",
}
CHANGES = {
    "append": "X + [A]",
    "add": "X | {A}",
    "discard": "X - {A}",
    "extend": "X + tuple(A)",
    "update": "X | frozenset(A)",
    "remove": f"(lambda _x, _p: _x[:_p] + _x[_p + 1:])(X, {INDEX})",
    "pop": POPPED,
}
"""Methods of one argument that change a list or set, and expressions for the changed value."""

FUNCTIONS = {
    ("divmod", 2): "(lambda _a, _b: (_a // _b, _a % _b))(A, B)",
    ("deepcopy", 1): "A",
    ("reduce", 2): "(lambda _x: fold(A, _x[1:], _x[0]))(tuple(B))",
    ("reduce", 3): "fold(A, B, C)",
}
"""Functions that can be written with others, by name and number of arguments A, B, C."""

TRUNCATED = "(lambda _a, _b: abs(_a) // abs(_b) * (1 if (_a < 0) == (_b < 0) else -1))(A, B)"
"""``int(A / B)``."""


def filled(template: str, at: Node, **parts: ast.expr) -> ast.expr:
    """The expression of a template, with its names replaced by the parts, at the position of a node."""
    return _Filled(parts, at).visit(deepcopy(_parsed(template)))  # type: ignore[no-any-return]


class _Filled(ast.NodeTransformer):
    """Fills a template. All nodes get one position in the text, and the template's own names get a prefix that no name
    of a program can have."""

    def __init__(self, parts: dict[str, ast.expr], at: Node) -> None:
        self.parts, self.at = parts, at

    def visit(self, node: ast.AST) -> Any:
        """A part of the expression."""
        if isinstance(node, ast.Name) and node.id in self.parts:
            part = self.parts[node.id]
            return part if hasattr(part, "lineno") else ast.copy_location(part, self.at)
        if isinstance(node, ast.expr | ast.arg):
            ast.copy_location(node, self.at)
        if isinstance(node, ast.Name) and node.id.startswith("_"):
            node.id = f" {node.id}"
        if isinstance(node, ast.arg):
            node.arg = f" {node.arg}"
        return self.generic_visit(node)


@lru_cache(None)
def _parsed(template: str) -> ast.expr:
    return ast.parse(template, mode="eval").body
