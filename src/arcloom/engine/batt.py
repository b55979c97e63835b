"""The batt: many programs merged into one graph, ready to run on columns of samples."""

import time
from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from arcloom import collector
from arcloom.dsl.declare import DEFAULT_BUDGET
from arcloom.dsl.signature import GRID, ROWS, Type
from arcloom.engine.devices import reference
from arcloom.engine.given import programs_of, samples_of
from arcloom.engine.outputs import Outputs
from arcloom.engine.plan import Planner
from arcloom.engine.results import Results, Sample
from arcloom.engine.samples import Samples
from arcloom.engine.tables import Tables
from arcloom.engine.warm import ensure
from arcloom.engine.words import FAILED
from arcloom.engine.work import Job, in_lanes, work
from arcloom.program.graph import Graph, Node
from arcloom.program.term import Program
from arcloom.program.trace import STANDARD_INPUTS, Traced, TraceError, Tracer

if TYPE_CHECKING:
    from arcloom.engine.waves.device import Device


class Batt:
    """Programs merged by their common parts, ready to run on any samples.

    ``untyped`` are the programs that have no types, ``fallback`` those for which a kernel is missing: they are left to
    the reference.
    """

    def __init__(self, programs: Sequence[Program | str], inputs: Mapping[str, Type] = STANDARD_INPUTS) -> None:
        self.programs = programs = programs_of(programs)
        self.inputs = inputs
        self.graph = Graph()
        self.planner = Planner()
        self.untyped: dict[int, TraceError] = {}
        self.fallback: dict[int, str] = {}
        self.traced: dict[int, Traced] = {}
        self.grids: dict[int, Node] = {}
        start = time.perf_counter()
        tracer = Tracer(self.graph, inputs)
        with collector.paused():
            for p, program in enumerate(programs):
                self._trace(p, program, tracer)
            traced = time.perf_counter()
            tracer.forget()
            self._tabulate()
        self.seconds = {"trace": traced - start, "merge": time.perf_counter() - traced}

    @classmethod
    def build(cls, programs: Sequence[Program | str], inputs: Mapping[str, Type] = STANDARD_INPUTS) -> "Batt":
        """Trace and merge the programs, of which some may be texts."""
        return cls(programs, inputs)

    def _trace(self, p: int, program: Program, tracer: Tracer) -> None:
        try:
            traced = self.traced[p] = tracer.trace(program)
        except TraceError as error:
            self.untyped[p] = error.with_traceback(None)  # which holds this batt
            return
        if traced.output.type is ROWS:  # most often these rows are a grid
            self.grids[p] = tracer.coerce(traced.output, GRID)

    def _tabulate(self) -> None:
        """Write down what the machine needs to know."""
        self.tables = Tables(self.graph, self.planner)
        for p in list(self.traced) if self.planner.gaps else ():
            gap = self.planner.gap(self.outputs(p))
            if gap is not None:
                self.fallback[p] = str(gap)
                del self.traced[p]
        self.input_nodes = [self.graph.nodes[n] for n in self.tables.inputs]
        self.input_numbers = np.array(self.tables.inputs, np.int64)
        self.alone = {p for p, traced in self.traced.items() if traced.output.type is not GRID}
        steps: list[int] = []
        table: list[tuple[int, ...]] = []
        for p, traced in self.traced.items():
            first, grid = len(steps) // 2, self.grids.get(p, traced.output)
            steps += [word for line, node in traced.steps for word in (line, node.number)]
            table.append((traced.output.number, grid.number, grid.type is GRID, first, len(steps) // 2))
        self.programs_table = np.zeros((len(self.programs), 5), np.int64)
        if table:
            self.programs_table[list(self.traced)] = table
        self.steps_table = np.frombuffer(array("q", steps), np.int64).reshape(-1, 2)

    def outputs(self, p: int) -> list[Node]:
        """The nodes that must be computed for a program."""
        return [self.traced[p].output, *([self.grids[p]] if p in self.grids else [])]

    def run(
        self,
        samples: "Sequence[Sample] | Any",
        *,
        rows: Sequence[Sequence[int]] | None = None,
        budget: int = DEFAULT_BUDGET,
        threads: int | None = None,
        expected: str | None = None,
        devices: Sequence["Device"] | None = None,
        stay: bool = False,
        typed_only: bool = False,
    ) -> Results:
        """Run every program on every sample, or program p on the samples ``rows[p]`` only.

        Samples may be a Task, or grids by themselves, also as arrays.

        ``expected`` names an entry of the samples with the grid that is right: outputs are compared with it on the
        device (``Results.equal``). ``devices`` are those to run on instead of the CPU, such as
        ``find.open_devices("cuda")``; outputs ``stay`` there if only failures and what is equal are wanted.
        Programs that have no types are tried on the reference, unless ``typed_only`` are to run.
        """
        start = time.perf_counter()
        samples = samples_of(samples)
        chosen = rows if rows is not None else [range(len(samples))] * len(self.programs)
        if devices is not None:
            from arcloom.engine.on_devices import run_batt

            return run_batt(self, devices, samples, chosen, budget, expected, stay, typed_only)
        columned = Samples.of(samples)
        columned.stay_above(len(self.planner.store.words), len(self.planner.store.cells))
        inputs = np.empty((len(self.input_nodes), len(samples)), np.int64)
        for k, node in enumerate(self.input_nodes):
            inputs[k] = columned.column(node.data, node.type)
        wanted = np.full(len(samples), FAILED) if expected is None else columned.column(expected, GRID)
        encoded = time.perf_counter()
        ensure(self.planner.kernels, entrances=("run_lanes",))
        compiled = time.perf_counter()
        outputs = Outputs(len(self.programs))
        outputs.compared = expected is not None
        with collector.paused():
            shares = in_lanes(chosen, list(self.traced))
            work(Job(self, columned.store, inputs, budget, outputs, wanted), shares, threads)
        left = self.run_left(samples, chosen, budget, outputs, typed_only)
        seconds = {
            **self.seconds,
            "encode": encoded - start,
            "compile": compiled - encoded,
            "run": time.perf_counter() - compiled,
        }
        return Results(self.programs, left.rows, left.untyped, outputs, seconds, left.fallback)

    def run_left(
        self, samples: Sequence[Sample], rows: Sequence[Sequence[int]], budget: int, outputs: Outputs, typed_only: bool
    ) -> "Left":
        """Run on the reference what cannot run on a device."""
        for p in self.fallback:
            for s in rows[p]:
                outputs.set_value(p, s, reference.outcome(self.programs[p], p, s, samples[s], budget))
        untyped = dict(self.untyped)
        for p in () if typed_only else self.untyped:
            found = reference.outcomes_if_any(self.programs[p], p, samples, rows[p], budget)
            if found is not None:
                del untyped[p]
                for s, value in found.items():
                    outputs.set_value(p, s, value)
        fallen = [p for p in (*self.fallback, *self.untyped) if p not in untyped]
        ran = [() if p in untyped else rows[p] for p in range(len(self.programs))]
        return Left(ran, untyped, tuple(self.programs[p].name for p in fallen))


def build_and_run(
    programs: Sequence[Program], samples: Sequence[Sample], inputs: Mapping[str, Type] = STANDARD_INPUTS, **how: Any
) -> Results:
    """Run programs in a batt that is not needed again. See ``Batt.run`` for the rest of what can be given."""
    with collector.paused():
        return Batt(programs, inputs).run(samples, **how)


class Left(NamedTuple):
    """After the reference has helped: which samples programs ran on, which are untyped, and which fell back on it."""

    rows: Sequence[Sequence[int]]
    untyped: dict[int, TraceError]
    fallback: tuple[str, ...]
