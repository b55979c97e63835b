"""Code for GPUs, built without a GPU: its entry points, resources and caching."""

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from ptx.kernels import some_kernels

from arcloom.engine.compile import cubins, cuda, elf, ptxas, support
from arcloom.engine.compile.errors import CompileError
from arcloom.engine.compile.progress import CompileProgress
from arcloom.engine.entry_points import ON_GPU

KERNELS = some_kernels()
ENTRY_POINT = "run_threads"
ENTRY_POINTS = list(ON_GPU)
CAPABILITY = (7, 5)

assembler = pytest.mark.skipif(next(ptxas.find(), None) is None, reason="needs NVIDIA's assembler")


@pytest.fixture(scope="module")
def built() -> Path:
    """The cubin of some kernels. It is in the cache unless sources changed."""
    cubins.build(KERNELS, ENTRY_POINTS, lambda progress: None, [CAPABILITY])
    return cubins.find([], KERNELS, ENTRY_POINTS, CAPABILITY)


@assembler
def test_a_cubin_has_its_entry_points_and_is_for_its_gpu(built: Path) -> None:
    code = built.read_bytes()
    assert elf.launchable_functions(code) == {"arcloom_run_threads", "arcloom_make_trials"}
    assert elf.architecture(code) == "sm_75"
    with pytest.raises(CompileError, match="lacks arcloom_enumerate_task"):
        cubins.check(code, [*ENTRY_POINTS, "enumerate_task"])


@assembler
@pytest.mark.parametrize("entry_point", ENTRY_POINTS)
def test_code_for_gpus_stays_within_limits(built: Path, entry_point: str) -> None:
    used = cubins.build(KERNELS, ENTRY_POINTS, lambda progress: None, [CAPABILITY])[CAPABILITY][
        f"arcloom_{entry_point}"
    ]
    assert used.registers <= 128
    assert used.stack <= 1024
    assert used.spills <= 256


@assembler
def test_existing_cubins_are_not_built_again(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("compiles")

    monkeypatch.setattr(cubins, "assemble", refuse)
    monkeypatch.setattr(cubins, "compile_jobs", refuse)
    cubins.build(KERNELS, ENTRY_POINTS, refuse, [CAPABILITY])


def test_progress_is_reported_while_code_is_assembled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCLOOM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cubins, "_ptx", lambda *_: "")
    monkeypatch.setattr(cubins, "TICK", 0.01)
    told: list[CompileProgress] = []
    go_on = threading.Event()

    def assemble(ptx: Path, capability: tuple[int, int], cubin: Path) -> dict[str, ptxas.ThreadResources]:
        assert go_on.wait(60)
        cubin.touch()
        return {"arcloom_run": ptxas.ThreadResources(1, 2, 3, 4)}

    def report(progress: CompileProgress) -> None:
        told.append(progress)
        go_on.set()

    monkeypatch.setattr(cubins, "assemble", assemble)
    monkeypatch.setattr(cubins, "check", lambda *_: None)
    used = cubins.build(["a"], ["run"], report, [(6, 0), (7, 5)])
    assert list(used) == [(6, 0), (7, 5)]
    assert told[0].text == "Assembling code for GPUs (once): 0/2"
    assert told[-1].ended and told[-1].done == 2


@assembler
def test_ptx_has_each_function_that_can_be_launched_and_a_call_of_each_kernel(built: Path) -> None:
    text = (built.parent / cubins.PTX).read_text()
    assert text.count(".entry") == len(ENTRY_POINTS)
    assert cuda.missing_features(text) == []
    assert all(f", {name}_" in text or f" {name}_" in text for name in KERNELS)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (".extern .func (.param .b64 r) malloc (.param .b64 size)", "allocation"),
        ("call vprintf, (param0, param1);", "exceptions"),
        (".extern .func helper", "undefined functions"),
        ("prototype_3 : .callprototype ()_ (.param .b64 _);", "calls by address"),
    ],
)
def test_features_that_gpus_lack_are_found(line: str, what: str) -> None:
    assert what in cuda.missing_features(line)


def test_the_switch_calls_every_launcher_by_its_position() -> None:
    text = support.call_by_number(["arcloom.a", "arcloom.b"])
    assert "i64 0, label %case0 i64 1, label %case1" in text
    assert text.index("case0:") < text.index('call void @"arcloom.a"') < text.index('call void @"arcloom.b"')


SAID = """ptxas info    : Compiling entry function 'arcloom_run' for 'sm_75'
ptxas info    : Function properties for arcloom_run
    200 bytes stack frame, 8 bytes spill stores, 16 bytes spill loads
ptxas info    : Used 128 registers, used 0 barriers, 952 bytes cumulative stack size, 360 bytes cmem[0]
ptxas info    : Function properties for first_list_7
    0 bytes stack frame, 40 bytes spill stores, 60 bytes spill loads
"""


