"""Invariants of a task: properties that all demonstrations share, and that an answer should therefore have, too.

An answer that violates invariants is less likely to be correct, no matter which programs vote for it. A factor for each
property is learnt together with the other weights of votes: see ``arcloom.search.fit_weights``.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property

import numpy as np

from arcloom.tasks.packed import Cells, cells, pack
from arcloom.tasks.task import Grid, Task

Property = Callable[[Cells, Cells], Hashable]
"""A property of an input and its output."""

Elements = Callable[[Cells, Cells], frozenset[Hashable]]
"""A set computed from an input and its output."""


def _palette(grid: Cells) -> frozenset[int]:
    return frozenset(np.unique(grid).tolist())


def _transitions(given: Cells, output: Cells) -> frozenset[tuple[int, int]]:
    """The (old colour, new colour) pairs of the cells that change; empty if the shapes differ."""
    if given.shape != output.shape:
        return frozenset()
    changed = given != output
    return frozenset(zip(given[changed].tolist(), output[changed].tolist(), strict=True))


def _ratio(given: Cells, output: Cells) -> tuple[float, float]:
    return output.shape[0] / given.shape[0], output.shape[1] / given.shape[1]


def _background(grid: Cells) -> int:
    return int(np.bincount(grid.ravel()).argmax())


def _same_background(given: Cells, output: Cells) -> bool:
    return _background(given) == _background(output)


def _same_count(given: Cells, output: Cells) -> bool:
    """Whether input and output have the same number of cells that are not black."""
    return int(np.count_nonzero(given)) == int(np.count_nonzero(output))


def _same_histogram(given: Cells, output: Cells) -> bool:
    return bool(np.array_equal(np.bincount(given.ravel(), minlength=16), np.bincount(output.ravel(), minlength=16)))


def _square_symmetry(_: Cells, output: Cells) -> bool:
    return bool(np.array_equal(output, output.T))


PROPERTIES: Mapping[str, Property] = {
    "shape": lambda _, output: output.shape,
    "ratio": _ratio,
    "height": lambda _, output: output.shape[0],
    "width": lambda _, output: output.shape[1],
    "changes": lambda given, output: not np.array_equal(given, output),
    "palette": lambda _, output: _palette(output),
    "number of colours": lambda _, output: len(_palette(output)),
    "palette of input": lambda given, output: _palette(given) == _palette(output),
    "colours of input": lambda given, output: _palette(output) <= _palette(given),
    "new colours": lambda given, output: _palette(output) - _palette(given),
    "lost colours": lambda given, output: _palette(given) - _palette(output),
    "background": _same_background,
    "count": _same_count,
    "histogram": _same_histogram,
    "left and right": lambda _, output: bool(np.array_equal(output, output[:, ::-1])),
    "top and bottom": lambda _, output: bool(np.array_equal(output, output[::-1])),
    "diagonal": _square_symmetry,
}
"""Properties that are invariants of a task if all its demonstrations have the same value."""

COLLECTED: Mapping[str, Elements] = {
    "transitions": _transitions,
    "changed colours": lambda given, output: frozenset(old for old, _ in _transitions(given, output)),
    "result colours": lambda given, output: frozenset(new for _, new in _transitions(given, output)),
    "known colours": lambda given, output: _palette(output) - _palette(given),
}
"""Sets whose elements an answer may contain only if a demonstration contains them."""

NAMES = (*PROPERTIES, *COLLECTED)


def _grid(grid: Grid | None) -> Cells:
    packed = pack(grid)
    assert packed is not None
    return cells(packed)


class Invariants:
    """The invariants of a task."""

    def __init__(self, task: Task) -> None:
        self._task = task

    @cached_property
    def _demonstrations(self) -> Sequence[tuple[Cells, Cells]]:
        return [(_grid(pair.input), _grid(pair.output)) for pair in self._task.train]

    @cached_property
    def _values(self) -> Mapping[str, Hashable]:
        """The common value of each property that all demonstrations share."""
        found = {name: {rule(*pair) for pair in self._demonstrations} for name, rule in PROPERTIES.items()}
        return {name: values.pop() for name, values in found.items() if len(values) == 1}

    @cached_property
    def _sets(self) -> Mapping[str, frozenset[Hashable]]:
        return {
            name: frozenset().union(*(elements(*pair) for pair in self._demonstrations))
            for name, elements in COLLECTED.items()
        }

    def violated(self, test: int, output: bytes) -> tuple[str, ...]:
        """The names of the invariants that an answer to a test input violates."""
        given, answer = _grid(self._task.test[test].input), cells(output)
        values = [name for name, value in self._values.items() if PROPERTIES[name](given, answer) != value]
        sets = [name for name, known in self._sets.items() if not COLLECTED[name](given, answer) <= known]
        return (*values, *sets)
