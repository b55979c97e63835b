"""Programs as data: parsing, printing, tracing and simplifying."""

from arcloom.program import (  # noqa: F401  (these modules register themselves)
    choosing,
    comparing,
    dialect,
    evaluate,
    parse,
    print,
    python_functions,
)
