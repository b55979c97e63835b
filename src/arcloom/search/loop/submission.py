"""The answers of a search: two attempts for each test input of each task, in Kaggle's format."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from arcloom.search.loop.state import TaskState
from arcloom.store import Attempt
from arcloom.tasks import submissions
from arcloom.tasks.grid import shape
from arcloom.tasks.html import figures_html
from arcloom.tasks.packed import COLOURS, pack, unpack
from arcloom.tasks.task import Dataset, Grid, Task

ATTEMPTS = 2


@dataclass(frozen=True, repr=False)
class Answer:
    """The attempts for one test input, and the confidence of the first: 0 if no program solves all demonstrations."""

    attempts: tuple[Grid, Grid]
    confidence: float

    def __repr__(self) -> str:
        first, second = self.attempts
        return f"<Answer {shape(first)} or {shape(second)}, confidence {self.confidence:.0%}>"

    def _repr_html_(self) -> str:
        first, second = self.attempts
        return figures_html([(f"attempt 1, confidence {self.confidence:.0%}", first), ("attempt 2", second)])


Answers = dict[str, list[Answer]]


def answers(states: Iterable[TaskState]) -> Answers:
    """The answers for every test input of every task."""
    return {state.task.id: answers_of(state) for state in states}


def answers_of(state: TaskState) -> list[Answer]:
    """The answers for every test input of a task."""
    return [_answer(state, test) for test in range(len(state.task.test))]


def _answer(state: TaskState, test: int) -> Answer:
    first, second = islice(dict.fromkeys(_guesses(state, test)), ATTEMPTS)
    return Answer((unpack(first), unpack(second)), state.ballot.confidence(test))


def attempts(state: TaskState) -> list[Attempt]:
    """The answers of a task in stored form."""
    return [
        Attempt(state.key, test, rank, grid, answer.confidence)
        for test, answer in enumerate(answers_of(state))
        for rank, grid in enumerate(answer.attempts, 1)
    ]


def stored_answers(stored: Sequence[Attempt]) -> list[Answer]:
    """The answers of a task from its stored attempts."""
    pairs = zip(stored[::ATTEMPTS], stored[1::ATTEMPTS], strict=True)
    return [Answer((first.grid, second.grid), first.confidence) for first, second in pairs]


def _guesses(state: TaskState, test: int) -> Iterator[bytes]:
    """Possible outputs, most likely first. At least two of them are different."""
    yield from state.ballot.guesses(test)
    for result in state.archive.ranked():
        output = result.outputs[len(state.task.train) + test]
        if output is not None:
            yield output
    yield from map(_packed, _last_resorts(state.task, test))


def _packed(grid: Any) -> bytes:
    found = pack(grid)
    assert found is not None
    return found


def _last_resorts(task: Task, test: int) -> Iterator[Any]:
    """Guesses without a program: the most common cells of the outputs, the input, and grids of one colour."""
    outputs = [np.array(pair.output, np.int8) for pair in task.train]
    if len({output.shape for output in outputs}) == 1:
        yield _most_common_cells(np.stack(outputs))
    given = np.array(task.test[test].input, np.int8)
    shape = outputs[0].shape if outputs and len({output.shape for output in outputs}) == 1 else given.shape
    yield given
    yield from (np.full(shape, colour, np.int8) for colour in (0, 1))


def _most_common_cells(outputs: Any) -> Any:
    counts = np.stack([(outputs == colour).sum(axis=0) for colour in range(COLOURS)])
    return counts.argmax(axis=0).astype(np.int8)


def to_json(found: Answers) -> submissions.Submission:
    """The submission in Kaggle's format, tasks in the order of their ids."""
    names = submissions.ATTEMPTS
    return {id: [dict(zip(names, answer.attempts, strict=True)) for answer in found[id]] for id in sorted(found)}


def write(found: Answers, path: Path) -> None:
    """Write the submission atomically."""
    submissions.write(to_json(found), path)


@dataclass(frozen=True)
class SubmissionScore:
    """The score of answers on the tasks whose correct answers are known.

    A task counts with the share of its test inputs for which an attempt is correct.
    """

    tasks: int
    known: int
    points: float
    solved: tuple[str, ...]


def score(found: Answers, dataset: Dataset) -> SubmissionScore:
    """Compare answers with the test outputs of a dataset, as far as it has them."""
    known = [task for task in dataset if task.test and all(pair.output for pair in task.test)]
    shares = {task.id: _share(found[task.id], task) for task in known}
    solved = tuple(id for id, share in shares.items() if share == 1)
    return SubmissionScore(len(dataset), len(known), sum(shares.values()), solved)


def _share(attempted: Sequence[Answer], task: Task) -> float:
    right = Counter(pair.output in answer.attempts for answer, pair in zip(attempted, task.test, strict=True))
    return right[True] / len(task.test)
