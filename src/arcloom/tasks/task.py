"""Tasks and named sets of tasks: immutable values that can be compared, hashed and pickled."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property

Grid = tuple[tuple[int, ...], ...]
"""Rows of equal length of colours: the same plain value that programs work on."""


class DataError(ValueError):
    """Task data is wrong or missing; the message says where, and what would be right."""


@dataclass(frozen=True, slots=True)
class Pair:
    """An input grid and the output grid that belongs to it: None if that is unknown."""

    input: Grid
    output: Grid | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """Pairs that show a rule (all their outputs are known), and pairs to apply it to."""

    id: str
    train: tuple[Pair, ...]
    test: tuple[Pair, ...] = ()

    @property
    def samples(self) -> tuple[Pair, ...]:
        """All pairs: those to learn from, then those to solve."""
        return self.train + self.test

    def without_answers(self) -> "Task":
        """The same task with every test output unknown."""
        return replace(self, test=tuple(Pair(pair.input) for pair in self.test))


@dataclass(frozen=True)
class Dataset:
    """A named set of tasks in a fixed order: iterates over its tasks, and finds each by its id."""

    name: str
    tasks: tuple[Task, ...]

    def __post_init__(self) -> None:
        if len(self._by_id) < len(self.tasks):
            raise DataError(f"{self.name}: two tasks have the same id")

    @cached_property
    def _by_id(self) -> dict[str, Task]:
        return {task.id: task for task in self.tasks}

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the tasks, in their order."""
        return tuple(self._by_id)

    def __len__(self) -> int:
        return len(self.tasks)

    def __iter__(self) -> Iterator[Task]:
        return iter(self.tasks)

    def __contains__(self, id: object) -> bool:
        return id in self._by_id

    def __getitem__(self, id: str) -> Task:
        """The task with this id; a DataError with similar ids if there is none."""
        if id not in self:
            raise DataError(f"{self.name} has no task {id!r} among its {len(self)}{suggestion(id, self.ids)}")
        return self._by_id[id]


def suggestion(word: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown word: the known ones like it, or nothing."""
    near = get_close_matches(word, known)
    return f"; did you mean {' or '.join(near)}?" if near else ""
