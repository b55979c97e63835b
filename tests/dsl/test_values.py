"""The order of sets, limits of numbers, budgets, and the conversion of arguments."""

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcloom.dsl import PRIMITIVES
from arcloom.dsl.declare import (
    Meter,
    affordable,
    as_grid,
    as_number,
    as_pair,
    as_patch,
    as_truth,
    metered,
    primitive,
)
from arcloom.dsl.signature import INDICES, INT, OBJECT, ROWS, Type, perhaps, record, set_of
from arcloom.dsl.values import COLOUR_MAX, COLOUR_MIN, INT_LIMIT, SIDE_LIMIT, Failure, Reason, colour, ordered, within
from arcloom.dsl.work import CALL, LARGEST
from strategies import values


def reason(call: Any, *args: Any) -> Reason:
    with pytest.raises(Failure) as caught:
        call(*args)
    return caught.value.reason


@pytest.mark.parametrize(
    ("elements", "expected"),
    [
        ({3, -1, 2}, (-1, 2, 3)),
        ({(1, 0), (0, 5), (0, 2)}, ((0, 2), (0, 5), (1, 0))),
        ({(1,), (1, 0), ()}, ((), (1,), (1, 0))),
        ({None, 0, -INT_LIMIT}, (None, -INT_LIMIT, 0)),
        ({(None, 3), (2, 0), (None, 1)}, ((None, 1), (None, 3), (2, 0))),
        ({(7, (0, 1)), (2, (3, 3))}, ((2, (3, 3)), (7, (0, 1)))),
        ({(0, (0, 0)), (5, 5), (-1, (2, 2)), (1, 9)}, ((1, 9), (5, 5), (-1, (2, 2)), (0, (0, 0)))),
        ({(2, ()), (-1, ((1, 0),)), (-1, ())}, ((-1, ()), (-1, ((1, 0),)), (2, ()))),
        (set(), ()),
    ],
)
def test_sets_iterate_in_sorted_order(elements: set[Any], expected: tuple[Any, ...]) -> None:
    assert ordered(frozenset(elements)) == expected


def test_sets_of_sets_are_ordered_by_their_sorted_parts() -> None:
    one, other, more = frozenset({5, 1}), frozenset({2}), frozenset({1, 5, 9})
    assert ordered(frozenset({other, more, one})) == (one, more, other)
    nested = frozenset({frozenset({other}), frozenset({one, other}), frozenset()})
    assert ordered(nested) == (frozenset(), frozenset({one, other}), frozenset({other}))


def test_sets_of_sets_are_not_ordered_by_inclusion() -> None:
    """Python compares sets by inclusion, which would leave these unsorted."""
    sets = [frozenset({9}), frozenset({0, 9}), frozenset({0})]
    assert {ordered(frozenset(p)) for p in permutations(sets)} == {(sets[2], sets[1], sets[0])}


def test_tuples_keep_their_order() -> None:
    assert ordered((3, 1, 2)) == (3, 1, 2)


@pytest.mark.parametrize("element", [INT, perhaps(INT), record(INT, INT), set_of(INT), OBJECT, ROWS], ids=str)
@given(data=st.data())
def test_order_does_not_depend_on_the_order_of_insertion(element: Type, data: st.DataObject) -> None:
    elements = data.draw(st.lists(values(element), max_size=6))
    shuffled = data.draw(st.permutations(elements))
    in_order = ordered(frozenset(elements))
    assert in_order == ordered(frozenset(shuffled))
    assert frozenset(in_order) == frozenset(elements)
    assert len(in_order) == len(frozenset(elements))


@pytest.mark.parametrize("name", ["first", "last", "totuple", "color", "second"])
@given(cells=st.lists(values(record(INT, record(INT, INT))), min_size=2, max_size=5, unique=True), data=st.data())
def test_primitives_do_not_depend_on_the_order_of_insertion(name: str, cells: list[Any], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(cells))
    assert PRIMITIVES[name](frozenset(cells)) == PRIMITIVES[name](frozenset(shuffled))


