"""Functions that row functions call and that each kind of processor has its own version of: see ``compile/support``."""

from typing import Any

from numba import types
from numba.extending import intrinsic

from arcloom.engine.pointer import LAUNCHER


def _external(name: str, signature: Any) -> Any:
    """A function that is linked to compiled code."""
    return types.ExternalFunction(name, signature)


_WORDS = LAUNCHER.args[0]

launch = _external("arcloom_launch", types.void(_WORDS, types.int64, *LAUNCHER.args))
"""Call the launcher whose address, on GPUs number, is in an array of words at a position."""

read_clock = _external("arcloom_clock", types.int64(types.int64, _WORDS, types.int64))
"""The time in nanoseconds of the C library's ``clock_gettime`` at this address, which overwrites two words from a
position on; on GPUs zero."""

thread = _external("arcloom_thread", types.int64())
"""The number of the thread among all threads of a launch; on a CPU zero."""

threads = _external("arcloom_threads", types.int64())
"""The number of threads of a launch; on a CPU one."""


@intrinsic
def atomic_add(typing_context: Any, words: Any, at: Any, amount: Any) -> Any:
    """Add to a word that other threads add to as well; the word before."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.atomic_rmw("add", builder.gep(args[0], [args[1]]), args[2], "monotonic")

    return types.int64(words, types.int64, types.int64), code


@intrinsic
def read_shared(typing_context: Any, words: Any, at: Any) -> Any:
    """A word that others may write meanwhile: it is read from memory every time."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load_atomic(builder.gep(args[0], [args[1]]), "monotonic", 8)

    return types.int64(words, types.int64), code
