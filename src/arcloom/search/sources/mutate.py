"""Typed mutations. Each is a set of replacements of terms; most are well typed by construction.

A mutant shares all terms of its parent except those that contain a change.
"""

from bisect import bisect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate
from random import Random
from typing import Any

from arcloom.dsl import PRIMITIVES, Primitive
from arcloom.dsl.signature import BOOL, GRID, INT, PAIR, Misfit, Type, coerces, rule
from arcloom.enumerate.task_constants import TaskConstants
from arcloom.program.build import INPUT, applied, literal
from arcloom.program.term import Call, Function, Literal, Program, Term
from arcloom.search.sources.analysis import FUNCTION, ProgramAnalysis, Spot

KEEP_BLACK = 0.85
"""Probability that black stays black when the colours of a program are replaced by colours of a task."""

DERIVED = 0.35
"""Probability that a new colour is a term that computes it instead of a constant."""

NEAR = 0.5
"""Probability that a number changes by one instead of being replaced by another number of the task."""


@dataclass
class Change:
    """A change of a program: replacements of terms wherever they occur (``terms``) and of single arguments (``spots``),
    and functions applied to the output (``last``).
    """

    terms: dict[Term, Term] = field(default_factory=dict)
    spots: dict[Spot, Term] = field(default_factory=dict)
    last: list[Term] = field(default_factory=list)

    def update(self, other: "Change") -> None:
        """Add another change to this one."""
        self.terms.update(other.terms)
        self.spots.update(other.spots)
        self.last += other.last

    def applied_to(self, program: Program) -> Term:
        """The output of the changed program."""
        swap = dict(self.terms)
        swapped, named = swap.keys(), {call for call, _ in self.spots}
        for call in program.calls:
            touched = call in named or call.function in swap or not swapped.isdisjoint(call.args)
            if touched and call not in swap:
                function, *args = parts = self._parts(call, swap)
                if parts != [call.function, *call.args]:
                    swap[call] = Call(function, tuple(args), call.line)
        output = swap.get(program.output, program.output)
        for function in self.last:
            output = applied(function, output)
        return output

    def _parts(self, call: Call, swap: dict[Term, Term]) -> list[Term]:
        """The function and the arguments of a call after the change."""
        numbered = enumerate((call.function, *call.args), FUNCTION)
        return [self.spots.get((call, k)) or swap.get(part, part) for k, part in numbered]


class Pool:
    """Subterms of programs by type, to be inserted into other programs. Each is stored with the name of its program."""

    def __init__(self, analyses: Sequence[ProgramAnalysis], largest: int = 12) -> None:
        self._by_type: dict[Type, list[tuple[Term, str]]] = {}
        for analysis in analyses:
            sizes = _sizes(analysis)
            for step in analysis.steps:
                if sizes[step] <= largest:
                    self._by_type.setdefault(analysis.types[step], []).append((step, analysis.program.name))

    def pick(self, type: Type, rng: Random, hidden: str | None) -> Term | None:
        """A random term of this type; None if there is none, or if the chosen one is of the hidden program."""
        found = self._by_type.get(type)
        if not found:
            return None
        term, origin = rng.choice(found)
        return None if origin == hidden else term


def _sizes(analysis: ProgramAnalysis) -> dict[Term, int]:
    """An upper bound of the size of each call: shared calls are counted as often as they are used."""
    sizes: dict[Term, int] = {}
    for call in analysis.calls:
        sizes[call] = 1 + sum(sizes.get(part, 0) for part in (call.function, *call.args))
    return sizes


_FIRST_ORDER = [primitive for primitive in PRIMITIVES.values() if not primitive.higher_order]


@cache
def _fitting(types: tuple[Type, ...]) -> tuple[tuple[Function, Type], ...]:
    """The primitives that accept arguments of these types, each with the type of its result."""
    found = []
    for primitive in _FIRST_ORDER:
        if primitive.arity == len(types):
            try:
                found.append((_function(primitive), rule(primitive, types).result))
            except (Misfit, RecursionError):
                continue
    return tuple(found)


@cache
def _giving(types: tuple[Type, ...], want: Type) -> tuple[Function, ...]:
    """The primitives that accept arguments of these types and whose result can be used as type ``want``."""
    return tuple(function for function, result in _fitting(types) if _usable(result, want))


def _usable(have: Type, want: Type) -> bool:
    """Whether a value of type ``have`` can replace one of type ``want``. Only coercions within a kind count."""
    return have is want or (coerces(have, want) and (want is GRID or have.kind in (want.kind, "perhaps")))


@cache
def _function(primitive: Primitive[..., Any]) -> Function:
    return Function(primitive, primitive.name)


