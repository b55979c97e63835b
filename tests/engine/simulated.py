"""Runs on Numba's CUDA simulator, as a program with the simulator switched on: it prints what came out as JSON.

``python simulated.py PART`` runs one of the functions in PARTS. Interpreted row functions need no compiler, so the host
as a device is tried here, too.
"""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import arcloom
from arcloom.conform import read
from arcloom.dsl.declare import DEFAULT_BUDGET
from arcloom.engine.batt import Batt
from arcloom.engine.columns import Store
from arcloom.engine.devices import reference
from arcloom.engine.devices.costs import Costs, Line
from arcloom.engine.devices.cuda import Cuda
from arcloom.engine.devices.driver import DeviceLost, DriverFull, Simulator
from arcloom.engine.devices.host import Host
from arcloom.engine.devices.hybrid import Hybrid
from arcloom.engine.fleet import FleetError, Job, Voyage, run_on
from arcloom.engine.kernel import Kernel
from arcloom.engine.outputs import Outputs
from arcloom.engine.results import Results, RowFailure
from arcloom.engine.samples import RESERVED, Samples
from arcloom.engine.selftest import BUDGET, SelfTest, selftest
from arcloom.engine.wave_launchers import heaps_of
from arcloom.engine.waves.device import Device
from arcloom.library import bundled
from arcloom.program.term import Program

EXAMPLES = Path(__file__).parents[1] / "conformance" / "primitives.jsonl"

Words = Any


# Devices


class Guarded(Cuda):
    """A simulated device that watches where kernels write: only to their own room, each row to its own part of it."""

    GAP = 4
    CANARY = -77

    def run_kernel(self, kernel: Kernel, step: str, count: int, *numbers: int) -> None:
        heaps = heaps_of(kernel)
        if step == "measure":
            super().run_kernel(kernel, step, count, *numbers)
            self._needs = [self._widened(start, count) for start in numbers[-1 - len(heaps) : -1]]
        elif heaps:
            self._fill(kernel, count, numbers, heaps)
        else:
            before = self._heap.copy()
            super().run_kernel(kernel, step, count, *numbers)
            self._unchanged(kernel, "heap", before, [(numbers[-1], count)])

    def _widened(self, start: int, count: int) -> Words:
        """Have each row be given more room than it asked for."""
        needs = self._heap[start : start + count].copy()
        assert np.all((needs >= 0) & (needs <= 4 * BUDGET + 4096))
        self._heap[start : start + count] += self.GAP
        return needs

    def _fill(self, kernel: Kernel, count: int, numbers: tuple[int, ...], heaps: tuple[str, ...]) -> None:
        starts, tops = numbers[-1 - 2 * len(heaps) : -1 - len(heaps)], numbers[-1 - len(heaps) : -1]
        arrays = {"heap": self._heap, "cells": self._cells}
        rooms = []
        for heap, start, top, needs in zip(heaps, starts, tops, self._needs, strict=True):
            total = int(self._heap[start + count])
            arrays[heap][top : top + total] = self.CANARY
            rooms.append((heap, top + self._heap[start : start + count] + needs, top, total))
        before = {name: array.copy() for name, array in arrays.items()}
        super().run_kernel(kernel, "fill", count, *numbers)
        for heap, ends, _, _ in rooms:
            gaps = ends[:, None] + np.arange(self.GAP)
            assert np.all(arrays[heap][gaps] == self.CANARY), f"{kernel.name} wrote beyond a row's room"
        for name in arrays:
            allowed = [(top, total) for heap, _, top, total in rooms if heap == name]
            own = [(numbers[-1], count)] if name == "heap" else []
            self._unchanged(kernel, name, before[name], allowed + own)

    def _unchanged(self, kernel: Kernel, name: str, before: Words, allowed: list[tuple[int, int]]) -> None:
        changed = (self._heap if name == "heap" else self._cells) != before
        for start, size in allowed:
            changed[start : start + size] = False
        assert not changed.any(), f"{kernel.name} wrote to {name} outside its room"


class Faulty(Simulator):
    """A simulated driver with a fault at a launch: the device is lost there, full from then on, or full once."""

    def __init__(self, fault: str, at: int) -> None:
        super().__init__(1 << 23)
        self.fault = fault
        self.left = at

    def launch(self, function: Any, blocks: int, threads: int, *arguments: Any, shared: int = 0) -> None:
        self.left -= 1
        if self.fault == "lost" and self.left < 0:
            raise DeviceLost("an injected fault")
        if (self.fault == "full" and self.left < 0) or (self.fault == "memory" and self.left == 0):
            raise DriverFull
        super().launch(function, blocks, threads, *arguments, shared=shared)


