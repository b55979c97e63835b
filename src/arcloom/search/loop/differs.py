"""Differs: programs that score how near a candidate output is to the target, from 0 to 1000.

A differ reads ``C`` (the candidate) and ``O`` (the target), and may read ``I`` and ``S``. A differ that does not read
``O`` is a measure: it runs once on the candidate and once on the target as ``C``, and the score is 1000 minus the
difference of the two numbers. A differ returns an int, or a pair whose first element is one.
"""

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

from arcloom.dsl.signature import GRID, Type
from arcloom.engine.run import run
from arcloom.program.parse import parse, source_of
from arcloom.program.term import Program
from arcloom.program.trace import STANDARD_INPUTS, TraceError, trace
from arcloom.tasks.packed import unpack
from arcloom.tasks.samples import inputs

BEST = 1000
PREFIX = "differ_"
INPUTS: Mapping[str, Type] = {**STANDARD_INPUTS, "O": GRID}
BUNDLED = "differs.txt"

REMEMBERED = 100_000
"""Maximum number of profiles that a judge remembers, about 40 MB. Beyond it, the older half is dropped."""


class DifferError(ValueError):
    """A program in a file of differs is not a differ."""


def bundled() -> list[Program]:
    """The bundled differs."""
    return differs_of(bundled_text(), BUNDLED)


def bundled_text() -> str:
    """The source text of the bundled differs."""
    return files("arcloom.search.loop").joinpath(BUNDLED).read_text(encoding="utf-8")


def descriptions(text: str) -> dict[str, str]:
    """The first docstring line of each differ in a text that has a docstring, by name. The text must parse."""
    found = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    documented = {node.name: ast.get_docstring(node) for node in found}
    return {name: about.partition("\n")[0] for name, about in documented.items() if about}


def read(path: Path) -> list[Program]:
    """The differs in a file. Raises DifferError."""
    return differs_of(source_of(path), str(path))


def differs_of(text: str, file: str) -> list[Program]:
    """The differs in a text; ``file`` is its name in messages. Raises DifferError.

    The name of each must begin with ``differ_``, and it must return an int or a pair whose first element is one.
    """
    found = parse(text, file=file)
    for program in found:
        _check(program, file)
    return found


def _check(program: Program, file: str) -> None:
    if not program.name.startswith(PREFIX):
        raise DifferError(f"{file}: {program.name} is no differ: the name of a differ must begin with {PREFIX}")
    try:
        type = trace(program, INPUTS).output.type
    except TraceError as error:
        raise DifferError(f"{file}: {error}") from None
    score = type.parts[0] if type.kind == "record" else type
    if score.kind not in ("int", "bool"):
        raise DifferError(f"{file}: {program.name} returns {type}, but a score must be an int from 0 to {BEST}")


@dataclass(frozen=True)
class Comparison:
    """A candidate output and its target. ``input`` and ``shown`` are the ``I`` and ``S`` of its run."""

    input: Any
    shown: Any
    candidate: bytes
    target: Any


Profile = tuple[int, ...]
"""The scores of an output, one for each differ."""

SampleKey = tuple[str, int]
"""A sample: the id of its task, and its number among the samples of the task."""


@dataclass
class Judge:
    """Scores candidate outputs with differs, all of them in one batt.

    ``known`` has the profiles of outputs that were scored before.
    """

    programs: Sequence[Program]
    device: str = "cpu"
    known: dict[tuple[SampleKey, bytes], Profile] = field(default_factory=dict)
    _measures: list[bool] = field(init=False)

    def __post_init__(self) -> None:
        self._measures = ["O" not in program.reads for program in self.programs]

    def forget_old(self) -> None:
        """Drop the older half of the known profiles if there are more than REMEMBERED."""
        if len(self.known) >= REMEMBERED:
            self.known = dict(islice(self.known.items(), REMEMBERED // 2, None))

    @property
    def perfect(self) -> Profile:
        """The profile of the correct output."""
        return (BEST,) * len(self.programs)

    @property
    def none(self) -> Profile:
        """The profile of a candidate without an output."""
        return (0,) * len(self.programs)

    def profiles(self, comparisons: Sequence[Comparison]) -> list[Profile]:
        """The profile of each comparison. The score by a differ that fails is 0."""
        if not comparisons:
            return []
        count = len(comparisons)
        samples = [_sample(comparison, unpack(comparison.candidate)) for comparison in comparisons]
        if any(self._measures):
            samples += [_sample(comparison, comparison.target) for comparison in comparisons]
        rows = [range(len(samples) if measure else count) for measure in self._measures]
        results = run(self.programs, samples, rows=rows, inputs=INPUTS, device=self.device, typed_only=True)
        columns = []
        for p, measure in enumerate(self._measures):
            values = [_number(results.output(p, s)) for s in rows[p]]
            columns.append(_nearness(values[:count], values[count:]) if measure else map(_clipped, values))
        return list(zip(*columns, strict=True))


def _sample(comparison: Comparison, candidate: Any) -> dict[str, Any]:
    return {**inputs(comparison.input, comparison.shown, candidate), "O": comparison.target}


def _number(value: Any) -> int | None:
    number: int | None = value[0] if isinstance(value, tuple) else value
    return number


def _clipped(value: int | None) -> int:
    return 0 if value is None else min(max(int(value), 0), BEST)


def _nearness(values: Iterable[int | None], wanted: Iterable[int | None]) -> list[int]:
    pairs = zip(values, wanted, strict=True)
    return [0 if a is None or b is None else _clipped(BEST - abs(int(a) - int(b))) for a, b in pairs]
