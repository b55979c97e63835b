"""Variants of solvers that find their colours instead of naming them.

A colour that a program names is often one that its task tells: the one that appears in the outputs, the most frequent
one. Where such a term gives the same colour in all samples of the program's own task, it can stand for the constant
there, and the variant may solve other tasks.
"""

from collections.abc import Iterable, Sequence
from itertools import islice, product

from arcloom.engine.run import run
from arcloom.enumerate.task_constants import DERIVED_COLOURS
from arcloom.program.build import INPUTS, solver_name
from arcloom.program.term import Program, Term
from arcloom.search.sources.analysis import ProgramAnalysis, Spot
from arcloom.search.sources.mutate import Change, value_at
from arcloom.tasks.samples import samples_of_tasks
from arcloom.tasks.task import Task

VARIANTS = 4
"""Maximum number of variants of one program."""

TERMS = 2
"""Maximum number of terms that are tried for one colour."""


def variants(programs: Sequence[Program], home: Iterable[Task], device: str = "cpu") -> list[Program]:
    """Variants of those programs whose own task is at hand. They bear the names of what they were made from."""
    by_name = {solver_name(task.id): task for task in home}
    own = [program for program in programs if program.name in by_name]
    known = _colours_of([by_name[program.name] for program in own], device)
    return [variant for program, terms in zip(own, known, strict=True) for variant in _variants(program, terms)]


def _colours_of(tasks: Sequence[Task], device: str) -> list[dict[int, list[Term]]]:
    """For each task, the terms that give a colour which is the same in all its samples, by that colour."""
    programs = [Program("colour", INPUTS, term) for term in DERIVED_COLOURS]
    samples, rows = samples_of_tasks(tasks)
    results = run(programs, samples, device=device, typed_only=True)
    found: list[dict[int, list[Term]]] = [{} for _ in tasks]
    for terms, own in zip(found, rows, strict=True):
        for p, program in enumerate(programs):
            values = {results.output(p, row) for row in own}
            if len(values) == 1 and None not in values:
                terms.setdefault(values.pop(), []).append(program.output)
    return found


def _variants(program: Program, terms: dict[int, list[Term]]) -> list[Program]:
    """The program with more of its colours found first."""
    anatomy = ProgramAnalysis(program)
    values = list(dict.fromkeys(map(value_at, anatomy.colours)))
    choices: list[list[Term | None]] = [[*terms.get(value, [])[:TERMS], None] for value in values]
    made = (dict(zip(values, chosen, strict=True)) for chosen in product(*choices) if any(chosen))
    return [_variant(anatomy, palette) for palette in islice(made, VARIANTS)]


def _variant(anatomy: ProgramAnalysis, palette: dict[int, Term | None]) -> Program:
    spots: dict[Spot, Term] = {}
    for spot in anatomy.colours:
        term = palette[value_at(spot)]
        if term is not None:
            spots[spot] = term
    return Program(anatomy.program.name, INPUTS, Change(spots=spots).applied_to(anatomy.program))
