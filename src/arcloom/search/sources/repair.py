"""A source that repairs candidates whose outputs are the targets in other colours, rotated or mirrored."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from arcloom.program.build import INPUTS, call, literal
from arcloom.program.evaluate import ProgramFailure, evaluate
from arcloom.program.term import Literal, Program, Term
from arcloom.search.loop.candidate import Candidate, Evaluated
from arcloom.search.loop.source import Request, Source
from arcloom.search.loop.state import TaskState
from arcloom.tasks.packed import Cells, cells
from arcloom.tasks.samples import demonstrations, inputs

TEMPORARY = 20
"""Added to a colour to make a temporary one, so that several colours can be exchanged."""

TURNS: dict[str, Callable[[Cells], Cells]] = {
    "hmirror": np.flipud,
    "vmirror": np.fliplr,
    "rot180": lambda grid: np.rot90(grid, 2),
    "dmirror": np.transpose,
    "cmirror": lambda grid: np.rot90(grid, 2).T,
    "rot90": lambda grid: np.rot90(grid, -1),
    "rot270": np.rot90,
}
"""The symmetries of grids, by the name of the primitive."""

Recolouring = dict[int, int]
"""The new colour of each colour."""


def recolouring(output: bytes, target: bytes) -> Recolouring | None:
    """The target colour of each colour of the output; None if there is no such mapping."""
    if output[:2] != target[:2]:
        return None
    mapping: Recolouring = {}
    for have, want in set(zip(output[2:], target[2:], strict=True)):
        if mapping.setdefault(have, want) != want:
            return None
    return mapping


def recoloured(output: Term, mapping: dict[int, Term]) -> Term:
    """A term for the output with each of these colours replaced, as if at the same time."""
    names_new = all(isinstance(want, Literal) and want.value not in mapping for want in mapping.values())
    if not names_new and len(mapping) > 1:  # a new colour must not be replaced again
        for have in mapping:
            output = call("replace", output, literal(have), literal(have + TEMPORARY))
        mapping = {have + TEMPORARY: want for have, want in mapping.items()}
    for have, want in mapping.items():
        output = call("replace", output, literal(have), want)
    return output


class Repair(Source):
    """Proposes a repaired program for each result that is correct after recolouring or a symmetry."""

    name = "repair"

    def propose(self, request: Request) -> Iterator[Candidate]:
        """See ``Source``. Repairs are made from results: see ``follow_up``."""
        return iter(())

    def follow_up(self, results: Sequence[Evaluated], states: Mapping[str, TaskState]) -> Iterator[Candidate]:
        """See ``Source``."""
        for result in results:
            state = states[result.candidate.task]
            if not result.solved and not _is_right(result, state):
                for output in _repairs(result, state):
                    yield _changed(result.candidate, output)


def _is_right(result: Evaluated, state: TaskState) -> bool:
    """Whether all demonstrations are correct. If such a result is no solution, no repair makes it one."""
    return list(result.outputs[: len(state.targets)]) == state.targets


def _changed(candidate: Candidate, output: Term) -> Candidate:
    program = Program(candidate.program.name, INPUTS, output)
    return Candidate(candidate.task, program, candidate.lineage.then("repair", candidate.program))


def _repairs(result: Evaluated, state: TaskState) -> Iterator[Term]:
    output = result.candidate.program.output
    mappings = _mappings(result, state)
    mapping = None if mappings is None else _common(mappings, state)
    if mapping:
        yield recoloured(output, mapping)
    yield from (call(name, output) for name in _turns(result, state))


def _turns(result: Evaluated, state: TaskState) -> list[str]:
    """The symmetries that map every output to its target."""
    pairs = list(zip(result.outputs, state.targets, strict=False))
    if any(output is None or sorted(output) != sorted(target) for output, target in pairs):
        return []
    grids = [(cells(output), cells(target)) for output, target in pairs if output is not None]
    return [name for name, turn in TURNS.items() if all(np.array_equal(turn(have), want) for have, want in grids)]


def _mappings(result: Evaluated, state: TaskState) -> list[Recolouring] | None:
    """The recolouring of each demonstration; None if a demonstration has none."""
    found = []
    for target, output in zip(state.targets, result.outputs, strict=False):
        mapping = None if output is None else recolouring(output, target)
        if mapping is None:
            return None
        found.append(mapping)
    return found


def _common(mappings: Sequence[Recolouring], state: TaskState) -> dict[int, Term] | None:
    """One recolouring for all demonstrations; None if there is none.

    Where the target colour differs between demonstrations, it is a term that computes it.
    """
    chosen: dict[int, Term] = {}
    for have in sorted({colour for mapping in mappings for colour in mapping}):
        wanted = [mapping.get(have) for mapping in mappings]
        if all(want in (None, have) for want in wanted):
            continue
        term = _term(wanted, state)
        if term is None:
            return None
        chosen[have] = term
    return chosen


def _term(wanted: list[int | None], state: TaskState) -> Term | None:
    distinct = {want for want in wanted if want is not None}
    if len(distinct) == 1:
        return literal(distinct.pop())
    for term, values in derived_colours(state).items():
        if all(want in (None, value) for want, value in zip(wanted, values, strict=True)):
            return term
    return None


def derived_colours(state: TaskState) -> dict[Term, list[int | None]]:
    """The terms that compute a colour, each with its value for every demonstration; None where it fails."""
    if state.derived_colours is None:
        terms = state.constants.derived_colours
        state.derived_colours = {term: [_value(term, state, k) for k in range(len(state.task.train))] for term in terms}
    return state.derived_colours


def _value(term: Term, state: TaskState, demonstration: int) -> int | None:
    sample = inputs(state.task.train[demonstration].input, demonstrations(state.task))
    try:
        value: int = evaluate(Program("colour", INPUTS, term), sample)
    except ProgramFailure:
        return None
    return value
