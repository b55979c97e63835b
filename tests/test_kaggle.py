"""The Kaggle kit: its contents, and that nothing is left behind if it cannot be written."""

import ast
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from typer.testing import CliRunner, Result

import arcloom
from arcloom.cli import app
from arcloom.engine.compile.errors import CompileError
from arcloom.engine.entry_points import ON_GPU
from arcloom.engine.warm import all_kernels
from arcloom.kaggle import kit, wheels
from arcloom.kaggle.image import IMAGE
from arcloom.kaggle.notebook import COMPETITION, notebook
from schemas import documented

OWN = f"arcloom-{arcloom.__version__}-py3-none-any.whl"


def arc(*args: str) -> Result:
    environment = {"COLUMNS": "120", wheels.KIND: wheels.PURE}
    return CliRunner().invoke(app, ["kaggle-kit", *args, "--no-gpus"], env=environment)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A kit with arcloom's wheel only."""
    out = tmp_path_factory.mktemp("kaggle") / "kit"
    result = arc(str(out), "--no-download", "--hours", "2.5", "--competition", "some-contest")
    assert result.exit_code == 0, result.output
    return out


@pytest.fixture
def prebuilt(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use an existing wheel of arcloom, to save the build."""
    monkeypatch.setattr(kit, "own_wheel", lambda folder, kernels: Path(shutil.copy(written / "wheels" / OWN, folder)))


def test_a_kit_has_wheel_notebook_and_page(written: Path) -> None:
    files = {str(file.relative_to(written)) for file in written.rglob("*") if file.is_file()}
    assert files == {"README.md", "arcloom.ipynb", f"wheels/{OWN}", "wheels/requirements.txt"}
    pinned = (written / "wheels/requirements.txt").read_text(encoding="utf-8")
    digest = hashlib.sha256((written / "wheels" / OWN).read_bytes()).hexdigest()
    assert pinned == f"arcloom=={arcloom.__version__} --hash=sha256:{digest}\n"
    page = (written / "README.md").read_text(encoding="utf-8")
    assert "`some-contest` for 2.5 hours" in page and "--no-download" in page
    assert [entry.name for entry in written.parent.iterdir()] == ["kit"], "nothing is left beside it"


def test_the_wheel_has_all_that_the_package_has(written: Path) -> None:
    package = Path(arcloom.__file__).parent
    source = {f"arcloom/{file.relative_to(package).as_posix()}" for file in package.rglob("*.py")}
    assert source <= set(ZipFile(written / "wheels" / OWN).namelist())


BINARY = OWN.replace("py3-none-any", f"cp{sys.version_info.major}{sys.version_info.minor}-none-any")


@pytest.fixture(scope="module")
def with_kernels(written: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel with dummy files instead of compiled kernels."""
    wheel = tmp_path_factory.mktemp("binary") / BINARY
    with ZipFile(written / "wheels" / OWN) as pure, ZipFile(wheel, "w") as archive:
        for name in pure.namelist():
            text = pure.read(name)
            if name.endswith("/WHEEL"):
                text = text.replace(b"py3-none-any", BINARY.split("-", 2)[2].removesuffix(".whl").encode())
                text = text.replace(b"Root-Is-Purelib: true", b"Root-Is-Purelib: false")
            archive.writestr(name, text)
        archive.writestr("arcloom/engine/compile/packed/manifest.json", "{}")
    return wheel


@pytest.mark.parametrize("installed", ["pure", "binary"])
def test_the_wheel_is_reassembled_from_an_installation(
    installed: str, written: Path, with_kernels: Path, tmp_path: Path
) -> None:
    """Without a source, the kit's wheel is made from the installed files, without kernels if they
    are not for the kit's Python."""
    pure, there = written / "wheels" / OWN, tmp_path / "installed"
    wheel = pure if installed == "pure" else with_kernels
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(there)]
    subprocess.run([*pip, str(wheel)], check=True, capture_output=True)
    command = [sys.executable, "-m", "arcloom", "kaggle-kit", str(tmp_path / "kit"), "--no-download", "--no-gpus"]
    environment = os.environ | {"PYTHONPATH": str(there), wheels.KIND: wheels.PURE}
    subprocess.run(command, check=True, capture_output=True, cwd=tmp_path, env=environment)
    assert contents(tmp_path / "kit" / "wheels" / OWN) == contents(pure)


