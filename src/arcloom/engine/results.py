"""Results of running programs on samples."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from arcloom.dsl.values import Reason
from arcloom.program.outcomes import NoValue
from arcloom.program.term import Program
from arcloom.program.trace import TraceError
from arcloom.tasks.html import SHOWN, table_html, titled_html

Sample = Mapping[str, Any]
"""The inputs of one run by name: ``I``, and ``S`` and ``C`` if programs read them."""


MAX_OUTPUT = 100_000
"""Maximum number of elements of an output that is not a grid, counting nested elements. Larger outputs fail."""


class SampleError(TypeError):
    """An input of a sample that must be a grid is something else."""


@dataclass(frozen=True)
class RowFailure(NoValue):
    """The failure of one program on one sample: the line to blame and the reason."""

    program: int
    sample: int
    line: int
    reason: Reason

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason.text}"


class Outcomes(Protocol):
    """The outputs and failures of a run, in the format of a device."""

    def value(self, program: int, sample: int) -> Any:
        """The output, or a RowFailure."""

    def grid(self, program: int, sample: int) -> Any:
        """The output as an array; None if the run failed."""

    def packed(self, program: int, sample: int) -> bytes | None:
        """The output as bytes: see ``Results.packed``."""


def plain(value: Any) -> Any:
    """A value of the language from a value that may be an array or a list of rows: those become tuples of tuples."""
    rows = value.tolist() if hasattr(value, "tolist") else value
    return tuple(map(tuple, rows)) if isinstance(rows, list | tuple) and rows and _is_row(rows[0]) else rows


def _is_row(value: Any) -> bool:
    return isinstance(value, list | tuple)


BYTE = 255


def packed_grid(grid: Any) -> bytes | None:
    """The grid of an array as bytes: see ``Results.packed``."""
    return bytes(grid.shape) + grid.tobytes() if grid.ndim == 2 and max(grid.shape) <= BYTE else None


@dataclass(frozen=True, repr=False)
class Results:
    """Outputs and failures by the numbers of program and sample.

    ``rows[p]`` are the samples that program p ran on; it is empty for a program in ``untyped``. ``device`` is the name
    of the device that ran the programs, never "auto".
    """

    programs: Sequence[Program]
    rows: Sequence[Sequence[int]]
    untyped: dict[int, TraceError]
    outcomes: Outcomes
    seconds: dict[str, float] = field(default_factory=dict)
    fallback_programs: tuple[str, ...] = ()
    device: str = ""

    def output(self, program: int, sample: int) -> Any:
        """The program's value for the sample; None if it failed or has no types."""
        value = self._value(program, sample)
        return None if isinstance(value, RowFailure) else value

    def grid(self, program: int, sample: int) -> Any:
        """The output as a NumPy array of int8; None if the program failed or has no types."""
        return None if program in self.untyped else self.outcomes.grid(program, sample)

    def packed(self, program: int, sample: int) -> bytes | None:
        """The output as bytes: height, width, and the cells row by row; None if it is not a grid up to 255 by 255."""
        return None if program in self.untyped else self.outcomes.packed(program, sample)

    def equal(self, program: int, sample: int, expected: Any) -> bool:
        """Whether the output equals the expected value, which may be a grid as an array or as lists."""
        value = self.output(program, sample)
        return value is not None and value == plain(expected)

    def failure(self, program: int, sample: int) -> RowFailure | None:
        """The failure of the program on the sample; None if it has a value."""
        value = self._value(program, sample)
        return value if isinstance(value, RowFailure) else None

    def _value(self, program: int, sample: int) -> Any:
        """The output, or a RowFailure."""
        if program in self.untyped:
            return RowFailure(program, sample, self.untyped[program].line, Reason.KIND)
        return self.outcomes.value(program, sample)

    def __repr__(self) -> str:
        runs = sum(map(len, self.rows))
        untyped = f", {len(self.untyped)} without types" if self.untyped else ""
        return f"<Results: {len(self.programs)} programs{untyped}, {runs} runs on {self.device or 'no device'}>"

    def _repr_html_(self) -> str:
        pairs = [(p, sample) for p, samples in enumerate(self.rows) for sample in samples]
        pairs += [(p, -1) for p in self.untyped]
        rows = [self._shown(p, sample) for p, sample in pairs[:SHOWN]]
        return titled_html(repr(self).strip("<>"), table_html(("program", "sample", "output"), rows, len(pairs)))

    def _shown(self, program: int, sample: int) -> tuple[str, str, Any]:
        name = self.programs[program].name
        if program in self.untyped:
            return name, "", str(self.untyped[program])
        failure = self.failure(program, sample)
        return name, str(sample), self.output(program, sample) if failure is None else str(failure)

    @property
    def failures(self) -> Iterator[RowFailure]:
        """All failures, program by program."""
        for program, samples in enumerate(self.rows):
            for sample in samples:
                failure = self.failure(program, sample)
                if failure is not None:
                    yield failure
