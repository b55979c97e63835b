"""Launchers for CUDA: every kernel in Numba's simulator against the reference, and some compiled without a device.

Run as a program, with the simulator switched on, this prints what the simulated device did.
"""

import ast
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from arcloom.conform import read
from arcloom.dsl import PRIMITIVES
from arcloom.dsl.declare import run_example
from arcloom.dsl.signature import type_of
from arcloom.dsl.values import Reason
from arcloom.engine.batt import Batt
from arcloom.engine.blame import blame
from arcloom.engine.columns import Reader, Words
from arcloom.engine.devices import reference
from arcloom.engine.devices.cpu import Cpu
from arcloom.engine.execute import Executor
from arcloom.engine.kernel import KERNELS, Kernel
from arcloom.engine.lane import Lane
from arcloom.engine.plan import Schedule
from arcloom.engine.results import RowFailure
from arcloom.engine.samples import Samples
from arcloom.engine.words import LOWEST, MASK, SIDE_BITS, SIDE_MASK
from arcloom.program.parse import ParseError, parse_one
from arcloom.program.term import Program

EXAMPLES = Path(__file__).parents[1] / "conformance" / "primitives.jsonl"

BUDGET = 5000
GRID = 2, 3
"""Few threads, so that each has several rows."""

SHOWN = 200

GAP = 4
CANARY = -77
"""Stands in all room that is taken, and in a gap behind the room of each row, where no row may write."""

MORE = """
equality((1, 2, 3), (1, 2, 4))
branch(3, 1, 2)
totuple(corner({(1, 2)}, 0))
add(totuple({1, 2}), 1)
astuple(4, (1, 2))
apply(first, {(3, (1, 2)), (4, (0, 1))})
apply(last, {(3, (1, 2)), (4, (0, 1))})
hmirror(vconcat(((1, 2),), ((3, 4),)))
rapply(combine(astuple(double, halve), astuple(increment, crement)), 3)
extract(astuple(double, increment), chain(even, maximum, rbind(apply, {1, 4})))(4)
argmax(astuple(double, halve), compose(maximum, rbind(apply, {1, 5})))(4)
argmin(astuple(double, halve), compose(maximum, rbind(apply, {1, 5})))(4)
combine({1, 2}, (3, 4))
colorfilter(({(1, (0, 0))}, {(2, (1, 1))}), 1)
get_common_rank({1, 2, 3}, 0)
canvas(0, (50, 100))
canvas(0, (49, 100))
canvas(0, (300, 300))
hsplit(canvas(0, (1, 4999)), 4999)
apply(lbind(apply, increment), insert(interval(0, 3000, 1), initset(interval(1, 3000, 1))))
canvas(first(set()), (1, 1))
apply(lbind(divide, 6), (3, 0, 2))
apply(increment, first(difference({(1, 2, 3)}, {(1, 2, 3)})))
extract((3, 0), compose(positive, lbind(divide, 6)))
extract((0, 3), compose(positive, lbind(divide, 6)))
"""
"""What neither the documentation nor the file of examples reaches: other kernels, failed arguments, the budget."""


