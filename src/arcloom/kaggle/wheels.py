"""The wheels of a kit: arcloom's own, and those of packages that Kaggle's image lacks."""

import hashlib
import os
import re
import subprocess
import sys
import tomllib
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from importlib.metadata import Distribution, PackageNotFoundError, PackagePath, distribution, version
from importlib.util import find_spec
from pathlib import Path
from platform import machine
from zipfile import ZIP_DEFLATED, ZipFile

from arcloom.engine.compile.folders import PACKED
from arcloom.kaggle.image import IMAGE

REQUIREMENTS = "requirements.txt"
PACKAGE = Path(__file__).parents[1]
SOURCE = PACKAGE.parents[1]
NAME = PACKAGE.name
BACKEND = "hatchling"
KIND, BINARY, PURE = "ARCLOOM_WHEEL", "binary", "pure"
"""The environment variable that selects the wheel to build, and its values: see hatch_build.py."""

_OLDEST_GLIBC = 17
_OF_INSTALLATION = {"RECORD", "INSTALLER", "REQUESTED", "direct_url.json"}


class KitError(Exception):
    """A kit cannot be written; the message is the reason."""


def no_kernels(python: str, platform: str) -> str | None:
    """The reason why arcloom's wheel cannot contain compiled kernels for a Python and a platform; None if it can."""
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    if os.environ.get(KIND) == PURE:
        return f"{KIND} is {PURE}"
    if python != here:
        return f"it is made with Python {here} for Python {python}"
    if not re.fullmatch(r"(many)?linux\w*_x86_64", platform) or (sys.platform, machine()) != ("linux", "x86_64"):
        return "kernels are compiled on and for Linux on x86-64 only"
    if _is_source(SOURCE):
        return None if find_spec(BACKEND) else f"{BACKEND} is not installed"
    return None if (PACKED / "manifest.json").exists() else "arcloom was installed without compiled kernels"


def own_wheel(folder: Path, *, kernels: bool) -> Path:
    """Write arcloom's wheel to a folder: built from the source or, without a source, from the installed files.

    With ``kernels``, it contains compiled kernels (see ``no_kernels``).
    """
    if not _is_source(SOURCE):
        return _repacked(folder, kernels=kernels)
    if find_spec(BACKEND) is None:  # pip has to download it for the build
        options, hint = ["--no-deps"], f" (it is built with {BACKEND}, which is not installed: pip install {BACKEND})"
    else:
        options, hint = ["--no-deps", "--no-build-isolation"], ""
    command = ("wheel", "--wheel-dir", str(folder), *options, str(SOURCE))
    _pip(*command, task="build arcloom's wheel", hint=hint, environment={KIND: BINARY if kernels else PURE})
    [built] = folder.glob(f"{NAME}-*.whl")
    return built


def _is_source(folder: Path) -> bool:
    project = folder / "pyproject.toml"
    if not project.is_file():
        return False
    found: object = tomllib.loads(project.read_text(encoding="utf-8")).get("project", {}).get("name")
    return found == NAME


def _repacked(folder: Path, *, kernels: bool) -> Path:
    """Reassemble the wheel that arcloom was installed from. Without ``kernels``, it is for any platform."""
    installed = _installed()
    info = str(next(file.parent for file in installed.files or () if file.name == "WHEEL"))
    files = [file for file in installed.files or () if _is_packed(file, info) and (kernels or not _has_kernels(file))]
    texts = {str(file): Path(str(installed.locate_file(file))).read_bytes() for file in files}
    if not kernels:
        about = re.sub(rb"^Tag: .+$", b"Tag: py3-none-any", texts[f"{info}/WHEEL"], flags=re.MULTILINE)
        texts[f"{info}/WHEEL"] = about.replace(b"Root-Is-Purelib: false", b"Root-Is-Purelib: true")
    tag = re.findall(rb"^Tag: (.+)$", texts[f"{info}/WHEEL"], re.MULTILINE)[0].decode()
    wheel = folder / f"{NAME}-{installed.version}-{tag}.whl"
    with ZipFile(wheel, "w", ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            archive.writestr(name, text)
        archive.writestr(f"{info}/RECORD", "".join(_recorded(*item) for item in texts.items()) + f"{info}/RECORD,,\n")
    return wheel


def _has_kernels(file: PackagePath) -> bool:
    """Whether an installed file belongs to the compiled kernels."""
    return Path(NAME, PACKED.relative_to(PACKAGE)) in Path(str(file)).parents


def _installed() -> Distribution:
    """The installed distribution of arcloom. Raises KitError if the running code is not from it."""
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
    """Whether a file was part of the wheel. Scripts and bytecode are created by the installation."""
    return file.parts[0] in (NAME, info) and file.suffix != ".pyc" and file.name not in _OF_INSTALLATION


def _recorded(name: str, text: bytes) -> str:
    check = urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b"=").decode()
    return f"{name},sha256={check},{len(text)}\n"


