"""The examples in docstrings and in the conformance file hold, and primitives return values of their types."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcloom.conform import ConformanceExample, Fault, read
from arcloom.dsl import CONSTANTS, PRIMITIVES, SPELLINGS
from arcloom.dsl.declare import Example, Meter, Primitive, metered, run_example
from arcloom.dsl.signature import rule
from arcloom.dsl.values import Failure
from arcloom.program.evaluate import ProgramFailure, evaluate
from arcloom.program.parse import parse_one
from strategies import arguments, belongs, typings

OBSERVED = read(Path(__file__).parents[1] / "conformance" / "primitives.jsonl")
FIRST_ORDER = [primitive for primitive in PRIMITIVES.values() if not primitive.higher_order]
BUDGET = 10_000


@pytest.mark.parametrize("primitive", PRIMITIVES.values(), ids=str)
def test_every_primitive_has_a_summary_and_examples(primitive: Primitive[..., Any]) -> None:
    assert primitive.summary.endswith(".")
    assert primitive.summary[0].isupper() or primitive.summary[0].isdigit()
    assert primitive.examples
    assert all(primitive.name in example.call for example in primitive.examples)


@pytest.mark.parametrize("example", [e for p in PRIMITIVES.values() for e in p.examples], ids=lambda e: e.text)
def test_example_holds(example: Example) -> None:
    if example.fails:
        with pytest.raises(Failure):
            run_example(example.call)
    else:
        assert run_example(example.call) == run_example(example.expected)


def test_wrong_examples_are_detected() -> None:
    assert run_example("add(1, 2)") != run_example("4")
    assert Example("add(1, 2) -> fails", "add(1, 2)", "fails").fails


def test_all_primitives_of_the_language_exist() -> None:
    names = {example.primitive for example in OBSERVED}
    assert len(names) == 160
    assert names <= PRIMITIVES.keys()


def _agrees(example: ConformanceExample) -> bool:
    try:
        value = evaluate(parse_one(example.program), example.inputs)
    except ProgramFailure:
        return isinstance(example.expected, Fault)
    return bool(value == example.expected)


@pytest.mark.parametrize("name", sorted({example.primitive for example in OBSERVED}))
def test_direct_evaluation_agrees_with_observations(name: str) -> None:
    examples = [example for example in OBSERVED if example.primitive == name]
    assert [example.line for example in examples if not _agrees(example)] == []


def test_names_of_primitives_constants_and_spellings_are_disjoint() -> None:
    assert PRIMITIVES.keys().isdisjoint(CONSTANTS)
    assert PRIMITIVES.keys().isdisjoint(SPELLINGS)
    assert CONSTANTS.keys().isdisjoint(SPELLINGS)
    assert set(SPELLINGS.values()) <= PRIMITIVES.keys()


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("size_f", "size"),
        ("merge_t", "merge"),
        ("recolor_i", "recolor"),
        ("hline_o", "hline"),
        ("f_ofcolor", "ofcolor"),
    ],
)
def test_a_spelling_means_its_primitive(spelling: str, name: str) -> None:
    assert SPELLINGS[spelling] == name


def test_a_primitive_is_not_replaced_by_a_spelling() -> None:
    assert "o_g_t" in PRIMITIVES
    assert "o_g_t" not in SPELLINGS


@pytest.mark.parametrize("primitive", FIRST_ORDER, ids=str)
@given(data=st.data())
def test_a_primitive_returns_a_value_of_its_type_or_fails(primitive: Primitive[..., Any], data: st.DataObject) -> None:
    types, args = data.draw(arguments(primitive))
    try:
        with metered(Meter(BUDGET)):
            value = primitive(*args)
    except Failure:
        return
    assert belongs(value, rule(primitive, types).result)


def test_every_first_order_primitive_accepts_some_types() -> None:
    assert [primitive.name for primitive in FIRST_ORDER if not typings(primitive)] == []
    assert len(FIRST_ORDER) > 130
