"""The search time of a run, without the pauses between its sessions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arcloom.store import Session


@dataclass(frozen=True)
class Clock:
    """Disjoint spans of wall-clock time, in order, in which at least one session was running."""

    spans: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, sessions: Sequence[Session], stored: Iterable[float], now: float | None) -> "Clock":
        """The clock of a run. A session without an end lasted until ``now``, or until it last stored something.

        ``now`` is None if no session is running. Sessions of merged shards may overlap.
        """
        times = sorted(stored)
        spans: list[tuple[float, float]] = []
        for i, session in enumerate(sessions):
            end = session.ended or _last_stored(session, sessions[i + 1 :], times, now)
            start = _start(session)
            if spans and start <= spans[-1][1]:
                spans[-1] = (min(spans[-1][0], start), max(spans[-1][1], end))
            else:
                spans.append((start, end))
        return cls(tuple(spans))

    def seconds(self, moment: float | None = None) -> float:
        """The seconds of search until a moment, by default until the end."""
        until = self.spans[-1][1] if moment is None and self.spans else moment or 0.0
        return sum(max(0.0, min(end, until) - start) for start, end in self.spans)


def _start(session: Session) -> float:
    """The start of a session. The time that a session counts includes loading, before its start was stored."""
    if session.ended is None:
        return session.started
    return min(session.started, session.ended - float(session.statistics.get("seconds", 0.0)))


def _last_stored(session: Session, later: Sequence[Session], times: Sequence[float], now: float | None) -> float:
    if now is not None and not later:
        return now
    limit = later[0].started if later else float("inf")
    return max((time for time in times if session.started <= time < limit), default=session.started)
