"""arcloom runs batches of ARC programs at once, with exact results, and searches for programs that solve tasks."""

from importlib import import_module

TYPE_CHECKING = False  # type checkers treat it like typing.TYPE_CHECKING; importing typing here would take longer

if TYPE_CHECKING:
    from arcloom.cluster.solve import solve
    from arcloom.display import load_ipython_extension, show
    from arcloom.engine.batt import Batt
    from arcloom.engine.results import Results
    from arcloom.engine.run import run
    from arcloom.engine.samples import Samples
    from arcloom.program.parse import ParseError, parse, parse_file
    from arcloom.program.term import Program
    from arcloom.program.trace import TraceError, trace
    from arcloom.scoring import score
    from arcloom.tasks.load import load
    from arcloom.tasks.task import Task

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

_MODULES = {
    "Batt": "arcloom.engine.batt",
    "ParseError": "arcloom.program.parse",
    "Program": "arcloom.program.term",
    "Results": "arcloom.engine.results",
    "Samples": "arcloom.engine.samples",
    "Task": "arcloom.tasks.task",
    "TraceError": "arcloom.program.trace",
    "load": "arcloom.tasks.load",
    "load_ipython_extension": "arcloom.display",
    "parse": "arcloom.program.parse",
    "parse_file": "arcloom.program.parse",
    "run": "arcloom.engine.run",
    "score": "arcloom.scoring",
    "show": "arcloom.display",
    "solve": "arcloom.cluster.solve",
    "trace": "arcloom.program.trace",
}
"""The modules of the public names. A module is imported when one of its names is first used, so that the command
``arcloom`` handles Ctrl-C before it imports anything large."""


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(_MODULES[name]), name)
    globals()[name] = found
    return found
