"""Compiling in several processes, because a process can run only one compiler at a time."""

import json
import os
import subprocess
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from itertools import pairwise
from math import ceil
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any

from arcloom import child
from arcloom.engine.compile.errors import CompileError
from arcloom.engine.compile.target import CodeTarget

MOST_PROCESSES = 16
"""Maximum number of processes: each takes about 300 MB, and translates the functions that kernels share again."""

LARGEST_JOB = 8
"""Maximum number of units of a job. Large jobs take less time in all; small ones lose less when they are stopped."""

Jobs = Sequence[Sequence[str]]
_TICK = 0.25


def cores() -> int:
    """The number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def jobs_of(names: Sequence[str], alone: Sequence[str], processes: int) -> list[list[str]]:
    """Divide units into jobs. The units in ``alone``, which take longest, are jobs by themselves and come first."""
    rest = [name for name in names if name not in alone]
    size = min(LARGEST_JOB, ceil(len(rest) / (2 * processes)) or 1)
    return [[name] for name in names if name in alone] + [rest[k : k + size] for k in range(0, len(rest), size)]


class _JobQueue:
    """A work-stealing queue of jobs. Neighbouring jobs share the most callees, so each process takes consecutive jobs;
    when it has none left, it takes jobs of the process with the most left.
    """

    def __init__(self, jobs: Jobs, processes: int) -> None:
        bounds = [k * len(jobs) // processes for k in range(processes + 1)]
        self._left = [deque(jobs[first:last]) for first, last in pairwise(bounds)]

    def next(self, process: int) -> Sequence[str] | None:
        """The next job for a process, if there is one."""
        own = self._left[process]
        most = max(self._left, key=len)
        return own.popleft() if own else most.pop() if most else None


class _Process:
    """A process that compiles: see ``worker``."""

    def __init__(self) -> None:
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115  (it is open as long as the process runs)
        self.popen = subprocess.Popen(
            child.command("arcloom.engine.compile.worker"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            start_new_session=True,  # Ctrl-C reaches only the parent process, which ends this one
        )

    def compile(self, names: Sequence[str], folders: Mapping[Path, CodeTarget]) -> dict[str, Any]:
        """Compile a job and return the answer of the process. Raises CompileError if the process ends."""
        targets = [asdict(target) for target in folders.values()]
        job = {"names": list(names), "folders": [str(folder) for folder in folders], "targets": targets}
        assert self.popen.stdin is not None and self.popen.stdout is not None
        try:
            self.popen.stdin.write(json.dumps(job) + "\n")
            self.popen.stdin.flush()
        except OSError:  # the process has ended; the next line reports it
            pass
        line = self.popen.stdout.readline()
        if not line:
            raise CompileError(f"the process that compiled {', '.join(names)} ended ({self._last_words()})")
        return dict(json.loads(line))

    def _last_words(self) -> str:
        code = self.popen.wait()
        self._errors.seek(0)
        lines = self._errors.read().split("\n")
        return next((line for line in reversed(lines) if line), f"exit code {code}")

    def end(self) -> None:
        """End the process at once."""
        self.popen.kill()
        self.popen.wait()
        for stream in (self.popen.stdin, self.popen.stdout, self._errors):
            if stream is not None:
                with suppress(OSError):  # closing flushes a job that could not be sent
                    stream.close()


@contextmanager
def _started(count: int) -> Iterator[list[_Process]]:
    processes: list[_Process] = []
    try:
        processes += (_Process() for _ in range(count))
        yield processes
    finally:
        for process in processes:
            process.end()


def compile_jobs(jobs: Jobs, folders: Mapping[Path, CodeTarget], tell: Callable[[int], None]) -> None:
    """Compile units for each processor into its folder. ``tell`` is called often, with the number of compiled units.

    Raises CompileError, after all jobs are done, if a unit did not compile.
    """
    count = min(cores(), len(jobs), MOST_PROCESSES)
    answers: Queue[dict[str, Any] | CompileError | None] = Queue()
    done, errors = 0, []
    with _started(count) as processes:
        queue = _JobQueue(jobs, count)
        for number, process in enumerate(processes):
            Thread(target=_work, args=(process, number, queue, folders, answers), daemon=True).start()
        while count:
            tell(done)
            try:
                answer = answers.get(timeout=_TICK)
            except Empty:
                continue
            if isinstance(answer, dict):
                done += len(answer["done"])
                errors += [f"{name} ({why})" for name, why in answer["errors"].items()]
            else:
                count -= 1
                errors += [] if answer is None else [str(answer)]
    tell(done)
    if errors:
        raise CompileError(f"kernels did not compile: {'; '.join(errors)}")


def _work(
    process: _Process, number: int, queue: _JobQueue, folders: Mapping[Path, CodeTarget], answers: "Queue[Any]"
) -> None:
    """Let a process compile jobs until there are no more, or it ends; put its answers into ``answers``."""
    try:
        while (names := queue.next(number)) is not None:
            answers.put(process.compile(names, folders))
        answers.put(None)
    except (CompileError, ValueError) as error:  # ValueError: the streams of the process were closed
        answers.put(error if isinstance(error, CompileError) else None)