def download(own: Path, python: str, platform: str, *, everything: bool) -> None:
    """Download the wheels of arcloom's dependencies into the folder of its own wheel.

    Without ``everything``, packages of the image are left out. Numba has the version that compiled the kernels, because
    no other can load them.
    """
    folder = own.parent
    constraints = folder / "image.txt"
    compilers = {} if own.name.endswith("-none-any.whl") else {name: version(name) for name in ("numba", "llvmlite")}
    wanted = ({} if everything else IMAGE) | compilers
    constraints.write_text("".join(f"{name}=={number}\n" for name, number in wanted.items()), encoding="utf-8")
    target = ["--only-binary=:all:", "--implementation", "cp", "--python-version", python]
    target += [part for tag in _tags(platform) for part in ("--platform", tag)]
    matched = ["--constraint", str(constraints)] if wanted else []
    hint = f" (pip reaches no registry, or one without wheels for Python {python} on {platform}; see --no-download)"
    _pip("download", "--dest", str(folder), *target, *matched, str(own), task="download the wheels", hint=hint)
    constraints.unlink()
    if not everything:
        for wheel in wheels(folder):
            if _name(wheel) in IMAGE:
                wheel.unlink()


def _tags(platform: str) -> list[str]:
    """A platform tag and the tags of compatible platforms with an older C library."""
    match = re.fullmatch(r"manylinux_2_(\d+)_(\w+)", platform)
    if match is None:
        return [platform]
    newest, machine = int(match[1]), match[2]
    return [
        *(f"manylinux_2_{glibc}_{machine}" for glibc in range(newest, _OLDEST_GLIBC - 1, -1)),
        f"manylinux2014_{machine}",
    ]


def write_requirements(folder: Path) -> None:
    """Write a requirements file with the version and hash of each wheel, so that pip refuses any other file."""
    text = "".join(f"{_name(wheel)}=={_version(wheel)} --hash=sha256:{_digest(wheel)}\n" for wheel in wheels(folder))
    (folder / REQUIREMENTS).write_text(text, encoding="utf-8")


def wheels(folder: Path) -> list[Path]:
    """The wheels in a folder, sorted by name."""
    return sorted(folder.glob("*.whl"))


def _name(wheel: Path) -> str:
    return wheel.name.split("-")[0].replace("_", "-").lower()


def _digest(wheel: Path) -> str:
    return hashlib.sha256(wheel.read_bytes()).hexdigest()


def _version(wheel: Path) -> str:
    return wheel.name.split("-")[1]


def _pip(*args: str, task: str, hint: str = "", environment: Mapping[str, str] | None = None) -> None:
    """Run pip. Raises KitError with its error message if it fails."""
    if find_spec("pip") is None:
        raise KitError(f"cannot {task}: pip is missing: {sys.executable} -m ensurepip")
    command = [sys.executable, "-m", "pip", args[0], "--quiet", "--no-input", "--disable-pip-version-check", *args[1:]]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | (environment or {}))
    if done.returncode != 0:
        raise KitError(f"cannot {task}: {_complaint(done.stderr.splitlines())}{hint}")


def _complaint(lines: Sequence[str]) -> str:
    """The last error message of pip."""
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return (errors or list(lines) or ["pip says nothing"])[-1].strip(" .")
