"""The command ``differs``, which lists the programs that score candidates."""

from pathlib import Path
from typing import Annotated, Any

import typer

from arcloom.cli.app import Json, app, stop


@app.command()
def differs(
    file: Annotated[list[Path] | None, typer.Argument(metavar="[FILE]...", help="Files with more differs.")] = None,
    source: Annotated[bool, typer.Option("--source", help="Print the programs.")] = False,
    as_json: Json = False,
) -> None:
    """List the differs: programs that score how near an output is to the target.

    A differ returns a number from 0 to 1000, or a pair whose first element is one. It reads C, the candidate output,
    and O, the target, and may read I and S. A differ that does not read O runs on both grids, and the score is 1000
    minus the difference of the two numbers.

    \b
    Examples:
      arcloom differs
      arcloom differs --source
      arcloom differs mine.py --json
    """
    from rich.console import Group

    from arcloom.cli import output
    from arcloom.program.parse import source_of
    from arcloom.program.print import to_text
    from arcloom.search.loop.differs import DifferError, bundled, bundled_text, descriptions, read

    try:
        found = [*bundled(), *(program for path in file or () for program in read(path))]
    except DifferError as error:
        raise stop(str(error), 2) from None
    texts = [bundled_text(), *(source_of(path) for path in file or ())]
    described = {name: about for text in texts for name, about in descriptions(text).items()}
    listed: dict[str, Any] = {program.name: to_text(program) for program in found}
    if as_json:
        output.show({"differs": listed, "descriptions": described})
    elif source:
        output.show("\n".join(f"# {described.get(name, name)}\n{text}" for name, text in listed.items()))
    else:
        shown = output.table("differ", "reads", "score")
        for program in found:
            shown.add_row(program.name, ", ".join(program.inputs), described.get(program.name, ""))
        output.show(Group(shown, "'arcloom differs --source' prints the programs"))
