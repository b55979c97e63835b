"""The fast parser of straight-line programs: its results equal those of the full parser."""

import re
from random import Random
from typing import Any

import pytest

from arcloom.library import bundled
from arcloom.program import straight as module
from arcloom.program.parse import ParseError, read, read_fully
from arcloom.program.print import to_text
from arcloom.program.straight import straight
from arcloom.program.term import Call, Function, Input, Literal, Program, Term


def form(found: Program | ParseError) -> Any:
    """The complete content of a program, in the order of its calls, for comparison."""
    assert isinstance(found, Program)
    calls = [
        (call.line, *(part_form(part, found.calls) for part in (call.function, *call.args))) for call in found.calls
    ]
    return found.name, found.inputs, calls, part_form(found.output, found.calls)


def part_form(part: Term, calls: tuple[Call, ...]) -> Any:
    match part:
        case Call():
            return calls.index(part)
        case Literal(value, text):
            return value, type(value), text
        case Function(primitive, text):
            return primitive, text
        case Input(name):
            return name
        case _:
            raise AssertionError(part)


def is_same(text: str) -> bool:
    """Whether the fast parser accepts a text; asserts that its result equals that of the full parser."""
    quickly = straight(text)
    if quickly is None:
        return False
    [slowly] = read_fully(text)
    assert form(quickly) == form(slowly), text
    assert quickly.calls == Program(quickly.name, quickly.inputs, quickly.output).calls
    return True


PLAIN = """def solve(I):
    x1 = objects(I, T, False, -1)
    x2 = rbind(shift, (1, -2))
    x3 = apply(x2, x1)
    x4 = crop(I, (0, 3), TWO_BY_TWO)
    O = replace(I, 3, 10)
    return O
"""


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        PLAIN.rstrip("\n"),
        PLAIN + "\n\n   # the end\n",
        "\n# a solver\nfrom dsl import *\nfrom constants import *\n\n\n" + PLAIN,
        PLAIN.replace("):\n", '):\n    """Crops: it\'s a docstring."""\n\n    # a comment\n', 1),
        PLAIN.replace("objects(I, T,", "objects(I,T,").replace("x3 = ", "x3="),
        PLAIN.replace("(I):", "(I: Grid) -> Grid:"),
        PLAIN.replace("(I):", "(S, I, C):"),
        PLAIN.replace("    return O", "    return vmirror(O)  # mirrored"),
        PLAIN.replace("return O", "return I"),
        PLAIN.replace("return O", "return rot90"),
        "def solve(x):\n    x = rot90(x)\n    x = rot90(x)\n    return x",
        "def solve(I):\n    match = rot90(I)\n    return match",
        "def solve(I):\n    f = I(I)\n    return f",
    ],
)
def test_straight_line_programs_take_the_fast_path(text: str) -> None:
    assert is_same(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "O = rot90(I)",
        "def solve(I):\n    rot90 = compose(vmirror, hmirror)\n    O = rot90(I)\n    return O",
        "def solve(ONE):\n    O = rot90(ONE)\n    return O",
        PLAIN + PLAIN,
        PLAIN.replace("\n", "\r\n"),
        "\ufeff" + PLAIN,
        PLAIN.replace("    return O\n", ""),
        PLAIN + "    x = rot90(I)\n",
        PLAIN + "x = 3\n",
        PLAIN.replace("objects", "objecs"),
        PLAIN.replace("objects(I, ", "objects("),
        PLAIN.replace("x1 =", "if ="),
        PLAIN.replace("x1 =", "__x ="),
        PLAIN.replace("x1 = objects", "x1 = T"),
        PLAIN.replace("x1 = objects", "x1 = lambda"),
        PLAIN.replace("-1", "-0"),
        PLAIN.replace("-1", "1000001"),
        PLAIN.replace("-1", "007"),
        PLAIN.replace("-1", "None_"),
        PLAIN.replace("x3 = apply", "\tx3 = apply"),
        PLAIN.replace("    x3", "     x3"),
        PLAIN.replace("x1", "\u00e4"),
        PLAIN.replace("x1", "\uff58"),
        PLAIN.replace("10", "\u0661"),
        PLAIN.replace("(I):", "(I, I):"),
        PLAIN.replace("(I):", "(I, if):"),
        PLAIN.replace("(I):", "(I=1):"),
        PLAIN.replace("solve", "rot90"),
        PLAIN.replace("solve", "len"),
        PLAIN.replace("solve", "class"),
        PLAIN.replace("objects(I", "solve(I"),
        PLAIN.replace("apply(x2", "apply(solve"),
        PLAIN.replace("apply(x2, x1)", "max(x1)"),
        PLAIN + "# \0",
        PLAIN.replace("I, 3, 10", "I, 3, *10"),
        PLAIN + " " * module.LONGEST,
    ],
)
def test_other_texts_are_left_to_the_parser(text: str) -> None:
    assert not is_same(text)


def test_line_caches_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT", 10)
    for k in range(100):
        assert straight(f"def solve{k}(I):\n    x{k} = replace(I, {k}, 3)\n    return x{k}\n") is not None
    assert max(len(module._lines), len(module._headers), len(module._calls)) <= 10


def test_bundled_programs_are_parsed_as_by_the_full_parser() -> None:
    found = [is_same(to_text(program)) for program in bundled()]
    assert sum(found) > 300


PIECES = (*"IOT3-(), =\n#:", "x1", "x2", "rot90", '"""', "return", "    ")


def mutated(text: str, rng: Random) -> str:
    """The text with some pieces deleted, inserted or moved."""
    parts = re.findall(r"\w+|\n|\s+|.", text)
    for _ in range(rng.randrange(1, 4)):
        k = rng.randrange(len(parts))
        kind = rng.randrange(3)
        if kind == 0:
            del parts[k]
        elif kind == 1:
            parts.insert(k, rng.choice((*PIECES, rng.choice(parts))))
        else:
            parts[k] = rng.choice((*PIECES, rng.choice(parts)))
    return "".join(parts)


def test_mutated_texts_are_parsed_as_by_the_full_parser() -> None:
    rng = Random(0)
    texts = [PLAIN, *(to_text(program) for program in bundled()[:60])]
    found = [is_same(mutated(rng.choice(texts), rng)) for _ in range(1500)]
    assert 50 < sum(found) < 1000


def test_read_uses_the_fast_path_and_reports_errors_of_the_full_parser() -> None:
    [program] = read(PLAIN)
    assert isinstance(program, Program) and "calls" in vars(program)
    [error] = read(PLAIN.replace("objects", "objecs"))
    assert isinstance(error, ParseError) and (error.line, error.column) == (2, 10)
