"""Counting the work of a run per call site, with a limit for each.

A run is one program on one sample. A call site is a call in the program, or a call of a function that such a call uses:
the inner and the outer function of ``compose``, the calls in a lambda's body. ``work`` defines the cost of a call.
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
"""Default maximum work of a call site in a run. The greatest work of a valid program so far is 7,100,000 (a verifier of
re-arc on a hard grid of 30 by 30 cells)."""

SEARCH_BUDGET = 5_000_000
"""Maximum work of a call site in a search. It is lower, because most candidates are wrong."""

MAX_HELD = 20_000_000
"""Maximum weight of the values that the reference holds at once, of a function or of all lines: about 1 GB."""

PORTION = 100
"""Number of values of a function after which the reference checks their weight."""

MAX_CALL_SITES = 20_000
"""Maximum number of call sites within one call of a program. Functions that are composed with themselves many times
have more. The limit matters only for untyped programs: tracing rejects such functions earlier."""


class CallSite:
    """A call site: its work in this run, and the sites of the functions that are called there."""

    __slots__ = ("_inner", "_room", "limit", "spent")

    def __init__(self, limit: int, room: list[int]) -> None:
        self.limit = limit
        self.spent = 0
        self._inner: dict[Any, CallSite] = {}
        self._room = room
        """The number of sites that can still be created, in a list of one element that all sites share."""

    def inner(self, key: Any) -> "CallSite":
        """The site of a function that is called here. The key identifies the function."""
        found = self._inner.get(key)
        if found is None:
            found = self._inner[key] = self._new()
        return found

    def _new(self) -> "CallSite":
        self._room[0] -= 1
        if self._room[0] < 0:
            fail(Reason.BUDGET)
        return CallSite(self.limit, self._room)

    def call(self, key: Any, function: Callable[..., Any], *args: Any) -> Any:
        """Call a function at the inner site of this key, and return the result."""
        CURRENT.site = self.inner(key)
        return function(*args)

    def calling(self, key: Any, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function that calls the given one at the inner site of this key."""
        site = self.inner(key)

        def called(*args: Any) -> Any:
            CURRENT.site = site
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
        """Count work; fails if the work of this site exceeds the limit."""
        self.spent += cost
        if self.spent > self.limit:
            fail(Reason.BUDGET)

    def affords(self, elements: int) -> None:
        """Fail if a value of this number of elements exceeds the limit of work or the maximum size of values."""
        if elements > min(LARGEST, self.limit):
            fail(Reason.BUDGET)

    def weight(self, value: Any) -> int:
        """The weight of a value, or any number above the limit."""
        return weight(value, self.limit)

    def total(self) -> int:
        """The work of this site and of all sites within it."""
        return self.spent + sum(site.total() for site in self._inner.values())


class Meter(CallSite):
    """The root of the call sites of a run."""

    __slots__ = ()

    def __init__(self, limit: int = DEFAULT_BUDGET) -> None:
        super().__init__(limit, [MAX_CALL_SITES])

    def line(self, call: Any) -> CallSite:
        """The site of a call of the program. It can have MAX_CALL_SITES sites within it."""
        self._room[0] = MAX_CALL_SITES
        return self.inner(call)


class _Nowhere(CallSite):
    """The site of calls outside of runs. It adds up nothing, but a single call above the limit fails."""

    __slots__ = ()

    def inner(self, key: Any) -> CallSite:
        return self

    def spend(self, cost: int) -> None:
        self.affords(cost)


class _Current:
    """Holds the site of the function that is being called. The caller sets it."""

    __slots__ = ("site",)

    def __init__(self, site: CallSite) -> None:
        self.site = site


CURRENT = _Current(_Nowhere(DEFAULT_BUDGET, [0]))
_in_use = threading.RLock()


@contextmanager
def metered(meter: Meter) -> Iterator[Meter]:
    """A context in which all calls count on this meter. Other threads wait to enter one."""
    with _in_use:
        before, CURRENT.site = CURRENT.site, meter
        try:
            yield meter
        finally:
            CURRENT.site = before


def affordable(elements: int) -> None:
    """Fail if this number of elements exceeds the limit of the current site. Called before elements are created."""
    CURRENT.site.affords(elements)
