"""Fragments: parts of programs that occur in the programs of several tasks, with parameters for what differs.

A fragment consists of connected calls of a program: a call, some of the calls that compute its arguments, and so on.
Its parameters stand for the remaining arguments; equal arguments share one. Functions that are passed to other
functions belong to the fragment. Constants stay or become parameters. As in Stitch (Bowers et al., 2023), a fragment is
ranked by the number of calls that the programs save if each occurrence is replaced by one call.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from arcloom.dsl.signature import INT
from arcloom.enumerate.enumerator import PARAMETERS, VALUE_CLASSES
from arcloom.program.build import canonical
from arcloom.program.simplify import simplify_all
from arcloom.program.term import Call, Input, Program, Term
from arcloom.program.term_types import is_colour, types_of
from arcloom.program.trace import TraceError, trace

MOST_CALLS, MOST_PARAMETERS = 6, 3
"""Maximum numbers of calls and of parameters of a fragment."""

Corpus = Mapping[str, Sequence[Program]]
"""The right programs of each task, by the id of the task."""

Classes = Mapping[Term, str]
"""The names of the value classes of terms. Terms of other types are missing."""

_NAMES: Mapping[str, Sequence[str]] = {
    value_class.name: [name for name, typed in PARAMETERS.items() if typed is value_class]
    for value_class in VALUE_CLASSES
}
_BY_TYPE = {value_class.type: value_class.name for value_class in VALUE_CLASSES if value_class.type is not INT}
_TYPES = {name: value_class.type for name, value_class in PARAMETERS.items()}


@dataclass(frozen=True)
class Fragment:
    """A part of programs as a program of its own, the value class of its result, and the tasks in which it occurs."""

    program: Program
    value_class: str
    tasks: frozenset[str]

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for fragments that differ only in the names of parameters."""
        return self.program.shape, self.value_class, tuple(PARAMETERS[name].name for name in self.program.inputs)

    @property
    def saved(self) -> int:
        """The number of calls saved in the programs, less those of its definition."""
        return (len(self.tasks) - 1) * (len(self.program) - 1)


def fragments(corpus: Corpus) -> list[Fragment]:
    """The fragments of at least two tasks, those that save most calls first.

    Of fragments in the same tasks with results of the same class, only the first is kept. Fragments that return
    integers are left out: whether these are colours is not known.
    """
    found: dict[object, Fragment] = {}
    for task, programs in corpus.items():
        for each in {each.key: each for program in programs for each in _fragments_of(program, task)}.values():
            known = found.setdefault(each.key, each)
            found[each.key] = replace(known, tasks=known.tasks | each.tasks)
    common = [each for each in found.values() if len(each.tasks) > 1]
    ordered = sorted(common, key=lambda each: (-each.saved, len(each.program.inputs), str(each.program)))
    first = {(each.tasks, each.value_class): each for each in reversed(ordered)}
    return [each for each in ordered if first[each.tasks, each.value_class] is each and _is_typed(each)]


def simplified(corpus: Corpus) -> Corpus:
    """The corpus with simplified programs, without those that read the demonstrations."""
    return {
        task: simplify_all([program for program in programs if program.reads <= {"I"}])
        for task, programs in corpus.items()
    }


def canonical_shape(program: Program) -> str:
    """A content hash of the simplified program that does not depend on names: equal to that of an equal fragment."""
    (simple,) = simplify_all([program])
    return Program("", program.inputs, canonical(simple.output)).shape


def _fragments_of(program: Program, task: str) -> Iterator[Fragment]:
    shared = Program(program.name, program.inputs, canonical(program.output))
    classes = _classes(shared)
    for call in shared.calls:
        if call in classes:
            for holes in _cuts(call, classes):
                made = _with_parameters(call, {hole: classes[hole] for hole in holes})
                if made is not None:
                    yield Fragment(made, classes[call], frozenset([task]))


def _classes(program: Program) -> Classes:
    """The value classes of a program's terms. An integer is a colour if its first use is one."""
    colours: dict[Term, bool] = {}
    for call in program.calls:
        for k, arg in enumerate(call.args):
            colours.setdefault(arg, is_colour(call, k))
    names = {
        term: ("colour" if colours.get(term) else "number") if type is INT else _BY_TYPE.get(type)
        for term, type in types_of(program).items()
    }
    return {term: name for term, name in names.items() if name is not None}


def _cuts(root: Call, classes: Classes) -> Iterator[tuple[Term, ...]]:
    """The sets of terms at which the term of a call can be cut, so that a fragment remains."""
    waiting: list[tuple[tuple[Term, ...], tuple[Term, ...], tuple[Term, ...]]] = [((root,), (), ())]
    while waiting:
        terms, calls, holes = waiting.pop()
        if not terms:
            if len(calls) > 1 and any(isinstance(hole, Input | Call) for hole in holes):
                yield holes
            continue
        *rest, term = terms
        if term in calls or term in holes:
            waiting.append((tuple(rest), calls, holes))
            continue
        if term is not root and term in classes and len(holes) < MOST_PARAMETERS:
            waiting.append((tuple(rest), calls, (*holes, term)))
        if isinstance(term, Call) and len(calls) < MOST_CALLS:
            waiting.append(((*rest, term.function, *term.args), (*calls, term), holes))
        elif not isinstance(term, Input | Call):
            waiting.append((tuple(rest), calls, holes))


def _with_parameters(root: Call, holes: Classes) -> Program | None:
    """The program of a fragment; None if it has more parameters of a class than there are names."""
    free = {value_class: iter(names) for value_class, names in _NAMES.items()}
    names: dict[Term, str] = {}

    def name(hole: Term) -> Input:
        names[hole] = next(free[holes[hole]], "")
        return Input(names[hole])

    output = _replaced(root, {}, lambda term: name(term) if term in holes else None)
    return Program("fragment", tuple(names.values()), canonical(output)) if all(names.values()) else None


def _replaced(term: Term, done: dict[Term, Term], new: Callable[[Term], Term | None]) -> Term:
    """The term with those parts replaced for which ``new`` returns a term."""
    if term not in done:
        found = new(term)
        if found is None and isinstance(term, Call):
            function, *args = [_replaced(part, done, new) for part in (term.function, *term.args)]
            found = Call(function, tuple(args), term.line)
        done[term] = found or term
    return done[term]


def _is_typed(fragment: Fragment) -> bool:
    """Whether the result has the type of its class whenever the parameters have theirs."""
    try:
        found = trace(fragment.program, _TYPES).output.type
    except TraceError:
        return False
    return _BY_TYPE.get(found) == fragment.value_class