def test_kernels_are_for_the_python_and_the_platform_they_are_compiled_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(wheels.KIND, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(wheels, "machine", lambda: "x86_64")
    here, platform = f"3.{sys.version_info.minor}", "manylinux_2_28_x86_64"
    assert wheels.no_kernels(here, platform) is None
    assert wheels.no_kernels("3.99", platform) == f"it is made with Python {here} for Python 3.99"
    assert "Linux on x86-64 only" in str(wheels.no_kernels(here, "manylinux_2_28_aarch64"))
    monkeypatch.setattr(wheels, "find_spec", lambda name: None)
    assert wheels.no_kernels(here, platform) == "hatchling is not installed"
    monkeypatch.setenv(wheels.KIND, wheels.PURE)
    assert wheels.no_kernels(here, platform) == "ARCLOOM_WHEEL is pure"


@pytest.mark.parametrize("kernels", [True, False])
def test_the_build_gets_the_kind_of_wheel(
    kernels: bool, with_kernels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[dict[str, str]] = []

    def pip(*args: str, environment: dict[str, str], **_: str) -> None:
        asked.append(environment)
        shutil.copy(with_kernels, tmp_path)

    monkeypatch.setattr(wheels, "_pip", pip)
    assert wheels.own_wheel(tmp_path, kernels=kernels).name == BINARY
    assert asked == [{"ARCLOOM_WHEEL": "binary" if kernels else "pure"}]


def test_a_kit_without_kernels_says_so(prebuilt: None, tmp_path: Path) -> None:
    result = arc(str(tmp_path / "kit"), "--no-download")
    assert result.stderr == "arcloom: the kit's wheel of arcloom has no compiled kernels: ARCLOOM_WHEEL is pure\n"
    assert "no compiled kernels (ARCLOOM_WHEEL is pure)" in (tmp_path / "kit" / "README.md").read_text(encoding="utf-8")


def contents(wheel: Path) -> dict[str, bytes]:
    """The contents of a wheel. The lines of its RECORD are sorted."""
    archive = ZipFile(wheel)
    found = {name: archive.read(name) for name in archive.namelist()}
    return {
        name: b"\n".join(sorted(text.split())) if name.endswith("/RECORD") else text for name, text in found.items()
    }


def test_json_has_what_was_written(prebuilt: None, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    found = documented("kaggle-kit", arc(str(tmp_path / "empty"), "--no-download", "--json").stdout)
    assert found["files"] == ["README.md", "arcloom.ipynb", f"wheels/{OWN}", "wheels/requirements.txt"]
    assert (found["hours"], found["competition"], found["python"]) == (8, COMPETITION, "3.12")
    assert found["bytes"] > 100_000


def told(result: Result) -> str:
    assert (result.exit_code, result.stdout) == (2, "")
    [line] = result.stderr.splitlines()
    return line


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    assert "not an empty folder" in told(arc(str(tmp_path), "--no-download"))
    assert "not an empty folder" in told(arc(str(tmp_path / "mine.txt"), "--no-download"))
    assert [entry.name for entry in tmp_path.iterdir()] == ["mine.txt"]


def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Configure pip to use only a registry that does not answer."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")


def test_without_a_registry_nothing_is_left_behind(
    prebuilt: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offline(monkeypatch)
    line = told(arc(str(tmp_path / "kit")))
    assert line.startswith("arcloom: cannot download the wheels: No matching distribution found for ")
    assert "pip reaches no registry" in line and "--no-download" in line
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("version", ["2.7", "3.10", "cp312"])
def test_an_invalid_python_version_is_refused(version: str, tmp_path: Path) -> None:
    assert f"{version!r} is no Python version for arcloom" in told(arc(str(tmp_path / "kit"), "--python", version))


def test_a_missing_pip_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wheels, "find_spec", lambda name: None)
    assert told(arc(str(tmp_path / "kit"))).endswith("pip is missing: " + f"{sys.executable} -m ensurepip")


def test_a_missing_build_backend_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wheels, "find_spec", lambda name: None if name == "hatchling" else name)
    offline(monkeypatch)
    line = told(arc(str(tmp_path / "kit"), "--no-download"))
    assert line.startswith("arcloom: cannot build arcloom's wheel: ") and "pip install hatchling" in line
    assert list(tmp_path.iterdir()) == []


def test_a_missing_source_and_installation_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wheels, "PACKAGE", tmp_path / "nowhere" / "arcloom")
    monkeypatch.setattr(wheels, "SOURCE", tmp_path)
    assert "arcloom's wheel cannot be built" in told(arc(str(tmp_path / "kit")))


