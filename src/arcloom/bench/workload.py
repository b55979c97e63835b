"""The workload of a benchmark: programs, and the inputs of all tasks of a dataset."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from arcloom.bench.checkout import BenchError
from arcloom.engine.batt import Batt
from arcloom.engine.samples import Samples
from arcloom.program.build import SOLVER
from arcloom.program.parse import parse_file
from arcloom.program.term import Program
from arcloom.tasks import Dataset, Task, load
from arcloom.tasks.samples import samples_of_tasks


@dataclass(frozen=True)
class Workload:
    """Programs, and the samples of all tasks. ``own`` has the positions of the samples of each program's own task.

    ``left_out`` has the names of programs that are not run, by reason.
    """

    programs: tuple[Program, ...]
    own: tuple[range, ...]
    samples: Samples
    labels: tuple[str, ...]
    left_out: dict[str, tuple[str, ...]]

    @classmethod
    def read(cls, file: str | Path, data: str | Path) -> "Workload":
        """All programs of a file that have a task in the dataset. Raises BenchError if there are none."""
        programs, dataset = parse_file(file), load(data)
        samples, labels, rows = _inputs(dataset)
        ids = [program.name.removeprefix(SOLVER) for program in programs]
        known = [(program, rows[id]) for program, id in zip(programs, ids, strict=True) if id in rows]
        if not known:
            raise BenchError(f"{file} has no program {SOLVER}<task id> for a task of {dataset.name}")
        unmatched = tuple(program.name for program, id in zip(programs, ids, strict=True) if id not in rows)
        own = tuple(range_ for _, range_ in known)
        return cls(tuple(program for program, _ in known), own, samples, labels, {"no task": unmatched})

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the programs."""
        return tuple(program.name for program in self.programs)

    @property
    def own_runs(self) -> list[tuple[int, int]]:
        """The runs of all programs on their own tasks, as pairs of the positions of program and sample."""
        return [(p, s) for p, rows in enumerate(self.own) for s in rows]

    def only(self, names: Collection[str], reason: str | None = None) -> "Workload":
        """The workload with only these programs. With a ``reason``, the others are recorded in ``left_out``."""
        chosen = [p for p, program in enumerate(self.programs) if program.name in names]
        others = tuple(name for name in self.names if name not in names)
        left_out = self.left_out if reason is None else {**self.left_out, reason: others}
        return replace(
            self,
            programs=tuple(self.programs[p] for p in chosen),
            own=tuple(self.own[p] for p in chosen),
            left_out=left_out,
        )

    def typed(self) -> "Workload":
        """The workload with only the typed programs for which all kernels exist."""
        batt = Batt.build(self.programs)
        untyped = {self.programs[p].name for p in batt.untyped}
        fallen = {self.programs[p].name for p in batt.fallback}
        return self.only(set(self.names) - untyped, "untyped").only(set(self.names) - untyped - fallen, "fallback")


def _inputs(dataset: Dataset) -> tuple[Samples, tuple[str, ...], dict[str, range]]:
    """The samples of all tasks, their labels, and the positions of the samples by task id."""
    samples, rows = samples_of_tasks(dataset)
    labels = [label for task in dataset for label in _labels(task)]
    return Samples(samples), tuple(labels), {task.id: own for task, own in zip(dataset, rows, strict=True)}


def _labels(task: Task) -> list[str]:
    shown: Sequence[str] = [f"{task.id} train[{i}]" for i in range(len(task.train))]
    return [*shown, *(f"{task.id} test[{i}]" for i in range(len(task.test)))]
