"""The wording of docstrings, comments and pages: patterns that readers have to read twice are forbidden."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from documents import ROOT, text_of

SOURCES = sorted(
    file for folder in ("src", "tests", "benchmarks", "fuzz", "examples") for file in (ROOT / folder).rglob("*.py")
)
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "benchmarks" / "README.md"])

CODE = re.compile(r"``.*?``|`.*?`|\"[^\"]*\"|'[^']*'|\w+\(.*?\)|\w+_\w+|--[\w-]+", re.DOTALL)
"""Names and quotations, in which arc-dsl's spelling may stand."""

FORBIDDEN = re.compile(
    r"\b(so (many|much)|such a one|(comes|came) (about|out)|lets? go|what is known of|told apart|in vain)\b",
    re.IGNORECASE,
)
"""Vague phrases, for which there is a plain technical term."""

IN_THE_LANGUAGE = ("library", "operations")
"""Folders of programs: their comments may name functions of arc-dsl."""


def docstrings(text: str) -> Iterator[str]:
    """The docstrings of modules, classes, functions, constants and fields: all statements that are just a string."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


def comments(text: str) -> Iterator[str]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def prose(file: Path) -> list[str]:
    """The docstrings and comments of a source file, or the whole text of a page."""
    text = text_of(file)
    return [*docstrings(text), *comments(text)] if file.suffix == ".py" else [text]


def faults(texts: list[str], *, spelling: bool = True) -> list[str]:
    """The texts with a forbidden pattern."""
    found = [text for text in texts if re.match(r"(What|How many)\b", text) or FORBIDDEN.search(text)]
    american = [text for text in texts if spelling and re.search(r"\bcolor", CODE.sub("", text), re.IGNORECASE)]
    return found + american


@pytest.mark.parametrize("file", [*SOURCES, *PAGES], ids=lambda file: str(file.relative_to(ROOT)))
def test_prose_is_plain(file: Path) -> None:
    assert faults(prose(file), spelling=not set(file.parts) & set(IN_THE_LANGUAGE)) == []


def test_forbidden_patterns_are_found() -> None:
    bad = [
        "What it gives.",
        "How many there are.",
        "So many grids are shown.",
        "As it came out.",
        "The color of a cell.",
    ]
    good = ["The result.", "At most 3 grids.", "The colour that ``mostcolor`` gives, as in `color=red`.", "Whatever."]
    assert faults([*bad, *good]) == bad
