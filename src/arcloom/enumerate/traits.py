"""Traits of a task: yes-or-no properties of its demonstrations that make some operations more likely than others.

A crop is more likely if every output is smaller than its input, and a recolouring if only colours change. The effect of
each trait on the cost of each operation is learnt together with the costs: see ``arcloom.enumerate.costs``.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from arcloom.tasks.packed import Cells
from arcloom.tasks.task import Grid, Task

Truths = npt.NDArray[np.bool_]

Test = Callable[[Cells, Cells], bool]
"""A test of an input and its output."""

FEW, MANY = 2, 5
"""A grid with few figures has at most FEW of them; one with many has at least MANY."""


def _same_shape(given: Cells, output: Cells) -> bool:
    return given.shape == output.shape


def _is_multiple(given: Cells, output: Cells) -> bool:
    return given.shape != output.shape and all(b % a == 0 for a, b in zip(given.shape, output.shape, strict=True))


def _divides(given: Cells, output: Cells) -> bool:
    """Whether the input can be cut into parts of the output's shape, with or without lines between them."""
    pairs = list(zip(given.shape, output.shape, strict=True))
    return given.shape != output.shape and any(all((a + k) % (b + k) == 0 for a, b in pairs) for k in (0, 1))


def _is_crop(given: Cells, output: Cells) -> bool:
    if given.shape == output.shape or any(b > a for a, b in zip(given.shape, output.shape, strict=True)):
        return False
    return bool((sliding_window_view(given, output.shape) == output).all((2, 3)).any())


def _palette(grid: Cells) -> set[int]:
    return set(np.unique(grid).tolist())


def _same_histogram(given: Cells, output: Cells) -> bool:
    return bool(np.array_equal(np.sort(given, axis=None), np.sort(output, axis=None)))


def _is_symmetric(_: Cells, output: Cells) -> bool:
    return bool(np.array_equal(output, output[:, ::-1]) or np.array_equal(output, output[::-1]))


def _has_line(given: Cells) -> bool:
    """Whether a row or column has one colour that is not black."""
    return any(bool(((grid == grid[:, :1]).all(axis=1) & (grid[:, 0] != 0)).any()) for grid in (given, given.T))


def _keeps_ink(given: Cells, output: Cells) -> bool:
    return given.shape == output.shape and bool((given == output)[given != 0].all())


def _adds_no_ink(given: Cells, output: Cells) -> bool:
    return given.shape == output.shape and bool((given == output)[output != 0].all())


def _keeps_places(given: Cells, output: Cells) -> bool:
    return given.shape == output.shape and bool(np.array_equal(given != 0, output != 0))


def _changes_little(given: Cells, output: Cells) -> bool:
    return given.shape == output.shape and bool((given != output).mean() < 0.1)


def _figures(grid: Cells) -> int:
    """The number of connected areas, diagonals included, that are not black; MANY if there are more."""
    left = grid != 0
    count = 0
    while count < MANY and left.any():
        area = np.zeros_like(left)
        area.ravel()[left.argmax()] = True
        while (grown := _grown(area) & left).sum() > area.sum():
            area = grown
        left &= ~area
        count += 1
    return count


def _grown(area: Truths) -> Truths:
    """A set of cells with all their neighbours."""
    padded = np.pad(area, 1)
    rows = padded[:-2] | padded[1:-1] | padded[2:]
    return rows[:, :-2] | rows[:, 1:-1] | rows[:, 2:]


OF_PAIRS: Mapping[str, Test] = {
    "same shape": _same_shape,
    "smaller": lambda given, output: output.size < given.size,
    "larger": lambda given, output: output.size > given.size,
    "multiple": _is_multiple,
    "parts": _divides,
    "crop": _is_crop,
    "line": lambda _, output: 1 in output.shape,
    "square": lambda _, output: output.shape[0] == output.shape[1],
    "same palette": lambda given, output: _palette(given) == _palette(output),
    "known colours": lambda given, output: _palette(output) <= _palette(given),
    "lost colours": lambda given, output: not _palette(given) <= _palette(output),
    "same histogram": _same_histogram,
    "symmetric": _is_symmetric,
    "ink stays": _keeps_ink,
    "no new ink": _adds_no_ink,
    "same places": _keeps_places,
    "few changes": _changes_little,
    "two colours": lambda _, output: len(_palette(output)) <= 2,
}
"""Traits of a task whose demonstrations all pass a test."""

OF_INPUTS: Mapping[str, Callable[[Cells], bool]] = {
    "lines in inputs": _has_line,
    "two colours in inputs": lambda given: len(_palette(given)) <= 2,
    "four colours in inputs": lambda given: len(_palette(given)) >= 4,
    "black in inputs": lambda given: bool((given == 0).any()),
    "small inputs": lambda given: given.size <= 150,
    "few figures": lambda given: _figures(given) <= FEW,
    "many figures": lambda given: _figures(given) >= MANY,
}
"""Traits of a task whose inputs all pass a test."""

ONE_SHAPE = "one shape"
NAMES = (*OF_PAIRS, *OF_INPUTS, ONE_SHAPE)


def traits(task: Task) -> tuple[bool, ...]:
    """Whether a task has each of the traits NAMES."""
    pairs = [(_cells(pair.input), _cells(pair.output or ())) for pair in task.train]
    given = [_cells(pair.input) for pair in task.samples]
    return (
        *(all(test(*pair) for pair in pairs) for test in OF_PAIRS.values()),
        *(all(map(test, given)) for test in OF_INPUTS.values()),
        len({output.shape for _, output in pairs}) == 1,
    )


def _cells(grid: Grid | Sequence[Sequence[int]]) -> Cells:
    return np.array(grid, np.int8)
