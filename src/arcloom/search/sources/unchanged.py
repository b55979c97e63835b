"""A source that proposes the programs of a library unchanged."""

from collections.abc import Iterator, Sequence

from arcloom.program.build import solver_name
from arcloom.program.term import Program
from arcloom.search.loop.candidate import Candidate, Lineage
from arcloom.search.loop.source import EACH, Request, Source
from arcloom.search.loop.state import TaskState


class Unchanged(Source):
    """Proposes every program of a library for every task: first the one named after the task, then by size."""

    def __init__(self, name: str, programs: Sequence[Program], *, each: int = EACH, hide_own: bool = False) -> None:
        self.name = name  # type: ignore[misc]  # there are several sources of this class
        self._programs = sorted(programs, key=lambda program: (len(program), program.name))
        self._own = {program.name: program for program in programs}
        self._each = each
        self._hide_own = hide_own

    @property
    def generations(self) -> int:
        """The number of generations after which all programs have been proposed."""
        return -(-len(self._programs) // self._each)

    def is_due(self, generation: int) -> bool:
        """See ``Source``."""
        return generation < self.generations

    def propose(self, request: Request) -> Iterator[Candidate]:
        """See ``Source``."""
        first = request.generation * self._each
        due = self._programs[first : first + self._each]
        for state in request.states:
            for program in self._for(state, due):
                yield Candidate(state.task.id, program, Lineage(program.name))

    def _for(self, state: TaskState, due: list[Program]) -> list[Program]:
        name = solver_name(state.task.id)
        if self._hide_own:
            return [program for program in due if program.name != name]
        return [self._own[name], *due] if state.generation == 0 and name in self._own else due