@pytest.mark.parametrize("number", [0, INT_LIMIT, -INT_LIMIT])
def test_numbers_within_the_limit_are_accepted(number: int) -> None:
    assert within(number) == number


@pytest.mark.parametrize("number", [INT_LIMIT + 1, -INT_LIMIT - 1, 10**30])
def test_numbers_beyond_the_limit_fail(number: int) -> None:
    assert reason(within, number) is Reason.RANGE


def test_colours_have_limits() -> None:
    assert (colour(COLOUR_MIN), colour(COLOUR_MAX)) == (-128, 127)
    assert reason(colour, COLOUR_MIN - 1) is Reason.RANGE
    assert reason(colour, COLOUR_MAX + 1) is Reason.RANGE


@pytest.mark.parametrize("why", Reason, ids=str)
def test_a_failure_has_a_reason_and_a_text(why: Reason) -> None:
    assert str(Failure(why)) == why.text
    assert len(why.text.split()) > 1


@pytest.mark.parametrize(
    ("adapt", "value", "expected"),
    [
        (as_number, 3, 3),
        (as_truth, 2, True),
        (as_truth, 0, False),
        (as_pair, (1, 2), (1, 2)),
        (as_grid, (), ()),
        (as_grid, ((), ()), ((), ())),
        (as_grid, ((1, 2), (3, 4)), ((1, 2), (3, 4))),
        (as_patch, ((1, 2), (1, 2)), frozenset({(1, 2)})),
        (as_patch, frozenset({(1, (2, 3))}), frozenset({(1, (2, 3))})),
        (as_patch, (), frozenset()),
    ],
)
def test_valid_arguments_are_converted(adapt: Any, value: Any, expected: Any) -> None:
    assert adapt(value) == expected
    assert type(adapt(value)) is type(expected)


@pytest.mark.parametrize(
    ("adapt", "value", "why"),
    [
        (as_number, None, Reason.NONE),
        (as_truth, None, Reason.NONE),
        (as_pair, (), Reason.NONE),
        (as_pair, (1,), Reason.SHAPE),
        (as_pair, (1, 2, 3), Reason.SHAPE),
        (as_pair, (1, None), Reason.NONE),
        (as_pair, (None,), Reason.NONE),
        (as_grid, ((1, 2), (3,)), Reason.SHAPE),
        (as_grid, ((1, 2), (None,)), Reason.NONE),
        (as_grid, ((None,),), Reason.NONE),
        (as_grid, ((1, None), (2, 3)), Reason.NONE),
        (as_grid, ((1, COLOUR_MAX + 1),), Reason.RANGE),
        (as_grid, ((COLOUR_MIN - 1,),), Reason.RANGE),
        (as_grid, ((),) * (SIDE_LIMIT + 1), Reason.BUDGET),
        (as_patch, ((1, 2), (1,)), Reason.SHAPE),
        (as_patch, ((1, 2, 3), ()), Reason.SHAPE),
        (as_patch, frozenset({(1, 2, 3), ()}), Reason.NONE),
        (as_patch, frozenset({(None, (1, 2))}), Reason.NONE),
        (as_patch, frozenset({(1, ())}), Reason.NONE),
        (as_patch, frozenset({(1, (2,))}), Reason.SHAPE),
    ],
)
def test_invalid_arguments_fail(adapt: Any, value: Any, why: Reason) -> None:
    assert reason(adapt, value) is why


@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [
        ("insert", ((0, 1), ((2, 3),)), frozenset({(0, 1), (2, 3)})),
        ("intersection", (((0, 1),), frozenset({(0, 1)})), frozenset({(0, 1)})),
        ("sizefilter", ((((0, 1), (0, 1)),), 1), frozenset({frozenset({(0, 1)})})),
        ("both", (2, 3), True),
        ("height", (((1, 2), (3, 4)),), 2),
    ],
)
def test_calls_adapt_their_arguments(name: str, args: tuple[Any, ...], expected: Any) -> None:
    result = PRIMITIVES[name](*args)
    assert result == expected
    assert type(result) is type(expected)


