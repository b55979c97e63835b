"""The wrapper of NVIDIA's driver, tested with a fake driver library."""

import ctypes
from typing import Any

import numpy as np
import pytest

from arcloom.engine.devices import libcuda
from arcloom.engine.devices.libcuda import CudaDriver, DriverError, DriverMissing, KernelFault, OutOfMemory


class Library:
    """A fake driver library: functions return an error code, and write results to their first argument."""

    def __init__(self) -> None:
        self.codes: dict[str, int] = {}
        self.calls: list[tuple[str, tuple[Any, ...]]] = []
        self.results = {"cuDeviceGetCount": 2, "cuMemAlloc_v2": 4096, "cuDeviceTotalMem_v2": 1 << 34}

    def __getattr__(self, name: str) -> Any:
        def call(*arguments: Any) -> int:
            self.calls.append((name, arguments))
            if name == "cuGetErrorName":
                arguments[1]._obj.value = b"CUDA_ERROR_OF_SOME_KIND"
            elif name == "cuDeviceGetAttribute":
                arguments[0]._obj.value = {75: 8, 76: 9, 16: 58}[arguments[1]]
            elif name == "cuDeviceGetName":
                arguments[0].value = b"NVIDIA L4"
            elif hasattr(arguments[0], "_obj") if arguments else False:
                arguments[0]._obj.value = self.results.get(name, 7)
            return self.codes.get(name, 0)

        return call


@pytest.fixture
def library() -> Library:
    return Library()


def test_gpus_are_described(library: Library) -> None:
    cuda = CudaDriver(library)
    assert cuda.count() == 2
    assert cuda.describe(0) == libcuda.Description("NVIDIA L4", (8, 9), 58, 1 << 34)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (2, OutOfMemory), (700, KernelFault), (702, KernelFault), (719, KernelFault),
        (999, DriverError), (46, DriverError),
    ],
)  # fmt: skip
def test_errors_are_classified(library: Library, code: int, kind: type[DriverError]) -> None:
    cuda = CudaDriver(library)
    library.codes["cuCtxSynchronize"] = code
    with pytest.raises(DriverError, match="CUDA_ERROR_OF_SOME_KIND in cuCtxSynchronize") as raised:
        cuda.synchronise()
    assert type(raised.value) is kind
    assert raised.value.code == code


@pytest.mark.parametrize("code", [100, 34, 803])
def test_a_driver_without_gpus_counts_as_missing(library: Library, code: int) -> None:
    library.codes["cuInit"] = code
    with pytest.raises(DriverMissing):
        CudaDriver(library)


def test_a_missing_driver_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libcuda, "_NAMES", ("libno-such-thing.so",))
    libcuda._library.cache_clear()
    with pytest.raises(DriverMissing, match="not installed"):
        CudaDriver()


def test_copies_take_the_bytes_of_an_array(library: Library) -> None:
    cuda = CudaDriver(library)
    array = np.arange(5, dtype=np.int64)
    cuda.copy_in(cuda.allocate(40), array)
    name, (pointer, address, size) = library.calls[-1]
    assert (name, pointer.value, address.value, size.value) == ("cuMemcpyHtoD_v2", 4096, array.ctypes.data, 40)
    with pytest.raises(TypeError, match="contiguous"):
        cuda.copy_in(0, array[::2])


def test_a_launch_gets_a_pointer_to_its_words(library: Library) -> None:
    given = np.arange(5, dtype=np.int64)
    CudaDriver(library).launch(7, 3, 64, given)
    name, arguments = library.calls[-1]
    assert name == "cuLaunchKernel"
    assert arguments[0].value == 7
    assert arguments[1:8] == (3, 1, 1, 64, 1, 1, 0)
    assert list(arguments[9]) == [given.ctypes.data]


def test_a_context_is_created_once_and_its_threads_sleep_while_they_wait(library: Library) -> None:
    cuda = CudaDriver(library)
    cuda.open(1)
    cuda.open(1)
    called = [name for name, _ in library.calls]
    assert called.count("cuDevicePrimaryCtxRetain") == 1 and called.count("cuCtxSetCurrent") == 2
    assert called.index("cuDevicePrimaryCtxSetFlags_v2") < called.index("cuDevicePrimaryCtxRetain")
    cuda.close(1)
    cuda.open(1)
    assert [name for name, _ in library.calls].count("cuDevicePrimaryCtxRetain") == 2


def test_flags_of_contexts_that_cannot_be_set_are_no_error(library: Library) -> None:
    library.codes["cuDevicePrimaryCtxSetFlags_v2"] = 708
    CudaDriver(library).open(0)
    assert library.calls[-1][0] == "cuCtxSetCurrent"


def test_the_driver_assembles_ptx(library: Library) -> None:
    cubin = ctypes.create_string_buffer(b"a cubin")

    def complete(linker: Any, found: Any, size: Any) -> int:
        found._obj.value, size._obj.value = ctypes.addressof(cubin), 7
        return 0

    vars(library)["cuLinkComplete"] = complete
    assert CudaDriver(library).assemble(b"ptx", 128) == b"a cubin"
    given = dict(library.calls)
    count, options, values, _ = given["cuLinkCreate_v2"]
    assert (count, list(options), list(values)) == (1, [0], [128])
    assert given["cuLinkAddData_v2"][1:3] == (1, b"ptx\0") and given["cuLinkAddData_v2"][3].value == 4
    assert library.calls[-1][0] == "cuLinkDestroy"


def test_the_linker_is_freed_if_ptx_cannot_be_assembled(library: Library) -> None:
    library.codes["cuLinkAddData_v2"] = 218
    with pytest.raises(DriverError, match="cuLinkAddData"):
        CudaDriver(library).assemble(b"nonsense", 128)
    assert library.calls[-1][0] == "cuLinkDestroy"
