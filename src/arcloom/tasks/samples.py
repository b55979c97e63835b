"""Samples of tasks: the inputs of programs, one sample for each pair."""

from collections.abc import Iterable
from typing import Any

from arcloom.tasks.grid import Grid
from arcloom.tasks.task import Task

Inputs = dict[str, Any]
Demonstrations = tuple[tuple[Grid, Grid | None], ...]


def inputs(grid: Grid, demonstrations: Demonstrations = (), candidate: Grid | None = None) -> Inputs:
    """The inputs of a program for a grid. ``C`` is the candidate; without one, as for solvers, it is the input grid."""
    return {"I": grid, "S": demonstrations, "C": grid if candidate is None else candidate}


def demonstrations(task: Task) -> Demonstrations:
    """The demonstrations of a task, the input ``S`` of programs."""
    return tuple((pair.input, pair.output) for pair in task.train)


def samples_of(task: Task) -> list[Inputs]:
    """The inputs of a solver for each pair of a task."""
    shown = demonstrations(task)
    return [inputs(pair.input, shown) for pair in task.samples]


def held_out_samples(task: Task) -> list[Inputs]:
    """The inputs of a solver for each demonstration, with only the other demonstrations in ``S``."""
    shown = demonstrations(task)
    return [inputs(pair.input, shown[:k] + shown[k + 1 :]) for k, pair in enumerate(task.train)]


def samples_of_tasks(tasks: Iterable[Task]) -> tuple[list[Inputs], list[range]]:
    """The samples of several tasks in one list, and the range of each task in it."""
    samples: list[Inputs] = []
    rows = []
    for task in tasks:
        rows.append(range(len(samples), len(samples) + len(task.samples)))
        samples += samples_of(task)
    return samples, rows
