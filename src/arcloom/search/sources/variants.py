"""Variants of library programs that compute their colours instead of using constants.

A constant colour of a program can often be computed from its task, for example as the most frequent colour. If a term
has the value of the constant in all samples of the program's own task, it can replace the constant, and the variant
may solve other tasks.
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
"""Maximum number of variants per program."""

TERMS = 2
"""Maximum number of terms tried per colour."""


def variants(programs: Sequence[Program], home: Iterable[Task], device: str = "cpu") -> list[Program]:
    """Variants of the programs whose own task is in ``home``. A variant has the name of its program."""
    by_name = {solver_name(task.id): task for task in home}
    own = [program for program in programs if program.name in by_name]
    known = _colours_of([by_name[program.name] for program in own], device)
    return [variant for program, terms in zip(own, known, strict=True) for variant in _variants(program, terms)]


def _colours_of(tasks: Sequence[Task], device: str) -> list[dict[int, list[Term]]]:
    """For each task, the terms whose value is the same colour in all samples, by that colour."""
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
    """The variants of a program, starting with those that replace the most colours."""
    analysis = ProgramAnalysis(program)
    values = list(dict.fromkeys(map(value_at, analysis.colours)))
    choices: list[list[Term | None]] = [[*terms.get(value, [])[:TERMS], None] for value in values]
    made = (dict(zip(values, chosen, strict=True)) for chosen in product(*choices) if any(chosen))
    return [_variant(analysis, palette) for palette in islice(made, VARIANTS)]


def _variant(analysis: ProgramAnalysis, palette: dict[int, Term | None]) -> Program:
    spots: dict[Spot, Term] = {}
    for spot in analysis.colours:
        term = palette[value_at(spot)]
        if term is not None:
            spots[spot] = term
    return Program(analysis.program.name, INPUTS, Change(spots=spots).applied_to(analysis.program))
