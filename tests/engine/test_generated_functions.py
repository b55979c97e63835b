"""Random programs as functions inside programs, with calls in any lines and duplicated calls: the same values and
failures as the reference."""

import random
from collections.abc import Iterator

import pytest
from generated import programs
from test_generated import made_grid

from arcloom.dsl.signature import GRID
from arcloom.engine.batt import Batt
from arcloom.engine.results import RowFailure, Sample
from arcloom.engine.run import run
from arcloom.program.build import INPUT, SHOWN, applied, call, literal
from arcloom.program.term import Call, Lambda, Program, Term
from arcloom.program.trace import trace

COUNT = 40
"""Number of programs that are turned into functions."""

COPIED = 0.3
"""Probability of duplicating a call at a use."""

MOST_CALLS = 150
"""Maximum number of calls of a function's body after duplication."""

TURNS = 40
"""Number of turns of a loop: more than are unrolled."""


def written_out(output: Term, chance: random.Random) -> Term:
    """The term with some calls duplicated for each use, and all calls in random lines, many in the same one."""
    made: dict[Call, Term] = {}
    count = 0

    def again(part: Term) -> Term:
        nonlocal count
        if not isinstance(part, Call):
            return part
        if part not in made or (count < MOST_CALLS and chance.random() < COPIED):
            count += 1
            made[part] = Call(again(part.function), tuple(map(again, part.args)), chance.randint(1, 6))
        return made[part]

    return again(output)


def around(program: Program, chance: random.Random) -> Iterator[Term]:
    """Terms that use the program as a function: called once, mapped over grids and, if types allow, in a loop."""
    body = Program("body", ("S", "I"), written_out(program.output, chance))
    function = applied(Lambda(body, 1), SHOWN)
    yield applied(Lambda(body, 0), SHOWN, INPUT)
    yield call("apply", function, call("vsplit", INPUT, literal(2)))
    if trace(program).output.type is GRID:
        yield applied(call("power", function, literal(TURNS)), INPUT)


def functions(seed: int) -> list[Program]:
    """Programs that contain functions."""
    chance = random.Random(seed)
    terms = [term for program in programs(seed, COUNT) for term in around(program, chance)]
    return [Program(f"generated_{k}", ("I", "S"), term) for k, term in enumerate(terms)]


def samples(seed: int) -> list[Sample]:
    """Small grids."""
    chance = random.Random(seed)
    shown = ((made_grid(chance, 2, 3), made_grid(chance, 3, 2)),)
    return [{"I": made_grid(chance, 2 * k, chance.randint(1, 5)), "S": shown} for k in (1, 1, 2, 3)]


@pytest.mark.parametrize("seed", range(4))
def test_functions_agree_with_the_reference(seed: int) -> None:
    made, given = functions(seed), samples(seed)
    wanted, results = (run(made, given, device=device) for device in ("reference", "cpu"))
    for p, program in enumerate(made):
        for s in range(len(given)):
            right, value = wanted.outcomes.value(p, s), results.outcomes.value(p, s)
            assert value == right, f"{program}\nfor {given[s]}"


def test_generated_functions_are_diverse_and_have_values() -> None:
    made, given = functions(0), samples(0)
    results = Batt.build(made).run(given, typed_only=True)
    assert len(results.untyped) < len(made) / 10
    values = [results.outcomes.value(p, s) for p in range(len(made)) for s in range(len(given))]
    assert sum(isinstance(value, RowFailure) for value in values) < len(values) / 2
    assert any(node.op == "loop" for program in made[:40] for node in trace(program).graph.nodes)
