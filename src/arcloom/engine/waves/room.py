"""Room on a device: the heaps grow from the bottom of its memory, columns are given room from its top."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from arcloom.engine.devices.base import HeapFull


class Block:
    """A stretch of words. Its room is free again when nobody holds it any more."""

    __slots__ = ("_era", "_room", "size", "start")

    def __init__(self, room: "Room", start: int, size: int) -> None:
        self._room = room
        self._era = room.era
        self.start = start
        self.size = size

    def __del__(self) -> None:
        if self._era == self._room.era:
            self._room.give_back(self)


@dataclass(frozen=True, slots=True)
class Column:
    """Words on a device: where the first is, how many rows there are, and 0 as step if all have the same word."""

    start: int
    count: int
    step: int = 1
    block: Block | None = None

    def rows(self, first: int, count: int) -> "Column":
        """Some of the rows."""
        return Column(self.start + self.step * first, count, self.step, self.block)


class Room:
    """Where what is on a device: kept by the host, as only it decides.

    Blocks come in sizes with at most a quarter to spare, so that one that was given back fits the next.
    """

    def __init__(self, words: int, cells: int) -> None:
        self.words = words
        self.cells = cells
        self.era = 0
        self.bottom = (0, 0)
        self.peak = [0, 0]
        self._begin()

    def _begin(self) -> None:
        self.top, self.cells_top = self.bottom
        self._floor = self.words
        self._free: defaultdict[int, list[int]] = defaultdict(list)
        self.live: dict[int, int] = {}
        """The blocks that somebody holds: where they start, and their sizes."""

    def settle(self, words: int, cells: int) -> None:
        """Everything up to here stays; everything else is forgotten."""
        self.bottom = words, cells
        self.reset()

    def reset(self) -> None:
        """Forget everything above the bottom."""
        self.era += 1
        self._begin()

    def block(self, count: int) -> Block:
        """Room for a column. Raises HeapFull."""
        size = _rounded(count)
        free = self._free[size]
        if free:
            start = free.pop()
        else:
            start = self._floor - size
            if start < self.top:
                raise HeapFull
            self._floor = start
            self._note()
        self.live[start] = size
        return Block(self, start, size)

    def give_back(self, block: Block) -> None:
        """Take a block back; only blocks themselves do this."""
        del self.live[block.start]
        self._free[block.size].append(block.start)

    def take(self, words: int, cells: int) -> tuple[int, int]:
        """Where so much of the heaps begins, which is taken from now on. Raises HeapFull."""
        if self.top + words > self._floor or self.cells_top + cells > self.cells:
            raise HeapFull
        at = self.top, self.cells_top
        self.top += words
        self.cells_top += cells
        self._note()
        return at

    def _note(self) -> None:
        self.peak[0] = max(self.peak[0], self.top + self.words - self._floor)
        self.peak[1] = max(self.peak[1], self.cells_top)

    @property
    def peak_bytes(self) -> int:
        """How much memory has been in use at most."""
        return 8 * self.peak[0] + self.peak[1]


def _rounded(count: int) -> int:
    """The next size that blocks come in."""
    unit = 1 << max(0, count.bit_length() - 3)
    return max(4, -(-count // unit) * unit)


def adjacent(columns: Sequence[Column]) -> list[Column]:
    """The columns, with those put together that lie one after the other."""
    joined: list[Column] = []
    for column in columns:
        last = joined[-1] if joined else None
        if last is not None and _follows(last, column):
            joined[-1] = Column(last.start, last.count + column.count, last.step, last.block)
        elif column.count:
            joined.append(column)
    return joined


def _follows(last: Column, column: Column) -> bool:
    """Whether a column goes on where another ends, in the same block: only then does the one hold the other's room."""
    same = last.step == column.step and last.block is column.block
    return same and last.start + last.step * last.count == column.start
