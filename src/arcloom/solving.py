"""Solving a set of tasks with one call."""

from pathlib import Path
from typing import Any

from arcloom.search.session import Options, session
from arcloom.search.solve import Outcome, Settings


def solve(data: str | Path, out: str | Path, **settings: Any) -> Outcome:
    """Search for programs that solve tasks, and keep what is found in a store in the folder ``out``.

    ``data`` names the tasks as in ``load``. ``settings`` are those of ``arcloom.search.solve.Settings``, such as
    ``seconds=600`` or ``generations=3``. The outcome has the answers.
    """
    with session(Options(str(data), Settings(**settings), Path(out))) as search:
        return search.run()
