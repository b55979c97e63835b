"""A source that merges two programs of a task, each of which is correct in another part of the output."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, permutations

import numpy as np

from arcloom.program.build import INPUT, INPUTS, call
from arcloom.program.keys import Keys
from arcloom.program.term import Program, Term
from arcloom.search.loop.candidate import Candidate, Evaluated
from arcloom.search.loop.source import Request, Source
from arcloom.search.loop.state import TaskState
from arcloom.tasks.packed import Cells, cells

BEST = 8
"""Number of best programs of a task that are merged in pairs."""


def changes_onto(above: Term, below: Term) -> Term:
    """The output ``below``, with the cells painted that ``above`` changes in the input."""
    return call("paint", below, call("difference", call("asobject", above), call("asobject", INPUT)))


def background_from(above: Term, below: Term) -> Term:
    """The output ``above``, with the cells of ``below`` instead of its background."""
    return call("underpaint", above, call("asobject", below))


class Merge(Source):
    """Proposes merged programs with fewer wrong cells than either part, for tasks without a solution."""

    name = "merge"

    def __init__(self, keys: Keys) -> None:
        self._keys = keys

    def propose(self, request: Request) -> Iterator[Candidate]:
        """See ``Source``."""
        for state in request.states:
            if not state.solutions:
                yield from islice(self._merged(state), request.each)

    def _merged(self, state: TaskState) -> Iterator[Candidate]:
        seen = state.seen_by(self.name)
        fitting = [result for result in state.archive.ranked()[: 2 * BEST] if state.has_shapes(result)][:BEST]
        for above, below in permutations(fitting, 2):
            if seen.add(hash((self._keys(above.candidate.program), self._keys(below.candidate.program)))):
                yield from _merges(above, below, state)


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
