"""The self-test of a device: runs every kernel on small columns and compares with the reference.

Its programs are the examples in the docstrings of primitives and some more. Their literals are turned into inputs, so
that nothing can be computed before the run. Each is also run as a program that compares the value with the expected one
and returns a grid, because the CPU computes outputs of GPUs that are not grids.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from arcloom.dsl import PRIMITIVES
from arcloom.dsl.declare import run_example
from arcloom.dsl.signature import type_of
from arcloom.dsl.values import Failure
from arcloom.engine.devices.base import Device, Job, Programs
from arcloom.engine.devices.reference import Reference
from arcloom.engine.results import RowFailure
from arcloom.engine.warm import all_kernels
from arcloom.program.parse import ParseError, parse_one
from arcloom.program.term import Program

BUDGET = 5000
"""The limit of work. It is low, so that some programs exceed it."""

SHOWN = 200

Text = tuple[str, dict[str, Any]]
"""The text of a program, and its inputs."""

MORE = """
equality((1, 2, 3), (1, 2, 4))
branch(3, 1, 2)
totuple(corner({(1, 2)}, 0))
add(totuple({1, 2}), 1)
astuple(4, (1, 2))
apply(first, {(3, (1, 2)), (4, (0, 1))})
apply(last, {(3, (1, 2)), (4, (0, 1))})
hmirror(vconcat(((1, 2),), ((3, 4),)))
rapply(combine(astuple(double, halve), astuple(increment, crement)), 3)
extract(astuple(double, increment), chain(even, maximum, rbind(apply, {1, 4})))(4)
argmax(astuple(double, halve), compose(maximum, rbind(apply, {1, 5})))(4)
argmin(astuple(double, halve), compose(maximum, rbind(apply, {1, 5})))(4)
combine({1, 2}, (3, 4))
colorfilter(({(1, (0, 0))}, {(2, (1, 1))}), 1)
get_common_rank({1, 2, 3}, 0)
canvas(0, (50, 100))
canvas(0, (49, 100))
canvas(0, (300, 300))
hsplit(canvas(0, (1, 4999)), 4999)
apply(lbind(apply, increment), insert(interval(0, 3000, 1), initset(interval(1, 3000, 1))))
canvas(first(set()), (1, 1))
apply(lbind(divide, 6), (3, 0, 2))
apply(increment, first(difference({(1, 2, 3)}, {(1, 2, 3)})))
extract((3, 0), compose(positive, lbind(divide, 6)))
extract((0, 3), compose(positive, lbind(divide, 6)))
equality(canvas(0, (1, 2)), canvas(0, (1, 2)))
equality({1, 2}, 2)
first(canvas(3, (2, 2)))
apply(lbind(add, size({1, 2})), difference({1, 2}, {2}))
mostcolor({(1, (0, 0)), (2, (0, 1)), (2, (1, 1))})
increment(6) % 4
increment(6) % 0
sum((1, 2, 3))
sum((1000000, 1))
add((1, 2), (3, 4))
subtract((1, 2), (3, 4))
"""
"""Programs for the cases that the documented examples do not cover: other kernels, failed arguments, the budget."""


@dataclass(frozen=True)
class Difference:
    """A program whose outcome on a device is not that of the reference."""

    program: str
    device: str
    reference: str


@dataclass(frozen=True)
class SelfTest:
    """The result of a self-test: the numbers of programs and of kernels that ran, and the differences found."""

    programs: int
    kernels: int
    never: list[str]
    """Kernels that no program of the test uses."""
    different: list[Difference]
    failures: list[str]
    """The reasons of the failures that occurred, on the device as on the reference."""

    @property
    def passed(self) -> bool:
        """Whether all outcomes agree with the reference."""
        return not self.different


def selftest(device: Device, more: Iterable[Text] = ()) -> SelfTest:
    """Run the documented examples and more programs on a device and on the reference, and compare."""
    programs, sample = _programs([*_documented(), *more])
    inputs = {name: type for name, value in sample.items() if (type := type_of(value)) is not None}
    chosen, job = Programs(programs, inputs), Job([sample], [[0]] * len(programs), BUDGET)
    outputs, right = device.execute(chosen, job).outcomes, Reference().execute(chosen, job).outcomes
    got = {p: outputs.value(p, 0) for p in chosen.batt.traced}
    different = [
        Difference(str(programs[p]), str(value)[:SHOWN], str(right.value(p, 0))[:SHOWN])
        for p, value in got.items()
        if value != right.value(p, 0)
    ]
    needed = {kernel.name for kernel in chosen.batt.planner.kernels}
    never = [kernel.name for kernel in all_kernels() if kernel.name not in needed]
    failures = sorted({value.reason.name for value in got.values() if isinstance(value, RowFailure)})
    return SelfTest(len(got), len(needed), never, different, failures)


def _documented() -> Iterator[Text]:
    calls = [example.call for primitive in PRIMITIVES.values() for example in primitive.examples]
    for expression in (*calls, *MORE.strip().splitlines()):
        yield f"O = {expression}", {}
        yield from _compared(expression)


def _compared(expression: str) -> Iterator[Text]:
    """A program that compares the value of an expression with the expected one; none if there is no such value."""
    try:
        value = run_example(expression)
    except (Failure, ValueError, LookupError):  # the last two: it is not in the notation of examples
        return
    if type_of(value) is not None:
        yield f"O = canvas(branch(equality({expression}, expected), ONE, TWO), UNITY)", {"expected": value}


def _programs(texts: Iterable[Text]) -> tuple[list[Program], dict[str, Any]]:
    """All programs, and the one sample that they run on."""
    programs: list[Program] = []
    sample: dict[str, Any] = {}
    for number, (text, inputs) in enumerate(texts):
        lift = _Lift(f"v{number}_", inputs)
        try:
            programs.append(parse_one(ast.unparse(lift.visit(ast.parse(text)))))
        except ParseError:  # some examples are not programs, such as sets of functions
            continue
        sample |= lift.inputs
    return programs, sample


class _Lift(ast.NodeTransformer):
    """Turns the literals of a program into inputs, and gives its inputs unique names."""

    def __init__(self, prefix: str, inputs: dict[str, Any]) -> None:
        self.prefix = prefix
        self.given = inputs
        self.inputs = {f"{prefix}{name}": value for name, value in inputs.items()}

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.Name):
            return ast.Name(f"{self.prefix}{node.id}") if node.id in self.given else node
        if isinstance(node, ast.expr) and _is_literal(node):
            name = f"{self.prefix}{len(self.inputs)}"
            self.inputs[name] = run_example(ast.unparse(node))
            return ast.Name(name)
        return self.generic_visit(node)


def _is_literal(node: ast.expr) -> bool:
    return all(part.id == "set" for part in ast.walk(node) if isinstance(part, ast.Name))
