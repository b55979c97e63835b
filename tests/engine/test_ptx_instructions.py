"""The simulator of PTX: instructions, checks of memory accesses, and errors, as NVIDIA's PTX reference says."""

import numpy as np
import pytest
from ptx.arithmetic import GARBAGE
from ptx.parser import PtxError, parse
from ptx.runtime import Fault
from ptx.simulator import Launch, Simulator, ThreadFault

MODULE = """.version 7.0
.target sm_60
.address_size 64

.visible .entry test(
	.param .align 8 .b8 test_param_0[32]
)
{{
	.local .align 16 .b8 	__local_depot0[16];
	.reg .pred 	%p<4>;
	.reg .b16 	%rs<8>;
	.reg .b32 	%r<8>;
	.reg .b64 	%rd<8>;
	ld.param.b64 	%rd7, [test_param_0]; // the address of the memory
	ld.param.b64 	%rd1, [test_param_0+8];
	ld.param.b64 	%rd2, [test_param_0+16];
	ld.param.b64 	%rd3, [test_param_0+24];
	cvt.u32.u64 	%r1, %rd1;
	cvt.u32.u64 	%r2, %rd2;
	cvt.u32.u64 	%r3, %rd3;
	{lines}
	st.global.b64 	[%rd7], %rd4;
	ret;
}}
"""

MOST = 2**64 - 1


def run(lines: str, *given: int, threads: int = 1, races: bool = False) -> int:
    """Execute lines of PTX, which find numbers in %rd1 to %rd3 and in %r1 to %r3. Returns what they leave in %rd4."""
    simulator = Simulator(parse(MODULE.format(lines=lines)), ["test"])
    memory, shadow = np.full(8, 17, np.int64), np.zeros(64, np.int64)
    at = int(memory.ctypes.data)
    shadow_at = int(shadow.ctypes.data) if races else 0
    launch = Launch(simulator, "test", (1, threads), [(at, at + memory.nbytes, shadow_at)], 1)
    words = np.array([at, *given, *[0] * (3 - len(given))], np.uint64)
    for thread in range(threads):
        launch.run(thread, words)
    return int(memory[0]) & MOST


def wide(line: str) -> str:
    """A line that leaves a 32-bit value in %r4, and one that extends it."""
    return f"{line}\n\tcvt.u64.u32 \t%rd4, %r4;"


