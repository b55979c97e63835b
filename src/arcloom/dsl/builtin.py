"""Declarations of Python's operators and functions that programs may use, and the cost of calling them."""

from collections.abc import Callable
from typing import Any

from arcloom.dsl.declare import Primitive
from arcloom.dsl.meter import CURRENT, CallSite
from arcloom.dsl.work import CALL

CONSTANT = frozenset({"(,)", "[]", "bool", "if", "len", "not"})
"""Functions whose time does not depend on the sizes of containers."""

COMPARING = frozenset(
    {"&", "-", "<", "<=", ">", ">=", "^", "frozenset", "max", "min", "set", "sorted", "zip*", "{,}", "|"}
)
"""Functions that compare elements of containers: their arguments count by weight."""

CALLING = frozenset({"all of", "any of", "filter", "fold", "map", "sorted-"})
"""Functions that call a function and count their own work."""


class Builtin(Primitive[..., Any]):
    """An operator or function of Python. ``text`` is the format string of a call, with a field for each argument."""

    def __init__(self, name: str, function: Callable[..., Any], least: int, most: int, text: str | None) -> None:
        super().__init__(function)
        self.name, self.least, self.most, self.text = name, least, most, text
        self.params = ()

    @property
    def higher_order(self) -> bool:
        """True, as if it took a function: its result can be computed only at a call site."""
        return True

    def accepts(self, count: int) -> bool:
        """Whether a call can have this number of arguments."""
        return self.least <= count <= self.most

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        site = CURRENT.site
        if self.name in CALLING:  # the function counts its work itself
            return self.function(*args, **kwargs)
        site.spend(CALL + (0 if self.name in CONSTANT else _sizes(site, args, self.name in COMPARING)))
        result = self.function(*args, **kwargs)
        site.spend(len(result) if isinstance(result, tuple | frozenset) and self.name not in CONSTANT else 0)
        return result


def _sizes(site: CallSite, args: tuple[Any, ...], by_weight: bool) -> int:
    """The sum of the sizes, or weights, of the containers among arguments."""
    containers = [arg for arg in args if isinstance(arg, tuple | frozenset)]
    return sum(map(site.weight if by_weight else len, containers))


BUILTINS: dict[str, Builtin] = {}
"""All operators by symbol, and all functions by name."""

NAMES: dict[str, Builtin] = {}
"""The functions that a program can call by name."""


def builtin(
    name: str, least: int = 1, most: int | None = None, text: str | None = None
) -> Callable[[Callable[..., Any]], Builtin]:
    """Declare an operator or function of Python that takes from ``least`` to ``most`` arguments."""

    def declare(function: Callable[..., Any]) -> Builtin:
        found = BUILTINS[name] = Builtin(name, function, least, most or least, text)
        if name.isidentifier() and text is None:
            NAMES[name] = found
        return found

    return declare
