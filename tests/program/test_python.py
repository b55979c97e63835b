"""Python syntax in programs: the reference and the engine have Python's results."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcloom.dsl.values import Reason
from arcloom.program.parse import ParseError, parse, parse_one, read
from arcloom.program.print import to_text
from arcloom.program.term import Program
from arcloom.program.trace import TraceError, trace
from program.changed_lists import programs as changed_lists
from program.compared import GRIDS, assert_like_python, assert_like_reference, by_reference, is_typed
from program.generated import program as generated
from program.mixed import programs as mixed
from program.programs import programs
from program.python_idioms import programs as python_idioms

EXPRESSIONS = """
I[0]
I[-1][0]
I[1][1]
I[len(I) - 1]
I[:2]
I[1:]
I[::-1]
I[::-2]
I[-2:-1]
I[5:]
I[:-1]
I[len(I) // 2:]
(1, 2, 3)[1:]
(1, 2, 3)[::-1]
(1, 2, 3)[len(I) - 1]
I[0][1:len(I)]
I[0][len(I):0:-1]
[row[::-1] for row in I]
tuple(tuple(reversed(row)) for row in I)
tuple(zip(*I))
tuple(zip(*I[::-1]))
tuple(zip(*[row[:k + 1] for k, row in enumerate(I)]))
tuple(zip(I, I[1:]))
tuple(zip(I[0], I[-1], range(9)))
tuple(zip((1, 2), (I, I[0])))
tuple(zip(I[0]))
[c for row in I for c in row if c]
[c for row in I if row[0] == 0 for c in row if c > 0 if c < 6]
{c for row in I for c in row}
frozenset((i, j) for i, row in enumerate(I) for j, c in enumerate(row) if c == 0)
frozenset((c, (i, j)) for i, row in enumerate(I) for j, c in enumerate(row))
[(i, j) for j in range(len(I)) for i in range(j)]
sorted({c for row in I for c in row}, reverse=True)
sorted(I, key=lambda row: row[0])
sorted(I, key=sum, reverse=True)
sorted(I, key=lambda row: -row[0])
sorted(palette(I))
sorted(sorted(I[0]), key=lambda c: c % 2, reverse=True)
max(I[0])
min(I[0], default=3)
max((c for c in I[0] if c > 4), default=-1)
max(c for c in I[0] if c > 4)
max(I, key=lambda row: row[-1])
min(I, key=sum)
max(3, len(I), len(I[0]))
min((1, 2), (1, 1))
max((len(I), 2), (2, len(I[0])))
max(palette(I), key=lambda c: colorcount(I, c))
max(objects(I, T, F, T), key=len, default=frozenset())
sum(I[0])
sum(sum(row) for row in I)
sum(1 for row in I for c in row if c != 0)
sum(c == 0 for c in I[0])
sum(I, ())
sum(I[0], 10)
any(c == 5 for row in I for c in row)
all(c < 5 for row in I for c in row)
any(10 // c > 1 for c in I[0])
all(10 // c > 5 for c in I[0])
any(row[k] == 0 for k, row in enumerate(I) if k < len(row))
any(I[0])
all(I[0])
any(map(even, I[0]))
all(map(lambda c: c > 0, I[0]))
any([])
all(())
abs(I[0][0] - I[-1][-1])
abs(-3)
len(I[0]) // 2, len(I) % 3, -len(I) % 4, -7 // len(I)
2 ** 3 + len(I) ** 2
1 // (len(I) - 3)
5 % (len(I) - 1)
len(I) + 1 if len(I) > 2 else len(I) - 1
I[3][0] if len(I) > 3 else -1
first(I[0]) if len(I) == 1 else last(I[1])
(rot90 if len(I) > 2 else hmirror)(I)
len(I) > 2 and len(I[0]) > 2
len(I) > 2 and I[2][0]
len(I) == 1 or I[1][0]
I[0][0] or I[0][-1] or 9
not I[0][0]
not I
not (len(I) > 2 or len(I) == 1)
1 < len(I) < 4
0 <= I[0][0] < 10 // I[0][0]
I[0][0] != I[0][-1]
I[0] == (1, 2, 3)
I[0] < I[-1]
I[0] <= I[-1]
(len(I), 3) > (3, len(I[0]))
palette(I) <= {0, 1, 2, 3}
palette(I) < {0, 3, 5, 7}
{1, 2} >= palette(I)
3 in I[0]
0 not in palette(I)
I[0] in I
index(I, (9, 9)) is None
index(I, (0, 0)) is not None
bool(index(I, (0, 0)))
index(I, (9, 9)) or 4
palette(I) | {9}
palette(I) & {0, 1}
palette(I) - {0}
palette(I) ^ {0, 9}
{len(I), 1, 3}
{(len(I), 0), (1, 1)}
(1, 2) + (len(I),)
I[0] + I[-1]
I + I
(0,) * len(I)
[0] * 3
2 * I[0]
[[0] * len(I[0]) for _ in I]
tuple([c + 1 for c in row] for row in I)
(*I[0], 5)
[*I[0], *I[-1]]
{*I[0], 5}
[x for x in ()]
tuple()
frozenset()
list(I[0])
set(I[0])
tuple(palette(I))
frozenset(I)
list(range(len(I)))
range(5, 0, -2)
range(1, len(I))
list(enumerate(I[0], 1))
enumerate((rot90(I), I))
list(map(len, I))
list(map(lambda a, b: a * b, I[0], I[-1]))
list(map(max, I[0], I[-1]))
list(filter(lambda c: c > 1, I[0]))
list(filter(even, palette(I)))
[f(I) for f in (rot90, hmirror, dmirror)]
[f(I) for f in (rot90, lambda g: g[::-1])]
apply(lambda c: c * 2, I[0])
apply(len, I)
sfilter(I, lambda row: 0 in row)
order(I, lambda row: (row[0], len(row)))
(lambda a, b: a - b)(len(I), 1)
(lambda a, b=3: a * b)(len(I))
compose(lambda x: x + 1, len)(I)
fork(lambda a, b: a + b, len, lambda g: len(g[0]))(I)
next(c for c in I[0] if c > 1)
next((c for c in I[0] if c > 4), 0)
next((c + 1 for c in I[0]), None)
[mostcolor(I) for row in I if row[0] == 9]
[[I[0][k] for k in range(3)] for row in I if row[0] == 9]
[c if c > 1 else 10 // c for c in I[0]]
[(c, d) for c in I[0] for d in I[-1] if c < d]
[x + y for x, y in zip(I[0], I[-1])]
[a for a, *b in I]
[(i, b) for i, (a, *b) in enumerate(I)]
[c for (c, (i, j)) in asobject(I) if i == j]
[(c, i + j) for c, (i, j) in asobject(I)]
[len(o) for o in objects(I, T, F, F)]
[color(o) for o in sorted(objects(I, T, F, T), key=lambda o: (size(o), uppermost(o)))]
fill(I, 9, [(0, 0), (1, 1)])
fill(I, 9, {(i, i) for i in range(len(I))})
paint(I, {(9, (i, j)) for i, j in ofcolor(I, 0)})
tuple(tuple(9 if c == 0 else c for c in row) for row in I)
crop(I, (0, 0), (len(I) - 1, len(I[0])))
canvas(sum(I[0]) % 10, (len(I), 2))
add((1, 2), (len(I), 0))
ulcorner(ofcolor(I, 5))[0]
len(ulcorner(ofcolor(I, 0)))
[k for k in range(10) if k in palette(I)][-1]
[[k, k] for k in range(2)][len(I) - 1]
(I, 1)[0]
int(len(I) > 2) + int(True)
bool(palette(I) - {0, 1, 2, 3, 5, 7})
True + True
-True
+len(I)
(len(I) > 2) & (len(I[0]) > 2)
(len(I) > 2) | (len(I[0]) > 2)
(len(I) > 2) ^ (len(I[0]) > 2)
""".strip().splitlines()


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expressions_have_the_values_of_python(expression: str) -> None:
    assert_like_python(f"def solve(I):\n    return {expression}\n")


def test_expressions_have_types_and_run_on_the_engine() -> None:
    programs = [assert_like_python(f"def solve(I):\n    return {expression}\n") for expression in EXPRESSIONS]
    typed = [program for program in programs if is_typed(program)]
    untyped = [text for text, program in zip(EXPRESSIONS, programs, strict=True) if program not in typed]
    assert untyped == []
    assert_like_reference(typed)


@pytest.mark.parametrize("text", programs(), ids=range(len(programs())))
def test_programs_have_the_values_of_python(text: str) -> None:
    program = assert_like_python(text)
    assert is_typed(program)


def test_programs_run_on_the_engine() -> None:
    assert_like_reference([parse_one(text) for text in programs()])


@pytest.mark.parametrize("text", programs(), ids=range(len(programs())))
@pytest.mark.parametrize("nested", [False, True])
def test_printed_programs_are_equal(text: str, nested: bool) -> None:
    program = parse_one(text)
    assert parse_one(to_text(program, nested=nested)) == program


@given(st.integers(0, 10**9))
@settings(max_examples=150, deadline=None)
def test_generated_programs_have_the_values_of_python(seed: int) -> None:
    text = generated(seed)
    program = assert_like_python(text)
    assert parse_one(to_text(program)) == program


def test_generated_programs_run_on_the_engine() -> None:
    found = [parse(generated(seed))[-1] for seed in range(150)]
    assert_like_reference([program for program in found if is_typed(program)])


# Names, functions and lines


def value(text: str, grid: tuple[tuple[int, ...], ...] = GRIDS[0]) -> object:
    """The value of a program; asserts that the reference and Python agree."""
    program = assert_like_python(text, grids=[grid])
    assert_like_reference([program], [grid])
    return by_reference(program, grid)


LATE = """
def solve(I):
    a = 1
    f = lambda x: x + a
    b = f(1)
    a = 10
    return (b, f(1))
"""

LOOP = """
def solve(I):
    a = 0
    f = lambda x: x + a
    for r in I:
        a = f(a) + 1
    return (a, f(1))
"""

INDIRECT = """
def solve(I):
    a = 1
    g = lambda x: x + a
    f = lambda x: g(x) * 2
    b = f(1)
    a = 5
    return (b, f(1))
"""


def test_names_in_a_function_are_looked_up_when_it_is_called() -> None:
    assert value(LATE) == (2, 11)
    assert value(LOOP) == (7, 8)
    assert value(INDIRECT) == (4, 12)
    assert value("def solve(I):\n    def f(x):\n        return x + a\n    a = 2\n    return f(1)") == 3


def test_a_lambda_passed_as_an_argument_keeps_its_values() -> None:
    text = "def solve(I):\n    a = 1\n    f = compose(lambda x: x + a, len)\n    return f(I)"
    assert value(text) == 4


DEFAULTS = """
def solve(I):
    a = 1
    def f(x, k=a):
        return x + k
    a = 5
    if len(I) > 2:
        a = f(a)
    return (a, f(1), f(1, 3), f(1, k=4))
"""


def test_defaults_are_computed_where_the_function_is_defined() -> None:
    assert value(DEFAULTS) == (6, 2, 4, 5)
    assert value("def solve(I):\n    a = 3\n    return apply(lambda c, k=a: c * k, I[0])") == (3, 6, 9)


DEFINITIONS = """
N = 3

def solve(I):
    return helper(I) + other(I)

def helper(g):
    return other(g) * N

def other(g):
    return len(g)
"""


def test_definitions_can_be_in_any_order_and_called_ones_are_not_programs() -> None:
    assert [program.name for program in parse(DEFINITIONS)] == ["solve"]
    assert value(DEFINITIONS) == 12


def test_comprehensions_have_their_own_scope() -> None:
    assert value("def solve(I):\n    x = 7\n    y = [x for x in I[0]]\n    return (x, y)") == (7, (1, 2, 3))


def test_failures_have_the_line_of_a_function_that_is_called_by_name() -> None:
    helper = "def helper(g, k):\n    n = len(g) - k\n    return 1 // n\n\n"
    program = parse(f"{helper}def solve(I):\n    a = helper(I, 1)\n    return helper(I, 3) + a\n")[0]
    assert by_reference(program, GRIDS[0]) == ("failed", 3, Reason.ZERO)
    assert_like_reference([program])


def test_failures_in_mapped_functions_have_the_line_that_maps_them() -> None:
    program = parse_one("def solve(I):\n    f = lambda x: 1 // x\n    y = 2\n    return apply(f,\n        I[1])\n")
    assert by_reference(program, GRIDS[0]) == ("failed", 4, Reason.ZERO)
    assert_like_reference([program])


def test_type_errors_have_the_line_of_the_function() -> None:
    with pytest.raises(TraceError) as caught:
        trace(parse("def helper(g):\n    x = g\n    return x + 1\n\ndef solve(I):\n    return helper(I)\n")[0])
    assert (caught.value.line, caught.value.program) == (3, "solve")
    assert "+ cannot be used with" in caught.value.message


def test_an_unused_argument_that_fails_fails_the_call() -> None:
    for call in ("f(1 // 0)", "[f(1 // c) for c in I[1]]", "[f(1 // (len(I) - 3)) for c in I[0]]"):
        assert value(f"def solve(I):\n    f = lambda x: 2\n    return {call}")[0] == "failed"  # type: ignore[index]
    assert value("def solve(I):\n    f = lambda x: 2\n    return [f(1 // (len(I) - 3)) for c in ()]") == ()


def test_values_without_static_types_run_on_the_reference() -> None:
    text = "def solve(I):\n    return (1, I)[len(I) - 2]"
    program = assert_like_python(text)
    assert not is_typed(program)


@pytest.mark.parametrize(
    "change",
    [
        "b = a\n    b.append(1)",
        "b = (a, 1)\n    a.append(1)",
        "b = [a]\n    a.append(1)",
        "b = lambda: a\n    a.append(1)",
        "b = (lambda: len(a), 1)\n    a.append(1)",
        "b = []\n    b.append(a)\n    a.append(1)",
    ],
)
def test_a_list_with_other_references_cannot_be_changed(change: str) -> None:
    with pytest.raises(ParseError, match="the method append cannot be used"):
        parse(f"def solve(I):\n    a = [1]\n    {change}\n    return (a, b)\n")


# Growth


def grown(text: str) -> str:
    """The message of the error with which a program is refused."""
    try:
        program = parse(text)[-1]
        len(program.digest)
        str(program)
        trace(program)
    except (ParseError, TraceError) as error:
        return error.message
    return ""


def test_the_size_of_functions_that_call_each_other_is_limited() -> None:
    doubled = "".join(f"    f{k} = lambda x: f{k - 1}(f{k - 1}(x))\n" for k in range(1, 25))
    assert "steps" in grown(f"def solve(I):\n    f0 = lambda x: x\n{doubled}    return f24(I)\n")
    chain = "".join(f"def f{k}(x):\n    return f{k - 1}(x) + 1\n" for k in range(1, 200))
    assert "nested too deeply" in grown(f"def f0(x):\n    return x\n{chain}def solve(I):\n    return f199(1)\n")


def test_the_size_of_constants_is_limited() -> None:
    assert "nested" in grown("x = (1, 1)\n" + "x = (x, x)\n" * 60)
    assert "nested" in grown("def solve(I):\n    x = (I, I)\n" + "    x = (x, x)\n" * 60 + "    return x\n")


def test_the_number_of_returns_is_limited() -> None:
    sides = "    if I[0][0] == 1:\n        if I[0][1] == 1:\n            return I\n" * 30
    assert grown(f"def solve(I):\n{sides}    return I\n")


def test_evaluation_stays_within_its_budget() -> None:
    loops = "any(any(any(False for c in r) for b in r) for a in r)"
    program = parse_one(f"def solve(I):\n    r = range(3000)\n    return {loops}\n")
    assert by_reference(program, GRIDS[0]) == ("failed", 3, Reason.BUDGET)
    program = parse_one("def solve(I):\n    n = 0\n    for a in range(20000):\n        n = n\n    return n\n")
    assert by_reference(program, GRIDS[0]) == ("failed", 3, Reason.BUDGET)
    assert_like_reference([program])
    for turns, reason in ((500, Reason.BUDGET), (5000, Reason.RANGE)):
        loops = f"for a in range({turns}):\n        for b in range({turns}):\n            n = n + 1"
        program = parse_one(f"def solve(I):\n    n = 0\n    {loops}\n    return n\n")
        assert by_reference(program, GRIDS[0]) == ("failed", 3, reason)
        assert_like_reference([program])


def test_large_functions_that_change_lists_are_refused() -> None:
    changes = "".join(f"    a{k}.append(a{k})\n" for k in range(3000))
    with pytest.raises(ParseError, match="the method append cannot be used"):
        parse(f"def solve(I):\n{changes}    return I\n")


@pytest.mark.parametrize("value", ["(1, 1)", "(I, I)"])
@pytest.mark.parametrize(
    "step", ["(x, x)", "(1, x, x)", "repeat(x, 100)", "power(fork(astuple, identity, identity), 30)(x)"]
)
def test_the_size_of_untyped_values_is_limited(value: str, step: str) -> None:
    lines = f"    x = {step}\n" * 40
    program = parse_one(f"def solve(I):\n    x = {value}\n{lines}    return x == (x, 1)\n")
    found = by_reference(program, GRIDS[0], typed=False)
    assert isinstance(found, tuple) and found[2] is Reason.BUDGET


def test_recursion_is_refused() -> None:
    with pytest.raises(ParseError, match="solve calls itself: use power or a for loop"):
        parse("def solve(I):\n    return solve(rot90(I))\n")


@pytest.mark.parametrize(
    "body",
    [
        "a = set()\n    for r in I:\n        a.add(r[0])\n    return (tuple(sorted(a)), len(a))",
        "a = [1]\n    b = (tuple(a), len(a))\n    a.append(2)\n    return (b, a)",
        "a = []\n    for r in I:\n        a.append(len(r))\n    return (a, a)",
    ],
)
def test_lists_that_change_can_be_copied_and_returned(body: str) -> None:
    assert_like_python(f"def solve(I):\n    {body}\n")


REFUSED_MIXED = {
    "for j, v in enumerate(row):": "another name or loop refers to it",
    '"ul"': "a string",
    '"horizontal"': "a string",
    "isinstance": "isinstance",
    's = ""': "a string",
    "try:": "try",
    "while": "a while loop",
    "yield": "yield",
}
"""Programs of ``program.mixed`` that are refused: a part of the text, and a part of the message."""


@pytest.mark.parametrize("text", mixed(), ids=str)
def test_programs_of_language_models_have_the_values_of_python(text: str) -> None:
    try:
        program = assert_like_python(text)
    except ParseError as error:
        assert any(part in text and message in str(error) for part, message in REFUSED_MIXED.items()), error
    else:
        if is_typed(program):
            assert_like_reference([program])


@pytest.mark.parametrize("text", [*changed_lists(), *python_idioms()], ids=str)
def test_idioms_have_types_and_the_values_of_python(text: str) -> None:
    program = assert_like_python(text)
    assert is_typed(program)
    assert_like_reference([program])


def test_most_programs_of_language_models_parse_and_have_types() -> None:
    found = [read(text)[-1] for text in mixed()]
    typed = [program for program in found if isinstance(program, Program) and is_typed(program)]
    assert len(typed) >= 0.85 * len(found)
