"""Merges many programs into one graph, and makes the tables that the interpreter reads."""

import time
from collections.abc import Mapping, Sequence
from typing import Self

from arcloom import collector
from arcloom.dsl.signature import GRID, ROWS, Type
from arcloom.engine.arguments import programs_of
from arcloom.engine.machine.arrange import PROGRAM, STEP
from arcloom.engine.plan import Planner
from arcloom.engine.tables import Tables
from arcloom.program.graph import Graph, Node
from arcloom.program.term import Program
from arcloom.program.trace import STANDARD_INPUTS, Step, Traced, TraceError, Tracer


class MergedPrograms:
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
    def build(cls, programs: Sequence[Program | str], inputs: Mapping[str, Type] = STANDARD_INPUTS) -> Self:
        """Trace and merge the programs, of which some may be texts."""
        return cls(programs, inputs)

    def _trace(self, p: int, program: Program, tracer: Tracer) -> None:
        try:
            traced = self.traced[p] = tracer.trace(program)
        except TraceError as error:
            self.untyped[p] = collector.let_go(error)
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
        self.alone = {p for p, traced in self.traced.items() if traced.output.type not in (GRID, ROWS)}
        steps: list[Step] = []
        table: list[tuple[int, ...]] = []
        for p, traced in self.traced.items():
            first, grid = len(steps), self.grids.get(p, traced.output)
            steps += traced.steps
            table.append((traced.output.number, grid.number, grid.type is GRID, first, len(steps)))
        rows = PROGRAM.table(len(self.programs))
        if table:
            rows.rows[list(self.traced)] = table
        self.programs_table = rows.words
        lines = STEP.table(len(steps))
        lines["line"] = [line for line, _ in steps]
        lines["node"] = [node.number for _, node in steps]
        self.steps_table = lines.words

    def outputs(self, p: int) -> list[Node]:
        """The nodes that must be computed for a program."""
        return [self.traced[p].output, *([self.grids[p]] if p in self.grids else [])]
