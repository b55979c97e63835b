"""Parsing programs: accepted forms, errors and their positions, and malicious texts."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcloom.dsl import CONSTANTS, PRIMITIVES
from arcloom.program.evaluate import evaluate
from arcloom.program.parse import (
    MAX_CALLS,
    MAX_DEPTH,
    MAX_LINE,
    MAX_PIECE,
    ParseError,
    parse,
    parse_file,
    parse_one,
    read,
)
from arcloom.program.term import Call, Function, Literal, Program
from golden import FOLDER, programs

GRID = ((1, 2), (3, 4))


def refused(text: str) -> ParseError:
    with pytest.raises(ParseError) as caught:
        parse(text, file="solvers.py")
    return caught.value


def where(error: ParseError) -> tuple[int, int]:
    return error.line, error.column


# Accepted forms


@pytest.mark.parametrize(
    ("text", "inputs"),
    [
        ("def solve_1(I):\n    x1 = hmirror(I)\n    O = vmirror(x1)\n    return O\n", ("I",)),
        ("def solve_1(S, I, C):\n    O = rot180(I)\n    return O\n", ("S", "I", "C")),
        ("def differ_2(I):\n    return vmirror(hmirror(I))\n", ("I",)),
        ("def anything(I):\n    return rot180(grid=I)", ("I",)),
        ("def solve_1(I: Grid) -> Grid:\n    return rot180(I)\n", ("I",)),
        ("x1 = hmirror(I)\nO = vmirror(x1)", ("I",)),
        ("O = vmirror(hmirror(I))  # turned", ("I",)),
        ("from dsl import *\nfrom constants import *\n\n\ndef solve_1(I):\n    return rot180(I)\n", ("I",)),
        ('"""Solvers.\ndef none_here(I):\n"""\n\ndef solve_1(I):\n    """Turned."""\n    return rot180(I)\n', ("I",)),
        ("def solve_1(I):\r\n\tO = rot180(I)\r\n\treturn O\r\n", ("I",)),
        ("\ufeffdef solve_1(I):\n    return rot180(I)\n", ("I",)),
        ("def solve_1(I):\n    O = rot180(\n        I,\n    )\n    return O\n", ("I",)),
        ("def solve_1(I):\n\f\n    O = rot180(I); P = O\n    return P\n", ("I",)),
        ("größe = hmirror(I)\nO = vmirror(größe)", ("I",)),
    ],
)
def test_accepted_forms_of_a_program(text: str, inputs: tuple[str, ...]) -> None:
    program = parse_one(text)
    assert program.inputs == inputs
    assert evaluate(program, {"I": GRID}) == ((4, 3), (2, 1))


def test_several_programs_keep_their_names_and_order() -> None:
    found = parse("def b(I):\n    return I\n\n\ndef a(I):\n    return rot90(I)\n")
    assert [program.name for program in found] == ["b", "a"]


def test_a_text_without_statements_has_no_programs() -> None:
    assert parse("") == parse("# only this\n") == parse('"""Only this."""') == []


def test_free_names_of_bare_lines_are_inputs_in_order_of_use() -> None:
    program = parse_one("x = add(b, a)\nO = subtract(x, b)")
    assert program.inputs == ("b", "a")
    assert evaluate(program, {"a": 1, "b": 10}) == 1


def test_bare_lines_return_the_value_of_the_last_line() -> None:
    assert evaluate(parse_one("a = double(n)\na = increment(a)\nb = double(a)"), {"n": 1}) == 6


def test_calls_in_later_definitions_have_their_lines() -> None:
    _, second = parse("def a(I):\n    return I\n\ndef b(I):\n    x = rot90(I)\n    return rot90(\n        rot180(x))\n")
    assert [call.line for call in second.calls] == [5, 7, 6]


def test_variables_hide_names_of_the_language() -> None:
    program = parse_one("def f(ONE):\n    first = add(ONE, TWO)\n    TWO = double(first)\n    return add(first, TWO)\n")
    assert evaluate(program, {"ONE": 5}) == 21


def test_constants_keep_their_spelling() -> None:
    program = parse_one("O = astuple(TWO, astuple((ONE, -2), True))")
    assert [call.args[0].text for call in program.calls if isinstance(call.args[0], Literal)] == ["(ONE, -2)", "TWO"]
    assert evaluate(program, {}) == (2, ((1, -2), True))


def test_a_tuple_can_contain_variables_that_are_constants() -> None:
    program = parse_one("n = THREE\nO = identity((n, (n, 1)))")
    assert evaluate(program, {}) == (3, (3, 1))


def test_keyword_arguments_are_ordered() -> None:
    program = parse_one("O = fill(I, patch=asindices(I), value=TWO)")
    assert evaluate(program, {"I": GRID}) == ((2, 2), (2, 2))
    assert program == parse_one("O = fill(I, TWO, asindices(I))")


def test_spellings_keep_their_text() -> None:
    program = parse_one("O = size_f(palette_t(I))")
    assert isinstance(program.output, Call)
    assert isinstance(program.output.function, Function)
    assert program.output.function.text == "size_f"
    assert program.output.function.primitive is PRIMITIVES["size"]


def test_all_constants_are_known() -> None:
    for name, value in CONSTANTS.items():
        assert evaluate(parse_one(f"O = identity({name})"), {}) == value


def test_parse_one_requires_exactly_one_program() -> None:
    with pytest.raises(ParseError, match="one program was expected, and there are 2"):
        parse_one("def a(I):\n    return I\ndef b(I):\n    return I\n")
    with pytest.raises(ParseError, match="there are 0"):
        parse_one("")


def test_programs_are_parsed_from_files(tmp_path: Path) -> None:
    path = tmp_path / "solvers.py"
    path.write_bytes("\ufeffdef a(I):\r\n    x = rot90(I)\r\n    return x\r\n".encode())
    assert parse_file(path) == parse_file(str(path)) == [parse_one("O = rot90(I)")]
    path.write_bytes(b"x = 1\ny = '\xff'\n")
    with pytest.raises(ParseError, match=r"solvers.py:2:1: not UTF-8 text \(byte 11\)"):
        parse_file(path)
    path.write_text("def a(I):\n    return J\n")
    with pytest.raises(ParseError, match=r"solvers.py:2:12: J is not defined"):
        parse_file(path)


# Errors


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("def a(I):\n    return J", 2, 12, "J is not defined"),
        ("def a(I):\n    return frist(I)", 2, 12, "frist is not defined (did you mean first"),
        ("def a(I):\n    x41 = rot90(I)\n    return x42", 3, 12, "x42 is not defined (did you mean x41"),
        ("def a(I):\n    x = rot90(x)\n    return x", 2, 15, "x is not defined"),
        ("O = rot90(I, I)", 1, 5, "rot90 takes 1 arguments (grid), and 2 are given"),
        ("O = fill(I)", 1, 5, "fill takes 3 arguments (grid, value, patch), and 1 are given"),
        (
            "O = fill(I, ONE, shape=I)",
            1,
            18,
            "fill takes no argument named shape (its arguments are grid, value, patch)",
        ),
        ("O = fill(I, ONE, grid=I)", 1, 18, "fill is given the argument grid twice"),
        ("O = fill(I, patch=I, patch=I)", 1, 22, "the argument patch is given twice"),
        ("O = f(x=I)", 1, 5, "the argument x must be given by its position"),
        ("O = ONE(I)", 1, 5, "a constant cannot be called"),
        ("O = 3(I)", 1, 5, "a constant cannot be called"),
        ("O = identity(1000001)", 1, 14, "constants are whole numbers up to 1,000,000"),
        ("O = identity(-1000001)", 1, 14, "constants are whole numbers"),
        ("O = identity(1.5)", 1, 14, "constants are whole numbers"),
        ("O = identity('a')", 1, 14, "a string cannot be used in a program: use a whole number"),
        ("O = identity(~1)", 1, 14, "the operator ~ cannot be used in a program: use not or -"),
        ("O = identity((1, 'a'))", 1, 18, "a string cannot be used"),
        ("def a(I):\n    x = rot90(I)", 2, 5, "a must end with 'return' and a value"),
        ("def a(I):\n    return", 2, 5, "a must end with 'return' and a value"),
        ('def a(I):\n    "nothing"', 2, 5, "a must end with 'return' and a value"),
        ("def a(I):\n    rot90(I)\n    return I", 2, 5, "a line without an assignment cannot be used"),
        ("def a(I):\n    I[0] = 1\n    return I", 2, 5, "an item of I cannot be assigned"),
        ("def a(I):\n    I[0] += 1\n    return I", 2, 5, "an item of I cannot be assigned"),
        (
            "def a(I):\n    if I:\n        x = I\n    return x",
            4,
            12,
            "this may be undefined here: line 2 assigns it only",
        ),
        ("def a(I):\n    for r in I:\n        x = r\n    return x", 4, 12, "this may be undefined here: line 2"),
        ("def a(I):\n    for r in I:\n        return\n    return I", 3, 9, "return must have a value"),
        ("def a(I):\n    a, *b, c = I\n    return a", 2, 5, "a starred name must be the first or the last one"),
        ("def a(I):\n    return max(I, size=1)", 2, 19, "max takes no argument named size"),
        ("def a(I):\n    return sorted(I, reverse=I)", 2, 12, "the argument reverse must be True or False"),
        ("def a(I):\n    return [lambda x: x + y for y in I]", 2, 13, "a comprehension cannot make functions"),
        ("def a(I):\n    return next(I)", 2, 12, "next takes a generator"),
        ("def f(x):\n    return f(x)\ndef a(I):\n    return f(I)", 2, 12, "f calls itself: use power or a for loop"),
        (
            "def f(x, y):\n    return x\ndef a(I):\n    return f(I)",
            4,
            12,
            "f takes 2 arguments (x, y), and 1 are given",
        ),
        ("def f(x):\n    return x\ndef a(I):\n    return f(I, z=1)", 4, 17, "f takes no argument named z"),
        ("def f(*x):\n    return x\ndef a(I):\n    return f(I)", 1, 1, "a function has plain parameters only"),
        ("rot90(I)", 1, 1, "a line without an assignment cannot be used"),
        ("x = I\nif x:\n    x = 1", 2, 1, "the last line of a program must assign its result to a name"),
        ("def a(I):\n    return I\nx = rot90(I)", 3, 11, "I is not defined"),
        ("N = 1\n\ndef a(I):\n    return I\nN = 2", 5, 1, "N is assigned twice outside of definitions"),
        ("def a(I):\n    return I\ndef a(I):\n    return I", 3, 1, "a is defined twice, first in line 1"),
        ("def a(I, I):\n    return I", 1, 1, "two inputs have the same name"),
        ("def a(I:\n    return I", 1, 6, "not a program ('(' was never closed)"),
        ("def a(I):\nreturn I", 2, 1, "not a program (expected an indented block"),
        ("def a(I):\n    return I\n\ndef b(I):\n    return I +\n", 5, 15, "not a program (invalid syntax)"),
        ("x = rot90(I", 1, 10, "not a program ('(' was never closed)"),
        ("def a(I):\n\tx = I\n        return x", 3, 1, "not a program (inconsistent use of tabs"),
        ("größe = rot90(I)\nO = rot90(größe / größe)", 2, 11, "the operator / cannot be used in a program: use //"),
        ("x = rot90(I)\ry = 1 / 1\r", 2, 5, "the operator / cannot be used"),
    ],
)
def test_errors_have_a_position_and_a_message(text: str, line: int, column: int, message: str) -> None:
    error = refused(text)
    assert (where(error), error.message[: len(message)]) == ((line, column), message)
    offending = text.replace("\r", "\n").split("\n")[line - 1]
    assert error.text == offending
    assert str(error).startswith(f"solvers.py:{line}:{column}: {message}")
    assert str(error).endswith(offending.strip())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import os\n\ndef a(I):\n    return I", "programs cannot import anything"),
        ("from os import *\nx = rot90(I)", "programs cannot import anything"),
        ("from dsl import rot90\nx = rot90(I)", "programs cannot import anything"),
        ("from .dsl import *\nx = rot90(I)", "programs cannot import anything"),
        ("import dsl\nx = rot90(I)", "programs cannot import anything"),
        ("def a(I):\n    import os\n    return I", "an import cannot be used"),
        ("x = __import__(I)", "the name __import__ is not allowed"),
        ("__builtins__ = rot90(I)", "the name __builtins__ is not allowed"),
        ("def __init__(I):\n    return I", "the name __init__ is not allowed"),
        ("def a(__I):\n    return __I", "the name __I is not allowed"),
        ("x = ｟", "not a program"),
        ("x = _＿import__(I)", "the name __import__ is not allowed"),
        ("x = I.__class__", "the attribute __class__ cannot be used in a program: call a function"),
        ("x = rot90.function(I)", "the attribute "),
        ("x = [y.real for y in I]", "the attribute "),
        ("x = (lambda: I.real)()", "the attribute "),
        ("x = {y: y for y in I}", "a dictionary can be used with [], in, len"),
        ("x = {}", "a dictionary can be used"),
        ("x = {**I}", "unpacking cannot be used in a dictionary"),
        ("x = f'{I}'", "a string cannot be used"),
        ("x = rot90((y := I))", "an assignment inside an expression cannot be used"),
        ("x = I is I", "is cannot be used in a program: use =="),
        ("x = I << 1", "the operator << cannot be used in a program: use *"),
        ("x = I @ I", "the operator @ cannot be used"),
        ("x = rot90(*I, *I)", "unpacking cannot be used"),
        ("x = rot90(**I)", "unpacking cannot be used"),
        ("x = yield", "yield cannot be used"),
        ("x = await I", "await cannot be used"),
        ("def a(I):\n    return eval(I)", "eval is not defined"),
        ("def a(I):\n    return getattr(I, 1)", "getattr is not defined"),
        ("x = ...", "constants are whole numbers"),
        ("x = b'a'", "a string cannot be used"),
        ("x = 1j", "constants are whole numbers"),
        ("@rot90\ndef a(I):\n    return I", "a program is 'def name(I):'"),
        ("def a(I=1):\n    return I", "a program is 'def name(I):'"),
        ("def a(*I):\n    return I", "a program is 'def name(I):'"),
        ("def a(**I):\n    return I", "a program is 'def name(I):'"),
        ("def a(I, *, J):\n    return I", "a program is 'def name(I):'"),
        ("def a(I, /):\n    return I", "a program is 'def name(I):'"),
        ("async def a(I):\n    return I", "an async function cannot be used"),
        ("class A:\n    pass", "a class cannot be used in a program: use functions and tuples"),
        ("def a(I):\n    global x\n    return I", "global cannot be used"),
        ("def a(I):\n    del I\n    return I", "del cannot be used"),
        ("def a(I):\n    try:\n        x = I\n    except:\n        x = 1\n    return I", "try cannot be used"),
        ("def a(I):\n    with I:\n        x = I\n    return I", "with cannot be used"),
        ("def a(I):\n    raise I\n    return I", "raise cannot be used"),
        ("def a(I):\n    break\n    return I", "break outside of a loop cannot be used"),
        ("def a(I):\n    continue\n    return I", "continue outside of a loop cannot be used"),
        ("def a(I):\n    @rot90\n    def b(J):\n        return J\n    return I", "a decorator cannot be used"),
        ("while True:\n    x = I", "a while loop cannot be used in a program: use a for loop over range(...)"),
        ("match I:\n    case 1:\n        x = I", "match cannot be used"),
        ("exec(I)", "a line without an assignment cannot be used"),
        ("x = [I]\nx.sort(1)", "the method sort cannot be used in a program: make a new value"),
        ("x = rot90(I)\0", "the character '\\x00'"),
        ("x = rot90(I) # \ud800", "the character '\\ud800'"),
        ("x = I\x0b", "not a program (invalid non-printable character"),
        ("x = I\u2028y = I", "not a program (invalid non-printable character"),
        ("x = " + "9" * 5000, "constants are whole numbers"),
        ("x = -" + "9" * 90_000, "constants are whole numbers"),
        ("x = 0x" + "f" * 90_000, "constants are whole numbers"),
        ("x = 1e9999", "constants are whole numbers"),
    ],
)
def test_unsupported_text_is_refused(text: str, message: str) -> None:
    assert refused(text).message.startswith(message)


def test_names_are_normalised_as_in_python() -> None:
    """Python normalises ﬁrst (with a ligature) to first."""
    assert parse_one("O = ﬁrst(I)") == parse_one("O = first(I)")


# Malicious texts


@pytest.mark.parametrize(
    "deep",
    [
        "first(" * 10_000 + "I" + ")" * 10_000,
        "(" * 10_000 + "1" + ")" * 10_000,
        "(" * 190 + "1," + "),(" * 190,
        "[" * 190 + "]" * 190,
        "-" * 10_000 + "1",
        "not " * 10_000 + "I",
        "1" + "+1" * 10_000,
        "1" + "**1" * 10_000,
        "I" + "(I)" * 10_000,
        "I" + ".a" * 10_000,
        "I" + "[0]" * 10_000,
        "lambda:" * 9_000 + "I",
        "I if I else " * 5_000 + "I",
        "f'{" * 100 + "I" + "}'" * 100,
    ],
    ids=lambda text: f"{text[:12]}...",
)
def test_deep_nesting_is_refused(deep: str) -> None:
    for text, line in ((f"x = {deep}", 1), (f"def a(I):\n    y = rot90(I)\n    return {deep}\n", 3)):
        error = refused(text)
        assert error.line == line
        assert len(str(error)) < 500


def test_calls_can_be_nested_to_a_limit() -> None:
    text = "identity(" * MAX_DEPTH + "I" + ")" * MAX_DEPTH
    assert len(parse_one(f"O = {text}")) == MAX_DEPTH
    assert "nested too deeply" in refused(f"O = identity({text})").message
    chain = "rbind(astuple, I)" + "(I)" * (MAX_DEPTH - 1)
    assert len(parse_one(f"O = {chain}")) == MAX_DEPTH
    assert "nested too deeply" in refused(f"O = {chain}(I)").message


def test_depth_is_counted_per_argument() -> None:
    deep = "identity(" * (MAX_DEPTH - 1) + "I" + ")" * (MAX_DEPTH - 1)
    assert len(parse_one(f"O = astuple({deep}, {deep})\nO = astuple({deep}, O)")) == 3 * (MAX_DEPTH - 1) + 2


def test_the_length_of_lines_is_limited() -> None:
    error = refused("x = rot90(I)\ny = " + "1" * 5_000_000)
    assert (error.line, error.message) == (2, f"a line of 5,000,004 characters (at most {MAX_LINE:,})")
    assert len(str(error)) < 300


def test_the_length_of_programs_is_limited() -> None:
    error = refused("def a(I):\n    return I\ndef b(I):\n    return identity((\n" + "1,\n" * (MAX_PIECE // 3) + "))")
    assert (error.line, error.text) == (3, "def b(I):")
    assert f"(at most {MAX_PIECE:,})" in error.message


def test_the_number_of_calls_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_CALLS >= 10_000
    monkeypatch.setattr("arcloom.program.lower.MAX_CALLS", 100)
    definition = "def a(I):\n" + "    I = rot90(I)\n" * 100
    assert len(parse(f"{definition}    return I\n{definition.replace('a(', 'b(')}    return I\n")) == 2
    error = refused(f"{definition}    return rot90(I)\n")
    assert (error.line, error.message) == (102, "more than 100 calls")


def test_the_number_of_definitions_is_not_limited() -> None:
    definitions = "".join(f"def a{k}(I):\n    return I\n" for k in range(50_000))
    assert len(definitions) > MAX_PIECE
    assert len(parse(definitions)) == 50_000


def test_errors_in_a_long_text_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcloom.program.parse.MAX_PIECE", 1000)
    definitions = "".join(f"def a{k}(I):\n    return I\n" for k in range(100))
    assert len(definitions) > 1000
    error = refused(f"def b(I:\n    return I\n{definitions}")
    assert (error.line, error.message) == (1, "not a program ('(' was never closed)")
    assert where(refused(f"{definitions}def b(I):\n    return J\n")) == (202, 12)
    assert refused(f"{definitions}def a7(I):\n    return I\n").message == "a7 is defined twice, first in line 15"


def test_shared_terms_are_counted_once() -> None:
    program = parse_one("x = first(I)\n" + "x = astuple(x, x)\n" * 10_000)
    assert len(program) == 10_001
    assert len(program.digest) == 32


def test_long_names_are_accepted() -> None:
    error = refused(f"def a(I):\n    return {'first' * 15_000}\n")
    assert "is not defined" in error.message
    assert len(str(error)) < 300


def test_suggestions_consider_a_limited_number_of_names() -> None:
    lines = "".join(f"    x{k} = I\n" for k in range(5000))
    assert refused(f"def a(I):\n{lines}    return x50000\n").message.startswith("x50000 is not defined (did you mean x")


def test_messages_contain_no_control_characters() -> None:
    error = refused("x = '\x1b[31m' + 1")
    assert "\x1b" not in str(error)
    assert "\\x1b[31m" in str(error)


def test_warnings_of_python_are_suppressed(recwarn: pytest.WarningsRecorder) -> None:
    refused("x = '\\d'")
    parse("x = 1if 1else 2")
    assert list(recwarn) == []


ALPHABET = "IxO1-(),.=:*@#'\"\\ \n\t\0é{}[]_" + "".join(map(chr, range(1, 32)))
WORDS = (
    "def a(I):\n",
    "    return ",
    "x = ",
    "rot90(",
    ")",
    "\n",
    "lambda ",
    "import ",
    "'''",
    "\\\n",
    "ONE",
    "\ud800",
)


def answers(text: str) -> None:
    """Assert that parsing returns programs or raises a ParseError with a position in the text."""
    try:
        found = parse(text)
    except ParseError as error:
        assert 1 <= error.line <= text.count("\n") + text.count("\r") + 1
        assert error.column >= 1
        str(error).encode()
    else:
        assert len({program.name for program in found}) == len(found)


@given(st.text() | st.text(ALPHABET) | st.lists(st.sampled_from(WORDS)).map("".join))
@settings(max_examples=300)
def test_any_text_gives_programs_or_a_parse_error(text: str) -> None:
    answers(text)


SOLVERS = "\n\n".join(file.read_text(encoding="utf-8") for file in sorted(FOLDER.glob("programs/*.py")))
BLOCKS = [block for block in SOLVERS.split("\n\n\n") if block.startswith("def ")]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """Some real programs with parts deleted, duplicated or replaced."""
    text = "\n\n\n".join(draw(st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=3)))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 20)))
        new = draw(st.sampled_from([*WORDS, text[start:end] * 2, ""]) | st.text(ALPHABET, max_size=3))
        text = text[:start] + new + text[end:]
    return text


@given(mutated())
@settings(max_examples=300)
def test_mutated_programs_give_programs_or_a_parse_error(text: str) -> None:
    answers(text)


def test_the_programs_to_mutate_parse() -> None:
    assert len(BLOCKS) == len(programs())


@pytest.mark.parametrize(
    ("text", "suggested"),
    [
        ("def a(I):\n    return sise(I)", "size"),
        ("def a(I):\n    return merge_(I)", "merge"),
        ("def a(I):\n    sizes = 1\n    return sises", "sizes"),
        ("def a(I):\n    return lenn(I)", "len"),
    ],
)
def test_variables_are_suggested_first_and_the_dialect_last(text: str, suggested: str) -> None:
    assert f"(did you mean {suggested}" in refused(text).message


def test_all_errors_of_a_text_are_found() -> None:
    bad = (
        "def a(I):\n    return J\n\ndef b(I):\n    return I.x\n\ndef c(I):\n    return rot90(I)\n\ndef d(I:\n    pass\n"
    )
    found = read(bad + "\ndef e(I):\n    return c2(I)\n\ndef c2(g):\n    return g / 2\n")
    errors = [(entry.definition, entry.line) for entry in found if isinstance(entry, ParseError)]
    assert errors == [("a", 2), ("b", 5), ("", 10), ("e", 17)]
    assert [entry.name for entry in found if not isinstance(entry, ParseError)] == ["c"]


def test_an_error_before_a_definition_has_its_own_line() -> None:
    [error, program] = read("import numpy as np\n\n\ndef solve(I):\n    return rot90(I)")
    assert isinstance(error, ParseError) and error.line == 1
    assert isinstance(program, Program)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("return np.rot90(I)", "a grid is a tuple of rows"),
        ("return isinstance(I, tuple)", "leave the test out"),
        ("return Counter(I)", "a dictionary can be used with"),
        ("return x2", "names that are: I"),
        ("return I.roti90()", "did you mean rot90"),
        ("return I.clear()", "the attribute clear cannot be used"),
    ],
)
def test_messages_have_advice(text: str, advice: str) -> None:
    [error] = read(f"def solve(I):\n    {text}")
    assert isinstance(error, ParseError) and advice in error.message
