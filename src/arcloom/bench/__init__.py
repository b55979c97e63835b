"""The benchmark: arcloom against an arc-dsl checkout (the peer), on the same inputs, in one run.

Results are compared first. Every ratio is the peer's time on one core divided by ours.
"""

from arcloom.bench.benchmark import BenchReport, bench
from arcloom.bench.checkout import BenchError

__all__ = ["BenchError", "BenchReport", "bench"]
