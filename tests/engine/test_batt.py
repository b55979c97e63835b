"""Batts on the CPU: the same values and failures as the reference, on the tasks of the programs and on others."""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from arcloom.dsl.declare import DEFAULT_BUDGET
from arcloom.dsl.signature import GRID, INDICES, INT, Type, set_of
from arcloom.dsl.values import Reason
from arcloom.engine.batt import Batt
from arcloom.engine.devices.base import Job, Programs
from arcloom.engine.devices.reference import Reference
from arcloom.engine.kernel import KERNELS
from arcloom.engine.results import Results, Sample
from arcloom.engine.run import run
from arcloom.engine.samples import Samples
from arcloom.library import bundled
from arcloom.program.graph import STRUCTURAL
from arcloom.program.parse import parse
from arcloom.program.term import Program
from arcloom.tasks import load

TYPES = {"I": GRID, "xs": INDICES, "n": INT, "none": set_of(INT)}


def task_samples() -> dict[str, list[Sample]]:
    """The samples of the training tasks, by task."""
    return {
        task.id: [
            {"I": pair.input, "S": tuple((p.input, p.output) for p in task.train), "C": pair.input}
            for pair in task.samples
        ]
        for task in load("arcagi:training")
    }


def differences(
    programs: Sequence[Program], samples: Sequence[Sample], rows: Sequence[Sequence[int]], results: Results
) -> list[Any]:
    """The programs and samples for which the results differ from the reference."""
    right = Reference().execute(Programs(programs, TYPES | _standard()), Job(samples, rows, DEFAULT_BUDGET))
    return [
        (programs[p].name, s, results.outcomes.value(p, s), right.outcomes.value(p, s))
        for p in range(len(programs))
        for s in results.rows[p]
        if results.outcomes.value(p, s) != right.outcomes.value(p, s)
    ]


def _standard() -> dict[str, Type]:
    from arcloom.program.trace import STANDARD_INPUTS

    return dict(STANDARD_INPUTS)


def test_every_operation_has_a_kernel() -> None:
    from arcloom.dsl import PRIMITIVES
    from arcloom.engine import kernels  # noqa: F401
    from arcloom.engine.plan import ALIASES, HOST
    from arcloom.program import choosing, comparing, dialect  # noqa: F401
    from arcloom.program.abstract import FORMS

    composed = {name for name, primitive in PRIMITIVES.items() if primitive.higher_order} | {"astuple"}
    composed -= {"branch"}
    assert composed <= set(FORMS)
    without = {name for name in PRIMITIVES if name not in KERNELS and name not in ALIASES} - composed
    assert without == set(), "primitives without a kernel"
    structural = {f"{op}0" if op == "field" else op for op in STRUCTURAL} - set(HOST)
    assert structural - set(KERNELS) == set(), "structural operations without a kernel"


def test_bundled_programs_on_their_tasks() -> None:
    programs, by_task = bundled(), task_samples()
    samples: list[Sample] = []
    rows = []
    for program in programs:
        own = by_task[program.name.removeprefix("solve_")]
        rows.append(range(len(samples), len(samples) + len(own)))
        samples += own
    results = Batt.build(programs).run(samples, rows=rows)
    assert results.fallback_programs == ()
    assert differences(programs, samples, rows, results) == []


def test_bundled_programs_on_other_tasks() -> None:
    chance = random.Random(1)
    programs = bundled()
    everything = [sample for group in task_samples().values() for sample in group]
    samples = [sample for sample in chance.sample(everything, 40) if len(sample["I"]) <= 15]
    rows = [sorted(chance.sample(range(len(samples)), 5)) for _ in programs]
    results = Batt.build(programs).run(samples, rows=rows)
    assert differences(programs, samples, rows, results) == []
    assert any(results.failures), "foreign tasks make programs fail"


def test_the_number_of_threads_does_not_matter() -> None:
    programs = bundled()[::9]
    samples = Samples([group[0] for group in task_samples().values()][:200])
    batt = Batt.build(programs)
    one, two = batt.run(samples, threads=1), batt.run(samples, threads=2)
    for p in range(len(programs)):
        for s in range(len(samples)):
            assert one.outcomes.value(p, s) == two.outcomes.value(p, s)


PROGRAMS = """
def mapped(xs):
    return apply(rbind(add, UNITY), xs)

def chosen(xs):
    further = compose(lbind(add, UNITY), lbind(add, UNITY))
    return argmax(apply(further, xs), last)

def counted_loop(xs, n):
    return apply(power(rbind(add, TWO), n), xs)

def branches(xs, n):
    act = branch(positive(n), rbind(shift, DOWN), normalize)
    return act(xs)

def of_functions(xs, n):
    acts = astuple(height, width)
    return apply(rbind(subtract, n), rapply(acts, xs))

def picked(xs, n):
    pick = extract(astuple(rbind(greater, n), flip), rbind(rbind(power, ONE), ONE))
    return n

def unused_failure(xs, n):
    held = first(xs)
    return apply(lbind(add, held), difference(xs, xs))

def made_by_the_chosen(xs, n):
    make = branch(positive(n), rbind, lbind)
    return apply(make(astuple, double(n)), apply(last, xs))

def containers_of_functions(xs, n):
    turns = astuple(astuple(hmirror, n), astuple(vmirror, double(n)))
    pick = extract(turns, compose(positive, last))
    act = first(pick)
    return shift(act(xs), astuple(last(pick), ONE))

def failure_beside_a_function(xs, n):
    both = astuple(first(xs), identity)
    act = last(both)
    return act(n)

def lazily(xs, n):
    return extract(xs, compose(positive, lbind(divide, n)))

def empties(none):
    return astuple(valmax(none, increment), astuple(maximum(none), merge(apply(initset, none))))
"""


