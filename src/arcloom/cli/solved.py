"""What ``arcloom solve`` prints."""

from collections.abc import Iterator
from typing import Any

from rich.console import Group, RenderableType

from arcloom.cli.output import count
from arcloom.cli.profiled import SHOWN, profile_json, profile_tables
from arcloom.search.profile import Profile
from arcloom.search.solve import SUBMISSION, Outcome, Search
from arcloom.search.submission import Score

SURE = 0.5
"""From this confidence on, an answer is told to be one that programs agree on."""


def as_json(search: Search, outcome: Outcome, score: Score, profile: Profile | None) -> dict[str, Any]:
    """The counts, the score, how sure each answer is, and where the time went."""
    progress = outcome.progress
    return {
        "data": search.dataset.name,
        "device": search.settings.device,
        "seed": search.settings.seed,
        "stopped": outcome.stopped,
        "seconds": round(progress.seconds, 3),
        "generations": progress.generation,
        "candidates": progress.candidates,
        "untyped": progress.untyped,
        "tasks": progress.tasks,
        "solved_on_demonstrations": progress.solved,
        "settled": progress.settled,
        "known": score.known,
        "solved": len(score.solved),
        "points": round(score.points, 6),
        "solved_tasks": score.solved,
        "submission": None if search.out is None else str(search.out / SUBMISSION),
        "confidence": {id: [round(a.confidence, 4) for a in tests] for id, tests in outcome.answers.items()},
        **({} if profile is None else profile_json(profile)),
    }


def as_text(search: Search, outcome: Outcome, score: Score, profile: Profile | None) -> RenderableType:
    """What was done, how sure the answers are, the score where it is known, and the profile if there is one."""
    tables = () if profile is None else ("", *profile_tables(profile, SHOWN))
    return Group(*_lines(search, outcome, score), *tables)


def _lines(search: Search, outcome: Outcome, score: Score) -> Iterator[str]:
    progress = outcome.progress
    if outcome.stopped:
        yield "stopped early"
    tried = f"{count(progress.candidates, 'candidate')} in {count(progress.generation, 'generation')}"
    yield f"{tried}: {progress.seconds:.1f} s, {progress.per_second:,.0f} a second ({search.settings.device})"
    solved = f"{progress.solved:,} of {count(progress.tasks, 'task')} solved on their demonstrations"
    yield f"{solved}; {_certainty(outcome)}"
    if search.out is not None:
        yield f"wrote {search.out / SUBMISSION}"
    if score.known:
        of = f"{score.known:,} tasks of {search.dataset.name} with known answers"
        yield f"solved {len(score.solved):,} of {of}; points for single tests: {score.points:.1f}"


def _certainty(outcome: Outcome) -> str:
    sure = [answer.confidence for tests in outcome.answers.values() for answer in tests if answer.confidence > 0]
    if not sure:
        return "no answer is voted for"
    high = sum(confidence >= SURE for confidence in sure)
    mean = sum(sure) / len(sure)
    return (
        f"{count(len(sure), 'answer')} voted for, {high:,} with confidence of {SURE:.0%} or more, {mean:.0%} on average"
    )
