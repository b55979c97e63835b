"""Counting the work of a run by place, and failing where a place has more than the limit.

A run is one program on one sample. A place is a call in the program, or a call of a function at its position in the
function that such a call makes use of: the inner and the outer function of ``compose``, the calls in a lambda's body.
Each place counts by itself. ``work`` says what a call costs.
"""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from arcloom.dsl.types import T
from arcloom.dsl.values import Reason, fail
from arcloom.dsl.work import LARGEST, weight

DEFAULT_BUDGET = 30_000_000
"""Maximum work of a place in a run, unless the caller says otherwise. The most that a
valid program was found to need is 7,100,000 (a verifier of re-arc on a hard grid of 30 by 30 cells)."""

SEARCH_BUDGET = 5_000_000
"""Maximum work of a place in a run in a search, where most candidates are of no use."""

MAX_HELD = 20_000_000
"""Maximum weight of values that the reference holds at once, those of a function or those of all lines: about a GB."""

PORTION = 100
"""Number of values of a function after which the reference looks at how much they hold."""

MAX_PLACES = 20_000
"""Maximum number of places in one call of a program. Functions that are composed of themselves have more; only programs
without types can get that far, because tracing refuses them before."""


class Place:
    """A place of a program: the work that it has had in this run, and the places of the functions that it calls."""

    __slots__ = ("_inner", "_room", "limit", "spent")

    def __init__(self, limit: int, room: list[int]) -> None:
        self.limit = limit
        self.spent = 0
        self._inner: dict[Any, Place] = {}
        self._room = room
        """The number of places that can still be made, in a list that all places share."""

    def inner(self, key: Any) -> "Place":
        """The place of a function that is called here. The key says which one."""
        found = self._inner.get(key)
        if found is None:
            found = self._inner[key] = self._new()
        return found

    def _new(self) -> "Place":
        self._room[0] -= 1
        if self._room[0] < 0:
            fail(Reason.BUDGET)
        return Place(self.limit, self._room)

    def call(self, key: Any, function: Callable[..., Any], *args: Any) -> Any:
        """The result of a function that is called here. The key says which one."""
        CURRENT.place = self.inner(key)
        return function(*args)

    def calling(self, key: Any, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function to be called here several times, in the place that the key says."""
        place = self.inner(key)

        def called(*args: Any) -> Any:
            CURRENT.place = place
            return function(*args)

        return called

    def gather(self, values: Iterable[T]) -> list[T]:
        """The values of a function that is called here. Fails where they hold too much.

        Values that share their parts weigh more than they hold, and they hold no more than the work done to make them.
        """
        made: list[T] = []
        held = weighed = 0
        source = iter(values)
        while some := list(islice(source, PORTION)):
            made += some
            if self.total() > MAX_HELD:
                held += self.weight(tuple(made[weighed:]))
                weighed = len(made)
                if held > MAX_HELD:
                    fail(Reason.BUDGET)
        return made

    def spend(self, cost: int) -> None:
        """Count work; fails when this place has had more than the limit."""
        self.spent += cost
        if self.spent > self.limit:
            fail(Reason.BUDGET)

    def affords(self, elements: int) -> None:
        """Fail if a value of this number of elements is larger than any may be, or than the limit."""
        if elements > min(LARGEST, self.limit):
            fail(Reason.BUDGET)

    def weight(self, value: Any) -> int:
        """The weight of a value, or some number above the limit."""
        return weight(value, self.limit)

    def total(self) -> int:
        """The work of this place and of all places in it."""
        return self.spent + sum(place.total() for place in self._inner.values())


class Meter(Place):
    """The root of the places of a run."""

    __slots__ = ()

    def __init__(self, limit: int = DEFAULT_BUDGET) -> None:
        super().__init__(limit, [MAX_PLACES])

    def line(self, call: Any) -> Place:
        """The place of a call of the program, which can have MAX_PLACES places in it."""
        self._room[0] = MAX_PLACES
        return self.inner(call)


class _Nowhere(Place):
    """The place of calls that belong to no run. It counts nothing, but refuses a single call that is over the limit."""

    __slots__ = ()

    def inner(self, key: Any) -> Place:
        return self

    def spend(self, cost: int) -> None:
        self.affords(cost)


class _Current:
    """Holds the place of the function that is being called. Whoever calls a function sets it before."""

    __slots__ = ("place",)

    def __init__(self, place: Place) -> None:
        self.place = place


CURRENT = _Current(_Nowhere(DEFAULT_BUDGET, [0]))
_in_use = threading.RLock()


@contextmanager
def metered(meter: Meter) -> Iterator[Meter]:
    """Within this context all calls count on this meter. Other threads that want to count wait."""
    with _in_use:
        before, CURRENT.place = CURRENT.place, meter
        try:
            yield meter
        finally:
            CURRENT.place = before


def affordable(elements: int) -> None:
    """Fails before more elements are made than the limit of the present place allows."""
    CURRENT.place.affords(elements)
