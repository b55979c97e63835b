"""What ``arcloom profile`` and ``arcloom solve --profile`` print."""

from collections.abc import Iterator
from typing import Any

from rich.console import Group, RenderableType

from arcloom.cli.output import count, table
from arcloom.search.profile import KernelShare, Profile
from arcloom.search.solve import Outcome, Search

SHOWN = 15
"""So many kernels are shown unless all are asked for."""


def profile_json(found: Profile) -> dict[str, Any]:
    """The sections and the kernels, each with its share of all the time."""
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
                "thread_seconds": round(kernel.thread_seconds, 6),
                "seconds": round(kernel.seconds, 6),
                "share": _part(kernel.seconds, found),
            }
            for kernel in found.kernels
        ],
    }


def _part(seconds: float, found: Profile) -> float:
    return round(seconds / (found.seconds or 1.0), 6)


def as_json(search: Search, outcome: Outcome, found: Profile) -> dict[str, Any]:
    """What was searched for how long, and where the time went."""
    progress = outcome.progress
    return {
        "data": search.dataset.name,
        "device": search.settings.device,
        "seed": search.settings.seed,
        "stopped": outcome.stopped,
        "generations": progress.generation,
        "candidates": progress.candidates,
        "tasks": progress.tasks,
        "solved_on_demonstrations": progress.solved,
        **profile_json(found),
    }


def as_text(search: Search, outcome: Outcome, found: Profile, shown: int | None) -> RenderableType:
    """One line on the search, and the tables."""
    progress = outcome.progress
    tried = f"{count(progress.candidates, 'candidate')} in {count(progress.generation, 'generation')}"
    said = f"{tried} on {count(progress.tasks, 'task')} of {search.dataset.name} ({search.settings.device})"
    return Group(*(["stopped early"] if outcome.stopped else []), said, "", *profile_tables(found, shown))


def profile_tables(found: Profile, shown: int | None) -> Iterator[RenderableType]:
    """The sections with their shares, and the kernels that took longest, or all of them."""
    yield _sections(found)
    if found.kernels:
        yield ""
        yield from _kernels(found, shown)


def _sections(found: Profile) -> RenderableType:
    made = table("section", "calls", "seconds", "share", "of it in kernels")
    for section in found.sections:
        share, inside = f"{_part(section.seconds, found):.1%}", f"{section.metered:.3f}" if section.metered else ""
        made.add_row(section.name, f"{section.calls:,}", f"{section.seconds:.3f}", share, inside)
    made.add_row("all", "", f"{found.seconds:.3f}", "100.0%", f"{found.in_kernels:.3f}")
    return made


def _kernels(found: Profile, shown: int | None) -> Iterator[RenderableType]:
    *kernels, between = found.kernels
    ranked = [kernel for kernel in kernels if kernel.calls]
    first = ranked if shown is None else ranked[:shown]
    made = table("kernel", "calls", "rows", "ns a row", "thread s", "share")
    for kernel in first:
        made.add_row(
            kernel.name, f"{kernel.calls:,}", f"{kernel.rows:,}", f"{kernel.ns_per_row:,.0f}", *_times(kernel, found)
        )
    others = ranked[len(first) :]
    if others:
        made.add_row(f"{len(others)} others", *_sums(others, found))
    made.add_row(between.name, "", "", "", *_times(between, found))
    made.add_row("all", "", "", "", *_sums(found.kernels, found)[-2:])
    yield made
    yield "Threads run kernels at once: shares are of the time on the wall, and add up to what is in kernels above."


def _times(kernel: KernelShare, found: Profile) -> tuple[str, str]:
    return f"{kernel.thread_seconds:.3f}", f"{_part(kernel.seconds, found):.1%}"


def _sums(kernels: Any, found: Profile) -> tuple[str, ...]:
    calls, rows = sum(kernel.calls for kernel in kernels), sum(kernel.rows for kernel in kernels)
    threads, wall = sum(kernel.thread_seconds for kernel in kernels), sum(kernel.seconds for kernel in kernels)
    per_row = f"{threads / rows * 1e9:,.0f}" if rows else ""
    return f"{calls:,}", f"{rows:,}", per_row, f"{threads:.3f}", f"{_part(wall, found):.1%}"
