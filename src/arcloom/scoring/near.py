"""How near outputs are to the right ones, as the differs see it."""

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from arcloom.scoring.target import Target
from arcloom.tasks.packed import is_of_arc

if TYPE_CHECKING:
    from arcloom.search.loop.differs import Judge

Output = tuple[Target, int, bytes]
"""An output for a sample of a task."""

REMEMBERED = 20_000
"""Number of outputs whose scores are kept: many programs give the same."""

_known: dict[Output, float] = {}


def nearness(outputs: Iterable[Output]) -> dict[Output, float]:
    """The mean score that the differs give each output, from 0 to 1000; 0 for what is no grid of ARC."""
    found = {output: _known.get(output) for output in outputs}
    new = [output for output, near in found.items() if near is None and _is_grid(output)]
    if len(_known) + len(new) > REMEMBERED:
        _known.clear()
    _known.update(zip(new, _computed(new), strict=True))
    return {output: _known.get(output, 0.0) if near is None else near for output, near in found.items()}


def _is_grid(output: Output) -> bool:
    target, _, packed = output
    return is_of_arc(packed, target.max_side)


def _computed(outputs: list[Output]) -> list[float]:
    if not outputs:
        return []
    from arcloom.search.loop.differs import Comparison

    comparisons = [
        Comparison(target.task.samples[k].input, target.shown, packed, target.outputs[k])
        for target, k, packed in outputs
    ]
    return [sum(profile) / len(profile) for profile in _judge().profiles(comparisons)]


@cache
def _judge() -> "Judge":
    from arcloom.search.loop.differs import Judge, bundled  # here, because reading the differs takes its time

    return Judge(bundled())
