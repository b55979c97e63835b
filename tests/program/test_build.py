"""Building terms: the canonical form depends only on the content of a program."""

from arcloom.library import bundled
from arcloom.program.build import INPUT, INPUTS, SHOWN, canonical, solver_name
from arcloom.program.parse import parse_one
from arcloom.program.print import to_text
from arcloom.program.term import Program, walk


def form(program: Program) -> str:
    return to_text(Program("solve_x", INPUTS, canonical(program.output)))


def test_the_canonical_form_ignores_order_sharing_spelling_and_names() -> None:
    one = parse_one("def a(I):\n    x = hmirror(I)\n    y = get_nth_t(p_g(I), F0)\n    return replace(x, y, ZERO)\n")
    other = parse_one("def b(S, I):\n    y = get_nth(p_g(I), 0)\n    z = hmirror_t(I)\n    return replace(z, y, F0)\n")
    assert one.digest == other.digest
    assert form(one) == form(other)
    twice = parse_one("O = hconcat(rot90(I), rot90(I))")
    once = parse_one("x = rot90(I)\nO = hconcat(x, x)")
    assert form(twice) == form(once)
    assert len(parse_one(form(twice))) == 2


def test_the_canonical_form_is_an_equal_program_and_idempotent() -> None:
    for program in bundled():
        text = form(program)
        again = parse_one(text)
        assert again.digest == program.digest
        assert form(again) == text


def test_inputs_are_shared_objects() -> None:
    """Mutations compare inputs by identity."""
    for text in ("O = hconcat(I, I)", "O = first(first(S))"):
        [first, *_] = walk(canonical(parse_one(text).output))
        assert first.args[0] in (INPUT, SHOWN)


def test_a_program_that_returns_its_input_is_canonical() -> None:
    assert form(parse_one("def a(I):\n    return I\n")) == "def solve_x(S, I, C):\n    return I\n"


def test_names_are_identifiers_for_any_task_id() -> None:
    for task in ("00d62c1b", "my-task", "a b", "x.y", "1", "naïve"):
        assert solver_name(task).isidentifier()


def test_functions_of_a_program_have_a_canonical_form() -> None:
    one = parse_one("def a(I):\n    return apply(lambda r: tuple(c + 1 for c in r), I)\n")
    other = parse_one("def b(I):\n    return apply(lambda row: tuple(x + 1 for x in row), I)\n")
    assert one.digest == other.digest
    again = parse_one(form(one))
    assert again.digest == one.digest
    assert again.evaluate({"I": ((1, 2), (3, 4))}) == ((2, 3), (4, 5))