# Work


def library(count: int, cells: int) -> tuple[list[Program], list[dict[str, Any]]]:
    """Programs of the library whose tasks have a small input, and for each the smallest sample of its task."""
    dataset = arcloom.load("arcagi:training")
    programs: list[Program] = []
    samples: list[dict[str, Any]] = []
    for program in bundled():
        task = dataset[program.name.removeprefix("solve_")]
        pair = min(task.train, key=lambda pair: len(pair.input) * len(pair.input[0]))
        if len(pair.input) * len(pair.input[0]) <= cells and len(programs) < count:
            shown = tuple((each.input, each.output) for each in task.train)
            programs.append(program)
            samples.append({"I": pair.input, "S": shown, "C": pair.output, "O": pair.output})
    return programs, samples


def compared(
    devices: Sequence[Device], programs: list[Program], samples: list[dict[str, Any]], rows: list[list[int]]
) -> tuple[dict[str, Any], Voyage]:
    """Run programs on devices, and compare values, lines, reasons and equality with the reference."""
    batt = Batt(programs)
    outputs = Outputs(len(programs))
    voyage = run_on(devices, Job(batt, Samples(samples), DEFAULT_BUDGET, "O"), rows, outputs)
    right = reference.run(programs, samples, rows, DEFAULT_BUDGET, batt.inputs).outcomes
    different, failures = [], 0
    for p in batt.traced:
        held = sorted(int(sample) for stretch in outputs.stretches[p] for sample in stretch.samples)
        assert held == sorted(rows[p]), f"{programs[p].name} has rows {held}, not {rows[p]}"
        for s in rows[p]:
            got, expected = outputs.value(p, s), right.value(p, s)
            failures += isinstance(expected, RowFailure)
            if got != expected or outputs.equal(p, s) != (expected == samples[s]["O"]):
                different.append(f"{programs[p].name} on {s}: {str(got)[:100]}, not {str(expected)[:100]}")
    summary = {"programs": len(batt.traced), "different": different, "failures": failures}
    return summary | {"evidence": [one.as_json() for one in voyage.evidence], "notes": voyage.notes}, voyage


def neighbours(count: int) -> list[list[int]]:
    """Each program on its own sample and on the next one's."""
    return [[p, (p + 1) % count] for p in range(count)]


# Parts


def told(test: SelfTest) -> dict[str, Any]:
    different = [f"{one.program}: {one.device}, not {one.reference}" for one in test.different]
    return {"programs": test.programs, "never": test.never, "different": different, "failures": test.failures}


def kernels_simulated() -> dict[str, Any]:
    device = Guarded(driver=Simulator(1 << 23))
    return told(selftest(device)) | {"evidence": device.reports()[0].as_json()}


def kernels_interpreted() -> dict[str, Any]:
    more = [(example.program, dict(example.inputs)) for example in read(EXAMPLES)]
    return told(selftest(Host(1 << 22, 1 << 22), more))


def library_simulated() -> dict[str, Any]:
    programs, samples = library(48, 20)
    return compared([Cuda(driver=Simulator(1 << 24))], programs, samples, neighbours(len(programs)))[0]


def library_interpreted() -> dict[str, Any]:
    programs, samples = library(400, 200)
    return compared([Host(1 << 22, 1 << 22)], programs, samples, neighbours(len(programs)))[0]


def hybrid() -> dict[str, Any]:
    """Two hosts, one of which is said to be a device that is slow to begin with and fast on many rows."""
    device = Host(1 << 22, 1 << 22, "device")
    host = Host(1 << 22, 1 << 22, "host", device.room)
    costs = Costs(Line(1e-6, 1e-6, 0), Line(1e-4, 1e-8, 0), Line(0, 1e-7, 1e-10))
    both = Hybrid(host, device, costs)
    programs, samples = library(60, 120)
    summary, _ = compared([both], programs, samples, neighbours(len(programs)))
    return summary | {"moves": both.moves}


def fleet() -> dict[str, Any]:
    """Four devices: one is lost while it works, one is full once, one for good, one is well. Then all run again."""
    drivers = [Simulator(1 << 23), Faulty("lost", 40), Faulty("memory", 40), Faulty("full", 40)]
    devices = [Cuda(k, driver) for k, driver in enumerate(drivers)]
    programs, samples = library(12, 12)
    first = compared(devices, programs, samples, [list(range(4))] * len(programs))[0]
    again = compared(devices, programs[:2], samples, [[0]] * 2)[0]
    return first | {"again": again}


