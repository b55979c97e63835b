"""Sources that work on a task seen in another way, such as transposed or with its background in black."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from arcloom.engine.run import run
from arcloom.program.build import INPUT, INPUTS, call, literal, named, solver_name, substituted
from arcloom.program.term import Input, Program, Term
from arcloom.search.loop.candidate import Candidate
from arcloom.search.loop.source import Request, Source
from arcloom.search.loop.state import TaskState
from arcloom.tasks.task import Grid, Pair, Task

CANDIDATE = Input("C")
"""The input under which the grid to transform is given, while ``I`` is the input of its sample."""

_BLACK, _BLUE = literal(0), literal(1)


@dataclass(frozen=True)
class View:
    """A reversible transformation of grids, given by the input of a sample.

    ``encoded`` is a term of ``I`` and ``C`` that transforms the grid ``C``; ``decoded`` is the term of its inverse. The
    view is used for a task if it changes the input of some sample.
    """

    name: str
    encoded: Term
    decoded: Term

    def input(self) -> Term:
        """The transformed input as a term of ``I``."""
        return substituted(self.encoded, {"C": INPUT})

    def output(self, inner: Term) -> Term:
        """The output of a program on the transformed task, as a term of the original input."""
        return substituted(self.decoded, {"C": substituted(inner, {"I": self.input()})})

    def of(self, task: Task) -> Task | None:
        """The transformed task; None if it does not differ from the task, or cannot be transformed."""
        pairs = [(grid, pair.input) for pair in task.samples for grid in (pair.input, pair.output) if grid is not None]
        program = Program("view", INPUTS, self.encoded)
        results = run([program], [{"I": given, "C": grid, "S": ()} for grid, given in pairs], device="reference")
        made = [results.output(0, k) for k in range(len(pairs))]
        grids: list[Grid] = [grid for grid in made if grid is not None]
        if len(grids) < len(pairs) or all(new == old for new, (old, _) in zip(grids, pairs, strict=True)):
            return None
        return _with_grids(task, grids)


def _with_grids(task: Task, grids: Sequence[Grid]) -> Task:
    """The task with other grids, in the order of ``samples``, inputs before outputs."""
    rest = iter(grids)
    pairs = [Pair(next(rest), None if pair.output is None else next(rest)) for pair in task.samples]
    return task.with_samples(pairs)


def _switched(grid: Term, colour: Term, other: Term) -> Term:
    return call("switch", grid, colour, other)


_MOST = call("mostcolor", INPUT)
_SECOND = call("get_color_rank_t", _switched(INPUT, _BLACK, _MOST), named("F1"))

BACKGROUND = View("background", _switched(CANDIDATE, _BLACK, _MOST), _switched(CANDIDATE, _BLACK, _MOST))
"""The most frequent colour of the input and black change places."""

RANKED = View(
    "ranked",
    _switched(_switched(CANDIDATE, _BLACK, _MOST), _BLUE, _SECOND),
    _switched(_switched(CANDIDATE, _BLUE, _SECOND), _BLACK, _MOST),
)
"""The most frequent colour of the input becomes black, and the next one blue."""

TRANSPOSED = View("transposed", call("dmirror", CANDIDATE), call("dmirror", CANDIDATE))
"""Rows become columns."""


class Viewed(Source):
    """Proposes what other sources propose for a task in another view.

    ``sources`` are asked as if the search for the transformed task began in generation ``first``. They get no archive.
    """

    def __init__(self, view: View, sources: Sequence[Source], first: int) -> None:
        self.name = f"{view.name} view"  # type: ignore[misc]  # there is a source for each view
        self._view = view
        self._sources = sources
        self._first = first

    def is_due(self, generation: int) -> bool:
        """See ``Source``."""
        inner = generation - self._first
        return inner >= 0 and any(source.is_due(inner) for source in self._sources)

    def propose(self, request: Request) -> Iterator[Candidate]:
        """See ``Source``."""
        generation = request.generation - self._first
        viewed = [self._view.of(state.task) for state in request.states]
        states = [TaskState(task, generation) for task in viewed if task is not None]
        inner = replace(request, states=states, generation=generation)
        for source in self._sources:
            if states and source.is_due(generation):
                for candidate in source.propose(inner):
                    if "S" not in candidate.program.reads:
                        yield self._mapped(candidate)
                self.expressions += source.take_expressions()

    def _mapped(self, candidate: Candidate) -> Candidate:
        """The candidate for the original task."""
        output = self._view.output(candidate.program.output)
        program = Program(solver_name(candidate.task), INPUTS, output)
        lineage = replace(candidate.lineage, root=f"{candidate.lineage.root} ({self._view.name})")
        return replace(candidate, program=program.with_lines(range(1, len(program) + 1)), lineage=lineage)
