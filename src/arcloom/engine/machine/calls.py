"""Calls of C functions by address, which the interpreter makes on the CPU.

On CUDA a generated module takes the place of this one: see ``compile/cuda``.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _callable(function: Any) -> Any:
    """The function as an intrinsic, which is called without the typing context."""
    return intrinsic(function)


@_callable
def launch(
    typing_context: Any, kernels: Any, kernel: Any, words: Any, cells: Any, state: Any, orders: Any
) -> Any:
    """Call the launcher whose address is in ``kernels`` at the position ``kernel``."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = builder.load(builder.gep(args[0], [args[1]]))
        function = ir.FunctionType(ir.VoidType(), [arg.type for arg in args[2:]])
        builder.call(builder.inttoptr(address, function.as_pointer()), args[2:])
        return context.get_dummy_value()

    return types.void(kernels, types.int64, words, cells, types.int64, types.int64), code


@_callable
def read_clock(typing_context: Any, address: Any, words: Any, at: Any) -> Any:
    """The time in nanoseconds of the C library's ``clock_gettime`` at this address, which overwrites two words."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        time = builder.gep(args[1], [args[2]])
        function = ir.FunctionType(ir.IntType(32), [ir.IntType(32), time.type])
        monotonic = ir.Constant(ir.IntType(32), 1)
        builder.call(builder.inttoptr(args[0], function.as_pointer()), [monotonic, time])
        seconds = builder.load(time)
        nanoseconds = builder.load(builder.gep(time, [ir.Constant(ir.IntType(64), 1)]))
        return builder.add(builder.mul(seconds, ir.Constant(ir.IntType(64), 1_000_000_000)), nanoseconds)

    return types.int64(types.int64, words, types.int64), code


@_callable
def take(typing_context: Any, words: Any, at: Any, amount: Any) -> Any:
    """Add to a word that belongs to this worker alone, and return what it was before."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = builder.gep(args[0], [args[1]])
        before = builder.load(place)
        builder.store(builder.add(before, args[2]), place)
        return before

    return types.int64(words, types.int64, types.int64), code
