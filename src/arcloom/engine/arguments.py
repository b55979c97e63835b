"""Converting the arguments of users, such as program texts, tasks and arrays, to programs and samples."""

from collections.abc import Sequence
from typing import Any

from arcloom.engine.results import Sample, plain
from arcloom.program.parse import parse_one
from arcloom.program.term import Program
from arcloom.tasks.samples import inputs
from arcloom.tasks.samples import samples_of as task_samples
from arcloom.tasks.task import Task

GRID_INPUTS = ("I", "C")


def programs_of(programs: Any) -> Sequence[Program]:
    """Programs from a program, a text, or a sequence of both."""
    if isinstance(programs, str | Program):
        programs = [programs]
    if not any(isinstance(program, str) for program in programs):
        return programs
    return [parse_one(program) if isinstance(program, str) else program for program in programs]


def samples_of(samples: Any) -> Sequence[Sample]:
    """Samples from a task, or from a sequence of samples and grids, which may be arrays."""
    if hasattr(samples, "column"):  # they are encoded already
        return samples
    if isinstance(samples, Task):
        return task_samples(samples)
    if all(type(sample) is dict and _is_plain(sample) for sample in samples):
        return samples
    return [_sample(sample) for sample in samples]


def _is_plain(sample: Sample) -> bool:
    return all(type(sample.get(name, ())) is tuple for name in GRID_INPUTS)


def _sample(sample: Any) -> Sample:
    if not hasattr(sample, "keys"):
        return inputs(plain(sample))
    return {name: plain(value) if name in GRID_INPUTS else value for name, value in sample.items()}
