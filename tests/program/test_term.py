"""Programs as terms: equality, digests, and the order of evaluation."""

import pytest

from arcloom.program.evaluate import ProgramFailure, evaluate
from arcloom.program.parse import lookup, parse_one
from arcloom.program.term import Call, Function, Input, Literal, Program, Term, walk
from golden import outcome as golden_outcome
from golden import programs, samples


def called(name: str, *args: Term, line: int = 0) -> Call:
    function = lookup(name)
    assert function is not None
    return Call(function, args, line)


def order(program: Program) -> list[str]:
    return [call.function.text for call in program.calls if isinstance(call.function, Function)]


@pytest.mark.parametrize(
    "other",
    [
        "def b(I):\n    z = palette(I)\n    w = asindices(I)\n    return astuple(size(z), size(w))\n",
        "def a(S, I, C):\n    y = asindices(I)\n    x = palette(I)\n    return astuple(size(x), size(y))\n",
        "O = astuple(size(palette(I)), size(asindices(I)))",
        "O = astuple(size_f(palette_t(I)), size_t(container=asindices(I)))",
        "u = rot90(I)\nx = palette(I)\nn = size(x)\nm = size(asindices(I))\nO = astuple(n, m)",
    ],
)
def test_programs_that_differ_only_in_spelling_and_order_are_equal(other: str) -> None:
    one = parse_one("def a(I):\n    x = palette(I)\n    y = asindices(I)\n    return astuple(size(x), size(y))\n")
    assert parse_one(other).digest == one.digest
    assert parse_one(other) == one
    assert hash(parse_one(other)) == hash(one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("O = rot90(I)", "O = rot270(I)"),
        ("O = rot90(I)", "O = rot90(C)"),
        ("O = rot90(I)", "O = rot90(rot90(I))"),
        ("O = subtract(ONE, TWO)", "O = subtract(TWO, ONE)"),
        ("O = identity(1)", "O = identity(True)"),
        ("O = identity((1, 2))", "O = identity((12, 2))"),
        ("O = identity((1, (2, 3)))", "O = identity(((1, 2), 3))"),
        ("O = apply(size, I)", "O = apply(palette, I)"),
        ("O = identity(rot90)", "O = rot90"),
        ("O = I", "O = C"),
        ("O = ONE", "O = TWO"),
    ],
)
def test_different_programs_are_not_equal(one: str, other: str) -> None:
    assert parse_one(one).digest != parse_one(other).digest
    assert parse_one(one) != parse_one(other)


def test_equal_constants_with_different_names_are_equal() -> None:
    assert parse_one("O = identity(THREE)") == parse_one("O = identity(GREEN)") == parse_one("O = identity(3)")
    assert parse_one("O = identity(UNITY)") == parse_one("O = identity((1, ONE))")


def test_equality_does_not_depend_on_sharing() -> None:
    assert parse_one("x = rot90(I)\nO = hconcat(x, x)") == parse_one("O = hconcat(rot90(I), rot90(I))")


def test_golden_programs_all_differ() -> None:
    assert len({program.digest for program in programs()}) == len(programs())


def test_a_program_does_not_equal_other_objects() -> None:
    assert parse_one("O = rot90(I)") != "O = rot90(I)"


def test_digests_do_not_change_from_run_to_run() -> None:
    """Stored results are found by digest."""
    assert parse_one("O = fill(I, THREE, ofcolor(I, ZERO))").digest == "c3406aa4cad29ac4bfbb77b08658022a"


def test_reads_are_the_inputs_that_the_output_depends_on() -> None:
    assert parse_one("def a(S, I, C):\n    return rot90(I)\n").reads == {"I"}
    assert parse_one("def a(S, I, C):\n    return astuple(S, I)\n").reads == {"S", "I"}
    assert parse_one("def a(S, I, C):\n    return C\n").reads == {"C"}
    assert parse_one("def a(S, I, C):\n    return ONE\n").reads == set()


def test_length_and_name() -> None:
    program = parse_one("def a(I):\n    x = rot90(I)\n    return hconcat(x, x)\n")
    assert len(program) == 2
    assert repr(program) == "<Program a: 2 calls>"


# Order of evaluation


