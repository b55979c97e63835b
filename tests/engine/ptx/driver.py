"""Simulated GPUs that execute PTX."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from fake_gpu import FakeDriver

from arcloom.engine.devices.cuda import Cuda
from arcloom.engine.devices.gpu import Gpu
from arcloom.engine.devices.libcuda import Description, KernelFault
from arcloom.engine.entry_points import FOR_GPU
from arcloom.engine.kernel import Kernel
from arcloom.engine.machine.arrange import Plan
from arcloom.engine.machine.threads import Threads
from arcloom.engine.warm import ensure
from ptx.simulator import Launch, Simulator, ThreadFault

_MOST = len(Plan._fields) + Threads._fields.index("most")
"""The position of ``Threads.most`` in the parameters of an entry point."""


class PtxDriver(FakeDriver):
    """A driver whose GPUs execute the PTX of a simulator. With ``races`` it also finds races between threads."""

    def __init__(self, simulator: Simulator, *, races: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self._simulator, self._races = simulator, races
        self._shadows: dict[int, Any] = {}
        self._entries: list[str] = []
        self._launches = 0
        self.faults: list[ThreadFault] = []
        """The faults of threads."""

    def describe(self, ordinal: int) -> Description:
        version = self._simulator.module.target.removeprefix("sm_")
        return Description(f"PTX {ordinal}", (int(version[:-1]), int(version[-1])), self._multiprocessors, self._memory)

    def load(self, cubin: bytes, entries: Sequence[str]) -> list[int]:
        self._count("load")
        self._entries = list(entries)
        return list(range(len(entries)))

    def allocate(self, size: int) -> int:
        pointer = super().allocate(size)
        if self._races:
            self._shadows[pointer] = np.zeros(size, np.int64)  # two stamps for each byte
        return pointer

    def free(self, pointer: int) -> None:
        super().free(pointer)
        self._shadows.pop(pointer, None)

    def launch(self, function: int, blocks: int, threads: int, given: Any) -> None:
        """Run the threads of a launch in turn, each with one run at a time."""
        self._count("launch")
        self._launches += 1
        work = self._work(given)
        memory = [(at, at + size, self._shadow(at)) for at, (_, size) in self._allocated.items()]
        launch = Launch(self._simulator, self._entries[function], (blocks, threads), memory, self._launches)
        single = given.copy()
        single[_MOST] = 1
        for thread in self._turns(work, blocks * threads):
            try:
                launch.run(thread, single)
            except ThreadFault as fault:
                self.faults.append(fault)
                raise KernelFault(700, fault.kind.name, "cuLaunchKernel") from fault

    def _shadow(self, pointer: int) -> int:
        return int(self._shadows[pointer].ctypes.data) if self._races else 0


def ptx_cuda(driver: PtxDriver, number: Callable[[Kernel], int] | None = None, gpus: int = 1) -> Cuda:
    """The CUDA device with GPUs that execute PTX. ``number`` gives the numbers of kernels in it."""
    ensure((), entry_points=FOR_GPU)
    return Cuda([Gpu(driver, ordinal, lambda capability: b"", number) for ordinal in range(gpus)])
