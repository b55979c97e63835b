"""The command that compares a device with examples."""

from typing import Annotated

import typer

from arcloom.cli.app import Device, Json, Limit, app
from arcloom.dsl.meter import DEFAULT_BUDGET
from arcloom.engine.devices import DEFAULT_DEVICE


@app.command()
def conform(
    file: Annotated[str, typer.Argument(metavar="FILE.jsonl", help="The examples, one a line.")],
    device: Device = DEFAULT_DEVICE,
    limit: Limit = DEFAULT_BUDGET,
    as_json: Json = False,
) -> None:
    """Compare what a device gives with examples, exactly.

    Each line of the file holds a program, its inputs, and what it must give or that it must fail.
    Exit code: 0 if all come out as expected, 1 if some do not, 2 if something could not be read.

    \b
    Examples:
      arcloom conform tests/conformance/primitives.jsonl
      arcloom conform primitives.jsonl --device reference --json
    """
    from arcloom.cli import output
    from arcloom.conform import conform

    report = conform(file, device, limit)
    output.show(output.conform_json(report) if as_json else output.conform_text(report))
    raise typer.Exit(1 if report.failed else 0)
