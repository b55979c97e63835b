"""The machine's functions that are called from Python, compiled into the cache as kernels are."""

import hashlib
import threading
from functools import cache
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any

import numba

from arcloom.engine import calls, explore, hashing, lanes, layers, machine, offers
from arcloom.engine.launchers import cache_folder, compiled, source_digest

ENTRANCES: dict[str, tuple[ModuleType, ...]] = {
    "run_lanes": (calls, machine, lanes),
    "explore": (calls, machine, hashing, explore, layers, offers),
}
"""The modules that end up in the code of each. The last one has the function."""

_compiling = threading.Lock()


def entrance(name: str) -> Any:
    """The compiled function, from the cache if it is there.

    Workers begin at the same time: the first one compiles, and the others wait for it.
    """
    with _compiling:
        return _entrance(name)


@cache
def _entrance(name: str) -> Any:
    module = ENTRANCES[name][-1]
    params = list(signature(getattr(module, name)).parameters)
    text = _TEXT.format(module=module.__name__, name=name, params=", ".join(params))
    found = compiled(_folder(name), name, text).launch
    found.compile(tuple(_TYPES.get(param, _WORDS) for param in params))
    return found


def missing_entrances() -> list[str]:
    """Those that have to be compiled."""
    return [name for name in ENTRANCES if not list(_folder(name).glob(f"__pycache__/{name}.*.nbc"))]


@cache
def _folder(name: str) -> Path:
    digest = hashlib.sha256(source_digest().encode())
    for module in ENTRANCES[name]:
        digest.update(Path(str(module.__file__)).read_bytes())
    return cache_folder() / f"machine-{digest.hexdigest()[:16]}"


_WORDS = numba.types.Array(numba.int64, 1, "C")
_TABLE = numba.types.Array(numba.int64, 2, "C")
_CELLS = numba.types.Array(numba.int8, 1, "C")
_TYPES = {
    **dict.fromkeys(("cells", "kept"), _CELLS),
    **dict.fromkeys(("inputs", "programs", "steps", "lanes"), _TABLE),
    **dict.fromkeys(("givens", "given_words"), _TABLE),
    "equal": numba.types.Array(numba.bool_, 1, "C"),
}

_TEXT = '''"""Generated: an entrance to the machine. Safe to delete."""

import numba

from {module} import {name}
from arcloom.engine.words import OPTIONS


@numba.njit(cache=True, **OPTIONS)
def launch({params}):
    return {name}({params})
'''
