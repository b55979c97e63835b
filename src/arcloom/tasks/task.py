"""Tasks and datasets: immutable values that can be compared, hashed and pickled."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from typing import overload

from arcloom.dsl.values import SIDE_MAX
from arcloom.tasks.grid import PACKED_SIDE_MAX, Grid, shape
from arcloom.tasks.html import SHOWN, figures_html, table_html, titled_html

__all__ = ["PACKED_SIDE_MAX", "SIDE_MAX", "DataError", "Dataset", "Grid", "Pair", "Task", "shape", "suggestion"]

SHOWN_IDS = 3
"""Maximum number of task ids in the ``repr`` of a dataset."""


_NO_IDENTIFIER, _NUMBER = re.compile(r"\W"), re.compile(r"_\d+$")


class DataError(ValueError):
    """Task data are wrong or missing. The message has the position and the expected value."""


@dataclass(frozen=True, slots=True, repr=False)
class Pair:
    """An input grid and its output grid, which is None if it is unknown."""

    input: Grid
    output: Grid | None = None

    def __repr__(self) -> str:
        return f"<Pair {shape(self.input)} -> {shape(self.output)}>"

    def _repr_html_(self) -> str:
        return figures_html([("input", self.input), ("output", self.output)])


@dataclass(frozen=True, slots=True, repr=False)
class Task:
    """A task: train pairs, whose outputs are all known, and test pairs to solve."""

    id: str
    train: tuple[Pair, ...]
    test: tuple[Pair, ...] = ()

    @property
    def samples(self) -> tuple[Pair, ...]:
        """All pairs: train pairs, then test pairs."""
        return self.train + self.test

    @property
    def max_side(self) -> int:
        """The greatest number of rows or columns of a grid of this task."""
        grids = [grid for pair in self.samples for grid in (pair.input, pair.output) if grid]
        return max((max(len(grid), len(grid[0])) for grid in grids), default=0)

    def label(self, sample: int) -> str:
        """The name of a sample, such as "train[0]" or "test[1]", by its index in ``samples``."""
        shown = len(self.train)
        return f"train[{sample}]" if sample < shown else f"test[{sample - shown}]"

    @property
    def keeps_shapes(self) -> bool:
        """Whether the output of every demonstration has the shape of its input."""
        return all(shape(pair.input) == shape(pair.output) for pair in self.train)

    def with_samples(self, pairs: Sequence[Pair]) -> "Task":
        """The same task with other pairs, in the order of ``samples``."""
        shown = len(self.train)
        return replace(self, train=tuple(pairs[:shown]), test=tuple(pairs[shown:]))

    def without_answers(self) -> "Task":
        """The same task with every test output unknown."""
        return replace(self, test=tuple(Pair(pair.input) for pair in self.test))

    def __repr__(self) -> str:
        sizes = Counter(f"{shape(pair.input)} -> {shape(pair.output)}" for pair in self.samples)
        common = ", ".join(size for size, _ in sizes.most_common(1))
        more = f" and {len(sizes) - 1} more sizes" if len(sizes) > 1 else ""
        return f"<Task {self.id}: {len(self.train)} train, {len(self.test)} test, {common or 'no grids'}{more}>"

    def _repr_html_(self) -> str:
        parts = [
            figures_html([(f"{self.label(i)} input", pair.input), (f"{self.label(i)} output", pair.output)])
            for i, pair in enumerate(self.samples)
        ]
        return titled_html(self.id, *parts)


@dataclass(frozen=True, repr=False)
class Dataset:
    """A named sequence of tasks with unique ids. Iterates over tasks; ``[...]`` takes an id, an index or a slice.

    ``skipped`` has a message for each file that could not be loaded.
    """

    name: str
    tasks: tuple[Task, ...]
    skipped: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if len(self._by_id) < len(self.tasks):
            raise DataError(f"{self.name}: two tasks have the same id")

    @cached_property
    def _by_id(self) -> dict[str, Task]:
        return {task.id: task for task in self.tasks}

    @cached_property
    def _by_identifier(self) -> dict[str, str]:
        return {_NO_IDENTIFIER.sub("_", id): id for id in reversed(self.ids)}

    def id_of(self, name: str) -> str | None:
        """The id of the task that the program "solve_<name>" is written for; None if there is none.

        The id is the name itself, or differs from it in characters that are "_" in the name, or is the name without a
        number at the end: "a_2" is a second program for the task "a".
        """
        for word in (name, _NUMBER.sub("", name)):
            if word in self:
                return word
            if word in self._by_identifier:
                return self._by_identifier[word]
        return None

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the tasks, in order."""
        return tuple(self._by_id)

    def __len__(self) -> int:
        return len(self.tasks)

    def __iter__(self) -> Iterator[Task]:
        return iter(self.tasks)

    def __contains__(self, id: object) -> bool:
        return id in self._by_id

    @overload
    def __getitem__(self, key: str | int) -> Task: ...
    @overload
    def __getitem__(self, key: slice) -> "Dataset": ...
    def __getitem__(self, key: str | int | slice) -> "Task | Dataset":
        """The task with this id or at this index, or a dataset of the tasks in a slice.

        An unknown id raises DataError with similar ids, a wrong index IndexError.
        """
        if isinstance(key, slice):
            return self._part(self.tasks[key])
        if isinstance(key, int):
            return self.tasks[key]
        if key not in self:
            raise DataError(f"{self.name} has no task {key!r} among its {len(self)}{suggestion(key, self.ids)}")
        return self._by_id[key]

    def subset(self, wanted: Iterable[str] | Callable[[Task], object]) -> "Dataset":
        """The tasks with these ids, in the order of the ids, or the tasks for which a function is true."""
        if callable(wanted):
            return self._part(tuple(task for task in self if wanted(task)))
        ids = (wanted,) if isinstance(wanted, str) else wanted
        return self._part(tuple(self[id] for id in ids))

    def _part(self, tasks: tuple[Task, ...]) -> "Dataset":
        return Dataset(f"{len(tasks):,} of {self.name}", tasks)

    def __repr__(self) -> str:
        ids = ", ".join(self.ids[:SHOWN_IDS]) + (", ..." if len(self) > SHOWN_IDS else "")
        return f"<Dataset {self.name}: {len(self):,} tasks{f' ({ids})' if ids else ''}>"

    def _repr_html_(self) -> str:
        rows = [
            (task.id, f"{len(task.train)}", f"{len(task.test)}", task.samples[0].input) for task in self.tasks[:SHOWN]
        ]
        table = table_html(("task", "train", "test", "first input"), rows, len(self))
        return titled_html(f"{self.name}: {len(self):,} tasks", table)


def suggestion(word: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown word: a hint with similar known words, or an empty text."""
    near = get_close_matches(word, known)
    return f"; did you mean {' or '.join(near)}?" if near else ""
