"""Every program of the library solves its task."""

import pytest

from arcloom import load, run
from arcloom.library import bundled
from arcloom.program.term import Program
from arcloom.tasks.task import Dataset

PROGRAMS = {program.name.removeprefix("solve_"): program for program in bundled()}


@pytest.fixture(scope="module")
def training() -> Dataset:
    return load("arcagi:training")


@pytest.mark.parametrize("task_id", PROGRAMS)
def test_program_solves_all_samples_of_its_task(task_id: str, training: Dataset) -> None:
    task = training[task_id]
    demonstrations = tuple((pair.input, pair.output) for pair in task.train)
    results = run([PROGRAMS[task_id]], [{"I": pair.input, "S": demonstrations} for pair in task.samples])
    assert not results.untyped
    assert [results.output(0, k) for k in range(len(task.samples))] == [pair.output for pair in task.samples]


def test_there_is_one_program_for_each_of_many_tasks(training: Dataset) -> None:
    assert len(PROGRAMS) == len(bundled()) >= 300
    assert set(PROGRAMS) <= set(training.ids)


def test_every_program_reads_only_the_input_and_the_demonstrations() -> None:
    assert {name for program in bundled() for name in program.reads} == {"I", "S"}


def test_the_list_belongs_to_the_caller() -> None:
    bundled().clear()
    first: Program = bundled()[0]
    assert first.name.startswith("solve_")
