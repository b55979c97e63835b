"""Calling C functions by their address from compiled code."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _callable(function: Any) -> Any:
    """The function as an intrinsic, which is called without the typing context."""
    return intrinsic(function)


@_callable
def launch(typing_context: Any, address: Any, heap: Any, cells: Any, columns: Any, state: Any, orders: Any) -> Any:
    """Call the launcher at this address."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        function = ir.FunctionType(ir.VoidType(), [pointer.type for pointer in args[1:]])
        builder.call(builder.inttoptr(args[0], function.as_pointer()), args[1:])
        return context.get_dummy_value()

    return types.void(types.int64, heap, cells, columns, state, orders), code


@_callable
def read_clock(typing_context: Any, address: Any, time: Any) -> Any:
    """Call the C library's ``clock_gettime`` at this address: seconds and nanoseconds go to ``time``."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        function = ir.FunctionType(ir.IntType(32), [ir.IntType(32), args[1].type])
        monotonic = ir.Constant(ir.IntType(32), 1)
        builder.call(builder.inttoptr(args[0], function.as_pointer()), [monotonic, args[1]])
        return context.get_dummy_value()

    return types.void(types.int64, time), code
