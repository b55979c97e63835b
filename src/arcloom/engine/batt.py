"""``Batt``: programs that are merged once and run many times."""

from collections.abc import Sequence
from typing import Any

from arcloom.dsl.declare import DEFAULT_BUDGET
from arcloom.engine.arguments import samples_of
from arcloom.engine.devices import device_of
from arcloom.engine.devices.base import Job, Programs
from arcloom.engine.merged import MergedPrograms
from arcloom.engine.results import Results, Sample


class Batt(MergedPrograms):
    """Programs merged into one graph, ready to run on any samples and any device."""

    def run(
        self,
        samples: "Sequence[Sample] | Any",
        *,
        rows: Sequence[Sequence[int]] | None = None,
        budget: int = DEFAULT_BUDGET,
        threads: int | None = None,
        typed_only: bool = False,
        device: str = "cpu",
    ) -> Results:
        """Run every program on every sample, or program p on the samples ``rows[p]`` only.

        ``samples`` may be a Task, or grids, also as arrays. Programs without types are tried on the reference, unless
        ``typed_only``. Every run encodes its samples; pass ``Samples`` to encode them only once.
        """
        given = samples_of(samples)
        chosen = rows if rows is not None else [range(len(given))] * len(self.programs)
        programs = Programs(self.programs, self.inputs)
        programs.__dict__["batt"] = self  # fill the cached property
        return device_of(device).execute(programs, Job(given, chosen, budget, typed_only, threads))
