"""Programs that would take very long or need very much memory if nothing limited them, by what they multiply.

Every device must end each of them soon, with a value or a failure.
"""


def _levels(first: str, step: str, last: str, count: int = 40) -> str:
    """A program whose line k is made from the result of line k - 1, which ``step`` names as ``{}``."""
    lines = [f"x0 = {first}", *(f"x{k + 1} = {step.replace('{}', f'x{k}')}" for k in range(count))]
    body = "".join(f"    {line}\n" for line in [*lines, last.replace("{}", f"x{count}")])
    return f"def worst(I, S):\n{body}"


def _lines(*lines: str) -> str:
    return "def worst(I, S):\n" + "".join(f"    {line}\n" for line in lines)


TEXTS = {
    "literals in literals": _levels("(1, 2)", "({}, {})", "return {}"),
    "wide literals in literals": _levels(f"({'1, ' * 100})", f"({'{}, ' * 100})", "return {}", 8),
    "tuples in tuples": _levels("astuple(I, I)", "astuple({}, {})", "return {}"),
    "sets in sets": _levels("initset(1)", "initset(astuple({}, {}))", "return {}"),
    "functions composed of themselves": _levels("rot90", "compose({}, {})", "return {}(I)"),
    "large functions in a set": _levels(
        "compose(rot90, rot90)", "compose({}, {})", "return size(insert({}, initset(rot90)))"
    ),
    "a large function in a set that is used": _levels(
        "compose(rot90, rot90)", "compose({}, {})", "return rapply(insert({}, initset(rot90)), I)"
    ),
    "functions that call themselves twice": _levels(
        "lambda a: rot90(a)", "lambda a: {}({}(a))", "return {}(I)", 25
    ),
    "a long chain of functions": _levels("rot90", "compose(rot90, {})", "return {}(I)", 4_000),
    "a long chain of functions in a set": _levels(
        "rot90", "compose(rot90, {})", "return size(insert({}, initset(rot90)))", 4_000
    ),
    "many functions": _levels("astuple(rot90, rot180)", "combine({}, {})", "return size({})"),
    "all pairs of functions": _levels("astuple(rot90, rot180)", "product({}, {})", "return size({})", 8),
    "a function a million times": _lines("x = repeat(rot90, 1000000)", "return size(x)"),
    "all pairs of all pairs": _levels("interval(0, 300, 1)", "product({}, {})", "return size({})", 4),
    "a tuple joined with itself": _levels("interval(0, 1000, 1)", "combine({}, {})", "return size({})"),
    "a set of long tuples": _lines(
        "x = interval(0, 90000, 1)", "y = repeat(x, 90000)", "z = initset(y)", "return size(z)"
    ),
    "repeated sets merged": _lines(
        "x = product(interval(0, 300, 1), interval(0, 300, 1))", "y = repeat(x, 90000)", "return size(merge(y))"
    ),
    "an output that repeats a tuple": _lines("x = interval(0, 99000, 1)", "return repeat(x, 99000)"),
    "an output that repeats pairs": _lines(
        "x = product(interval(0, 300, 1), interval(0, 300, 1))", "return repeat(totuple(x), 15000)"
    ),
    "nested powers": _lines(
        "f = power(identity, 10000)", "g = power(f, 10000)", "h = power(g, 10000)", "return h(I)"
    ),
    "nested powers of computed numbers": _lines(
        "n = multiply(size(I), 3000)", "f = power(rot90, n)", "g = power(f, n)", "return g(I)"
    ),
    "a power for each element": _lines(
        "f = power(rot90, 10000)", "x = apply(lambda k: f(I), interval(0, 10000, 1))", "return size(x)"
    ),
    "a power of a long loop": _lines(
        "f = lambda g: first(apply(lambda k: rot90(g), interval(0, 9000, 1)))", "h = power(f, 9000)", "return h(I)"
    ),
    "looked up again and again": _lines(
        "x = interval(0, 90000, 1)", "y = sfilter(x, lambda k: contained(subtract(-1, k), x))", "return size(y)"
    ),
    "long tuples compared again and again": _lines(
        "x = interval(0, 90000, 1)", "y = repeat(x, 90000)", "return size(sfilter(y, lambda z: equality(z, x)))"
    ),
    "long tuples without repetitions": _lines(
        "x = interval(0, 90000, 1)", "y = repeat(x, 90000)", "return size(dedupe(y))"
    ),
    "the most common long tuple": _lines(
        "x = interval(0, 90000, 1)", "y = repeat(x, 90000)", "return size(mostcommon(y))"
    ),
    "long tuples in order": _lines(
        "x = interval(0, 90000, 1)", "y = repeat(x, 90000)", "return size(first(order(y, identity)))"
    ),
    "tuples of tuples compared": _lines(
        "x = interval(0, 9000, 1)",
        "y = repeat(repeat(repeat(repeat(x, 9000), 9000), 9000), 9000)",
        "z = repeat(repeat(repeat(repeat(x, 9000), 9000), 9000), 9000)",
        "return equality(y, z)",
    ),
    "loops in loops": _lines(
        "n = 0",
        "for a in range(3000):",
        "    for b in range(3000):",
        "        for c in range(3000):",
        "            n = (n + 1) % 1000",
        "return n",
    ),
    "a comprehension of comprehensions": _lines(
        "x = tuple(range(3000))", "return sum(tuple(sum(tuple((a + b) % 7 for b in x)) % 7 for a in x))"
    ),
    "large grids": _lines(
        "x = canvas(ZERO, astuple(30, 30))", "y = upscale(x, 10)", "z = upscale(y, 10)", "return hconcat(z, z)"
    ),
    "objects of a large grid": _lines(
        "x = upscale(canvas(ONE, astuple(30, 30)), 10)", "return size(objects(x, T, T, T))"
    ),
    "occurrences of a large object": _lines(
        "x = canvas(ONE, astuple(300, 300))", "y = asobject(canvas(ONE, astuple(150, 150)))",
        "return size(occurrences(x, y))",
    ),
    "all cells shifted by all cells": _lines(
        "x = asindices(canvas(ONE, astuple(300, 300)))", "return size(mapply(lbind(shift, x), x))"
    ),
}  # fmt: skip
