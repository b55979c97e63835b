"""The instructions of PTX that compute values, as LLVM IR: see the chapter "Instruction Set" of the PTX ISA reference.

Integers wrap around. Shift amounts are clamped to the width. Division by zero gives garbage.
"""

from collections.abc import Callable, Sequence

from ptx.parser import SIZES, PtxError

GARBAGE = 0x5A5A5A5A5A5A5A5A
"""The bits of values that the reference leaves open."""

BITS = {"pred": 1} | {name: 8 * size for name, size in SIZES.items()}
"""The width of each type."""

New = Callable[[str], str]
"""A function that adds an LLVM instruction and returns the name of its value."""

UNSIGNED = {"lo": "ult", "ls": "ule", "hi": "ugt", "hs": "uge"}
WIDER = {"u16": "u32", "s16": "s32", "u32": "u64", "s32": "s64"}
"""The type of the result of a wide multiplication."""


def types_of(opcode: Sequence[str], sources: int) -> list[str]:
    """The types of the result and of the operands of an instruction. Raises PtxError if it is not known."""
    name, kind = opcode[0], opcode[-1]
    same = [kind] * sources
    if name in ("shl", "shr"):
        return [kind, kind, "u32"]
    if name in ("mul", "mad") and opcode[1] == "wide":
        return [WIDER[kind], kind, kind, WIDER[kind]][: sources + 1]
    if name == "setp":
        return ["pred", kind, kind, "pred"][: sources + 1]
    if name == "selp":
        return [kind, kind, kind, "pred"]
    if name in ("popc", "clz"):
        return ["u32", kind]
    if name == "bfe":
        return [kind, kind, "u32", "u32"]
    if name in _OPERATIONS:
        return [kind, *same]
    raise PtxError("unknown instruction")


def compute(new: New, opcode: Sequence[str], read: Sequence[str]) -> str:
    """The value of an instruction from the values of its operands."""
    name, *modifiers, kind = opcode
    return _OPERATIONS[name](new, modifiers, kind, *read)


def _only(modifiers: Sequence[str], *allowed: str) -> None:
    if not set(modifiers) <= set(allowed):
        raise PtxError("unknown modifiers")


def _binary(operation: str) -> Callable[..., str]:
    def code(new: New, modifiers: Sequence[str], kind: str, a: str, b: str) -> str:
        _only(modifiers)
        return new(f"{operation} i{BITS[kind]} {a}, {b}")

    return code


def _unary(expression: str) -> Callable[..., str]:
    def code(new: New, modifiers: Sequence[str], kind: str, a: str) -> str:
        _only(modifiers)
        return new(expression.format(a, n=BITS[kind]))

    return code


def _smaller_or_larger(relation: str) -> Callable[..., str]:
    def code(new: New, modifiers: Sequence[str], kind: str, a: str, b: str) -> str:
        _only(modifiers)
        first = new(f"icmp {_sign(kind)}{relation} i{BITS[kind]} {a}, {b}")
        return new(f"select i1 {first}, i{BITS[kind]} {a}, i{BITS[kind]} {b}")

    return code


def _sign(kind: str) -> str:
    """The prefix of LLVM's comparisons and divisions for a type. The type must have or not have a sign."""
    if kind[0] not in "su":
        raise PtxError("the type says neither signed nor unsigned")
    return kind[0]


def _product(new: New, modifiers: Sequence[str], kind: str, a: str, b: str) -> str:
    _only(modifiers, "lo", "hi", "wide")
    bits, extend = BITS[kind], "sext" if _sign(kind) == "s" else "zext"
    if modifiers == ["lo"]:
        return new(f"mul i{bits} {a}, {b}")
    wide = [new(f"{extend} i{bits} {each} to i{2 * bits}") for each in (a, b)]
    whole = new(f"mul i{2 * bits} {wide[0]}, {wide[1]}")
    if modifiers == ["wide"]:
        return whole
    return new(f"trunc i{2 * bits} {new(f'lshr i{2 * bits} {whole}, {bits}')} to i{bits}")


def _product_and_sum(new: New, modifiers: Sequence[str], kind: str, a: str, b: str, c: str) -> str:
    bits = BITS[WIDER[kind] if modifiers == ["wide"] else kind]
    return new(f"add i{bits} {_product(new, modifiers, kind, a, b)}, {c}")


def _division(operation: str) -> Callable[..., str]:
    """A division or remainder. Where it is not defined, LLVM's is not executed, and the result is garbage."""

    def code(new: New, modifiers: Sequence[str], kind: str, a: str, b: str) -> str:
        _only(modifiers)
        bits, sign = BITS[kind], _sign(kind)
        undefined = new(f"icmp eq i{bits} {b}, 0")
        if sign == "s":
            lowest = new(f"icmp eq i{bits} {a}, {-(1 << (bits - 1))}")
            overflow = new(f"and i1 {lowest}, {new(f'icmp eq i{bits} {b}, -1')}")
            undefined = new(f"or i1 {undefined}, {overflow}")
        divisor = new(f"select i1 {undefined}, i{bits} 1, i{bits} {b}")
        value = new(f"{sign}{operation} i{bits} {a}, {divisor}")
        return new(f"select i1 {undefined}, i{bits} {GARBAGE & ((1 << bits) - 1)}, i{bits} {value}")

    return code


