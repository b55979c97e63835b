"""The wheels of a kit: arcloom's own, and those of what Kaggle's image lacks."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from importlib.metadata import Distribution, PackageNotFoundError, PackagePath, distribution
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from arcloom.kaggle.image import IMAGE

REQUIREMENTS = "requirements.txt"
EXTRA = "cuda"
PACKAGE = Path(__file__).parents[1]
NAME = PACKAGE.name
BACKEND = "hatchling"

_OLDEST_GLIBC = 17
_OF_INSTALLATION = {"RECORD", "INSTALLER", "REQUESTED", "direct_url.json"}


class KitError(Exception):
    """Why a kit cannot be made."""


def own_wheel(folder: Path) -> Path:
    """Make arcloom's wheel in a folder: from its source, or from what is installed where there is no source."""
    source = PACKAGE.parents[1]
    if not _is_source(source):
        return _repacked(folder)
    if find_spec(BACKEND) is None:  # pip has to get it for the time of building
        options, hint = ["--no-deps"], f" (it is built with {BACKEND}, which is not installed: pip install {BACKEND})"
    else:
        options, hint = ["--no-deps", "--no-build-isolation"], ""
    _pip("wheel", "--wheel-dir", str(folder), *options, str(source), task="build arcloom's wheel", hint=hint)
    [built] = folder.glob(f"{NAME}-*.whl")
    return built


def _is_source(folder: Path) -> bool:
    project = folder / "pyproject.toml"
    if not project.is_file():
        return False
    found: object = tomllib.loads(project.read_text(encoding="utf-8")).get("project", {}).get("name")
    return found == NAME


def _repacked(folder: Path) -> Path:
    """The wheel that arcloom was installed from, put together again."""
    installed = _installed()
    info = str(next(file.parent for file in installed.files or () if file.name == "WHEEL"))
    tag = re.findall(r"^Tag: (.+)$", installed.read_text("WHEEL") or "", re.MULTILINE)[0]
    files = [file for file in installed.files or () if _is_packed(file, info)]
    wheel = folder / f"{NAME}-{installed.version}-{tag}.whl"
    with ZipFile(wheel, "w", ZIP_DEFLATED) as archive:
        for file in files:
            archive.write(str(installed.locate_file(file)), str(file))
        archive.writestr(f"{info}/RECORD", "".join(map(_recorded, files)) + f"{info}/RECORD,,\n")
    return wheel


def _installed() -> Distribution:
    """What is installed, if it is what runs."""
    try:
        found = distribution(NAME)
    except PackageNotFoundError:
        found = None
    if found is None or Path(str(found.locate_file(NAME))).resolve() != PACKAGE.resolve():
        raise KitError(
            f"arcloom's wheel cannot be built: {PACKAGE} has no pyproject.toml above it and is not installed"
        )
    return found


def _is_packed(file: PackagePath, info: str) -> bool:
    """Whether a file came with the wheel. Scripts and compiled files are made where a wheel is installed."""
    return file.parts[0] in (NAME, info) and file.suffix != ".pyc" and file.name not in _OF_INSTALLATION


def _recorded(file: PackagePath) -> str:
    check = "" if file.hash is None else f"{file.hash.mode}={file.hash.value}"
    size = "" if file.size is None else file.size
    return f"{file},{check},{size}\n"


def download(own: Path, python: str, platform: str, *, everything: bool) -> None:
    """Put the wheels of what arcloom needs beside its own: all with ``everything``, else without what the image has."""
    folder = own.parent
    constraints = folder / "image.txt"
    constraints.write_text("".join(f"{name}=={version}\n" for name, version in IMAGE.items()), encoding="utf-8")
    target = ["--only-binary=:all:", "--implementation", "cp", "--python-version", python]
    target += [part for tag in _tags(platform) for part in ("--platform", tag)]
    matched = [] if everything else ["--constraint", str(constraints)]
    hint = f" (pip reaches no registry, or one without wheels for Python {python} on {platform}; see --no-download)"
    what = f"{own}[{EXTRA}]"
    _pip("download", "--dest", str(folder), *target, *matched, what, task="download the wheels", hint=hint)
    constraints.unlink()
    if not everything:
        for wheel in wheels(folder):
            if _name(wheel) in IMAGE:
                wheel.unlink()


def _tags(platform: str) -> list[str]:
    """A platform and those whose wheels run there as well: the ones with an older C library."""
    match = re.fullmatch(r"manylinux_2_(\d+)_(\w+)", platform)
    if match is None:
        return [platform]
    newest, machine = int(match[1]), match[2]
    return [
        *(f"manylinux_2_{glibc}_{machine}" for glibc in range(newest, _OLDEST_GLIBC - 1, -1)),
        f"manylinux2014_{machine}",
    ]


def write_requirements(folder: Path) -> None:
    """Say exactly which wheels to install. Those of what the image has are there in case one of these needs them."""
    wanted = [wheel for wheel in wheels(folder) if _name(wheel) not in IMAGE]
    text = "".join(f"{_name(wheel)}=={_version(wheel)}\n" for wheel in wanted)
    (folder / REQUIREMENTS).write_text(text, encoding="utf-8")


def wheels(folder: Path) -> list[Path]:
    """The wheels of a folder by name."""
    return sorted(folder.glob("*.whl"))


def _name(wheel: Path) -> str:
    return wheel.name.split("-")[0].replace("_", "-").lower()


def _version(wheel: Path) -> str:
    return wheel.name.split("-")[1]


def _pip(*args: str, task: str, hint: str = "") -> None:
    """Run pip. Raises KitError with what it says if it cannot do its task."""
    if find_spec("pip") is None:
        raise KitError(f"cannot {task}: pip is missing: {sys.executable} -m ensurepip")
    command = [sys.executable, "-m", "pip", args[0], "--quiet", "--no-input", "--disable-pip-version-check", *args[1:]]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise KitError(f"cannot {task}: {_complaint(done.stderr.splitlines())}{hint}")


def _complaint(lines: Sequence[str]) -> str:
    """The last error that pip tells."""
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return (errors or list(lines) or ["pip says nothing"])[-1].strip(" .")
