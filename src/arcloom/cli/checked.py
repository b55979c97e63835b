"""The output of ``arcloom check``."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from arcloom.check import CheckReport, Finding, SampleFinding, Verdict
from arcloom.cli.output import count, named, table
from arcloom.tasks.grid import is_grid
from arcloom.tasks.task import Dataset, suggestion

SUGGESTED = 10
"""Maximum number of programs without a task for which task ids are suggested."""


def as_json(report: CheckReport, *, verbose: bool) -> dict[str, Any]:
    """The counts, names and bad programs of a check; with ``verbose``, also the results on all samples."""
    return {
        "data": report.data,
        "device": report.device,
        "programs": report.programs,
        "samples": report.samples,
        "unknown_outputs": report.unknown,
        **{str(verdict): report.count(verdict) for verdict in Verdict},
        "unmatched": len(report.unmatched),
        "unmatched_names": report.unmatched,
        "fallback_programs": len(report.fallback_programs),
        "fallback_names": report.fallback_programs,
        "seconds": round(report.seconds, 6),
        "phases": {phase: round(seconds, 6) for phase, seconds in report.phases.items()},
        "bad": [_finding_json(finding) for finding in report.bad],
        **({"results": [_finding_json(finding, verbose=True) for finding in report.findings]} if verbose else {}),
    }


def _finding_json(finding: Finding, *, verbose: bool = False) -> dict[str, Any]:
    entries = asdict(finding)
    del entries["unknown"], entries["samples"]
    if verbose:
        entries["samples"] = [_sample_json(sample) for sample in finding.samples]
    return entries


def _sample_json(sample: SampleFinding) -> dict[str, Any]:
    return {**asdict(sample), "output": sample.output if is_grid(sample.output) else None}


def as_text(report: CheckReport, dataset: Dataset, *, show: bool, verbose: bool) -> RenderableType:
    """A table of the programs that are not right (with ``verbose``, of all samples), drawings with ``show``, and a
    summary."""
    given = f"{count(report.programs, 'program')} on {count(report.samples, 'sample')} of {report.data}"
    unknown = f", {count(report.unknown, 'sample')} without a known output" if report.unknown else ""
    summary = f"{given}: {report.summary}{unknown} ({report.device}, {report.seconds:.1f} s)"
    pictures = _pictures(report, dataset, verbose) if show else ()
    return Group(*_tables(report, verbose), *pictures, *_remarks(report, dataset), summary)


def _tables(report: CheckReport, verbose: bool) -> Iterator[RenderableType]:
    rows = list(_all_rows(report) if verbose else _bad_rows(report))
    files = len({finding.file for finding in report.findings}) > 1
    if rows:
        shown = table(*(["file"] if files else []), "task", "verdict", "sample", "line", "why")
        for file, *row in rows:
            shown.add_row(*([file] if files else []), *row)
        yield shown


def _bad_rows(report: CheckReport) -> Iterator[tuple[str, ...]]:
    for bad in report.bad:
        yield bad.file, bad.task, bad.verdict, bad.sample or "", str(bad.line or ""), bad.message


def _all_rows(report: CheckReport) -> Iterator[tuple[str, ...]]:
    for found in report.findings:
        for one in found.samples:
            message = "the expected output is unknown" if one.expected is None and not one.message else one.message
            yield found.file, found.task, one.verdict, one.sample, str(one.line or ""), message
        if not found.samples:
            yield found.file, found.task, found.verdict, "", str(found.line or ""), found.message


def _pictures(report: CheckReport, dataset: Dataset, verbose: bool) -> Iterator[RenderableType]:
    """Drawings of the first bad sample of each bad program; with ``verbose``, of all samples of all programs."""
    from arcloom.tasks.terminal import DifferenceView

    for found in report.findings if verbose else report.bad:
        for i, one in enumerate(found.samples):
            if verbose or one.sample == found.sample:
                about = f" ({one.message})" if one.message else ""
                yield Text(f"{found.program} {one.sample}: {one.verdict}{about}", style="bold")
                output = one.output if is_grid(one.output) else None
                yield DifferenceView(dataset[found.task].samples[i].input, output, one.expected)


def _remarks(report: CheckReport, dataset: Dataset) -> Iterator[str]:
    if report.unmatched:
        yield f"{count(len(report.unmatched), 'program')} without a task in the data: {named(report.unmatched)}"
        for name in report.unmatched[:SUGGESTED]:
            near = suggestion(name.rpartition("_")[2], dataset.ids)
            if near:
                yield f"  {name}{near}"
    fallen = report.fallback_programs
    if fallen:
        yield f"{count(len(fallen), 'program')} left to the reference: {named(fallen)}"
