"""The outputs of a batt, copied from the heaps so that they stay valid."""

from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from arcloom.dsl.values import Reason
from arcloom.engine.columns import Cells, Reader, Words
from arcloom.engine.results import BYTE, RowFailure, packed_grid
from arcloom.engine.words import FAILED, LOWEST, SIDE_BITS, SIDE_MASK


@dataclass(frozen=True)
class Rows:
    """An output that is a tuple of rows of different lengths, not a grid. It is seldom read, so it is decoded on
    demand."""

    lengths: Words
    colours: Words

    def value(self) -> tuple[tuple[int, ...], ...]:
        """The rows as a tuple of tuples."""
        colours, lengths = self.colours.tolist(), self.lengths.tolist()
        return tuple(tuple(colours[end - n : end]) for n, end in zip(lengths, accumulate(lengths), strict=True))


@dataclass(frozen=True)
class Chunk:
    """The outputs of one call, one per row.

    Grids are words that point into ``cells``, failures are words and lines, and other values are decoded in ``values``.
    """

    words: Words
    lines: Words
    cells: Cells
    values: dict[int, Any] = field(default_factory=dict)

    def grid(self, row: int) -> Cells | None:
        """The grid in a row, if there is one."""
        word = int(self.words[row])
        return None if word < LOWEST else Reader(self.words, self.cells).grid(word)

    def packed(self, row: int) -> bytes | None:
        """The grid in a row as bytes, if there is one and each of its sides fits in a byte."""
        words, cells = self._read
        word = words[row]
        at, height, width = word >> (2 * SIDE_BITS), (word >> SIDE_BITS) & SIDE_MASK, word & SIDE_MASK
        if word < LOWEST or height > BYTE or width > BYTE:
            return None
        return bytes((height, width)) + cells[at : at + height * width]

    @cached_property
    def _read(self) -> tuple[list[int], bytes]:
        """All words and cells as Python objects, which are faster to read one by one."""
        return self.words.tolist(), self.cells.tobytes()


class Segment(NamedTuple):
    """Consecutive rows of a chunk, from ``at`` on: a program's outputs for some samples."""

    chunk: Chunk
    at: int
    samples: Words


class Outputs:
    """The outputs of a run by program and sample."""

    def __init__(self, programs: int) -> None:
        self.segments: list[list[Segment]] = [[] for _ in range(programs)]
        self._values: dict[tuple[int, int], Any] = {}
        self._index: dict[int, dict[int, tuple[Chunk, int]]] = {}

    def set_value(self, program: int, sample: int, value: Any) -> None:
        """Store a value or a RowFailure that another device computed."""
        self._values[program, sample] = value

    def set_failure(self, program: int, sample: int, line: int, reason: Reason) -> None:
        """Store a failure on another device, or a failure while the output was decoded."""
        self._values[program, sample] = RowFailure(program, sample, line, reason)

    def value(self, program: int, sample: int) -> Any:
        """The output, or a RowFailure."""
        if (program, sample) in self._values:
            return self._values[program, sample]
        chunk, row = self._find(program)[sample]
        if row in chunk.values:
            value = chunk.values[row]
            return value.value() if isinstance(value, Rows) else value
        grid = chunk.grid(row)
        if grid is not None:
            return tuple(map(tuple, grid.tolist()))
        return RowFailure(program, sample, int(chunk.lines[row]), Reason(int(chunk.words[row]) - FAILED))

    def grid(self, program: int, sample: int) -> Cells | None:
        """The output as an array; None if the run failed."""
        if (program, sample) not in self._values:
            chunk, row = self._find(program)[sample]
            if row not in chunk.values:
                return chunk.grid(row)
        value = self.value(program, sample)
        return None if isinstance(value, RowFailure) else np.array(value, np.int8)

    def packed(self, program: int, sample: int) -> bytes | None:
        """The output as bytes, see ``Results.packed``; None if it is not a grid of at most 255 by 255."""
        chunk, row = self._find(program).get(sample, (None, 0))
        if chunk is not None and row not in chunk.values:
            return chunk.packed(row)
        if chunk is not None and isinstance(chunk.values[row], Rows):
            return None
        grid = self.grid(program, sample)
        return None if grid is None else packed_grid(grid)

    def _find(self, program: int) -> dict[int, tuple[Chunk, int]]:
        if program not in self._index:
            self._index[program] = {
                sample: (segment.chunk, row)
                for segment in self.segments[program]
                for row, sample in enumerate(segment.samples.tolist(), segment.at)
            }
        return self._index[program]
