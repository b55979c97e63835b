"""Writing a kit: the wheels, the notebook, and a page that says what to do with them."""

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
    """The settings of a kit. Without ``downloads`` it has arcloom's wheel only; with ``everything`` it has every wheel.
    With ``gpus`` it has machine code for GPUs."""

    hours: float = HOURS
    competition: str = COMPETITION
    python: str = PYTHON
    platform: str = PLATFORM
    downloads: bool = True
    everything: bool = False
    gpus: bool = True


def write_kit(kit: Kit, out: Path) -> list[Path]:
    """Write a kit into a new or empty folder and give its files. If that fails (KitError), nothing is left behind."""
    if not re.fullmatch(r"3\.(1[1-9]|[2-9]\d)", kit.python):
        raise KitError(f"{kit.python!r} is no Python for arcloom, which needs 3.11 or newer: write it as {PYTHON}")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise KitError(f"{out} is there already and not an empty folder: name another one, or remove it")
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
    """Write machine code for GPUs of several compute capabilities. Raises KitError if it cannot be compiled here."""
    try:
        cubins.build([kernel.name for kernel in all_kernels()], ON_GPU, Printer(), into=folder)
    except CompileError as error:
        raise KitError(f"machine code for GPUs cannot be made: {error}; --no-gpus makes a kit without") from None


def _readme(kit: Kit, number: int, lacking: str | None) -> str:
    more = ("" if kit.downloads else _ALONE) + (_COMPILED if lacking is None else _PURE.format(why=lacking))
    more += _GPUS if kit.gpus else ""
    return _README.format(**vars(kit), number=number, wheels=WHEELS, notebook=NOTEBOOK, more=more)


_ALONE = """
It was written with `--no-download`: arcloom's wheel is alone, and the image must have all that arcloom needs.
"""

_COMPILED = """
arcloom's wheel has its kernels compiled.
"""

_PURE = """
arcloom's wheel has no compiled kernels ({why}): the notebook compiles them, which takes about a minute.
"""

_GPUS = """
`cubins/` has machine code for GPUs of compute capability 6.0 (P100), 7.5 (T4) and 8.9 (L4), so that nothing is
compiled for them on Kaggle.
"""

_README = """# arcloom on Kaggle

What a notebook without internet needs to run `arcloom solve` on the tasks of `{competition}` for {hours:g} hours:
`{notebook}`, and {number} wheels for Python {python} ({platform}) in `{wheels}/`.
{more}
1. On Kaggle, choose *Create*, *New Dataset*, and upload this folder, for instance as `arcloom-kit`.
2. Choose *Create*, *New Notebook*, then *File*, *Import Notebook*, and give it `{notebook}`.
3. Under *Add Input*, add the dataset, and the competition `{competition}` (its rules must be accepted).
4. In *Settings*, turn *Internet* off, and choose an *Accelerator*: with none the CPU is used.
5. Look at the first cell: it has all settings (hours, device, where the data and the wheels are).
6. *Save Version*, *Save & Run All*. When it is done, `submission.json` is in its output: *Submit to Competition*.

The notebook installs the wheels, compiles kernels that are missing, tests the devices against the reference, measures a
short search, and searches for the rest of the time. For the score, Kaggle runs it again on the hidden tasks;
`DRAFT_HOURS` lets the run before that, which only has to show that all works, take less time.

If Kaggle's Python is another one by now, the notebook says so: make the kit again with `--python`. If pip misses
something, make it again with `--all`.
"""