def test_the_messages_of_the_assembler_are_parsed() -> None:
    assert ptxas.usage(SAID) == {"arcloom_run": ptxas.ThreadResources(128, 952, 24, 100)}


def test_a_file_that_is_not_a_cubin_is_refused() -> None:
    with pytest.raises(ValueError, match="not a cubin"):
        elf.launchable_functions(b"\x7fELF\1" + bytes(100))
    with pytest.raises(ValueError, match="not a cubin"):
        elf.architecture(b"")


@pytest.mark.parametrize(
    ("capability", "found"), [((8, 9), "sm_89"), ((8, 6), "sm_80"), ((7, 5), None), ((9, 0), None)]
)
def test_code_for_an_older_gpu_of_the_same_generation_is_used(
    capability: tuple[int, int], found: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARCLOOM_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "kit" / cubins.folder_name(["first"], [ENTRY_POINT])
    folder.mkdir(parents=True)
    for name in ("sm_60", "sm_80", "sm_89"):
        (folder / f"{name}.cubin").touch()
    if found is None:
        with pytest.raises(CompileError, match="no compiled code"):
            cubins.find([tmp_path / "kit"], ["first"], [ENTRY_POINT], capability)
    else:
        assert cubins.find([tmp_path / "kit"], ["first"], [ENTRY_POINT], capability).stem == found


def test_cubins_depend_on_the_modules_that_make_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = cubins.folder_name(["a"], ["b"])
    changed = tmp_path / "ptxas.py"
    changed.write_text("REGISTERS = 64\n")
    monkeypatch.setattr(ptxas, "__file__", str(changed))
    assert cubins.folder_name(["a"], ["b"]) != before


def test_the_driver_assembles_once_and_the_cubin_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCLOOM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cubins, "check", lambda *_: None)
    kit = tmp_path / "kit" / cubins.folder_name(["a"], ["run"])
    kit.mkdir(parents=True)
    (kit / cubins.PTX).write_bytes(b"ptx")
    ptx, given = cubins.find_ptx([tmp_path / "kit"], ["a"], ["run"]), []

    def assembler(text: bytes) -> bytes:
        given.append(text)
        return b"cubin"

    assert ptx is not None
    assert [cubins.assemble_with(assembler, ptx, ["run"], (12, 0)) for _ in range(2)] == [b"cubin"] * 2
    assert given == [b"ptx"]
    assert cubins.find([], ["a"], ["run"], (12, 0)).read_bytes() == b"cubin"


def test_other_kernels_have_other_cubins() -> None:
    names: list[Sequence[str]] = [["a", "b"], ["b", "a"], ["a"], ["ab"]]
    assert len({cubins.folder_name(kernels, [ENTRY_POINT]) for kernels in names}) == len(names)


def test_a_missing_assembler_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(ptxas, "find", lambda: iter(()))
    ptxas.assembler.cache_clear()
    try:
        with pytest.raises(CompileError, match="pip install"):
            ptxas.assemble(tmp_path / "no.ptx", CAPABILITY, tmp_path / "no.cubin")
    finally:
        ptxas.assembler.cache_clear()


@assembler
def test_errors_of_the_assembler_are_raised(tmp_path: Path) -> None:
    (tmp_path / "bad.ptx").write_text(".version 7.0\n.target sm_60\n.address_size 64\nnonsense\n")
    with pytest.raises(CompileError, match="cannot assemble for sm_75"):
        ptxas.assemble(tmp_path / "bad.ptx", CAPABILITY, tmp_path / "bad.cubin")
    assert not (tmp_path / "bad.cubin").exists()


def test_progress_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCLOOM_CACHE", str(tmp_path / "cache"))
    told: list[CompileProgress] = []
    cubins.build(["increment_int"], [], told.append, [])
    assert told[-1].ended
    assert [file.parent.name for file in tmp_path.rglob(cubins.PTX)] == [cubins.folder_name(["increment_int"], [])]


@assembler
def test_cubins_are_copied_from_the_cache_to_a_kit(built: Path, tmp_path: Path) -> None:
    cubins.build(KERNELS, ENTRY_POINTS, lambda progress: None, [CAPABILITY], into=tmp_path)
    copied, ptx = sorted(tmp_path.rglob("*.*"), key=lambda file: file.name, reverse=True)
    assert copied.read_bytes() == built.read_bytes()
    assert cubins.find_ptx([tmp_path], KERNELS, ENTRY_POINTS) == ptx
    assert cubins.find([tmp_path], KERNELS, ENTRY_POINTS, CAPABILITY) == copied
