"""The overview of a report as JSON: figures, tasks, sources, times and settings."""

import time
from collections import Counter
from typing import Any

from arcloom.report.encode import grid_json
from arcloom.report.run_data import STATES, RunData, TaskResult

UNTYPED = "untyped"
"""Key of the untyped candidates in the counts by source."""


def overview(data: RunData) -> dict[str, Any]:
    """The data of a report, without the details of tasks."""
    results = data.results
    return {
        "data": data.dataset.name,
        "status": data.status,
        "made": time.time(),
        "started": data.run.started,
        "seconds": round(data.clock.seconds(), 3),
        "states": STATES,
        "tasks": [_task(result) for result in results],
        "figures": _figures(data),
        "sources": _sources(data),
        "sections": _sections(data),
        "kernels": _kernels(data),
        "sessions": [_session(data, number) for number in range(len(data.sessions))],
        "versions": dict(data.run.versions),
        "settings": _settings(data),
        "command": _command(data),
        "problems": [problem for session in data.sessions for problem in session.statistics.get("problems", ())],
    }


def _task(result: TaskResult) -> dict[str, Any]:
    first = result.attempts[0] if result.attempts else ()
    return {
        "id": result.task.id,
        "state": result.state,
        "confidence": round(result.confidence, 4),
        "source": result.source,
        "found": None if result.found is None else round(result.found, 2),
        "generations": result.generations,
        "programs": len({vote.program for vote in result.votes}),
        "seconds": round(sum(result.seconds.values()), 3),
        "right": [one is True for one in result.right] if None not in result.right else None,
        "thumbnail": grid_json(first[0].grid if first else result.task.test[0].input if result.task.test else None),
    }


def _figures(data: RunData) -> dict[str, Any]:
    results, counts = data.results, _candidates(data)
    known = [result for result in results if result.right and None not in result.right]
    return {
        "tasks": len(results),
        "known": len(known),
        "solved": sum(result.state == "solved" for result in results),
        "points": round(sum(sum(map(bool, result.right)) / len(result.right) for result in known), 3),
        "explained": sum(bool(result.votes) for result in results),
        "settled": max((session.statistics.get("settled", 0) for session in data.sessions), default=0),
        "candidates": sum(number for name, number in counts.items() if name != UNTYPED),
        "untyped": counts[UNTYPED],
        "generations": sum(result.generations for result in results),
        "programs": len({vote.program for result in results for vote in result.votes}),
    }


def _candidates(data: RunData) -> Counter[str]:
    counts: Counter[str] = Counter()
    for result in data.results:
        counts.update(result.candidates)
    return counts


def _sources(data: RunData) -> list[dict[str, Any]]:
    """For each source: explained and solved tasks, candidates, and seconds; the most successful source first.

    A task is explained if a program solves its demonstrations.
    """
    counts, seconds = _candidates(data), Counter[str]()
    for result in data.results:
        seconds.update(result.seconds)
    explained = Counter(result.origin for result in data.results if result.origin)
    solved = Counter(result.source for result in data.results if result.source and result.state == "solved")
    names = {*counts, *explained, *solved} - {UNTYPED}
    rows = [
        {
            "name": name,
            "explained": explained[name],
            "solved": solved[name],
            "candidates": counts[name],
            "seconds": round(seconds[name], 3),
        }
        for name in names
    ]
    return sorted(rows, key=lambda row: (-row["explained"], -row["solved"], -row["candidates"], row["name"]))


def _sections(data: RunData) -> list[list[Any]]:
    """Name, calls, seconds and seconds in the engine of each section of the workers, longest first."""
    rows = _totals(data, "sections", seconds=1)
    return [[data.origins.source(name), *numbers] for name, *numbers in rows]


def _kernels(data: RunData) -> list[list[Any]]:
    """Name, calls, rows and seconds of each kernel, longest first. Empty if kernels were not timed."""
    return _totals(data, "kernels", seconds=2)


def _totals(data: RunData, kind: str, seconds: int) -> list[list[Any]]:
    total: dict[str, list[float]] = {}
    for session in data.sessions:
        for name, numbers in session.statistics.get(kind, {}).items():
            total[name] = [a + b for a, b in zip(total.get(name, (0, 0, 0)), numbers, strict=True)]
    rows = [[name, *numbers] for name, numbers in total.items()]
    return sorted(rows, key=lambda row: -row[1 + seconds])


def _session(data: RunData, number: int) -> dict[str, Any]:
    session = data.sessions[number]
    statistics = session.statistics
    return {
        "started": session.started,
        "ended": session.ended,
        "shard": session.settings.get("shard"),
        "budget": session.settings.get("seconds"),
        "device": session.settings.get("device"),
        "workers": statistics.get("workers"),
        "peak_memory": statistics.get("peak_memory"),
        "seconds": statistics.get("seconds"),
    }


def _settings(data: RunData) -> dict[str, Any]:
    """The settings of the run that its sessions have in common."""
    special = ("shard", "replaced")
    return {**{name: value for name, value in data.run.settings.items() if name not in special}, "seed": data.run.seed}


def _command(data: RunData) -> str | None:
    """The command that repeats the run, from the last session that recorded it."""
    known = [session.statistics["command"] for session in data.sessions if session.statistics.get("command")]
    return known[-1] if known else None
