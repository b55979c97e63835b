"""The compiled functions that Python calls, and the source text of their wrappers.

Such a function takes named tuples and ints. Python passes one array of words, with a word for each field of each tuple:
an address if the field is a pointer, else the number itself.
"""

from importlib import import_module
from inspect import signature
from typing import Any, get_type_hints

from arcloom.engine.pointer import WORDS, CellPointer, WordPointer

ENTRY_POINTS = {
    "run_tiles": "arcloom.engine.machine.tiles",
    "run_threads": "arcloom.engine.machine.threads",
    "arrange_groups": "arcloom.engine.machine.threads",
    "enumerate_task": "arcloom.enumerate.compiled.covers",
    "make_trials": "arcloom.enumerate.compiled.trials",
    "begin_price": "arcloom.enumerate.compiled.trials",
    "end_price": "arcloom.enumerate.compiled.trials",
    "label_features": "arcloom.induce.compiled.items",
    "first_of_each": "arcloom.induce.compiled.items",
    "keep_supported": "arcloom.induce.compiled.items",
    "find_rules": "arcloom.induce.compiled.search",
}
"""The modules of the entry points by name. They are imported only to compile them."""

LEARNING = ("label_features", "first_of_each", "keep_supported", "find_rules")
"""The entry points that learn rules."""

ON_CPU = ("run_tiles", "enumerate_task", *LEARNING)
"""The entry points that are compiled for the CPU in any case. Others are compiled only to use a GPU."""

ON_GPU = ("run_threads", "make_trials")
"""The entry points that run on GPUs."""

FOR_GPU = ("run_tiles", "arrange_groups", "begin_price", "end_price")
"""The entry points that the CPU needs to use a GPU."""

SIGNATURE = (WORDS,)
"""The parameter types of a compiled entry point."""

_READ = {WordPointer: "words_at(given[{}])", CellPointer: "cells_at(given[{}])", int: "given[{}]"}


def parameters(name: str) -> dict[str, type]:
    """The parameters of an entry point: named tuples of pointers and ints, or ints."""
    function = getattr(import_module(ENTRY_POINTS[name]), name).py_func
    hints = get_type_hints(function)
    return {param: hints[param] for param in signature(function).parameters}


def given(name: str) -> int:
    """The number of words that an entry point takes."""
    return sum(1 if kind in _READ else len(get_type_hints(kind)) for kind in parameters(name).values())


def source(name: str) -> str:
    """The source text of a function that reads an entry point's arguments from an array of words and calls it."""
    lines, imports, at = [], [], 0
    for param, kind in parameters(name).items():
        fields = [kind] if kind in _READ else get_type_hints(kind).values()
        values = ", ".join(_READ[field].format(at + k) for k, field in enumerate(fields))
        at += len(fields)
        if kind in _READ:
            lines.append(f"    {param} = {values}\n")
        else:
            imports.append(f"from {kind.__module__} import {kind.__name__}\n")
            lines.append(f"    {param} = {kind.__name__}({values})\n")
    call = f"    return {name}({', '.join(parameters(name))})\n"
    header = f"from {ENTRY_POINTS[name]} import {name}\n" + "".join(imports)
    return f"{header}{_POINTERS}\n\ndef launch(given):\n{''.join(lines)}{call}"


_POINTERS = "from arcloom.engine.pointer import cells_at, words_at\n"


def flattened(*args: Any) -> list[int]:
    """The arguments of an entry point as words."""
    words: list[int] = []
    for arg in args:
        for field in arg if isinstance(arg, tuple) else (arg,):
            words.append(field if isinstance(field, int) else address_of(field))
    return words


def address_of(array: Any) -> int:
    """The address of the first element of an array."""
    if not array.flags.c_contiguous:
        raise TypeError("an entry point takes contiguous arrays only")
    return int(array.__array_interface__["data"][0])
