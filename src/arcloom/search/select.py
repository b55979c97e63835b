"""What is kept of a task's candidates: few, good, and different from one another."""

from collections.abc import Iterator

from arcloom.search.candidate import Evaluated

KEPT = 32
"""How many programs a task keeps at most."""

GRAIN = 200
"""Profiles that differ by less are of one kind."""

Niche = tuple[object, ...]


def rank(result: Evaluated) -> tuple[bool, int, int]:
    """What is better compares greater: solving, then the score, then being small."""
    return result.solved, result.score, -result.size


def niche(result: Evaluated) -> Niche:
    """The kind of a program: how it is near the target, and how large it is. A solution is of a kind of its own."""
    if result.solved:
        return result.outputs
    return *(value // GRAIN for value in result.profile), result.size.bit_length()


class Archive:
    """The best of each kind, at most 32 of them, no two with the same outputs."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._by_niche: dict[Niche, Evaluated] = {}
        self._by_outputs: dict[tuple[bytes | None, ...], Niche] = {}

    def add(self, result: Evaluated) -> bool:
        """Whether the result is kept, instead of a worse one of its kind or of all."""
        place = self._by_outputs.get(result.outputs) or niche(result)
        known = self._by_niche.get(place)
        if known is not None and rank(known) >= rank(result):
            return False
        if known is not None:
            self._remove(place)
        elif len(self._by_niche) >= self._kept:
            worst = min(self._by_niche, key=lambda each: rank(self._by_niche[each]))
            if rank(self._by_niche[worst]) >= rank(result):
                return False
            self._remove(worst)
        place = niche(result)
        if place in self._by_niche:  # its outputs were known under another profile or size
            if rank(self._by_niche[place]) >= rank(result):
                return False
            self._remove(place)
        self._by_niche[place] = result
        self._by_outputs[result.outputs] = place
        return True

    def _remove(self, place: Niche) -> None:
        del self._by_outputs[self._by_niche.pop(place).outputs]

    def ranked(self) -> list[Evaluated]:
        """What is kept, the best first."""
        return sorted(self._by_niche.values(), key=rank, reverse=True)

    @property
    def best(self) -> Evaluated | None:
        """The best, if anything is kept."""
        return max(self._by_niche.values(), key=rank, default=None)

    def __iter__(self) -> Iterator[Evaluated]:
        return iter(self._by_niche.values())

    def __len__(self) -> int:
        return len(self._by_niche)
