"""CUDA without a GPU: everything in Numba's simulator against the reference, and everything compiled for real devices.

What runs in the simulator runs in processes of its own, see ``simulated.py``: it has to be switched on before Numba is
imported.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from simulated import PARTS

from arcloom.cli.devices_text import ptx_lines
from arcloom.engine import assemble
from arcloom.engine.assemble import Assembled, CompilerMissing, assemble_all, capabilities_taken, functions
from arcloom.engine.warm import all_kernels
from arcloom.engine.wave_launchers import steps_of
from arcloom.engine.waves.arrange import ARRANGEMENTS

Simulated = Callable[[str], Any]


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Simulated]:
    """What a part of the simulated runs prints; all are under way from the beginning, as many as there are cores."""
    pytest.importorskip("numba.cuda", reason="this Numba has no CUDA target")
    cache = tmp_path_factory.mktemp("cache")
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        parts = {part: threads.submit(_printed, part, cache) for part in PARTS}
        yield lambda part: parts[part].result()


def _printed(part: str, cache: Path) -> Any:
    switches = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1", "ARCLOOM_CACHE": str(cache)}
    command = [sys.executable, str(Path(__file__).parent / "simulated.py"), part]
    ran = subprocess.run(command, env=os.environ | switches, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


# Kernels and whole batts


def test_every_kernel_in_the_simulator(simulated: Simulated) -> None:
    found = simulated("kernels_simulated")
    assert found["different"] == []
    assert found["never"] == []
    assert {"BUDGET", "EMPTY", "MISSING", "RANGE", "SHAPE"} <= set(found["failures"])


def test_every_arrangement_is_among_what_runs(simulated: Simulated) -> None:
    launched = set(simulated("kernels_simulated")["evidence"]["launches"])
    assert set(ARRANGEMENTS) - launched <= {"copy", "fill"}, "these are in the next test"


def test_columns_on_devices_are_as_numpy_has_them(simulated: Simulated) -> None:
    assert simulated("columns")["wrong"] == []


def test_every_example_on_the_host_as_a_device(simulated: Simulated) -> None:
    found = simulated("kernels_interpreted")
    assert found["programs"] > 3000
    assert found["different"] == []
    assert found["never"] == []


def test_real_programs_in_the_simulator(simulated: Simulated) -> None:
    found = simulated("library_simulated")
    assert found["programs"] == 48 and found["failures"] > 0
    assert found["different"] == []


def test_most_of_the_library_on_the_host_as_a_device(simulated: Simulated) -> None:
    found = simulated("library_interpreted")
    assert found["programs"] > 250 and found["failures"] > 0
    assert found["different"] == []


def test_what_does_not_fit_runs_in_halves(simulated: Simulated) -> None:
    found = simulated("small_memory")
    assert found["resets"] > 2, "everything has fitted"
    assert found["different"] == []


def test_outputs_are_compared_where_they_are(simulated: Simulated) -> None:
    found = simulated("scored")
    assert found["equal"] > 20 and found["different"] == []
    moved, stayed = found["bytes"]
    assert stayed < moved, "outputs that stay on the device cost nothing to move"
    assert found["values"] == 0, "what stays there is not here"


def test_a_run_that_is_too_large_for_a_device_is_still_right(simulated: Simulated) -> None:
    found = simulated("tiny_memory")
    (note,) = found["notes"]
    assert note.startswith("runs too large for host, done by the reference: ")
    assert found["evidence"][0]["kernels"] > 0 and found["different"] == []


# Evidence


def test_the_simulator_says_what_it_did_and_that_it_is_no_gpu(simulated: Simulated) -> None:
    (evidence,) = simulated("library_simulated")["evidence"]
    assert evidence["clock"] == "simulator" and evidence["utilisation"] is None
    assert evidence["kernels"] == sum(evidence["launches"].values()) > 0
    assert evidence["rows"] >= evidence["kernels"]
    assert evidence["peak_bytes"] > 0
    assert evidence["bytes_to_device"] > 0 and evidence["bytes_from_device"] > 0


# Many devices, and two kinds of them


def test_faults_of_devices_lose_nothing_and_repeat_nothing(simulated: Simulated) -> None:
    found = simulated("fleet")
    assert found["programs"] == 12
    assert found["different"] == []
    assert [one["device"] for one in found["evidence"]] == ["cuda:0", "cuda:2"]
    assert sorted(found["notes"]) == [
        "cuda:1 was lost (an injected fault): its work goes to the others",
        "cuda:3 was lost (it has no memory left, even for a single run): its work goes to the others",
    ]


def test_devices_that_were_lost_are_not_used_again(simulated: Simulated) -> None:
    again = simulated("fleet")["again"]
    assert again["different"] == []
    assert again["notes"] == [
        "cuda:1 is not used: an injected fault",
        "cuda:3 is not used: it has no memory left, even for a single run",
    ]


def test_a_run_without_devices_left_says_so(simulated: Simulated) -> None:
    assert simulated("lost_fleet")["error"].startswith("no device is left to run on: cuda:")


def test_waves_run_where_they_cost_less(simulated: Simulated) -> None:
    found = simulated("hybrid")
    host, device = found["evidence"]
    assert found["different"] == []
    assert found["moves"] > 0
    assert host["kernels"] > 0 and device["kernels"] > 0
    assert device["rows"] / device["kernels"] > host["rows"] / host["kernels"], "the device has the larger waves"


# Compiling without a device


@pytest.fixture(scope="module")
def assembled() -> dict[str, list[Assembled]]:
    """Everything that is launched, compiled for all capabilities that the compiler takes."""
    try:
        return assemble_all(capabilities_taken(), cached=True)
    except CompilerMissing as missing:
        pytest.skip(str(missing))


def test_all_that_is_launched_is_compiled() -> None:
    names = {f"{kernel.name}.{step}" for kernel in all_kernels() for step in steps_of(kernel)}
    assert names | {f"arrange.{name}" for name in ARRANGEMENTS} | {"scan.tiles", "scan.add"} == set(functions())


@pytest.mark.parametrize("capability", ["6.0", "7.5", "8.9"])
def test_everything_compiles_for_every_capability(
    assembled: dict[str, list[Assembled]], capability: str, record_property: Callable[[str, object], None]
) -> None:
    if capability not in assembled:
        pytest.skip(f"the compiler takes {', '.join(assembled)} only")
    found = assembled[capability]
    record_property("told", "\n".join(ptx_lines({capability: found})))
    assert [one.name for one in found] == list(functions())
    assert [one for one in found if not one.good] == []
    assert all(one.bytes > 0 for one in found)
    if assemble.assembler() is not None:
        assert all(one.unsuited or (one.registers is not None and 0 < one.registers <= 255) for one in found)
        assert [one for one in found if one.spills] == []


def test_the_code_of_kernels_does_not_grow_with_the_comparisons_in_them(assembled: dict[str, list[Assembled]]) -> None:
    for capability, found in assembled.items():
        large = [f"{one.name} for {capability}: {one.bytes}" for one in found if one.bytes > 250_000]
        assert not large, "the comparison of nested values is copied to where it is used"


@pytest.mark.parametrize("name", ["arrange.expand", "arrange.blame"])
def test_what_the_compiler_is_given_depends_on_no_capability(name: str) -> None:
    try:
        first, *_, last = capabilities_taken()
    except CompilerMissing as missing:
        pytest.skip(str(missing))
    given = [_unnamed(assemble.intermediate(name, capability)) for capability in (first, last)]
    assert given[0] == given[1] != []


def _unnamed(given: assemble.Intermediate) -> list[str]:
    """The modules without the names of functions and of themselves: these have numbers and options in them."""
    return [re.sub(r'(?<=")_Z[^"]*|(?<=\$)\d+', "", module) for module in given.modules]


@pytest.mark.parametrize(
    ("text", "lacking"),
    [
        (".extern .func (.param .b32 r) vprintf ( )", ["exceptions", "functions that are not there"]),
        ("call (r), malloc, (n);", ["allocation"]),
        ("trap;", ["exceptions"]),
        (".visible .entry fill( )", []),
    ],
)
def test_what_cuda_lacks_is_found(text: str, lacking: list[str]) -> None:
    assert assemble.lacking(text) == lacking
