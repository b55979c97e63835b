"""What passes through the search loop: candidates, and what they are worth."""

from dataclasses import dataclass

from arcloom.program.term import Program

SOLVER = "solve_"
"""What stands before the task id in a solver's name."""

DEALT = "dealt"
"""The change that is none: a program of a library as it is."""

INPUTS = ("S", "I", "C")
"""What a program that is made here declares, whether it reads it or not."""


@dataclass(frozen=True, slots=True)
class Lineage:
    """Where a program comes from: the name at the root of its line, the last change, what was changed, and how many
    changes there were.
    """

    root: str
    change: str = DEALT
    parent: Program | None = None
    depth: int = 0

    def then(self, change: str, parent: Program) -> "Lineage":
        """The lineage of what this change makes of the program that has this one."""
        return Lineage(self.root, change, parent, self.depth + 1)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A program to try on a task."""

    task: str
    program: Program
    lineage: Lineage

    @property
    def is_own(self) -> bool:
        """Whether it is, unchanged, the program that a library has for this task."""
        return self.lineage.change == DEALT and self.lineage.root == SOLVER + self.task


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
