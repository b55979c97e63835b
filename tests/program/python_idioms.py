"""Programs with functions of Python's library, and with idioms that have several spellings."""

PROGRAMS = """
def solve(I):
    g = I
    for f in (hmirror, vmirror, dmirror, cmirror):
        if f(I) == I:
            g = f(g)
        else:
            g = rot180(g)
    return g

# ---
def solve(I):
    x1 = pair(range(3), (4, 5, 6))
    x2 = papply(lambda a, b: a * b, (1, 2, 3), (4, 5, 6))
    return (x2, tuple(a + b for a, b in x1))

# ---
def solve(I):
    a, b, *rest = sorted(objects(I, T, F, F), key=size, reverse=True) + [asobject(I), asobject(I)]
    return fill(I, color(a), b)

# ---
def solve(I):
    mf = lambda o: (color(o), size(o))
    keys = sorted(set(mf(o) for o in objects(I, T, F, T)))
    return tuple(tuple(k) for k in keys) or I

# ---
def solve(I):
    return hconcat(*[I, vmirror(I)])

# ---
def solve(I):
    O, *_ = (vmirror(I), hmirror(I))
    return O

# ---
def solve(I):
    mapping = {}
    next_color = 1
    for row in I:
        for v in row:
            if v != 0 and v not in mapping:
                mapping[v] = next_color
                next_color += 1
    return tuple(tuple(mapping[v] if v in mapping else 0 for v in row) for row in I)

# ---
def solve(I):
    colors = {}
    for row in I:
        for c in row:
            if c in colors:
                colors[c] += 1
            else:
                colors[c] = 1
    items = sorted(colors.items(), key=lambda x: x[1], reverse=True)
    result = []
    for c, n in items:
        result.append((c, min(n, 9)))
    return tuple(result)

# ---
def solve(I):
    flat = [c for r in I for c in r]
    most = max(set(flat), key=flat.count)
    return tuple(tuple(0 if c == most else c for c in r) for r in I)

# ---
def solve(I):
    first_nonzero = next((v for row in I for v in row if v), 0)
    return canvas(first_nonzero, (3, 3))

# ---
def solve(I):
    q, r = divmod(len(I), 2)
    return I[:q + r]

# ---
def solve(I):
    hist = [0] * 10
    for row in I:
        for v in row:
            hist[v] += 1
    order_ = sorted(range(10), key=lambda c: -hist[c])
    return (tuple(order_[:3]),)

# ---
def solve(I):
    colors = sorted({c for r in I for c in r} - {0})
    pairs = dict(zip(colors, colors[::-1]))
    return tuple(tuple(pairs.get(c, 0) for c in r) for r in I)

# ---
def solve(I):
    objs = objects(I, T, F, T)
    groups = {}
    for o in objs:
        groups.setdefault(color(o), set()).add(ulcorner(o))
    n = max((len(g) for g in groups.values()), default=0)
    return canvas(n, (1, 1))

# ---
def solve(I):
    counts = tuple((c, colorcount(I, c)) for c in range(1, 10))
    present = tuple(filter(lambda cn: cn[1] > 0, counts))
    if len(present) == 0:
        return ((0,),)
    widest = max(n for _, n in present)
    return tuple((c,) * n + (0,) * (widest - n) for c, n in sorted(present, key=lambda x: -x[1]))

# ---
def solve(I):
    x = asobject(I)
    rows_ = {i: [v for v, (a, b) in x if a == i] for i in range(len(I))}
    return tuple(tuple(sorted(rows_[i])) for i in range(len(I)))

# ---
def solve(I):
    def transform(g, ops):
        for op in ops:
            g = op(g)
        return g
    return transform(I, [rot90, hmirror, dmirror])

# ---
def solve(I):
    def make_adder(k):
        def adder(v):
            return (v + k) % 10
        return adder
    add3 = make_adder(3)
    return tuple(tuple(add3(v) for v in r) for r in I)

# ---
def outline(grid, obj, c=1, inner=False):
    patch = inbox(obj) if inner else outbox(obj)
    return fill(grid, c, patch)

def solve(I):
    g = I
    for k, o in enumerate(sorted(objects(I, T, F, T), key=size)):
        g = outline(g, o, c=k + 1, inner=(k % 2 == 1))
    return g

# ---
def solve(I):
    p = 1
    for k in range(1, len(I)):
        if I[k:] == I[:-k]:
            p = k
            break
    else:
        p = len(I)
    return I[:p]

# ---
def solve(I):
    rules = ((lambda o: size(o) == 1, 1), (lambda o: hline(o), 2), (lambda o: vline(o), 3))
    out = I
    for o in objects(I, T, F, T):
        for test, c in rules:
            if test(o):
                out = fill(out, c, o)
    return out

# ---
def solve(I):
    def longest_run(row):
        best = cur = 1
        for a, b in zip(row, row[1:]):
            cur = cur + 1 if a == b else 1
            best = max(best, cur)
        return best
    runs = [longest_run(r) for r in I]
    return (tuple(runs),)

# ---
def solve(I):
    common = set(I[0]).intersection(*[set(r) for r in I])
    return (tuple(sorted(common)),) if common else I

# ---
def solve(I):
    uni = set().union(*[set(r) for r in I])
    return (tuple(sorted(uni)),)

# ---
def solve(I):
    if not (objs := objects(I, T, F, T)):
        return I
    return subgrid(argmax(objs, size), I)

# ---
def solve(I):
    c = Counter(v for row in I for v in row)
    return canvas(c.most_common(1)[0][0], (2, 2))

# ---
def solve(I):
    rows = [tuple(r) for r in I]
    return (reduce(lambda a, b: tuple(max(x, y) for x, y in zip(a, b)), rows),)

# ---
def solve(I):
    objs = objects(I, T, F, T)
    res = [o for o in objs if not any(o != p and set(toindices(o)) <= set(backdrop(p)) for p in objs)]
    return paint(canvas(0, shape(I)), merge(frozenset(res)))

# ---
def solve(I):
    return paint(I, frozenset().union(*(shift(o, (0, 1)) for o in objects(I, T, F, T))))

# ---
def solve(I):
    n_colors = len({*I[0], *I[-1]})
    return upscale(I, n_colors) if len(I) < 5 else I

# ---
def solve(I):
    size_of = {}
    for o in objects(I, T, F, T):
        size_of[o] = size(o)
    if not size_of:
        return I
    big = max(size_of, key=size_of.get)
    return fill(I, 1, big)

# ---
def solve(I):
    top_row = I[0]
    colors = list(dict.fromkeys(top_row))
    return (tuple(colors),)

# ---
def solve(I):
    g = [row[:] for row in I]
    return tuple(g)

# ---
def solve(I):
    lo, hi = float('inf'), -1
    for o in objects(I, T, F, T):
        lo = min(lo, size(o))
        hi = max(hi, size(o))
    return canvas(hi % 10, (1, 1)) if hi > 0 else I

# ---
def solve(I):
    k = int(len(I) / 2)
    return I[:k]

# ---
def solve(I):
    row, col = max(((i, j) for i in range(len(I)) for j in range(len(I[0]))), key=lambda p: I[p[0]][p[1]])
    return fill(I, 1, {(row, col)})

# ---
def solve(I):
    colors = sorted(palette(I), key=lambda c: colorcount(I, c), reverse=True)
    bg, *fg = colors
    legend = tuple((c,) for c in fg)
    return legend if legend else I

# ---
def solve(I):
    positions = defaultdict(list)
    for i, row in enumerate(I):
        for j, v in enumerate(row):
            positions[v].append((i, j))
    rarest = min(positions, key=lambda c: (len(positions[c]), c))
    return fill(I, 9, frozenset(positions[rarest]))

# ---
def solve(I):
    counts = defaultdict(int)
    for row in I:
        for v in row:
            counts[v] += 1
    return (tuple(counts[c] for c in range(5)),)

# ---
def solve(I):
    counts = Counter(I[0])
    return ((counts[0], counts[9], len(counts)), tuple(c for c, _ in counts.most_common()))

# ---
solve = lambda I: tuple(row[::-1] for row in I)

# ---
def solve(I):
    common = set.intersection(*[set(row) for row in I])
    every = set.union(*map(set, I))
    return (tuple(sorted(common)), tuple(sorted(every)))

# ---
def solve(I):
    return (int(-7 / len(I)), int(7 / 2), max(*I[0], 3) if len(I[0]) == 9 else max(*[4, 2]))
"""


def programs() -> list[str]:
    """The texts of the programs."""
    return [text.strip() + "\n" for text in PROGRAMS.split("# ---")]
