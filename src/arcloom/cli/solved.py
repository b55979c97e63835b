"""The output of ``arcloom solve``."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from rich.console import Group, RenderableType

from arcloom.cli.output import count
from arcloom.cli.profiled import SHOWN, profile_json, profile_tables
from arcloom.cluster.coordinator import SUBMISSION
from arcloom.cluster.solve import Solved

SURE = 0.5
"""Confidence from which on the summary counts an answer as one that programs agree on."""


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
        "candidates_by_source": {name: n for name, n in sorted(found.sources.items()) if name != "untyped"},
        "untyped": progress.untyped,
        "tasks": progress.tasks,
        "solved_on_demonstrations": progress.solved,
        "settled": progress.settled,
    }


def as_json(found: Solved) -> dict[str, Any]:
    """The counts, the score, the confidence of each answer, and the profile."""
    score, out = found.score, found.options.out
    return {
        **search_json(found),
        "problems": list(found.problems),
        "peak_worker_memory": found.peak_memory,
        "known": score.known,
        "solved": len(score.solved),
        "points": round(score.points, 6),
        "solved_tasks": score.solved,
        "submission": None if out is None else str(out / SUBMISSION),
        "confidence": {id: [round(value, 4) for value in values] for id, values in found.confidence.items()},
        "found_by": {task.id: source for task in found.dataset if (source := found.found_by(task.id))},
        **profile_json(found.profile),
    }


def as_text(found: Solved, *, profile: bool) -> RenderableType:
    """The counts, the confidence of the answers, the score if it is known, and the profile on request."""
    return Group(*_lines(found), *(("", *profile_tables(found.profile, SHOWN)) if profile else ()))


def _lines(found: Solved) -> Iterator[str]:
    progress = found.progress
    if found.stopped:
        yield "stopped early"
    yield from (f"problem: {problem}" for problem in found.problems)
    tried = f"{count(progress.candidates, 'candidate')} in {count(progress.generation, 'generation')}"
    where = f"{found.device}, {count(found.workers, 'worker')}"
    yield f"{tried}: {progress.seconds:.1f} s, {progress.per_second:,.0f} a second ({where})"
    yield f"{progress.solved:,} of {count(progress.tasks, 'task')} solved on their demonstrations; {_certainty(found)}"
    sources = Counter(source for task in found.dataset if (source := found.found_by(task.id)))
    if sources:
        yield f"found by: {', '.join(f'{name} {n:,}' for name, n in sources.most_common())}"
    if found.options.out is not None:
        yield f"wrote {found.options.out / SUBMISSION}"
    score = found.score
    if score.known:
        of = f"{score.known:,} tasks of {found.dataset.name} with known answers"
        yield f"solved {len(score.solved):,} of {of}; points for single tests: {score.points:.1f}"


def _certainty(found: Solved) -> str:
    sure = [value for values in found.confidence.values() for value in values if value > 0]
    if not sure:
        return "no answer is voted for"
    high = sum(value >= SURE for value in sure)
    mean = sum(sure) / len(sure)
    return (
        f"{count(len(sure), 'answer')} voted for, {high:,} with confidence of {SURE:.0%} or more, {mean:.0%} on average"
    )