@pytest.mark.parametrize(
    ("lines", "given", "expected"),
    [
        ("add.s64 %rd4, %rd1, %rd2;", (MOST, 3), 2),
        ("sub.s64 %rd4, %rd1, 5;", (3,), MOST - 1),
        ("mul.lo.s64 %rd4, %rd1, %rd2;", (1 << 63, 3), 1 << 63),
        ("mul.hi.u64 %rd4, %rd1, %rd2;", (1 << 63, 6), 3),
        ("mul.hi.s64 %rd4, %rd1, %rd2;", (MOST, 6), MOST),
        ("mul.wide.s32 %rd4, %r1, %r2;", (2**32 - 1, 2), MOST - 1),
        ("mul.wide.u32 %rd4, %r1, %r2;", (2**32 - 1, 2), 2**33 - 2),
        ("mad.lo.s64 %rd4, %rd1, %rd2, %rd3;", (5, 6, 7), 37),
        ("mad.wide.u32 %rd4, %r1, %r2, %rd3;", (2**32 - 1, 2, 1), 2**33 - 1),
        ("div.s64 %rd4, %rd1, %rd2;", (MOST - 6, 2), MOST - 2),
        ("rem.s64 %rd4, %rd1, %rd2;", (MOST - 6, 2), MOST),
        ("div.u64 %rd4, %rd1, %rd2;", (MOST, 2), 2**63 - 1),
        ("div.u64 %rd4, %rd1, %rd2;", (7, 0), GARBAGE),
        ("rem.s64 %rd4, %rd1, %rd2;", (1 << 63, MOST), GARBAGE),
        ("shl.b64 %rd4, %rd1, %r2;", (1, 63), 1 << 63),
        ("shl.b64 %rd4, %rd1, %r2;", (1, 64), 0),
        ("shl.b64 %rd4, %rd1, %r2;", (1, 2**32 - 1), 0),
        ("shr.u64 %rd4, %rd1, %r2;", (MOST, 65), 0),
        ("shr.s64 %rd4, %rd1, %r2;", (1 << 63, 65), MOST),
        (wide("shl.b32 %r4, %r1, %r2;"), (1, 32), 0),
        (wide("shr.s32 %r4, %r1, %r2;"), (1 << 31, 40), 2**32 - 1),
        ("min.s64 %rd4, %rd1, %rd2;", (MOST, 3), MOST),
        ("min.u64 %rd4, %rd1, %rd2;", (MOST, 3), 3),
        ("max.s64 %rd4, %rd1, %rd2;", (MOST, 3), 3),
        ("neg.s64 %rd4, %rd1;", (1,), MOST),
        ("abs.s64 %rd4, %rd1;", (MOST,), 1),
        ("not.b64 %rd4, %rd1;", (5,), MOST - 5),
        ("xor.b64 %rd4, %rd1, %rd2;", (5, 6), 3),
        (wide("popc.b64 %r4, %rd1;"), (MOST,), 64),
        (wide("clz.b64 %r4, %rd1;"), (0,), 64),
        (wide("clz.b32 %r4, %r1;"), (1,), 31),
        ("bfe.u64 %rd4, %rd1, %r2, %r3;", (0xABCDEF, 8, 8), 0xCD),
        ("bfe.u64 %rd4, %rd1, 60, 16;", (MOST,), 15),
        ("bfe.u64 %rd4, %rd1, 8, 0;", (MOST,), 0),
        ("bfe.s64 %rd4, %rd1, 4, 4;", (0x8F,), MOST - 7),
        ("bfe.s64 %rd4, %rd1, 4, 4;", (0x7F,), 7),
        ("bfe.s64 %rd4, %rd1, 60, 16;", (MOST,), MOST),
        (wide("bfe.u32 %r4, %r1, 2, 19;"), (2**32 - 1,), 2**19 - 1),
        ("cvt.s64.s8 %rd4, %rd1;", (0x1FF,), MOST),
        ("cvt.u64.u8 %rd4, %rd1;", (0x1FF,), 0xFF),
        ("cvt.u64.s8 %rd4, %rd1;", (0xFF,), MOST),
        (wide("cvt.s8.s32 %r4, %r1;"), (0x80,), 2**32 - 128),
        (wide("cvt.u8.u32 %r4, %r1;"), (0x180,), 0x80),
        ("setp.lt.s64 %p1, %rd1, %rd2;\nselp.b64 %rd4, 1, 2, %p1;", (MOST, 0), 1),
        ("setp.lt.u64 %p1, %rd1, %rd2;\nselp.b64 %rd4, 1, 2, %p1;", (MOST, 0), 2),
        ("setp.hi.u64 %p1, %rd1, %rd2;\nselp.b64 %rd4, 1, 2, %p1;", (MOST, 0), 1),
        ("mov.pred %p2, -1;\nsetp.eq.and.b64 %p1, %rd1, 3, %p2;\nselp.b64 %rd4, 1, 2, %p1;", (3,), 1),
        ("setp.eq.b64 %p1, %rd1, 3;\nnot.pred %p2, %p1;\nselp.b64 %rd4, 1, 2, %p2;", (3,), 2),
        ("mov.b64 {%r4, %r5}, %rd1;\nmov.b64 %rd4, {%r5, %r4};", (1 << 32,), 1),
        ("mov.b64 %rd4, %rd5;", (), GARBAGE),
        ("mov.b64 %rd4, 1;\nsetp.eq.b64 %p1, %rd1, 0;\n@%p1 mov.b64 %rd4, 2;\n@!%p1 add.s64 %rd4, %rd4, 4;", (3,), 5),
        ("ld.global.b8 %rs1, [%rd7];\ncvt.u64.u16 %rd4, %rs1;", (), 17),
        ("st.b8 [%rd7+8], %rd1;\nld.s8 %rs1, [%rd7+8];\ncvt.s64.s16 %rd4, %rs1;", (0x1FE,), MOST - 1),
        ("st.v2.b64 [%rd7+16], {%rd1, %rd2};\nld.b64 %rd4, [%rd7+24];", (5, 6), 6),
        ("atom.add.u64 %rd4, [%rd7+8], %rd1;", (3,), 17),
        ("atom.add.u64 %rd5, [%rd7+8], %rd1;\nld.volatile.global.b64 %rd4, [%rd7+8];", (3,), 20),
        ("mov.b64 %rd5, __local_depot0;\nst.local.b64 [%rd5+8], 7;\ncvta.local.u64 %rd6, %rd5;\nld.b64 %rd4, [%rd6+8];",
         (), 7),
        ("mov.b64 %rd5, __local_depot0;\nld.local.b64 %rd4, [%rd5];", (), 0xA5A5A5A5A5A5A5A5),
    ],
)  # fmt: skip
def test_an_instruction(lines: str, given: tuple[int, ...], expected: int) -> None:
    assert run(lines, *given) == expected


