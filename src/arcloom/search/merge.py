"""Merging two candidates of a task into one, where each is right in another part of the output."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, permutations

import numpy as np

from arcloom.program.term import Program, Term
from arcloom.search.candidate import INPUTS, Candidate, Evaluated
from arcloom.search.facts import INPUT, call
from arcloom.search.packed import Cells, cells
from arcloom.search.state import TaskState

BEST = 8
"""So many of a task's best programs are looked at, each two of them once."""

REMEMBERED = 100_000


def changes_onto(above: Term, below: Term) -> Term:
    """What the one changes in the input, painted on what the other gives."""
    return call("paint", below, call("difference", call("asobject", above), call("asobject", INPUT)))


def background_from(above: Term, below: Term) -> Term:
    """The one, with its background taken from the other."""
    return call("underpaint", above, call("asobject", below))


class Merge:
    """Proposes merged programs that have more right cells than either part."""

    def __init__(self) -> None:
        self._seen: set[tuple[int, int]] = set()
        self._alive: list[Evaluated] = []

    def ask(self, states: Sequence[TaskState], each: int, generation: int) -> list[Candidate]:
        """See ``Source``."""
        if len(self._seen) > REMEMBERED:
            self._seen.clear()
            self._alive.clear()
        return [candidate for state in states if not state.solutions for candidate in islice(self._merged(state), each)]

    def tell(self, results: Sequence[Evaluated]) -> None:
        """See ``Source``."""

    def _merged(self, state: TaskState) -> Iterator[Candidate]:
        fitting = [result for result in state.archive.ranked()[: 2 * BEST] if _has_shapes(result, state)][:BEST]
        for above, below in permutations(fitting, 2):
            if (id(above), id(below)) not in self._seen:
                self._seen.add((id(above), id(below)))
                self._alive += [above, below]  # so that no other gets the identity
                yield from _merges(above, below, state)


def _has_shapes(result: Evaluated, state: TaskState) -> bool:
    pairs = zip(result.outputs, state.targets, strict=False)
    return all(output is not None and output[:2] == target[:2] for output, target in pairs)


def _grids(result: Evaluated, state: TaskState) -> list[Cells]:
    return [cells(output) for output, _ in zip(result.outputs, state.targets, strict=False) if output is not None]


def _merges(above: Evaluated, below: Evaluated, state: TaskState) -> Iterator[Candidate]:
    over, under = _grids(above, state), _grids(below, state)
    targets = list(map(cells, state.targets))
    least = min(_wrong(over, targets), _wrong(under, targets))
    inputs = [np.array(pair.input, np.int8) for pair in state.task.train]
    if all(given.shape == target.shape for given, target in zip(inputs, targets, strict=True)):
        painted = [np.where(o != i, o, u) for o, u, i in zip(over, under, inputs, strict=True)]
        if _wrong(painted, targets) < least:
            yield _candidate(above, below, changes_onto)
    filled = [np.where(o == _most_common(o), u, o) for o, u in zip(over, under, strict=True)]
    if _wrong(filled, targets) < least:
        yield _candidate(above, below, background_from)


def _wrong(grids: Sequence[Cells], targets: Sequence[Cells]) -> int:
    return sum(int(np.count_nonzero(grid != target)) for grid, target in zip(grids, targets, strict=True))


def _most_common(grid: Cells) -> int:
    return int(np.bincount(grid.ravel()).argmax())


def _candidate(above: Evaluated, below: Evaluated, how: Callable[[Term, Term], Term]) -> Candidate:
    first, second = above.candidate, below.candidate
    program = Program(first.program.name, INPUTS, how(first.program.output, second.program.output))
    return Candidate(first.task, program, first.lineage.then("merge", first.program))
