"""Executing PTX on the CPU: a module is translated to machine code, and its threads run one after the other."""

import ctypes
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from llvmlite import binding as llvm
from ptx import runtime
from ptx.parser import parse
from ptx.runtime import Fault, Word
from ptx.translate import module_text

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
    """A PTX module as machine code for this machine's CPU."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self.module = parse(text)
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine(opt=1, jit=True)
        module = llvm.parse_assembly(runtime.TEXT + module_text(self.module))
        module.verify()
        _simplify(module, machine)
        self._engine = llvm.create_mcjit_compiler(module, machine)
        self._engine.finalize_object()

    def entry(self, name: str) -> Any:
        """The entry point of a name, as a C function of a thread and of the bytes of its parameters."""
        function = self.module.functions[name]
        assert function.entry and len(function.params) == 1
        address = self._engine.get_function_address(f"ptx.{name}")
        return ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)(address)

    def raise_fault(self, thread: Any) -> None:
        """Raise the fault that a thread recorded."""
        line = int(thread[Word.LINE])
        fault, address = Fault(int(thread[Word.FAULT])), int(thread[Word.ADDRESS])
        raise ThreadFault(fault, line, self._lines[line - 1].strip(), address & (2**64 - 1))


class Launch:
    """The threads of a launch. ``allocations`` are the first addresses, ends and shadows of the global memory."""

    def __init__(
        self, simulator: Simulator, entry: str, shape: tuple[int, int], allocations: Iterable[Sequence[int]], number: int
    ) -> None:
        self._simulator, self._function, self._number = simulator, simulator.entry(entry), number
        self._bytes = simulator.module.functions[entry].params[0].size
        self._allocations = np.array(list(allocations), np.int64)
        self._local = np.zeros(LOCAL_SIZE + 16, np.int8)
        thread = self._thread = np.zeros(len(Word), np.int64)
        thread[Word.ALLOCATIONS], thread[Word.ALLOCATION_COUNT] = self._allocations.ctypes.data, len(self._allocations)
        thread[Word.LOCAL], thread[Word.LOCAL_SIZE] = -(-self._local.ctypes.data // 16) * 16, LOCAL_SIZE
        thread[Word.NCTAID], thread[Word.NTID] = shape

    def run(self, number: int, given: Any) -> None:
        """Run a thread with the words of its parameters. Raises ThreadFault."""
        assert given.nbytes == self._bytes, "a launch has the parameters that the entry point declares"
        thread = self._thread
        thread[Word.CTAID], thread[Word.TID] = divmod(number, int(thread[Word.NTID]))
        thread[Word.STAMP] = (self._number & 0x7FFF) << 16 | number + 1
        thread[Word.ACCESSES], thread[Word.LOCAL_TOP] = ENDLESS, 0
        if not self._function(thread.ctypes.data, given.ctypes.data):
            self._simulator.raise_fault(thread)


def _simplify(module: Any, machine: Any) -> None:
    """Turn the variables of registers into values, and remove what is not used."""
    passes = llvm.create_new_module_pass_manager()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    passes.add_dead_code_elimination_pass()
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))