TARGETS = "$L_brx: .branchtargets $A, $B;\nbrx.idx %r1, $L_brx;"
BRANCH = f"{TARGETS}\n$A:\nmov.b64 %rd4, 1;\nbra.uni $C;\n$B:\nmov.b64 %rd4, 2;\n$C:"


@pytest.mark.parametrize("index", [0, 1])
def test_an_indirect_branch(index: int) -> None:
    assert run(BRANCH, index) == index + 1


@pytest.mark.parametrize(
    ("lines", "given", "kind"),
    [
        ("ld.b64 %rd4, [%rd7+4];", (), Fault.MISALIGNED),
        ("st.v2.b64 [%rd7+8], {%rd1, %rd2};", (), Fault.MISALIGNED),
        ("ld.b64 %rd4, [%rd7+64];", (), Fault.ILLEGAL_ADDRESS),
        ("ld.b64 %rd4, [%rd7+-8];", (), Fault.ILLEGAL_ADDRESS),
        ("ld.global.b64 %rd4, [%rd1];", (), Fault.ILLEGAL_ADDRESS),
        ("mov.b64 %rd5, __local_depot0;\nld.b64 %rd4, [%rd5];", (), Fault.ILLEGAL_ADDRESS),
        ("mov.b64 %rd5, __local_depot0;\nld.local.b64 %rd4, [%rd5+16];", (), Fault.ILLEGAL_ADDRESS),
        ("mov.b64 %rd5, __local_depot0;\nld.local.b64 %rd4, [%rd5+-8];", (), Fault.ILLEGAL_ADDRESS),
        ("ld.local.b64 %rd4, [%rd7];", (), Fault.ILLEGAL_ADDRESS),
        (BRANCH, (2,), Fault.ILLEGAL_BRANCH),
    ],
)
def test_a_fault(lines: str, given: tuple[int, ...], kind: Fault) -> None:
    with pytest.raises(ThreadFault, match="in line") as raised:
        run(lines, *given)
    assert raised.value.kind is kind


