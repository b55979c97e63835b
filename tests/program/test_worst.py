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
