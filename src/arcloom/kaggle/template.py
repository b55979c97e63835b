"""The cells of the notebook, in order. This is read as text, and runs on Kaggle only."""
# ruff: noqa: E402

# %% tags=["parameters"]
# Settings: what may need a change is here.
HOURS = 8.0  # how long the notebook may take in all
DRAFT_HOURS: float | None = None  # how long where it is not run for a score; None: as long as for one
MARGIN_MINUTES = 10.0  # what of it is left unused, for loading and ending
DEVICE = "auto"  # auto (GPUs if they are measured to be faster than the CPU), cpu, cuda, or cuda:0,1 for several GPUs
COMPETITION = ""  # its name on Kaggle, or a folder
CHALLENGES = "*test_challenges.json"  # which file of the competition has the tasks
INPUT = "/kaggle/input"  # where Kaggle puts what is attached
WHEELS = ""  # the kit's folder of wheels; "": wherever it is below INPUT
PYTHON = ""  # what these wheels are for
INSTALL = True  # False if arcloom is installed already
BENCHMARK_DATA = "arcagi:evaluation"
BENCHMARK_SECONDS = 60.0  # 0: no benchmark
OUT = "."  # where submission.json goes: Kaggle's working folder

# %% [markdown]
# # arcloom
# Searches for programs that solve the tasks of a competition, and leaves `submission.json`. It needs no internet:
# attach the kit that this notebook comes from as a dataset, and the competition's data.

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
    """Run a command of arcloom, show each line as soon as the command prints it, and give its exit code.

    A command that takes longer than this number of seconds is ended, with all processes that it has started: a GPU that
    hangs must not cost all time.
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
    """The remaining time without the margin. Kaggle says whether it runs the notebook for a score."""
    hours = HOURS if DRAFT_HOURS is None or "KAGGLE_IS_COMPETITION_RERUN" in os.environ else DRAFT_HOURS
    return hours * 3600 - MARGIN_MINUTES * 60 - (time.monotonic() - STARTED)


# %% [markdown]
# ## The tasks
# Kaggle has the files of a competition in a folder of its name, in `/kaggle/input` or one folder further down.


# %%
def challenges() -> Path:
    """The file with the tasks to solve."""
    folders = [Path(COMPETITION), *sorted(Path(INPUT).glob(COMPETITION)), *sorted(Path(INPUT).glob(f"*/{COMPETITION}"))]
    found = [file for folder in folders if folder.is_dir() for file in sorted(folder.rglob(CHALLENGES))]
    if not found:
        raise FileNotFoundError(f"no {CHALLENGES} of {COMPETITION} in {INPUT}: attach the data of the competition")
    return found[0]


TASKS = challenges()
print(f"{len(json.loads(TASKS.read_text()))} tasks in {TASKS}")

# %% [markdown]
# ## Installing, without internet
# pip may say that other packages want older versions of some of these: arcloom does not use those packages.


# %%
def wheel_folder() -> Path:
    """The folder with the kit's wheels."""
    found = sorted(Path(WHEELS or INPUT).rglob("arcloom-*.whl"))
    if not found:
        raise FileNotFoundError(f"no wheel of arcloom in {WHEELS or INPUT}: attach the kit as a dataset")
    return found[-1].parent


def install(wheels: Path) -> None:
    """Install what the kit brings; what the image has and is good enough stays."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--find-links", str(wheels)]
    done = subprocess.run([*pip, "--requirement", str(wheels / "requirements.txt")], capture_output=True, text=True)
    print(done.stdout, done.stderr)
    if done.returncode != 0:
        here = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise RuntimeError(
            f"The wheels could not be installed. They are for Python {PYTHON}, and this is Python {here}. "
            f"If these differ: arcloom kaggle-kit ... --python {here}; else: arcloom kaggle-kit ... --all"
        )


if INSTALL:
    install(wheel_folder())
    os.environ["ARCLOOM_CUBINS"] = str(wheel_folder().parent / "cubins")  # machine code for GPUs

# %% [markdown]
# ## Devices
# Kernels are compiled once. Then each device is tested against the reference: if one is not right, the CPU is used.

# %%
arcloom("warm")
if arcloom("devices", "--calibrate", seconds=600) != 0:
    print("not all devices are right, so the CPU is used")
    DEVICE = "cpu"

# %% [markdown]
# ## Benchmark
# A short search on tasks that come with arcloom: how many candidates a second, and where the time goes.

# %%
if BENCHMARK_SECONDS > 0:
    budget = ["--budget", f"{BENCHMARK_SECONDS}s", "--out", tempfile.mkdtemp()]
    given, limit = ["--data", BENCHMARK_DATA, "--device", DEVICE, *budget], BENCHMARK_SECONDS + LATE
    if arcloom("solve", "--profile", *given, seconds=limit) != 0:
        print("the benchmark failed, so the CPU is used")
        DEVICE = "cpu"

# %% [markdown]
# ## Solving
# `submission.json` is written now and then while the search goes on. If the search fails on a GPU, it goes on with
# what it has found on the CPU.

# %%
AT_LEAST = 5.0  # seconds, even if all time is used up: a submission is needed in any case


def solve(device: str, *more: str) -> int:
    """Search for as long as there is time."""
    seconds = max(seconds_left(), AT_LEAST)
    settings = ["--data", str(TASKS), "--budget", f"{seconds:.0f}s", "--device", device, "--out", OUT]
    return arcloom("solve", *settings, *more, seconds=seconds + LATE)


if solve(DEVICE, "--profile") != 0 and DEVICE != "cpu":
    solve("cpu", "--profile", "--resume")

# %% [markdown]
# ## The submission
# Every task and every test input of it must be there, with two attempts.


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
