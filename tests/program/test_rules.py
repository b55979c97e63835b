"""Rewrite rules: both sides have equal values on the reference, for generated arguments."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from arcloom.dsl import PRIMITIVES
from arcloom.dsl.signature import BOOL, CELL, GRID, INDICES, INT, OBJECT, PAIR, ROW, Type, set_of, tuple_of, type_of
from arcloom.program.evaluate import ProgramFailure
from arcloom.program.rewrite_rules import VARIABLES, RewriteRule, all_rules
from arcloom.program.simplify import measure
from arcloom.program.term import Call, Function, Input, Program, Term, walk
from arcloom.program.trace import TraceError, trace
from strategies import values

CONTAINERS = (
    *(tuple_of(INT), tuple_of(PAIR), tuple_of(BOOL), tuple_of(OBJECT), tuple_of(GRID), tuple_of(set_of(INT))),
    *(set_of(INT), INDICES, OBJECT, set_of(OBJECT), set_of(ROW), PAIR, GRID, tuple_of(ROW)),
)
PATCHES = (INDICES, OBJECT, tuple_of(PAIR), tuple_of(CELL))
TYPES: dict[str, tuple[Type, ...]] = {
    **dict.fromkeys(("x", "y", "z"), (INT, INDICES, OBJECT, BOOL, PAIR, GRID, *CONTAINERS)),
    **dict.fromkeys(("xs", "ys"), CONTAINERS),
    **dict.fromkeys(("cells", "cells2"), PATCHES),
    "piece": (*PATCHES, GRID),
    **dict.fromkeys(("grid", "grid2"), (GRID,)),
    "patch": (INDICES, OBJECT),
    "each": (set_of(INT), INDICES, OBJECT, set_of(OBJECT), set_of(BOOL), set_of(GRID)),
    "objs": (set_of(OBJECT),),
    **dict.fromkeys(("tup", "tup2"), (tuple_of(INT), tuple_of(PAIR), tuple_of(OBJECT), PAIR, GRID)),
    **dict.fromkeys(("n", "m", "c", "d"), (INT,)),
    **dict.fromkeys(("v", "w"), (INT, PAIR)),
    **dict.fromkeys(("p", "q"), (PAIR,)),
    **dict.fromkeys(("b", "b2"), (BOOL,)),
}
"""The types that are tried for each variable."""

Inputs = dict[str, Any]

FUNCTIONS = {
    "f": (
        *("identity", "double", "invert", "even", "first", "size", "toindices", "palette", "totuple", "vmirror"),
        *("add", "equality", "astuple", "subtract", "combine", "contained", "recolor", "repeat"),
    ),
    "g": ("interval", "branch"),
    "h": ("increment", "last", "dedupe", "height", "identity", "initset"),
}
"""The functions that are tried for variables that are functions, by number of arguments."""

WORLDS = 10
TRIES = 30
"""Maximum number of substitutions of a rule that are tried per world to find one with a value."""

ENOUGH = 5
"""Number of comparisons after which a rule is not tried in further worlds."""


@st.composite
def worlds(draw: st.DrawFn) -> dict[str, list[Any]]:
    """A world: a few values for each variable."""
    world = {name: [draw(_strategy(name, type)) for type in _chosen(draw, types)] for name, types in TYPES.items()}
    world["grid2"].append(world["grid"][0][::-1])  # a grid of the same shape
    return world


def _chosen(draw: st.DrawFn, types: tuple[Type, ...]) -> tuple[Type, ...]:
    """A few of the types, which always include the first ones."""
    return types if len(types) < 4 else (*types[:3], *draw(st.permutations(types[3:]))[:2])


def _strategy(name: str, type: Type) -> SearchStrategy[Any]:
    if name in ("c", "d"):
        return st.integers(0, 9)
    return values(type).filter(lambda grid: grid and grid[0]) if type is GRID else values(type)


def names_in(term: Term) -> Counter[str]:
    """The number of occurrences of each variable in a term."""
    parts = [part for call in walk(term) for part in (call.function, *call.args)]
    return Counter(part.name for part in parts or [term] if isinstance(part, Input))


def filled(term: Term, functions: dict[str, str]) -> Term:
    """The term with primitives substituted for variables that are functions."""
    match term:
        case Input(name) if name in functions:
            return Function(PRIMITIVES[functions[name]], functions[name])
        case Call(function, args, line):
            return Call(filled(function, functions), tuple(filled(arg, functions) for arg in args), line)
        case _:
            return term


def cases(rule: RewriteRule, world: dict[str, list[Any]], chance: random.Random) -> Iterator[tuple[Term, Term, Inputs]]:
    """Both sides of a rule with functions substituted, and values for the other variables."""
    left, right = (
        (applied(rule.pattern), applied(rule.replacement)) if gives_function(rule) else (rule.pattern, rule.replacement)
    )
    names = sorted(names_in(left))
    functions = [name for name in names if name in FUNCTIONS]
    for _ in range(TRIES):
        known = {name: chance.choice(FUNCTIONS[name]) for name in functions}
        inputs = {name: chance.choice(world[name]) for name in names if name not in FUNCTIONS}
        yield filled(left, known), filled(right, known), inputs


BUDGET = 100_000
"""Maximum work of a term. Larger ones would take too long."""


def outcome(term: Term, inputs: Inputs) -> Any:
    """The value of a term, distinguishing bools from ints; None if it fails or has no types."""
    types = {name: type_of(value) for name, value in inputs.items()}
    program = Program("side", tuple(inputs), term)
    try:
        trace(program, {name: type for name, type in types.items() if type is not None})
        return spelled(program.evaluate(inputs, budget=BUDGET))
    except (TraceError, ProgramFailure):
        return None


def spelled(value: Any) -> Any:
    """The value in a form in which True and 1 differ."""
    if isinstance(value, tuple | frozenset):
        return type(value).__name__, type(value)(map(spelled, value))
    return type(value).__name__, value


def applied(term: Term) -> Term:
    """A call of a term that is a function, so that there is a value to compare."""
    return Call(term, (Input("z"),), 1)


def gives_function(rule: RewriteRule) -> bool:
    function = rule.pattern.function
    return isinstance(function, Function) and function.text in ("compose", "chain", "power")


def test_both_sides_of_a_rule_have_equal_values() -> None:
    compared: Counter[str] = Counter()
    broken: dict[str, str] = {}  # not asserted inside ``check``: Hypothesis would take minutes to shrink a world

    def compare(rule: RewriteRule, left: Term, right: Term, inputs: Inputs) -> bool:
        expected = outcome(left, inputs)
        if expected is not None and outcome(right, inputs) != expected:
            broken[rule.text] = f"{Program('left', (), left)} and {Program('right', (), right)} for {inputs}"
        return expected is not None

    @settings(max_examples=WORLDS, derandomize=True)
    @given(worlds())
    def check(world: dict[str, list[Any]]) -> None:
        for rule in all_rules():
            if compared[rule.text] < ENOUGH:
                chance = random.Random(f"{rule} {compared[rule.text]}")
                compared[rule.text] += any(compare(rule, *case) for case in cases(rule, world, chance))

    check()
    assert broken == {}
    assert [rule for rule in all_rules() if not compared[rule.text]] == []


def test_rules_make_programs_smaller() -> None:
    growing = [rule for rule in all_rules() if measure(rule.replacement) >= measure(rule.pattern)]
    copying = [rule for rule in all_rules() if not names_in(rule.replacement) <= names_in(rule.pattern)]
    unknown = [rule for rule in all_rules() if not set(names_in(rule.pattern)) <= set(VARIABLES)]
    assert growing == copying == unknown == []


def test_there_are_many_different_rules() -> None:
    texts = [rule.text for rule in all_rules()]
    assert len(set(texts)) == len(texts) > 200
