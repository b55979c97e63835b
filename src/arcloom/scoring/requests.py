"""Scoring requests and results as JSON."""

import json
import queue
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arcloom.scoring.batch import Pairing
from arcloom.scoring.result import Score
from arcloom.scoring.stream import LARGEST
from arcloom.tasks import Dataset
from arcloom.tasks.task import suggestion

MAX_REQUEST = 2_000_000
"""Maximum number of bytes in a request."""

_SHOWN = 60
"""Maximum number of characters of a value in a message."""


@dataclass(frozen=True)
class ScoringRequest:
    """A request: its position, the user's ``id``, and a program with the index of its task, or the error in it."""

    index: int
    id: Any = None
    given: Pairing | None = None
    error: str | None = None

    def answer(self, score: Score | None) -> dict[str, Any]:
        """The answer as JSON: the result, or the error."""
        named = {"index": self.index} if self.id is None else {"index": self.index, "id": self.id}
        return {**named, "error": self.error} if score is None else {**named, **as_json(score)}


def as_json(score: Score) -> dict[str, Any]:
    """A score as JSON, with the reward and without its position."""
    fields = {name: value for name, value in vars(score).items() if name not in ("index", "outputs")}
    outputs = {} if score.outputs is None else {"outputs": [_plain(output) for output in score.outputs]}
    return {**fields, "verdict": str(score.verdict), "reward": round(score.reward, 6), **outputs}


def _plain(value: Any) -> Any:
    """A value as JSON: a set is a sorted list."""
    if isinstance(value, frozenset):
        from arcloom.dsl.values import ordered

        return [_plain(element) for element in ordered(value)]
    return [_plain(element) for element in value] if isinstance(value, tuple) else value


class Requests:
    """Reads requests for the tasks of a dataset: ``{"task": ..., "program": ...}``, with an optional ``id``."""

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset
        self._numbers = {id: t for t, id in enumerate(dataset.ids)}

    def read(self, index: int, line: bytes) -> ScoringRequest:
        """The request in a line."""
        if len(line) > MAX_REQUEST:
            return ScoringRequest(index, error=f"a request of more than {MAX_REQUEST:,} bytes")
        try:
            content = json.loads(line)
        except (ValueError, RecursionError) as error:
            return ScoringRequest(index, error=f"not JSON ({_short(error)})")
        return self.checked(index, content)

    def checked(self, index: int, content: Any) -> ScoringRequest:
        """The request in JSON content."""
        if not isinstance(content, Mapping):
            return ScoringRequest(index, error='a request is an object such as {"task": "a416b8f3", "program": "..."}')
        id, task, program = content.get("id"), content.get("task"), content.get("program")
        if not _can_be_repeated(id):
            return ScoringRequest(index, error="id must be without NaN, infinite numbers and unpaired surrogates")
        for name, value in (("task", task), ("program", program)):
            if not isinstance(value, str):
                return ScoringRequest(index, id, error=f"{name} must be a string, but is {_kind(content, name)}")
        if task not in self._numbers:
            return ScoringRequest(index, id, error=self._unknown(str(task)))
        return ScoringRequest(index, id, (index, str(program), self._numbers[task]))

    def _unknown(self, task: str) -> str:
        near = suggestion(task, self.dataset.ids) if len(task) <= _SHOWN else ""
        return f"{self.dataset.name} has no task {_short(repr(task))}{near}"


def _can_be_repeated(id: Any) -> bool:
    """Whether a value can be written as JSON. Python's JSON parser accepts more than the standard allows."""
    try:
        return id is None or bool(json.dumps(id, allow_nan=False, ensure_ascii=False).encode())
    except (ValueError, RecursionError):
        return False


def _kind(content: Mapping[str, Any], name: str) -> str:
    return "missing" if name not in content else f"of type {type(content[name]).__name__}"


def _short(text: object) -> str:
    whole = str(text)
    return whole if len(whole) <= _SHOWN else f"{whole[: _SHOWN - 3]}..."


class Feed:
    """A bounded queue of entries that one thread adds and another takes in batches."""

    def __init__(self, size: int = 2 * LARGEST) -> None:
        self._queue: queue.Queue[Any] = queue.Queue(size)
        self._ended = object()

    def put(self, entry: object) -> None:
        """Add an entry. Blocks while the queue is full."""
        self._queue.put(entry)

    def offer(self, entries: Sequence[object]) -> bool:
        """Add entries together. Returns False, and adds none, if there is no room for all."""
        if self._queue.qsize() + len(entries) > self._queue.maxsize:
            return False
        for entry in entries:
            self._queue.put(entry)
        return True

    def end(self) -> None:
        """Mark the end of the entries."""
        self._queue.put(self._ended)

    @property
    def waiting(self) -> int:
        """The number of entries in the queue."""
        return self._queue.qsize()

    def batches(self) -> Iterator[list[Any]]:
        """The entries in batches as they arrive. When the queue becomes empty, an empty batch follows."""
        while True:
            entries = [self._queue.get()]
            while len(entries) < LARGEST and entries[-1] is not self._ended:
                try:
                    entries.append(self._queue.get_nowait())
                except queue.Empty:
                    break
            if entries[-1] is self._ended:
                yield entries[:-1]
                return
            yield entries
            if self._queue.empty():
                yield []