def _shift(new: New, modifiers: Sequence[str], operation: str, bits: int, a: str, amount: str) -> str:
    """A shift by an unsigned amount. An amount of at least the width shifts all bits out; ``ashr`` keeps the sign."""
    _only(modifiers)
    large = new(f"icmp uge i32 {amount}, {bits}")
    limited = new(f"select i1 {large}, i32 {bits - 1}, i32 {amount}")
    sized = limited if bits == 32 else new(f"{'zext' if bits > 32 else 'trunc'} i32 {limited} to i{bits}")
    value = new(f"{operation} i{bits} {a}, {sized}")
    return value if operation == "ashr" else new(f"select i1 {large}, i{bits} 0, i{bits} {value}")


def _shift_left(new: New, modifiers: Sequence[str], kind: str, a: str, amount: str) -> str:
    return _shift(new, modifiers, "shl", BITS[kind], a, amount)


def _shift_right(new: New, modifiers: Sequence[str], kind: str, a: str, amount: str) -> str:
    return _shift(new, modifiers, "ashr" if kind[0] == "s" else "lshr", BITS[kind], a, amount)


def _compare(new: New, modifiers: Sequence[str], kind: str, a: str, b: str, *more: str) -> str:
    relation, *combined = modifiers
    if relation in ("eq", "ne"):
        condition = relation
    elif relation in UNSIGNED and kind[0] == "u":
        condition = UNSIGNED[relation]
    elif relation in ("lt", "le", "gt", "ge"):
        condition = _sign(kind) + relation
    else:
        raise PtxError("unknown comparison")
    value = new(f"icmp {condition} i{BITS[kind]} {a}, {b}")
    if not combined:
        return value
    _only(combined, "and", "or", "xor")
    return new(f"{combined[0]} i1 {value}, {more[0]}")


def _choose(new: New, modifiers: Sequence[str], kind: str, a: str, b: str, condition: str) -> str:
    _only(modifiers)
    return new(f"select i1 {condition}, i{BITS[kind]} {a}, i{BITS[kind]} {b}")


def _count(intrinsic: str) -> Callable[..., str]:
    """The number of ones, or of leading zeros, which is the width for zero. The result has 32 bits."""

    def code(new: New, modifiers: Sequence[str], kind: str, a: str) -> str:
        _only(modifiers)
        bits = BITS[kind]
        more = ", i1 false" if intrinsic == "ctlz" else ""
        value = new(f"call i{bits} @llvm.{intrinsic}.i{bits}(i{bits} {a}{more})")
        return value if bits == 32 else new(f"trunc i{bits} {value} to i32")

    return code


def _extract(new: New, modifiers: Sequence[str], kind: str, a: str, position: str, count: str) -> str:
    """A bit field: ``count`` bits from ``position`` on, both modulo 256. A signed field is extended by its last bit."""
    bits = BITS[kind]
    position, count = (new(f"and i32 {each}, 255") for each in (position, count))
    field = _shift(new, modifiers, "lshr", bits, a, position)
    mask = new(f"xor i{bits} {_shift(new, (), 'shl', bits, '-1', count)}, -1")
    value = new(f"and i{bits} {field}, {mask}")
    if _sign(kind) == "u":
        return value
    last = new(f"sub i32 {new(f'add i32 {position}, {count}')}, 1")
    last = _smaller_or_larger("lt")(new, (), "s32", last, str(bits - 1))
    sign = new(f"and i{bits} {_shift(new, (), 'lshr', bits, a, last)}, 1")
    negative = new(f"icmp eq i{bits} {sign}, 1")
    left = new(f"sub i32 {bits}, {position}")
    valid = _smaller_or_larger("lt")(new, (), "s32", count, left)
    negative = new(f"and i1 {negative}, {new(f'icmp ne i32 {count}, 0')}")
    filled = new(f"or i{bits} {value}, {_shift(new, (), 'shl', bits, '-1', valid)}")
    return new(f"select i1 {negative}, i{bits} {filled}, i{bits} {value}")


_OPERATIONS: dict[str, Callable[..., str]] = {
    "add": _binary("add"),
    "sub": _binary("sub"),
    "and": _binary("and"),
    "or": _binary("or"),
    "xor": _binary("xor"),
    "not": _unary("xor i{n} {0}, -1"),
    "neg": _unary("sub i{n} 0, {0}"),
    "abs": _unary("call i{n} @llvm.abs.i{n}(i{n} {0}, i1 false)"),
    "min": _smaller_or_larger("lt"),
    "max": _smaller_or_larger("gt"),
    "mul": _product,
    "mad": _product_and_sum,
    "div": _division("div"),
    "rem": _division("rem"),
    "shl": _shift_left,
    "shr": _shift_right,
    "setp": _compare,
    "selp": _choose,
    "popc": _count("ctpop"),
    "clz": _count("ctlz"),
    "bfe": _extract,
}
