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

    def would_keep(self, result: Evaluated) -> bool:
        """Whether the result would be kept if it were added."""
        rivals = self._rivals(result)
        if not rivals and len(self._by_niche) >= self._kept:
            rivals = [self._worst()]
        return all(rank(self._by_niche[rival]) < rank(result) for rival in rivals)

    def add(self, result: Evaluated) -> bool:
        """Keep the result instead of worse ones with its outputs or of its kind, or of the worst; say whether."""
        if not self.would_keep(result):
            return False
        for rival in self._rivals(result):
            self._remove(rival)
        if len(self._by_niche) >= self._kept:
            self._remove(self._worst())
        place = niche(result)
        self._by_niche[place] = result
        self._by_outputs[result.outputs] = place
        return True

    def _rivals(self, result: Evaluated) -> list[Niche]:
        """Where the results with the same outputs and of the same kind are: of each, only one can be kept."""
        place = niche(result)
        alike = self._by_outputs.get(result.outputs, place)
        return [each for each in dict.fromkeys((alike, place)) if each in self._by_niche]

    def _worst(self) -> Niche:
        return min(self._by_niche, key=lambda each: rank(self._by_niche[each]))

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