def lost_fleet() -> dict[str, Any]:
    devices = [Cuda(k, Faulty("lost", 10)) for k in range(2)]
    programs, samples = library(4, 12)
    try:
        compared(devices, programs, samples, neighbours(len(programs)))
    except FleetError as error:
        return {"error": str(error)}
    return {"error": None}


def scored() -> dict[str, Any]:
    """Real programs and what is expected of them: outputs that stay on a device, and outputs that come back."""
    programs, samples = library(24, 16)
    rows = neighbours(len(programs))
    device = Cuda(driver=Simulator(1 << 24))
    batt = Batt(programs)
    moved, stayed = (batt.run(samples, rows=rows, expected="O", devices=[device], stay=stay) for stay in (False, True))
    runs = [(p, s) for p in batt.traced for s in rows[p]]
    right = reference.run(programs, samples, rows, DEFAULT_BUDGET, batt.inputs)
    equal = [(p, s) for p, s in runs if right.output(p, s) == samples[s]["O"]]
    failed = [(p, s) for p, s in runs if right.failure(p, s) is not None]
    return {
        "equal": len(equal),
        "different": [
            run
            for run in runs
            for got in (moved, stayed)
            if got.equal(*run) != (run in equal) or (run in failed and got.failure(*run) != right.failure(*run))
        ],
        "values": sum(run not in failed and _has_value(stayed, *run) for run in runs),
        "bytes": [sum(one.bytes_from_device for one in got.evidence) for got in (moved, stayed)],  # type: ignore[attr-defined]
    }


def _has_value(results: Results, p: int, s: int) -> bool:
    try:
        results.output(p, s)
    except ValueError:
        return False
    return True


def small_memory() -> dict[str, Any]:
    """A device on which not all work fits at once."""
    programs, samples = library(16, 16)
    device = Host(5 << 14, 5 << 14)
    summary, _ = compared([device], programs, samples, [list(range(len(samples)))] * len(programs))
    return summary | {"resets": device.room.era}


def tiny_memory() -> dict[str, Any]:
    """A device on which a single run may not fit: there is hardly anything above what belongs to the batt."""
    programs, samples = library(12, 16)
    device = Host(RESERVED + 1080, RESERVED + 6000)
    return compared([device], programs, samples, neighbours(len(programs)))[0]


def columns() -> dict[str, Any]:
    """What devices do with columns, compared with NumPy: scans over several levels of tiles among it."""
    random = np.random.default_rng(0)
    wrong: list[str] = []
    for device in (Cuda(driver=Simulator(1 << 22)), Host(1 << 16, 1 << 16)):
        device.load([Store()], [7])
        for count in (0, 1, 2, 7, 8, 9, 16, 63, 64, 65, 130):
            words = random.integers(-3, 4, count)
            column = device.column(words)
            rows = random.permutation(count)[: count // 2]
            named = device.column(rows)
            scanned = device.new(count + 1)
            device.write(scanned.start, words)
            device.scan(scanned.start, count)
            changed = device.dense(device.concat([device.constant(5, 1), column])).rows(1, count)
            device.put(changed, named, device.constant(7, len(rows)))
            expected = words.copy()
            expected[rows] = 7
            checks = {
                "scan": (device.host(scanned), np.concatenate([[0], np.cumsum(words)])),
                "take": (device.host(device.take(column, named)), words[rows]),
                "put": (device.host(changed), expected),
                "rows_with": (device.host(device.rows_with(column, 2)), np.flatnonzero(words == 2)),
                "dense": (device.host(device.dense(device.constant(9, count))), np.full(count, 9)),
            }
            for name, (got, right) in checks.items():
                if got.tolist() != right.tolist():
                    wrong.append(f"{device.name}: {name} of {count}")
    return {"wrong": wrong}


PARTS: dict[str, Callable[[], dict[str, Any]]] = {
    part.__name__: part
    for part in (
        kernels_simulated,
        kernels_interpreted,
        library_simulated,
        library_interpreted,
        hybrid,
        fleet,
        lost_fleet,
        scored,
        small_memory,
        tiny_memory,
        columns,
    )
}


if __name__ == "__main__":
    print(json.dumps(PARTS[sys.argv[1]]()))
