"""What a device does: it keeps words and cells, moves columns, and launches kernels. It knows no primitive."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from arcloom.engine.columns import Cells, Words
from arcloom.engine.kernel import Kernel

if TYPE_CHECKING:
    from arcloom.program.graph import Frame


class HeapFull(Exception):
    """There is no room for a launch's results: fewer rows must run at a time. ``culprit`` is the frame that
    is too large, if it is one."""

    culprit: "Frame | None" = None


class Device(Protocol):
    """One place to run on. A column is an array of words that lives there."""

    def load(self, words: Words, cells: Cells, words_at: int = 0, cells_at: int = 0) -> None:
        """Write this to the heaps, below everything that launches will write from now on."""

    def reset(self) -> None:
        """Forget everything above the bottom."""

    def column(self, words: Words) -> Words:
        """A column with these words."""

    def full(self, count: int, word: int) -> Words:
        """A column with the same word in each row; it is not to be written to."""

    def concat(self, columns: Sequence[Words]) -> Words:
        """The rows of all columns, one after the other."""

    def take(self, column: Words, rows: Words) -> Words:
        """These rows of a column."""

    def put(self, column: Words, rows: Words, values: Words) -> None:
        """Write to these rows of a column."""

    def rows_with(self, column: Words, word: int) -> Words:
        """The rows in which a column has this word."""

    def expand(self, containers: Words) -> tuple[Words, Words]:
        """The elements of all containers as a column, and for each the row that its container is in."""

    def launch(self, kernel: Kernel, limit: int, types: Sequence[int], columns: Sequence[Words], count: int) -> Words:
        """The kernel's results for ``count`` rows. Raises HeapFull."""

    @property
    def produced(self) -> int:
        """How many elements the last launch produced in all."""

    def host(self, column: Words) -> Words:
        """The column as a NumPy array."""
