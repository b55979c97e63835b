"""From LLVM's bitcode of kernels and the interpreter to code for GPUs: PTX once, then machine code for each GPU."""

import re
from collections.abc import Iterable, Sequence

from llvmlite import binding as llvm

from arcloom.engine.compile import support
from arcloom.engine.compile.errors import CompileError
from arcloom.engine.compile.frontend import keep_visible, linked
from arcloom.engine.compile.target import GPU, PREFIX

LACKING = {
    "allocation": r"\bmalloc\b|\bNRT_|cudaMalloc",
    "exceptions": r"__assertfail|\btrap;|__cuda_.*raise|printf",
    "functions that are not there": r"\.extern\s+\.func",
    "calls by address": r"\bprototype_\d+ *: *\.callprototype",
}
"""What must not be in code for GPUs: they have no such thing, or none that is of use in a row function."""


def entry_name(entrance: str) -> str:
    """The name by which an entrance can be launched."""
    return f"arcloom_{entrance}"


def ptx(bitcode: Iterable[bytes], kernels: Sequence[str], entrances: Sequence[str]) -> str:
    """The PTX of kernels and entrances whose bitcode this is. The number of a kernel is its position in the list.

    Raises CompileError if it uses something that GPUs lack.
    """
    modules = [llvm.parse_bitcode(code) for code in bitcode]
    texts = [support.call_by_number([PREFIX + name for name in kernels])]
    texts += [support.entry_point(entry_name(name), PREFIX + name) for name in entrances]
    module = linked([*modules, *map(llvm.parse_assembly, texts)], GPU)
    keep_visible(module, [entry_name(name) for name in entrances])
    _shorten_names(module, [entry_name(name) for name in entrances])
    module.verify()
    text = str(GPU.machine().emit_assembly(module))
    lacking = missing_features(text)
    if lacking:
        raise CompileError(f"code for GPUs would need {', '.join(lacking)}")
    return text


def _shorten_names(module: object, entries: Sequence[str]) -> None:
    """Give functions names that are short and that PTX allows: of launchers their own, of others numbers."""
    for k, function in enumerate(module.functions):  # type: ignore[attr-defined]
        if not function.is_declaration and function.name not in entries:
            own = function.name.startswith(PREFIX)
            function.name = f"{function.name.removeprefix(PREFIX)}_{k}" if own else f"function_{k}"
    for k, variable in enumerate(module.global_variables):  # type: ignore[attr-defined]
        variable.name = f"global_{k}"


def missing_features(text: str) -> list[str]:
    """What a PTX module uses that GPUs lack."""
    return [what for what, pattern in LACKING.items() if re.search(pattern, text)]
