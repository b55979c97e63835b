"""The golden programs have types, cover the language, and have their recorded outcomes."""

import pytest

from arcloom.dsl import PRIMITIVES
from arcloom.dsl.values import Reason
from arcloom.program.evaluate import ProgramFailure, evaluate
from arcloom.program.term import Function, Program
from arcloom.program.trace import trace
from strategies import belongs

from . import OUTCOMES, outcomes, programs, recorded, samples


def used(program: Program) -> set[str]:
    parts = [part for call in program.calls for part in (call.function, *call.args)]
    return {part.primitive.name for part in parts if isinstance(part, Function)}


def test_programs_cover_every_primitive() -> None:
    assert len(programs()) >= 60
    assert PRIMITIVES.keys() - set().union(*map(used, programs())) == set()


def test_programs_have_names_of_their_own() -> None:
    names = [program.name for program in programs()]
    assert len(set(names)) == len(names)
    assert list(recorded()) == names


def test_programs_fail_for_every_reason_and_also_return_values() -> None:
    found = [outcome for by_sample in recorded().values() for outcome in by_sample.values()]
    failures = [outcome["fails"] for outcome in found if isinstance(outcome, dict)]
    assert set(failures) == {reason.name for reason in Reason if reason is not Reason.KIND}  # which types rule out
    assert len(failures) < len(found) / 2


def test_the_record_is_of_moderate_size() -> None:
    assert OUTCOMES.stat().st_size < 300_000


@pytest.mark.parametrize("program", programs(), ids=lambda program: program.name)
def test_outcomes_are_the_recorded_ones(program: Program) -> None:
    assert outcomes(program) == recorded()[program.name]


@pytest.mark.parametrize("program", programs(), ids=lambda program: program.name)
def test_values_belong_to_the_static_type(program: Program) -> None:
    type = trace(program).output.type
    for name, sample in samples().items():
        try:
            value = evaluate(program, sample)
        except ProgramFailure:
            continue
        assert belongs(value, type), f"{value} on {name}, which is not of type {type}"
