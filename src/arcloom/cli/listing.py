"""The output of the commands about the library."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Group, RenderableType

from arcloom.cli.output import count, table
from arcloom.program.print import to_text
from arcloom.store import Entry, Listed, Store, StoredScore, runs
from arcloom.store.exchange import Imported
from arcloom.store.merge import Added

SHORT = 10
"""Number of digits of a digest that are shown: enough to identify a program."""


def listed_json(store: Store, listed: Sequence[Listed]) -> dict[str, Any]:
    """The number of programs in the library, and the listed ones."""
    rows = [{**_entry_json(one.entry), **_score_json(one.score)} for one in listed]
    return {"library": str(store.path), "programs": len(store), "listed": rows}


def _entry_json(entry: Entry) -> dict[str, Any]:
    return {"digest": entry.digest, "name": entry.name, "size": entry.size, "created": entry.created}


def _score_json(score: StoredScore | None) -> dict[str, Any]:
    if score is None:
        return dict.fromkeys(("task", "score", "solved", "demos"))
    return {"task": score.task.id, "score": score.score, "solved": score.solved, "demos": score.demos}


def listed_text(store: Store, listed: Sequence[Listed], more: int) -> RenderableType:
    """A table of programs and a summary. ``more`` is the number of programs that the limit omits."""
    shown = table("digest", "name", "size", "task", "score", "solved")
    for one in listed:
        shown.add_row(one.entry.digest[:SHORT], one.entry.name, str(one.entry.size), *_worth(one.score))
    cut = [f"and {more:,} more"] if more else []
    return Group(*([shown] if listed else []), *cut, f"{count(len(store), 'program')} in {store.path}")


def _worth(score: StoredScore | None) -> tuple[str, str, str]:
    return ("", "", "") if score is None else (score.task.id, str(score.score), f"{score.solved}/{score.demos}")


def shown_json(store: Store, entries: Sequence[Entry], *, nested: bool) -> dict[str, Any]:
    """Programs with their texts, scores and parents."""
    return {"programs": [_shown_json(store, entry, nested) for entry in entries]}


def _shown_json(store: Store, entry: Entry, nested: bool) -> dict[str, Any]:
    return {
        **_entry_json(entry),
        "text": to_text(entry.program, nested=nested),
        "scores": [_score_json(score) for score in store.scores_of(entry.digest)],
        "parents": [{"digest": digest, "how": how} for digest, how in store.parents_of(entry.digest)],
    }


def shown_text(store: Store, entries: Sequence[Entry], *, nested: bool) -> str:
    """Programs as a solver file, with their scores and parents in comments."""
    return "\n\n".join(_about(store, entry) + to_text(entry.program, nested=nested) for entry in entries)


def _about(store: Store, entry: Entry) -> str:
    lines = [f"# {entry.digest}, {count(entry.size, 'call')}"]
    for score in store.scores_of(entry.digest):
        lines.append(f"# task {score.task.id}: {score.score} of 1000, {score.solved} of {score.demos} demonstrations")
    lines += [f"# made from {digest[:SHORT]}: {how}" for digest, how in store.parents_of(entry.digest)]
    return "".join(f"{line}\n" for line in lines)


def imported_json(store: Store, done: Imported) -> dict[str, Any]:
    """The counts, and the type errors of untyped programs."""
    untyped = [{"program": error.program, "line": error.line, "message": error.message} for error in done.untyped]
    counts = {"programs": done.total, "new": len(done.new), "known": len(done.known), "untyped": len(done.untyped)}
    return {"library": str(store.path), **counts, "scored": done.scored, "untyped_programs": untyped}


def imported_text(store: Store, done: Imported) -> RenderableType:
    """A table of the untyped programs, and a summary."""
    shown = table("program", "line", "type error")
    for error in done.untyped:
        shown.add_row(error.program, str(error.line), error.message)
    counts = f"{len(done.new):,} new, {len(done.known):,} known, {len(done.untyped):,} untyped"
    scored = f", {count(done.scored, 'score')}" if done.scored else ""
    line = f"{count(done.total, 'program')}: {counts}{scored} ({store.path})"
    return Group(*([shown] if done.untyped else []), line)


def merged_json(store: Store, added: Sequence[Added]) -> dict[str, Any]:
    """The contribution of each library, and the sizes of the merged one."""
    merged = [{**asdict(one), "path": str(one.path)} for one in added]
    return {"library": str(store.path), "programs": len(store), "runs": len(runs.runs(store)), "merged": merged}


def merged_text(store: Store, added: Sequence[Added]) -> RenderableType:
    """A table of the contribution of each library, and a summary of the merged one."""
    shown = table("library", "programs", "new", "runs", "joined", "kept apart")
    for one in added:
        numbers = (one.programs, one.new, one.runs, one.joined, one.apart)
        shown.add_row(str(one.path), *(f"{number:,}" for number in numbers))
    found = f"{count(len(store), 'program')} and {count(len(runs.runs(store)), 'run')}"
    return Group(shown, f"{found} in {store.path}")