@pytest.mark.parametrize(
    ("lines", "races"),
    [
        ("mov.u32 %r4, %tid.x;\nmul.wide.u32 %rd5, %r4, 8;\nadd.s64 %rd7, %rd7, %rd5;\nld.b64 %rd4, [%rd7];", False),
        ("ld.b64 %rd4, [%rd7+8];\nmov.u32 %r4, %tid.x;\nmul.wide.u32 %rd5, %r4, 8;\nadd.s64 %rd7, %rd7, %rd5;", True),
        ("mov.b64 %rd4, 1;", True),
        ("atom.add.u64 %rd4, [%rd7+8], 1;\nadd.s64 %rd7, %rd7, 8;", True),
        ("atom.add.u64 %rd4, [%rd7+8], 1;\nmul.lo.s64 %rd5, %rd4, 8;\nadd.s64 %rd5, %rd5, -136;\n"
         "add.s64 %rd7, %rd7, %rd5;\nadd.s64 %rd7, %rd7, 16;", False),
    ],
)  # fmt: skip
def test_races_of_two_threads_are_found(lines: str, races: bool) -> None:
    if not races:
        run(lines, threads=2, races=True)
        return
    with pytest.raises(ThreadFault, match="RACE"):
        run(lines, threads=3, races=True)


@pytest.mark.parametrize(
    "lines",
    [
        "frobnicate.b64 %rd4, %rd1;",
        "add.sat.s64 %rd4, %rd1, %rd2;",
        "add.s64 %rd4, %r1, %rd2;",
        "add.s32 %rd4, %r1, %r2;",
        "setp.lt.b64 %p1, %rd1, %rd2;",
        "ld.shared.b64 %rd4, [%rd7];",
        "ld.param.b64 %rd4, [test_param_0+32];",
        "ld.param.b64 %rd4, [test_param_0+4];",
        "call.uni elsewhere, ();",
        "mov.b64 %rd4, %clock64;",
        "mov.b64 %rd4, %rd99;",
    ],
)
def test_what_is_not_known_or_not_allowed_is_an_error(lines: str) -> None:
    with pytest.raises(PtxError):
        run(lines)


CALLS = """.version 7.0
.target sm_60
.address_size 64
.func (.param .b32 func_retval0) factorial
(
	.param .b64 factorial_param_0,
	.param .b64 factorial_param_1
)
;
.func (.param .b32 func_retval0) factorial(
	.param .b64 factorial_param_0,
	.param .b64 factorial_param_1
)
{
	.local .align 8 .b8 	__local_depot1[8];
	.reg .pred 	%p<2>;
	.reg .b32 	%r<2>;
	.reg .b64 	%rd<8>;
	ld.param.b64 	%rd1, [factorial_param_0];
	ld.param.b64 	%rd2, [factorial_param_1];
	st.b64 	[%rd1], 1;
	setp.eq.b64 	%p1, %rd2, 0;
	@%p1 bra 	$DONE;
	mov.b64 	%rd3, __local_depot1;
	cvta.local.u64 	%rd4, %rd3;
	add.s64 	%rd5, %rd2, -1;
	{ // callseq 0, 0
	.param .b64 param0;
	st.param.b64 	[param0], %rd4;
	.param .b64 param1;
	st.param.b64 	[param1], %rd5;
	.param .b32 retval0;
	call.uni (retval0), factorial, (param0, param1);
	ld.param.b32 	%r1, [retval0];
	} // callseq 0
	ld.local.b64 	%rd6, [%rd3];
	mul.lo.s64 	%rd7, %rd6, %rd2;
	st.b64 	[%rd1], %rd7;
$DONE:
	st.param.b32 	[func_retval0], 0;
	ret;
}
"""


def call(number: int) -> int:
    """The factorial of a number. The result is written through a generic address of local or global memory."""
    simulator = Simulator(parse(CALLS), ["factorial"])
    memory, result = np.zeros(1, np.int64), np.zeros(1, np.int32)
    at = int(memory.ctypes.data)
    launch = Launch(simulator, "factorial", (1, 1), [(at, at + 8, 0)], 1)
    launch.run(0, np.array([at]), np.array([number]), results=[result])
    return int(memory[0])


def test_functions_call_each_other_and_have_frames_of_their_own() -> None:
    assert call(10) == 3_628_800


def test_too_many_frames_are_a_fault() -> None:
    with pytest.raises(ThreadFault, match="STACK_OVERFLOW"):
        call(100_000)
