"""Translating PTX to LLVM IR for the CPU, with the semantics of NVIDIA's "PTX ISA" reference.

Registers are variables that ``mem2reg`` turns into values. A function takes the thread and pointers to its results and
parameters, and returns whether it was executed without a fault. Every access to memory is checked. What the reference
leaves open (registers and local memory without a value, division by zero) is garbage.
"""

from collections.abc import Iterable, Sequence

from ptx import arithmetic
from ptx.arithmetic import BITS, GARBAGE
from ptx.parser import (
    SIZES,
    Address,
    Function,
    Group,
    Immediate,
    Instruction,
    Label,
    Module,
    Operand,
    PtxError,
    Register,
    Symbol,
)
from ptx.runtime import Access, Fault, Word

SPECIAL = {"%tid.x": Word.TID, "%ntid.x": Word.NTID, "%ctaid.x": Word.CTAID, "%nctaid.x": Word.NCTAID}
"""The special registers."""

FRAME_ALIGN = 16
"""The alignment of frames and variables in local memory. None needs more."""


def module_text(module: Module, functions: Iterable[str]) -> str:
    """The LLVM IR of functions of a module, and of all functions that they call."""
    texts, waiting = {}, list(functions)
    while waiting:
        name = waiting.pop()
        if name not in texts:
            translator = _Translator(module.functions[name], module)
            texts[name] = translator.text()
            waiting += translator.called
    return "\n".join(texts.values())


def llvm_name(function: str) -> str:
    """The name of a function in LLVM IR."""
    return f'@"ptx.{function}"'


