"""Pointers, as row functions get them."""

from typing import Any

from numba import types
from numba.extending import intrinsic

_WORDS = types.CPointer(types.int64)  # type: ignore[no-untyped-call]
_CELLS = types.CPointer(types.int8)  # type: ignore[no-untyped-call]

LAUNCHER = types.void(_WORDS, _CELLS, _WORDS, _WORDS, _WORDS)
"""A kernel's launcher takes the two heaps, the columns, the state of the heaps, and its orders."""


@intrinsic
def base(typing_context: Any, array: Any) -> Any:
    """Where an array's elements are. Indexing it is a plain load, without a test for an index from the end."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, args[0]).data

    return types.CPointer(array.dtype)(array), code  # type: ignore[no-untyped-call]


def _at(dtype: Any) -> Any:
    """A function that takes an address and a shape, and gives the array of this type that is there."""

    @intrinsic
    def array_at(typing_context: Any, address: Any, shape: Any) -> Any:
        array = types.Array(dtype, len(shape), "C")

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            from numba.core import cgutils  # here, because only a process that compiles needs them
            from numba.np.arrayobj import populate_array

            made = context.make_array(array)(context, builder)
            sides = cgutils.unpack_tuple(builder, args[1])  # type: ignore[no-untyped-call]
            size = strides = [context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(dtype)))]
            for side in sides[:0:-1]:
                strides = [builder.mul(side, strides[0]), *strides]
            data = builder.inttoptr(args[0], context.get_data_type(dtype).as_pointer())
            populate_array(made, data, sides, strides, size[0], meminfo=None)  # type: ignore[no-untyped-call]
            return made._getvalue()

        return array(types.int64, shape), code

    return array_at


words_at, cells_at, flags_at = _at(types.int64), _at(types.int8), _at(types.boolean)
