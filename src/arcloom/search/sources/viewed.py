"""A source that applies other sources to a transformed task, such as the transposed one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from arcloom.engine.run import run
from arcloom.program.build import INPUT, INPUTS, call, literal, named, solver_name, substituted
from arcloom.program.term import Input, Program, Term
from arcloom.search.loop.candidate import Candidate
from arcloom.search.loop.source import Request, Source
from arcloom.search.loop.state import TaskState
from arcloom.tasks.packed import is_of_arc, pack
from arcloom.tasks.samples import inputs
from arcloom.tasks.task import Grid, Pair, Task

CANDIDATE = Input("C")
"""The variable of the grid to transform; ``I`` is the input of its sample."""

_BLACK, _BLUE = literal(0), literal(1)


@dataclass(frozen=True)
class TaskView:
    """A transformation of a task whose outputs can be transformed back.

    ``given`` is a term of ``I`` that transforms an input. ``encoded`` is a term of ``I`` and ``C`` that transforms the
    output ``C``; ``decoded`` is the term of its inverse.
    """

    name: str
    given: Term
    encoded: Term
    decoded: Term

    def output(self, inner: Term) -> Term:
        """The output of a program on the transformed task, as a term of the original input."""
        return substituted(self.decoded, {"C": substituted(inner, {"I": self.given})})

    def of(self, task: Task) -> Task | None:
        """The transformed task; None if it does not differ from the task, or cannot be transformed back."""
        outputs = [(pair.output, pair.input) for pair in task.samples if pair.output is not None]
        encoded, restored = _values([self.encoded, substituted(self.decoded, {"C": self.encoded})], outputs)
        [given] = _values([self.given], [(pair.input, pair.input) for pair in task.samples])
        if None in (*encoded, *given) or restored != [output for output, _ in outputs]:
            return None
        made = _with_grids(task, given, encoded)
        return None if made.samples == task.samples else made


def _values(terms: Sequence[Term], grids: Sequence[tuple[Grid, Grid]]) -> list[list[Grid | None]]:
    """The value of each term for each pair of ``C`` and ``I``; None where it is no grid."""
    programs = [Program("view", INPUTS, term) for term in terms]
    results = run(programs, [inputs(given, candidate=grid) for grid, given in grids], device="reference")
    return [[_grid(results.output(p, k)) for k in range(len(grids))] for p in range(len(programs))]


def _grid(value: Any) -> Grid | None:
    """The value if it is a valid ARC grid, otherwise None."""
    packed = pack(value)
    return value if packed is not None and is_of_arc(packed) else None


def _with_grids(task: Task, given: Sequence[Any], outputs: Sequence[Any]) -> Task:
    """The task with these inputs and outputs, in the order of ``samples``."""
    rest = iter(outputs)
    pairs = [
        Pair(grid, None if pair.output is None else next(rest)) for grid, pair in zip(given, task.samples, strict=True)
    ]
    return task.with_samples(pairs)


def _switched(grid: Term, colour: Term, other: Term) -> Term:
    return call("switch", grid, colour, other)


_MOST = call("mostcolor", INPUT)
_SECOND = call("get_color_rank_t", _switched(INPUT, _BLACK, _MOST), named("F1"))


def _symmetric(name: str, encoded: Term, decoded: Term) -> TaskView:
    """A view that transforms inputs and outputs in the same way."""
    return TaskView(name, substituted(encoded, {"C": INPUT}), encoded, decoded)


def _of_outputs(name: str, encoded: Term, decoded: Term) -> TaskView:
    """A view that transforms only outputs."""
    return TaskView(name, INPUT, encoded, decoded)


BACKGROUND = _symmetric("background", _switched(CANDIDATE, _BLACK, _MOST), _switched(CANDIDATE, _BLACK, _MOST))
"""The most frequent colour of the input and black change places."""

RANKED = _symmetric(
    "ranked",
    _switched(_switched(CANDIDATE, _BLACK, _MOST), _BLUE, _SECOND),
    _switched(_switched(CANDIDATE, _BLUE, _SECOND), _BLACK, _MOST),
)
"""The most frequent colour of the input becomes black, and the next one blue."""

TRANSPOSED = _symmetric("transposed", call("dmirror", CANDIDATE), call("dmirror", CANDIDATE))
"""Rows become columns."""

_LEFT, _TOP = call("lefthalf", CANDIDATE), call("tophalf", CANDIDATE)
_WITH_MIRRORED_RIGHT = call("hconcat", CANDIDATE, call("vmirror", CANDIDATE))
_WITH_MIRRORED_BOTTOM = call("vconcat", CANDIDATE, call("hmirror", CANDIDATE))
_TWICE_ACROSS, _TWICE_DOWN = call("hconcat", CANDIDATE, CANDIDATE), call("vconcat", CANDIDATE, CANDIDATE)

CONSTRUCTED = (
    _of_outputs(
        "mirrored both ways",
        call("lefthalf", _TOP),
        substituted(_WITH_MIRRORED_BOTTOM, {"C": _WITH_MIRRORED_RIGHT}),
    ),
    _of_outputs("repeated both ways", call("lefthalf", _TOP), substituted(_TWICE_DOWN, {"C": _TWICE_ACROSS})),
    _of_outputs("mirrored across", _LEFT, _WITH_MIRRORED_RIGHT),
    _of_outputs("mirrored down", _TOP, _WITH_MIRRORED_BOTTOM),
    _of_outputs("repeated across", _LEFT, _TWICE_ACROSS),
    _of_outputs("repeated down", _TOP, _TWICE_DOWN),
    *(
        _of_outputs(
            f"enlarged by {k}", call("downscale", CANDIDATE, literal(k)), call("upscale", CANDIDATE, literal(k))
        )
        for k in (2, 3, 4)
    ),
)
"""Views of outputs that are constructed from a part of themselves: the search is for that part."""


class Viewed(Source):
    """Proposes the candidates of other sources for transformed tasks, translated back to the original task.

    ``sources`` see each transformed task as a new task whose search began in generation ``first``, without an archive.
    """

    def __init__(self, name: str, views: Sequence[TaskView], sources: Sequence[Source], first: int) -> None:
        self.name = name  # type: ignore[misc]  # there are several sources of this class
        self._views = views
        self._sources = sources
        self._first = first

    def is_due(self, generation: int) -> bool:
        """See ``Source``."""
        inner = generation - self._first
        return inner >= 0 and any(source.is_due(inner) for source in self._sources)

    def propose(self, request: Request) -> Iterator[Candidate]:
        """See ``Source``."""
        generation = request.generation - self._first
        due = [source for source in self._sources if source.is_due(generation)]
        for view in self._views:
            viewed = [view.of(state.task) for state in request.states]
            states = [TaskState(task, generation) for task in viewed if task is not None]
            for source in due if states else ():
                for candidate in source.propose(replace(request, states=states, generation=generation)):
                    if "S" not in candidate.program.reads:
                        yield _mapped(view, candidate)
                self.expressions += source.take_expressions()


def _mapped(view: TaskView, candidate: Candidate) -> Candidate:
    """The candidate for a transformed task, translated to the original task."""
    program = Program(solver_name(candidate.task), INPUTS, view.output(candidate.program.output))
    lineage = replace(candidate.lineage, root=f"{candidate.lineage.root} ({view.name})")
    return replace(candidate, program=program.with_lines(range(1, len(program) + 1)), lineage=lineage)
