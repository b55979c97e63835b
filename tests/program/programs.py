"""Programs that mix Python with arc-dsl, in the style of people and language models."""

PROGRAMS = '''
def solve(I):
    h, w = len(I), len(I[0])
    return tuple(tuple(I[h - 1 - i][j] for j in range(w)) for i in range(h))

# ---
def solve(I):
    objs = objects(I, univalued=T, diagonal=F, without_bg=T)
    if len(objs) == 0:
        return I
    biggest = max(objs, key=size)
    return fill(I, 2, biggest)

# ---
def solve(I):
    bg = mostcolor(I)
    O = canvas(bg, shape(I))
    for obj in objects(I, True, True, True):
        if size(obj) > 1:
            O = paint(O, obj)
        else:
            O = paint(O, recolor(3, obj))
    return O

# ---
def count_color(grid, c):
    """Number of cells of a colour."""
    return sum(1 for row in grid for v in row if v == c)

def solve(I):
    colors = sorted(palette(I), key=lambda c: (-count_color(I, c), c))
    return tuple((c,) * count_color(I, c) for c in colors)

# ---
BACKGROUND = 0
DIRECTIONS = ((0, 1), (1, 0), (0, -1), (-1, 0))

def neighbors_of(i, j, h, w):
    return [(i + di, j + dj) for di, dj in DIRECTIONS if 0 <= i + di < h and 0 <= j + dj < w]

def solve(I: Grid) -> Grid:
    h, w = shape(I)
    new = frozenset(
        (i, j)
        for i in range(h)
        for j in range(w)
        if I[i][j] == BACKGROUND and sum(I[a][b] != BACKGROUND for a, b in neighbors_of(i, j, h, w)) >= 2
    )
    return fill(I, 8, new)

# ---
def solve(I):
    total: int = 0
    count = 0
    for i, row in enumerate(I):
        for j, v in enumerate(row):
            if v != 0 and (i + j) % 2 == 0:
                total += v
                count += 1
            elif v == 0:
                total -= 1
    mean = total // count if count > 0 else 0
    return canvas(abs(mean) % 10, (2, 2))

# ---
def solve(I):
    def mirror(g):
        return vmirror(g)

    def twice(f, x):
        return f(f(x))

    left = mirror(I)
    return hconcat(left, twice(mirror, I))

# ---
def solve(I):
    x1 = ofcolor(I, 0)
    x2 = lambda ij: (ij[0] + 1, ij[1])
    x3 = apply(x2, x1)
    return fill(I, 4, x3)

# ---
def solve(I):
    cols = tuple(zip(*I))
    keep = [j for j, col in enumerate(cols) if len(set(col)) > 1]
    if not keep:
        return I
    return tuple(tuple(row[j] for j in keep) for row in I)

# ---
def solve(I):
    best = I
    for f in (rot90, rot180, rot270, hmirror, vmirror, dmirror):
        g = f(I)
        if g[0] > best[0]:
            best = g
    return best

# ---
def solve(I):
    res = ()
    for row in I:
        s = sum(row)
        if s == 0:
            res = res + (row,)
        else:
            res += ((s % 10,) * len(row),)
    return res

# ---
def is_line(obj):
    return height(obj) == 1 or width(obj) == 1

def solve(I):
    objs = [o for o in objects(I, T, F, T) if is_line(o)]
    lines = [o for o in objs if size(o) >= 2]
    O = I
    for o in lines:
        O = fill(O, 1, o)
    return O

# ---
def solve(I):
    objs = sorted(objects(I, T, F, T), key=lambda o: (-size(o), leftmost(o), uppermost(o)))
    if len(objs) < 2:
        return I
    first_obj, second_obj, *_ = objs
    return I

# ---
def solve(I):
    objs = sorted(objects(I, T, F, T), key=lambda o: (-size(o), leftmost(o), uppermost(o)))
    a = objs[0] if objs else frozenset()
    b = objs[1] if len(objs) > 1 else a
    return fill(fill(I, 6, a), 7, b)

# ---
def solve(I):
    counts = [(colorcount(I, c), c) for c in palette(I) if c != 0]
    n, c = max(counts) if counts else (0, 0)
    return canvas(c, (1, n + 1))

# ---
def solve(I):
    h = height(I)
    w = width(I)
    if h == w:
        return dmirror(I)
    elif h > w:
        return I[:w]
    else:
        return tuple(row[:h] for row in I)

# ---
def solve(I):
    cells = {(i, j) for i in range(height(I)) for j in range(width(I)) if I[i][j] == 0}
    border = {(i, j) for i, j in cells if i in (0, height(I) - 1) or j in (0, width(I) - 1)}
    inner = cells - border
    return fill(fill(I, 1, inner), 2, border)

# ---
def solve(I):
    rows = [row for row in I if any(v != 0 for v in row)]
    cols = [c for c in zip(*rows) if not all(v == 0 for v in c)]
    return tuple(zip(*cols))

# ---
def solve(I):
    period = next((p for p in range(1, len(I)) if all(I[k] == I[k % p] for k in range(len(I)))), len(I))
    return I[:period]

# ---
def solve(I):
    O = I
    for k in range(3):
        O = tuple(tuple(O[i][j] if O[i][j] else (O[i - 1][j] if i > 0 else 0) for j in range(len(O[0])))
                  for i in range(len(O)))
    return O

# ---
def solve(I):
    x1 = mostcolor(I)
    x2 = asobject(I)
    x3 = sfilter(x2, lambda c: c[0] != x1)
    x4 = [(7 if i == j else v, (i, j)) for v, (i, j) in x3]
    return paint(I, frozenset(x4))

# ---
def solve(I):
    f = lambda g, k: rot90(g) if k % 2 == 0 else hmirror(g)
    g = I
    for k in range(4):
        g = f(g, k)
    return g

# ---
def solve(I):
    n = len(I)
    m = n
    while_count = 0
    for _ in range(10):
        if m > 1:
            m = m // 2
            while_count += 1
    return canvas(while_count, (m, n))

# ---
def solve(I):
    pairs = [(a, b) for a in objects(I, T, F, T) for b in objects(I, T, F, T) if a != b and color(a) == color(b)]
    lines = [connect(center(a), center(b)) for a, b in pairs]
    O = I
    for line in lines:
        O = underfill(O, 5, line)
    return O

# ---
def solve(I):
    seen = frozenset()
    order_ = ()
    for row in I:
        for v in row:
            if v not in seen:
                seen = seen | {v}
                order_ = order_ + (v,)
    return (order_,)

# ---
def solve(I):
    h, w = len(I), len(I[0])
    grid = [[0] * w for _ in range(h)]
    return tuple(tuple(max(I[i][j], grid[i][j]) for j in range(w)) for i in range(h))

# ---
def solve(I):
    x = asobject(I)
    y = frozenset((c, (i + 1, j)) for c, (i, j) in x)
    return paint(I, y)

# ---
def solve(I):
    c = leastcolor(I)
    (i, j), *rest = sorted(ofcolor(I, c))
    return fill(I, 9, {(i, b) for b in range(len(I[0]))} | {(a, j) for a in range(len(I))})

# ---
def solve(I):
    def step(g, k=1):
        return g[k:] + g[:k]
    return step(step(I), 2)

# ---
def solve(I):
    if any(len(set(row)) == 1 for row in I):
        result = hmirror(I)
        label = 1
    else:
        result = vmirror(I)
        label = 2
    if label == 1 and len(I) > 2:
        result = result[1:]
    return result

# ---
def solve(I):
    """Docstring with 'quotes'."""
    a = b = I
    a, b = b, rot90(a)
    return a if a[0][0] > b[0][0] else b

# ---
def solve(I):
    frontier_rows = [i for i, r in enumerate(I) if len(set(r)) == 1]
    return canvas(len(frontier_rows), (1, 1)) if frontier_rows else I[0:1]

# ---
def majority(values):
    best = values[0]
    best_n = 0
    for v in sorted(set(values)):
        n = sum(1 for u in values if u == v)
        if n > best_n:
            best, best_n = v, n
    return best

def solve(I):
    return tuple((majority(row),) for row in I)

# ---
def solve(I):
    h, w = len(I), len(I[0])
    total = 0
    for i in range(h):
        if I[i][0] == 0:
            continue_value = 1
        else:
            continue_value = 2
        total = total + continue_value
    return canvas(total % 10, (1, w))

# ---
def solve(I):
    objs = objects(I, T, F, T)
    sizes = sorted({size(o) for o in objs})
    return paint(I, merge(tuple(recolor(1 + sum(s < size(o) for s in sizes), o) for o in objs)))

# ---
def solve(I):
    result = []
    for row in I:
        new_row = []
        for v in row:
            new_row.append(v + 1 if v else 0)
        result.append(tuple(new_row))
    return tuple(result)

# ---
def solve(I):
    cells = set()
    for i, row in enumerate(I):
        for j, v in enumerate(row):
            if v == 0:
                cells.add((i, j))
    cells.update({(0, 0)})
    return fill(I, 3, frozenset(cells))

# ---
def solve(I):
    total = 0
    O = I
    for i, row in enumerate(I):
        if row[0] == 0:
            continue
        total += 1
        if total > 2:
            total = 0
            continue
        for j, v in enumerate(row):
            if v == 0:
                continue
            elif v > 2:
                O = fill(O, 8, {(i, j)})
                if j == 0:
                    continue
            total += j
    return (O, total)
'''.strip()


def programs() -> list[str]:
    """The texts of the programs, each with its helper functions."""
    return [text.strip() + "\n" for text in PROGRAMS.split("# ---")]
