"""Display of tasks, grids, programs and results: as HTML in notebooks, otherwise on the terminal.

In Jupyter, ``%load_ext arcloom`` also draws grids, which are plain tuples, if they are the value of a cell.
"""

import sys
from typing import Any

from arcloom.tasks.grid import is_grid
from arcloom.tasks.html import figures_html, value_html
from arcloom.tasks.task import Pair, Task


def show(*things: Any) -> None:
    """Show grids, tasks, pairs, programs, results and answers, or lists of them, in a notebook or on the terminal."""
    for thing in things:
        if "marimo" in sys.modules and _in_marimo():
            import marimo

            marimo.output.append(marimo.Html(html_of(thing)))
        elif _in_jupyter():
            from IPython.display import HTML, display

            display(HTML(html_of(thing)))  # type: ignore[no-untyped-call]
        else:
            _print(thing)


def html_of(thing: Any) -> str:
    """An HTML fragment for an object: its own ``_repr_html_``, a drawn grid, the elements of a list, or its text."""
    own = getattr(thing, "_repr_html_", None)
    if own is not None:
        return str(own())
    if is_grid(thing):
        return value_html(thing)
    if isinstance(thing, list | tuple) and thing and all(map(is_grid, thing)):
        return figures_html((str(i), grid) for i, grid in enumerate(thing))
    if isinstance(thing, list | tuple) and any(hasattr(part, "_repr_html_") for part in thing):
        return "".join(map(html_of, thing))
    return value_html(thing)


def _in_marimo() -> bool:
    import marimo

    return bool(marimo.running_in_notebook())


def _in_jupyter() -> bool:
    """Whether this is the kernel of a notebook, not IPython in a terminal."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")


def _print(thing: Any) -> None:
    from rich.console import Console

    Console(markup=False, highlight=False, emoji=False).print(_printable(thing))


def _printable(thing: Any) -> Any:
    """The text that Rich prints for an object."""
    from rich.console import Group

    from arcloom.program.term import Program
    from arcloom.tasks.draw import draw_task
    from arcloom.tasks.terminal import GridsRenderable

    match thing:
        case Task():
            return draw_task(thing)
        case Pair():
            return GridsRenderable([("input", thing.input), ("output", thing.output)])
        case Program():
            return str(thing)
        case list() | tuple() if thing and not is_grid(thing):
            return Group(*map(_printable, thing))
        case _:
            return GridsRenderable([("", thing)]) if is_grid(thing) else repr(thing)


def load_ipython_extension(shell: Any) -> None:
    """Make Jupyter draw grids. IPython calls this for ``%load_ext arcloom``."""
    formatter = shell.display_formatter.formatters["text/html"]
    formatter.for_type(tuple, lambda value: value_html(value) if is_grid(value) else None)
