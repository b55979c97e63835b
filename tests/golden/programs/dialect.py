"""The dialect in which a mutation moves a constant."""

# Read as text and never imported.
# mypy: ignore-errors
# ruff: noqa


def objects_by_number(S, I, C):
    x1 = o_g(I, R5)
    x2 = get_arg_rank_f(x1, size, F0)
    x3 = get_arg_rank(o_g_t(I, R7), size, L1)
    x4 = mir_rot_f(x2, R2)
    O = paint(I, combine_f(x4, x3))
    return O


def angles(S, I, C):
    x1 = a_mr(S)
    O = mir_rot_t(I, x1)
    return O


def ranks_of_colours(S, I, C):
    x1 = get_color_rank_t(I, F0)
    x2 = get_color_rank(asobject(I), L1)
    x3 = get_common_rank_t(merge_t(I), L1)
    x4 = get_rank(p_g(I), F1)
    x5 = get_rank(palette_t(I), NINE)
    return astuple(astuple(x1, x2), astuple(x3, astuple(x4, x5)))


def values_by_rank(S, I, C):
    x1 = o_g(I, R0)
    x2 = get_val_rank_f(x1, height_f, L1)
    x3 = get_val_rank(x1, ulcorner, F0)
    x4 = get_common_rank(apply(color, x1), F0)
    return astuple(astuple(x2, x3), x4)


def only_before_and_only_after(S, I, C):
    x1 = c_iz(S, p_g)
    x2 = c_zo(S, p_g)
    x3 = c_iz_n(S, p_g, rbind(get_nth_t, F0))
    x4 = c_zo_n(S, p_g, rbind(get_nth_t, L1))
    O = replace(I, x3, x4)
    return astuple(astuple(x1, x2), O)


def corners_by_number(S, I, C):
    x1 = f_ofcolor(I, GREEN)
    x2 = corner(x1, R3)
    x3 = col_row(x1, R1)
    x4 = fill(I, BLUE, connect(x2, toivec(x3)))
    return x4


def cells_taken_apart(S, I, C):
    x1 = totuple(asobject(I))
    x2 = apply(toij, x1)
    x3 = apply(first, x1)
    x4 = celltuple(x2, order(x3, identity))
    x5 = paint(I, x4)
    x6 = ascell(second(x2), get_nth_t(x3, F1))
    return astuple(x5, x6)


def palettes(S, I, C):
    x1 = get_nth_f(o_g(I, R3), L1)
    x2 = p_o(x1)
    x3 = p_f(x1)
    x4 = difference_tuple(p_g(I), x2)
    return astuple(astuple(x2, x3), x4)


def written_with_names(S, I, C):
    x1 = objects_t(grid=I, univalued=T, diagonal=F, without_bg=T)
    x2 = sizefilter_f(container=x1, n=TWO)
    x3 = mapply_t(function=toindices_o, container=totuple(x2))
    x4 = fill(I, value=MAGENTA, patch=x3)
    return x4
