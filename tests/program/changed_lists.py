"""Programs that change lists and sets which have two names, or which other lists keep."""

PROGRAMS = """
def solve(I):
    grid = [list(row) for row in I]
    rows, cols = len(grid), len(grid[0])
    for r in range(rows):
        for c in range(cols):
            if grid[r][c] == 0:
                count = 0
                for dr in (-1, 0, 1):
                    for dc in (-1, 0, 1):
                        if dr == 0 and dc == 0:
                            continue
                        nr, nc = r + dr, c + dc
                        if 0 <= nr < rows and 0 <= nc < cols and I[nr][nc] != 0:
                            count += 1
                if count >= 3:
                    grid[r][c] = 3
    return tuple(tuple(row) for row in grid)

# ---
def solve(I):
    grid = [list(r) for r in I]
    for i in range(len(grid)):
        row = grid[i]
        for j in range(len(row)):
            if row[j] == 0:
                row[j] = 2
    return tuple(tuple(r) for r in grid)

# ---
def solve(I):
    grid = [list(r) for r in I]
    for row in grid:
        row.reverse()
    return tuple(tuple(r) for r in grid)

# ---
def solve(I):
    left, right = [], []
    for row in I:
        mid = len(row) // 2
        left.append(row[:mid])
        right.append(row[mid:])
    return tuple(r + l for l, r in zip(left, right))

# ---
def solve(I):
    h, w = len(I), len(I[0])
    visited = [[False] * w for _ in range(h)]
    count = 0
    for i in range(h):
        for j in range(w):
            if I[i][j] != 0 and not visited[i][j]:
                count += 1
                for k in range(j, w):
                    if I[i][k] == 0:
                        break
                    visited[i][k] = True
    return canvas(count % 10, (1, 1))

# ---
def solve(I):
    g = [[v for v in row] for row in I]
    n, m = len(g), len(g[0])
    for i in range(n):
        for j in range(m // 2):
            g[i][j], g[i][m - 1 - j] = g[i][m - 1 - j], g[i][j]
    return tuple(tuple(r) for r in g)

# ---
def solve(I):
    n = len(I)
    m = len(I[0])
    out = [[0] * (m * m) for _ in range(n * n)]
    for a in range(n):
        for b in range(m):
            if I[a][b]:
                for i in range(n):
                    for j in range(m):
                        out[a * n + i][b * m + j] = I[i][j]
    return tuple(tuple(r) for r in out) if n < 6 and m < 6 else I

# ---
def split_on(grid, pred):
    chunks, cur = [], []
    for row in grid:
        if pred(row):
            if cur:
                chunks.append(tuple(cur))
            cur = []
        else:
            cur.append(row)
    if cur:
        chunks.append(tuple(cur))
    return chunks

def solve(I):
    parts = split_on(I, lambda r: all(v == 0 for v in r))
    return max(parts, key=len) if parts else I

# ---
def solve(I):
    O = [[mostcolor(I)] * len(I[0]) for _ in I]
    for p in ofcolor(I, leastcolor(I)):
        r, c = p
        O[r] = [leastcolor(I)] * len(I[0])
    return tuple(map(tuple, O))

# ---
def solve(I):
    region = {(0, 0)}
    for _ in range(20):
        new = set(region)
        for (i, j) in region:
            for d in [(0, 1), (1, 0), (-1, 0), (0, -1)]:
                p = add((i, j), d)
                if index(I, p) == I[0][0]:
                    new.add(p)
        region = new
    return fill(I, 4, frozenset(region))

# ---
def solve(I):
    lst = [I]
    for _ in range(3):
        lst.append(rot90(lst[-1]))
    a, b, c, d = lst
    return a if a == c else b if b == d else d

# ---
def solve(I):
    acc = []
    for row in I:
        acc.append(0)
        for v in row:
            if v:
                acc[-1] += 1
    return (tuple(acc),)

# ---
def solve(I):
    acc = [[] for _ in I[0]]
    for row in I:
        for j, v in enumerate(row):
            if v != 0:
                acc[j].append(v)
    return tuple((len(a),) for a in acc)

# ---
def solve(I):
    cells = {p for p in asindices(I)}
    cells.discard((0, 0))
    cells -= ofcolor(I, 0)
    return fill(I, 1, frozenset(cells))

# ---
def solve(I):
    s = set()
    s.update(ofcolor(I, 0))
    s |= ofcolor(I, leastcolor(I))
    s = {p for p in s if p[0] != p[1]}
    return fill(I, 7, s)

# ---
def solve(I):
    grid = tuple(map(list, I))
    for i in range(len(grid)):
        grid[i][0] = 4
    return tuple(map(tuple, grid))

# ---
def solve(I):
    g = [list(r) for r in I]
    for r in g:
        for j in range(len(r)):
            if r[j] == 0:
                r[j] = 6
    return tuple(tuple(r) for r in g)

# ---
def solve(I):
    g = [list(r) for r in I]
    out = []
    for r in g:
        r[0] = 9
        out.append(tuple(r))
    return tuple(out)

# ---
def solve(I):
    cols = [list(c) for c in zip(*I)]
    for c in cols:
        c.sort(reverse=True)
    return tuple(zip(*cols))

# ---
def solve(I):
    rows = []
    for r in I:
        row = list(r)
        row[0] = row[-1]
        rows.append(row)
    return tuple(tuple(r) for r in rows)

# ---
def solve(I):
    g = [list(r) for r in I]
    copy_ = [row[:] for row in g]
    for i in range(len(g)):
        for j in range(len(g[0])):
            if g[i][j] == 0:
                copy_[i][j] = 2
    return tuple(tuple(r) for r in copy_)

# ---
def solve(I):
    out = [row.copy() for row in [list(r) for r in I]]
    out[0][0] = 1
    return tuple(tuple(r) for r in out)

# ---
def solve(I):
    g = [list(r) for r in I]
    for row in g:
        g[0][0] = 5
        row[0] = row[0] + 1
    return tuple(map(tuple, g))

# ---
def solve(I):
    g = [list(r) for r in I]
    for i, row in enumerate(g):
        for j, v in enumerate(row):
            if j + 1 < len(row):
                g[i][j + 1] = v
    return tuple(map(tuple, g))

# ---
def solve(I):
    g = [list(r) for r in I]
    h = g.copy()
    h[0] = [1]
    return tuple(map(tuple, g)) + tuple(map(tuple, h))

# ---
def solve(I):
    a = set(I[0])
    b = a | {7}
    b.add(8)
    c = b - {1}
    c.add(1)
    return (tuple(sorted(a)), tuple(sorted(b)), tuple(sorted(c)))

# ---
def solve(I):
    row = list(I[0])
    for j, v in enumerate(row):
        if j > 0:
            row[j] = row[j - 1] + v
    return (tuple(row),)

# ---
def solve(I):
    row = list(I[0])
    for v in row:
        row[-1] = v + 1
    return (tuple(row),)

# ---
def solve(I):
    out = []
    cur = []
    for v in I[0]:
        if v == 0:
            out.append(cur)
            cur = []
        else:
            cur.append(v)
    out.append(cur)
    return tuple(tuple(r) for r in out)

# ---
def solve(I):
    g = [list(r) for r in I]
    h = [r[:] for r in g]
    h[0][0] = 9
    g[0][0] = 8
    return (tuple(g[0]), tuple(h[0]))

# ---
def solve(I):
    g = [list(r) for r in I]
    for i in range(len(g)):
        row = g[i]
        if sum(row) > 3:
            row[0] = 9
        for j in range(1, len(row)):
            row[j] = row[j - 1]
    return tuple(map(tuple, g))

# ---
def solve(I):
    out = []
    for v in hmirror(I)[0]:
        out.append(v)
    for k, v in enumerate(vmirror(I)[-1]):
        out[k] = v + 1
    return (tuple(out),)
"""


def programs() -> list[str]:
    """The texts of the programs."""
    return [text.strip() + "\n" for text in PROGRAMS.split("# ---")]
