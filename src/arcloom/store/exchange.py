"""Importing programs into the store, and exporting them as solver files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from arcloom.dsl.signature import Type
from arcloom.notices import say_once
from arcloom.program.build import SOLVER, solver_name
from arcloom.program.graph import Graph
from arcloom.program.refusal import ParseError
from arcloom.program.term import Program
from arcloom.program.trace import STANDARD_INPUTS, TraceError, Tracer
from arcloom.store.records import Entry, Listed, StoredScore
from arcloom.store.store import Store

PARTIAL = "partial_"
"""Prefix of the names of exported programs that do not solve all demonstrations of their task."""


@dataclass(frozen=True)
class Imported:
    """The result of an import: programs that are new, known already, or rejected because they have no types."""

    new: list[Program] = field(default_factory=list)
    known: list[Program] = field(default_factory=list)
    untyped: list[TraceError] = field(default_factory=list)
    scored: int = 0

    @property
    def total(self) -> int:
        """The number of programs."""
        return len(self.new) + len(self.known) + len(self.untyped)


def import_programs(
    store: Store,
    programs: Sequence[Program],
    scores: Sequence[StoredScore] = (),
    *,
    inputs: Mapping[str, Type] = STANDARD_INPUTS,
) -> Imported:
    """Add the programs that have types, and scores. Programs that the store has already are not changed."""
    typed, untyped = _sorted_out(programs, inputs)
    digests = {program.digest for program in typed}
    kept = [score for score in scores if score.program in digests]
    new = store.add(typed, kept)
    first = set(map(id, new))
    known = [program for program in typed if id(program) not in first]
    return Imported(new, known, untyped, len({(score.program, score.task) for score in kept}))


def _sorted_out(programs: Sequence[Program], inputs: Mapping[str, Type]) -> tuple[list[Program], list[TraceError]]:
    tracer = Tracer(Graph(), inputs)
    typed: list[Program] = []
    untyped: list[TraceError] = []
    for program in programs:
        try:
            tracer.trace(program)
            typed.append(program)
        except TraceError as error:
            untyped.append(error)
    return typed, untyped


def exported(store: Store, *, every: bool = False) -> list[Program]:
    """The programs that solve the demonstrations of a task, and imported ones without a score; with ``every``, all.

    A program is exported as solve_<id> for each task that it solves. A program that solves none of its tasks is
    exported as partial_<id> for the task with its best score; one without a score keeps its name. If a name is taken, a
    number is added, as in solve_<id>_2.
    """
    listed = [one for one in store.listed() if is_readable(one.entry)]
    solving = {one.entry.digest for one in listed if _solves(one)}
    parents = {digest for (digest,) in store.query("SELECT parent FROM lineage")}
    nearest: dict[str, Listed] = {}
    for one in listed:
        imported = one.score is None and one.entry.digest not in parents
        if one.entry.digest not in solving and (every or imported):
            known = nearest.setdefault(one.entry.digest, one)
            if known.score is not None and one.score is not None and one.score.score > known.score.score:
                nearest[one.entry.digest] = one
    taken: set[str] = set()
    chosen = [*filter(_solves, listed), *nearest.values()]
    return [replace(one.entry.program, name=_free(_name(one), taken)) for one in chosen]


def is_readable(entry: Entry) -> bool:
    """Whether the text of a program can be parsed. If not, prints a message that it is left out."""
    try:
        return bool(entry.program.name)
    except ParseError as error:
        say_once(f"a damaged program is left out: {error}; 'arcloom library check --repair' removes it")
        return False


def _solves(listed: Listed) -> bool:
    return listed.score is not None and listed.score.is_solution


def _name(listed: Listed) -> str:
    if listed.score is None:
        return listed.entry.name
    name = solver_name(listed.score.task.id)
    return name if _solves(listed) else name.replace(SOLVER, PARTIAL, 1)


def _free(name: str, taken: set[str]) -> str:
    """The name, with a number if it is taken. It is added to ``taken``."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    taken.add(free)
    return free
