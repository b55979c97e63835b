"""The functions that translated PTX calls, in LLVM IR: frames in local memory, checked accesses, and faults.

A thread is an array of 64-bit words: see ``Word``. An allocation of global memory is three words: its first address,
its end, and the address of its shadow memory or zero. The shadow has two stamps for each byte, of the last write and
of the last read; an access stamps its first byte only. Two accesses of different threads in one launch are a race
unless both are reads or both are atomic, because threads of a GPU run in any order.
"""

from enum import IntEnum


class Fault(IntEnum):
    """A reason why the execution of a thread ends. GPUs report these faults, too, except for races."""

    MISALIGNED = 1
    ILLEGAL_ADDRESS = 2
    ILLEGAL_BRANCH = 3
    STACK_OVERFLOW = 4
    RACE = 5
    ENDLESS = 6


class Word(IntEnum):
    """The words of a thread."""

    ALLOCATIONS, ALLOCATION_COUNT, LOCAL, LOCAL_SIZE, LOCAL_TOP = range(5)
    FAULT, LINE, ADDRESS = range(5, 8)
    TID, NTID, CTAID, NCTAID = range(8, 12)
    STAMP = 12
    """The number of the launch times 65,536 plus the number of the thread."""
    ACCESSES = 13
    """The number of accesses to memory that are left before the thread counts as endless."""


class Access(IntEnum):
    """Kinds of accesses to memory. Volatile reads are not compared with other accesses."""

    READ, WRITE, ATOMIC, VOLATILE = range(4)


MANY, ATOMIC_STAMP = 0xFFFF, 0xFFFE
"""Thread numbers in stamps: several readers, and atomic accesses of any thread."""

ALLOCATION_WORDS = 3
FILL = 0xA5
"""The byte that new frames in local memory are filled with."""

_WORD = """
  %{name}_at = getelementptr i64, ptr %thread, i64 {position}
  %{name} = load i64, ptr %{name}_at
"""


def _words(**positions: int) -> str:
    """Instructions that read words of the thread."""
    return "".join(_WORD.format(name=name, position=position) for name, position in positions.items())


_FAULT = f"""
define void @ptx.fault(ptr %thread, i64 %kind, i64 %line, i64 %address) noinline {{
  {_words(f=Word.FAULT, l=Word.LINE, a=Word.ADDRESS)}
  store i64 %kind, ptr %f_at
  store i64 %line, ptr %l_at
  store i64 %address, ptr %a_at
  ret void
}}
"""

_FRAMES = f"""
define i64 @ptx.enter(ptr %thread, i64 %size) {{
  {_words(top=Word.LOCAL_TOP, room=Word.LOCAL_SIZE, base=Word.LOCAL)}
  %new = add i64 %top, %size
  %fits = icmp ule i64 %new, %room
  br i1 %fits, label %fill, label %full
fill:
  %from = add i64 %base, %top
  %pointer = inttoptr i64 %from to ptr
  call void @llvm.memset.p0.i64(ptr %pointer, i8 {FILL}, i64 %size, i1 false)
  store i64 %new, ptr %top_at
  ret i64 %top
full:
  call void @ptx.fault(ptr %thread, i64 {Fault.STACK_OVERFLOW}, i64 0, i64 %new)
  ret i64 -1
}}

define void @ptx.leave(ptr %thread, i64 %size) {{
  {_words(top=Word.LOCAL_TOP)}
  %new = sub i64 %top, %size
  store i64 %new, ptr %top_at
  ret void
}}
"""

_ACCESS = "ptr %thread, i64 %address, i64 %size, i64 %access, i64 %line"

_GENERIC = f"""
define ptr @ptx.generic({_ACCESS}) {{
  {_words(top=Word.LOCAL_TOP, base=Word.LOCAL)}
  %offset = sub i64 %address, %base
  %own = icmp ult i64 %offset, %top
  br i1 %own, label %local, label %global
local:
  %a = call ptr @ptx.local(ptr %thread, i64 %offset, i64 %size, i64 %access, i64 %line)
  ret ptr %a
global:
  %b = call ptr @ptx.global({_ACCESS})
  ret ptr %b
}}
"""

_LOCAL = f"""
define ptr @ptx.local({_ACCESS}) {{
  {_words(top=Word.LOCAL_TOP, base=Word.LOCAL)}
  %low = sub i64 %size, 1
  %rest = and i64 %address, %low
  %aligned = icmp eq i64 %rest, 0
  br i1 %aligned, label %bounds, label %misaligned
misaligned:
  call void @ptx.fault(ptr %thread, i64 {Fault.MISALIGNED}, i64 %line, i64 %address)
  ret ptr null
bounds:
  %end = add i64 %address, %size
  %in = icmp ule i64 %end, %top
  %positive = icmp ult i64 %address, %top
  %both = and i1 %in, %positive
  br i1 %both, label %fine, label %outside
outside:
  call void @ptx.fault(ptr %thread, i64 {Fault.ILLEGAL_ADDRESS}, i64 %line, i64 %address)
  ret ptr null
fine:
  %at = add i64 %base, %address
  %pointer = inttoptr i64 %at to ptr
  ret ptr %pointer
}}
"""

