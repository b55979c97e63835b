"""Validation: agreement, and disagreements as records."""

import pytest

from arcloom.dsl.values import Reason
from arcloom.engine.results import Results, RowFailure, Sample
from arcloom.engine.run import run
from arcloom.program.parse import parse, parse_one
from arcloom.program.trace import TraceError
from arcloom.search.review.validate import Disagreement, Failed, Raised, validate

SAMPLES: list[Sample] = [{"I": ((1, 2), (3, 4))}, {"I": ((5,),)}]
PROGRAMS = parse(
    "def turn(I):\n    return rot90(I)\n\n"
    "def cut(I):\n    return subgrid(ofcolor(I, FIVE), I)\n\n"
    "def untyped(I):\n    return colorfilter(I, ONE)\n"
)


class Changed:
    """Outcomes of a run in which some are replaced, to simulate a faulty engine."""

    def __init__(self, results: Results, changes: dict[tuple[int, int], object]) -> None:
        self.results = results
        self.changes = changes

    def value(self, program: int, sample: int) -> object:
        found = (program, sample) in self.changes
        return self.changes[program, sample] if found else self.results.outcomes.value(program, sample)

    def grid(self, program: int, sample: int) -> object:
        raise NotImplementedError

    def packed(self, program: int, sample: int) -> bytes | None:
        raise NotImplementedError

    def equal(self, program: int, sample: int) -> bool:
        raise NotImplementedError


def faulty(changes: dict[tuple[int, int], object]) -> Results:
    results = run(PROGRAMS, SAMPLES, device="reference")
    return Results(PROGRAMS, results.rows, results.untyped, Changed(results, changes))


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_agreement(device: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = validate(run(PROGRAMS, SAMPLES, device=device), SAMPLES)
    assert (found.agreed, found.disagreements) == ([0, 1], [])
    assert capsys.readouterr().err == ""


def test_nothing_to_validate() -> None:
    assert validate(run([], []), []).agreed == []


def test_only_the_rows_that_ran_are_compared() -> None:
    assert validate(run(PROGRAMS, SAMPLES, rows=[[1], [], [0]]), SAMPLES).agreed == [0, 1]


@pytest.mark.parametrize(
    ("change", "program", "sample", "reference"),
    [
        (((9, 9), (9, 9)), 0, 0, ((3, 1), (4, 2))),
        (RowFailure(0, 1, 2, Reason.EMPTY), 0, 1, ((5,),)),
        (((0,),), 1, 0, Failed(Reason.EMPTY.text)),
    ],
)
def test_a_disagreement_is_reported(
    capsys: pytest.CaptureFixture[str],
    change: object,
    program: int,
    sample: int,
    reference: object,
) -> None:
    found = validate(faulty({(program, sample): change}), SAMPLES)
    assert found.agreed == [1 - program]
    [bug] = found.disagreements
    assert (bug.program, bug.sample, bug.reference) == (PROGRAMS[program], sample, reference)
    assert bug.engine == (Failed(Reason.EMPTY.text) if isinstance(change, RowFailure) else change)
    told = capsys.readouterr().err
    assert told == f"{bug}\n"
    for part in ("BUG IN ARCLOOM", str(PROGRAMS[program]), f"sample {sample}", f"I = {SAMPLES[sample]['I']}"):
        assert part in told
    assert f"engine:    {bug.engine}\nreference: {bug.reference}" in told


def test_failing_for_another_reason_is_no_disagreement() -> None:
    assert validate(faulty({(1, 0): RowFailure(1, 0, 9, Reason.RANGE)}), SAMPLES).agreed == [0, 1]


def test_a_program_that_only_the_engine_has_types_for() -> None:
    untyped = [parse_one("O = size(ONE)")]
    results = run(untyped, SAMPLES, device="reference")
    assert isinstance(results.untyped[0], TraceError)
    claimed = Results(untyped, [[0]], {}, Changed(results, {(0, 0): 1}))
    reports: list[Disagreement] = []
    [bug] = validate(claimed, SAMPLES, report=reports.append).disagreements
    assert isinstance(bug.reference, Raised)
    assert "TypeError" in str(bug)
    assert reports == [bug]


def test_the_same_budget_is_used_for_both() -> None:
    together = parse_one("O = combine(combine(asindices(I), asindices(vmirror(I))), asindices(hmirror(I)))")
    apart = parse_one("\n".join(("a = asindices(I)", "b = asindices(vmirror(I))", "O = combine(a, b)")))
    results = run([together, apart], SAMPLES, device="reference", budget=12)
    assert results.failure(0, 0) is not None and results.failure(1, 0) is not None
    assert validate(results, SAMPLES, budget=12).agreed == [0, 1]
