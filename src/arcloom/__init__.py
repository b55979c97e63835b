"""arcloom runs whole batches of ARC programs at once, exactly."""

from arcloom.engine.run import run
from arcloom.program.parse import ParseError, parse, parse_file
from arcloom.program.trace import TraceError, trace
from arcloom.tasks import load

__version__ = "0.1.0"

__all__ = ["ParseError", "TraceError", "__version__", "load", "parse", "parse_file", "run", "trace"]
