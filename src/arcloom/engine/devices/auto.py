"""The device ``auto``: small jobs run on the reference, larger ones on the compiled engine.

Both give the same results, so only the time depends on the choice. To start the engine takes time: importing the
compiler, and compiling the kernels that are not in the cache. As long as the work done on the reference is less than
the work of starting the engine, a job runs on the reference. Then the engine runs it from the beginning.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from arcloom.dsl.signature import Type
from arcloom.dsl.work import PROBE, Allowance, Exhausted
from arcloom.engine.devices import reference
from arcloom.engine.results import Results, Sample
from arcloom.program.term import Program

if TYPE_CHECKING:
    from arcloom.engine.batt import Batt

KERNEL = 1_000_000
"""Units of work that take as long as compiling a kernel: half a second, because a kernel takes a second of processor
time on average and two cores share the kernels."""

ENTRANCE = 20_000_000
"""Units of work that take as long as compiling the entrance that runs programs: 10 s."""

_spent = 0
"""Work done on the reference since the engine last ran. It is counted over all jobs of the process, so that many
small jobs start the engine as one large job does."""


def run(
    programs: Sequence[Program],
    samples: Sequence[Sample],
    rows: Sequence[Sequence[int]],
    budget: int,
    inputs: Mapping[str, Type],
    typed_only: bool,
) -> Results:
    """See ``arcloom.engine.run.run``. ``Results.device`` says which device ran the job."""
    global _spent
    on_reference = partial(reference.run, programs, samples, rows, budget, inputs, typed_only)
    if not _engine_is_loaded():
        found = _within(PROBE, on_reference)
        if found is not None:
            return found
    from arcloom.engine.batt import Batt  # here, because importing the compiler takes its time

    batt = Batt.build(programs, inputs)
    found = _within(_compilation(batt), on_reference)
    if found is None:
        _spent = 0
        found = replace(batt.run(samples, rows=rows, budget=budget, typed_only=typed_only), device="cpu")
    return found


def _engine_is_loaded() -> bool:
    return "arcloom.engine.batt" in sys.modules


def _compilation(batt: "Batt") -> int:
    """The work of compiling what a batt needs and the cache does not have."""
    from arcloom.engine.compile.library import LIBRARY

    kernels = LIBRARY.missing(kernel.name for kernel in batt.planner.kernels)
    return KERNEL * len(kernels) + ENTRANCE * len(LIBRARY.missing(["run_tiles"]))


def _within(price: int, on_reference: Callable[..., Results]) -> Results | None:
    """The results of the reference; None if that would bring the work done there above the price of the engine."""
    global _spent
    if price <= _spent:
        return None
    allowance = Allowance(price - _spent)
    try:
        return replace(on_reference(allowance=allowance), device="reference")
    except Exhausted:
        return None
    finally:
        _spent += min(allowance.used, allowance.limit)
