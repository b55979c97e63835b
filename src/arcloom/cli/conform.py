"""The command ``conform``, which runs conformance examples on a device."""

from typing import Annotated

import typer

from arcloom.cli.app import Device, Json, Limit, app
from arcloom.dsl.meter import DEFAULT_BUDGET
from arcloom.engine.devices import DEFAULT_DEVICE


@app.command()
def conform(
    file: Annotated[str, typer.Argument(metavar="FILE.jsonl", help="The examples, one per line.")],
    device: Device = DEFAULT_DEVICE,
    limit: Limit = DEFAULT_BUDGET,
    as_json: Json = False,
) -> None:
    """Run examples on a device and compare the results exactly.

    Each line of the file has a program, its inputs, and the expected value or failure.
    Exit code: 0 if all results are as expected, 1 if some are not, 2 if something cannot be read.

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
