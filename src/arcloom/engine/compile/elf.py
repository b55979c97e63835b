"""Reading cubins, which are ELF files: the GPU that one is for, and its entry points."""

import struct
from collections.abc import Iterator

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_SYMBOLS, _FUNCTION, _ENTRY = 2, 2, 0x10
"""The type of the section with symbols, the type of symbols that are functions, and the flag of entry points
(STO_CUDA_ENTRY)."""


def launchable_functions(cubin: bytes) -> set[str]:
    """The names of the functions that can be launched. Raises ValueError if this is not a cubin."""
    sections = _sections(cubin)
    found = set()
    for kind, at, size, strings in sections:
        if kind == _SYMBOLS:
            for name, info, other, *_ in _SYMBOL.iter_unpack(cubin[at : at + size]):
                if info & 0xF == _FUNCTION and other & _ENTRY:
                    first = sections[strings][1] + name
                    found.add(cubin[first : cubin.index(b"\0", first)].decode())
    return found


def architecture(cubin: bytes) -> str:
    """The architecture of the GPU that the code is for, such as sm_75."""
    return f"sm_{_header(cubin)[7] & 0xFF}"


def _header(cubin: bytes) -> tuple[int, ...]:
    if cubin[:5] != b"\x7fELF\2" or len(cubin) < _HEADER.size:
        raise ValueError("this is not a cubin")
    return _HEADER.unpack_from(cubin)


def _sections(cubin: bytes) -> list[tuple[int, int, int, int]]:
    """The type, position, size and linked section of each section."""
    header = _header(cubin)
    at, size, count = header[6], header[11], header[12]
    return list(_section(cubin, range(at, at + size * count, size)))


def _section(cubin: bytes, places: range) -> Iterator[tuple[int, int, int, int]]:
    for place in places:
        _, kind, _, _, at, size, linked, *_ = _SECTION.unpack_from(cubin, place)
        yield kind, at, size, linked
