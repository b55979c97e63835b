"""Scores of programs on the tasks that they are named after."""

from collections.abc import Sequence

from arcloom.engine.results import Sample
from arcloom.engine.run import run
from arcloom.program.build import SOLVER
from arcloom.program.term import Program
from arcloom.store import StoredScore, TaskKey
from arcloom.tasks import Dataset
from arcloom.tasks.samples import held_out_samples, samples_of


def scores_on(programs: Sequence[Program], dataset: Dataset, *, device: str = "cpu") -> list[StoredScore]:
    """The scores of programs ``solve_<id>``: the thousandths of the demonstrations of task ``<id>`` that they solve.

    A program that reads ``S`` runs on each demonstration with only the others in ``S``. Programs without a task in the
    dataset, and untyped programs, have no score.
    """
    ids = [dataset.id_of(program.name.removeprefix(SOLVER)) for program in programs]
    cases = [(program, dataset[id]) for program, id in zip(programs, ids, strict=True) if id is not None]
    samples: list[Sample] = []
    rows: list[range] = []
    for program, task in cases:
        hides = "S" in program.reads and len(task.train) > 1
        rows.append(range(len(samples), len(samples) + len(task.train)))
        samples += held_out_samples(task) if hides else samples_of(task)[: len(task.train)]
    results = run([program for program, _ in cases], samples, device=device, rows=rows, typed_only=True)
    found: list[StoredScore] = []
    for p, (program, task) in enumerate(cases):
        if p not in results.untyped and task.train:
            pairs = zip(rows[p], task.train, strict=True)
            solved = sum(results.output(p, s) == pair.output for s, pair in pairs)
            score = 1000 * solved // len(task.train)
            found.append(StoredScore(program.digest, TaskKey.of(task), score, solved, len(task.train)))
    return found
