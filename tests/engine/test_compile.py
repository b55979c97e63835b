"""Compiling kernels: the digest, the files and folders of the cache, processes, progress and wheels."""

import ast
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from kernel_check import launched, on_cpu

from arcloom.dsl.signature import INT
from arcloom.engine import entry_points, warm
from arcloom.engine.compile import call, digest, folders, library, objects, packed, processes, target
from arcloom.engine.compile.errors import CompileError
from arcloom.engine.compile.library import Library
from arcloom.engine.compile.processes import compile_jobs, jobs_of
from arcloom.engine.compile.progress import CompileProgress, Printer
from arcloom.engine.kernel import Kernel, find_kernel

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes and permissions as Linux has them")


def kernel_of(op: str) -> Kernel:
    found = find_kernel(op, (INT,))
    assert found is not None
    return found


INCREMENT, DOUBLE = kernel_of("increment"), kernel_of("double")


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with the code of INCREMENT for this processor."""
    cache = tmp_path_factory.mktemp("compiled")
    folder = cache / target.host().folder
    folder.mkdir()
    compile_jobs([[INCREMENT.name]], {folder: target.host()}, lambda done: None)
    return cache


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    """A library that has loaded nothing, with an empty cache."""
    monkeypatch.setenv(folders.CACHE_VARIABLE, str(tmp_path / "cache"))
    found = Library()
    for module in (warm, library, call):
        monkeypatch.setattr(module, "LIBRARY", found)
    yield found


@pytest.fixture
def filled(fresh: Library, compiled: Path) -> Library:
    """As ``fresh``, with the code of INCREMENT in the cache."""
    shutil.copytree(compiled, folders.cache_folder())
    folders.cache_folder().chmod(0o700)
    return fresh


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make any compilation an error."""

    def refuse(jobs: Sequence[Sequence[str]], *_: object) -> None:
        raise AssertionError(f"compiles {jobs}")

    monkeypatch.setattr(warm, "compile_jobs", refuse)


def result(found: Library, kernel: Kernel, word: int) -> int:
    """The result of a compiled kernel for one int."""
    words, cells = np.zeros(256, np.int64), np.zeros(8, np.int8)
    return int(launched(on_cpu(found.address(kernel.name)), words, cells, [[word]], [0, 0], 1000, 0)[-1])


def ensure(*kernels: Kernel) -> int:
    return warm.ensure(kernels, lambda progress: None, entry_points=())


# The digest


