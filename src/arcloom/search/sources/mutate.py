"""Mutations by type. Each says what to put in the place of what; most are well typed by construction.

A mutant shares every term of its parent that does not lie above a change.
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
"""How often black stays black when a program's colours are changed to a task's."""

DERIVED = 0.35
"""How often a colour becomes a term that finds one instead of a constant."""

NEAR = 0.5
"""How often a number moves by one instead of becoming another of the task's."""


@dataclass
class Change:
    """Replacements of terms, wherever they are used, and of single arguments; and a function of the result."""

    terms: dict[Term, Term] = field(default_factory=dict)
    spots: dict[Spot, Term] = field(default_factory=dict)
    last: list[Term] = field(default_factory=list)

    def update(self, other: "Change") -> None:
        """Make this change too."""
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
    """Sub-terms of programs by type, to be put into others. Each knows which program it comes from."""

    def __init__(self, anatomies: Sequence[ProgramAnalysis], largest: int = 12) -> None:
        self._by_type: dict[Type, list[tuple[Term, str]]] = {}
        for anatomy in anatomies:
            sizes = _sizes(anatomy)
            for step in anatomy.steps:
                if sizes[step] <= largest:
                    self._by_type.setdefault(anatomy.types[step], []).append((step, anatomy.program.name))

    def pick(self, type: Type, rng: Random, hidden: str | None) -> Term | None:
        """A term of this type that does not come from the hidden program."""
        found = self._by_type.get(type)
        if not found:
            return None
        term, origin = rng.choice(found)
        return None if origin == hidden else term


def _sizes(anatomy: ProgramAnalysis) -> dict[Term, int]:
    """How many calls stand below each, counted as often as they are used: a bound that is quick to find."""
    sizes: dict[Term, int] = {}
    for call in anatomy.calls:
        sizes[call] = 1 + sum(sizes.get(part, 0) for part in (call.function, *call.args))
    return sizes


_FIRST_ORDER = [primitive for primitive in PRIMITIVES.values() if not primitive.higher_order]


@cache
def _fitting(types: tuple[Type, ...]) -> tuple[tuple[Function, Type], ...]:
    """The primitives that take arguments of these types, and what they give."""
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
    """The primitives that make of such arguments what can be used as the wanted type."""
    return tuple(function for function, result in _fitting(types) if _usable(result, want))


def _usable(have: Type, want: Type) -> bool:
    """Whether the one can stand for the other and is of its kind: not every coercion is worth a try."""
    return have is want or (coerces(have, want) and (want is GRID or have.kind in (want.kind, "perhaps")))


@cache
def _function(primitive: Primitive[..., Any]) -> Function:
    return Function(primitive, primitive.name)


