"""The pointer types of row functions. Indexing one is a plain load or store without a bounds check."""

from typing import Any, Protocol

from numba import types
from numba.extending import intrinsic


class WordPointer(Protocol):
    """A pointer to 64-bit words. On CUDA it is an array."""

    def __getitem__(self, position: int, /) -> int: ...

    def __setitem__(self, position: int, word: int, /) -> None: ...


class CellPointer(WordPointer, Protocol):
    """A pointer to cells of grids, which are signed bytes."""


WORDS = types.CPointer(types.int64)  # type: ignore[no-untyped-call]
CELLS = types.CPointer(types.int8)  # type: ignore[no-untyped-call]

LAUNCHER = types.void(WORDS, CELLS, types.int64, types.int64)
"""The signature of a kernel's launcher: words, cells, the position of a slot's state, and that of its orders."""


def _at(pointer: Any) -> Any:
    """An intrinsic that turns an address into a pointer of this type."""

    @intrinsic
    def pointer_at(typing_context: Any, address: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(pointer))

        return pointer(types.int64), code

    return pointer_at


words_at, cells_at = _at(WORDS), _at(CELLS)


def _address_at(typing_context: Any, pointer: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ptrtoint(args[0], context.get_value_type(types.int64))

    return types.int64(pointer), code


address_at: Any = intrinsic(_address_at)
"""Called as ``address_at(pointer)``, it returns the address that a pointer holds."""
