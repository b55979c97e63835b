"""Random programs in one batt: the same values and failures as the reference, for all rows and for some."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
from generated import programs, smallest, smallest_grid

from arcloom.dsl.declare import DEFAULT_BUDGET
from arcloom.dsl.values import Reason
from arcloom.engine.batt import Batt
from arcloom.engine.compare import DEPTH
from arcloom.engine.devices.base import Job, Programs
from arcloom.engine.devices.reference import Reference
from arcloom.engine.plan import nesting
from arcloom.engine.results import Results, RowFailure, Sample
from arcloom.program.parse import parse
from arcloom.program.term import Program
from arcloom.program.trace import STANDARD_INPUTS, trace
from arcloom.tasks import load

COUNT = 40
"""Number of programs that run together."""

SEEDS = range(6)
"""The seeds of the random programs that are compared with the reference."""

SMALL = 300
"""A budget that programs exceed on large grids. The engine counts shared work once, the reference each time."""


def made_grid(chance: random.Random, height: int, width: int) -> Any:
    """A grid of a few colours, mostly background."""
    colours = [0, 0, 0, *(chance.randrange(10) for _ in range(3))]
    return tuple(tuple(chance.choice(colours) for _ in range(width)) for _ in range(height))


def samples(seed: int) -> list[Sample]:
    """A single cell, small grids, two grids of real tasks, and a grid of the maximum size."""
    chance = random.Random(seed)
    sides = [(1, 1), (30, 30), *((chance.randint(1, 7), chance.randint(1, 7)) for _ in range(4))]
    made: list[Sample] = []
    for side in sides:
        shown = tuple((made_grid(chance, 2, 3), made_grid(chance, 3, 2)) for _ in range(chance.randint(0, 2)))
        made.append({"I": made_grid(chance, *side), "S": shown})
    tasks = chance.sample(list(load("arcagi:training")), 2)
    real = [{"I": task.train[0].input, "S": tuple((p.input, p.output) for p in task.train)} for task in tasks]
    return [*made, *real]


def right(made: Sequence[Program], given: Sequence[Sample], budget: int) -> Results:
    """The results of the reference."""
    job = Job(given, [range(len(given))] * len(made), budget)
    return Reference().execute(Programs(made, STANDARD_INPUTS), job)


def is_too_deep(program: Program) -> bool:
    """Whether a value of the program is nested more deeply than the engine compares, so that the reference runs it."""
    return any(nesting(node.type) > DEPTH for node in trace(program).graph.nodes)


def differing(made: Sequence[Program], given: Sequence[Sample], budget: int) -> list[tuple[int, int]]:
    """The programs and samples for which a batt differs from the reference."""
    results, wanted = Batt.build(made).run(given, budget=budget), right(made, given, budget)
    assert results.untyped == {}
    assert set(results.fallback_programs) <= {program.name for program in made if is_too_deep(program)}
    rows = [(p, s) for p in range(len(made)) for s in range(len(given))]
    return [(p, s) for p, s in rows if results.outcomes.value(p, s) != wanted.outcomes.value(p, s)]


def explained(made: Sequence[Program], given: Sequence[Sample], budget: int, p: int, s: int) -> str:
    """A message with the smallest program and grid that show such a difference."""
    sample = given[s]
    if not differing([made[p]], [sample], budget):
        return f"only among others:\n{made[p]}\n{sample}"
    program = smallest(made[p], lambda smaller: bool(differing([smaller], [sample], budget)))
    grid = smallest_grid(sample["I"], lambda g: bool(differing([program], [{**sample, "I": g}], budget)))
    sample = {**sample, "I": grid}
    outcomes = Batt.build([program]).run([sample], budget=budget).outcomes, right([program], [sample], budget).outcomes
    got, wanted = (outcome.value(0, 0) for outcome in outcomes)
    return f"{program}\nfor {sample}\ngives {got}\nnot   {wanted}"


@pytest.mark.parametrize("seed", SEEDS)
def test_a_batt_agrees_with_the_reference(seed: int) -> None:
    made, given = programs(seed, COUNT), samples(seed)
    wrong = differing(made, given, DEFAULT_BUDGET)
    assert not wrong, explained(made, given, DEFAULT_BUDGET, *wrong[0])


@pytest.mark.parametrize("seed", range(2))
def test_running_some_rows_gives_the_same_as_running_all(seed: int) -> None:
    chance = random.Random(seed)
    made, given = programs(seed, COUNT), samples(seed)
    rows = [sorted(chance.sample(range(len(given)), chance.randint(0, len(given)))) for _ in made]
    batt = Batt.build(made)
    everything, some = batt.run(given), batt.run(given, rows=rows)
    for p in range(len(made)):
        for s in rows[p]:
            assert some.outcomes.value(p, s) == everything.outcomes.value(p, s), str(made[p])


@pytest.mark.parametrize("seed", range(2))
def test_a_small_budget_changes_no_value(seed: int) -> None:
    made, given = programs(seed, COUNT), samples(seed)
    results, wanted = Batt.build(made).run(given, budget=SMALL), right(made, given, SMALL)
    spent = 0
    for p, s in ((p, s) for p in range(len(made)) for s in range(len(given))):
        both = results.outcomes.value(p, s), wanted.outcomes.value(p, s)
        exhausted = [isinstance(value, RowFailure) and value.reason is Reason.BUDGET for value in both]
        spent += all(exhausted)
        assert both[0] == both[1] or any(exhausted), str(made[p])
    assert spent, "the budget is too small for some"


def test_generated_programs_are_diverse_and_have_values() -> None:
    made, given = programs(0, COUNT), samples(0)
    outcomes = right(made, given, DEFAULT_BUDGET).outcomes
    failed = [isinstance(outcomes.value(p, s), RowFailure) for p in range(len(made)) for s in range(len(given))]
    assert 0.05 < sum(failed) / len(failed) < 0.5, "most rows have a value, and some fail"
    everything = [program for seed in SEEDS for program in programs(seed, COUNT)]
    called = {getattr(call.function, "text", "") for program in everything for call in program.calls}
    assert len(called) > 100 and max(map(len, made)) > 8


FOUND = """
def a_loop_that_holds_what_is_computed_late(I, S):
    x1 = width(I)
    x2 = power(lefthalf, x1)
    x3 = rapply(repeat(x2, TWO), I)
    x4 = power(lbind(remove, x3), x1)
    return c_iz(S, x4)

