"""Fuzz program texts: each is parsed, or refused with an error that has a line, and no program ends the process."""

import random
import re
from collections import Counter
from functools import cache
from pathlib import Path

import arcloom.library
from arcloom import notices
from arcloom.dsl import CONSTANTS, PRIMITIVES
from arcloom.engine.run import run
from arcloom.program.parse import parse, read
from arcloom.program.print import to_text
from arcloom.program.refusal import ParseError
from arcloom.program.term import Program
from arcloom.program.trace_errors import REPORT
from common import Fault, main

BUDGET = 20_000
SAMPLES = [{"I": ((0, 2, 2), (1, 0, 0)), "S": ((((1, 0),), ((0, 1),)),), "C": ((3,),)}]
ODD = (
    "\0",
    "\t",
    "\\",
    "'",
    '"""',
    "#",
    "é",
    "\u2028",
    "\ud800",
    "\N{SNOWMAN}",
    "\r",
    "\x1b[31m",
    "lambda: ",
    "**",
    ":=",
)
PIECES = ("(", ")", ", ", " = ", "[0]", "[::-1]", "1000000", "-1", "def f(x):\n    return x\n", "for i in I:\n    ")
KEYWORDS = (
    "if True:\n    ",
    "return ",
    "else:\n",
    "not ",
    " in ",
    "{",
    "}",
    "range(10)",
    "power(",
    "compose(",
    "import os\n",
)
_TOKEN = re.compile(r"\w+|\s+|.")


@cache
def texts() -> tuple[str, ...]:
    """The texts to mutate: the definitions of the bundled programs."""
    folder = Path(arcloom.library.__file__).parent
    found = re.findall(
        r"^def solve_.*?(?=^\S|\Z)", "".join(f.read_text("utf-8") for f in folder.glob("*.py")), re.M | re.S
    )
    return tuple(found) or ("def solve(I):\n    x = rot90(I)\n    return hconcat(x, x)\n",)


def mutated(text: str, chance: random.Random) -> str:
    """The text with one change."""
    tokens = _TOKEN.findall(text) or [""]
    at, other = chance.randrange(len(tokens)), chance.randrange(len(tokens))
    match chance.randrange(8):
        case 0:
            tokens[at] = ""
        case 1:
            tokens[at], tokens[other] = tokens[other], tokens[at]
        case 2:
            tokens.insert(at, chance.choice((*ODD, *PIECES, *KEYWORDS)))
        case 3:
            tokens[at] = chance.choice((*PRIMITIVES, *CONSTANTS))
        case 4:
            tokens[at:at] = tokens[other : other + chance.randint(1, 20)]
        case 5:
            tokens[at] *= chance.choice((2, 50, 2_000))
        case 6:
            tokens[at:at] = _TOKEN.findall(chance.choice(texts()))[: chance.randint(1, 60)]
        case _:
            tokens[at] = chr(chance.randrange(0x110000))
    return "".join(tokens)


def case(chance: random.Random, counts: Counter[str]) -> None:
    """Parse a mutated text, and run its programs."""
    text = chance.choice(texts())
    for _ in range(chance.choice((1, 1, 2, 3, 10))):
        text = mutated(text, chance)[:200_000]
    counts["texts"] += 1
    for found in read(text):
        if isinstance(found, ParseError):
            counts["refused"] += 1
            if not 1 <= found.line <= text.count("\n") + text.count("\r") + 1:
                raise Fault(f"the error names line {found.line}: {found}")
        else:
            check(found, counts)


def check(program: Program, counts: Counter[str]) -> None:
    """Print the program, parse it again, and run it on the reference."""
    counts["programs"] += 1
    if parse(to_text(program))[-1] != program:
        raise Fault(f"the program changes when it is printed and read:\n{program}")
    before = len(notices._said)
    results = run([program], SAMPLES, device="reference", budget=BUDGET)
    counts["untyped"] += len(results.untyped)
    if len(notices._said) > before or any(REPORT in str(error) for error in results.untyped.values()):
        raise Fault(f"an error in arcloom: {results.untyped} {notices._said}\n{program}")


if __name__ == "__main__":
    main(case, __doc__)
