"""Checked simplification: rewrites that are accepted and rewrites that are refused."""

import pytest

from arcloom.engine.results import Sample
from arcloom.engine.run import run
from arcloom.library import bundled
from arcloom.program import rewrite_rules, simplify
from arcloom.program.build import SOLVER as PREFIX
from arcloom.program.parse import parse, parse_one
from arcloom.program.rewrite_rules import RewriteRule
from arcloom.program.term import Call, Program
from arcloom.search.review.simplified import simplified, unique
from arcloom.tasks import load

SAMPLES: list[Sample] = [{"I": ((1, 2), (3, 4)), "S": ()}, {"I": ((5, 5), (5, 5)), "S": ()}]


def wrong_rule(text: str) -> RewriteRule:
    left, right = (parse_one(f"O = {side}").output for side in text.split(" -> "))
    assert isinstance(left, Call)
    return RewriteRule(text, left, right)


@pytest.fixture
def with_a_wrong_rule(monkeypatch: pytest.MonkeyPatch) -> RewriteRule:
    wrong = wrong_rule("rot90(hmirror(grid)) -> rot180(grid)")
    right = [rule for rule in rewrite_rules.all_rules() if not rule.text.startswith("rot90(hmirror(")]
    monkeypatch.setattr(simplify, "all_rules", lambda: (wrong, *right))
    return wrong


def test_a_rewrite_with_the_same_results_is_accepted() -> None:
    programs = parse("def a(I):\n    return vmirror(vmirror(trim(I)))\n\ndef b(I):\n    return rot90(I)\n")
    done = simplified(programs, SAMPLES)
    assert done.programs == [parse_one("O = trim(I)"), programs[1]]
    assert done.refused == {}
    assert set(done.seconds) == {"rewrite", "check"}


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_a_rewrite_with_other_results_is_refused(with_a_wrong_rule: RewriteRule, device: str) -> None:
    program = parse_one("def a(I):\n    x = hconcat(rot90(hmirror(I)), I)\n    return vmirror(vmirror(x))")
    assert len(simplify.simplify(program)) == 2, "the wrong rule applies"
    done = simplified([program], SAMPLES, device=device)
    assert done.programs == [parse_one("O = hconcat(rot90(hmirror(I)), I)")]
    assert done.refused == {0: [with_a_wrong_rule]}


def test_only_the_programs_own_samples_count(with_a_wrong_rule: RewriteRule) -> None:
    program = parse_one("O = rot90(hmirror(I))")
    on_both, on_second = simplified([program], SAMPLES), simplified([program], SAMPLES, [[1]])
    assert on_both.programs == [program]
    assert on_second.programs == [parse_one("O = rot180(I)")]


def test_a_failure_stays_a_failure() -> None:
    failing = parse_one("def a(I):\n    x = subgrid(ofcolor(I, NINE), I)\n    return first(astuple(I, x))")
    assert len(simplify.simplify(failing)) == 0, "what fails would be gone"
    assert simplified([failing], SAMPLES).programs == [failing]


def test_untyped_programs_are_accepted() -> None:
    untyped = parse_one("O = colorfilter(vmirror(vmirror(I)), ONE)")
    assert simplified([untyped], SAMPLES).programs == [parse_one("O = colorfilter(I, ONE)")]


def test_duplicates_are_removed() -> None:
    one, other, third = parse(
        "def a(I):\n    return trim(I)\n\ndef b(I):\n    y = trim(I)\n    return y\n\ndef c(I):\n    return I\n"
    )
    assert [program.name for program in unique([one, other, third])] == ["a", "c"]


def test_the_library_solves_its_tasks_when_simplified() -> None:
    tasks = load("arcagi:training")
    samples: list[Sample] = []
    rows: list[range] = []
    expected: list[object] = []
    programs: list[Program] = bundled()
    for program in programs:
        task = tasks[program.name.removeprefix(PREFIX)]
        rows.append(range(len(samples), len(samples) + len(task.train)))
        shown = tuple((pair.input, pair.output) for pair in task.train)
        samples += [{"I": pair.input, "S": shown, "C": pair.input} for pair in task.train]
        expected += [pair.output for pair in task.train]
    done = simplified(programs, samples, rows)
    assert done.refused == {}
    assert sum(map(len, done.programs)) < sum(map(len, programs))
    results = run(done.programs, samples, rows=rows)
    wrong = [program.name for p, program in enumerate(programs) for s in rows[p] if results.output(p, s) != expected[s]]
    assert wrong == []
