"""The statements of programs, each with a program that returns its value."""

from typing import Any

import arcloom
from arcloom.library import bundled
from arcloom.report.statements import statements_of

GRID = ((1, 2, 0), (0, 1, 0))

EVERYTHING = '''"""A file."""
def helper(x):
    return x

def solve(I):
    """A docstring has no value."""
    f = compose(size, first)
    def g(x):
        y = vmirror(x)
        return y
    unused = width(I)
    a = g(I); b = hmirror(a)
    if unused > 2:
        c = hconcat(a, b)
    else:
        c = a
    for k in range(2):
        c = vconcat(c, c)
    d = (
        hconcat(c,
                c)
    )
    five = 5
    return rot90(d)
'''


def values(source: str, name: str = "solve") -> list[tuple[int, str, Any]]:
    [program] = [program for program in arcloom.parse(source) if program.name == name]
    found = []
    for statement in statements_of(program, source):
        assert statement.program is not None
        value = statement.program.evaluate({"I": GRID})
        found.append((statement.line, statement.text.splitlines()[0], "function" if callable(value) else value))
    return found


def test_every_statement_has_the_value_that_its_variable_has_then() -> None:
    mirrored = ((0, 2, 1), (0, 1, 0))
    flipped = mirrored[::-1]
    joined = tuple(row + other for row, other in zip(mirrored, flipped, strict=True)) * 4
    wide = tuple(row + row for row in joined)
    turned = tuple(zip(*wide[::-1], strict=True))
    assert values(EVERYTHING) == [
        (7, "f = compose(size, first)", "function"),
        (8, "def g(x):", "function"),
        (11, "unused = width(I)", 3),
        (12, "a = g(I); b = hmirror(a)", mirrored),
        (12, "a = g(I); b = hmirror(a)", flipped),
        (13, "if unused > 2:", tuple(row + other for row, other in zip(mirrored, flipped, strict=True))),
        (17, "for k in range(2):", joined),
        (19, "d = (", wide),
        (23, "five = 5", 5),
        (24, "return rot90(d)", turned),
    ]


def test_a_return_of_the_last_variable_is_not_a_statement_of_its_own() -> None:
    assert [text for _, text, _ in values("def solve(I):\n    O = vmirror(I)\n    return O\n")] == ["O = vmirror(I)"]


def test_a_program_may_consist_of_its_return_alone() -> None:
    flipped = tuple(row[::-1] for row in GRID)
    assert values("def solve(I):\n    return vmirror(I)\n") == [(2, "return vmirror(I)", flipped)]
    assert values("def solve(I): return vmirror(I)\n") == [(1, "def solve(I): return vmirror(I)", flipped)]
    assert values("def solve(I):\n    return I\n") == [(2, "return I", GRID)]


def test_a_return_inside_of_a_conditional() -> None:
    source = (
        "def solve(I):\n    a = vmirror(I)\n    if width(I) > 9:\n        return I\n    b = hmirror(a)\n    return b\n"
    )
    [program] = arcloom.parse(source)
    found = statements_of(program, source)
    assert [statement.line for statement in found] == [2, 3, 5, 6]
    assert found[0].program is not None
    assert found[0].program.evaluate({"I": GRID}) == tuple(row[::-1] for row in GRID)
    assert found[-1].program == program


def test_failures_name_the_line_of_the_source() -> None:
    source = (
        "def solve(I):\n\n    a = width(I)\n\n    def f(x):\n        return first(())\n    b = f(a)\n    return I\n"
    )
    [program] = arcloom.parse(source)
    third = statements_of(program, source)[2].program
    assert third is not None
    failure = arcloom.run([third], [GRID]).failure(0, 0)
    assert failure is not None
    assert failure.line == 6


def test_a_file_with_an_error_elsewhere() -> None:
    [program] = arcloom.parse("def solve(I):\n    x = vmirror(I)\n    return hmirror(x)\n")
    texts = [statement.text for statement in statements_of(program, "def solve(I):\n    x = (\n")]
    assert texts == ["x1 = vmirror(I)", "O = hmirror(x1)"]


def test_without_its_source_a_program_has_a_statement_for_each_call() -> None:
    for program in bundled()[::20]:
        found = statements_of(program)
        assert found[-1].program == program
        assert all(statement.program is not None for statement in found)
