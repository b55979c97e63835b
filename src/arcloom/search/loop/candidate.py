"""The values that pass through the search loop: candidates, and candidates after evaluation."""

from dataclasses import dataclass, replace

from arcloom.program.build import INPUTS, canonical, solver_name
from arcloom.program.term import Program

DEALT = "dealt"
"""The change of a program that is proposed as it is in a library."""


@dataclass(frozen=True, slots=True)
class Lineage:
    """The ancestry of a program: the name of its first ancestor, the last change, the program that was changed, and
    the number of changes.
    """

    root: str
    change: str = DEALT
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
        """Whether it is, unchanged, the program that a library has for this task."""
        return self.lineage.change == DEALT and self.lineage.root == solver_name(self.task)


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A candidate after its run.

    ``outputs`` are the packed output grids for all samples of the task, None where there is none. ``score`` is the mean
    of ``profile``, which has a mean from 0 to 1000 for each differ. ``held_out`` is the share of demonstrations that a
    program solves without seeing them in ``S``: a program that looks the answer up there solves none. ``solved`` says
    that it gives the right outputs for all demonstrations, and that it solves some unseen or was written for the task.
    """

    candidate: Candidate
    outputs: tuple[bytes | None, ...]
    profile: tuple[int, ...]
    score: int
    solved: bool
    held_out: float
    size: int

    def with_program(self, program: Program) -> "Evaluated":
        """This result for an equivalent program."""
        return replace(self, candidate=replace(self.candidate, program=program), size=len(program))


def as_stored(result: Evaluated) -> Evaluated:
    """The result with its program in canonical form.

    A mutation depends on the order of a program's calls. The programs of an archive therefore have a form that depends
    only on their content: it is the same whether a run went on or was resumed from the store.
    """
    candidate = result.candidate
    return result.with_program(stored_form(candidate.task, candidate.program))


def stored_form(task: str, program: Program) -> Program:
    """The canonical form of a program for a task."""
    return Program(solver_name(task), INPUTS, canonical(program.output))
