"""The cells of the notebook, in order. This file is read as text; the code runs only on Kaggle."""
# ruff: noqa: E402

# %% tags=["parameters"]
# Settings
HOURS = 8.0  # maximum duration of the notebook
DRAFT_HOURS: float | None = None  # maximum duration if it is not run for a score; None: the same
MARGIN_MINUTES = 10.0  # unused part of this time, a reserve for loading and ending
DEVICE = "auto"  # auto (GPUs if they are measured to be faster than the CPU), cpu, cuda, or cuda:0,1 for several GPUs
COMPETITION = ""  # its name on Kaggle, or a folder
CHALLENGES = "*test_challenges.json"  # the file of the competition with the tasks
INPUT = "/kaggle/input"  # the folder with attached datasets and competitions
WHEELS = ""  # the kit's folder of wheels; "": search for it below INPUT
PYTHON = ""  # the Python version of these wheels
INSTALL = True  # False if arcloom is already installed
BENCHMARK_DATA = "arcagi:evaluation"
BENCHMARK_SECONDS = 60.0  # 0: no benchmark
OUT = "."  # the folder of submission.json: Kaggle's working folder

# %% [markdown]
# # arcloom
# This notebook searches for programs that solve the tasks of a competition, and writes `submission.json`. It needs no
# internet: attach the kit that contains this notebook as a dataset, and the data of the competition.

# %%
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from threading import Thread
from typing import IO

STARTED = time.monotonic()
LATE = 180.0  # seconds that a search may take beyond its budget before it is ended
GRACE = 20.0  # seconds that a command has to end by itself when it is told to


def arcloom(*args: str, seconds: float | None = None) -> int:
    """Run a command of arcloom, print its output line by line, and return its exit code.

    A command that takes longer than ``seconds`` is ended with all processes that it started, because a GPU may hang.
    """
    print("$ arcloom", *args, flush=True)
    command = [sys.executable, "-u", "-m", "arcloom", *args]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    assert process.stdout is not None
    reader = Thread(target=show, args=(process.stdout,), daemon=True)
    reader.start()
    for patience, number in ((seconds, signal.SIGTERM), (GRACE, signal.SIGKILL)):
        try:
            process.wait(patience)
            break
        except subprocess.TimeoutExpired:
            print(f"arcloom {args[0]} takes too long and is ended", flush=True)
            os.killpg(process.pid, number)
    reader.join(GRACE)
    return process.wait()


def show(lines: IO[str]) -> None:
    """Print lines as they come."""
    with lines:
        for line in lines:
            print(line, end="", flush=True)


def seconds_left() -> float:
    """The remaining time without the margin. An environment variable of Kaggle marks a run for a score."""
    hours = HOURS if DRAFT_HOURS is None or "KAGGLE_IS_COMPETITION_RERUN" in os.environ else DRAFT_HOURS
    return hours * 3600 - MARGIN_MINUTES * 60 - (time.monotonic() - STARTED)


# %% [markdown]
# ## The tasks
# Kaggle puts the files of a competition into a folder of its name, in `/kaggle/input` or one level below.


# %%
def challenges() -> Path:
    """The file with the tasks to solve."""
    parents = [Path(), Path(INPUT), *sorted(Path(INPUT).glob("*"))]
    folders = [parent / COMPETITION for parent in parents]
    found = [file for folder in folders if folder.is_dir() for file in sorted(folder.rglob(CHALLENGES))]
    if not found:
        raise FileNotFoundError(f"no {CHALLENGES} of {COMPETITION} in {INPUT}: attach the data of the competition")
    return found[0]


TASKS = challenges()
print(f"{len(json.loads(TASKS.read_text()))} tasks in {TASKS}")

# %% [markdown]
# ## Installation without internet
# pip may warn that other packages need older versions of some of these; arcloom does not use those packages.


# %%
def wheel_folder() -> Path:
    """The folder with the kit's wheels."""
    found = sorted(Path(WHEELS or INPUT).rglob("arcloom-*.whl"))
    if not found:
        raise FileNotFoundError(f"no wheel of arcloom in {WHEELS or INPUT}: attach the kit as a dataset")
    return found[-1].parent


def install(wheels: Path) -> None:
    """Install the wheels of the kit. Packages of the image that are not in the kit stay."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--find-links", str(wheels)]
    done = subprocess.run([*pip, "--requirement", str(wheels / "requirements.txt")], capture_output=True, text=True)
    print(done.stdout, done.stderr)
    if done.returncode != 0:
        here = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise RuntimeError(
            f"The wheels could not be installed. They are for Python {PYTHON}; this is Python {here}. "
            f"If these differ: arcloom kaggle-kit ... --python {here}; otherwise: arcloom kaggle-kit ... --all"
        )


if INSTALL:
    install(wheel_folder())
    os.environ["ARCLOOM_CUBINS"] = str(wheel_folder().parent / "cubins")  # machine code for GPUs

# %% [markdown]
# ## Devices
# Missing kernels are compiled. Then each device is tested against the reference; if one fails, the CPU is used.

# %%
arcloom("warm")
if arcloom("devices", "--calibrate", seconds=600) != 0:
    print("a device has failed its test, so the CPU is used")
    DEVICE = "cpu"

# %% [markdown]
# ## Benchmark
# A short search on bundled tasks shows the number of candidates per second and a profile of the time.

# %%
if BENCHMARK_SECONDS > 0:
    budget = ["--budget", f"{BENCHMARK_SECONDS}s", "--out", tempfile.mkdtemp()]
    given, limit = ["--data", BENCHMARK_DATA, "--device", DEVICE, *budget], BENCHMARK_SECONDS + LATE
    if arcloom("solve", "--profile", *given, seconds=limit) != 0:
        print("the benchmark failed, so the CPU is used")
        DEVICE = "cpu"

# %% [markdown]
# ## Solving
# `submission.json` is written regularly during the search. If the search fails on a GPU, it is resumed on the CPU.

# %%
AT_LEAST = 5.0  # minimum seconds of a search, even if no time is left: a submission is always needed


def solve(device: str, *more: str) -> int:
    """Search for the remaining time."""
    seconds = max(seconds_left(), AT_LEAST)
    settings = ["--data", str(TASKS), "--budget", f"{seconds:.0f}s", "--device", device, "--out", OUT]
    return arcloom("solve", *settings, *more, seconds=seconds + LATE)


if solve(DEVICE, "--profile") != 0 and DEVICE != "cpu":
    solve("cpu", "--profile", "--resume")

# %% [markdown]
# ## The submission
# It must have two attempts for every test input of every task.


# %%
def is_whole(answers: list[dict[str, object]], tests: int) -> bool:
    """Whether there are two attempts for each test input."""
    return len(answers) == tests and all({"attempt_1", "attempt_2"} <= answer.keys() for answer in answers)


given = json.loads(TASKS.read_text())
submission = json.loads((Path(OUT) / "submission.json").read_text())
missing = [id for id, task in given.items() if not is_whole(submission.get(id, []), len(task["test"]))]
if missing:
    raise RuntimeError(f"submission.json lacks answers for {len(missing)} tasks, such as {missing[0]}")
print(f"submission.json has two attempts for every test input of {len(given)} tasks")
