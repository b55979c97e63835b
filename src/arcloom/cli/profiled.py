"""The output of ``arcloom profile`` and of ``arcloom solve --profile``."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Group, RenderableType

from arcloom.cli.output import count, table
from arcloom.cluster.solve import Solved
from arcloom.search.time_profile import KernelShare, TimeProfile

SHOWN = 15
"""Default number of kernels shown: the slowest ones."""


def profile_json(found: TimeProfile) -> dict[str, Any]:
    """The sections and the kernels, each with its share of the total time."""
    return {
        "profile_seconds": round(found.seconds, 6),
        "profile": [
            {
                "section": section.name,
                "calls": section.calls,
                "seconds": round(section.seconds, 6),
                "share": _part(section.seconds, found),
                "in_kernels": round(section.metered, 6),
            }
            for section in found.sections
        ],
        "kernels": [
            {
                "kernel": kernel.name,
                "calls": kernel.calls,
                "rows": kernel.rows,
                "ns_per_row": round(kernel.ns_per_row, 1),
                "seconds": round(kernel.seconds, 9),
                "share": _part(kernel.seconds, found),
            }
            for kernel in found.kernels
        ],
    }


def _part(seconds: float, found: TimeProfile) -> float:
    return round(seconds / (found.seconds or 1.0), 6)


def search_json(found: Solved) -> dict[str, Any]:
    """The data, the settings and the counts of a search."""
    progress, options = found.progress, found.options
    return {
        "data": found.dataset.name,
        "device": found.device,
        "seed": options.seed,
        "workers": found.workers,
        "stopped": found.stopped,
        "budget": options.seconds,
        "seconds": round(progress.seconds, 3),
        "generations": progress.generation,
        "candidates": progress.candidates,
        "candidates_before": progress.before,
        "expressions": sum(progress.expressions.values()),
        "candidates_by_source": {name: n for name, n in sorted(found.sources.items()) if name != "untyped"},
        "untyped": progress.untyped,
        "tasks": progress.tasks,
        "solved_on_demonstrations": progress.solved,
        "settled": progress.settled,
    }


def as_json(found: Solved) -> dict[str, Any]:
    """The counts of a search, and its profile."""
    return {**search_json(found), **profile_json(found.profile)}


def as_text(found: Solved, shown: int | None) -> RenderableType:
    """A summary of the search, and the tables of its profile."""
    progress = found.progress
    tried = f"{count(progress.candidates, 'candidate')} in {count(progress.generation, 'generation')}"
    where = f"{found.device}, {count(found.workers, 'worker')}"
    said = f"{tried} on {count(progress.tasks, 'task')} of {found.dataset.name} ({where})"
    return Group(*(["stopped early"] if found.stopped else []), said, "", *profile_tables(found.profile, shown))


def profile_tables(found: TimeProfile, shown: int | None) -> Iterator[RenderableType]:
    """Tables of the sections and of the ``shown`` slowest kernels, or of all kernels."""
    yield _sections(found)
    if found.kernels:
        yield ""
        yield from _kernels(found, shown)


def _sections(found: TimeProfile) -> RenderableType:
    made = table("section", "calls", "seconds", "share", "of it in kernels")
    for section in found.sections:
        share, inside = f"{_part(section.seconds, found):.1%}", f"{section.metered:.3f}" if section.metered else ""
        made.add_row(section.name, f"{section.calls:,}", f"{section.seconds:.3f}", share, inside)
    made.add_row("all", "", f"{found.seconds:.3f}", "100.0%", f"{found.in_kernels:.3f}")
    return made


def _kernels(found: TimeProfile, shown: int | None) -> Iterator[RenderableType]:
    *kernels, between = found.kernels
    ranked = [kernel for kernel in kernels if kernel.calls]
    first = ranked if shown is None else ranked[:shown]
    made = table("kernel", "calls", "rows", "ns a row", "seconds", "share")
    for kernel in first:
        made.add_row(kernel.name, *_figures(kernel, found))
    others = ranked[len(first) :]
    if others:
        made.add_row(f"{len(others)} others", *_figures(_sum(others), found))
    made.add_row(between.name, "", "", "", *_figures(between, found)[-2:])
    made.add_row("all", "", "", "", *_figures(_sum(found.kernels), found)[-2:])
    yield made
    yield "Seconds are those of all workers together."


def _figures(kernel: KernelShare, found: TimeProfile) -> tuple[str, str, str, str, str]:
    per_row = f"{kernel.ns_per_row:,.0f}" if kernel.rows else ""
    share = f"{_part(kernel.seconds, found):.1%}"
    return f"{kernel.calls:,}", f"{kernel.rows:,}", per_row, f"{kernel.seconds:.3f}", share


def _sum(kernels: Sequence[KernelShare]) -> KernelShare:
    calls, rows = sum(kernel.calls for kernel in kernels), sum(kernel.rows for kernel in kernels)
    return KernelShare("", calls, rows, sum(kernel.seconds for kernel in kernels))
