"""From Python functions to object files, in a process that does nothing else.

By default, Numba optimises each function, generates machine code and Python wrappers for it, and links and optimises it
again in every caller. Here Numba only translates each function to LLVM IR, once. The functions of a job and their
callees are linked into one module, which is optimised and compiled to machine code once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from llvmlite import binding as llvm
from llvmlite import ir
from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core import cgutils, types
from numba.core.codegen import Codegen, CodeLibrary
from numba.core.cpu import CPUContext
from numba.core.registry import cpu_target

from arcloom.engine.compile import support
from arcloom.engine.compile.target import PREFIX, CodeTarget, host
from arcloom.engine.words import row_function

GPU_INLINING = 20
"""LLVM's inlining threshold for GPUs. LLVM's NVPTX target multiplies it by 11; with the default, 225, the code is a
quarter larger."""


GPU_CALLED = 600
"""Number of instructions, as Numba translates it, from which a function of the interpreter is not inlined on GPUs. If
all were inlined, registers would not suffice; if none were, the stack would be twice as large."""

GPU_COPIED = ("start_kernel", "give", "keep_outputs")
"""Functions that are inlined nevertheless: they have one or two call sites, and calling them takes stack."""


class _Translated(CodeLibrary):
    """A function in LLVM IR, and the functions that it calls."""

    given = 0

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.texts: list[str] = []
        self.called: list[_Translated] = []

    def add_ir_module(self, ir_module: Any) -> None:
        self.texts.append(cgutils.normalize_ir_text(str(ir_module)))

    def add_linking_library(self, library: "_Translated") -> None:
        self.called.append(library)

    def finalize(self) -> None:
        self._finalized = True

    def get_function(self, name: str) -> Any:
        raise NotImplementedError

    def get_llvm_str(self) -> str:
        return "\n".join(self.texts)

    def get_asm_str(self) -> str:
        raise NotImplementedError


class _Translator(Codegen):
    """Creates empty modules for this machine, and does not compile them."""

    _library_class = _Translated

    def __init__(self) -> None:
        self._target_data = host().machine().target_data
        self._data_layout = str(self._target_data)

    def _create_empty_module(self, name: str) -> Any:
        module = ir.Module(cgutils.normalize_ir_text(name))
        module.triple, module.data_layout = llvm.get_process_triple(), self._data_layout
        return module

    def _add_module(self, module: Any) -> None:
        raise NotImplementedError


class _Context(CPUContext):
    """Numba's CPU target, without wrappers and machine code."""

    def init(self) -> None:
        self.is32bit = False
        self._internal_codegen: Any = _Translator()

    def create_cpython_wrapper(self, *_: Any, **__: Any) -> None: ...

    def create_cfunc_wrapper(self, *_: Any, **__: Any) -> None: ...

    def post_lowering(self, *_: Any) -> None: ...

    def get_executable(self, library: Any, fndesc: Any, env: Any) -> Any:
        """A placeholder for the compiled function, which cannot be called."""
        return _dynfunc.make_function(fndesc.lookup_module(), fndesc.qualname, "", 0, env, (library,))


def only_translate() -> None:
    """Switch Numba to translation only: functions do not become callable. Call this before Numba compiles any."""
    vars(cpu_target)["_toplevel_target_context"] = _Context(cpu_target.typing_context, "cpu")


@dataclass(frozen=True)
class CompilationUnit:
    """A function to compile with C linkage: its name, and a source text that defines it as ``launch``.

    ``given`` is the number of words that the function takes if it can be launched on a GPU, otherwise 0.
    """

    name: str
    text: str
    signature: Any
    given: int = 0


def translate(unit: CompilationUnit) -> _Translated:
    """A unit in LLVM IR, with a C function of its name."""
    namespace: dict[str, Any] = {"__name__": f"{PREFIX}{unit.name}"}
    exec(compile(unit.text, f"<{unit.name}>", "exec"), namespace)
    dispatcher: Any = row_function(namespace["launch"])
    dispatcher.compile(unit.signature)
    (compiled,) = dispatcher.overloads.values()
    context, function = cpu_target.target_context, compiled.fndesc
    entry = _Translated(context.codegen(), unit.name)
    entry.given = unit.given
    entry.add_ir_module(_entry(context, function, PREFIX + unit.name))
    entry.add_linking_library(compiled.library)
    return entry


