"""Fuzz typed programs: engine and reference agree in values, the types bool and int, lines and reasons of failures."""

import importlib.util
import random
import sys
from collections import Counter
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from arcloom.dsl.declare import DEFAULT_BUDGET
from arcloom.dsl.values import Reason
from arcloom.engine.results import RowFailure, Sample
from arcloom.engine.run import run
from arcloom.program.parse import parse
from arcloom.program.term import Program
from arcloom.program.trace import TraceError, trace
from common import ROOT, Fault, main

PROGRAMS = 10
"""Number of programs in a batt."""


def _module(name: str, path: str) -> ModuleType:
    """A module of the test suite, whose generators are used here."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "tests" / path)
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


generated = _module("generated", "engine/generated.py")
compared = _module("compared_with_reference", "engine/test_generated.py")
statements = _module("generated_statements", "program/generated.py")
failures = _module("generated_failures", "engine/generated_failures.py")


def case(chance: random.Random, counts: Counter[str]) -> None:
    """Run random programs on engine and reference, and compare the outcomes."""
    seed = chance.randrange(1 << 30)
    compare(programs(seed, chance), compared.samples(seed), counts)


def compare(
    made: Sequence[Program], samples: Sequence[Sample], counts: Counter[str], budget: int = DEFAULT_BUDGET
) -> None:
    """Run programs on engine and reference, and compare the outcomes."""
    given = [{**sample, "C": sample["I"]} for sample in samples]
    engine, reference = (run(made, given, device=name, budget=budget) for name in ("cpu", "reference"))
    if engine.untyped.keys() != reference.untyped.keys():
        raise Fault(f"types differ: {engine.untyped} {reference.untyped}")
    counts["programs"] += len(made)
    for p in range(len(made)):
        for s in engine.rows[p]:
            counts["rows"] += 1
            ours, right = engine.outcomes.value(p, s), reference.outcomes.value(p, s)
            if written(ours) != written(right) and not _near_budget(ours, right):
                raise Fault(f"{made[p]}\nfor {given[s]}\ngives {ours!r}\nnot   {right!r}")


def written(value: Any) -> str:
    """A canonical text of a value. It distinguishes bools from ints."""
    match value:
        case tuple():
            return f"({', '.join(map(written, value))})"
        case frozenset():
            return f"{{{', '.join(sorted(map(written, value)))}}}"
        case _:
            return repr(value)


def programs(seed: int, chance: random.Random) -> list[Program]:
    """Programs of one of three generators."""
    match chance.random():
        case share if share < 0.3:
            return [program for k in range(PROGRAMS) for program in _of_statements(seed + k)]
        case share if share < 0.5:
            return [failures.program(chance) for _ in range(PROGRAMS)]
        case _:
            return list(generated.programs(seed, PROGRAMS))


def _of_statements(seed: int) -> list[Program]:
    """A random program with Python statements, if it is typed."""
    program = parse(statements.program(seed))[-1]
    try:
        trace(program)
    except TraceError:
        return []
    return [program]


def _near_budget(*outcomes: Any) -> bool:
    """Whether an outcome is an exceeded budget: devices may differ near the budget."""
    return any(isinstance(one, RowFailure) and one.reason is Reason.BUDGET for one in outcomes)


if __name__ == "__main__":
    main(case, __doc__)