def named(name: str) -> Program:
    return next(program for program in parse(PROGRAMS) if program.name == name)


HIGHER_ORDER = [
    "mapped",
    "chosen",
    "counted_loop",
    "branches",
    "of_functions",
    "unused_failure",
    "made_by_the_chosen",
    "containers_of_functions",
    "failure_beside_a_function",
]


@pytest.mark.parametrize("name", HIGHER_ORDER)
def test_higher_order_programs_agree_with_the_reference(name: str) -> None:
    program = named(name)
    patches = [frozenset(), frozenset({(1, 2), (5, 1)}), frozenset({(0, 0), (999_999, 3)})]
    samples: list[Sample] = [{"xs": xs, "n": n} for xs in patches for n in (-1, 0, 1, 3)]
    results = Batt.build([program], TYPES).run(samples)
    assert differences([program], samples, [range(len(samples))], results) == []


def test_empty_containers_agree_with_the_reference() -> None:
    samples: list[Sample] = [{"none": frozenset()}, {"none": frozenset({3, 5})}]
    results = Batt.build([named("empties")], TYPES).run(samples)
    assert results.output(0, 0) == (1, (0, frozenset()))
    assert results.output(0, 1) == (6, (5, frozenset({3, 5})))


def test_failures_have_line_and_reason() -> None:
    (program,) = parse("def f(I):\n    x1 = ofcolor(I, NINE)\n    x2 = first(x1)\n    return shoot(x2, DOWN)\n")
    results = Batt.build([program]).run([{"I": ((1, 2),)}, {"I": ((9, 2),)}])
    failure = results.failure(0, 0)
    assert failure is not None and (failure.line, failure.reason) == (3, Reason.EMPTY)
    assert results.failure(0, 1) is None


def test_a_run_that_exceeds_the_budget_fails_only_its_row() -> None:
    text = "def f(I):\n    x1 = asindices(I)\n    x2 = product(x1, x1)\n    x3 = product(x2, x2)\n    return size(x3)\n"
    samples: list[Sample] = [{"I": ((0,) * 15,) * 15}, {"I": ((1, 2),)}]
    results = Batt.build(parse(text)).run(samples)
    failure = results.failure(0, 0)
    assert failure is not None and (failure.line, failure.reason) == (4, Reason.BUDGET)
    assert results.output(0, 1) == 16


def test_nested_containers_count_for_the_budget() -> None:
    mapped = "x2 = apply(rbind(product, x1), apply(initset, x1))"
    text = f"def f(I):\n    x1 = asindices(I)\n    {mapped}\n    return size(x2)\n"
    (program,) = parse(text)
    samples: list[Sample] = [{"I": ((0,) * 30,) * 30}, {"I": ((1, 2),)}]
    results = Batt.build([program]).run(samples, budget=50_000)
    right = Reference().execute(Programs([program], _standard()), Job(samples, [range(2)], 50_000))
    for s in range(2):
        assert results.outcomes.value(0, s) == right.outcomes.value(0, s)
    assert results.failure(0, 0) is not None


@pytest.mark.parametrize("budget", [5_000, 30_000])
def test_equal_parts_of_a_union_count_for_the_budget(budget: int) -> None:
    parts = "mapply(compose(first, lbind(astuple, x1)), x1)"  # x1 for each of its elements
    text = f"def f(I):\n    x1 = asindices(I)\n    x2 = {parts}\n    return size(x2)\n"
    (program,) = parse(text)
    samples: list[Sample] = [{"I": ((0,) * 10,) * 10}]
    results = Batt.build([program]).run(samples, budget=budget)
    right = Reference().execute(Programs([program], _standard()), Job(samples, [range(1)], budget))
    assert results.outcomes.value(0, 0) == right.outcomes.value(0, 0)


def test_grids_are_returned_as_arrays() -> None:
    results = Batt.build(parse("def f(I):\n    return vmirror(I)\n")).run([{"I": ((1, 2), (3, 4))}])
    grid = results.grid(0, 0)
    assert grid is not None and grid.dtype == np.int8
    assert grid.tolist() == [[2, 1], [4, 3]]


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_equal_compares_outputs_with_expected_values(device: str) -> None:
    samples: list[Sample] = [{"I": ((1, 2),)}, {"I": ((),)}]
    programs = parse("def f(I):\n    return vmirror(I)\n\n\ndef g(I):\n    return first(first(I))\n")
    results = Batt.build(programs).run(samples, device=device)
    assert results.equal(0, 0, ((2, 1),)) and results.equal(0, 0, [[2, 1]]) and results.equal(0, 0, np.array([[2, 1]]))
    assert not results.equal(0, 0, ((1, 2),)) and results.equal(1, 0, 1)
    assert not results.equal(1, 1, None), "a failure equals nothing"


MIXED = """
def mixed(xs, n):
    return size(insert(n, xs))

def ill(xs, n):
    return height(add(xs, n))
"""


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_programs_without_types_are_tried_on_the_reference(device: str) -> None:
    programs = parse(MIXED)
    samples: list[Sample] = [{"xs": frozenset({(1, 2)}), "n": 3}, {"xs": frozenset(), "n": 1}]
    results = run(programs, samples, device=device, inputs=TYPES)
    assert [results.output(0, s) for s in range(2)] == [2, 1]
    assert results.fallback_programs == ("mixed",)
    assert list(results.untyped) == [1] and list(results.rows[1]) == []
    only = run(programs, samples, device=device, inputs=TYPES, typed_only=True)
    assert sorted(only.untyped) == [0, 1] and only.fallback_programs == ()
