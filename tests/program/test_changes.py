"""Changing lists and dictionaries, and loops that end early."""

import pytest

from arcloom.dsl.values import Reason
from arcloom.program.parse import ParseError, parse, read
from program.compared import assert_like_python, assert_like_reference, by_engine

SHARED = """
def solve(I):
    out = [[0] * 3] * 2
    out[0][1] = 5
    return tuple(map(tuple, out))

# ---
def solve(I):
    g = [list(r) for r in I]
    row = g[0]
    g[0][0] = 9
    return (tuple(row),)

# ---
def solve(I):
    g = [list(r) for r in I]
    rows = []
    for i in range(len(g)):
        g[i][0] = 7
        rows.append(g[0])
    return tuple(tuple(r) for r in rows)

# ---
def solve(I):
    g = [list(r) for r in I]
    h = g
    h[0][0] = 4
    return tuple(map(tuple, g))

# ---
def solve(I):
    g = [list(r) for r in I]
    h = [r for r in g]
    g[0][0] = 4
    return tuple(map(tuple, h))

# ---
def solve(I):
    xs = [1]
    for x in xs:
        if len(xs) < 5:
            xs.append(x)
    return (tuple(xs),)

# ---
def solve(I):
    g = [list(r) for r in I]
    def f():
        g[0][0] = 3
        return 1
    x = f()
    return tuple(map(tuple, g))

# ---
def change(g):
    g[0] = 3
    return g
def solve(I):
    xs = [1, 2]
    ys = change(xs)
    return (tuple(xs),)

# ---
def solve(I):
    d = {0: 1}
    e = d
    e[1] = 2
    return (tuple(d.values()),)

# ---
def solve(I):
    d = {0: [1]}
    x = d[0]
    d[0].append(5)
    return (tuple(x),)

# ---
def solve(I):
    rows = list(I)
    rows[0][0] = 1
    return tuple(rows)

# ---
def solve(I):
    row = [1, 2]
    g = [row, row]
    g[0][0] = 5
    return tuple(map(tuple, g))

# ---
def solve(I):
    g = [[1, 2], [3, 4]]
    g[0] = g[1]
    g[0][0] = 9
    return tuple(map(tuple, g))

# ---
def solve(I):
    xs = [3, 1, 2]
    ys = xs
    xs.sort()
    return (tuple(ys),)
"""
"""Programs that change a value with a second reference, or a value that is not a list. In Python the change is visible
through both references, or raises."""

ENDING = """
def solve(I):
    for i in range(3):
        for j in range(3):
            if i * j == 2:
                return canvas(i, (1, 1 + j))
        if i == 5:
            break
    return I

# ---
def solve(I):
    x = 0
    for i in (4, 5, 6):
        x = x + i
        if x > 8:
            return canvas(x % 10, (1, 1))
    else:
        x = 1
    return canvas(x, (2, 2))

# ---
def solve(I):
    i = 0
    for i in range(9):
        if i * i > len(I) * 2:
            break
    return canvas(i, (1, 1))

# ---
def solve(I):
    d = {}
    for row in I:
        for v in row:
            if v:
                d[v] = d.get(v, 0) + 1
    if not d:
        return I
    best = sorted(d.items(), key=lambda kv: (-kv[1], kv[0]))[0]
    return (tuple(best), (len(d), max(d.values())))

# ---
def solve(I):
    d = {v: i for i, row in enumerate(I) for v in row}
    return tuple((k, d[k]) for k in sorted(d))

# ---
def solve(I):
    d = {5: 1}
    return canvas(d[I[0][0]], (1, 1))

# ---
def solve(I):
    xs = [1, 2, 3]
    xs[len(I)] = 7
    return (tuple(xs),)

# ---
def solve(I):
    xs = [1, 2, 3]
    xs[-2] += 7
    y = xs.pop(0)
    xs.insert(1, y + 3)
    return (tuple(xs),)

# ---
def solve(I):
    g = [[1, 2], [3, 4]]
    for r in g:
        r[0] = 9
    return tuple(map(tuple, g))

# ---
def solve(I):
    total = 0
    for row in I:
        for v in row:
            if v == 0:
                continue
            if v == 5:
                return canvas(total, (1, 1))
            total += v
            if total > 12:
                break
        else:
            total += 1
            continue
        break
    return canvas(total, (1, 2))
"""


def texts(written: str) -> list[str]:
    return [text.strip() + "\n" for text in written.split("# ---")]


@pytest.mark.parametrize("text", texts(SHARED))
def test_changing_a_value_with_two_names_is_refused(text: str) -> None:
    with pytest.raises(ParseError, match=r"cannot be|can be used|may refer"):
        parse(text)


@pytest.mark.parametrize("text", texts(ENDING))
def test_changes_and_early_ends_have_the_results_of_python(text: str) -> None:
    assert_like_reference([assert_like_python(text)])


def test_a_choice_between_a_list_of_pairs_and_a_grid_has_the_results_of_python() -> None:
    text = """
def solve(I):
    pairs = []
    for a in palette(I):
        pairs.append((a, a))
    return tuple(pairs) if len(I) > 1 else I
"""
    program = assert_like_python(text)
    assert_like_reference([program])
    assert by_engine([program], [((3, 4), (5, 3))]) == [[((3, 3), (4, 4), (5, 5))]]


def test_a_missing_key_and_a_missing_item_fail() -> None:
    programs = parse("def a(I):\n    d = {11: 1}\n    return d[len(I)]")
    programs += parse("def a(I):\n    x = [1]\n    x[9] = 2\n    return x")
    assert [row[0][1:] for row in by_engine(programs)] == [(3, Reason.MISSING), (3, Reason.MISSING)]


def test_a_loop_with_too_many_paths_is_refused() -> None:
    turn = "        if a:\n            if r[0]:\n                continue\n"
    [error] = read(f"def solve(I):\n    a = 0\n    for r in I:\n{40 * turn}        a = 1\n    return I")
    assert isinstance(error, ParseError) and "too many paths" in error.message
