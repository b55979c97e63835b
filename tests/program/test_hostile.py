"""Short programs that expand to large ones, and programs with type errors: each is refused or fails soon."""

import ast
import pickle

import pytest

from arcloom.dsl.signature import GRID
from arcloom.program.evaluate import ProgramFailure, evaluate
from arcloom.program.graph import Graph
from arcloom.program.lower import MAX_CONSTANTS
from arcloom.program.parse import ParseError, parse, parse_one, read
from arcloom.program.scope import Scope
from arcloom.program.statements import Statements
from arcloom.program.term import Term
from arcloom.program.trace import TraceError, Tracer, trace
from arcloom.program.trace_errors import REPORT
from program.worst import WORST

GRID_ROWS = ((1, 2), (3, 4))

SHORT = [
    name
    for name in WORST
    if any(word in name for word in ("literal", "in a set", "tuples in", "sets in", "many functions"))
]


@pytest.mark.parametrize("name", WORST)
def test_tracing_of_exploding_programs_ends_soon(name: str) -> None:
    program = parse_one(WORST[name])
    assert len(str(program)) < 10 * len(WORST[name]) + 2 * MAX_CONSTANTS
    assert len(program.digest) == 32
    try:
        trace(program)
    except TraceError as error:
        assert REPORT not in str(error)


@pytest.mark.parametrize("name", SHORT)
def test_untyped_evaluation_of_exploding_programs_ends_soon(name: str) -> None:
    try:
        evaluate(parse_one(WORST[name]), {"I": GRID_ROWS, "S": ()}, typed=False)
    except ProgramFailure as failure:
        assert failure.line > 0


WRONG = {
    "x = repeat(rot90, UNITY)\nreturn size(x)": "(int, int) cannot be used as int",
    "x = repeat(rot90, initset(ONE))\nreturn size(x)": "set[int] cannot be used as int",
    "x = power(rot90, initset(ONE))\nreturn x(I)": "set[int] cannot be used as int",
    "return rot180": "the program's result cannot be a function",
    "return lambda x: x": "the program's result cannot be a function",
    "return c_zo(I, toivec)": "grid cannot be used as",
    "return c_iz(I, toivec)": "grid cannot be used as",
    "x = matcher(equality, GRAY)\nreturn x(I, R5)": "cannot take 2 arguments",
    "x = fork(add, size, size)\nreturn x(I, I)": "cannot take 2 arguments",
}


@pytest.mark.parametrize("body", WRONG)
def test_wrong_types_are_refused(body: str) -> None:
    text = "def solve(I):\n" + "".join(f"    {line}\n" for line in body.split("\n"))
    with pytest.raises(TraceError, match="line") as caught:
        trace(parse_one(text))
    assert WRONG[body] in str(caught.value)


def test_an_unknown_input_is_refused() -> None:
    with pytest.raises(TraceError, match="there is no input grid here"):
        trace(parse_one("def solve(grid):\n    return rot90(grid)\n"))


def test_unexpected_errors_of_tracing_become_errors_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    tracer = Tracer(Graph())
    monkeypatch.setattr(Tracer, "apply", broken)
    with pytest.raises(TraceError, match="please report it with this program: ZeroDivisionError: a bug") as caught:
        tracer.trace(parse_one("x = width(I)\ny = add(x, x)"))
    assert caught.value.line == 1
    monkeypatch.undo()
    tracer.release()
    assert tracer.trace(parse_one("x = rot90(I)")).output.type is GRID


def test_errors_can_be_pickled() -> None:
    with pytest.raises(ParseError) as caught:
        parse("def solve(I):\n    return unknown(I)\n")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    error = TraceError("what does not fit", program="solve", line=3)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_constant_that_is_used_often_is_refused() -> None:
    use = "".join(f"    y{k} = ({'x, ' * 100})\n" for k in range(100))
    with pytest.raises(ParseError, match="the constants have more than"):
        parse(f"def solve(I):\n    x = ({'1, ' * 1000})\n{use}    return y1\n")


def test_a_fault_of_the_parser_costs_only_its_program(monkeypatch: pytest.MonkeyPatch) -> None:
    correct = Statements.statement

    def faulty(self: Statements, node: ast.stmt, scope: Scope) -> Term | None:
        assert "wrong" not in ast.unparse(node)
        return correct(self, node, scope)

    monkeypatch.setattr(Statements, "statement", faulty)
    text = "def f(I):\n    wrong = [row for row in I]\n    return wrong\n\ndef g(I):\n    return [row for row in I]\n"
    broken, whole = read(text)
    assert isinstance(broken, ParseError)
    assert REPORT in str(broken)
    assert not isinstance(whole, ParseError)