@pytest.mark.parametrize(
    ("name", "args", "why"),
    [
        ("maximum", ((1, None),), Reason.NONE),
        ("get_rank", ((None, 2), 0), Reason.NONE),
        ("branch", (None, 1, 2), Reason.NONE),
        ("celltuple", (((1,), ()), (1, 2)), Reason.SHAPE),
        ("celltuple", (((1, 1), ()), (1, 2)), Reason.NONE),
        ("toij", ((1, (2,)),), Reason.SHAPE),
        ("colorfilter", ((frozenset({(1, (0, 0))}), frozenset({(None, (0, 0))})), 1), Reason.NONE),
        ("a_mr", (((((1, 2),), ((1, 2), (3,))),),), Reason.SHAPE),
    ],
)
def test_elements_of_arguments_are_checked_too(name: str, args: tuple[Any, ...], why: Reason) -> None:
    assert reason(PRIMITIVES[name], *args) is why


def test_the_first_invalid_element_determines_the_reason() -> None:
    assert reason(PRIMITIVES["celltuple"], ((1, 2, 3), ()), (1, 2)) is Reason.SHAPE
    assert reason(PRIMITIVES["celltuple"], ((), (1, 2, 3)), (1, 2)) is Reason.NONE


def test_arguments_can_be_passed_by_name() -> None:
    assert PRIMITIVES["subtract"](b=1, a=3) == 2


def test_a_name_can_be_declared_once_only() -> None:
    def size(container: tuple[int, ...]) -> int:
        return len(container)

    before = PRIMITIVES["size"]
    with pytest.raises(ValueError, match="size is declared twice"):
        primitive(size)
    assert PRIMITIVES["size"] is before


def test_the_limit_holds_for_each_call_site() -> None:
    repeat = PRIMITIVES["repeat"]
    with metered(Meter(CALL + 9)) as meter:
        assert len(meter.call("here", repeat, 0, 6)) == 6
        assert len(meter.call("there", repeat, 0, 9)) == 9
        assert meter.total() == 2 * CALL + 15
        assert reason(meter.call, "here", repeat, 0, 6) is Reason.BUDGET


def test_scalars_cost_a_call() -> None:
    with metered(Meter(0)):
        assert reason(PRIMITIVES["size"], (1, 2, 3)) is Reason.BUDGET
    with metered(Meter(2 * CALL)):
        assert PRIMITIVES["add"]((1, 2), 3) == (4, 5)
        assert PRIMITIVES["size"]((1, 2, 3)) == 3
    with metered(Meter(CALL + 1)):
        assert PRIMITIVES["ulcorner"](frozenset({(1, 2)})) == (1, 2)


def test_a_meter_counts_only_within_its_context() -> None:
    with metered(Meter(1)):
        assert reason(PRIMITIVES["repeat"], 0, 2) is Reason.BUDGET
        with metered(Meter(CALL + 2)):
            assert PRIMITIVES["repeat"](0, 2) == (0, 0)
        assert reason(affordable, 2) is Reason.BUDGET
    affordable(LARGEST)
    assert reason(affordable, LARGEST + 1) is Reason.BUDGET


@pytest.mark.parametrize(
    "call",
    [
        lambda: PRIMITIVES["canvas"](0, (INT_LIMIT, INT_LIMIT)),
        lambda: PRIMITIVES["upscale"](((1, 2), (3, 4)), INT_LIMIT),
        lambda: PRIMITIVES["backdrop"](frozenset({(0, 0), (INT_LIMIT, INT_LIMIT)})),
        lambda: PRIMITIVES["repeat"](0, 100 * INT_LIMIT),
    ],
)
def test_values_that_would_be_too_large_are_not_created(call: Any) -> None:
    assert reason(call) is Reason.BUDGET


@given(values(set_of(record(INT, INT))))
def test_a_patch_of_positions_is_not_copied(patch: frozenset[Any]) -> None:
    assert as_patch(patch) is patch
    assert INDICES.element is record(INT, INT)
