"""Mutations: most mutants are well typed and share unchanged terms, and each mutation has its documented effect."""

from collections import Counter
from random import Random

import pytest

from arcloom.enumerate.task_constants import TaskConstants
from arcloom.library import bundled
from arcloom.program.keys import Keys
from arcloom.program.parse import parse_one
from arcloom.program.term import Call, Literal, Program
from arcloom.program.trace import TraceError, trace
from arcloom.search.sources.analysis import ProgramAnalysis
from arcloom.search.sources.mutate import OPERATORS, Change, Mutator, Pool
from arcloom.tasks import load
from search.small import MIRROR, PAINT

TEXT = """
def solve_x(I):
    x1 = ofcolor(I, ZERO)
    x2 = fill(I, THREE, x1)
    x3 = objects(x2, T, F, T)
    x4 = argmax(x3, size)
    O = paint(x2, recolor(ZERO, x4))
    return O
"""
PARENT = parse_one(TEXT)
LIBRARY = [ProgramAnalysis(program) for program in bundled()[:60]]


def mutator(seed: int = 0, hidden: str | None = None) -> Mutator:
    return Mutator(TaskConstants(PAINT), Pool(LIBRARY), Random(seed), hidden)


def changed(operator: str, tries: int = 60, parent: Program = PARENT) -> list[Program]:
    """The mutants of the parent by an operator, with different random choices."""
    [apply] = [function for name, _, function in OPERATORS if name == operator]
    analysis = ProgramAnalysis(parent)
    made = [apply(mutator(seed), analysis) for seed in range(tries)]
    return [Program("solve_x", ("S", "I", "C"), change.applied_to(parent)) for change in made if change is not None]


def is_typed(program: Program) -> bool:
    try:
        trace(program)
    except TraceError:
        return False
    return True


@pytest.mark.parametrize("operator", [name for name, _, _ in OPERATORS])
def test_every_operator_makes_new_programs_most_of_which_are_typed(operator: str) -> None:
    made = changed(operator)
    others = [program for program in made if program != PARENT]
    assert len(set(others)) >= 3
    assert sum(map(is_typed, others)) >= 0.4 * len(others)


def test_nine_of_ten_mutants_of_the_library_are_typed() -> None:
    task = load("arcagi:training")["00d62c1b"]
    rng = Random(1)
    maker = Mutator(TaskConstants(task), Pool(LIBRARY), rng)
    made = [(analysis, maker.change(analysis)) for analysis in LIBRARY for _ in range(6)]
    mutants = [
        Program("solve_x", ("S", "I", "C"), change[1].applied_to(analysis.program))
        for analysis, change in made
        if change
    ]
    assert len(mutants) > 200
    assert sum(map(is_typed, mutants)) >= 0.9 * len(mutants)


def test_values_have_types_and_functions_have_none() -> None:
    types = {str(type) for type in ProgramAnalysis(PARENT).types.values()}
    assert {"grid", "set[(int, int)]", "set[set[(int, (int, int))]]", "int", "bool"} <= types
    assert ProgramAnalysis(parse_one("def solve_x(I):\n    return first(ONE)\n")).types == {}


def test_colours_are_recognised_by_parameter_names() -> None:
    text = "x1 = rbind(ofcolor, FIVE)\nx2 = x1(I)\nO = fill(upscale(I, TWO), SIX, x2)"
    colours = [call.args[k] for call, k in ProgramAnalysis(parse_one(text)).colours]
    assert [colour.value for colour in colours if isinstance(colour, Literal)] == [5, 6]


def test_a_mutant_shares_terms_that_do_not_contain_a_change() -> None:
    calls = PARENT.calls
    last = calls[-1]
    assert isinstance(last, Call)
    recolour = last.args[1]
    assert isinstance(recolour, Call)
    seven = Literal(7, "SEVEN")
    output = Change(spots={(recolour, 0): seven}).applied_to(PARENT)
    mutant = Program("m", ("I",), output)
    assert len(set(mutant.calls) & set(calls)) == len(calls) - 2
    assert parse_one(TEXT) == PARENT


def test_two_changes_at_once_are_both_made() -> None:
    first, *_, last = PARENT.calls
    both = Change(spots={(first, 1): Literal(8, "EIGHT")})
    both.update(Change(spots={(last, 0): first.args[0]}))
    text = str(Program("m", ("I",), both.applied_to(PARENT)))
    assert "ofcolor(I, EIGHT)" in text and "O = paint(I, " in text


def test_recolouring_keeps_different_colours_different() -> None:
    for program in changed("recolour"):
        analysis = ProgramAnalysis(program)
        values = [call.args[k].value for call, k in analysis.colours]  # type: ignore[union-attr]
        assert set(values) <= {0, 3, 7}
        before = [call.args[k].value for call, k in ProgramAnalysis(PARENT).colours]  # type: ignore[union-attr]
        assert len(set(zip(before, values, strict=True))) == len(set(before)) == len(set(values))


def test_generalising_finds_the_colour_in_the_task() -> None:
    texts = "\n".join(map(str, changed("generalise")))
    assert "c_zo(S, p_g)" in texts
    assert "leastcolor(I)" in texts


def test_nothing_comes_from_a_hidden_program() -> None:
    [only] = [analysis for analysis in LIBRARY if len(analysis.steps) > 2][:1]
    pool = Pool([only])
    type = only.types[only.program.output]
    assert pool.pick(type, Random(0), None) is not None
    assert pool.pick(type, Random(0), only.program.name) is None


def test_task_constants_do_not_depend_on_test_outputs() -> None:
    constants = TaskConstants(PAINT)
    assert (constants.seen, constants.wanted, constants.appearing) == ([3, 0], [7, 0], [7])
    assert set(constants.colours) == {0, 3, 7}
    assert TaskConstants(PAINT) != TaskConstants(MIRROR)
    assert TaskConstants(PAINT.without_answers()).wanted == constants.wanted


def test_programs_have_equal_keys_if_and_only_if_they_are_equal() -> None:
    programs = bundled()
    once, again = Keys(), Keys()
    keys = Counter(once(program) for program in programs)
    assert len(keys) == len({program.digest for program in programs})
    respelt = [parse_one(str(program)) for program in programs[:40]]
    assert [again(program) for program in respelt] == [once(program) for program in programs[:40]]
    assert once(parse_one("O = f(T)")) != once(parse_one("O = f(ONE)"))