@cache
def _alike(primitive: Primitive[..., Any]) -> tuple[Function, ...]:
    """The other primitives with the same arity and declared result type."""
    return tuple(
        _function(other)
        for other in PRIMITIVES.values()
        if other is not primitive
        and other.arity == primitive.arity
        and other.result_type == primitive.result_type
        and other.higher_order == primitive.higher_order
    )


@dataclass
class Mutator:
    """Makes random changes to programs, for one task. No part of the program named ``hidden`` is used."""

    constants: TaskConstants
    pool: Pool
    rng: Random
    hidden: str | None = None

    def change(self, analysis: ProgramAnalysis) -> tuple[str, Change] | None:
        """A random change and its name; None if the chosen mutation does not apply."""
        return self._made(analysis, OPERATORS[bisect(_CUMULATED, self.rng.random() * _CUMULATED[-1])])

    def adaptation(self, analysis: ProgramAnalysis) -> tuple[str, Change] | None:
        """A change that adapts the constants of a program to this task, and its name."""
        return self._made(analysis, self.rng.choice(ADAPTATIONS)) if analysis.colours else self.change(analysis)

    def _made(self, analysis: ProgramAnalysis, chosen: "tuple[str, float, Operator]") -> tuple[str, Change] | None:
        name, _, operator = chosen
        made = operator(self, analysis)
        return None if made is None else (name, made)

    def constant(self, analysis: ProgramAnalysis) -> Change | None:
        """Replace a constant by another one that the task suggests."""
        if not analysis.constants:
            return None
        call, k = spot = self.rng.choice(analysis.constants)
        old = call.args[k]
        assert isinstance(old, Literal)
        type = analysis.types[old]
        new = self._colour() if spot in analysis.colours else self._like(old, type)
        return None if new is None or _same(old, new) else Change(spots={spot: new})

    def _like(self, old: Literal, type: Type) -> Term | None:
        if type is BOOL:
            return Literal(not old.value, str(not old.value)[0])
        if type is INT:
            near = self.rng.random() < NEAR
            return literal(old.value + self.rng.choice((-1, 1))) if near else self.rng.choice(self.constants.ints)
        return self.rng.choice(self.constants.pairs) if type is PAIR else None

    def _colour(self) -> Term:
        if self.rng.random() < DERIVED:
            return self.rng.choice(self.constants.derived_colours)
        return literal(self.rng.choice(self.constants.colours))

    def recolour(self, analysis: ProgramAnalysis) -> Change | None:
        """Replace the colours of the program by colours of the task, one to one."""
        return self._recoloured(analysis, self._palette(_values(analysis.colours)))

    def _palette(self, values: list[int]) -> dict[int, Term]:
        free = list(self.constants.colours)
        self.rng.shuffle(free)
        chosen: dict[int, Term] = {}
        for value in values:
            if value == 0 and 0 in free and self.rng.random() < KEEP_BLACK:
                free.remove(0)
            elif free:
                chosen[value] = literal(free.pop())
        return chosen

    def generalise(self, analysis: ProgramAnalysis) -> Change | None:
        """Replace one colour of the program by a term that computes a colour from the input or the demonstrations."""
        values = _values(analysis.colours)
        if not values:
            return None
        return self._recoloured(analysis, {self.rng.choice(values): self.rng.choice(self.constants.derived_colours)})

    def _recoloured(self, analysis: ProgramAnalysis, palette: dict[int, Term]) -> Change | None:
        spots = {
            spot: palette[value]
            for spot, value in zip(analysis.colours, map(value_at, analysis.colours), strict=True)
            if value in palette
        }
        return Change(spots=spots) if spots else None

    def argument(self, analysis: ProgramAnalysis) -> Change | None:
        """Replace an argument by another term of the program, or by the input."""
        if not analysis.spots:
            return None
        call, k = spot = self.rng.choice(analysis.spots)
        type = analysis.types[call.args[k]]
        terms = [*analysis.by_type[type], *([INPUT] if type is GRID else [])]
        new = self.rng.choice(terms)
        return None if new is call.args[k] else Change(spots={spot: new})

    def primitive(self, analysis: ProgramAnalysis) -> Change | None:
        """Replace the primitive of a call by another one with the same types."""
        call = self._step(analysis)
        if call is None or not isinstance(call.function, Function):
            return None
        types = tuple([analysis.types[arg] for arg in call.args if arg in analysis.types])
        primitive = call.function.primitive
        first_order = len(types) == len(call.args)
        others = _giving(types, analysis.types[call]) if first_order else _alike(primitive)
        others = tuple(other for other in others if other.primitive is not primitive)
        return Change(spots={(call, FUNCTION): self.rng.choice(others)}) if others else None

    def function(self, analysis: ProgramAnalysis) -> Change | None:
        """Replace a primitive that is an argument."""
        if not analysis.functions:
            return None
        call, k = spot = self.rng.choice(analysis.functions)
        old = call.args[k]
        assert isinstance(old, Function)
        others = _alike(old.primitive)
        return Change(spots={spot: self.rng.choice(others)}) if others else None

    def insert(self, analysis: ProgramAnalysis) -> Change | None:
        """Insert a call after a term."""
        step = self._step(analysis) or analysis.program.output
        type = analysis.types.get(step)
        if type is None:
            return None
        other = self._second(analysis) if self.rng.random() < 0.5 else None
        args = (step,) if other is None else (step, other)
        types = tuple(self._type(arg, analysis) for arg in args)
        functions = _giving(types, type)
        return Change(terms={step: applied(self.rng.choice(functions), *args)}) if functions else None

    def _second(self, analysis: ProgramAnalysis) -> Term:
        """A random second argument for an inserted call."""
        kind = self.rng.random()
        if kind < 0.4:
            return self.rng.choice(list(analysis.types))
        if kind < 0.6:
            return self._colour()
        if kind < 0.8:
            return self.rng.choice(self.constants.ints)
        return INPUT

    def _type(self, term: Term, analysis: ProgramAnalysis) -> Type:
        """The type of a term. A term that is not in the program is the input or an integer."""
        return analysis.types.get(term) or (GRID if term is INPUT else INT)

    def delete(self, analysis: ProgramAnalysis) -> Change | None:
        """Remove a call: one of its arguments of the same type replaces it."""
        call = self._step(analysis)
        if call is None:
            return None
        fitting = [
            arg for arg in call.args if arg in analysis.types and _usable(analysis.types[arg], analysis.types[call])
        ]
        return Change(terms={call: self.rng.choice(fitting)}) if fitting else None

    def splice(self, analysis: ProgramAnalysis) -> Change | None:
        """Replace a term by a subterm of another program with the same type."""
        call = self._step(analysis)
        if call is None:
            return None
        piece = self.pool.pick(analysis.types[call], self.rng, self.hidden)
        return None if piece is None else Change(terms={call: piece})

    def graft(self, analysis: ProgramAnalysis) -> Change | None:
        """Replace the input by a grid that a subterm of another program computes."""
        piece = self.pool.pick(GRID, self.rng, self.hidden)
        return None if piece is None or piece is INPUT else Change(terms=dict.fromkeys(_inputs(analysis), piece))

    def turn(self, analysis: ProgramAnalysis) -> Change | None:
        """Apply the program to the rotated or mirrored input, and transform its output back."""
        if analysis.types.get(analysis.program.output) is not GRID:
            return None
        there, back = self.rng.choice(TURNS)
        return Change(dict.fromkeys(_inputs(analysis), applied(there, INPUT)), last=[back])

    def _step(self, analysis: ProgramAnalysis) -> Call | None:
        return self.rng.choice(analysis.steps) if analysis.steps else None


