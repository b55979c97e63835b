"""The command that lists what candidates are scored with."""

from pathlib import Path
from typing import Annotated, Any

import typer

from arcloom.cli.app import Json, app, stop


@app.command()
def differs(
    file: Annotated[list[Path] | None, typer.Argument(metavar="[FILE]...", help="Files with more of them.")] = None,
    as_json: Json = False,
) -> None:
    """List the differs: programs that say how near an output is to the target.

    A differ gives a number from 0 to 1000, or a pair that begins with one. It reads C, the candidate output, and O, the
    target, and may read I and S. One that does not read O is run on both, and the nearer the numbers the better.

    \b
    Examples:
      arcloom differs
      arcloom differs mine.py --json
    """
    from arcloom.cli import output
    from arcloom.program.print import to_text
    from arcloom.search.loop.differs import DifferError, bundled, read

    try:
        found = [*bundled(), *(program for path in file or () for program in read(path))]
    except DifferError as error:
        raise stop(str(error), 2) from None
    listed: dict[str, Any] = {program.name: to_text(program) for program in found}
    output.show({"differs": listed} if as_json else "\n".join(listed.values()))
