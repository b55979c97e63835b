"""arcloom runs whole batches of ARC programs at once, exactly, and searches for programs that solve tasks."""

from typing import TYPE_CHECKING, Any

from arcloom.engine.run import run
from arcloom.program.parse import ParseError, parse, parse_file
from arcloom.program.trace import TraceError, trace
from arcloom.tasks import load

if TYPE_CHECKING:
    from arcloom.cluster.solve import solve

__version__ = "0.1.0"

__all__ = ["ParseError", "TraceError", "__version__", "load", "parse", "parse_file", "run", "solve", "trace"]


def __getattr__(name: str) -> Any:
    """Import ``solve`` when it is first used: it needs the compiler, whose import takes time."""
    if name == "solve":
        from arcloom.cluster.solve import solve

        return solve
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
