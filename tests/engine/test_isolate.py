"""A program that causes an unexpected error does not affect the other programs of a run."""

from typing import Any

import pytest

from arcloom import notices
from arcloom.dsl.values import Reason
from arcloom.engine.devices import reference
from arcloom.engine.plan import Planner
from arcloom.engine.results import RowFailure
from arcloom.engine.run import run
from arcloom.program.evaluate import evaluate
from arcloom.program.graph import Node
from arcloom.program.parse import parse_one
from arcloom.program.trace_errors import REPORT

TEXTS = [f"x = {name}(I)" for name in ("rot90", "rot180", "vmirror", "hmirror", "dmirror")]
BAD = 2
SAMPLES: list[dict[str, Any]] = [{"I": ((1, 2), (3, 4))}, {"I": ((5,),)}]


def test_an_error_of_planning_affects_only_its_program(monkeypatch: pytest.MonkeyPatch) -> None:
    planned = Planner.action

    def broken(self: Planner, node: Node) -> Any:
        if node.name == "vmirror":
            raise IndexError("a bug")
        return planned(self, node)

    monkeypatch.setattr(Planner, "action", broken)
    results = run(TEXTS, SAMPLES, device="cpu")
    assert list(results.untyped) == [BAD]
    assert REPORT in results.untyped[BAD].message
    assert [results.output(p, 1) for p in range(5) if p != BAD] == [((5,),)] * 4
    assert results.output(0, 0) == ((3, 1), (4, 2))


def test_an_error_of_evaluation_affects_only_its_row(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    evaluated = evaluate

    def broken(program: Any, sample: Any, **rest: Any) -> Any:
        if "vmirror" in str(program) and len(sample["I"]) == 2:
            raise IndexError("a bug")
        return evaluated(program, sample, **rest)

    monkeypatch.setattr(notices, "_said", set())
    monkeypatch.setattr(reference, "evaluate", broken)
    results = run(TEXTS, SAMPLES, device="reference")
    assert list(results.failures) == [RowFailure(BAD, 0, 1, Reason.KIND)]
    assert results.output(BAD, 1) == ((5,),)
    assert f"program: {REPORT}: IndexError: a bug" in capsys.readouterr().err


@pytest.mark.parametrize("device", ["reference", "cpu"])
def test_wrong_samples_raise(device: str) -> None:
    with pytest.raises(KeyError):
        run(["x = rot90(C)"], SAMPLES, device=device)
    with pytest.raises((TypeError, ValueError, KeyError)):
        run(TEXTS, [{"I": 7}], device=device)


EXPANDING = """
def repeats(I):
    x = interval(0, 99000, 1)
    return repeat(x, 99000)

def pairs(I):
    x = product(interval(0, 300, 1), interval(0, 300, 1))
    return repeat(totuple(x), 15000)

def rows(I):
    x = repeat(ONE, 40000)
    return repeat(x, 40000)

def fits(I):
    return repeat(I, 100)
"""


@pytest.mark.parametrize("device", ["reference", "cpu"])
def test_an_output_that_is_too_large_to_be_read_fails(device: str) -> None:
    texts = EXPANDING.strip().split("\n\n")
    results = run([parse_one(text) for text in texts], SAMPLES, device=device)
    assert [(f.program, f.line, f.reason) for f in results.failures] == [
        (p, 3, Reason.BUDGET) for p in range(3) for _ in SAMPLES
    ]
    assert results.output(3, 0) == (SAMPLES[0]["I"],) * 100