_GLOBAL = f"""
define ptr @ptx.global({_ACCESS}) {{
  {_words(first=Word.ALLOCATIONS, count=Word.ALLOCATION_COUNT, left=Word.ACCESSES)}
  %fewer = sub i64 %left, 1
  store i64 %fewer, ptr %left_at
  %table = inttoptr i64 %first to ptr
  %low = sub i64 %size, 1
  %rest = and i64 %address, %low
  %aligned = icmp eq i64 %rest, 0
  br i1 %aligned, label %patient, label %fault
patient:
  %some = icmp sgt i64 %left, 0
  br i1 %some, label %loop, label %fault
loop:
  %k = phi i64 [ 0, %patient ], [ %next, %more ]
  %done = icmp eq i64 %k, %count
  br i1 %done, label %fault, label %try
try:
  %row = mul i64 %k, {ALLOCATION_WORDS}
  %start_at = getelementptr i64, ptr %table, i64 %row
  %end_at = getelementptr i64, ptr %start_at, i64 1
  %start = load i64, ptr %start_at
  %end = load i64, ptr %end_at
  %behind = add i64 %address, %size
  %above = icmp uge i64 %address, %start
  %below = icmp ule i64 %behind, %end
  %in = and i1 %above, %below
  br i1 %in, label %found, label %more
more:
  %next = add i64 %k, 1
  br label %loop
found:
  %shadow_at = getelementptr i64, ptr %start_at, i64 2
  %shadow = load i64, ptr %shadow_at
  %pointer = inttoptr i64 %address to ptr
  %unshadowed = icmp eq i64 %shadow, 0
  br i1 %unshadowed, label %fine, label %compare
compare:
  %offset = sub i64 %address, %start
  %alone = call i1 @ptx.alone(ptr %thread, i64 %shadow, i64 %offset, i64 %access)
  br i1 %alone, label %fine, label %fault
fine:
  ret ptr %pointer
fault:
  %kind = phi i64 [ {Fault.MISALIGNED}, %0 ], [ {Fault.ENDLESS}, %patient ],
    [ {Fault.ILLEGAL_ADDRESS}, %loop ], [ {Fault.RACE}, %compare ]
  call void @ptx.fault(ptr %thread, i64 %kind, i64 %line, i64 %address)
  ret ptr null
}}
"""

_RACES = f"""
define i1 @ptx.conflict(i32 %stamp, i32 %mine) alwaysinline {{
  %old = lshr i32 %stamp, 16
  %now = lshr i32 %mine, 16
  %current = icmp eq i32 %old, %now
  %other = icmp ne i32 %stamp, %mine
  %both = and i1 %current, %other
  ret i1 %both
}}

define i1 @ptx.alone(ptr %thread, i64 %shadow, i64 %offset, i64 %access) {{
  {_words(own=Word.STAMP)}
  %stamp = trunc i64 %own to i32
  %table = inttoptr i64 %shadow to ptr
  %write_at = getelementptr [2 x i32], ptr %table, i64 %offset
  %read_at = getelementptr i32, ptr %write_at, i64 1
  %last_write = load i32, ptr %write_at
  %last_read = load i32, ptr %read_at
  %launch = and i32 %stamp, -65536
  %atomic = or i32 %launch, {ATOMIC_STAMP}
  %many = or i32 %launch, {MANY}
  switch i64 %access, label %fine [
    i64 {Access.READ}, label %read
    i64 {Access.WRITE}, label %change
    i64 {Access.ATOMIC}, label %change
  ]
read:
  %written = call i1 @ptx.conflict(i32 %last_write, i32 %stamp)
  %shared = call i1 @ptx.conflict(i32 %last_read, i32 %stamp)
  %reader = select i1 %shared, i32 %many, i32 %stamp
  store i32 %reader, ptr %read_at
  br i1 %written, label %race, label %fine
change:
  %is_atomic = icmp eq i64 %access, {Access.ATOMIC}
  %mine = select i1 %is_atomic, i32 %atomic, i32 %stamp
  store i32 %mine, ptr %write_at
  %lost = call i1 @ptx.conflict(i32 %last_write, i32 %mine)
  %seen = call i1 @ptx.conflict(i32 %last_read, i32 %stamp)
  %bad = or i1 %lost, %seen
  br i1 %bad, label %race, label %fine
fine:
  ret i1 true
race:
  ret i1 false
}}
"""

_INTRINSICS = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n" + "".join(
    f"declare i{bits} @llvm.{name}.i{bits}(i{bits}{more})\n"
    for bits in (16, 32, 64)
    for name, more in (("ctpop", ""), ("ctlz", ", i1"), ("abs", ", i1"))
)

TEXT = _INTRINSICS + _FAULT + _FRAMES + _GENERIC + _LOCAL + _GLOBAL + _RACES
"""The runtime in LLVM IR."""
