"""Random programs with functions in which several calls fail, for reasons that differ."""

import random

from arcloom.program.parse import parse
from arcloom.program.term import Program

CALLS = (
    "{a} // ({b} % 3)",
    "first(remove({a}, repeat({b}, TWO)))",
    "{a} + {b}",
    "{a} - {b}",
    "({a}, {b})[{c}]",
    "branch({a} > {b}, divide, subtract)({b}, {a})",
    "g({a}, {b})",
    "power(lambda s: first(remove(s, ({a} // {b}, s))), 40)({a})",
    "sum(y // {a} - first(remove(y, (y, {b}))) for y in ({b}, {a}))",
    "int({a} // ({b} % 2) > first(remove({b}, ({a}, {a}))))",
    "({a} // {b} if {a} > 2 else {b} // ({a} % 2))",
    "first(apply(lbind(add, {a} // ({b} % 2)), remove({b}, ({a}, {a}))))",
    "fork(add, rbind(divide, {a} % 2), lbind(divide, {b}))({a})",
    "size(canvas({a}, ({b}, {a} // ({b} % 2))))",
    "valmax(({a}, {b}), lambda y: {c} // y)",
)
"""Calls in a function of ints. Most of them fail for some ints."""

USES = (
    "apply(f, first(I))",
    "power(f, 50)(height(I))",
    "f(width(I))",
    "tuple(f(x) for x in first(I))",
    "branch(height(I) > 1, f, increment)(width(I))",
    "sfilter(first(I), lambda x: f(x) > 2)",
    "argmax(first(I), f)",
)
"""Ways to call the function: for each of several elements, in a loop, in a line, in a choice."""

PROGRAM = """\
def solve(I):
    def g(p, q):
        r = p // (q % 2)
        return first(remove(q, (p, q))) - r
    def f(x):
        {lines}
        return {result}
    return {use}
"""


def program(chance: random.Random) -> Program:
    """A program whose function may fail for several reasons, in another order than that of its arguments."""
    names, lines = ["x", "1"], []
    for k in range(chance.randint(2, 9)):
        a, b, c = (chance.choice(names) for _ in "abc")
        lines.append(f"v{k} = {chance.choice(CALLS).format(a=a, b=b, c=c)}")
        names.append(f"v{k}")
    result = " + ".join(chance.sample(names, min(len(names), 4)))
    text = PROGRAM.format(lines="\n        ".join(lines), result=result, use=chance.choice(USES))
    return parse(text)[-1]
