"""Reads the code blocks of documentation pages."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
NOT_RUN = "not run: "
"""Prefix of the titles of blocks that the tests do not run. The reason follows it."""

_BLOCK = re.compile(r'^```(\w*)(?: title="([^"]*)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced code block of a page."""

    language: str
    title: str
    text: str


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks_of(page: Path) -> list[Block]:
    """All code blocks of a page."""
    return [Block(*match) for match in _BLOCK.findall(text_of(page))]


def steps_of(session: str) -> Iterator[tuple[str, str]]:
    """The commands of a console session, each with its output."""
    for step in re.split(r"^\$ ", session, flags=re.MULTILINE):
        if step:
            command, _, printed = step.partition("\n")
            yield command, printed


def comparable(text: str) -> list[str]:
    """The lines of an output without times, which differ between runs, and without trailing spaces."""
    return [re.sub(r"\d+\.\d s\)$", "N s)", line.rstrip()) for line in text.rstrip().splitlines()]
