"""Functions that row functions call and that are implemented for each kind of processor in ``compile/support``."""

from typing import Any

from numba import types
from numba.extending import intrinsic

from arcloom.engine.pointer import LAUNCHER


def _external(name: str, signature: Any) -> Any:
    """A function that the linker resolves."""
    return types.ExternalFunction(name, signature)


launch = _external("arcloom_launch", types.void(types.int64, *LAUNCHER.args))
"""Call a launcher. The first argument is its address, on GPUs its number."""

read_clock = _external("arcloom_clock", types.int64(types.int64))
"""The time in nanoseconds, from the C library's ``clock_gettime`` at this address; on GPUs zero."""

thread_number = _external("arcloom_thread", types.int64())
"""The number of the thread among all threads of a launch; on a CPU zero."""


def _intrinsic(function: Any) -> Any:
    """The function as an intrinsic, which is called without the typing context."""
    return intrinsic(function)


@_intrinsic
def atomic_add(typing_context: Any, words: Any, at: Any, amount: Any) -> Any:
    """Add to a word atomically, and return the word before."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.atomic_rmw("add", builder.gep(args[0], [args[1]]), args[2], "monotonic")

    return types.int64(words, types.int64, types.int64), code


@_intrinsic
def read_shared(typing_context: Any, words: Any, at: Any) -> Any:
    """Read a word that other threads may write: every call reads memory."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load_atomic(builder.gep(args[0], [args[1]]), "monotonic", 8)

    return types.int64(words, types.int64), code


@_intrinsic
def trailing_zeros(typing_context: Any, word: Any) -> Any:
    """The number of zero bits below the lowest one bit of a word that is not zero."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), code
