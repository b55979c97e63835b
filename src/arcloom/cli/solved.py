"""The output of ``arcloom solve``."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from arcloom.cli.live import rates
from arcloom.cli.output import count, table
from arcloom.cli.profiled import SHOWN, profile_json, profile_tables, search_json
from arcloom.cluster.coordinator import SUBMISSION
from arcloom.cluster.solve import STORE, Solved
from arcloom.search.origin import GUESS

LONGER = 600.0
"""Budget in seconds of the next search that the summary suggests."""

SURE = 0.5
"""Minimum confidence of the answers that the summary counts as confident."""


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
    """The counts, the solved tasks by origin, the files, the next commands, and the profile on request."""
    return Group(*_lines(found), *(("", *profile_tables(found.profile, SHOWN)) if profile else ()))


def _lines(found: Solved) -> Iterator[RenderableType]:
    if found.stopped:
        yield "stopped early"
    yield from (f"problem: {_short(problem)}" for problem in found.problems)
    yield from _results(found)
    yield _tried(found)
    if found.options.out is not None:
        yield f"wrote {found.options.out / SUBMISSION} and {found.options.out / STORE}"
        yield from _next_commands(found, found.options.out)


def _short(problem: str) -> str:
    """A problem in one line: its first line and, for a traceback, the line with the error."""
    first, *more = problem.strip().splitlines()
    return f"{first} {more[-1].strip()} (--json has the traceback)" if more else first


def _tried(found: Solved) -> str:
    progress = found.progress
    tried = f"{count(progress.candidates, 'candidate')} in {count(progress.generation, 'generation')}"
    before = f", {progress.before:,} of them in earlier sessions" if progress.before else ""
    where = f"{found.device}, {count(found.workers, 'worker')}"
    return f"{tried}{before}: {progress.seconds:.1f} s, {rates(progress)} ({where})"


def _results(found: Solved) -> Iterator[RenderableType]:
    """The solved tasks: judged by test outputs if these are known, otherwise by demonstrations."""
    progress, score, data = found.progress, found.score, found.dataset.name
    fit = [task.id for task in found.dataset if found.votes.get(task.id)]
    solved = score.solved if score.known else fit
    if score.known:
        known = f"{score.known:,} tasks of {data} with known answers"
        yield Text(f"solved {len(solved):,} of {known}; points for single tests: {score.points:.1f}", style="bold")
    if solved:
        yield from _by_origin(found, solved)
    yield f"{len(fit):,} of {count(progress.tasks, 'task')} solved on their demonstrations; {_certainty(found)}"


def _by_origin(found: Solved, solved: Sequence[str]) -> Iterator[RenderableType]:
    """The ids of solved tasks by the origin of their programs, the most frequent origin first."""
    tasks: dict[str, list[str]] = {}
    for id in solved:
        tasks.setdefault(found.found_by(id) or GUESS, []).append(id)
    shown = table("found by", "tasks", "")
    for origin, ids in sorted(tasks.items(), key=lambda item: -len(item[1])):
        shown.add_row(origin, f"{len(ids):,}", " ".join(ids))
    yield shown
    own = sum(found.found_by_own(id) for id in solved)
    if own:
        yield f"{own:,} of these by the bundled program that was written for the task; --hide-own hides such programs"
    if GUESS in tasks:
        yield f"{GUESS}: no program solves all demonstrations, but an attempt is right"


def _next_commands(found: Solved, out: Path) -> Iterator[RenderableType]:
    with_program = next((task.id for task in found.dataset if found.votes.get(task.id)), None)
    folder = shlex.quote(str(out))
    longer = replace(found.options, seconds=LONGER, generations=None)
    commands = [f"arcloom report {folder}"]
    if with_program is not None:
        commands.append(f"arcloom trace --run {folder} {shlex.quote(with_program)}")
    commands.append(f"{longer.command(found.dataset.name)} --out {folder} --resume")
    yield Text("next:", style="bold")
    for command in commands:
        yield Text(f"  {command}", no_wrap=True, overflow="ignore")  # a line break would spoil a copied command


def _certainty(found: Solved) -> str:
    sure = [value for values in found.confidence.values() for value in values if value > 0]
    if not sure:
        return "no answer is voted for"
    high = sum(value >= SURE for value in sure)
    mean = sum(sure) / len(sure)
    return (
        f"{count(len(sure), 'answer')} voted for, {high:,} with confidence of {SURE:.0%} or more, {mean:.0%} on average"
    )