def value_at(spot: Spot) -> int:
    """The value of the constant that is the argument."""
    term = spot[0].args[spot[1]]
    assert isinstance(term, Literal)
    return int(term.value)


def _values(spots: list[Spot]) -> list[int]:
    return list(dict.fromkeys(map(value_at, spots)))


def _same(old: Literal, new: Term) -> bool:
    return isinstance(new, Literal) and new.value == old.value


def _inputs(analysis: ProgramAnalysis) -> list[Term]:
    return [term for term in analysis.types if getattr(term, "name", None) == INPUT.name]


_SELF_INVERSE = ("hmirror", "vmirror", "dmirror", "cmirror", "rot180")
TURNS: list[tuple[Function, Function]] = [
    (_function(PRIMITIVES[there]), _function(PRIMITIVES[back]))
    for there, back in (*((name, name) for name in _SELF_INVERSE), ("rot90", "rot270"), ("rot270", "rot90"))
]
"""The symmetries of grids, each with its inverse."""

Operator = Callable[[Mutator, ProgramAnalysis], Change | None]

OPERATORS: list[tuple[str, float, Operator]] = [
    ("constant", 3.0, Mutator.constant),
    ("recolour", 2.0, Mutator.recolour),
    ("generalise", 1.0, Mutator.generalise),
    ("argument", 2.0, Mutator.argument),
    ("primitive", 2.5, Mutator.primitive),
    ("function", 1.5, Mutator.function),
    ("insert", 2.0, Mutator.insert),
    ("delete", 1.0, Mutator.delete),
    ("splice", 2.0, Mutator.splice),
    ("graft", 0.7, Mutator.graft),
    ("turn", 1.0, Mutator.turn),
]
"""The mutations: name, relative frequency, and method."""

ADAPTATIONS = [entry for entry in OPERATORS if entry[0] in ("recolour", "generalise", "constant")]
_CUMULATED = list(accumulate(weight for _, weight, _ in OPERATORS))
