"""Executing PTX on the CPU: a module is translated to machine code, and its threads run one after the other."""

import ctypes
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from llvmlite import binding as llvm

from ptx import runtime
from ptx.parser import Module
from ptx.runtime import Fault, Word
from ptx.translate import FRAME_ALIGN, module_text

LOCAL_SIZE = 1 << 16
"""Bytes of local memory of a thread."""

ENDLESS = 1 << 40
"""Accesses to global memory after which a thread counts as endless."""


class ThreadFault(Exception):
    """A thread did something that a GPU reports as a fault, or that is a race."""

    def __init__(self, kind: Fault, line: int, text: str, address: int) -> None:
        super().__init__(f"{kind.name} at address {address:#x} in line {line} of the PTX: {text}")
        self.kind = kind


class Simulator:
    """Functions of a PTX module, and those that they call, as machine code for this machine's CPU."""

    def __init__(self, module: Module, functions: Iterable[str]) -> None:
        self.module = module
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine(opt=1, jit=True)
        compiled = llvm.parse_assembly(runtime.TEXT + module_text(module, functions))
        compiled.verify()
        _simplify(compiled, machine)
        self._engine = llvm.create_mcjit_compiler(compiled, machine)
        self._engine.finalize_object()

    def function(self, name: str) -> Any:
        """A function of the module as a C function of pointers to a thread, to the results and to the parameters."""
        function = self.module.functions[name]
        pointers = [ctypes.c_void_p] * (1 + len(function.results) + len(function.params))
        return ctypes.CFUNCTYPE(ctypes.c_bool, *pointers)(self._engine.get_function_address(f"ptx.{name}"))

    def raise_fault(self, thread: Any) -> None:
        """Raise the fault that a thread recorded."""
        line = int(thread[Word.LINE])
        fault, address = Fault(int(thread[Word.FAULT])), int(thread[Word.ADDRESS])
        raise ThreadFault(fault, line, self.module.lines[line - 1].strip(), address & (2**64 - 1))


class Launch:
    """The threads of a launch of a function.

    ``shape`` is the number of blocks and of threads in each. ``allocations`` are the first address, the end and the
    address of the shadow of each part of the global memory. ``number`` distinguishes launches.
    """

    def __init__(
        self, simulator: Simulator, name: str, shape: tuple[int, int], allocations: Iterable[Sequence[int]], number: int
    ) -> None:
        self._simulator, self._function, self._number = simulator, simulator.function(name), number
        self._sizes = [param.size for param in simulator.module.functions[name].params]
        self._allocations = np.array(list(allocations), np.int64)
        self._local = np.zeros(LOCAL_SIZE + FRAME_ALIGN, np.int8)
        thread = self._thread = np.zeros(len(Word), np.int64)
        thread[Word.ALLOCATIONS], thread[Word.ALLOCATION_COUNT] = self._allocations.ctypes.data, len(self._allocations)
        thread[Word.LOCAL] = -(-self._local.ctypes.data // FRAME_ALIGN) * FRAME_ALIGN
        thread[Word.LOCAL_SIZE] = LOCAL_SIZE
        thread[Word.NCTAID], thread[Word.NTID] = shape

    def run(self, number: int, *params: Any, results: Sequence[Any] = ()) -> None:
        """Run a thread with arrays as parameters, and arrays for its results. Raises ThreadFault."""
        assert [param.nbytes for param in params] == self._sizes, "these are the sizes that the function declares"
        thread = self._thread
        thread[Word.CTAID], thread[Word.TID] = divmod(number, int(thread[Word.NTID]))
        thread[Word.STAMP] = (self._number & 0x7FFF) << 16 | number + 1
        thread[Word.ACCESSES], thread[Word.LOCAL_TOP] = ENDLESS, 0
        if not self._function(thread.ctypes.data, *(each.ctypes.data for each in (*results, *params))):
            self._simulator.raise_fault(thread)
        assert thread[Word.LOCAL_TOP] == 0, "all frames are left"


def _simplify(module: Any, machine: Any) -> None:
    """Turn the variables of registers into values, and remove what is not used."""
    passes = llvm.create_new_module_pass_manager()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    passes.add_dead_code_elimination_pass()
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))
