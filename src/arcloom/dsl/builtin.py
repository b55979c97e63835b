"""Declarations of those parts of Python that programs may use, and what a call of them costs."""

from collections.abc import Callable
from typing import Any

from arcloom.dsl.declare import Primitive
from arcloom.dsl.meter import CURRENT, Place
from arcloom.dsl.work import CALL

CONSTANT = frozenset({"(,)", "[]", "bool", "if", "len", "not"})
"""Functions that take the same time for a container of any size."""

COMPARING = frozenset(
    {"&", "-", "<", "<=", ">", ">=", "^", "frozenset", "max", "min", "set", "sorted", "zip*", "{,}", "|"}
)
"""Functions that look into the elements of containers: their arguments count by weight."""

CALLING = frozenset({"all of", "any of", "filter", "fold", "map", "sorted-"})
"""Functions that call a function and count their own work."""


class Builtin(Primitive[..., Any]):
    """A part of Python that programs may use. ``text`` is how a call is written, with a field for each argument."""

    def __init__(self, name: str, function: Callable[..., Any], least: int, most: int, text: str | None) -> None:
        super().__init__(function)
        self.name, self.least, self.most, self.text = name, least, most, text
        self.params = ()

    @property
    def higher_order(self) -> bool:
        """Whether it takes a function: some do, and none can be computed without knowing how it is called."""
        return True

    def accepts(self, count: int) -> bool:
        """Whether it can be called with this number of arguments."""
        return self.least <= count <= self.most

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        place = CURRENT.place
        if self.name in CALLING:  # then it counts by itself
            return self.function(*args, **kwargs)
        place.spend(CALL + (0 if self.name in CONSTANT else _sizes(place, args, self.name in COMPARING)))
        result = self.function(*args, **kwargs)
        place.spend(len(result) if isinstance(result, tuple | frozenset) and self.name not in CONSTANT else 0)
        return result


def _sizes(place: Place, args: tuple[Any, ...], by_weight: bool) -> int:
    """The sizes of containers among arguments, for their cost."""
    containers = [arg for arg in args if isinstance(arg, tuple | frozenset)]
    return sum(map(place.weight if by_weight else len, containers))


BUILTINS: dict[str, Builtin] = {}
"""Every operator by its symbol and every function by its name."""

NAMES: dict[str, Builtin] = {}
"""The functions that a program can call by name."""


def builtin(
    name: str, least: int = 1, most: int | None = None, text: str | None = None
) -> Callable[[Callable[..., Any]], Builtin]:
    """Declare a part of Python that takes from ``least`` to ``most`` arguments."""

    def declare(function: Callable[..., Any]) -> Builtin:
        found = BUILTINS[name] = Builtin(name, function, least, most or least, text)
        if name.isidentifier() and text is None:
            NAMES[name] = found
        return found

    return declare