def test_every_kernel_in_the_simulator(tmp_path: Path) -> None:
    pytest.importorskip("numba.cuda", reason="this Numba has no CUDA target")
    switches = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1", "ARCLOOM_CACHE": str(tmp_path)}
    ran = subprocess.run([sys.executable, __file__], env=os.environ | switches, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    summary = json.loads(ran.stdout)
    assert summary["different"] == []
    assert summary["never"] == []
    assert {"BUDGET", "EMPTY", "MISSING", "RANGE", "SHAPE"} <= set(summary["failures"])


@pytest.mark.parametrize("name", ["add_int_int", "hsplit_grid_int", "keep_list_int"])
def test_kernels_compile_without_a_device(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba_cuda", reason="needs the extra arcloom[cuda]")
    from numba.cuda.cudadrv import nvvm

    from arcloom.engine.cuda_launchers import heaps_of, ptx

    if not nvvm.is_available():  # type: ignore[no-untyped-call]
        pytest.skip("NVIDIA's compiler is not installed")
    monkeypatch.setenv("ARCLOOM_CACHE", str(tmp_path))
    kernel = next(kernel for kernel in _kernels() if kernel.name == name)
    for cc, target in (((7, 5), "sm_75"), ((8, 9), "sm_89")):
        text = ptx(kernel, cc)
        assert text.count(".visible .entry") == text.count(f".target {target}") == (2 if heaps_of(kernel) else 1)


def _kernels() -> list[Kernel]:
    return [kernel for variants in KERNELS.values() for kernel in variants]


# The device that is simulated


class Elements:
    """An array as row functions see it on a device: elements are ints, and there are none before the first."""

    def __init__(self, array: npt.NDArray[Any], *, written: bool = True) -> None:
        self.array = array
        self.shape = array.shape
        self.written = written

    def __getitem__(self, k: int) -> int:
        assert k >= 0
        return int(self.array[k])

    def __setitem__(self, k: int, element: int) -> None:
        assert k >= 0 and self.written
        self.array[k] = element


class Simulated(Cpu):
    """A device that launches kernels as CUDA does: count, scan, fill."""

    def __init__(self) -> None:
        super().__init__(1 << 22, 1 << 22)
        self.values: Counter[str] = Counter()

    def expand(self, containers: Words) -> tuple[Words, Words]:
        from arcloom.engine.cuda_launchers import cuda_expander

        count = int(_lengths(containers).sum())
        elements, parents = np.full(count, CANARY), np.full(count, CANARY)
        given = (self.heap, containers, _positions(containers), elements, parents)
        cuda_expander()[GRID](*map(Elements, given))
        return elements, parents

    def launch(self, kernel: Kernel, limit: int, types: Sequence[int], columns: Sequence[Words], count: int) -> Words:
        from arcloom.engine.cuda_launchers import cuda_launcher, heaps_of

        launcher, heaps = cuda_launcher(kernel), heaps_of(kernel)
        read = [*columns, _positions(columns[0])] if kernel.reduces else columns
        given = (limit, *types, *(Elements(column, written=False) for column in read))
        out = np.full(count, CANARY)
        needs = [np.full(count, CANARY) for _ in heaps]
        if launcher.measure is not None:
            launcher.measure[GRID](*self._heaps(written=False), *given, *map(Elements, needs), Elements(out))
        starts = [self._room(heap, need) for heap, need in zip(heaps, needs, strict=True)]
        launcher.fill[GRID](*self._heaps(written=True), *given, *map(Elements, starts), Elements(out))
        for heap, start, need in zip(heaps, starts, needs, strict=True):
            gaps = (start + need)[:, None] + np.arange(GAP)
            assert np.all(getattr(self, heap)[gaps] == CANARY), f"{kernel.name} wrote beyond its room"
        self.values[kernel.name] += int(np.count_nonzero(out >= LOWEST))
        self._state[3] = _produced(kernel, out)
        return out

    def _heaps(self, *, written: bool) -> tuple[Elements, Elements]:
        return Elements(self.heap, written=written), Elements(self.cells, written=written)

    def _room(self, heap: str, needs: Words) -> Words:
        """Where each row may write: the scan."""
        array, top = getattr(self, heap), ("heap", "cells").index(heap)
        room = needs + GAP
        ends: Words = self._state[top] + np.cumsum(room)
        assert np.all((needs >= 0) & (needs <= 4 * BUDGET + 4096) & (ends <= len(array)))
        if len(ends):
            array[self._state[top] : ends[-1]] = CANARY
            self._state[top] = ends[-1]
        return ends - room


def _lengths(containers: Words) -> Words:
    return np.where(containers >= LOWEST, containers & MASK, 0)


def _positions(containers: Words) -> Words:
    """Where the elements of each container begin among those of all."""
    lengths = _lengths(containers)
    return np.cumsum(lengths) - lengths


def _produced(kernel: Kernel, out: Words) -> int:
    """How many elements the rows have in all."""
    if kernel.words:
        return int(_lengths(out).sum())
    areas = ((out >> SIDE_BITS) & SIDE_MASK) * (out & SIDE_MASK)
    return int(areas[out >= LOWEST].sum()) if kernel.cells else 0


# What runs on it


class Lift(ast.NodeTransformer):
    """Makes the literals of a program inputs, and gives the inputs that it has names of their own."""

    def __init__(self, prefix: str, inputs: dict[str, Any]) -> None:
        self.prefix = prefix
        self.given = inputs
        self.inputs = {f"{prefix}{name}": value for name, value in inputs.items()}

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.Name):
            return ast.Name(f"{self.prefix}{node.id}") if node.id in self.given else node
        if isinstance(node, ast.expr) and _is_literal(node):
            name = f"{self.prefix}{len(self.inputs)}"
            self.inputs[name] = run_example(ast.unparse(node))
            return ast.Name(name)
        return self.generic_visit(node)


def _is_literal(node: ast.expr) -> bool:
    return all(part.id == "set" for part in ast.walk(node) if isinstance(part, ast.Name))


def _texts() -> Iterator[tuple[str, dict[str, Any]]]:
    """The texts of programs, and the inputs that they name."""
    for primitive in PRIMITIVES.values():
        yield from ((f"O = {example.call}", {}) for example in primitive.examples)
    yield from ((f"O = {expression}", {}) for expression in MORE.strip().splitlines())
    yield from ((example.program, dict(example.inputs)) for example in read(EXAMPLES))


def _programs() -> tuple[list[Program], dict[str, Any]]:
    """All programs, and the one sample that they run on."""
    programs: list[Program] = []
    sample: dict[str, Any] = {}
    for number, (text, inputs) in enumerate(_texts()):
        lift = Lift(f"v{number}_", inputs)
        try:
            programs.append(parse_one(ast.unparse(lift.visit(ast.parse(text)))))
        except ParseError:  # documentation may show what programs cannot say, such as sets of functions
            continue
        sample |= lift.inputs
    return programs, sample


def _ran(batt: Batt, sample: dict[str, Any], device: Simulated) -> dict[int, Any]:
    """What each program gives on the device: a value, or its failure."""
    samples = Samples([sample])
    samples.stay_above(len(batt.planner.store.words), len(batt.planner.store.cells))
    lane = Lane(device, batt.planner, batt.graph.root, 1, BUDGET)
    for node in batt.input_nodes:
        lane.values[node] = samples.column(node.data, node.type)
    for store in (batt.planner.store, samples.store):
        cells = np.frombuffer(bytes(store.cells), np.int8)
        device.load(np.array(store.words, np.int64), cells, store.words_at, store.cells_at)
    outputs = [traced.output for traced in batt.traced.values()]
    Executor(device, batt.planner, BUDGET).run(Schedule(batt.planner, [outputs]), [lane])
    return {p: _outcome(batt, p, lane, device) for p in batt.traced}


def _outcome(batt: Batt, p: int, lane: Lane, device: Simulated) -> Any:
    traced = batt.traced[p]
    word = int(lane.column(traced.output, batt.graph.root)[0])
    if word >= LOWEST:
        return Reader(device.heap, device.cells).value(word, traced.output.type)
    lines, reasons = blame(traced, lane)
    return RowFailure(p, 0, int(lines[0]), Reason(int(reasons[0])))


def main() -> None:
    programs, sample = _programs()
    inputs = {name: type for name, value in sample.items() if (type := type_of(value)) is not None}
    batt = Batt(programs, inputs)
    device = Simulated()
    results = _ran(batt, sample, device)
    right = reference.run(programs, [sample], [[0]] * len(programs), BUDGET, inputs).outcomes
    different = [
        {"program": str(programs[p]), "simulated": str(got)[:SHOWN], "reference": str(right.value(p, 0))[:SHOWN]}
        for p, got in results.items()
        if got != right.value(p, 0)
    ]
    failures = {got.reason.name for got in results.values() if isinstance(got, RowFailure)}
    never = [kernel.name for kernel in _kernels() if not device.values[kernel.name]]
    print(json.dumps({"different": different, "never": never, "failures": sorted(failures), "ran": len(results)}))


if __name__ == "__main__":
    main()
