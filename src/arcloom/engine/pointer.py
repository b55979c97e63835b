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
