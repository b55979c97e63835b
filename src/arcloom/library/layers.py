"""Programs that combine several parts of the grid cell by cell."""

# Read as text and never imported: see arcloom.library.bundled.
# mypy: ignore-errors
# ruff: noqa


def solve_0520fde7(I):
    """Cells that are coloured in both halves."""
    left = lefthalf(I)
    right = righthalf(I)
    common = cellwise(left, right, BLACK)
    O = replace(common, BLUE, RED)
    return O


def solve_e98196ab(I):
    top = tophalf(I)
    bottom = bottomhalf(I)
    O = paint(top, merge(fgpartition(bottom)))
    return O


def solve_dae9d2b5(I):
    """Cells that are coloured in either half."""
    left = lefthalf(I)
    right = righthalf(I)
    a = ofcolor(left, YELLOW)
    b = ofcolor(right, GREEN)
    union = combine(a, b)
    blank = canvas(BLACK, THREE_BY_THREE)
    O = fill(blank, MAGENTA, union)
    return O


def solve_fafffa47(I):
    """Cells that are free in both halves."""
    top = tophalf(I)
    bottom = bottomhalf(I)
    a = ofcolor(top, BLACK)
    b = ofcolor(bottom, BLACK)
    free = intersection(a, b)
    blank = canvas(BLACK, THREE_BY_THREE)
    O = fill(blank, RED, free)
    return O


def solve_1b2d62fb(I):
    left = lefthalf(I)
    right = righthalf(I)
    a = ofcolor(left, BLACK)
    b = ofcolor(right, BLACK)
    free = intersection(a, b)
    dims = shape(left)
    blank = canvas(BLACK, dims)
    O = fill(blank, CYAN, free)
    return O


def solve_6430c8c4(I):
    top = tophalf(I)
    bottom = bottomhalf(I)
    a = ofcolor(top, BLACK)
    b = ofcolor(bottom, BLACK)
    free = intersection(a, b)
    dims = shape(top)
    blank = canvas(BLACK, dims)
    O = fill(blank, GREEN, free)
    return O


def solve_94f9d214(I):
    top = tophalf(I)
    bottom = bottomhalf(I)
    a = ofcolor(top, BLACK)
    b = ofcolor(bottom, BLACK)
    free = intersection(a, b)
    dims = shape(top)
    blank = canvas(BLACK, dims)
    O = fill(blank, RED, free)
    return O


def solve_ce4f8723(I):
    top = tophalf(I)
    bottom = bottomhalf(I)
    a = ofcolor(top, BLACK)
    b = ofcolor(bottom, BLACK)
    free = intersection(a, b)
    dims = shape(top)
    green = canvas(GREEN, dims)
    O = fill(green, BLACK, free)
    return O


def solve_cf98881b(I):
    """Three layers, the first on top."""
    layers = hsplit(I, THREE)
    top = first(layers)
    middle = second(layers)
    bottom = last(layers)
    x1 = fill(bottom, BURGUNDY, ofcolor(middle, BURGUNDY))
    O = fill(x1, YELLOW, ofcolor(top, YELLOW))
    return O


def solve_f2829549(I):
    left = lefthalf(I)
    right = righthalf(I)
    a = ofcolor(left, BLACK)
    b = ofcolor(right, BLACK)
    free = intersection(a, b)
    dims = shape(left)
    blank = canvas(BLACK, dims)
    O = fill(blank, GREEN, free)
    return O


def solve_3428a4f5(I):
    top = tophalf(I)
    bottom = bottomhalf(I)
    a = ofcolor(top, RED)
    b = ofcolor(bottom, RED)
    single = combine(difference(a, b), difference(b, a))
    blank = canvas(BLACK, shape(top))
    O = fill(blank, GREEN, single)
    return O


def solve_99b1bc43(I):
    """Cells that are coloured in exactly one half."""
    top = tophalf(I)
    bottom = bottomhalf(I)
    a = ofcolor(top, BLUE)
    b = ofcolor(bottom, RED)
    only_a = difference(a, b)
    only_b = difference(b, a)
    single = combine(only_a, only_b)
    dims = shape(top)
    blank = canvas(BLACK, dims)
    O = fill(blank, GREEN, single)
    return O


def solve_75b8110e(I):
    """The four quarters lie one over the other."""
    top = tophalf(I)
    bottom = bottomhalf(I)
    yellow = lefthalf(top)
    gray = righthalf(top)
    magenta = lefthalf(bottom)
    burgundy = righthalf(bottom)
    x1 = fill(yellow, BURGUNDY, ofcolor(burgundy, BURGUNDY))
    x2 = fill(x1, MAGENTA, ofcolor(magenta, MAGENTA))
    O = fill(x2, GRAY, ofcolor(gray, GRAY))
    return O


def solve_a68b268e(I):
    """The four rooms lie one over the other."""
    top = tophalf(I)
    bottom = bottomhalf(I)
    orange = lefthalf(top)
    yellow = righthalf(top)
    cyan = lefthalf(bottom)
    magenta = righthalf(bottom)
    x1 = fill(magenta, CYAN, ofcolor(cyan, CYAN))
    x2 = fill(x1, YELLOW, ofcolor(yellow, YELLOW))
    O = fill(x2, ORANGE, ofcolor(orange, ORANGE))
    return O
