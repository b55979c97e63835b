"""Output of commands: tables and text for people, or one JSON object for programs."""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import typer
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from arcloom import conform
from arcloom.cli.language import SPELLING_RULE
from arcloom.dsl.values import written

NAMED = 10
"""Maximum number of names that are printed in a list."""

SHORT = 60
"""Maximum number of characters of a value in a table."""

PIPED_WIDTH = 120
"""Width of tables if the output is not a terminal."""


def show(content: RenderableType | dict[str, Any]) -> None:
    """Print content to standard output; a dict is printed as JSON."""
    if isinstance(content, dict):
        typer.echo(json.dumps(content))
    else:
        width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else PIPED_WIDTH
        Console(width=width, markup=False, highlight=False, emoji=False).print(content, crop=False)


def conform_json(report: conform.ConformanceReport) -> dict[str, Any]:
    """The counts, and the examples with unexpected results."""
    return {
        "file": report.file,
        "device": report.device,
        "examples": report.examples,
        "primitives": report.primitives,
        "passed": report.passed,
        "failed": len(report.failed),
        "fallback_programs": len(report.fallback_programs),
        "seconds": round(report.seconds, 6),
        "bad": list(map(_mismatch_json, report.failed)),
    }


def _mismatch_json(mismatch: conform.Discrepancy) -> dict[str, Any]:
    example = mismatch.example
    return {
        "line": example.line,
        "primitive": example.primitive,
        "program": example.program,
        "inputs": {name: conform.encode(value) for name, value in example.inputs.items()},
        "expected": conform.encode(example.expected),
        "got": conform.encode(mismatch.got),
    }


def conform_text(report: conform.ConformanceReport) -> RenderableType:
    """A table of the examples with unexpected results, and a summary."""
    examples = f"{count(report.examples, 'example')} of {count(report.primitives, 'primitive')}"
    fallen = [f"{count(len(report.fallback_programs), 'program')} left to the reference"]
    return Group(
        *([_mismatches(report.failed)] if report.failed else []),
        *(fallen if report.fallback_programs else []),
        f"{report.passed:,} of {examples} pass ({report.device}, {report.seconds:.1f} s)",
    )


def _mismatches(failed: Sequence[conform.Discrepancy]) -> Table:
    shown = table("line", "primitive", "program", "inputs", "expected", "got")
    for mismatch in failed:
        example = mismatch.example
        inputs = ", ".join(f"{name} = {written(value)}" for name, value in example.inputs.items())
        row = (example.primitive, example.program, _short(inputs), _outcome(example.expected), _outcome(mismatch.got))
        shown.add_row(str(example.line), *row)
    return shown


def _outcome(outcome: Any) -> str:
    return outcome.message or "fails" if isinstance(outcome, conform.Fault) else _short(written(outcome))


def catalogue_text(catalogue: dict[str, Any]) -> RenderableType:
    """All primitives by family, the constants and the spellings."""
    constants = ", ".join(f"{name}={value}" for name, value in catalogue["constants"].items())
    parts = [part for family in catalogue["families"] for part in _family_lines(family)]
    return Group(*parts, _heading("constants"), _indented(constants), _heading("spellings"), _indented(SPELLING_RULE))


def _family_lines(family: dict[str, Any]) -> Iterator[RenderableType]:
    yield _heading(f"{family['family']}: {family['summary']}")
    for entry in family["primitives"]:
        yield from _entry_lines(entry)
    yield ""


def _entry_lines(entry: dict[str, Any]) -> Iterator[RenderableType]:
    if "value" in entry:
        yield _indented(f"{entry['name']} = {entry['value']}")
    else:
        yield _indented(entry["signature"])
        yield _indented(entry["summary"], 6)


def found_text(found: Sequence[dict[str, Any]]) -> RenderableType:
    """The names that a search found."""
    lines = [line for entry in found for line in _entry_lines(entry)]
    return Group(*lines, f"{count(len(found), 'name')}; 'arcloom dsl NAME' explains one, with examples")


def entry_text(entry: dict[str, Any]) -> RenderableType:
    """One primitive or constant."""
    if "value" in entry:
        return f"{entry['name']} = {entry['value']}"
    examples = [_indented(example) for example in entry["examples"]]
    spellings = f"also written {', '.join(entry['spellings'])}"
    return Group(_heading(entry["signature"]), entry["summary"], "", *examples, "", f"{spellings} ({entry['family']})")


def _heading(text: str) -> Text:
    return Text(text, style="bold")


def _indented(text: str, by: int = 2) -> RenderableType:
    return Padding.indent(text, by)


def table(*headings: str) -> Table:
    """An empty table without rules."""
    made = Table(box=None, padding=(0, 2, 0, 0))
    for heading in headings:
        made.add_column(heading, overflow="fold")
    return made


def count(number: int, thing: str) -> str:
    """A number with a noun, such as "1 task" or "2 tasks"."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def named(names: Sequence[str]) -> str:
    """The first names, and the number of omitted ones."""
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def _short(text: str) -> str:
    return text if len(text) <= SHORT else f"{text[: SHORT - 3]}..."
