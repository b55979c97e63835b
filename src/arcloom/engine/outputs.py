"""What came out of a batt, kept after the heaps have been reused."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from arcloom.dsl.values import Reason
from arcloom.engine.columns import Cells, Reader, Words
from arcloom.engine.results import RowFailure
from arcloom.engine.words import LOWEST


@dataclass(frozen=True)
class Rows:
    """Rows of different lengths: no grid, and seldom looked at, so they are made values only on demand."""

    lengths: Words
    colours: Words

    def value(self) -> tuple[tuple[int, ...], ...]:
        """The rows as the language has them."""
        parts = np.split(self.colours, np.cumsum(self.lengths)[:-1]) if len(self.lengths) else []
        return tuple(tuple(part.tolist()) for part in parts)


@dataclass(frozen=True)
class Part:
    """One program's outputs for some samples: grids as words into ``cells``, other values as they are."""

    samples: Words
    words: Words
    cells: Cells
    values: dict[int, Any]
    lines: Words
    reasons: Words
    equal: Words

    def outcome(self, program: int, k: int) -> Any:
        """The output in row k, or its failure."""
        if k in self.values:
            value = self.values[k]
            return value.value() if isinstance(value, Rows) else value
        word = int(self.words[k])
        if word < LOWEST:
            return RowFailure(program, int(self.samples[k]), int(self.lines[k]), Reason(int(self.reasons[k])))
        return tuple(map(tuple, Reader(self.words, self.cells).grid(word).tolist()))


class Outputs:
    """All parts, by program."""

    def __init__(self, programs: int) -> None:
        self.parts: list[list[Part]] = [[] for _ in range(programs)]
        self._values: dict[tuple[int, int], Any] = {}
        self._index: dict[int, dict[int, tuple[Part, int]]] = {}

    def set_value(self, program: int, sample: int, value: Any) -> None:
        """Keep a value that was computed elsewhere."""
        self._values[program, sample] = value

    def set_failure(self, program: int, sample: int, line: int, reason: Reason) -> None:
        """Keep a failure that happened elsewhere."""
        self._values[program, sample] = RowFailure(program, sample, line, reason)

    def value(self, program: int, sample: int) -> Any:
        """The output, or a RowFailure."""
        if (program, sample) in self._values:
            return self._values[program, sample]
        part, k = self._find(program)[sample]
        return part.outcome(program, k)

    def grid(self, program: int, sample: int) -> Cells | None:
        """The output as an array, where it is a grid."""
        if (program, sample) not in self._values:
            part, k = self._find(program)[sample]
            if k not in part.values:
                return None if part.words[k] < LOWEST else Reader(part.words, part.cells).grid(int(part.words[k]))
        value = self.value(program, sample)
        return None if isinstance(value, RowFailure) else np.array(value, np.int8)

    def equal(self, program: int, sample: int) -> bool:
        """Whether the output is the expected grid."""
        if (program, sample) in self._values:
            return False
        part, k = self._find(program)[sample]
        return bool(part.equal[k] == 1)

    def _find(self, program: int) -> dict[int, tuple[Part, int]]:
        if program not in self._index:
            self._index[program] = {
                int(sample): (part, k) for part in self.parts[program] for k, sample in enumerate(part.samples)
            }
        return self._index[program]
