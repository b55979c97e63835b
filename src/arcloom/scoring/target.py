"""Tasks in the form that scoring needs, computed once per task."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from arcloom.engine.results import Results, RowFailure, packed_grid
from arcloom.tasks import Task
from arcloom.tasks.samples import demonstrations, samples_of
from arcloom.tasks.task import SIDE_MAX


@dataclass(frozen=True, eq=False)
class Target:
    """A task, with its samples and expected outputs in the form that scoring needs."""

    task: Task

    @cached_property
    def samples(self) -> list[dict[str, Any]]:
        """The inputs of programs, one for each pair of the task."""
        return samples_of(self.task)

    @cached_property
    def shown(self) -> tuple[tuple[Any, Any], ...]:
        """The demonstrations as the value of ``S``."""
        return demonstrations(self.task)

    @cached_property
    def outputs(self) -> list[Any]:
        """The expected outputs; None where they are unknown."""
        return [pair.output for pair in self.task.samples]

    @cached_property
    def packed(self) -> list[bytes | None]:
        """The expected outputs as bytes; None where they are unknown or cannot be packed."""
        return [None if output is None else _packed(output) for output in self.outputs]

    @cached_property
    def demonstrations(self) -> list[int]:
        """The positions of the demonstrations with a known output."""
        return [k for k in range(len(self.task.train)) if self.outputs[k] is not None]

    @cached_property
    def tests(self) -> list[int]:
        """The positions of the test samples with a known output."""
        return [k for k in range(len(self.task.train), len(self.outputs)) if self.outputs[k] is not None]

    @cached_property
    def known(self) -> list[int]:
        """The positions of all samples with a known output."""
        return [*self.demonstrations, *self.tests]

    @cached_property
    def max_side(self) -> int:
        """The maximum side of an output that differs can score."""
        return max(SIDE_MAX, self.task.max_side)


def _packed(grid: Any) -> bytes | None:
    try:
        return packed_grid(np.array(grid, np.int8))
    except (TypeError, ValueError, OverflowError):
        return None


@dataclass(frozen=True, slots=True)
class Unpacked:
    """An output that cannot be packed: the shape of a grid that is too large, or a value that is no grid."""

    shape: tuple[int, int] | None = None
    value: Any = None


SampleOutcome = bytes | Unpacked | RowFailure
"""A packed output (two bytes for the sides of the grid, then its cells), another output, or a failure."""


def outcome_of(results: Results, p: int, row: int) -> SampleOutcome:
    """The outcome of a program on a sample. Grids stay packed; only other values are decoded."""
    try:
        packed = results.packed(p, row)
        if packed is not None:
            return packed
        grid = results.grid(p, row)
    except (TypeError, ValueError, OverflowError):  # a value that is no grid
        return Unpacked(value=results.output(p, row))
    if grid is None:
        failure = results.failure(p, row)
        assert failure is not None
        return failure
    return Unpacked(shape=grid.shape) if grid.ndim == 2 and grid.size else Unpacked(value=results.output(p, row))
