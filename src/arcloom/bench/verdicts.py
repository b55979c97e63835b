"""Comparison of the results of both sides, before any time is measured."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from arcloom.bench.checkout import PeerOutcome
from arcloom.bench.workload import Workload
from arcloom.dsl.meter import DEFAULT_BUDGET
from arcloom.engine.results import Results, RowFailure, Sample
from arcloom.engine.run import run
from arcloom.program.term import Program


class PeerVerdict(StrEnum):
    """The result of comparing the two outcomes of one run."""

    EQUAL = "equal outputs"
    BOTH_FAIL = "both fail"
    UNKNOWN = "peer over its time limit"
    DIFFERENT = "different outputs"
    ONLY_WE_FAIL = "only arcloom fails"
    ONLY_PEER_FAILS = "only the peer fails"


AGREEMENTS = frozenset({PeerVerdict.EQUAL, PeerVerdict.BOTH_FAIL, PeerVerdict.UNKNOWN})

LONGEST = 60
"""Maximum number of characters of a value in a report."""


@dataclass(frozen=True)
class PeerDifference:
    """A run with different outcomes on the two sides. If the reference does not agree with the engine either, it is a
    bug in arcloom."""

    part: str
    program: str
    sample: str
    verdict: PeerVerdict
    ours: str
    theirs: str
    reference_agrees: bool


@dataclass(frozen=True)
class PeerComparison:
    """The number of runs by PeerVerdict, and the runs with different outcomes."""

    counts: dict[str, int]
    differences: tuple[PeerDifference, ...]


def compared(
    part: str,
    work: Workload,
    results: Results,
    runs: Sequence[tuple[int, int]],
    answers: Iterable[PeerOutcome],
    *,
    budget: int = DEFAULT_BUDGET,
) -> PeerComparison:
    """Compare our outcomes of these runs (program and sample), computed with this budget, with the peer's."""
    counts = Counter(dict.fromkeys(PeerVerdict, 0))
    differences = []
    for (p, s), theirs in zip(runs, answers, strict=True):
        ours = results.outcomes.value(p, s)
        verdict = verdict_of(ours, theirs)
        counts[verdict] += 1
        if verdict not in AGREEMENTS:
            differences.append(
                PeerDifference(
                    part=part,
                    program=work.programs[p].name,
                    sample=work.labels[s],
                    verdict=verdict,
                    ours=_short(ours),
                    theirs=_short(theirs.value),
                    reference_agrees=agrees(work.programs[p], work.samples[s], ours, budget),
                )
            )
    return PeerComparison({str(verdict): count for verdict, count in counts.items()}, tuple(differences))


def verdict_of(ours: Any, theirs: PeerOutcome) -> PeerVerdict:
    """The comparison of one of our outcomes with the peer's."""
    if theirs.kind == "limit":
        return PeerVerdict.UNKNOWN
    if isinstance(ours, RowFailure):
        return PeerVerdict.BOTH_FAIL if theirs.failed else PeerVerdict.ONLY_WE_FAIL
    if theirs.failed:
        return PeerVerdict.ONLY_PEER_FAILS
    return PeerVerdict.EQUAL if theirs.kind == "value" and ours == theirs.value else PeerVerdict.DIFFERENT


def agrees(program: Program, sample: Sample, ours: Any, budget: int = DEFAULT_BUDGET) -> bool:
    """Whether the reference has the same value, or the same failure (line and reason)."""
    found = run([program], [sample], device="reference", budget=budget).outcomes.value(0, 0)
    if isinstance(found, RowFailure):
        return isinstance(ours, RowFailure) and (ours.line, ours.reason) == (found.line, found.reason)
    return bool(found == ours)


def _short(outcome: Any) -> str:
    text = str(outcome)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
