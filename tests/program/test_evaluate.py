"""The reference evaluator: values, failures with their lines, budgets, and code that is not evaluated."""

from typing import Any

import pytest

from arcloom.dsl.declare import DEFAULT_BUDGET, PRIMITIVES
from arcloom.dsl.values import Failure, Reason
from arcloom.dsl.work import CALL, Allowance, Exhausted
from arcloom.program.evaluate import ProgramFailure, evaluate
from arcloom.program.parse import lookup, parse_one
from arcloom.program.term import Call, Input, Program

GRID = ((1, 2, 0), (3, 1, 0))


def value(text: str, **inputs: Any) -> Any:
    return evaluate(parse_one(text), {"I": GRID} | inputs)


def failure(text: str, budget: int = DEFAULT_BUDGET, **inputs: Any) -> tuple[int, Reason]:
    with pytest.raises(ProgramFailure) as caught:
        evaluate(parse_one(text), {"I": GRID} | inputs, budget=budget)
    return caught.value.line, caught.value.reason


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("O = I", GRID),
        ("O = THREE", 3),
        ("O = rot180(I)", ((0, 1, 3), (0, 2, 1))),
        ("f = compose(size, palette)\nO = f(I)", 4),
        ("O = rbind(shift, UNITY)(initset(ORIGIN))", frozenset({(1, 1)})),
        ("f = branch(portrait(I), hmirror, vmirror)\nO = f(I)", ((0, 2, 1), (0, 1, 3))),
        ("O = apply(lbind(apply, double), I)", ((2, 4, 0), (6, 2, 0))),
        ("O = rapply(astuple(height, width), I)", (2, 3)),
    ],
)
def test_values_of_programs(text: str, expected: Any) -> None:
    assert value(text) == expected


def test_inputs_are_given_by_name() -> None:
    assert value("def a(S, I, C):\n    return astuple(size(S), astuple(I, C))\n", S=(), I=1, C=2) == (0, (1, 2))


def test_inputs_that_are_not_read_may_be_missing() -> None:
    assert evaluate(parse_one("def a(S, I, C):\n    return add(ONE, ONE)\n"), {}) == 2


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("x = ofcolor(I, NINE)\ny = double(THREE)\nO = first(x)", 3, Reason.EMPTY),
        ("O = extract(I, matcher(first, NINE))", 1, Reason.MISSING),
        ("x = THOUSAND\n\ny = multiply(x, x)\nO = double(y)", 4, Reason.RANGE),
        ("x = vconcat(I, rot90(I))\nO = rot90(x)", 2, Reason.SHAPE),
        ("O = divide(ONE, ZERO)", 1, Reason.ZERO),
        ("x = index(I, NEG_UNITY)\nO = increment(x)", 2, Reason.NONE),
        ("x = canvas(ONE, (300, 300))\ny = initset(ONE)\nO = upscale(x, 100)", 3, Reason.BUDGET),
        ("x = astuple(\n  height(I),\n  first(\n    ofcolor(I, NINE)))\nO = x", 3, Reason.EMPTY),
    ],
)
def test_a_failure_has_a_line_and_a_reason(text: str, line: int, reason: Reason) -> None:
    assert failure(text) == (line, reason)


def test_the_message_of_a_failure() -> None:
    error = ProgramFailure(7, Reason.ZERO)
    assert str(error) == "line 7: division by zero"


def test_the_first_of_several_failures_is_reported() -> None:
    assert failure("a = divide(ONE, ZERO)\nb = first(ofcolor(I, NINE))\nO = astuple(b, a)") == (1, Reason.ZERO)
    assert failure("b = first(ofcolor(I, NINE))\na = divide(ONE, ZERO)\nO = astuple(b, a)") == (1, Reason.EMPTY)
    assert failure("O = astuple(first(ofcolor(I, NINE)), divide(ONE, ZERO))") == (1, Reason.EMPTY)


def test_a_failure_inside_a_mapped_function_has_the_line_that_maps() -> None:
    assert failure("f = lbind(divide, TEN)\nx = first(I)\nO = apply(f, x)") == (3, Reason.ZERO)


def test_a_function_that_is_never_called_does_not_fail() -> None:
    assert value("f = lbind(divide, TEN)\nO = apply(f, ofcolor(I, NINE))") == frozenset()


