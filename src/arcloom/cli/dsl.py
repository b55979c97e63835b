"""The command ``dsl``, which lists and explains the language."""

from typing import Annotated

import typer

from arcloom.cli import complete
from arcloom.cli.app import Json, app


@app.command()
def dsl(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME|WORD]...",
            help="A name of the language, or words to search for.",
            autocompletion=complete.names,
        ),
    ] = None,
    takes: Annotated[
        str | None, typer.Option(metavar="TYPE", help="Only primitives with an argument of this type.")
    ] = None,
    gives: Annotated[
        str | None, typer.Option(metavar="TYPE", help="Only primitives with a result of this type.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List the language, explain one of its names, or search it by name, word and type.

    \b
    Examples:
      arcloom dsl
      arcloom dsl objects
      arcloom dsl mirror
      arcloom dsl smallest colour
      arcloom dsl --takes patch --gives grid
      arcloom dsl --json
    """
    from arcloom.cli import language, output

    words = words or []
    if takes is None and gives is None and not words:
        everything = language.catalogue()
        output.show(everything if as_json else output.catalogue_text(everything))
    elif takes is None and gives is None and len(words) == 1 and language.is_name(words[0]):
        entry = language.explain(words[0])
        output.show(entry if as_json else output.entry_text(entry))
    else:
        found = language.search(words, takes, gives)
        output.show({"found": found} if as_json else output.found_text(found))