class _Translator:
    """Translates one function."""

    def __init__(self, function: Function, module: Module) -> None:
        self._function, self._module = function, module
        self._lines: list[str] = []
        self._count = 0
        self._depots: dict[str, int] = {}
        """The offsets of variables in the function's frame in local memory."""
        self._frame = 0
        self._pointers = {each.name: each for each in (*function.results, *function.params)}
        self._pointers |= function.call_params
        self.called: list[str] = []
        self._open = True
        """Whether the current block of the text has no terminator yet."""

    def text(self) -> str:
        """The function in LLVM IR."""
        function = self._function
        given = "".join(f', ptr %"{each.name}"' for each in (*function.results, *function.params))
        self._begin()
        for each in function.body:
            if isinstance(each, Label):
                self._start_block(each.name)
            else:
                self._guarded(each)
        if self._open:
            raise PtxError(f"{function.name} does not end with ret")
        self._lines += ["faulted:", "ret i1 false"]
        return f"define i1 {llvm_name(function.name)}(ptr %thread{given}) {{\n" + "\n".join(self._lines) + "\n}\n"

    def _begin(self) -> None:
        """The variables of registers and parameters of calls, and the frame in local memory, full of garbage."""
        for name, kind in self._function.registers.items():
            self._emit(f'%"{name}" = alloca i{BITS[kind]}')
            self._emit(f'store i{BITS[kind]} {GARBAGE & ((1 << BITS[kind]) - 1)}, ptr %"{name}"')
        for each in self._function.call_params.values():
            self._emit(f'%"{each.name}" = alloca [{each.size} x i8], align 16')
        for each in self._function.local:
            self._depots[each.name] = self._frame
            self._frame += -(-each.size // FRAME_ALIGN) * FRAME_ALIGN
        self._emit(f"%frame = call i64 @ptx.enter(ptr %thread, i64 {self._frame})")
        self._check(self._new("icmp sge i64 %frame, 0"))

    # --- text -------------------------------------------------------------------------------------------------------

    def _emit(self, line: str) -> None:
        self._lines.append(line)

    def _new(self, expression: str) -> str:
        """A new value."""
        self._count += 1
        self._emit(f"%v{self._count} = {expression}")
        return f"%v{self._count}"

    def _start_block(self, name: str) -> None:
        if self._open:
            self._emit(f'br label %"{name}"')
        self._emit(f'"{name}":')
        self._open = True

    def _end_block(self, terminator: str) -> None:
        self._emit(terminator)
        self._open = False

    def _fresh(self) -> str:
        self._count += 1
        return f"block{self._count}"

    def _check(self, fine: str) -> None:
        """Return at once, with a fault, unless a condition holds."""
        following = self._fresh()
        self._end_block(f'br i1 {fine}, label %"{following}", label %faulted')
        self._start_block(following)

    def _guarded(self, each: Instruction) -> None:
        """An instruction, which is skipped unless its guard holds. What follows a return or branch is never reached."""
        if not self._open:
            self._start_block(self._fresh())
        skip = None
        if each.guard is not None:
            holds, taken, skip = self._read(Register(each.guard), "pred"), self._fresh(), self._fresh()
            first, second = (skip, taken) if each.negated else (taken, skip)
            self._end_block(f'br i1 {holds}, label %"{first}", label %"{second}"')
            self._start_block(taken)
        try:
            getattr(self, f"_do_{each.opcode[0]}", self._compute)(each)
        except (KeyError, ValueError, PtxError) as error:
            raise PtxError(f"line {each.line}: {each.text}: {error}") from error
        if skip is not None:
            self._start_block(skip)

    # --- operands ---------------------------------------------------------------------------------------------------

    def _width(self, register: Register) -> int:
        return BITS[self._function.registers[register.name]]

    def _read(self, operand: Operand, kind: str, *, wider: bool = False) -> str:
        """The value of an operand as a type. A register has the size of the type, or with ``wider`` may be larger."""
        bits = BITS[kind]
        if isinstance(operand, Immediate):
            return _constant(operand.value, bits)
        if isinstance(operand, Symbol):
            return self._local_address(operand, bits)
        if not isinstance(operand, Register):
            raise PtxError(f"{operand} is not a value")
        if operand.name in SPECIAL:
            return self._special(operand.name, bits)
        width = self._width(operand)
        value = self._new(f'load i{width}, ptr %"{operand.name}"')
        if width == bits:
            return value
        if not wider or width < bits:
            raise PtxError(f"the register {operand.name} has {width} bits, not {bits}")
        return self._new(f"trunc i{width} {value} to i{bits}")

    def _local_address(self, symbol: Symbol, bits: int) -> str:
        """The address of a variable in local memory, in the local window."""
        if bits != 64:
            raise PtxError("addresses have 64 bits")
        return self._new(f"add i64 %frame, {self._depots[symbol.name]}")

    def _special(self, name: str, bits: int) -> str:
        if bits != 32:
            raise PtxError(f"{name} has 32 bits")
        return self._new(f"trunc i64 {self._thread_word(SPECIAL[name])} to i32")

    def _thread_word(self, position: int) -> str:
        at = self._new(f"getelementptr i64, ptr %thread, i64 {position}")
        return self._new(f"load i64, ptr {at}")

    def _write(self, operand: Operand, value: str, kind: str, *, wider: bool = False) -> None:
        """Write a value of a type to a register. With ``wider`` the register may be larger: the value is extended."""
        if not isinstance(operand, Register):
            raise PtxError(f"{operand} is not a register")
        width, bits = self._width(operand), BITS[kind]
        if width > bits and wider:
            value = self._new(f"{'sext' if kind[0] == 's' else 'zext'} i{bits} {value} to i{width}")
        elif width != bits:
            raise PtxError(f"the register {operand.name} has {width} bits, not {bits}")
        self._emit(f'store i{width} {value}, ptr %"{operand.name}"')

    def _address(self, operand: Operand) -> str:
        """The value of an address operand with a register as base."""
        if not isinstance(operand, Address) or not isinstance(operand.base, Register):
            raise PtxError(f"{operand} is not an address in a register")
        return self._new(f"add i64 {self._read(operand.base, 'b64')}, {operand.offset}")

    def _param(self, operand: Operand, size: int) -> str:
        """The pointer to a parameter of this function, or of a call. Its bounds and its alignment are checked here."""
        if not isinstance(operand, Address) or not isinstance(operand.base, Symbol):
            raise PtxError(f"{operand} is not a parameter")
        variable, offset = self._pointers[operand.base.name], operand.offset
        if offset < 0 or offset + size > variable.size or offset % size:
            raise PtxError(f"{size} bytes at {offset} are not in {variable}, or misaligned")
        return self._new(f'getelementptr i8, ptr %"{variable.name}", i64 {offset}')

    # --- memory -----------------------------------------------------------------------------------------------------

    def _pointer(self, each: Instruction, operand: Operand, size: int, access: int) -> str:
        """A checked pointer to memory of the address space of an instruction; without one it is a generic address."""
        parts = set(each.opcode[1:-1])
        if "param" in parts:
            return self._param(operand, size)
        access = Access.VOLATILE if "volatile" in parts else access
        space = "local" if "local" in parts else "global" if "global" in parts else "generic"
        given = f"ptr %thread, i64 {self._address(operand)}, i64 {size}, i64 {access}, i64 {each.line}"
        pointer = self._new(f"call ptr @ptx.{space}({given})")
        self._check(self._new(f"icmp ne ptr {pointer}, null"))
        return pointer

    def _vector(self, each: Instruction, operand: Operand) -> tuple[str, Sequence[Operand]]:
        """The element type of a load or store, and its registers or values."""
        allowed = {"param", "local", "global", "volatile", "v2", "v4"}
        if not set(each.opcode[1:-1]) <= allowed:
            raise PtxError("unknown modifiers")
        lanes = next((int(part[1]) for part in each.opcode[1:-1] if part in ("v2", "v4")), 1)
        items = operand.items if isinstance(operand, Group) else (operand,)
        if len(items) != lanes:
            raise PtxError(f"{lanes} operands expected")
        return each.opcode[-1], items

    def _do_ld(self, each: Instruction) -> None:
        target, source = each.operands
        kind, items = self._vector(each, target)
        pointer = self._pointer(each, source, SIZES[kind] * len(items), Access.READ)
        for k, item in enumerate(items):
            at = self._new(f"getelementptr i{BITS[kind]}, ptr {pointer}, i64 {k}")
            self._write(item, self._new(f"load i{BITS[kind]}, ptr {at}"), kind, wider=True)

    def _do_st(self, each: Instruction) -> None:
        target, source = each.operands
        kind, items = self._vector(each, source)
        pointer = self._pointer(each, target, SIZES[kind] * len(items), Access.WRITE)
        for k, item in enumerate(items):
            at = self._new(f"getelementptr i{BITS[kind]}, ptr {pointer}, i64 {k}")
            self._emit(f"store i{BITS[kind]} {self._read(item, kind, wider=True)}, ptr {at}")

    def _do_atom(self, each: Instruction) -> None:
        *_, operation, kind = each.opcode
        if operation not in ("add", "min", "max", "exch") or kind not in ("u64", "u32", "s32", "b64"):
            raise PtxError("unknown operation")
        if operation in ("min", "max"):
            operation = operation if kind[0] == "s" else f"u{operation}"
        target, source, amount = each.operands
        pointer, bits = self._pointer(each, source, SIZES[kind], Access.ATOMIC), BITS[kind]
        value = self._read(amount, kind)
        operation = operation.replace("exch", "xchg")
        self._write(target, self._new(f"atomicrmw {operation} ptr {pointer}, i{bits} {value} monotonic"), kind)

    def _do_cvta(self, each: Instruction) -> None:
        """Convert between generic addresses and those of an address space; global addresses are generic ones."""
        target, source = each.operands
        value, space = self._read(source, "u64"), each.opcode[-2]
        if space == "local":
            operation = "sub" if "to" in each.opcode else "add"
            value = self._new(f"{operation} i64 {value}, {self._thread_word(Word.LOCAL)}")
        elif space != "global":
            raise PtxError("unknown address space")
        self._write(target, value, "u64")

    # --- control flow -----------------------------------------------------------------------------------------------

    def _do_bra(self, each: Instruction) -> None:
        (target,) = each.operands
        if not isinstance(target, Symbol):
            raise PtxError(f"{target} is not a label")
        self._end_block(f'br label %"{target.name}"')

    def _do_brx(self, each: Instruction) -> None:
        index, table = each.operands
        if each.opcode != ("brx", "idx") or not isinstance(table, Symbol):
            raise PtxError("unknown branch")
        value, wrong, targets = self._read(index, "u32"), self._fresh(), self._function.targets[table.name]
        cases = " ".join(f'i32 {k}, label %"{target}"' for k, target in enumerate(targets))
        self._end_block(f'switch i32 {value}, label %"{wrong}" [ {cases} ]')
        self._start_block(wrong)
        wide = self._new(f"zext i32 {value} to i64")
        self._emit(f"call void @ptx.fault(ptr %thread, i64 {Fault.ILLEGAL_BRANCH}, i64 {each.line}, i64 {wide})")
        self._end_block("br label %faulted")

    def _do_call(self, each: Instruction) -> None:
        operands = list(each.operands)
        results = _names(operands.pop(0)) if isinstance(operands[0], Group) else []
        called, *rest = operands
        if not isinstance(called, Symbol):
            raise PtxError("calls by address are not supported")
        callee, given = self._module.functions[called.name], [*results, *(_names(rest[0]) if rest else [])]
        self.called.append(called.name)
        wanted = [*callee.results, *callee.params]
        if [self._pointers[name].size for name in given] != [param.size for param in wanted] or callee.entry:
            raise PtxError(f"{called.name} has other parameters")
        arguments = "".join(f', ptr %"{name}"' for name in given)
        self._check(self._new(f"call i1 {llvm_name(called.name)}(ptr %thread{arguments})"))

    def _do_ret(self, each: Instruction) -> None:
        self._emit(f"call void @ptx.leave(ptr %thread, i64 {self._frame})")
        self._end_block("ret i1 true")

    # --- values -----------------------------------------------------------------------------------------------------

    def _do_mov(self, each: Instruction) -> None:
        target, source = each.operands
        kind = each.opcode[-1]
        if isinstance(target, Group):
            self._unpack(target, self._read(source, kind), BITS[kind])
        elif isinstance(source, Group):
            self._write(target, self._packed(source, BITS[kind]), kind)
        else:
            self._write(target, self._read(source, kind), kind)

    def _unpack(self, target: Group, value: str, bits: int) -> None:
        part = bits // len(target.items)
        for k, item in enumerate(target.items):
            shifted = self._new(f"lshr i{bits} {value}, {k * part}")
            self._write(item, self._new(f"trunc i{bits} {shifted} to i{part}"), f"b{part}")

    def _packed(self, source: Group, bits: int) -> str:
        part, whole = bits // len(source.items), "0"
        for k, item in enumerate(source.items):
            wide = self._new(f"zext i{part} {self._read(item, f'b{part}')} to i{bits}")
            shifted = self._new(f"shl i{bits} {wide}, {k * part}")
            whole = self._new(f"or i{bits} {whole}, {shifted}")
        return whole

    def _do_cvt(self, each: Instruction) -> None:
        """Convert between integers: of the source the low bits count, and the result is extended to its register."""
        _, to, source_kind = each.opcode
        value, have, want = self._read(each.operands[1], source_kind, wider=True), BITS[source_kind], BITS[to]
        if want < have:
            value = self._new(f"trunc i{have} {value} to i{want}")
        elif want > have:
            value = self._new(f"{'sext' if source_kind[0] == 's' else 'zext'} i{have} {value} to i{want}")
        self._write(each.operands[0], value, to, wider=True)

    def _compute(self, each: Instruction) -> None:
        """Compute a value from other values."""
        target, *sources = each.operands
        result, *kinds = arithmetic.types_of(each.opcode, len(sources))
        read = [self._read(source, kind) for source, kind in zip(sources, kinds, strict=True)]
        self._write(target, arithmetic.compute(self._new, each.opcode, read), result)


def _names(operand: Operand) -> list[str]:
    """The names of the parameters of a call."""
    if not isinstance(operand, Group) or not all(isinstance(item, Symbol) for item in operand.items):
        raise PtxError(f"{operand} are not parameters")
    return [item.name for item in operand.items if isinstance(item, Symbol)]


def _constant(value: int, bits: int) -> str:
    """An integer constant, of which the low bits count. A predicate is true if the constant is not zero."""
    return str(int(value != 0)) if bits == 1 else str(value & ((1 << bits) - 1))
