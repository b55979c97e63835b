"""Fuzz caches of compiled kernels: damaged files are compiled again, and results stay right."""

import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path

from arcloom.engine.compile.library import folders
from arcloom.engine.warm import ensure
from common import COMPILING, Fault, main

PROGRAM = """
import arcloom
found = arcloom.run(["x = rot90(I)", "x = palette(I)"], [((1, 2), (3, 4))], device="cpu")
assert found.output(0, 0) == ((3, 1), (4, 2)) and found.output(1, 0) == frozenset({1, 2, 3, 4}), found
"""


def used(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run programs in a process that uses this cache."""
    environment = {**os.environ, "ARCLOOM_CACHE": str(folder)}
    return subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=False)


@cache
def original() -> Path:
    """A cache with the kernels that this process uses."""
    ensure()
    folder = Path(tempfile.mkdtemp(prefix="arcloom-fuzz-"))
    for found in filter(Path.exists, folders()):
        shutil.copytree(found, folder / found.name, dirs_exist_ok=True)
    return folder


def case(chance: random.Random, counts: Counter[str]) -> None:
    """Damage a copy of the cache, and use it."""
    with tempfile.TemporaryDirectory(prefix="arcloom-fuzz-") as name:
        folder = Path(name, "cache")
        shutil.copytree(original(), folder)
        files = sorted(file for file in folder.rglob("*") if file.is_file())
        for file in chance.sample(files, min(len(files), chance.choice((1, 2, 5)))):
            damage(file, chance)
        counts["caches"] += 1
        done = used(folder)
        if done.returncode:
            raise Fault(f"exit code {done.returncode}\n{done.stderr}")


def damage(file: Path, chance: random.Random) -> None:
    """Cut, empty, replace, change or remove a file."""
    data = bytearray(file.read_bytes())
    match chance.randrange(5):
        case 0:
            del data[chance.randrange(len(data) + 1) :]
        case 1:
            data = bytearray(chance.randbytes(len(data)))
        case 2 if data:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        case 3:
            file.unlink()
            return
        case _:
            data = bytearray()
    file.write_bytes(data)


if __name__ == "__main__":
    main(case, __doc__, COMPILING)
