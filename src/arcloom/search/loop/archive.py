"""The archive of a task: a small set of good programs that differ from each other."""

from collections.abc import Iterable, Iterator

from arcloom.search.loop.candidate import Evaluated

KEPT = 32
"""Maximum number of programs in an archive."""

GRAIN = 200
"""Width of a niche: programs whose scores fall into the same interval of this width compete for one place."""

Niche = tuple[object, ...]
"""A key of similar programs, of which the archive keeps the best."""


def rank(result: Evaluated) -> tuple[bool, int, int]:
    """A sort key by which better programs compare greater: solutions first, then by score, then the smaller."""
    return result.solved, result.score, -result.size


def niche(result: Evaluated) -> Niche:
    """The niche of a program: its rounded score by each differ, and its rounded size; for a solution, its outputs."""
    if result.solved:
        return result.outputs
    return *(value // GRAIN for value in result.profile), result.size.bit_length()


class Archive:
    """The best program of each niche for one task, at most ``kept``, no two with the same outputs.

    Each member has an ordinal, which is greater than the ordinals of all members added before.
    """

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._by_niche: dict[Niche, tuple[int, Evaluated]] = {}
        self._by_outputs: dict[tuple[bytes | None, ...], Niche] = {}
        self._next = 0
        self._added: dict[int, Evaluated] = {}
        self._removed: list[int] = []

    def would_keep(self, result: Evaluated) -> bool:
        """Whether the result would be kept if it were added."""
        rivals = self._rivals(result)
        if not rivals and len(self._by_niche) >= self._kept:
            rivals = [self._worst()]
        return all(rank(self._by_niche[rival][1]) < rank(result) for rival in rivals)

    def add(self, result: Evaluated) -> bool:
        """Add a result if it is good enough. Returns whether it is kept.

        It replaces worse members with the same outputs or niche; if there are none, a full archive drops its worst.
        """
        if not self.would_keep(result):
            return False
        for rival in self._rivals(result):
            self._remove(rival)
        if len(self._by_niche) >= self._kept:
            self._remove(self._worst())
        self._added[self._next] = result
        self._insert(self._next, result)
        return True

    def _insert(self, ordinal: int, result: Evaluated) -> None:
        place = niche(result)
        self._by_niche[place] = (ordinal, result)
        self._by_outputs[result.outputs] = place
        self._next = ordinal + 1

    def restore(self, members: Iterable[tuple[int, Evaluated]]) -> None:
        """Fill an empty archive with the members of another one, in the order of their ordinals."""
        for ordinal, result in members:
            self._insert(ordinal, result)

    def take_changes(self) -> tuple[dict[int, Evaluated], list[int]]:
        """The members that were added, by ordinal, and the ordinals of those that were removed, since the last call."""
        changes = self._added, self._removed
        self._added, self._removed = {}, []
        return changes

    def _rivals(self, result: Evaluated) -> list[Niche]:
        """The niches of the members with the same outputs or the same niche, which the result would replace."""
        place = niche(result)
        alike = self._by_outputs.get(result.outputs, place)
        return [each for each in dict.fromkeys((alike, place)) if each in self._by_niche]

    def _worst(self) -> Niche:
        return min(self._by_niche, key=lambda each: rank(self._by_niche[each][1]))

    def _remove(self, place: Niche) -> None:
        ordinal, result = self._by_niche.pop(place)
        del self._by_outputs[result.outputs]
        if self._added.pop(ordinal, None) is None:
            self._removed.append(ordinal)

    def ranked(self) -> list[Evaluated]:
        """The members, best first."""
        return sorted(self, key=rank, reverse=True)

    @property
    def best(self) -> Evaluated | None:
        """The best member, if there is one."""
        return max(self, key=rank, default=None)

    def __iter__(self) -> Iterator[Evaluated]:
        return (result for _, result in self._by_niche.values())

    def __len__(self) -> int:
        return len(self._by_niche)
