"""Programs for which the engine and the reference once disagreed, in values, lines, reasons or bools."""

from typing import Any

import pytest

from arcloom.engine.run import run
from arcloom.program.parse import parse
from arcloom.program.term import Program

FOUND = """
def ragged_rows_in_a_chain(I):
    x1 = vconcat(I, hconcat(I, I))
    x2 = vconcat(x1, I)
    x3 = vconcat(x2, I)
    return x3

def ragged_rows_turned(I):
    x1 = vconcat(I, hconcat(I, I))
    x2 = vconcat(x1, I)
    x3 = rot90(x2)
    return x3

def ragged_rows_in_a_function(I):
    f = lambda a: vconcat(vconcat(vconcat(a, hconcat(a, a)), a), a)
    x1 = f(I)
    return rot90(x1)

def a_missing_corner_and_an_empty_patch(I):
    x1 = ofcolor(I, NEG_ONE)
    x2 = fork(add, ulcorner, leftmost)
    return x2(x1)

def cells_compared_with_records_that_hold_cells(I):
    x1 = asobject(I)
    x2 = papply(astuple, crement(LEFT), x1)
    return papply(equality, x1, x2)

def a_cell_or_a_record_that_holds_a_cell(I):
    x1 = first(asobject(I))
    return branch(equality(I, rot90(I)), x1, astuple(ONE, x1))

def bools_in_a_set(I):
    return insert(equality(I, I), initset(ZERO))

def a_bool_or_an_int(I):
    return branch(T, T, ONE)

def bools_and_ints(I):
    return combine(astuple(T, F), astuple(TWO, ONE))

def the_greatest_bool(I):
    return maximum(astuple(T, F))

def the_most_common(I):
    return mostcommon(astuple(T, TWO))

def a_grid_of_bools(I):
    return canvas(equality(I, I), astuple(TWO, THREE))

def bools_by_themselves(I):
    return astuple(T, astuple(F, ONE))

def a_function_made_for_each_row_in_a_function(I):
    def step(state):
        made = compose(lbind(lbind, add), size)
        rows = apply(fork(apply, made, identity), state)
        return replace(state, ONE, size(rows))
    return step(I)

def a_function_made_for_each_row_in_a_loop(I):
    def step(state):
        made = compose(lbind(lbind, add), size)
        rows = apply(fork(apply, made, identity), state)
        return replace(state, ONE, size(rows))
    return power(step, 60)(I)

def a_function_made_for_each_row_in_a_mapped_function(I):
    def step(state):
        made = compose(lbind(lbind, add), size)
        rows = apply(fork(apply, made, identity), state)
        return replace(state, ONE, size(rows))
    return apply(step, vsplit(I, ONE))

def a_function_that_holds_a_failure_and_is_never_called(I):
    made = compose(lbind(lbind, add), rbind(divide, subtract(width(I), TWO)))
    nothing = fork(remove, identity, initset)
    return apply(fork(apply, made, nothing), palette(I))

def a_function_that_holds_a_failure_for_no_elements(I):
    def made(x):
        return lbind(add, divide(ONE, ZERO))
    return apply(fork(apply, made, initset), difference(palette(I), palette(I)))

def a_function_that_holds_a_failure_in_a_function(I):
    def of(x):
        f = power(identity, subtract(width(I), TWO))
        return f(x)
    return of(I)

def a_function_that_holds_a_failure_at_zero(I):
    made = compose(lbind(lbind, add), lbind(divide, ONE))
    return valmax(apply(size, I), compose(size, fork(apply, made, initset)))

def grids_in_five_containers(I):
    a = repeat(repeat(repeat(repeat(repeat(rot90(I), ONE), ONE), ONE), ONE), ONE)
    b = repeat(repeat(repeat(repeat(repeat(rot180(rot270(I)), ONE), ONE), ONE), ONE), ONE)
    return astuple(equality(a, b), size(insert(a, initset(b))))

def grids_in_four_containers(I):
    a = repeat(repeat(repeat(repeat(rot90(I), ONE), ONE), ONE), ONE)
    b = repeat(repeat(repeat(repeat(rot180(rot270(I)), ONE), ONE), ONE), ONE)
    return astuple(equality(a, b), size(insert(a, initset(b))))

def the_later_argument_fails_first(I):
    def f(x):
        a = divide(x, ZERO)
        b = first(remove(x, repeat(x, TWO)))
        return add(b, a)
    return apply(f, first(I))

def an_argument_fails_that_is_not_used(I):
    def g(a, b):
        return first(remove(b, repeat(b, TWO)))
    def f(x):
        return g(x // 0, x)
    return apply(f, first(I))

def both_sides_of_a_comparison_fail(I):
    return tuple(x for x in first(I) if x // 0 > max(remove(x, (x, x))))

def a_function_holds_a_failure_that_came_first(I):
    nothing = chain(first, lbind(remove, ONE), initset)
    f = fork(apply, compose(lbind(lbind, add), rbind(divide, ZERO)), compose(initset, nothing))
    return apply(f, repeat(ONE, TWO))

def a_function_in_a_line_holds_a_failure_that_came_first(I):
    nothing = chain(first, lbind(remove, ONE), initset)
    f = fork(apply, compose(lbind(lbind, add), rbind(divide, ZERO)), compose(initset, nothing))
    return f(ONE)

def a_function_holds_a_failure_that_came_last(I):
    nothing = chain(first, lbind(remove, ONE), initset)
    of = lambda xs, f: apply(f, xs)
    f = fork(of, compose(initset, nothing), compose(lbind(lbind, add), rbind(divide, ZERO)))
    return apply(f, repeat(ONE, TWO))

def two_failures_in_a_loop(I):
    def step(s):
        a = s // 0
        b = max(remove(s, (s, s)))
        return b - a
    return power(step, 40)(height(I))

def two_failures_in_a_choice(I):
    def f(x):
        a = x // 0
        b = max(remove(x, (x, x)))
        return b - a
    g = branch(equality(I, I), f, increment)
    return g(height(I))

def an_argument_is_checked_after_the_next_one_failed(I):
    def f(x):
        return connect(repeat(x, ZERO), (x // 0, x))
    return apply(f, first(I))

def the_value_at_zero_of_a_container_that_is_not_empty(I):
    return valmax(remove(ZERO, first(I)), lambda x: 6 // x - 6 // 1)

def the_value_at_zero_in_a_function(I):
    f = lambda row: valmax(row, lambda x: 6 // x - 6 // 1) + row[0] // 1
    return apply(f, I)

def a_missing_corner_is_an_empty_tuple(I):
    nowhere = lrcorner(ofcolor(I, NEG_ONE))
    nothing = remove(I, repeat(I, ONE))
    same = astuple(equality(nowhere, nothing), equality(nothing, nowhere))
    return astuple(same, astuple(equality(nowhere, repeat(I, ONE)), equality(lrcorner(asindices(I)), nothing)))

def a_missing_corner_among_empty_tuples(I):
    nowhere = lrcorner(ofcolor(I, NEG_ONE))
    nothing = repeat(remove(I, repeat(I, ONE)), TWO)
    return astuple(contained(nowhere, nothing), contained(lrcorner(asindices(I)), nothing))
"""
SAMPLES: list[dict[str, Any]] = [{"I": ((1, 2), (3, 4)), "S": ()}, {"I": ((5,),), "S": ()}]


@pytest.mark.parametrize("program", parse(FOUND), ids=lambda program: program.name)
def test_engine_and_reference_agree(program: Program) -> None:
    outcomes = [run([program], SAMPLES, device=device).outcomes for device in ("reference", "cpu")]
    for s in range(len(SAMPLES)):
        right, given = (outcome.value(0, s) for outcome in outcomes)
        assert repr(given) == repr(right)
