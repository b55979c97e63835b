"""Reviews of results before they are kept: solutions are simplified, and their outputs compared with the reference."""

from collections.abc import Sequence

from arcloom.program.term import Program
from arcloom.search.loop.arena import Arena
from arcloom.search.loop.candidate import Evaluated
from arcloom.search.loop.evolve import Review
from arcloom.search.review.simplified import simplified
from arcloom.search.review.validate import validate
from arcloom.store.records import Outputs


def simplify(arena: Arena, results: Sequence[Evaluated]) -> list[Evaluated]:
    """The results, with each solution in its simplest form that has the same outputs on all samples of the task."""
    solutions = [result for result in results if result.solved]
    rows = [_rows(arena, result) for result in solutions]
    simple = simplified([result.candidate.program for result in solutions], arena.samples, rows, device=arena.device)
    changed = {id(old): _with(old, program) for old, program in zip(solutions, simple.programs, strict=True)}
    return [changed.get(id(result), result) for result in results]


def _rows(arena: Arena, result: Evaluated) -> list[int]:
    """The rows to compare: the samples of the task and, if the program reads ``S``, the hidden demonstrations."""
    place = arena.places[result.candidate.task]
    return [*place.samples, *(place.hidden if "S" in result.candidate.program.reads else ())]


def _with(result: Evaluated, program: Program) -> Evaluated:
    if program is result.candidate.program:
        return result
    return result.with_program(Program(result.candidate.program.name, program.inputs, program.output))


def drop_disagreements(arena: Arena, results: Sequence[Evaluated]) -> list[Evaluated]:
    """The results without the solutions for which engine and reference disagree.

    They are compared on the test inputs, whose outputs are the answers, and on one demonstration; the other
    demonstrations are skipped because the reference is slow and the engine's outputs there are known to be correct. Of
    solutions of a task with the same outputs only the smallest is compared, and the others only if it is dropped.
    """
    solutions = [result for result in results if result.solved]
    groups = _with_same_outputs(solutions)
    agreed = _agreed(arena, [group[0] for group in groups])
    again = [result for group in groups if id(group[0]) not in agreed for result in group[1:]]
    unconfirmed = {id(group[0]) for group in groups} | {id(result) for result in again}
    dropped = unconfirmed - agreed - _agreed(arena, again)
    return [result for result in results if id(result) not in dropped]


def _with_same_outputs(solutions: Sequence[Evaluated]) -> list[list[Evaluated]]:
    """The solutions grouped by task and outputs, the smallest first in each group."""
    groups: dict[tuple[str, Outputs], list[Evaluated]] = {}
    for result in sorted(solutions, key=lambda result: result.size):
        groups.setdefault((result.candidate.task, result.outputs), []).append(result)
    return list(groups.values())


def _agreed(arena: Arena, solutions: Sequence[Evaluated]) -> set[int]:
    """The ``id`` of each solution for which engine and reference agree."""
    if not solutions:
        return set()
    places = [arena.places[result.candidate.task] for result in solutions]
    rows = [[*place.demonstrations[:1], *place.tests] for place in places]
    ran = arena.run([result.candidate.program for result in solutions], rows)
    return {id(solutions[p]) for p in validate(ran, arena.samples, budget=arena.budget).agreed}


REVIEWS: Sequence[tuple[str, Review]] = (("simplifying", simplify), ("validating", drop_disagreements))
"""The reviews of a search, in order."""