@cache
def _alike(primitive: Primitive[..., Any]) -> tuple[Function, ...]:
    """Other primitives that are declared to give the same of as many arguments."""
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
    """Makes one change after another to a program, for one task."""

    facts: TaskConstants
    pool: Pool
    rng: Random
    hidden: str | None = None

    def change(self, anatomy: ProgramAnalysis) -> tuple[str, Change] | None:
        """Some change and its name, or None where the one that was tried finds nothing to do."""
        return self._made(anatomy, OPERATORS[bisect(_CUMULATED, self.rng.random() * _CUMULATED[-1])])

    def adaptation(self, anatomy: ProgramAnalysis) -> tuple[str, Change] | None:
        """A change that makes a program of another task one of this task, and its name."""
        return self._made(anatomy, self.rng.choice(ADAPTATIONS)) if anatomy.colours else self.change(anatomy)

    def _made(self, anatomy: ProgramAnalysis, chosen: "tuple[str, float, Operator]") -> tuple[str, Change] | None:
        name, _, operator = chosen
        made = operator(self, anatomy)
        return None if made is None else (name, made)

    def constant(self, anatomy: ProgramAnalysis) -> Change | None:
        """Another constant, of the task's."""
        if not anatomy.constants:
            return None
        call, k = spot = self.rng.choice(anatomy.constants)
        old = call.args[k]
        assert isinstance(old, Literal)
        type = anatomy.types[old]
        new = self._colour() if spot in anatomy.colours else self._like(old, type)
        return None if new is None or _same(old, new) else Change(spots={spot: new})

    def _like(self, old: Literal, type: Type) -> Term | None:
        if type is BOOL:
            return Literal(not old.value, str(not old.value)[0])
        if type is INT:
            near = self.rng.random() < NEAR
            return literal(old.value + self.rng.choice((-1, 1))) if near else self.rng.choice(self.facts.ints)
        return self.rng.choice(self.facts.pairs) if type is PAIR else None

    def _colour(self) -> Term:
        if self.rng.random() < DERIVED:
            return self.rng.choice(self.facts.derived_colours)
        return literal(self.rng.choice(self.facts.colours))

    def recolour(self, anatomy: ProgramAnalysis) -> Change | None:
        """All colours of the program become colours of the task, different ones different ones."""
        return self._recoloured(anatomy, self._palette(_values(anatomy.colours)))

    def _palette(self, values: list[int]) -> dict[int, Term]:
        free = list(self.facts.colours)
        self.rng.shuffle(free)
        chosen: dict[int, Term] = {}
        for value in values:
            if value == 0 and 0 in free and self.rng.random() < KEEP_BLACK:
                free.remove(0)
            elif free:
                chosen[value] = literal(free.pop())
        return chosen

    def generalise(self, anatomy: ProgramAnalysis) -> Change | None:
        """One of the program's colours becomes a term that finds it in the input or in the demonstrations."""
        values = _values(anatomy.colours)
        if not values:
            return None
        return self._recoloured(anatomy, {self.rng.choice(values): self.rng.choice(self.facts.derived_colours)})

    def _recoloured(self, anatomy: ProgramAnalysis, palette: dict[int, Term]) -> Change | None:
        spots = {
            spot: palette[value]
            for spot, value in zip(anatomy.colours, map(value_at, anatomy.colours), strict=True)
            if value in palette
        }
        return Change(spots=spots) if spots else None

    def argument(self, anatomy: ProgramAnalysis) -> Change | None:
        """Another term of the program, or an input, as an argument."""
        if not anatomy.spots:
            return None
        call, k = spot = self.rng.choice(anatomy.spots)
        type = anatomy.types[call.args[k]]
        terms = [*anatomy.by_type[type], *([INPUT] if type is GRID else [])]
        new = self.rng.choice(terms)
        return None if new is call.args[k] else Change(spots={spot: new})

    def primitive(self, anatomy: ProgramAnalysis) -> Change | None:
        """Another primitive that makes the same type of the same types."""
        call = self._step(anatomy)
        if call is None or not isinstance(call.function, Function):
            return None
        types = tuple([anatomy.types[arg] for arg in call.args if arg in anatomy.types])
        primitive = call.function.primitive
        first_order = len(types) == len(call.args)
        others = _giving(types, anatomy.types[call]) if first_order else _alike(primitive)
        others = tuple(other for other in others if other.primitive is not primitive)
        return Change(spots={(call, FUNCTION): self.rng.choice(others)}) if others else None

    def function(self, anatomy: ProgramAnalysis) -> Change | None:
        """Another primitive as an argument."""
        if not anatomy.functions:
            return None
        call, k = spot = self.rng.choice(anatomy.functions)
        old = call.args[k]
        assert isinstance(old, Function)
        others = _alike(old.primitive)
        return Change(spots={spot: self.rng.choice(others)}) if others else None

    def insert(self, anatomy: ProgramAnalysis) -> Change | None:
        """One step more after some term."""
        step = self._step(anatomy) or anatomy.program.output
        type = anatomy.types.get(step)
        if type is None:
            return None
        other = self._second(anatomy) if self.rng.random() < 0.5 else None
        args = (step,) if other is None else (step, other)
        types = tuple(self._type(arg, anatomy) for arg in args)
        functions = _giving(types, type)
        return Change(terms={step: applied(self.rng.choice(functions), *args)}) if functions else None

    def _second(self, anatomy: ProgramAnalysis) -> Term:
        """Something to be the second argument of a new step."""
        kind = self.rng.random()
        if kind < 0.4:
            return self.rng.choice(list(anatomy.types))
        if kind < 0.6:
            return self._colour()
        if kind < 0.8:
            return self.rng.choice(self.facts.ints)
        return INPUT

    def _type(self, term: Term, anatomy: ProgramAnalysis) -> Type:
        """A term's type; what is not of the program is its input or a number."""
        return anatomy.types.get(term) or (GRID if term is INPUT else INT)

    def delete(self, anatomy: ProgramAnalysis) -> Change | None:
        """A step left out: one of its arguments of the same type comes into its place."""
        call = self._step(anatomy)
        if call is None:
            return None
        fitting = [
            arg for arg in call.args if arg in anatomy.types and _usable(anatomy.types[arg], anatomy.types[call])
        ]
        return Change(terms={call: self.rng.choice(fitting)}) if fitting else None

    def splice(self, anatomy: ProgramAnalysis) -> Change | None:
        """A piece of another program in the place of a term of the same type."""
        call = self._step(anatomy)
        if call is None:
            return None
        piece = self.pool.pick(anatomy.types[call], self.rng, self.hidden)
        return None if piece is None else Change(terms={call: piece})

    def graft(self, anatomy: ProgramAnalysis) -> Change | None:
        """The program does its work on what a piece of another program makes of the input."""
        piece = self.pool.pick(GRID, self.rng, self.hidden)
        return None if piece is None or piece is INPUT else Change(terms=dict.fromkeys(_inputs(anatomy), piece))

    def turn(self, anatomy: ProgramAnalysis) -> Change | None:
        """The program works on the turned or mirrored input, and its output is turned back."""
        if anatomy.types.get(anatomy.program.output) is not GRID:
            return None
        there, back = self.rng.choice(TURNS)
        return Change(dict.fromkeys(_inputs(anatomy), applied(there, INPUT)), last=[back])

    def _step(self, anatomy: ProgramAnalysis) -> Call | None:
        return self.rng.choice(anatomy.steps) if anatomy.steps else None


def value_at(spot: Spot) -> int:
    """The constant in this place."""
    term = spot[0].args[spot[1]]
    assert isinstance(term, Literal)
    return int(term.value)


def _values(spots: list[Spot]) -> list[int]:
    return list(dict.fromkeys(map(value_at, spots)))


def _same(old: Literal, new: Term) -> bool:
    return isinstance(new, Literal) and new.value == old.value


def _inputs(anatomy: ProgramAnalysis) -> list[Term]:
    return [term for term in anatomy.types if getattr(term, "name", None) == INPUT.name]


_SELF_INVERSE = ("hmirror", "vmirror", "dmirror", "cmirror", "rot180")
TURNS: list[tuple[Function, Function]] = [
    (_function(PRIMITIVES[there]), _function(PRIMITIVES[back]))
    for there, back in (*((name, name) for name in _SELF_INVERSE), ("rot90", "rot270"), ("rot270", "rot90"))
]
"""The symmetries of grids, each with what undoes it."""

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
"""The mutations by name, and how often each is tried."""

ADAPTATIONS = [entry for entry in OPERATORS if entry[0] in ("recolour", "generalise", "constant")]
_CUMULATED = list(accumulate(weight for _, weight, _ in OPERATORS))
