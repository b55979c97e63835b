"""Samples encoded as columns, once for all batts that run on them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, overload

import numpy as np

from arcloom.dsl.signature import GRID, Type
from arcloom.engine.columns import ConstantStore, Words
from arcloom.engine.results import Sample
from arcloom.program.graph import Node

RESERVED = 1 << 16
"""Words and cells at the bottom of the heaps for the constants and types of a batt. Samples are above them."""


class Samples(Sequence[Sample]):
    """Samples whose inputs are encoded on first use."""

    def __init__(self, samples: Iterable[Sample]) -> None:
        self._samples = list(samples)
        self.store = ConstantStore(RESERVED, RESERVED)
        self._columns: dict[tuple[str, Type], Words] = {}

    @classmethod
    def of(cls, samples: Sequence[Sample]) -> "Samples":
        """``samples`` itself if it is ``Samples`` already, otherwise new ones."""
        return samples if isinstance(samples, Samples) else cls(samples)

    def stay_above(self, words: int, cells: int) -> None:
        """Make room for this number of words and cells below the samples. Inputs may have to be encoded again."""
        if words > self.store.words_at or cells > self.store.cells_at:
            self.store = ConstantStore(max(RESERVED, 2 * words), max(RESERVED, 2 * cells))
            self._columns.clear()

    def column(self, name: str, type: Type) -> Words:
        """The words of one input, a row for each sample."""
        if (name, type) not in self._columns:
            self._columns[name, type] = np.array(self._words(name, type), np.int64)
        return self._columns[name, type]

    def _words(self, name: str, type: Type) -> list[int]:
        if type is GRID:
            return self._grids([sample[name] for sample in self._samples])
        return [self.store.value(sample[name], type) for sample in self._samples]

    def _grids(self, grids: list[Any]) -> list[int]:
        """The words of grids. Samples of one task share objects, and each object is written once."""
        words: dict[int, int] = {}
        for grid in grids:
            if id(grid) not in words:
                words[id(grid)] = self.store.grid(grid)
        return [words[id(grid)] for grid in grids]

    @overload
    def __getitem__(self, index: int) -> Sample: ...
    @overload
    def __getitem__(self, index: slice) -> "Samples": ...
    def __getitem__(self, index: int | slice) -> "Sample | Samples":
        return Samples(self._samples[index]) if isinstance(index, slice) else self._samples[index]

    def __len__(self) -> int:
        return len(self._samples)

    def __iter__(self) -> Iterator[Sample]:
        return iter(self._samples)


def input_columns(nodes: Sequence[Node], samples: Samples) -> Words:
    """The words of a graph's inputs, a row for each input with a word for each sample."""
    inputs = np.empty((len(nodes), len(samples)), np.int64)
    for k, node in enumerate(nodes):
        inputs[k] = samples.column(node.data, node.type)
    return inputs
