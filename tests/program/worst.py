"""Programs that would take very long or need much memory without limits.

Every device must end each of them soon, with a value or a failure. ``WORST`` has them by name; inputs are a grid ``I``
of any size and demonstrations ``S``.
"""

WORST: dict[str, str] = {}


def worst(name: str, text: str) -> None:
    WORST[name] = text.strip() + "\n"


def _levels(first: str, step: str, last: str, count: int = 40) -> str:
    """A program of ``count`` lines: each is ``step`` with ``{}`` replaced by the result of the line before."""
    lines = [f"x0 = {first}", *(f"x{k + 1} = {step.replace('{}', f'x{k}')}" for k in range(count))]
    body = "".join(f"    {line}\n" for line in [*lines, last.replace("{}", f"x{count}")])
    return f"def worst(I, S):\n{body}"


def _lines(*lines: str) -> str:
    return "def worst(I, S):\n" + "".join(f"    {line}\n" for line in lines)


# Loops

# 10^12 turns of a loop whose body does nothing.
worst(
    "idle turns",
    """
f = power(identity, 10000)
g = power(f, 10000)
h = power(g, 10000)
O = h(I)
""",
)

# 10^8 turns that do the least that a primitive can do.
worst(
    "turns that count",
    """
f = power(power(compose(decrement, increment), 10000), 10000)
O = f(ZERO)
""",
)

# 10^7 calls that each make a grid.
worst(
    "turned grids",
    """
f = power(rot90, 1000)
g = power(f, 10000)
O = g(I)
""",
)

# A loop of computed length inside mapped functions: 10^4 elements times 10^4 turns.
worst(
    "mapped loops",
    """
x = interval(0, 10000, 1)
f = power(increment, 9999)
g = lambda n: subtract(f(n), n)
O = apply(g, x)
""",
)

# Loops in loops over containers.
worst(
    "nested folds",
    """
def solve(I):
    x = 0
    for i in range(300):
        for j in range(300):
            x = (x + i * j) % 7
    return canvas(x, (3, 3))
""",
)

# A grid that doubles at each turn.
worst(
    "doubled grids",
    """
f = lambda g: hconcat(g, g)
O = power(f, 10000)(I)
""",
)

# A function composed with itself 40 times: 2^40 calls. It has no types, because it is too large to trace.
worst(
    "composed of itself",
    "f0 = rot90\n" + "".join(f"f{k + 1} = compose(f{k}, f{k})\n" for k in range(40)) + "O = f40(I)",
)

# Functions in mapped functions: 200^4 calls.
worst(
    "mapped in mapped",
    """
x = interval(0, 200, 1)
f = lambda a: valmax(x, lambda b: valmax(x, lambda c: valmax(x, lambda d: add(add(a, b), add(c, d)))))
O = valmax(x, f)
""",
)

# Large values

# The concatenation of 10^5 tuples, which share their elements, with 10^10 ints in all.
worst(
    "merge of repeated tuples",
    """
x = interval(0, 100000, 1)
y = repeat(x, 100000)
O = size(merge(y))
""",
)

# The same with sets, which must be sorted.
worst(
    "merge of repeated sets",
    """
x = frozenset(interval(0, 30000, 1))
y = repeat(x, 30000)
O = size(merge(y))
""",
)

# The same without a container of the sets: they are united directly.
worst(
    "union of large sets",
    """
x = interval(0, 3000, 1)
s = frozenset(interval(0, 30000, 1))
O = size(mapply(lambda n: insert(n, s), frozenset(x)))
""",
)

# 10^12 pairs.
worst(
    "product",
    """
x = interval(0, 1000000, 1)
O = size(product(x, x))
""",
)

# The product of tuples that repeat one int has one element.
worst(
    "product of equal ints",
    """
x = repeat(ONE, 100000)
O = size(product(x, x))
""",
)

# A function of all pairs.
worst(
    "function of pairs",
    """
x = interval(0, 5000, 1)
O = size(prapply(add, x, x))
""",
)

# Grids and patches that are much larger than the arguments they are computed from.
worst("upscale", "O = upscale(upscale(upscale(upscale(I, 10), 10), 10), 10)")
worst("canvas", "O = canvas(ZERO, (60000, 60000))")
worst("backdrop", "O = size(backdrop(frozenset({(0, 0), (1000000, 1000000)})))")
worst("long lines", "O = size(mapply(lambda n: connect((n, 0), (n, 1000000)), interval(0, 1000, 1)))")
worst("many parts of a grid", "O = size(hsplit(canvas(ZERO, (60000, 1)), 1000000))")

# Comparing

