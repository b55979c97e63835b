"""Programs that would run very long end soon on the reference, with a value or a failure."""

import pytest

from arcloom.dsl.values import Reason
from arcloom.program.evaluate import ProgramFailure, evaluate
from arcloom.program.parse import parse_one
from arcloom.program.term import Program
from arcloom.program.trace import TraceError, trace
from program.worst import WORST

GRID = ((1, 2, 0), (3, 1, 0), (4, 4, 4))
LIMIT = 200_000
"""A lower budget than the default, so that the tests are fast."""


@pytest.mark.parametrize("name", WORST)
def test_the_worst_programs_end(name: str) -> None:
    program = parse_one(WORST[name])
    typed = _has_types(program)
    try:
        evaluate(program, {"I": GRID, "S": ()}, budget=LIMIT, typed=typed)
    except ProgramFailure as failure:
        assert failure.reason in (Reason.BUDGET, Reason.RANGE) or not typed


def _has_types(program: Program) -> bool:
    """Whether a program has types."""
    try:
        trace(program)
    except TraceError:
        return False
    return True


def test_the_values_of_all_lines_together_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcloom.program.evaluate.MAX_HELD", 50_000)
    lines = [f"x{k} = interval({k}, {k + 9_000}, 1)" for k in range(9)]
    shared = ["a = interval(0, 9000, 1)", *[f"x{k} = repeat(a, {k + 9_000})" for k in range(2)]]
    for count, made in ((9, lines), (2, shared)):
        total = " + ".join(f"size(x{k})" for k in range(count))
        program = parse_one("".join(f"{line}\n" for line in [*made, f"O = {total}"]))
        if made is shared:  # which takes little memory, however many elements there are
            assert evaluate(program, {"I": GRID}) == 18_001
        else:
            with pytest.raises(ProgramFailure, match="line 6: too many elements"):
                evaluate(program, {"I": GRID})


@pytest.mark.parametrize(
    "mapped",
    [
        "apply(partition, repeat(canvas(1, (30, 30)), {count}))",
        "mapply(partition, repeat(canvas(1, (30, 30)), {count}))",
        "papply(lambda a, b: partition(a), repeat(canvas(1, (30, 30)), {count}), interval(0, {count}, 1))",
        "order(interval(0, {count}, 1), lambda n: partition(canvas(n, (30, 30))))",
    ],
)
def test_the_values_of_a_function_are_limited(mapped: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcloom.dsl.meter.MAX_HELD", 50_000)
    many, few = (parse_one(f"O = size({mapped.format(count=count)})\n") for count in (400, 4))
    with pytest.raises(ProgramFailure, match="line 1: too many elements"):
        evaluate(many, {"I": GRID})
    assert evaluate(few, {"I": GRID}) == 4
