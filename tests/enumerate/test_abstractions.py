"""Learnt operations: fragments that programs share, and which of them are kept."""

from pathlib import Path

import pytest

from arcloom import load
from arcloom.enumerate import abstractions
from arcloom.enumerate.abstractions import candidates, enumerator_with, helpful, main, named, producers, solve
from arcloom.enumerate.enumerator import FoundExpression
from arcloom.enumerate.fragments import Corpus, Fragment, canonical_shape, fragments, simplified
from arcloom.enumerate.operations import operations
from arcloom.program.build import INPUT
from arcloom.program.parse import parse, parse_one

BOXED = "def {name}({g}, {c}):\n    x = argmax(objects({g}, T, F, T), size)\n    return fill({g}, {c}, backdrop(x))\n"
MIRRORED = "def mirrored(g):\n    return vmirror(hmirror(g))\n"
TASKS = ("007bbfb7", "67a3c6ac", "68b16354", "80af3007", "8f2ea7aa")
TRIES = 2_000


def corpus(*outputs: str) -> Corpus:
    return {f"task {k}": [parse_one(f"def solve_{k}(I):\n    return {text}\n")] for k, text in enumerate(outputs)}


def fragment(text: str, *tasks: str) -> Fragment:
    return Fragment(parse_one(text), "grid", frozenset(tasks))


def found(cost: int, *used: str) -> FoundExpression:
    return FoundExpression(INPUT, cost, 2000, (), used)


def test_a_fragment_has_parameters_for_what_differs() -> None:
    texts = (
        "fill(I, RED, backdrop(argmax(objects(I, T, F, T), size)))",
        "fill(rot90(I), BLUE, backdrop(argmax(objects(rot90(I), T, F, T), size)))",
    )
    best = fragments(corpus(*texts))[0]
    assert best.program.shape == parse_one(BOXED.format(name="boxed", g="g", c="c")).shape
    assert (best.program.inputs, best.value_class, best.saved) == (("g", "c"), "grid", 3)
    assert best.tasks == {"task 0", "task 1"}


def test_a_constant_stays_if_all_programs_have_it() -> None:
    (best, *_) = fragments(corpus("upscale(trim(I), TWO)", "upscale(trim(rot90(I)), TWO)"))
    assert best.program.inputs == ("g",)


def test_functions_belong_to_the_fragment() -> None:
    texts = (
        "cover(I, argmax(fgpartition(I), compose(size, box)))",
        "I",
        "subgrid(argmax(frontiers(I), compose(size, box)), I)",
    )
    (only,) = fragments(corpus(*texts))
    assert only.program.inputs == ("xs",)
    assert len(only.program) == 2


def test_fragments_do_not_return_integers() -> None:
    texts = ("upscale(I, increment(numcolors(I)))", "hupscale(I, increment(numcolors(I)))")
    assert fragments(corpus(*texts)) == []


def test_programs_that_read_the_demonstrations_are_left_out() -> None:
    (program,) = parse("def solve_x(S, I):\n    return last(first(S))\n")
    assert simplified({"x": [program]}) == {"x": []}


def test_names_are_new() -> None:
    twice = named([fragment(MIRRORED, "a"), fragment(MIRRORED, "b")], {"vmirror_hmirror"})
    assert [each.program.name for each in twice] == ["vmirror_hmirror_2", "vmirror_hmirror_3"]


def test_a_fragment_helps_only_with_tasks_from_which_it_was_not_learnt() -> None:
    known, own = fragment(MIRRORED, "a", "b", "c"), fragment(BOXED.format(name="boxed", g="g", c="c"), "d", "e")
    before = {"d": found(30), "f": found(30)}
    after = {"d": found(20, "boxed", "mirrored"), "e": found(50, "boxed"), "f": found(29, "mirrored")}
    assert helpful([own, known], before, after) == [known]
    assert helpful([known], after, after) == []


def test_an_operation_that_computes_what_others_do_at_a_lower_price_yields_no_new_values() -> None:
    task = load("arcagi:training")["1cf80156"]
    other = fragment("def compressed(g):\n    return dmirror(compress(dmirror(g)))\n", "a")
    assert {"compress_grid", "compressed"} & producers(enumerator_with([other]), task, TRIES) == {"compress_grid"}


def test_candidates_are_shared_by_programs_and_are_not_operations() -> None:
    training = load("arcagi:training")
    tasks = [training[id] for id in TASKS]
    solved = solve(enumerator_with([]), tasks, TRIES)
    assert set(solved) >= {"67a3c6ac", "68b16354"}
    made = candidates(tasks, solved, TRIES)
    assert {"007bbfb7", "80af3007", "8f2ea7aa"} in [each.tasks for each in made]
    known = {canonical_shape(operation.program) for operation in operations()}
    assert not {each.program.shape for each in made} & known


@pytest.mark.parametrize(("gain", "options", "writes"), [(5, [], True), (4, [], False), (5, ["--check"], False)])
def test_operations_are_written_if_they_help_on_held_out_tasks(
    gain: int, options: list[str], writes: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "learnt.py"
    monkeypatch.setattr(abstractions, "LEARNT", file)
    monkeypatch.setattr(abstractions, "solve", lambda *_: {})
    monkeypatch.setattr(abstractions, "check", lambda *_: ([3, 4], [3, 4 + gain]))
    monkeypatch.setattr(abstractions, "learn", lambda *_: [fragment(MIRRORED, "a", "b")])
    monkeypatch.setattr("sys.argv", ["abstractions", *options])
    main()
    assert file.exists() == writes
    if writes:
        (program,) = parse(file.read_text(encoding="utf-8"))
        assert program.shape == parse_one(MIRRORED).shape