class Registry:
    """Replaces pip: it writes these wheels to the folder, and records its arguments."""

    WHEELS = ("numpy-2.0.2-cp312-x.whl", "typing_extensions-4.15.0-py3-none-any.whl", "llvmlite-0.50.0-cp312-x.whl")

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.constraints = ""

    def __call__(self, *args: str, task: str, hint: str) -> None:
        self.asked = list(args)
        folder = Path(self.after("--dest")[0])
        for constraints in self.after("--constraint"):
            self.constraints = Path(constraints).read_text(encoding="utf-8")
        for wheel in self.WHEELS:
            (folder / wheel).write_bytes(b"")

    def after(self, option: str) -> list[str]:
        return [value for name, value in zip(self.asked, self.asked[1:], strict=False) if name == option]


@pytest.fixture
def registry(prebuilt: None, monkeypatch: pytest.MonkeyPatch) -> Registry:
    pip = Registry()
    monkeypatch.setattr(wheels, "_pip", pip)
    return pip


def test_packages_of_the_image_are_left_out(registry: Registry, tmp_path: Path) -> None:
    assert arc(str(tmp_path / "kit"), "--python", "3.13").exit_code == 0
    stock = tmp_path / "kit" / "wheels"
    assert {file.name for file in stock.iterdir()} == {OWN, "llvmlite-0.50.0-cp312-x.whl", "requirements.txt"}
    assert registry.after("--python-version") == ["3.13"]
    assert {"manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"} <= {*registry.after("--platform")}
    assert registry.asked[-1].endswith(OWN)
    assert f"numpy=={IMAGE['numpy']}\n" in registry.constraints


def test_all_takes_everything_and_still_prefers_the_image(registry: Registry, tmp_path: Path) -> None:
    assert arc(str(tmp_path / "kit"), "--all", "--platform", "linux_riscv64").exit_code == 0
    stock = tmp_path / "kit" / "wheels"
    assert {file.name for file in stock.glob("*.whl")} == {OWN, *Registry.WHEELS}
    lines = (stock / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(Registry.WHEELS) + 1 and all(" --hash=sha256:" in line for line in lines)
    assert lines[0].startswith(f"arcloom=={arcloom.__version__} ")
    assert (registry.constraints, registry.after("--platform")) == ("", ["linux_riscv64"])


def source(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def test_the_first_cell_has_the_settings(written: Path) -> None:
    first, *others = json.loads((written / "arcloom.ipynb").read_text(encoding="utf-8"))["cells"]
    assert first["metadata"] == {"tags": ["parameters"]}
    assert [cell["metadata"] for cell in others] == [{}] * len(others)
    names: dict[str, object] = {}
    exec(source(first), names)
    assert (names["HOURS"], names["COMPETITION"], names["PYTHON"]) == (2.5, "some-contest", "3.12")
    assert (names["INSTALL"], names["DEVICE"]) == (True, "auto")


def test_settings_keep_their_comments() -> None:
    first = source(notebook({"DRAFT_HOURS": 0.5, "OUT": "there"})["cells"][0])
    assert "DRAFT_HOURS: float | None = 0.5  # maximum duration" in first
    assert "OUT = 'there'  # the folder" in first
    with pytest.raises(AssertionError, match="no setting NOTHING"):
        notebook({"NOTHING": 1})


def commands() -> Iterator[list[str]]:
    """The calls of arcloom in the notebook, each with its constant arguments."""
    for cell in notebook({})["cells"]:
        if cell["cell_type"] == "code":
            for node in ast.walk(ast.parse(source(cell))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "arcloom":
                    yield [str(word.value) for word in node.args if isinstance(word, ast.Constant)]


def test_the_notebook_installs_offline_and_runs_the_commands() -> None:
    assert [words[0] for words in commands()] == ["warm", "devices", "solve", "solve"]
    text = "".join(map(source, notebook({})["cells"]))
    assert '"--no-index", "--find-links"' in text
    assert "!pip" not in text and "http" not in text


def test_a_kit_has_machine_code_for_gpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def build(kernels: list[str], entry_points: tuple[str, ...], report: object, into: Path) -> None:
        asked.append((len(kernels), entry_points, into.name))

    monkeypatch.setattr("arcloom.kaggle.kit.cubins.build", build)
    kit.write_cubins(tmp_path / "cubins")
    assert asked == [(len(all_kernels()), ON_GPU, "cubins")]


def test_a_kit_without_an_assembler_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(*_: object, **__: object) -> None:
        raise CompileError("ptxas is not installed")

    monkeypatch.setattr("arcloom.kaggle.kit.cubins.build", build)
    with pytest.raises(wheels.KitError, match="--no-gpus"):
        kit.write_cubins(tmp_path / "cubins")
