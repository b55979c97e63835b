"""The address of an array, as row functions get it."""

from typing import Any

from numba import types
from numba.extending import intrinsic


@intrinsic
def base(typing_context: Any, array: Any) -> Any:
    """Where an array's elements are. Indexing it is a plain load, without a test for an index from the end."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, args[0]).data

    return types.CPointer(array.dtype)(array), code  # type: ignore[no-untyped-call]