def _entry(context: Any, function: Any, name: str) -> Any:
    """An LLVM module with a C function that calls a function with Numba's calling convention."""
    module = context.create_module(name)
    convention = context.call_conv
    callee = ir.Function(
        module, convention.get_function_type(function.restype, function.argtypes), function.llvm_func_name
    )
    arguments = [context.get_value_type(argument) for argument in function.argtypes]
    nothing = function.restype == types.none
    result = ir.VoidType() if nothing else context.get_value_type(function.restype)
    entry = ir.Function(module, ir.FunctionType(result, arguments), name)
    builder = ir.IRBuilder(entry.append_basic_block())
    value = convention.call_function(builder, callee, function.restype, function.argtypes, entry.args)[1]
    builder.ret_void() if nothing else builder.ret(value)
    return module


def _with_callees(entries: Iterable[_Translated]) -> dict[_Translated, None]:
    found: dict[_Translated, None] = {}
    waiting = list(entries)
    while waiting:
        library = waiting.pop()
        if library not in found:
            found[library] = None
            waiting += library.called
    return found


def object_file(entries: Sequence[_Translated], target: CodeTarget) -> bytes:
    """The object file of translated units for a processor; for GPUs LLVM bitcode: see ``cuda.ptx``."""
    machine = target.machine()
    texts = [text for library in _with_callees(entries) for text in library.texts]
    module = linked([llvm.parse_assembly(text) for text in (*texts, support.text(target.gpu))], target)
    for entry in entries:
        if target.gpu and entry.given:
            _make_launchable(module, entry, target)
    keep_visible(module, [PREFIX + entry.name for entry in entries])
    module.verify()
    _optimise(module, machine, target)
    return bytes(module.as_bitcode() if target.gpu else machine.emit_object(module))


def linked(modules: Iterable[Any], target: CodeTarget) -> Any:
    """Link modules into one. The modules cannot be used afterwards."""
    whole = llvm.parse_assembly("")
    triple, layout = target.triple, str(target.machine().target_data)
    whole.triple, whole.data_layout = triple, layout
    for module in modules:
        module.triple, module.data_layout = triple, layout
        whole.link_in(module)
    return whole


def _make_launchable(module: Any, entry: _Translated, target: CodeTarget) -> None:
    """Make an entry point launchable on GPUs, and mark large functions as not to be inlined."""
    inner = f"{entry.name}_inner"
    module.get_function(PREFIX + entry.name).name = inner
    for function in module.functions:
        if not function.is_declaration and function.name != inner and _is_called(function):
            function.add_function_attribute("noinline")
    module.get_function(inner).add_function_attribute("alwaysinline")
    wrapper = llvm.parse_assembly(support.gpu_entry(PREFIX + entry.name, inner, entry.given))
    wrapper.triple, wrapper.data_layout = target.triple, module.data_layout
    module.link_in(wrapper)


def _is_called(function: Any) -> bool:
    """Whether a function is not inlined on GPUs."""
    copied = any(f"{len(name)}{name}B" in function.name for name in GPU_COPIED)
    return not copied and _instructions(function) > GPU_CALLED


def _instructions(function: Any) -> int:
    return sum(1 for block in function.blocks for _ in block.instructions)


def keep_visible(module: Any, names: Sequence[str]) -> None:
    """Give all functions but these internal linkage. These are never inlined on GPUs."""
    for definition in (*module.functions, *module.global_variables):
        if not definition.is_declaration and definition.name not in names:
            definition.linkage = "internal"


def _optimise(module: Any, machine: Any, target: CodeTarget) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization, options.slp_vectorization = not target.gpu, False
    if target.gpu:
        options.inlining_threshold = GPU_INLINING
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
