"""The tasks of a report as JSON: attempts, votes, programs with traces and ancestry, nearest misses."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from arcloom.program.parse import parse_one
from arcloom.program.print import to_text
from arcloom.program.term import Program
from arcloom.report.encode import grid_json, task_json, trace_json
from arcloom.report.run_data import RunData, TaskResult
from arcloom.report.trace import Trace, TraceRequest, trace_programs
from arcloom.search.loop.vote import Ballot
from arcloom.store import Attempt, Member, Vote
from arcloom.tasks.packed import unpack
from arcloom.tasks.task import Task

PROGRAMS = 2
"""Number of programs of a task that are shown with traces, and of nearest misses of a task without a solution."""

GUESSES = 5
"""Maximum number of outputs shown per test input in the table of votes."""


@dataclass(frozen=True)
class Shown:
    """A program to show for a task, with its origin and its weight or score (``about``)."""

    task: Task
    digest: str
    program: Program
    about: dict[str, Any]


def details(data: RunData, programs: int = PROGRAMS) -> dict[str, dict[str, Any]]:
    """The details of every task, by its id."""
    return details_of(data, data.results, programs)


def details_of(data: RunData, results: Sequence[TaskResult], programs: int = PROGRAMS) -> dict[str, dict[str, Any]]:
    """The details of some tasks, by their ids."""
    shown = [one for result in results for one in shown_programs(data, result, programs)]
    traces = trace_programs([TraceRequest(one.program, one.task) for one in shown])
    by_task: dict[str, list[dict[str, Any]]] = {}
    for one, trace in zip(shown, traces, strict=True):
        by_task.setdefault(one.task.id, []).append(_program_json(data, one, trace))
    return {result.task.id: _task(data, result, by_task.get(result.task.id, [])) for result in results}


def shown_programs(data: RunData, result: TaskResult, limit: int) -> Iterator[Shown]:
    """The programs to show: those with the most weight, or else the nearest misses."""
    ranked = sorted(result.votes, key=lambda vote: -vote.weight)
    votes = list({vote.program: vote for vote in reversed(ranked)}.values())[::-1][:limit]
    misses = [] if votes else data.misses(result.task, limit)
    texts = data.store.texts([*(vote.program for vote in votes), *(miss.program for miss in misses)])
    for vote in votes:
        yield Shown(
            result.task,
            vote.program,
            parse_one(texts[vote.program]),
            _about(data, vote, weight=round(vote.weight, 6), unseen=vote.unseen),
        )
    for miss in misses:
        yield Shown(result.task, miss.program, parse_one(texts[miss.program]), _about(data, miss, score=miss.score))


def _about(data: RunData, found: Vote | Member, **more: Any) -> dict[str, Any]:
    return {"source": data.origins.of(found), "root": found.root, **more}


def _program_json(data: RunData, shown: Shown, trace: Trace) -> dict[str, Any]:
    return {
        "digest": shown.digest[:10],
        **shown.about,
        "calls": len(shown.program),
        "text": to_text(shown.program),
        "trace": trace_json(trace),
        "ancestry": _ancestry(data, shown),
    }


def _ancestry(data: RunData, shown: Shown) -> list[dict[str, Any]]:
    """The programs that a program was made from, the nearest first, each with the change that followed it."""
    chain = data.ancestors(shown.digest)
    texts = data.store.texts([digest for digest, _ in chain])
    programs = [shown.program, *(parse_one(texts[digest]) for digest, _ in chain)]
    nested = [to_text(program, nested=True).partition("\n")[2] for program in programs]
    return [
        {"digest": digest[:10], "name": parent.name, "change": how, "difference": difference(before, after)}
        for (digest, how), parent, before, after in zip(chain, programs[1:], nested[1:], nested, strict=False)
    ]


def difference(before: str, after: str) -> list[list[str]]:
    """The differences of two texts word by word: pairs of a sign ("=" common, "-" old, "+" new) and a text."""
    old, new = _words(before), _words(after)
    pieces: list[list[str]] = []
    for tag, i, end, j, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            pieces.append(["=", "".join(old[i:end])])
            continue
        pieces += [[sign, text] for sign, text in (("-", "".join(old[i:end])), ("+", "".join(new[j:last]))) if text]
    return pieces


def _words(text: str) -> list[str]:
    return re.findall(r"\w+|\s+|[^\w\s]", text.replace("    ", "").strip())


def _task(data: RunData, result: TaskResult, programs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {
        "task": task_json(result.task),
        "attempts": [_attempts(attempts) for attempts in result.attempts],
        "votes": _votes(data, result),
        "programs": programs,
        "seconds": {name: round(seconds, 3) for name, seconds in result.seconds.items() if seconds >= 0.0005},
        "candidates": result.candidates,
    }


def _attempts(attempts: Sequence[Attempt]) -> dict[str, Any]:
    confidence = attempts[0].confidence if attempts else 0.0
    return {"grids": [grid_json(attempt.grid) for attempt in attempts], "confidence": round(confidence, 4)}


def _votes(data: RunData, result: TaskResult) -> list[list[dict[str, Any]]]:
    """For each test, the outputs that programs voted for: the share of the vote, and the number of programs."""
    ballot = Ballot.of(result.task)
    for vote in result.votes:
        ballot.add(vote)
    return [list(_guesses(data, ballot, result, test)) for test in range(len(result.task.test))]


def _guesses(data: RunData, ballot: Ballot, result: TaskResult, test: int) -> Iterator[dict[str, Any]]:
    for guess in ballot.guesses(test)[:GUESSES]:
        votes = [vote for vote in result.votes if vote.outputs[test] == guess]
        yield {
            "grid": grid_json(unpack(guess)),
            "share": round(ballot.share(test, guess), 4),
            "programs": len({vote.program for vote in votes}),
            "sources": sorted(set(map(data.origins.of, votes))),
        }
