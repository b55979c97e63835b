"""The nearness of outputs to the expected ones: the mean score by the bundled differs."""

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from arcloom.scoring.target import Target
from arcloom.tasks.packed import is_of_arc

if TYPE_CHECKING:
    from arcloom.search.loop.differs import Judge

Output = tuple[Target, int, bytes]
"""A task, the position of a sample, and a packed output for it."""

REMEMBERED = 20_000
"""Maximum number of outputs in the cache of scores. Many programs have the same outputs."""

_known: dict[Output, float] = {}


def nearness(outputs: Iterable[Output]) -> dict[Output, float]:
    """The mean score of each output by the differs, from 0 to 1000; 0 for an output that is no ARC grid."""
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
    from arcloom.search.loop.differs import Judge, bundled  # imported here because it takes time

    return Judge(bundled())
