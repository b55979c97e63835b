"""The time of a run: only while it was searching, however often it was stopped and resumed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arcloom.store import Session


@dataclass(frozen=True)
class Clock:
    """Spans of wall-clock time in which at least one session was under way, in order and apart from each other."""

    spans: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, sessions: Sequence[Session], stored: Iterable[float], now: float | None) -> "Clock":
        """The clock of a run. A session without an end lasted until ``now``, or to the last time at which it stored.

        ``now`` is None if no session is under way. Sessions of merged shards may have been under way at once.
        """
        times = sorted(stored)
        spans: list[tuple[float, float]] = []
        for i, session in enumerate(sessions):
            end = session.ended or _last_stored(session, sessions[i + 1 :], times, now)
            if spans and session.started <= spans[-1][1]:
                spans[-1] = (spans[-1][0], max(spans[-1][1], end))
            else:
                spans.append((session.started, end))
        return cls(tuple(spans))

    def seconds(self, moment: float | None = None) -> float:
        """The seconds of searching until a moment, by default all."""
        until = self.spans[-1][1] if moment is None and self.spans else moment or 0.0
        return sum(max(0.0, min(end, until) - start) for start, end in self.spans)


def _last_stored(session: Session, later: Sequence[Session], times: Sequence[float], now: float | None) -> float:
    if now is not None and not later:
        return now
    limit = later[0].started if later else float("inf")
    return max((time for time in times if session.started <= time < limit), default=session.started)
