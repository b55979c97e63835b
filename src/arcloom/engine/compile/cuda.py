"""From the LLVM bitcode of kernels and the interpreter to PTX."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from llvmlite import binding as llvm

from arcloom.engine.compile import support
from arcloom.engine.compile.errors import CompileError
from arcloom.engine.compile.frontend import keep_visible, linked
from arcloom.engine.compile.objects import ObjectFile
from arcloom.engine.compile.target import GPU, PREFIX

LACKING = {
    "allocation": r"\bmalloc\b|\bNRT_|cudaMalloc",
    "exceptions": r"__assertfail|\btrap;|__cuda_.*raise|printf",
    "undefined functions": r"\.extern\s+\.func",
    "calls by address": r"\bprototype_\d+ *: *\.callprototype",
}
"""Features that PTX must not use, as regular expressions: GPUs lack them, or row functions do not need them."""


def entry_name(entry_point: str) -> str:
    """The name of an entry point in a cubin."""
    return f"arcloom_{entry_point}"


def ptx(found: Mapping[str, ObjectFile], kernels: Sequence[str], entry_points: Sequence[str]) -> str:
    """Link the bitcode of kernels and entry points to PTX. A kernel's number is its position in the list.

    Raises CompileError if the code uses a feature that GPUs lack.
    """
    entries = [entry_name(name) for name in entry_points]
    switch = llvm.parse_assembly(support.call_by_number([PREFIX + name for name in kernels]))
    module = linked([*_chosen(found, [*kernels, *entry_points]), switch], GPU)
    for name in entry_points:
        module.get_function(PREFIX + name).name = entry_name(name)
    keep_visible(module, entries)
    _drop_unused(module)
    _shorten_names(module, entries)
    module.verify()
    text = str(GPU.machine().emit_assembly(module))
    lacking = missing_features(text)
    if lacking:
        raise CompileError(f"code for GPUs would need {', '.join(lacking)}")
    return text


def _chosen(found: Mapping[str, ObjectFile], names: Sequence[str]) -> Iterator[Any]:
    """The LLVM modules with these functions. A function that several modules have is kept in one."""
    for each in dict.fromkeys(found[name] for name in names):
        module = llvm.parse_bitcode(each.code)
        keep_visible(module, [PREFIX + name for name in names if found[name] is each])
        yield module


def _drop_unused(module: Any) -> None:
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, llvm.create_pass_builder(GPU.machine(), llvm.create_pipeline_tuning_options()))


def _shorten_names(module: Any, entries: Sequence[str]) -> None:
    """Give functions short names that PTX allows: launchers keep theirs, others get numbers."""
    for k, function in enumerate(module.functions):
        if not function.is_declaration and function.name not in entries:
            own = function.name.startswith(PREFIX)
            function.name = f"{function.name.removeprefix(PREFIX)}_{k}" if own else f"function_{k}"
    for k, variable in enumerate(module.global_variables):
        variable.name = f"global_{k}"


def missing_features(text: str) -> list[str]:
    """The features of LACKING that a PTX module uses."""
    return [what for what, pattern in LACKING.items() if re.search(pattern, text)]
