"""Writing a kit: the wheels, the notebook, machine code for GPUs, and a README with instructions."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from arcloom.engine.compile import cubins
from arcloom.engine.compile.errors import CompileError
from arcloom.engine.compile.progress import Printer
from arcloom.engine.entry_points import ON_GPU
from arcloom.engine.warm import all_kernels
from arcloom.kaggle.image import PLATFORM, PYTHON
from arcloom.kaggle.notebook import COMPETITION, HOURS, notebook
from arcloom.kaggle.wheels import KitError, download, no_kernels, own_wheel, wheels, write_requirements

NOTEBOOK = "arcloom.ipynb"
README = "README.md"
WHEELS = "wheels"
CUBINS = "cubins"


@dataclass(frozen=True)
class Kit:
    """The settings of a kit.

    With ``downloads``, it contains the wheels that Kaggle's image lacks; with ``everything``, those that the image has,
    too. With ``gpus``, it contains machine code for GPUs.
    """

    hours: float = HOURS
    competition: str = COMPETITION
    python: str = PYTHON
    platform: str = PLATFORM
    downloads: bool = True
    everything: bool = False
    gpus: bool = True


def write_kit(kit: Kit, out: Path) -> list[Path]:
    """Write a kit into a new or empty folder and return its files. Raises KitError, and then leaves nothing behind."""
    if not re.fullmatch(r"3\.(1[1-9]|[2-9]\d)", kit.python):
        raise KitError(f"{kit.python!r} is no Python version for arcloom; write 3.11 or newer, such as {PYTHON}")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise KitError(f"{out} exists and is not an empty folder: choose another one, or remove it")
    out.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=out.parent, prefix=".arcloom-kit-") as scratch:
        made = Path(scratch, "kit")
        _write(kit, made)
        made.replace(out)
    return sorted(file for file in out.rglob("*") if file.is_file())


def _write(kit: Kit, folder: Path) -> None:
    stock = folder / WHEELS
    stock.mkdir(parents=True)
    lacking = no_kernels(kit.python, kit.platform)
    own = own_wheel(stock, kernels=lacking is None)
    if kit.downloads:
        download(own, kit.python, kit.platform, everything=kit.everything)
    write_requirements(stock)
    if kit.gpus:
        write_cubins(folder / CUBINS)
    settings = {"HOURS": kit.hours, "COMPETITION": kit.competition, "PYTHON": kit.python}
    (folder / NOTEBOOK).write_text(json.dumps(notebook(settings), indent=1) + "\n", encoding="utf-8")
    (folder / README).write_text(_readme(kit, len(wheels(stock)), lacking), encoding="utf-8")


def write_cubins(folder: Path) -> None:
    """Write machine code for GPUs of several compute capabilities. Raises KitError if it cannot be compiled."""
    try:
        cubins.build([kernel.name for kernel in all_kernels()], ON_GPU, Printer(), into=folder)
    except CompileError as error:
        raise KitError(f"machine code for GPUs cannot be made: {error}; --no-gpus makes a kit without") from None


def _readme(kit: Kit, number: int, lacking: str | None) -> str:
    more = ("" if kit.downloads else _ALONE) + (_COMPILED if lacking is None else _PURE.format(why=lacking))
    more += _GPUS if kit.gpus else ""
    return _README.format(**vars(kit), number=number, wheels=WHEELS, notebook=NOTEBOOK, more=more)


_ALONE = """ It was written with `--no-download`: it has only arcloom's wheel, and the image must have all packages that
arcloom needs.
"""

_COMPILED = """
arcloom's wheel contains compiled kernels.
"""

_PURE = """
arcloom's wheel contains no compiled kernels ({why}): the notebook compiles them, which takes about a minute.
"""

_GPUS = """
`cubins/` has machine code for GPUs of compute capability 6.0 (P100), 7.5 (T4) and 8.9 (L4), so that nothing is
compiled for them on Kaggle.
"""

_README = """# arcloom on Kaggle

This kit runs `arcloom solve` in a notebook without internet, on the tasks of `{competition}` for {hours:g} hours. It
has the notebook `{notebook}`, and {number} wheels for Python {python} ({platform}) in `{wheels}/`.
{more}
1. On Kaggle, choose *Create*, *New Dataset*, and upload this folder, for instance as `arcloom-kit`.
2. Choose *Create*, *New Notebook*, then *File*, *Import Notebook*, and select `{notebook}`.
3. Under *Add Input*, add the dataset, and the competition `{competition}` (accept its rules first).
4. In *Settings*, turn *Internet* off, and choose an *Accelerator*. Without one, the CPU is used.
5. Check the first cell. It has all settings: hours, device, and the paths of data and wheels.
6. Choose *Save Version*, *Save & Run All*. At the end, `submission.json` is in the output: *Submit to Competition*.

The notebook installs the wheels, compiles missing kernels, tests the devices against the reference, measures a short
search, and searches for the remaining time. For the score, Kaggle runs it again on the hidden tasks. The run before
that only has to show that the notebook works; `DRAFT_HOURS` makes it shorter.

If Kaggle's Python version has changed, the notebook says so: write the kit again with `--python`. If pip misses a
package, write it again with `--all`.
"""
