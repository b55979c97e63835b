"""Simplification: simplified forms, and equal outcomes before and after."""

import random

import pytest

from arcloom.library import bundled
from arcloom.program.parse import parse_one
from arcloom.program.print import to_text
from arcloom.program.rewrite_rules import all_rules
from arcloom.program.simplify import rules_used, simplify, simplify_all


def simple(*lines: str) -> str:
    """The simplified form of the lines of a program of I, nested."""
    program = simplify(parse_one("\n".join(("def p(I, S):", *(f"    {line}" for line in lines)))))
    body = to_text(program, nested=True).splitlines()[1:]
    return "; ".join(line.strip() for line in body)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("vmirror(vmirror(I))", "return I"),
        ("rot90(rot90(rot90(rot90(I))))", "return I"),
        ("rot90(rot90(hmirror(vmirror(I))))", "return I"),
        ("first(totuple(objects(I, T, F, T)))", "O = first(objects(I, T, F, T)); return O"),
        ("apply(compose(first, totuple), objects(I, T, F, T))", "O = apply(first, objects(I, T, F, T)); return O"),
        ("branch(equality(ONE, ONE), I, rot90(I))", "return I"),
        ("canvas(add(ONE, TWO), astuple(THREE, add(ONE, TWO)))", "O = canvas(THREE, THREE_BY_THREE); return O"),
        ("canvas(ONE, astuple(ONE, TWO))", "return ((1, 1),)"),
        ("compose(identity, compose(vmirror, identity))(I)", "O = vmirror(I); return O"),
        ("fill(I, ONE, toindices(recolor(TWO, ofcolor(I, ONE))))", "O = fill(I, ONE, ofcolor(I, ONE)); return O"),
        ("paint(I, recolor(mostcolor(I), asindices(I)))", "O = cover(I, asindices(I)); return O"),
        ("palette(rot90(asobject(I)))", "O = palette(rot90(asobject(I))); return O"),  # untyped
    ],
)
def test_simplified_forms(before: str, after: str) -> None:
    assert simple(f"O = {before}", "return O") == after


def test_repeated_expressions_are_merged() -> None:
    program = parse_one("def p(I):\n    return hconcat(rot90(vconcat(I, I)), rot90(vconcat(I, I)))")
    once = simplify(program)
    assert (len(program), len(once)) == (5, 3)
    assert once == program
    assert str(once) == "def p(I):\n    x1 = vconcat(I, I)\n    x2 = rot90(x1)\n    O = hconcat(x2, x2)\n    return O\n"


def test_a_simple_program_is_returned_itself() -> None:
    program = parse_one("def p(I):\n    return hconcat(I, rot90(I))")
    assert simplify(program) is program


def test_a_function_that_is_used_twice_is_not_expanded() -> None:
    program = parse_one("def p(I):\n    f = compose(trim, rot90)\n    x = f(I)\n    y = f(x)\n    return f(y)")
    assert simplify(program) is program


def test_other_rules_apply_beside_a_function_that_is_used_twice() -> None:
    lines = ("f = compose(trim, rot90)", "x = f(vmirror(vmirror(I)))", "y = f(x)", "return f(y)")
    assert simple(*lines) == "x1 = compose(trim, rot90); O = x1(x1(x1(I))); return O"


@pytest.mark.parametrize("function", ["hconcat", "vconcat"])
def test_doublings_stay_small(function: str) -> None:
    lines = [f"    x{k + 1} = {function}(x{k}, x{k})" for k in range(40)]
    program = parse_one("\n".join(("def p(x0):", *lines, "    return x40")))
    for nested in (False, True):
        assert len(to_text(simplify(program), nested=nested)) < 2_000


def test_functions_of_functions_stay_small() -> None:
    lines = [f"    f{k + 1} = compose(f{k}, f{k})" for k in range(40)]
    program = parse_one("\n".join(("def p(I):", "    f0 = compose(vmirror, identity)", *lines, "    return f40(I)")))
    assert len(simplify(program)) <= len(program)


def test_functions_nested_too_deeply_are_not_changed() -> None:
    lines = [f"    f{k + 1} = compose(f{k}, trim)" for k in range(3000)]
    program = parse_one("\n".join(("def p(I):", "    f0 = trim", *lines, "    return f3000(I)")))
    assert len(simplify(program)) <= len(program)


def test_lines_are_those_of_the_printed_text() -> None:
    program = simplify(parse_one("def p(I):\n    return trim(vmirror(vmirror(rot90(I))))"))
    assert [call.line for call in program.calls] == [call.line for call in parse_one(str(program)).calls] == [2, 3]


def test_rules_used_returns_the_rules() -> None:
    program = parse_one("def p(I):\n    return add(size(palette(I)), invert(ONE))")
    assert [rule.text for rule in rules_used(program)] == ["size(palette(x)) -> numcolors(x)"]
    assert simplify(program, []) == parse_one("O = add(size(palette(I)), NEG_ONE)")
    assert simplify(program, rules_used(program)) == simplify(program) == parse_one("O = add(numcolors(I), NEG_ONE)")


def test_the_order_of_rules_and_programs_does_not_matter_much() -> None:
    ours = bundled()[:60]
    assert simplify_all(ours[::-1])[::-1] == simplify_all(ours)
    shuffled = random.Random(3).sample(all_rules(), len(all_rules()))
    sizes = [sum(map(len, simplify_all(ours, rules))) for rules in (all_rules(), shuffled)]
    assert abs(sizes[0] - sizes[1]) <= sizes[0] // 100


def test_simplification_is_idempotent() -> None:
    once = simplify_all(bundled())
    assert [a is b for a, b in zip(once, simplify_all(once), strict=True)] == [True] * len(once)
