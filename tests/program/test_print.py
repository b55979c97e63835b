"""Printing programs: texts parse back to equal programs, with one line per call or nested."""

import pytest

from arcloom.dsl import CONSTANTS
from arcloom.program.evaluate import evaluate
from arcloom.program.parse import MAX_DEPTH, lookup, parse, parse_one
from arcloom.program.print import LONGEST_NESTED, all_to_text, literal_text, to_text
from arcloom.program.term import Call, Input, Lambda, Literal, Program, Term
from golden import outcome as golden_outcome
from golden import programs, samples


def called(name: str, *args: Term, line: int = 0) -> Call:
    function = lookup(name)
    assert function is not None
    return Call(function, args, line)


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("program", programs(), ids=lambda program: program.name)
def test_printing_and_parsing_gives_the_same_program(program: Program, nested: bool) -> None:
    text = to_text(program, nested=nested)
    again = parse_one(text)
    assert (again.name, again.inputs, again.digest) == (program.name, program.inputs, program.digest)
    assert len(again) == len(program)
    assert to_text(again, nested=nested) == text


def test_nested_and_flat_texts_are_equal_programs() -> None:
    for program in programs():
        assert parse_one(to_text(program, nested=True)) == parse_one(to_text(program)) == program


def test_one_call_per_line() -> None:
    program = parse_one("def a(S, I, C):\n    y = rot90(I)\n    return hconcat(y, vmirror(hmirror(y)))\n")
    assert to_text(program) == (
        "def a(S, I, C):\n"
        "    x1 = rot90(I)\n"
        "    x2 = hmirror(x1)\n"
        "    x3 = vmirror(x2)\n"
        "    O = hconcat(x1, x3)\n"
        "    return O\n"
    )
    assert str(program) == to_text(program)


def test_a_call_that_is_used_once_is_nested() -> None:
    program = parse_one("def a(S, I, C):\n    y = rot90(I)\n    return hconcat(y, vmirror(hmirror(y)))\n")
    assert to_text(program, nested=True) == (
        "def a(S, I, C):\n    x1 = rot90(I)\n    O = hconcat(x1, vmirror(hmirror(x1)))\n    return O\n"
    )


def test_a_function_that_is_called_is_nested_too() -> None:
    program = parse_one("f = rbind(shift, UNITY)\nO = f(asindices(I))")
    assert "    O = rbind(shift, UNITY)(asindices(I))\n" in to_text(program, nested=True)


def test_unused_lines_are_not_printed() -> None:
    program = parse_one("y = rot90(I)\nO = rot180(I)")
    assert to_text(program) == "def program(I):\n    O = rot180(I)\n    return O\n"


@pytest.mark.parametrize(
    "text", ["def a(I):\n    return I\n", "def a(I):\n    return ONE\n", "def a():\n    return (1, 2)\n"]
)
def test_programs_without_a_call_are_printed(text: str) -> None:
    assert to_text(parse_one(text)) == text


def test_constants_and_spellings_are_kept() -> None:
    text = "def a(I):\n    O = insert(GRAY, combine_f(palette_t(I), initset(-3)))\n    return O\n"
    assert to_text(parse_one(text), nested=True) == text


def test_names_of_variables_differ_from_inputs() -> None:
    program = parse_one(
        "def a(x1, x2, x1_, O):\n    y = add(x1, x2)\n    z = add(x1_, y)\n    return add(add(y, z), O)\n"
    )
    for nested in (False, True):
        again = parse_one(to_text(program, nested=nested))
        assert again == program
        assert evaluate(again, {"x1": 1, "x2": 2, "x1_": 10, "O": 100}) == 116


def test_inputs_may_shadow_names_of_the_language() -> None:
    program = parse_one("def a(ONE, first):\n    return add(first, add(ONE, 1))\n")
    again = parse_one(to_text(program))
    assert again == program
    assert evaluate(again, {"ONE": 5, "first": 7}) == 13


def test_a_constant_shadowed_by_an_input_is_printed_as_a_number() -> None:
    program = Program(
        "a", ("ONE", "UNITY"), called("add", Input("ONE"), called("add", Literal(1, "ONE"), Literal((1, 1), "UNITY")))
    )
    again = parse_one(to_text(program))
    assert again == program
    assert evaluate(again, {"ONE": 5, "UNITY": 0}) == (7, 7)


@pytest.mark.parametrize("nested", [False, True])
def test_long_and_deep_programs_are_printed(nested: bool) -> None:
    deep: Term = Input("I")
    for _ in range(10 * MAX_DEPTH):
        deep = called("p_g", deep)
    program = Program("deep", ("I",), deep)
    text = to_text(program, nested=nested)
    assert parse_one(text).digest == program.digest
    assert max(map(len, text.splitlines())) < LONGEST_NESTED + 50


def test_several_programs_as_one_file() -> None:
    text = all_to_text(programs())
    again = parse(text)
    assert [program.name for program in again] == [program.name for program in programs()]
    assert again == list(programs())
    assert all_to_text(again) == text


def test_printed_programs_have_the_same_outcomes() -> None:
    """Outcomes are equal, except for the lines of failures."""
    for program in programs():
        again = parse_one(to_text(program))
        for sample in samples().values():
            before, after = golden_outcome(program, sample), golden_outcome(again, sample)
            if isinstance(before, dict):
                assert after["fails"] == before["fails"]
            else:
                assert after == before


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "ZERO"), (True, "T"), (False, "F"), ((1, 0), "DOWN"), (42, "42"), ((3, -7), "(3, -7)"), (-1, "NEG_ONE")],
)
def test_constants_have_names(value: object, text: str) -> None:
    assert literal_text(value) == text


def test_the_text_of_a_constant_parses_to_the_constant() -> None:
    for value in (*CONSTANTS.values(), 11, -999, (5, 6)):
        program = parse_one(f"O = identity({literal_text(value)})")
        found = evaluate(program, {})
        assert (found, type(found)) == (value, type(value))


def test_a_function_may_capture_a_constant() -> None:
    given = parse_one("def f(I):\n    x = height(I)\n    return apply(lambda c: add(c, x), palette(I))\n")
    [capture] = [call for call in given.calls if isinstance(call.function, Lambda)]
    assert isinstance(given.output, Call)
    changed = Call(capture.function, (Literal(3, "THREE"),), 1)
    program = Program("f", ("I",), Call(given.output.function, (changed, given.output.args[1]), 2))
    assert "add(c, THREE)" in str(program)
    inputs = {"I": ((1, 2),)}
    assert evaluate(parse_one(str(program)), inputs) == evaluate(program, inputs) == frozenset({4, 5})