# A value that contains another one 10^4 times, which contains another one 10^4 times, and so on: 10^16 ints.
_DEEP = """
a = repeat(interval(0, 10000, 1), 10000)
b = repeat(a, 10000)
c = repeat(b, 10000)
"""
worst("equality of deep values", _DEEP + "O = equality(c, repeat(b, 10000))")
worst("a set of deep values", _DEEP + "O = size(insert(repeat(b, 9999), initset(c)))")
worst("contained in deep values", _DEEP + "O = contained(repeat(a, 9999), c)")
worst("deep values without repetition", _DEEP + "O = size(dedupe(combine(c, repeat(repeat(a, 10000), 10))))")
worst("the greatest of deep values", _DEEP + "O = argmax(interval(0, 1000, 1), lambda n: c)")

# 10^5 calls that each scan 10^5 elements.
worst(
    "contained in a tuple",
    """
x = interval(0, 100000, 1)
O = size(sfilter(x, lambda n: contained(subtract(n, 1000000), x)))
""",
)

# Long tuples that differ in the last element only, compared again and again.
worst(
    "long equal beginnings",
    """
x = repeat(ZERO, 20000)
t = apply(lambda n: combine(x, (n,)), interval(0, 400, 1))
O = size(sfilter(t, lambda a: extract(t, lambda b: equality(a, b)) == a))
""",
)

# Sorting by keys that are long tuples with equal beginnings.
worst(
    "sorting by long keys",
    """
x = repeat(ZERO, 20000)
O = order(interval(0, 20000, 1), lambda n: combine(x, (n,)))
""",
)

# A set of long tuples: each call that creates such a set compares them.
worst(
    "sets of long tuples",
    """
x = interval(0, 100000, 1)
s = insert(combine(x, (1,)), initset(combine(x, (2,))))
O = valmax(interval(0, 2000, 1), lambda n: size(insert(combine((n,), x), s)))
""",
)

# The first element of a large set, again and again.
worst(
    "first of a set",
    """
s = frozenset(interval(0, 100000, 1))
O = valmax(interval(0, 100000, 1), lambda n: add(first(s), n))
""",
)

# Sorting a large tuple again and again.
worst(
    "sorting",
    """
x = interval(0, 100000, 1)
O = valmax(interval(0, 1000, 1), lambda n: first(order(x, lambda m: subtract(n, m))))
""",
)

# Primitives whose time grows with the square

_LINES = """
a = connect((0, 0), (0, 20000))
b = connect((50, 0), (50, 20000))
"""
worst("manhattan", _LINES + "O = manhattan(a, b)")
worst("adjacent", _LINES + "O = valmax(interval(2, 100, 1), lambda n: branch(adjacent(a, shift(b, (n, 0))), 1, 0))")
worst("gravitate", _LINES + "O = valmax(interval(2, 100, 1), lambda n: first(gravitate(a, shift(b, (n, 0)))))")
worst(
    "vmatching",
    """
a = mapply(lambda n: initset((0, multiply(n, 100))), frozenset(interval(0, 9999, 1)))
b = frozenset({(1, -1), (1, 999999)})
O = size(sfilter(interval(0, 1000, 1), lambda n: vmatching(a, shift(b, (n, 0)))))
""",
)
worst(
    "period",
    """
a = recolor(ONE, connect((0, 1), (0, 20000)))
O = hperiod(insert((TWO, (0, 0)), a))
""",
)
worst(
    "occurrences",
    """
g = canvas(ZERO, (1000, 1000))
O = size(occurrences(g, asobject(canvas(ZERO, (500, 500)))))
""",
)
worst("objects", "O = valmax(interval(0, 1000, 1), lambda n: size(objects(canvas(n % 3, (300, 300)), T, T, F)))")
worst("index", "O = valmax(interval(0, 100000, 1), lambda n: index(canvas(ONE, (300, 300)), (n, n)) == ONE)")

# Nested structures from short texts, and repeated values

WORST |= {
    "literals in literals": _levels("(1, 2)", "({}, {})", "return {}"),
    "wide literals in literals": _levels(f"({'1, ' * 100})", f"({'{}, ' * 100})", "return {}", 8),
    "tuples in tuples": _levels("astuple(I, I)", "astuple({}, {})", "return {}"),
    "sets in sets": _levels("initset(1)", "initset(astuple({}, {}))", "return {}"),
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
    "an output that repeats a tuple": _lines("x = interval(0, 99000, 1)", "return repeat(x, 99000)"),
    "nested powers of computed numbers": _lines(
        "n = multiply(size(I), 3000)", "f = power(rot90, n)", "g = power(f, n)", "return g(I)"
    ),
    "a power for each element": _lines(
        "f = power(rot90, 10000)", "x = apply(lambda k: f(I), interval(0, 10000, 1))", "return size(x)"
    ),
    "a power of a long loop": _lines(
        "f = lambda g: first(apply(lambda k: rot90(g), interval(0, 9000, 1)))", "h = power(f, 9000)", "return h(I)"
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
