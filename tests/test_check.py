"""Checking solvers against their tasks."""

from collections.abc import Sequence
from typing import Any

import pytest

import arcloom
from arcloom import check as checking
from arcloom.check import CheckReport, Finding, Verdict, check
from arcloom.engine.devices.base import DeviceError
from arcloom.engine.results import Results
from arcloom.engine.run import run
from arcloom.program.parse import read
from arcloom.tasks import DataError, Dataset, Pair, Task

A, B, C = ((1, 2),), ((3, 4),), ((5, 6),)
MIRROR = Task("mirror", (Pair(A, ((2, 1),)), Pair(B, ((4, 3),))), (Pair(C, ((6, 5),)),))
OPEN = Task("open", (Pair(A, ((2, 1),)),), (Pair(C),))
DATA = Dataset("made up", (MIRROR, OPEN))


def checked(text: str, **options: Any) -> CheckReport:
    return check(arcloom.parse(text), DATA, **options)


def finding(text: str) -> Finding:
    [found] = checked(text).findings
    return found


def solver(value: str, task: str = "mirror") -> str:
    return f"def solve_{task}(S, I, C):\n    return {value}\n"


def test_a_program_that_gives_every_known_output_is_right() -> None:
    assert finding(solver("vmirror(I)")) == Finding("solve_mirror", "mirror", Verdict.RIGHT)


def test_without_an_expected_output_a_program_is_right_unless_it_fails() -> None:
    assert finding(solver("vmirror(I)", "open")).verdict is Verdict.RIGHT
    needs_one_and_two = "subgrid(combine(ofcolor(I, 1), ofcolor(I, 2)), vmirror(I))"
    found = finding(solver(needs_one_and_two, "open"))
    assert (found.verdict, found.sample) == (Verdict.FAILING, "test[0]")


@pytest.mark.parametrize(
    ("value", "sample", "message"),
    [
        ("I", "train[0]", "wrong cells: 2, first (0, 0): 1, expected 2"),
        ("hconcat(I, I)", "train[0]", "the output is 1x4, expected 1x2"),
        ("trim(I)", "train[0]", "the output is no grid but tuple[nothing]"),
        ("palette(I)", "train[0]", "the output is no grid but set[int]"),
        ("height(I)", "train[0]", "the output is no grid but int"),
        ("replace(vmirror(I), 3, 7)", "train[1]", "wrong cells: 1, first (0, 1): 7, expected 3"),
        ("replace(vmirror(I), 5, 7)", "test[0]", "wrong cells: 1, first (0, 1): 7, expected 5"),
    ],
)
def test_a_wrong_output_is_described(value: str, sample: str, message: str) -> None:
    assert finding(solver(value)) == Finding("solve_mirror", "mirror", Verdict.WRONG, sample, None, message)


def test_failing_has_a_line_and_a_reason_and_goes_before_wrong() -> None:
    wrong_then_failing = "def solve_mirror(I):\n    x1 = ofcolor(I, 1)\n    O = subgrid(x1, I)\n    return O\n"
    found = finding(wrong_then_failing)
    assert (found.verdict, found.sample, found.line) == (Verdict.FAILING, "train[1]", 3)
    assert found.message == "the container is empty"


def test_untyped_has_a_line_and_a_message() -> None:
    found = finding("def solve_mirror(I):\n    x1 = first(I)\n    O = subgrid(ONE, I)\n    return O\n")
    assert found == Finding(
        "solve_mirror", "mirror", Verdict.UNTYPED, None, 3, "subgrid: argument 1 must be patch, and it is int"
    )


def test_programs_read_the_demonstrations_and_the_input_as_candidate() -> None:
    assert finding(solver("mir_rot_t(C, a_mr(S))")).verdict is Verdict.RIGHT


def test_counts_add_up() -> None:
    text = "def solve_other(I):\n    return I\ndef helper(I):\n    return I\n"
    report = checked(solver("vmirror(I)") + solver("I", "open") + text)
    assert (report.programs, report.samples, report.tasks, report.solved) == (4, 5, 2, 1)
    assert [report.count(verdict) for verdict in Verdict] == [1, 1, 0, 0, 0]
    assert report.unmatched == ("solve_other", "helper")
    assert [found.task for found in report.bad] == ["open"]


def test_the_prefix_can_be_chosen() -> None:
    text = "def try_mirror(I):\n    return vmirror(I)\n"
    assert checked(text, prefix="try_").count(Verdict.RIGHT) == 1
    with pytest.raises(DataError, match=r"the first is try_mirror, but a name must be solve_<task id>.*--prefix"):
        checked(text)


def test_no_programs_are_an_error() -> None:
    with pytest.raises(DataError, match="no programs"):
        checked("")


def test_an_unknown_device_is_an_error() -> None:
    with pytest.raises(DeviceError, match="no device 'abacus'"):
        checked(solver("I"), device="abacus")


def spied(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of programs in the calls of run()."""
    calls: list[int] = []

    def spy(programs: Sequence[Any], *args: Any, **options: Any) -> Results:
        calls.append(len(programs))
        return run(programs, *args, **options)

    monkeypatch.setattr(checking, "run", spy)
    return calls


BOTH = solver("vmirror(I)") + solver("vmirror(I)", "open")


def test_all_programs_run_in_one_call(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = spied(monkeypatch)
    assert checked(BOTH).count(Verdict.RIGHT) == 2
    assert calls == [2]


def test_progress_has_the_report_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(checking.PROGRAMS_PER_RUN, "reference", 1)
    calls = spied(monkeypatch)
    seen: list[CheckReport] = []
    report = checked(BOTH, device="reference", progress=seen.append)
    assert calls == [1, 1]
    assert [len(partial.findings) for partial in seen] == [1, 2]
    assert seen[-1] == report
    assert report.seconds > 0 and report.phases.keys() == {"trace", "run"}


def test_devices_that_gain_from_a_batch_get_all_programs_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = spied(monkeypatch)
    checked(BOTH, device="cpu", progress=lambda report: None)
    assert calls == [2]


def test_an_unparsable_definition_does_not_stop_the_others() -> None:
    text = solver("vmirror(I)") + "def solve_open(I):\n    return I.x\n" + "def helper(I):\n    return J\n"
    report = check(read(text), DATA)
    assert (report.programs, report.count(Verdict.RIGHT), report.count(Verdict.UNPARSABLE)) == (3, 1, 2)
    assert [(found.program, found.task, found.line) for found in report.bad] == [
        ("solve_open", "open", 4),
        ("helper", "helper", 6),
    ]
    assert "cannot be used in a program: call a function" in report.bad[0].message


def test_a_single_parameter_is_the_input_whatever_its_name() -> None:
    assert finding("def solve_mirror(grid):\n    return vmirror(grid)\n").verdict is Verdict.RIGHT