def a_value_for_no_functions(I, S):
    x1 = argmax(I, ineighbors)
    x2 = apply(lbind(lbind, remove), S)
    return rapply(x2, x1)

def functions_not_asked(I, S):
    x1 = astuple(sign, lbind(divide, ORIGIN))
    x2 = chain(first, rbind(rapply, ORIGIN), initset)
    x3 = extract(x1, chain(even, rbind(argmax, tojvec), x2))
    return x3(ORIGIN)

def functions_in_a_set(I, S):
    x1 = insert(bottomhalf, initset(vmirror))
    x2 = chain(first, rbind(rapply, I), initset)
    x3 = argmin(x1, compose(palette, x2))
    return x3(I)

def the_side_not_chosen(I, S):
    x1 = argmin(I, identity)
    x2 = branch(portrait(I), toivec, rbind(multiply, x1))
    return get_val_rank(I, lbind(mapply, x2), THREE)

def one_container_mapped_twice(I, S):
    x1 = chain(portrait, lbind(shoot, TWO_BY_TWO), identity)
    return c_zo_n(S, rbind(extract, x1), totuple)

def no_functions_at_all(I, S):
    x1 = apply(lbind(lbind, add), difference(palette(((0,),)), palette(((0,),))))
    return rapply(x1, ONE)
"""


@pytest.mark.parametrize("program", parse(FOUND), ids=lambda program: program.name)
def test_programs_that_once_failed_agree_with_the_reference(program: Program) -> None:
    given = [sample for seed in range(6) for sample in samples(seed)]
    assert [
        (s, explained([program], given, DEFAULT_BUDGET, p, s)) for p, s in differing([program], given, DEFAULT_BUDGET)
    ] == []
