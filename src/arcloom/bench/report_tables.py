"""The report of a benchmark as JSON and as tables."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from arcloom.bench.benchmark import BenchReport
from arcloom.bench.hot_spots import BenchProfile
from arcloom.bench.measure import GrowthStep, Times
from arcloom.bench.objects_time import ObjectsTime
from arcloom.bench.verdicts import PeerComparison, PeerDifference, PeerVerdict

SHORT = 20
"""Maximum number of characters of a value in a table."""

SHOWN = 12
"""Maximum number of printed entries of a list. The JSON has all."""


def as_json(report: BenchReport) -> dict[str, Any]:
    """The whole report, with the most important figures first."""
    return {
        "valid": report.valid,
        "warnings": list(warnings(report)),
        "own_task_ratio": _digits(report.own_task.ratio),
        "own_task_ratio_without_slowest": _digits(report.own_task.ratio_without_slowest),
        "mega_batch_ratio": _digits(report.mega_batch.ratio),
        "program_runs_per_second": _digits(report.mega_batch.runs_per_second),
        "objects_ns_per_cell": _digits(report.objects_ns_per_cell),
        "peak_rss_mb": _digits(report.peak_rss_mb),
        "fallback_programs": len(report.fallback_programs),
        "left_out": report.left_out,
        "data": report.data,
        "peer": report.peer,
        "seed": report.seed,
        "conditions": report.conditions,
        "cold": _rounded(asdict(report.cold)),
        "own_task": _own_task_json(report),
        "mega_batch": _mega_batch_json(report),
        "objects": [_objects_json(time) for time in report.objects],
        "growth": {
            "samples": [_rounded(asdict(step)) for step in report.growth_by_samples],
            "programs": [_rounded(asdict(step)) for step in report.growth_by_programs],
        },
        "profile": [_rounded(asdict(profile)) for profile in report.profiles],
        "mistakes": len(report.mistakes),
        "differences": [asdict(difference) for difference in report.differences],
    }


def _own_task_json(report: BenchReport) -> dict[str, Any]:
    own = report.own_task
    return {
        "program_runs": own.runs,
        "arcloom": _times_json(own.ours),
        "arcloom_on_one_thread": _times_json(own.ours_on_one_thread),
        "arcloom_without_slowest": _times_json(own.ours_without_slowest),
        "peer": _times_json(own.peer),
        "peer_without_slowest": _times_json(own.peer_without_slowest),
        "slowest": own.slowest,
        "slowest_seconds": _digits(own.slowest_seconds),
        "outcomes": own.comparison.counts,
    }


def _mega_batch_json(report: BenchReport) -> dict[str, Any]:
    mega = report.mega_batch
    return {
        "programs": mega.programs,
        "samples": mega.samples,
        "program_runs": mega.runs,
        "arcloom": _times_json(mega.ours),
        "peer_sampled_runs": mega.sampled,
        "peer_seconds_per_run": _digits(mega.peer_seconds / mega.sampled),
        "peer_standard_error": _digits(mega.peer_error),
        "peer_over_limit": mega.over_limit,
        "peer_failed": mega.failed,
        "outcomes": mega.comparison.counts,
    }


def _times_json(times: Times) -> dict[str, Any]:
    return {"best": _digits(times.best), "median": _digits(times.median), "seconds": _rounded(times.seconds)}


def _objects_json(time: ObjectsTime) -> dict[str, Any]:
    return {
        "flags": time.flags,
        "arcloom_ns_per_cell": _digits(time.ours),
        "peer_ns_per_cell": _digits(time.peer),
        "ratio": _digits(time.ratio),
        "outcomes": time.comparison.counts,
    }


def _rounded(value: Any) -> Any:
    """The value with all numbers rounded to five digits."""
    match value:
        case float():
            return _digits(value)
        case dict():
            return {key: _rounded(part) for key, part in value.items()}
        case list() | tuple():
            return [_rounded(part) for part in value]
    return value


def _digits(number: float | None) -> float | None:
    return None if number is None else float(f"{number:.5g}")


def warnings(report: BenchReport) -> Iterator[str]:
    """Warnings about the validity of the figures."""
    for reason in ("fallback", "untyped"):
        names = report.left_out[reason]
        if names:
            yield f"THE RATIOS ARE NOT VALID: {len(names)} programs left out ({reason}): {_named(names)}"
    if report.mistakes:
        names = tuple(sorted({difference.program for difference in report.mistakes}))
        yield f"THE RATIOS ARE NOT VALID: {len(report.mistakes)} outcomes are not the reference's: {_named(names)}"
    for reason in ("no task", "not in the peer"):
        names = report.left_out[reason]
        if names:
            yield f"{len(names)} programs left out ({reason}): {_named(names)}"
    if report.differences:
        programs = sorted({difference.program for difference in report.differences})
        yield f"{len(report.differences)} runs have different outcomes on the two sides: {_named(programs)}"
    if not report.objects:
        yield "objects were not timed: one side does not have the primitive"


def as_text(report: BenchReport) -> RenderableType:
    """All tables, with comparisons and warnings before the times."""
    return Group(
        _conditions(report),
        *(Text(warning, style="bold red") for warning in warnings(report)),
        "",
        _outcomes(report),
        *_differences(report.differences),
        "",
        _headline(report),
        *_spaced([_objects(report.objects)] if report.objects else []),
        *_spaced([_growth("samples", report.growth_by_samples), _growth("programs", report.growth_by_programs)]),
        *_spaced([table for profile in report.profiles for table in _profile(profile)]),
    )


def _spaced(tables: Sequence[Table]) -> Iterator[RenderableType]:
    """The tables with an empty line before each."""
    for table in tables:
        yield ""
        yield table


def _conditions(report: BenchReport) -> str:
    c = report.conditions
    versions = f"Python {c['python']}, NumPy {c['numpy']}, Numba {c['numba']}"
    return f"{c['cpu']}, {c['cores']} cores (load {c['load']}), {c['system']}; {versions}; seed {report.seed}"


def _outcomes(report: BenchReport) -> Table:
    table = _table("outcomes", *map(str, PeerVerdict))
    parts = [("own task", report.own_task.comparison), ("mega-batch (sampled)", report.mega_batch.comparison)]
    if report.objects:
        parts.append(("objects", _summed([time.comparison for time in report.objects])))
    for name, comparison in parts:
        table.add_row(name, *(f"{comparison.counts[verdict]:,}" for verdict in PeerVerdict))
    return table


def _summed(comparisons: Sequence[PeerComparison]) -> PeerComparison:
    counts = {str(v): sum(comparison.counts[v] for comparison in comparisons) for v in PeerVerdict}
    return PeerComparison(counts, ())


def _differences(differences: Sequence[PeerDifference]) -> Iterator[RenderableType]:
    if not differences:
        return
    table = _table("differs in", "program", "sample", "how", "arcloom", "peer", "reference")
    for d in sorted(differences, key=lambda d: d.reference_agrees)[:SHOWN]:
        reference = "as arcloom" if d.reference_agrees else "DIFFERENT"
        table.add_row(d.part, d.program, d.sample, d.verdict, d.ours[:SHORT], d.theirs[:SHORT], reference)
    yield ""
    yield table
    if len(differences) > SHOWN:
        yield f"and {len(differences) - SHOWN:,} more (see --json)"


def _headline(report: BenchReport) -> Table:
    own, mega, cold = report.own_task, report.mega_batch, report.cold
    table = _table("measure", "arcloom", "(median)", "peer", "(median)", "ratio")
    table.add_row("own task", *_both(own.ours, own.peer), _times(own.ratio))
    rest = (own.ours_without_slowest, own.peer_without_slowest)
    table.add_row(f"  without {own.slowest}", *_both(*rest), _times(own.ratio_without_slowest))
    one = own.ours_on_one_thread
    table.add_row("  on one thread", *_both(one, own.peer), _times(own.peer.best / one.best))
    per_run = mega.peer_seconds / mega.sampled
    table.add_row(
        f"mega-batch, {mega.runs:,} runs",
        _seconds(mega.ours.best),
        _seconds(mega.ours.median),
        f"{per_run * 1e3:.3f} ms a run",
        f"±{mega.peer_error * 1e3:.3f}, {mega.sampled:,} runs",
        _times(mega.ratio),
    )
    table.add_row("  program runs per second", f"{mega.runs_per_second:,.0f}", "", f"{1 / per_run:,.0f}")
    table.add_row("  peak memory", f"{report.peak_rss_mb:,.0f} MB")
    table.add_row(f"cold: {cold.compiled} kernels compiled", _seconds(cold.compile_seconds))
    table.add_row("cold: first run on own tasks", _seconds(cold.first_run_seconds))
    return table


def _both(ours: Times, peer: Times) -> tuple[str, ...]:
    return tuple(map(_seconds, (ours.best, ours.median, peer.best, peer.median)))


def _objects(times: Sequence[ObjectsTime]) -> Table:
    table = _table("objects", "arcloom ns/cell", "peer ns/cell", "ratio")
    for time in times:
        table.add_row(", ".join(time.flags), f"{time.ours:.1f}", f"{time.peer:,.0f}", _times(time.ratio))
    return table


def _growth(what: str, steps: Sequence[GrowthStep]) -> Table:
    table = _table(f"growth by {what}", "programs", "samples", "seconds", "us a run", "against linear")
    for step in steps:
        per_run = step.seconds / (step.programs * step.samples) * 1e6
        linear = "" if step.against_linear is None else f"{step.against_linear:.2f}"
        table.add_row("", f"{step.programs:,}", f"{step.samples:,}", f"{step.seconds:.3f}", f"{per_run:.2f}", linear)
    return table


def _profile(profile: BenchProfile) -> Iterator[Table]:
    table = _table(f"{profile.part}: {profile.seconds:.3f} s on one thread", "seconds", "share")
    for phase in profile.phases:
        table.add_row(phase.name, f"{phase.seconds:.4f}", f"{phase.share:.1%}")
    yield table
    table = _table("kernel", "calls", "rows", "seconds", "ns a row", "share")
    for k in profile.kernels[:SHOWN]:
        table.add_row(
            k.name, f"{k.calls:,}", f"{k.rows:,}", f"{k.seconds:.4f}", f"{k.ns_per_row:,.0f}", f"{k.share:.1%}"
        )
    yield table
    table = _table("Python function", "calls", "seconds traced", "share")
    for f in profile.functions[:SHOWN]:
        table.add_row(f.name, f"{f.calls:,}", f"{f.seconds:.4f}", f"{f.share:.1%}")
    yield table


def _table(first: str, *headings: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column(first, overflow="fold")
    numeric = first not in ("differs in",)
    for heading in headings:
        table.add_column(heading, justify="right" if numeric else "left", overflow="fold")
    return table


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f} s"


def _times(ratio: float) -> str:
    return f"{ratio:,.1f}x"


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