def imports_by_syntax(file: Path) -> set[Path]:
    """The files that a module imports, found with Python's parser."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        modules = [name.name for name in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            modules = [str(node.module), *(f"{node.module}.{name.name}" for name in node.names)]
        for module in modules:
            path = digest.PACKAGE.parent.joinpath(*module.split("."))
            found |= {each for each in (path.with_suffix(".py"), path / "__init__.py") if each.is_file()}
    return {file for file in found if digest.PACKAGE in file.parents}


def test_imports_are_found_as_the_parser_finds_them() -> None:
    for name, text in digest.sources().items():
        found = set(digest.imported_files(text.decode()))
        assert imports_by_syntax(digest.PACKAGE / name) <= found, name
        assert all(file.relative_to(digest.PACKAGE).as_posix() in digest.sources() for file in found)


@pytest.mark.parametrize(
    "module", ["dsl/places.py", "engine/machine/interpret.py", "enumerate/compiled/covers.py", "engine/kernels/grid.py"]
)
def test_an_edit_of_anything_that_is_compiled_changes_the_sources(module: str, tmp_path: Path) -> None:
    package = tmp_path / "arcloom"
    shutil.copytree(digest.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    assert digest.sources(package) == digest.sources()
    edited = package / module
    edited.write_text(edited.read_text(encoding="utf-8") + "\nREACH = 7\n", encoding="utf-8")
    assert digest.sources(package) != digest.sources()


def test_modules_that_only_store_code_are_not_in_the_digest() -> None:
    assert not {"engine/compile/folders.py", "engine/compile/processes.py", "cli/app.py"} & set(digest.sources())


# Files


def test_an_object_file_round_trip(tmp_path: Path) -> None:
    found = objects.read(objects.write(tmp_path, ["a", "b"], b"code\nmore"))
    assert found is not None and (found.names, found.code) == (("a", "b"), b"code\nmore")
    assert [file.suffix for file in tmp_path.iterdir()] == [objects.SUFFIX]


@pytest.mark.parametrize("damage", [lambda data: b"", lambda data: data[:-1], lambda data: data[:9] + b"?" + data[9:]])
def test_a_damaged_file_is_not_read(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = objects.write(tmp_path, ["a"], b"code" * 20)
    path.write_bytes(damage(path.read_bytes()))
    assert objects.read(path) is None


def test_a_file_of_another_version_is_not_read(tmp_path: Path) -> None:
    path = objects.write(tmp_path, ["a"], b"code")
    (tmp_path / "other").mkdir()
    assert objects.read(Path(shutil.copy(path, tmp_path / "other"))) is None


def test_a_damaged_file_is_compiled_again(filled: Library) -> None:
    [file] = folders.cache_folder().glob(f"*/*{objects.SUFFIX}")
    file.write_bytes(file.read_bytes()[:100])
    assert ensure(INCREMENT) == 1
    assert result(filled, INCREMENT, 41) == 42
    assert Library().missing([INCREMENT.name]) == []


def test_compiled_code_is_used_without_compiling(filled: Library, no_compiler: None) -> None:
    assert ensure(INCREMENT) == 0
    assert result(filled, INCREMENT, 41) == 42


# Folders


@linux
def test_a_new_cache_is_private(fresh: Library) -> None:
    folder = folders.writable("cpu-x")
    assert [stat.S_IMODE(each.stat().st_mode) for each in (folder, folder.parent)] == [0o700, 0o700]


@linux
@pytest.mark.parametrize("inner", [False, True])
def test_a_cache_that_others_can_write_to_is_refused(inner: bool, filled: Library) -> None:
    folder = folders.cache_folder() / (target.host().folder if inner else "")
    folder.chmod(0o777)
    with pytest.raises(CompileError, match=f"{folder} can be written to by other users.*chmod go-w"):
        ensure(INCREMENT)


@linux
def test_a_cache_of_another_user_is_refused(filled: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: folders.cache_folder().stat().st_uid + 1)
    if folders.cache_folder().stat().st_uid == 0:
        os.chown(folders.cache_folder(), 4711, -1)
    with pytest.raises(CompileError, match="belongs to another user"):
        ensure(INCREMENT)


def test_a_cache_that_is_a_file_is_refused(fresh: Library) -> None:
    folders.cache_folder().write_text("mine")
    with pytest.raises(CompileError, match="is not a folder"):
        ensure(INCREMENT)


def test_code_that_a_read_only_cache_lacks_is_written_elsewhere(
    filled: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    can_write = folders._can_write
    given = folders.cache_folder()
    monkeypatch.setattr(folders, "_can_write", lambda folder: folder != given and can_write(folder))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    before = sorted(given.rglob("*"))
    assert ensure(INCREMENT, DOUBLE) == 1, "one of them is in the cache already"
    assert (result(filled, INCREMENT, 41), result(filled, DOUBLE, 21)) == (42, 42)
    assert sorted(given.rglob("*")) == before
    assert [file.suffix for file in (tmp_path / "home" / "arcloom").glob("*/*.kernels")] == [objects.SUFFIX]


# Processes


def test_jobs_contain_every_unit_once() -> None:
    names = [f"k{n}" for n in range(100)]
    jobs = jobs_of(["slow", *names], ["slow"], 2)
    assert jobs[0] == ["slow"] and [name for job in jobs[1:] for name in job] == names
    assert max(map(len, jobs)) <= processes.LARGEST_JOB
    queue = processes._JobQueue(jobs, 3)
    taken = [job for job in (queue.next(n % 2) for n in range(len(jobs))) if job is not None]
    assert sorted(map(tuple, taken)) == sorted(map(tuple, jobs)), "two processes do the work of the third"
    assert queue.next(2) is None


def test_units_that_do_not_compile_are_named_in_the_error(tmp_path: Path) -> None:
    folder = tmp_path / target.host().folder
    folder.mkdir()
    with pytest.raises(CompileError, match=r"did not compile: nonsense \(KeyError"):
        compile_jobs([["nonsense"]], {folder: target.host()}, lambda done: None)


def test_sources_that_were_changed_since_the_process_began_are_not_compiled(tmp_path: Path) -> None:
    folder = tmp_path / f"{target.host().folder[:-1]}-"
    folder.mkdir()
    with pytest.raises(CompileError, match=rf"{INCREMENT.name} \(arcloom's sources were changed"):
        compile_jobs([[INCREMENT.name]], {folder: target.host()}, lambda done: None)
    assert list(folder.iterdir()) == []


def test_an_error_reports_a_compiling_process_that_ends(tmp_path: Path) -> None:
    process = processes._Process()
    process.popen.kill()
    with pytest.raises(CompileError, match=rf"compiled {INCREMENT.name} ended \(exit code -9\)"):
        process.compile([INCREMENT.name], {tmp_path: target.host()})
    process.end()


def test_concurrent_threads_compile_once(fresh: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []
    present: set[str] = set()

    def slow(jobs: Sequence[Sequence[str]], *_: object) -> None:
        begun.append(jobs)
        time.sleep(0.05)
        present.update(name for job in jobs for name in job)

    monkeypatch.setattr(warm, "compile_jobs", slow)
    monkeypatch.setattr(fresh, "missing", lambda names: [name for name in names if name not in present])
    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(lambda _: ensure(INCREMENT), range(4))) == [0, 0, 0, 1]
    assert begun == [[[INCREMENT.name]]]


def test_a_process_waits_for_another_and_uses_its_code(fresh: Library, compiled: Path, no_compiler: None) -> None:
    folder = folders.writable(target.host().folder)
    told: list[CompileProgress] = []

    def report(progress: CompileProgress) -> None:
        told.append(progress)
        shutil.copytree(compiled, folders.cache_folder(), dirs_exist_ok=True)
        folders.cache_folder().chmod(0o700)

    with folders.lock(folder) as locked:
        assert locked()
        assert warm.ensure([INCREMENT], report, entry_points=()) == 1
    assert told[0].waiting and told[0].text == "Waiting for another process to compile kernels: 0/1"


_HOLDER = """
import sys, time
from pathlib import Path
from arcloom.engine.compile.folders import lock
with lock(Path(sys.argv[1])) as locked:
    print(locked(), flush=True)
    time.sleep(60)
