"""Programs that depend on the task's demonstrations."""

# Read as text and never imported: see arcloom.library.bundled.
# mypy: ignore-errors
# ruff: noqa


def solve_67a3c6ac(S, I, C):
    """Mirrored or rotated in the same way as in the demonstrations."""
    angle = a_mr(S)
    O = mir_rot_t(I, angle)
    return O


def solve_9dfd6313(S, I, C):
    """Mirrored or rotated in the same way as in the demonstrations."""
    angle = a_mr(S)
    O = mir_rot_t(I, angle)
    return O


def solve_ed36ccf7(S, I, C):
    """Mirrored or rotated in the same way as in the demonstrations."""
    angle = a_mr(S)
    O = mir_rot_t(I, angle)
    return O


def solve_b1948b0a(S, I, C):
    """The colour that disappears in the demonstrations becomes the one that appears."""
    pick = rbind(get_nth_t, F0)
    old = c_iz_n(S, p_g, pick)
    new = c_zo_n(S, p_g, pick)
    O = replace(I, old, new)
    return O


def solve_c8f0f002(S, I, C):
    """The colour that disappears in the demonstrations becomes the one that appears."""
    olds = c_iz(S, p_g)
    news = c_zo(S, p_g)
    O = replace(I, first(olds), last(news))
    return O


def solve_d4469b4b(S, I, C):
    """The figure that has the same colour in a demonstration."""
    own = palette(I)
    alike = compose(matcher(palette, own), first)
    sample = extract(S, alike)
    O = last(sample)
    return O


def solve_27a28665(S, I, C):
    """The colour that has the same pattern of holes in a demonstration."""
    holes_of = rbind(ofcolor, BLACK)
    holes = holes_of(I)
    alike = compose(matcher(holes_of, holes), first)
    sample = extract(S, alike)
    O = last(sample)
    return O
