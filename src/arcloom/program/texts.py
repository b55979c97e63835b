"""Programs from texts that nobody has looked at, such as answers of language models."""

import re

from arcloom.program.parse import read
from arcloom.program.refusal import ParseError
from arcloom.program.term import Program
from arcloom.program.trace import STANDARD_INPUTS

SOLVER = "solve"
"""The names of solvers begin so."""

_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[ \t]*(\w*)[ \t]*$", re.MULTILINE)


def solver_in(text: str, task: str = "") -> Program | ParseError:
    """The program in a text that is meant to solve a task, or why there is none.

    That is ``solve_<task>``, or the last definition whose name begins with ``solve``, or the last one. Text around a
    fenced block of Markdown is not read. A single parameter that is no input of the language is the input grid.
    """
    found = read(unfenced(text))
    if len(found) == 1 and isinstance(found[0], Program):
        return as_solver(found[0])
    programs = [entry for entry in found if isinstance(entry, Program)]
    if not programs:
        errors = [entry for entry in found if isinstance(entry, ParseError)]
        return errors[0] if errors else ParseError("there is no program", file="<text>", line=1, column=1, text="")
    return as_solver(_chosen(programs, task))


def _chosen(programs: list[Program], task: str) -> Program:
    exact = [program for program in programs if task and program.name == f"{SOLVER}_{task}"]
    named = [program for program in programs if program.name.startswith(SOLVER)]
    return (exact or named or programs)[-1]


def as_solver(program: Program) -> Program:
    """The program with ``I`` for its only parameter that is no input of the language."""
    unknown = [name for name in program.inputs if name not in STANDARD_INPUTS]
    return program.with_input(unknown[0], "I") if len(unknown) == 1 and "I" not in program.inputs else program


def unfenced(text: str) -> str:
    """The last fenced block of Markdown with a definition in it, or the whole text. Lines keep their numbers."""
    if "```" not in text and "~~~" not in text:
        return text
    fences = [match.span() for match in _FENCE.finditer(text)]
    ends = [*(start for start, _ in fences[1:]), len(text)]
    blocks = [(start, end) for (_, start), end in zip(fences[::2], ends[::2], strict=False)]
    if not blocks:
        return text
    start, end = next((block for block in blocks[::-1] if "def " in text[slice(*block)]), blocks[-1])
    return "\n" * text.count("\n", 0, start) + text[start:end]