def test_making_a_function_fails_if_a_captured_value_fails() -> None:
    assert failure("f = lbind(add, divide(ONE, ZERO))\nO = apply(f, ofcolor(I, NINE))") == (1, Reason.ZERO)
    assert failure("f = power(double, ZERO)\nO = apply(f, ofcolor(I, NINE))") == (1, Reason.RANGE)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that records the names of some primitives whenever they are called."""
    found: list[str] = []

    def watch(name: str) -> None:
        primitive = PRIMITIVES[name]
        function = primitive.function

        def watched(*args: Any) -> Any:
            found.append(name)
            return function(*args)

        monkeypatch.setattr(primitive, "function", watched)

    for name in ("rot90", "rot180", "size"):
        watch(name)
    return found


def test_unused_lines_are_not_evaluated(calls: list[str]) -> None:
    assert value("x = rot90(I)\ny = rot180(x)\nz = divide(ONE, ZERO)\nO = size(I)") == 2
    assert calls == ["size"]


def test_a_shared_call_is_evaluated_once(calls: list[str]) -> None:
    assert value("x = rot180(I)\nO = astuple(x, astuple(x, x))")[0] == ((0, 1, 3), (0, 2, 1))
    assert calls == ["rot180"]


# Budgets


def test_a_call_costs_its_arguments_and_its_result() -> None:
    text = "a = hconcat(I, I)\nb = hconcat(a, I)\nO = shape(b)"
    assert evaluate(parse_one(text), {"I": GRID}, budget=CALL + 36) == (2, 9)
    assert failure(text, budget=CALL + 35) == (2, Reason.BUDGET)
    assert failure(text, budget=CALL + 23) == (1, Reason.BUDGET)


def test_the_budget_is_for_each_call_of_a_line() -> None:
    apart, together = "a = hconcat(I, I)\nO = hconcat(a, I)", "O = hconcat(hconcat(I, I), I)"
    for text in (apart, together):
        assert len(evaluate(parse_one(text), {"I": GRID}, budget=CALL + 36)[0]) == 9
        assert failure(text, budget=CALL + 35)[1] is Reason.BUDGET


def test_a_mapped_function_spends_for_all_elements() -> None:
    text = "f = rbind(repeat, FIVE)\nO = apply(f, first(I))"
    assert len(evaluate(parse_one(text), {"I": GRID}, budget=3 * CALL + 15)) == 3
    assert failure(text, budget=3 * CALL + 14) == (2, Reason.BUDGET)


def test_the_functions_of_a_composed_function_have_separate_call_sites() -> None:
    once, twice = "O = apply(increment, I[0])", "O = apply(compose(increment, increment), I[0])"
    for text in (once, twice, "O = apply(fork(add, increment, increment), I[0])"):
        assert len(evaluate(parse_one(text), {"I": GRID}, budget=4 * CALL)) == 3  # the call and each element
        assert failure(text, budget=4 * CALL - 1)[1] is Reason.BUDGET


def test_the_calls_in_a_lambda_have_separate_call_sites() -> None:
    text = "O = apply(lambda x: increment(increment(increment(x))), I[0])"
    assert len(evaluate(parse_one(text), {"I": GRID}, budget=4 * CALL)) == 3


def test_loops_cost_their_turns() -> None:
    text = "f = power(power(identity, TEN), TEN)\nO = f(I)"
    assert evaluate(parse_one(text), {"I": GRID}, budget=100 * CALL) == GRID
    assert failure(text, budget=100 * CALL - 1) == (2, Reason.BUDGET)


def test_compared_values_of_any_type_count() -> None:
    text = "x = repeat(repeat(I, TEN), TEN)\nO = equality(x, x)"
    assert evaluate(parse_one(text), {"I": GRID}, budget=CALL + 2 * 600) is True
    assert failure(text, budget=CALL + 1199) == (2, Reason.BUDGET)


def test_work_counts_against_an_allowance() -> None:
    program, allowance = parse_one("a = repeat(I, TEN)\nO = size(a)"), Allowance(1000)
    evaluate(program, {"I": GRID}, allowance=allowance)
    assert allowance.used == 2 * CALL + 10
    with pytest.raises(Exhausted):
        evaluate(program, {"I": GRID}, allowance=Allowance(2 * CALL + 9))
    with pytest.raises(Exhausted):
        evaluate(program, {"I": GRID}, allowance=Allowance(CALL + 9))
    with pytest.raises(ProgramFailure):
        evaluate(program, {"I": GRID}, budget=5, allowance=Allowance(CALL + 9))


def test_a_budget_does_not_outlive_the_program() -> None:
    failure("O = canvas(ONE, (10, 10))", budget=10)
    assert len(PRIMITIVES["canvas"](1, (10, 10))) == 10
    with pytest.raises(Failure):
        PRIMITIVES["canvas"](1, (20_000, 20_000))


def test_a_runaway_program_fails_soon() -> None:
    text = "x = asindices(I)\n" + "x = product(x, x)\n" * 50 + "O = size(x)"
    assert failure(text, budget=1000) == (3, Reason.BUDGET)


def test_long_programs_do_not_recurse() -> None:
    lines = "x = rot180(I)\n" + "x = rot180(x)\n" * 5000
    assert value(lines) == ((0, 1, 3), (0, 2, 1))


def test_terms_without_a_line_are_evaluated() -> None:
    rot90, height = lookup("rot90"), lookup("height")
    assert rot90 is not None
    assert height is not None
    program = Program("made", ("I",), Call(height, (Call(rot90, (Input("I"),), 0),), 0))
    assert evaluate(program, {"I": GRID}) == 3
