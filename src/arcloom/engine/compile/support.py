"""The functions of ``machine.calls`` in LLVM IR, for each kind of processor.

Numba translates the interpreter once, with calls of these external functions, which LLVM inlines. They are the only
difference between processors. On a CPU a launcher is called by its address; on a GPU, where the host does not know
addresses, by its number. Numba's functions without a result return a pointer.
"""

from collections.abc import Sequence
from typing import Any

from numba import types

from arcloom.engine.pointer import LAUNCHER


def text(gpu: bool) -> str:
    """The functions for a kind of processor. For GPUs ``call_by_number`` is added when all launchers are known."""
    return _GPU if gpu else _CPU + _call_by_address()


def _parameters() -> list[str]:
    """The parameters of a launcher."""
    return [f"{_llvm(kind)} %p{k}" for k, kind in enumerate(LAUNCHER.args)]


def _llvm(kind: Any) -> str:
    return "ptr" if isinstance(kind, types.CPointer) else f"i{kind.bitwidth}"


def _call_by_address() -> str:
    """A function that calls the launcher at an address."""
    given = ", ".join(_parameters())
    return f"""
define ptr @arcloom_launch(i64 %kernel, {given}) alwaysinline {{
  %launcher = inttoptr i64 %kernel to ptr
  call void %launcher({given})
  ret ptr null
}}
"""


def call_by_number(launchers: Sequence[str]) -> str:
    """A function that calls the launcher with a number: its position in the list."""
    given = ", ".join(_parameters())
    declared = "\n".join(f'declare void @"{name}"({given})' for name in launchers)
    choices = " ".join(f"i64 {k}, label %case{k}" for k in range(len(launchers)))
    cases = "\n".join(f'case{k}:\n  call void @"{name}"({given})\n  br label %end' for k, name in enumerate(launchers))
    return f"""
{declared}

define ptr @arcloom_launch(i64 %kernel, {given}) {{
  switch i64 %kernel, label %end [ {choices} ]
{cases}
end:
  ret ptr null
}}
"""


def gpu_entry(name: str, function: str, given: int) -> str:
    """A function that can be launched on a GPU. It takes an array of words and calls a function with a pointer to it.

    The array is passed by value, so it is in constant memory and takes no registers.
    """
    return f"""
declare i64 @"{function}"(ptr)

define ptx_kernel void @"{name}"(ptr byval([{given} x i64]) align 8 %given) {{
  %result = call i64 @"{function}"(ptr %given)
  ret void
}}
"""


_CPU = """
define i64 @arcloom_clock(i64 %address) alwaysinline {
  %time = alloca [2 x i64]
  %read = inttoptr i64 %address to ptr
  %status = call i32 %read(i32 1, ptr %time)
  %behind = getelementptr i64, ptr %time, i64 1
  %seconds = load i64, ptr %time
  %nanoseconds = load i64, ptr %behind
  %whole = mul i64 %seconds, 1000000000
  %sum = add i64 %whole, %nanoseconds
  ret i64 %sum
}

define i64 @arcloom_thread() alwaysinline {
  ret i64 0
}
"""

_GPU = """
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

define i64 @arcloom_clock(i64 %address) alwaysinline {
  ret i64 0
}

define i64 @arcloom_thread() alwaysinline {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %before = mul i32 %block, %size
  %number = add i32 %before, %thread
  %wide = zext i32 %number to i64
  ret i64 %wide
}
"""