def test_lines_are_evaluated_in_order() -> None:
    program = parse_one("a = palette(I)\nb = asindices(I)\nc = size(b)\nd = size_f(a)\nO = astuple(d, c)")
    assert order(program) == ["palette", "asindices", "size", "size_f", "astuple"]


def test_arguments_are_evaluated_from_left_to_right() -> None:
    program = parse_one("O = astuple(size(palette(I)), size_f(asindices(I)))")
    assert order(program) == ["palette", "size", "asindices", "size_f", "astuple"]


def test_each_call_is_evaluated_once() -> None:
    program = parse_one("x = rot90(I)\ny = hconcat(x, x)\nO = vconcat(y, hconcat(y, x))")
    assert order(program) == ["rot90", "hconcat", "hconcat", "vconcat"]


def test_unused_lines_are_left_out() -> None:
    assert order(parse_one("a = rot90(I)\nb = rot180(a)\nO = size(a)")) == ["rot90", "size"]


def _is_possible(program: Program) -> bool:
    """Whether all arguments of a call are evaluated before it."""
    done: set[int] = set()
    for call in program.calls:
        if any(isinstance(part, Call) and id(part) not in done for part in (call.function, *call.args)):
            return False
        done.add(id(call))
    return len(done) == len(program.calls)


def test_a_call_without_a_line_is_evaluated_after_its_arguments() -> None:
    first = called("palette", Input("I"), line=1)
    inserted = called("size", first)
    second = called("asindices", Input("I"), line=2)
    program = Program("a", ("I",), called("astuple", inserted, second, line=3))
    assert order(program) == ["palette", "size", "asindices", "astuple"]
    assert _is_possible(program)


def test_arguments_are_evaluated_first_even_if_their_lines_are_later() -> None:
    late = called("palette", Input("I"), line=9)
    early = called("size", late, line=1)
    other = called("height", Input("I"), line=5)
    program = Program("a", ("I",), called("astuple", early, other, line=2))
    assert order(program) == ["height", "palette", "size", "astuple"]
    assert _is_possible(program)
    assert evaluate(program, {"I": ((1, 2), (3, 4))}) == (4, 2)


def test_a_failure_in_an_inserted_term_has_the_line_of_the_term() -> None:
    spliced = called("first", called("ofcolor", Input("I"), Literal(7, "7"), line=40), line=41)
    program = Program("a", ("I",), called("astuple", called("height", Input("I"), line=1), spliced, line=2))
    with pytest.raises(ProgramFailure) as caught:
        evaluate(program, {"I": ((1,),)})
    assert caught.value.line == 41


def _spliced(program: Program, donor: Program) -> Program:
    """The program with the donor's output in place of its input."""
    moved: dict[int, Term] = {}

    def placed(term: Term) -> Term:
        return donor.output if isinstance(term, Input) else moved.get(id(term), term)

    for call in program.calls:
        moved[id(call)] = Call(placed(call.function), tuple(map(placed, call.args)), call.line)
    return Program(program.name, donor.inputs, placed(program.output))


def test_a_program_inserted_into_another_is_evaluated_in_topological_order() -> None:
    grids = [
        program
        for program in programs()
        if program.name in ("exchanged", "framed", "kaleidoscope", "covered", "turned")
    ]
    for outer in programs():
        if outer.inputs == ("I",):
            for donor in grids:
                program = _spliced(outer, donor)
                assert _is_possible(program)
                assert len(program) == len(outer) + (len(donor) if "I" in outer.reads else 0)


def test_a_program_inserted_into_another_is_their_composition() -> None:
    inner = next(program for program in programs() if program.name == "exchanged")
    for outer in programs():
        if outer.inputs != ("I",):
            continue
        for sample in samples().values():
            try:
                between = evaluate(inner, sample)
            except ProgramFailure:
                continue
            expected, found = golden_outcome(outer, {"I": between}), golden_outcome(_spliced(outer, inner), sample)
            if isinstance(expected, dict):
                assert found["fails"] == expected["fails"]
            else:
                assert found == expected


def test_walking_deep_terms_does_not_recurse() -> None:
    term: Term = Input("I")
    for _ in range(20_000):
        term = called("rot90", term)
    assert sum(1 for _ in walk(term)) == 20_000
    assert len(Program("deep", ("I",), term).digest) == 32
