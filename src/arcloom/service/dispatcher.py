"""The scoring thread of the service: simultaneous requests of all clients run in one batch."""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from arcloom.scoring.batch import Pairing
from arcloom.scoring.requests import Feed, Requests, ScoringRequest
from arcloom.scoring.result import Score, Settings
from arcloom.scoring.stream import score_entries

MAX_WAITING = 8_192
"""Maximum number of waiting programs. Above it, requests are refused."""

JsonAnswers = list[dict[str, Any]]


@dataclass(eq=False)
class Ticket:
    """Requests that are answered together, and their answers so far."""

    requests: Sequence[ScoringRequest]
    future: "asyncio.Future[JsonAnswers]"
    answers: JsonAnswers = field(default_factory=list)


QueuedRequest = tuple[Ticket, ScoringRequest]


class Dispatcher:
    """Scores the requests of all clients in one thread, which the event loop starts and stops."""

    def __init__(self, requests: Requests, settings: Settings, workers: int) -> None:
        self.requests = requests
        self.verdicts: Counter[str] = Counter()
        self.began = time.monotonic()
        self._settings, self._workers = settings, workers
        self._feed = Feed(MAX_WAITING)
        self._open: set[Ticket] = set()
        self._thread = threading.Thread(target=self._run, name="scoring", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping = False

    def start(self) -> None:
        """Start the thread. Must be called in the event loop that awaits the answers."""
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    async def stop(self) -> None:
        """Answer all waiting requests, then end the thread."""
        self._stopping = True
        self._feed.end()
        await asyncio.to_thread(self._thread.join)

    @property
    def is_alive(self) -> bool:
        """Whether requests are accepted."""
        return self._thread.is_alive() and not self._stopping

    @property
    def waiting(self) -> int:
        """The number of waiting programs."""
        return self._feed.waiting

    def submit(self, requests: Sequence[ScoringRequest]) -> "asyncio.Future[JsonAnswers] | None":
        """The future answers to requests; None if too many programs are waiting."""
        assert self._loop is not None
        ticket = Ticket(requests, self._loop.create_future())
        if not self.is_alive or not self._feed.offer([(ticket, request) for request in requests]):
            return None
        self._open.add(ticket)
        ticket.future.add_done_callback(lambda _: self._open.discard(ticket))
        return ticket.future

    # In the thread

    def _run(self) -> None:
        while True:
            try:
                self._score()
                return
            except Exception as error:  # no request may end the service
                for ticket in list(self._open):
                    ticket.answers = [
                        {"index": r.index, "error": f"it could not be run: {error}"} for r in ticket.requests
                    ]
                    self._deliver(ticket)
                if self._stopping:
                    return

    def _score(self) -> None:
        tasks = self.requests.dataset.tasks
        for (ticket, request), score in score_entries(
            self._feed.batches(), _given, tasks, self._settings, self._workers
        ):
            self._answered(ticket, request, score)

    def _answered(self, ticket: Ticket, request: ScoringRequest, score: Score | None) -> None:
        self.verdicts["error" if score is None else str(score.verdict)] += 1
        ticket.answers.append(request.answer(score))
        if len(ticket.answers) == len(ticket.requests):
            self._deliver(ticket)

    def _deliver(self, ticket: Ticket) -> None:
        assert self._loop is not None
        self._loop.call_soon_threadsafe(_resolve, ticket)


def _given(entry: QueuedRequest) -> Pairing | None:
    """The program of an entry; None if its client has disconnected."""
    ticket, request = entry
    return None if ticket.future.cancelled() else request.given


def _resolve(ticket: Ticket) -> None:
    if not ticket.future.done():
        ticket.future.set_result(ticket.answers)