"""


@linux
def test_a_killed_process_leaves_no_lock(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", _HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == "True\n"
        with folders.lock(tmp_path) as locked:
            assert not locked()
            holder.kill()
            holder.wait()
            assert locked()


def workers_with(cache: Path) -> list[int]:
    """The processes that compile into a cache."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if str(cache).encode() in (process / "environ").read_bytes():
                found.append(int(process.name))
        except OSError:  # the process has ended, or belongs to another user
            continue
    return found


@linux
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_a_compilation_that_is_stopped_ends_at_once(end: signal.Signals, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    command = [sys.executable, "-m", "arcloom", "warm"]
    environment = os.environ | {folders.CACHE_VARIABLE: str(cache)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True
    ) as process:
        assert process.stderr is not None
        assert (
            process.stderr.readline()
            == f"Compiling kernels (once): 0/{len(warm.all_kernels()) + len(entry_points.ON_CPU)}\n"
        )
        time.sleep(1)
        os.killpg(process.pid, end)  # the whole process group, like a terminal
        output, errors = process.communicate(timeout=60)
    waited = time.monotonic() + 30
    while workers_with(cache) and time.monotonic() < waited:
        time.sleep(0.1)
    assert workers_with(cache) == []
    if end == signal.SIGINT:
        assert (process.returncode, output) == (130, "")
        [line] = [line for line in errors.splitlines() if not line.startswith("Compiling")]
        assert line.startswith("arcloom: stopped while compiling kernels; ") and line.endswith("are compiled and kept")


# Progress


def test_progress_has_an_estimate_of_the_remaining_time() -> None:
    assert CompileProgress(0, 234, 1.0).text == "Compiling kernels (once): 0/234"
    assert CompileProgress(57, 234, 12.9).text == "Compiling kernels (once): 57/234, about 40 s left"


def test_a_log_gets_a_line_every_few_seconds(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    printer = Printer()
    for done in range(12):
        printer(CompileProgress(done, 20, 1.0 * done))
        now[0] += 1
    assert [line.partition(",")[0] for line in capsys.readouterr().err.splitlines()] == [
        f"Compiling kernels (once): {done}/20" for done in (0, 5, 10)
    ]


# Wheels


@pytest.fixture(scope="module")
def portable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel's folder with the code of INCREMENT for all levels."""
    if not target.portable_here():
        pytest.skip("this processor has no portable level")
    folder = tmp_path_factory.mktemp("packed")
    levels = {folder / level.folder: level for level in target.PORTABLE}
    for each in levels:
        each.mkdir()
    compile_jobs([[INCREMENT.name]], levels, lambda done: None)
    packed.write_manifest(folder)
    return folder


@pytest.mark.parametrize("level", range(len(target.PORTABLE)))
def test_portable_code_has_the_same_results(
    level: int, portable: Path, fresh: Library, no_compiler: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "PACKED", portable)
    monkeypatch.setattr(library, "portable_here", lambda: (target.PORTABLE[level],))
    assert ensure(INCREMENT) == 0
    assert result(fresh, INCREMENT, 41) == 42
    assert packed.why_unused(portable) is None
    assert not folders.cache_folder().exists()


@pytest.mark.parametrize(
    ("module", "name", "value", "why"),
    [
        (packed, "versions", lambda: digest.versions() | {"Numba": "0.1"}, "Numba is 0.1, not "),
        (packed, "portable_here", lambda: (), "processors of level x86-64-v3 or x86-64-v2"),
        (packed, "source_digest", lambda: "another", "sources have been changed"),
    ],
)
def test_code_of_a_wheel_that_does_not_fit_is_explained(
    module: object, name: str, value: object, why: str, portable: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, value)
    told = packed.why_unused(portable)
    assert told is not None and why in told


def test_without_code_in_the_wheel_there_is_nothing_to_explain(tmp_path: Path) -> None:
    assert packed.why_unused(tmp_path) is None


def test_an_entry_point_takes_contiguous_arrays_only() -> None:
    with pytest.raises(TypeError, match="contiguous arrays only"):
        entry_points.flattened((np.zeros((4, 4), np.int64)[:, 1],))
