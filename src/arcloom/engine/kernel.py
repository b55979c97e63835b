"""Declaring a kernel: the row function of a primitive, and how much room its result needs."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from arcloom.dsl.declare import Primitive
from arcloom.dsl.signature import BOOL, INT, Type
from arcloom.dsl.work import PAIRWISE
from arcloom.engine.words import row_function

F = TypeVar("F", bound=Callable[..., Any])

Size = Callable[..., int]


@dataclass(frozen=True, eq=False)
class Kernel:
    """A row function, for arguments of certain kinds, and what a launcher must know about it: see ``kernel``."""

    name: str
    op: str
    kinds: tuple[str, ...]
    function: Callable[..., int]
    words: Size | None
    cells: Size | None
    types: tuple[str, ...]
    reduces: bool
    lazy: bool
    deep: bool
    scratch: Size | None
    closes: bool

    @property
    def module(self) -> str:
        """Where its row functions are defined."""
        return str(getattr(self.function, "py_func", self.function).__module__)

    @property
    def sized(self) -> tuple[int, ...]:
        """The positions of arguments that have a size, or may have one."""
        sized = tuple(k for k, kind in enumerate(self.kinds) if kind not in _SCALARS)
        return sized[:1] if self.reduces else sized

    @property
    def pairwise(self) -> bool:
        """Whether its work grows with the product of the sizes of its arguments, not with their sum."""
        return self.op in PAIRWISE

    def fits(self, types: tuple[Type, ...]) -> bool:
        """Whether it takes arguments of these types."""
        return len(types) == len(self.kinds) and all(map(_is_kind, types, self.kinds))


_SCALARS = frozenset({"int", "pair", "cell", "place"})

KERNELS: dict[str, list[Kernel]] = {}
"""The kernels of each operation, in the order of declaration: the first that fits is used."""


def kernel(
    op: Primitive[..., Any] | str,
    *kinds: str,
    words: Size | None = None,
    cells: Size | None = None,
    types: tuple[str, ...] = (),
    reduces: bool = False,
    lazy: bool = False,
    deep: bool = False,
    scratch: Size | None = None,
    closes: bool = False,
) -> Callable[[F], F]:
    """Declare the kernel of a primitive (or structural operation) for arguments of these kinds.

    Without ``words`` and ``cells`` the function is ``f(heap, cells, *args)`` and gives the result's word. With one of
    them, a function of the same arguments that bounds the result's size in words or cells, it is
    ``f(heap, cells, at, *args)``, where ``at`` is where it may write; with both,
    ``f(heap, cells, at, cells_at, *args)``.

    - ``types`` names what it is given before its arguments, the same for all rows: "0" is a description of the first
      argument's type, "0." of its element's, "=" of the result's, "=." of the result's elements', and "#" is the node's
      own number, such as which field.
    - ``reduces``: the last two arguments are an array and a position in it, where the frame's values for the elements
      of the first argument begin.
    - ``lazy``: it deals with failed rows or elements itself.
    - ``deep``: it writes more than the result's own elements, so all its room is taken.
    - ``closes``: of a deep result, its own elements are the last words that are kept; room behind them is given back.
    - ``scratch`` bounds the words that a function with a scalar result needs while it runs: it is
      ``f(heap, cells, at, *args)`` too.

    A row function gives a failure word (EMPTY, RANGE, ...) exactly where the reference fails.
    """

    def declare(function: F) -> F:
        name = op if isinstance(op, str) else op.name
        compiled = row_function(function)
        found = KERNELS.setdefault(name, [])
        label = "_".join((name, *(kind.replace("*", "any") for kind in kinds)))
        found.append(Kernel(label, name, kinds, compiled, words, cells, types, reduces, lazy, deep, scratch, closes))
        return compiled

    return declare


def find_kernel(op: str, types: tuple[Type, ...]) -> Kernel | None:
    """The kernel for an operation on arguments of these types, if there is one."""
    return next((kernel for kernel in KERNELS.get(op, ()) if kernel.fits(types)), None)


@cache
def kind_of(type: Type) -> str:
    """How values of a type are represented: int, pair, cell, place, perhaps, box, tuple, set or grid."""
    if type in (INT, BOOL):
        return "int"
    if type.kind == "record":
        return _record_kind(type)
    return type.kind


def _record_kind(type: Type) -> str:
    shape = ",".join(map(kind_of, type.parts))
    return {"int,int": "pair", "int,pair": "cell"}.get(shape, "box")


def _is_kind(type: Type, kind: str) -> bool:
    actual = kind_of(type)
    return kind in ("*", actual) or (kind == "list" and actual in ("tuple", "set"))
