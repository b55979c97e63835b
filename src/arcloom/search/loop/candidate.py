"""The values that pass through the search loop: candidates, and candidates after evaluation."""

from dataclasses import dataclass, replace

from arcloom.program.build import INPUTS, canonical, solver_name
from arcloom.program.term import Program

UNCHANGED = "dealt"
"""The stored name of the change of a library program that is proposed unchanged."""


@dataclass(frozen=True, slots=True)
class Lineage:
    """The ancestry of a program: the name of its first ancestor, its last change, the program to which that change was
    made, and the number of changes.
    """

    root: str
    change: str = UNCHANGED
    parent: Program | None = None
    depth: int = 0

    def then(self, change: str, parent: Program) -> "Lineage":
        """The lineage of a program made by changing ``parent``, which has this lineage."""
        return Lineage(self.root, change, parent, self.depth + 1)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A program to try on a task, and the name of the source that proposed it."""

    task: str
    program: Program
    lineage: Lineage
    source: str = ""

    @property
    def is_own(self) -> bool:
        """Whether it is the library's program for this task, unchanged."""
        return self.lineage.change == UNCHANGED and self.lineage.root == solver_name(self.task)


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A candidate after its run.

    ``outputs`` are the packed output grids for all samples of the task, None where it has no output. ``profile`` has
    the mean score from 0 to 1000 by each differ, and ``score`` is the mean of these. ``held_out`` is the share of
    demonstrations that the program solves when they are not in ``S``; a program that looks up the answer there solves
    none of them. ``solved`` means that all outputs for demonstrations are correct, and that it solves a demonstration
    that is not in ``S`` or was written for the task.
    """

    candidate: Candidate
    outputs: tuple[bytes | None, ...]
    profile: tuple[int, ...]
    score: int
    solved: bool
    held_out: float
    size: int

    def with_program(self, program: Program) -> "Evaluated":
        """This result with an equivalent program."""
        return replace(self, candidate=replace(self.candidate, program=program), size=len(program))


def as_stored(result: Evaluated) -> Evaluated:
    """The result with its program in canonical form.

    A mutation depends on the order of a program's calls. The canonical form gives the programs of an archive the same
    order whether a run continued or was resumed from the store.
    """
    candidate = result.candidate
    return result.with_program(stored_form(candidate.task, candidate.program))


def stored_form(task: str, program: Program) -> Program:
    """The canonical form of a program for a task."""
    return Program(solver_name(task), INPUTS, canonical(program.output))
