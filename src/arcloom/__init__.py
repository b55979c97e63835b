"""arcloom runs whole batches of ARC programs at once, exactly, and searches for programs that solve tasks."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from arcloom.engine.results import Results
from arcloom.engine.run import run
from arcloom.program.parse import ParseError, parse, parse_file
from arcloom.program.term import Program
from arcloom.program.trace import TraceError, trace
from arcloom.tasks import Task, load

if TYPE_CHECKING:
    from arcloom.cluster.solve import solve
    from arcloom.display import load_ipython_extension, show
    from arcloom.engine.batt import Batt
    from arcloom.engine.samples import Samples
    from arcloom.scoring import score

__version__ = "0.1.0"

__all__ = [
    "Batt",
    "ParseError",
    "Program",
    "Results",
    "Samples",
    "Task",
    "TraceError",
    "__version__",
    "load",
    "load_ipython_extension",
    "parse",
    "parse_file",
    "run",
    "score",
    "show",
    "solve",
    "trace",
]

_LATER = {
    "Batt": "arcloom.engine.batt",
    "Samples": "arcloom.engine.samples",
    "load_ipython_extension": "arcloom.display",
    "score": "arcloom.scoring",
    "show": "arcloom.display",
    "solve": "arcloom.cluster.solve",
}
"""Names that are imported when they are first used: they need the compiler or the search."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)
