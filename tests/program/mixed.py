"""Programs in the style of language models: plain Python with arc-dsl's primitives, mutable lists, dictionaries, loops
that end early, and helper functions."""

PROGRAMS = """
def solve(I):
    grid = [list(row) for row in I]
    for i in range(len(grid)):
        for j in range(len(grid[0])):
            if grid[i][j] == 0:
                grid[i][j] = 5
    return tuple(tuple(row) for row in grid)

# ---
def solve(I):
    h, w = len(I), len(I[0])
    out = [[0] * w for _ in range(h)]
    for i in range(h):
        for j in range(w):
            out[i][w - 1 - j] = I[i][j]
    return tuple(tuple(r) for r in out)

# ---
def solve(I):
    counts = {}
    for row in I:
        for v in row:
            counts[v] = counts.get(v, 0) + 1
    best = max(counts, key=counts.get)
    return canvas(best, (2, 2))

# ---
def solve(I):
    for row in I:
        if 5 in row:
            return (row,)
    return I

# ---
def solve(I):
    for obj in objects(I, True, False, True):
        if size(obj) == 1:
            return fill(I, 9, obj)
    return hmirror(I)

# ---
def solve(I):
    found = None
    for i, row in enumerate(I):
        if sum(row) > 4:
            found = i
            break
    if found is None:
        return I
    return (I[found],)

# ---
def solve(I):
    total = 0
    for v in I[0]:
        if v == 0:
            break
        total += v
    return canvas(total, (1, 1))

# ---
def solve(I):
    mapping = {1: 2, 2: 1, 5: 7}
    return tuple(tuple(mapping.get(v, v) for v in row) for row in I)

# ---
def solve(I):
    mapping = {0: 3, 1: 4}
    out = []
    for row in I:
        new_row = []
        for v in row:
            if v in mapping:
                new_row.append(mapping[v])
            else:
                new_row.append(v)
        out.append(tuple(new_row))
    return tuple(out)

# ---
def solve(I):
    color_count = {c: colorcount(I, c) for c in palette(I)}
    most = max(color_count.values())
    colors = [c for c, n in color_count.items() if n == most]
    return (tuple(sorted(colors)),)

# ---
def is_empty(row):
    for v in row:
        if v != 0:
            return False
    return True

def solve(I):
    rows = [row for row in I if not is_empty(row)]
    return tuple(rows) if rows else I

# ---
def get_color(obj):
    if len(obj) == 0:
        return 0
    return next(iter(obj))[0]

def solve(I):
    objs = sorted(objects(I, T, F, T), key=lambda o: (-len(o), ulcorner(o)))
    if not objs:
        return I
    return canvas(get_color(objs[0]), shape(I))

# ---
def solve(I):
    h, w = shape(I)
    result = canvas(0, (h, w))
    cells = set()
    for i in range(h):
        for j in range(w):
            if I[i][j] != 0 and (i + j) % 2 == 0:
                cells.add((i, j))
    return fill(result, 1, cells)

# ---
def solve(I):
    objs = objects(I, univalued=True, diagonal=True, without_bg=True)
    out = I
    for idx, obj in enumerate(sorted(objs, key=size, reverse=True), start=1):
        if idx > 3:
            break
        out = fill(out, idx, obj)
    return out

# ---
def solve(I):
    seen = set()
    order_ = []
    for row in I:
        for v in row:
            if v not in seen:
                seen.add(v)
                order_.append(v)
    return (tuple(order_),)

# ---
def solve(I):
    grid = [list(r) for r in I]
    h = len(grid)
    w = len(grid[0])
    for j in range(w):
        column = [grid[i][j] for i in range(h) if grid[i][j] != 0]
        column = [0] * (h - len(column)) + column
        for i in range(h):
            grid[i][j] = column[i]
    return tuple(map(tuple, grid))

# ---
def solve(I):
    def transform(v):
        if v == 0:
            return 0
        elif v < 3:
            return v + 5
        else:
            return v - 2
    return tuple(tuple(transform(v) for v in row) for row in I)

# ---
def solve(I):
    first_row, *rest = I
    return (*rest, first_row)

# ---
def solve(I):
    *_, last_row = I
    return (last_row,)

# ---
def shifted(grid, dy=0, dx=0, fill_color=0):
    h, w = len(grid), len(grid[0])
    out = [[fill_color for _ in range(w)] for _ in range(h)]
    for y in range(h):
        for x in range(w):
            ny, nx = y + dy, x + dx
            if 0 <= ny < h and 0 <= nx < w:
                out[ny][nx] = grid[y][x]
    return tuple(tuple(row) for row in out)

def solve(I):
    return shifted(I, dx=1)

# ---
def solve(I):
    bg = mostcolor(I)
    objs = objects(I, T, F, F)
    objs = [o for o in objs if color(o) != bg]
    if len(objs) == 0:
        return I
    biggest = max(objs, key=lambda o: (len(o), -leftmost(o)))
    return subgrid(biggest, I)

# ---
def solve(I):
    h, w = len(I), len(I[0])
    rows_with = [i for i in range(h) if any(I[i][j] != 0 for j in range(w))]
    cols_with = [j for j in range(w) if any(I[i][j] != 0 for i in range(h))]
    if not rows_with or not cols_with:
        return I
    r0, r1 = min(rows_with), max(rows_with)
    c0, c1 = min(cols_with), max(cols_with)
    return tuple(row[c0:c1 + 1] for row in I[r0:r1 + 1])

# ---
def solve(I):
    out = []
    for row in I:
        doubled = []
        for v in row:
            doubled.extend([v, v])
        out.append(tuple(doubled))
        out.append(tuple(doubled))
    return tuple(out)

# ---
def solve(I):
    colors = [v for row in I for v in row if v != 0]
    if not colors:
        return I
    freq = {}
    for c in colors:
        if c not in freq:
            freq[c] = 0
        freq[c] += 1
    ranked = sorted(freq.items(), key=lambda kv: (-kv[1], kv[0]))
    return tuple((c,) * n for c, n in ranked[:1])

# ---
def solve(I):
    groups = {}
    for o in objects(I, T, F, T):
        groups.setdefault(color(o), []).append(o)
    return canvas(len(groups), (1, 2))

# ---
def solve(I):
    result = I
    for c in sorted(palette(I)):
        if c == 0:
            continue
        cells = ofcolor(I, c)
        if len(cells) < 2:
            continue
        result = fill(result, 9, box(cells))
    return result

# ---
def solve(I):
    grid = [list(row) for row in I]
    grid[0][0] = 7
    grid[-1][-1] = 8
    return tuple(tuple(row) for row in grid)

# ---
def solve(I):
    row = list(I[0])
    row[0], row[-1] = row[-1], row[0]
    return (tuple(row), *I[1:])

# ---
def solve(I):
    rows = list(I)
    rows[0] = rows[-1]
    return tuple(rows)

# ---
def solve(I):
    out = list(I)
    out.reverse()
    return tuple(out)

# ---
def solve(I):
    rows = [tuple(sorted(row)) for row in I]
    rows.sort(key=sum)
    return tuple(rows)

# ---
def solve(I):
    rows = list(I)
    rows.insert(0, rows[-1])
    rows.pop()
    return tuple(rows)

# ---
def solve(I):
    n = 0
    for obj in objects(I, T, F, T):
        n += 1
    return tuple(tuple(1 if i == j else 0 for j in range(n + 1)) for i in range(n + 1))

# ---
def solve(I):
    h, w = shape(I)
    half = h // 2
    top, bottom = I[:half], I[half:]
    if len(top) == 0:
        return bottom
    return tuple(
        tuple(a if a != 0 else b for a, b in zip(r1, r2))
        for r1, r2 in zip(top, bottom)
    )

# ---
def solve(I):
    def neighbours(i, j):
        for di, dj in [(-1, 0), (1, 0), (0, -1), (0, 1)]:
            yield i + di, j + dj
    return I

# ---
def solve(I):
    h, w = shape(I)
    def neighbours(i, j):
        result = []
        for di, dj in [(-1, 0), (1, 0), (0, -1), (0, 1)]:
            ni, nj = i + di, j + dj
            if 0 <= ni < h and 0 <= nj < w:
                result.append((ni, nj))
        return result
    cells = {(i, j) for i in range(h) for j in range(w)
             if I[i][j] == 0 and any(I[a][b] != 0 for a, b in neighbours(i, j))}
    return fill(I, 8, cells)

# ---
def solve(I):
    positions = [(i, j) for i, row in enumerate(I) for j, v in enumerate(row) if v == 5]
    if len(positions) < 2:
        return I
    (r1, c1), (r2, c2) = positions[0], positions[1]
    return fill(I, 3, connect((r1, c1), (r2, c2)))

# ---
def solve(I):
    O = I
    for obj in fgpartition(I):
        if height(obj) > width(obj):
            O = fill(O, 1, obj)
        elif height(obj) == width(obj):
            O = fill(O, 2, obj)
        else:
            O = fill(O, 3, obj)
    return O

# ---
def solve(I):
    x = [row for row in I if len(set(row)) == 1]
    y = [row for row in I if len(set(row)) > 1]
    return tuple(x + y)

# ---
def solve(I):
    bg = mostcolor(I)
    for candidate in (I, rot90(I), rot180(I), rot270(I)):
        if candidate[0][0] != bg:
            return candidate
    return I

# ---
def solve(I):
    best, best_score = None, -1
    for obj in objects(I, T, T, T):
        score = len(obj) * 10 - uppermost(obj)
        if score > best_score:
            best, best_score = obj, score
    if best is None:
        return I
    return subgrid(best, I)

# ---
def solve(I):
    palette_ = sorted(palette(I))
    lookup = {c: i for i, c in enumerate(palette_)}
    return tuple(tuple(lookup[v] for v in row) for row in I)

# ---
def solve(I):
    unique = []
    for row in I:
        if row not in unique:
            unique.append(row)
    return tuple(unique)

# ---
def solve(I):
    out = []
    prev = None
    for row in I:
        if row != prev:
            out.append(row)
        prev = row
    return tuple(out)

# ---
def solve(I):
    count = sum(v != 0 for row in I for v in row)
    if count == 0:
        return I
    if count > 5:
        return vmirror(I)
    return hmirror(I)

# ---
def solve(I):
    if len(I) == 1:
        return I
    x = I[0]
    if len(set(x)) > 2:
        y = 1
    else:
        y = 2
    return canvas(y, (1, len(x)))

# ---
def solve(I):
    assert len(I) > 0
    return vmirror(I)

# ---
def solve(I):
    res = [[max(a, b) for a, b in zip(r, q)] for r, q in zip(I, hmirror(I))]
    return tuple(tuple(r) for r in res)

# ---
def solve(I):
    w = len(I[0])
    mask = [False] * w
    for row in I:
        for j in range(w):
            if row[j] != 0:
                mask[j] = True
    return (tuple(1 if m else 0 for m in mask),)

# ---
def solve(I):
    sums = [0 for _ in I[0]]
    for row in I:
        for j, v in enumerate(row):
            sums[j] += v
    return (tuple(s % 10 for s in sums),)

# ---
def solve(I):
    grid = [list(row) for row in I]
    h, w = len(grid), len(grid[0])
    for i in range(h):
        last = 0
        for j in range(w):
            if grid[i][j] != 0:
                last = grid[i][j]
            else:
                grid[i][j] = last
    return tuple(tuple(row) for row in grid)

# ---
def solve(I):
    grid = [list(row) for row in I]
    for i, row in enumerate(grid):
        for j, v in enumerate(row):
            if v == 5:
                for k in range(len(row)):
                    if grid[i][k] == 0:
                        grid[i][k] = 6
    return tuple(tuple(row) for row in grid)

# ---
def solve(I):
    import_color = 3
    O = [list(r) for r in canvas(import_color, shape(I))]
    for (c, (i, j)) in asobject(I):
        if c:
            O[i][j] = c
    return tuple(tuple(r) for r in O)

# ---
def solve(I):
    cells = [(i, j) for i, row in enumerate(I) for j, v in enumerate(row) if v]
    if not cells:
        return I
    i0 = min(i for i, _ in cells)
    j0 = min(j for _, j in cells)
    norm = {(i - i0, j - j0) for i, j in cells}
    return fill(canvas(0, shape(I)), 4, norm)

# ---
def solve(I):
    a, b = shape(I)
    if a > b:
        a, b = b, a
    return crop(I, (0, 0), (a, a)) if a <= len(I[0]) else I

# ---
def solve(I):
    k = 0
    for i in range(len(I)):
        if I[i][0] == 0:
            k += 1
        else:
            k -= 1
    return canvas(abs(k), (1, 1))

# ---
def solve(I):
    result = []
    for i in range(0, len(I), 2):
        result.append(I[i])
    return tuple(result)

# ---
def solve(I):
    return tuple(row[::2] for row in I[::2])

# ---
def solve(I):
    row_sums = list(map(sum, I))
    target = row_sums.index(max(row_sums))
    return (I[target],)

# ---
def solve(I):
    flat = [v for row in I for v in row]
    return canvas(flat.count(0), (1, 1))

# ---
def solve(I):
    n = I[0].count(0)
    return canvas(n, (1, n + 1))

# ---
def solve(I):
    cells = set(ofcolor(I, 0))
    inner = cells.intersection(box(asindices(I)))
    return fill(I, 2, inner)

# ---
def solve(I):
    cells = set(ofcolor(I, 0))
    extra = cells.union(corners(asindices(I))).difference(ofcolor(I, 5))
    return fill(I, 2, frozenset(extra))

# ---
def solve(I):
    a = ofcolor(I, 0)
    b = ofcolor(I, 5)
    if a.issubset(asindices(I)) and not b:
        return I
    return fill(I, 1, a | b)

# ---
def solve(I):
    comps = list(objects(I, T, F, T))
    comps.sort(key=lambda c: (size(c), ulcorner(c)), reverse=True)
    O = I
    for rank, comp in enumerate(comps):
        O = fill(O, min(rank + 1, 9), comp)
    return O

# ---
def solve(I):
    d = dict()
    for i, row in enumerate(I):
        d[i] = sum(row)
    keys = sorted(d.keys(), key=lambda k: d[k])
    return tuple(I[k] for k in keys)

# ---
def solve(I):
    d = {}
    for c, (i, j) in asobject(I):
        if c in d:
            d[c].append((i, j))
        else:
            d[c] = [(i, j)]
    return canvas(max(len(v) for v in d.values()), (1, 1))

# ---
def solve(I):
    pairs = dict(zip(range(10), (0, 2, 1, 3, 4, 7, 6, 5, 8, 9)))
    return tuple(tuple(pairs[v] for v in r) for r in I)

# ---
COLOR_MAP = {1: 5, 2: 6, 3: 4}

def solve(I):
    return tuple(tuple(COLOR_MAP[v] if v in COLOR_MAP else v for v in row) for row in I)

# ---
def solve(I):
    score = lambda g: sum(1 for r in g for v in r if v == 0)
    options = [I, hmirror(I), vmirror(I)]
    return min(options, key=score)

# ---
def solve(I):
    x = max((len(o) for o in objects(I, T, F, T)), default=0)
    return canvas(1, (1, x)) if x > 0 else I

# ---
def solve(I):
    target = next((o for o in objects(I, T, F, T) if len(o) > 2), None)
    if target is None:
        return I
    return fill(I, 4, target)

# ---
def solve(I):
    target = next(iter(sorted(objects(I, T, F, T), key=len)))
    return fill(I, 4, target)

# ---
def solve(I):
    all_cells = frozenset().union(*[o for o in objects(I, T, F, T)])
    return fill(I, 4, toindices(all_cells))

# ---
def solve(I):
    h, w = len(I), len(I[0])
    for size_ in range(1, w + 1):
        if all(I[i][j] == I[i][j % size_] for i in range(h) for j in range(w)):
            return tuple(row[:size_] for row in I)
    return I

# ---
def solve(I):
    h, w = len(I), len(I[0])
    period = w
    for p in range(1, w):
        ok = True
        for j in range(w - p):
            if any(I[i][j] != I[i][j + p] for i in range(h)):
                ok = False
                break
        if ok:
            period = p
            break
    return tuple(r[:period] for r in I)

# ---
def find_bbox(cells):
    rows = [r for r, _ in cells]
    cols = [c for _, c in cells]
    return min(rows), min(cols), max(rows), max(cols)

def solve(I):
    cells = [(r, c) for r in range(len(I)) for c in range(len(I[0])) if I[r][c] != 0]
    if len(cells) == 0:
        return I
    r0, c0, r1, c1 = find_bbox(cells)
    return crop(I, (r0, c0), (r1 - r0 + 1, c1 - c0 + 1))

# ---
def solve(I):
    O = I
    done = False
    for i in range(len(I)):
        for j in range(len(I[0])):
            if I[i][j] != 0 and not done:
                O = fill(O, 9, frozenset({(i, j)}))
                done = True
    return O

# ---
def solve(I):
    stack = []
    for v in I[0]:
        if stack and stack[-1] == v:
            stack.pop()
        else:
            stack.append(v)
    return (tuple(stack),) if stack else I

# ---
def solve(I):
    grid = [list(r) for r in I]
    row = grid[0]
    new = row[1:] + row[:1]
    grid[0] = new
    return tuple(tuple(r) for r in grid)

# ---
def solve(I):
    h, w = shape(I)
    out = [[0 for j in range(w * 2)] for i in range(h)]
    for i, j in asindices(I):
        out[i][j] = I[i][j]
        out[i][2 * w - 1 - j] = I[i][j]
    return tuple(tuple(r) for r in out)

# ---
def solve(I):
    if any(0 in row for row in I):
        color_ = 1
    else:
        color_ = 2
    O = canvas(color_, shape(I))
    return O

# ---
def solve(I):
    corners_ = {"ul": I[0][0], "ur": I[0][-1], "ll": I[-1][0], "lr": I[-1][-1]}
    return ((corners_["ul"], corners_["ur"]), (corners_["ll"], corners_["lr"]))

# ---
def solve(I):
    mode = "horizontal" if len(I) > len(I[0]) else "vertical"
    if mode == "horizontal":
        return hmirror(I)
    return vmirror(I)

# ---
def solve(I):
    ops = [rot90, rot180, vmirror]
    for f in ops:
        g = f(I)
        if g == I:
            return g
    return rot90(I)

# ---
def solve(I):
    ops = {0: vmirror, 1: hmirror, 2: rot90}
    return ops[len(I) % 3](I)

# ---
def solve(I):
    x, y, z = (lambda g: g)(I), vmirror(I), hmirror(I)
    return x + y + z

# ---
def solve(I):
    h = len(I); w = len(I[0])
    if h == w: return dmirror(I)
    return I

# ---
def solve(I):
    color_by_size = {}
    objs = objects(I, T, T, T)
    for k, s in enumerate(sorted({len(o) for o in objs})):
        color_by_size[s] = k + 1
    out = I
    for o in objs:
        out = paint(out, recolor(color_by_size[len(o)], o))
    return out

# ---
def solve(I):
    out = []
    for i in range(len(I)):
        line = []
        for j in range(len(I[i])):
            line += [I[i][j]] if I[i][j] else [7]
        out += [tuple(line)]
    return tuple(out)

# ---
def solve(I):
    if not isinstance(I, tuple):
        return I
    return tuple(tuple(int(v > 0) for v in row) for row in I)

# ---
def solve(I):
    h, w = len(I), len(I[0])
    total = 0
    for i in range(h):
        for j in range(w):
            if i == j:
                continue
            if I[i][j] == 0:
                break
            total += I[i][j]
        else:
            total += 11
    return canvas(total % 10, (1, 1))

# ---
def solve(I):
    rows = []
    for row in I:
        if (n := sum(row)) > 2:
            rows.append((n % 10,) * len(row))
        else:
            rows.append(row)
    return tuple(rows)

# ---
def solve(I):
    O = canvas(0, shape(I))
    for c in palette(I) - {0}:
        cells = ofcolor(I, c)
        top, left = ulcorner(cells)
        bottom, right = lrcorner(cells)
        for i in range(top, bottom + 1):
            for j in range(left, right + 1):
                if (i, j) not in cells:
                    O = fill(O, c, {(i, j)})
    return O

# ---
def solve(I):
    pattern = [v for v in I[0]]
    length = len(pattern)
    out = []
    for i in range(length):
        shifted_row = [pattern[(j + i) % length] for j in range(length)]
        out.append(tuple(shifted_row))
    return tuple(out)

# ---
def solve(I):
    g = [list(row) for row in I]
    H, W = len(g), len(g[0])
    for r in range(H):
        for c in range(W):
            if I[r][c] == 5:
                for dr in (-1, 0, 1):
                    for dc in (-1, 0, 1):
                        rr, cc = r + dr, c + dc
                        if 0 <= rr < H and 0 <= cc < W and g[rr][cc] == 0:
                            g[rr][cc] = 1
    return tuple(tuple(x) for x in g)

# ---
def flood(grid, start, colour):
    region = frozenset({start})
    h, w = shape(grid)
    base = index(grid, start)
    for _ in range(h * w):
        grown = region
        for cell in region:
            for n in dneighbors(cell):
                if index(grid, n) == base:
                    grown = insert(n, grown)
        if grown == region:
            break
        region = grown
    return fill(grid, colour, region)

def solve(I):
    return flood(I, (0, 0), 6)

# ---
def solve(I):
    result = [row[:] for row in I]
    result[0] = tuple(0 for _ in I[0])
    return tuple(result)

# ---
def solve(I):
    heights = []
    for j in range(len(I[0])):
        column = [row[j] for row in I]
        heights.append(len([v for v in column if v]))
    tallest = heights.index(max(heights))
    return tuple((row[tallest],) for row in I)

# ---
def solve(I):
    a = 0
    b = 1
    for _ in range(len(I) + 3):
        a, b = b, a + b
    return canvas(a % 10, (1, 1))

# ---
def solve(I):
    def paint_cell(g, i, j, c):
        rows = list(g)
        row = list(rows[i])
        row[j] = c
        rows[i] = tuple(row)
        return tuple(rows)
    return paint_cell(I, 0, 0, 9)

# ---
def solve(I):
    objs = objects(I, T, F, T)
    if len(objs) >= 2:
        big = argmax(objs, size)
        small = argmin(objs, size)
        return paint(I, recolor(color(small), big))
    elif len(objs) == 1:
        only = first(objs)
        return fill(I, 1, only)
    else:
        return I

# ---
def solve(I):
    colors = list(palette(I))
    colors.remove(min(colors))
    if not colors:
        return I
    return canvas(max(colors), shape(I))

# ---
def solve(I):
    best = I
    for t in (hmirror, vmirror, dmirror):
        g = t(I)
        best = g if g > best else best
    return best

# ---
def solve(I):
    rows = [0, len(I) - 1]
    out = I
    for r in rows:
        out = fill(out, 1, {(r, c) for c in range(len(I[0]))})
    return out

# ---
def solve(I):
    pairs = []
    for a in palette(I):
        for b in palette(I):
            if a < b:
                pairs.append((a, b))
    return tuple(pairs) if pairs else I

# ---
def solve(I):
    s = ""
    for v in I[0]:
        s += str(v)
    return canvas(len(s), (1, 1))

# ---
def solve(I):
    try:
        return replace(I, 0, 1)
    except Exception:
        return I

# ---
def solve(I):
    i = 0
    while i < len(I) and I[i][0] == 0:
        i += 1
    return I[i:] if i < len(I) else I

# ---
def solve(I):
    total = sum([sum(r) for r in I])
    print(total)
    return canvas(total % 10, (1, 1))
"""


def programs() -> list[str]:
    """The texts, one for each program."""
    return [text.strip() + "\n" for text in PROGRAMS.split("\n# ---\n")]
