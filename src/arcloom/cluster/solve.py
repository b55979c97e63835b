"""The function ``arcloom.solve``, which the command ``arcloom solve`` also runs: it searches for answers to tasks."""

import re
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from arcloom.cluster.budget import BudgetError, seconds_of, time_text
from arcloom.cluster.coordinator import SUBMISSION, Coordinator, Journal, SearchProgress
from arcloom.cluster.memory_limits import MemoryLimitError, bytes_of, most_processes, worker_limit
from arcloom.cluster.pool import ClusterError, WorkerPool
from arcloom.engine.calibration import faster_gpus
from arcloom.engine.compile.digest import source_digest
from arcloom.engine.compile.processes import cores
from arcloom.engine.compile.progress import Report
from arcloom.engine.devices import DEFAULT_DEVICE, check_device, kind_of, prepare_device
from arcloom.engine.devices.base import KINDS_OF_WORK
from arcloom.engine.warm import ensure
from arcloom.notices import say_once
from arcloom.program.parse import parse_file, parse_one, source_of
from arcloom.program.print import all_to_text
from arcloom.program.term import Program
from arcloom.search.loop import differs, submission
from arcloom.search.loop.source import EACH
from arcloom.search.origin import Origins
from arcloom.search.setup import Setup
from arcloom.search.time_profile import TimeProfile
from arcloom.stopwatch import Event
from arcloom.store import Run, Store, TaskKey, Vote, installed_versions, runs
from arcloom.store.exchange import is_readable
from arcloom.store.lock import locked
from arcloom.tasks import load, submissions
from arcloom.tasks.html import SHOWN, table_html, titled_html
from arcloom.tasks.task import DataError, Dataset, Task

STORE = "library.sqlite"
COMMAND = "solve"
BUDGET = "2m"

SEEDS = 1 << 63
"""Limit of the absolute value of a seed, because the store has 64-bit integers."""


class SettingsError(ValueError):
    """An invalid setting of a search. The message names it and says what to do."""


@dataclass(frozen=True)
class Shard:
    """One of several equal parts of a dataset: part ``number``, counted from 1, of ``count``."""

    number: int
    count: int

    @classmethod
    def of(cls, text: str) -> "Shard":
        """The shard of a text such as "3/16". Raises SettingsError."""
        match = re.fullmatch(r"(\d+)/(\d+)", text)
        if match is None or not 1 <= int(match[1]) <= int(match[2]):
            raise SettingsError(f"{text!r} is no shard; write number/count, such as 1/4 for the first of four")
        return cls(int(match[1]), int(match[2]))

    def tasks(self, dataset: Dataset) -> Dataset:
        """The tasks of this part."""
        return Dataset(dataset.name, dataset.tasks[self.number - 1 :: self.count])

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"


@dataclass(frozen=True)
class Options:
    """The options of a search. With ``generations`` and without ``seconds``, equal options give equal submissions.

    ``seconds`` is the budget; it includes loading, but not the compilation of kernels. ``workers`` is the number of
    processes on this machine, by default one per core. With ``cluster`` ("auto" or an address), workers run on a Ray
    cluster instead. ``library`` are program files or stores that are used in addition to the bundled programs, and
    ``differs`` are files of differs. ``out`` is the folder for the submission and the store; without it, nothing is
    written. If the folder has answers of an earlier run, ``resume`` continues that run, and ``overwrite`` begins a new
    one; without either, the search is refused. ``memory`` is the maximum number of bytes for all processes of the
    search on this machine. ``kernels`` and ``events`` add times of kernels and events for a trace to the result.
    """

    seconds: float | None = None
    generations: int | None = None
    workers: int | None = None
    cluster: str | None = None
    shard: Shard | None = None
    device: str = DEFAULT_DEVICE
    seed: int = 0
    each: int = EACH
    hide_own: bool = False
    library: Sequence[str | Path] = ()
    differs: Sequence[str | Path] = ()
    out: Path | None = None
    resume: bool = False
    overwrite: bool = False
    memory: int | None = None
    kernels: bool = False
    events: bool = False
    setup: Setup = field(default_factory=Setup)

    def check(self) -> None:
        """Raise SettingsError, MemoryLimitError or DeviceError if an option is invalid."""
        check_device(self.device, here=self.cluster is None)
        if self.workers is not None and self.workers < 1:
            raise SettingsError(f"a search needs at least one worker, but --workers is {self.workers}")
        if self.cluster is None and self.workers is not None and self.workers > most_processes():
            raise SettingsError(f"--workers is {self.workers:,}, but this machine allows at most {most_processes()}")
        if self.seconds is None and self.generations is None:
            raise SettingsError("a search needs a budget or a number of generations")
        if self.resume and self.out is None:
            raise SettingsError("a search without an output folder has nothing to resume")
        worker_limit(self.memory, self.workers or cores())
        if not -SEEDS < self.seed < SEEDS:
            raise SettingsError(f"the seed is {self.seed}; choose a number between -2^63 and 2^63")

    def command(self, data: str) -> str:
        """The command line that searches the same data with these options, without the output folder."""
        values = {
            "data": data,
            "budget": None if self.seconds is None else time_text(self.seconds),
            "generations": self.generations,
            "workers": self.workers,
            "shard": self.shard,
            "device": None if self.device == DEFAULT_DEVICE else self.device,
            "seed": self.seed or None,
        }
        words = [word for name, value in values.items() if value is not None for word in (f"--{name}", str(value))]
        words += [word for path in self.library for word in ("--library", str(path))]
        words += [word for path in self.differs for word in ("--differs", str(path))]
        return shlex.join(["arcloom", COMMAND, *words, *(["--hide-own"] if self.hide_own else [])])

    def full_setup(self) -> Setup:
        """The setup of the workers."""
        return replace(
            self.setup,
            seed=self.seed,
            each=self.each,
            device=search_device(self.device),
            hide_own=self.hide_own,
            library=[*self.setup.library, *(text for path in self.library for text in program_texts(Path(path)))],
            differs=[*self.setup.differs, *map(_differ_text, self.differs)],
        )


def search_device(device: str) -> str:
    """The device of a search. Workers always have the compiler loaded: "auto" is the CPU unless GPUs are faster."""
    return "cpu" if device == "auto" and not any(map(faster_gpus, KINDS_OF_WORK)) else device


def program_texts(path: Path) -> list[str]:
    """The source texts of a program file or of a store. Raises ParseError for a file without programs.

    Programs of a store with damaged texts are omitted, with a message to the user.
    """
    if path.suffix != ".sqlite":
        return [all_to_text(parse_file(path))]
    with Store.open(path, must_exist=True) as store:
        return [entry.text for entry in store.programs() if is_readable(entry)]


def _differ_text(path: str | Path) -> str:
    differs.read(Path(path))
    return source_of(path)


@dataclass(frozen=True, repr=False)
class Solved:
    """The result of a search.

    ``answers`` has two attempts and a confidence for each test input, by task id. ``votes`` has the votes of the
    programs that solve all demonstrations of a task, and ``texts`` the source texts of these programs by digest.
    ``score`` compares the answers with the test outputs, if these are known.
    """

    dataset: Dataset
    options: Options
    answers: submission.Answers
    votes: Mapping[str, Sequence[Vote]]
    texts: Mapping[str, str]
    progress: SearchProgress
    sources: Mapping[str, int]
    problems: Sequence[str]
    stopped: bool
    profile: TimeProfile
    events: Mapping[int, Sequence[Event]]
    workers: int
    peak_memory: int
    origins: Origins = field(default_factory=Origins, repr=False)

    @property
    def device(self) -> str:
        """The device that ran the candidates."""
        return search_device(self.options.device)

    @property
    def score(self) -> submission.SubmissionScore:
        """The score of the answers on the tasks with known test outputs."""
        return submission.score(self.answers, self.dataset)

    @property
    def confidence(self) -> dict[str, list[float]]:
        """The confidence of the first attempt for each test input, by task id."""
        return {id: [answer.confidence for answer in tests] for id, tests in self.answers.items()}

    def __repr__(self) -> str:
        score, data = self.score, self.dataset
        known = f", {len(score.solved)} of {score.known} with known answers solved" if score.known else ""
        return f"<Solved: {len(data)} tasks of {data.name}, {len(self.votes)} solved on demonstrations{known}>"

    def _repr_html_(self) -> str:
        rows = [row for task in self.dataset for row in self._rows(task)]
        headings = ("task", "test input", "attempt 1", "attempt 2", "expected", "confidence", "found by")
        return titled_html(repr(self).strip("<>"), table_html(headings, rows[:SHOWN], len(rows)))

    def _rows(self, task: Task) -> Iterator[tuple[object, ...]]:
        """The answers to the test inputs of a task, for a table."""
        for pair, answer in zip(task.test, self.answers[task.id], strict=True):
            first, second = answer.attempts
            found = self.found_by(task.id) or ""
            yield task.id, pair.input, first, second, pair.output, f"{answer.confidence:.0%}", found

    def programs(self, task: str) -> list[Program]:
        """The programs that solve all demonstrations of a task, those with the most weight first."""
        ranked = sorted(self.votes.get(task, ()), key=lambda vote: -vote.weight)
        return [parse_one(self.texts[digest]) for digest in dict.fromkeys(vote.program for vote in ranked)]

    def found_by(self, task: str) -> str | None:
        """The origin of the program with the most weight for a task; None if no program solves its demonstrations.

        It is the name of a source such as "enumeration", "bundled" for a bundled program, or "library" for a program
        of the user.
        """
        return self.origins.first(self.votes.get(task, ()))

    def found_by_own(self, task: str) -> bool:
        """Whether the program with the most weight is the bundled one that was written for this task."""
        votes = self.votes.get(task, ())
        return bool(votes) and self.origins.is_own(max(votes, key=lambda vote: vote.weight), task)


OnProgress = Callable[[SearchProgress], object]


@dataclass
class Stopper:
    """Ends a search from a signal handler or another thread, even before the search has begun."""

    asked: bool = False
    coordinator: Coordinator | None = None

    def stop(self) -> None:
        """End the search soon. Its result contains everything found so far."""
        self.asked = True
        if self.coordinator is not None:
            self.coordinator.stop()


def solve(
    data: str | Path | Dataset | Task,
    budget: str | float | None = None,
    *,
    watch: OnProgress = lambda progress: None,
    report: Report | None = None,
    stopper: Stopper | None = None,
    started: float | None = None,
    **options: object,
) -> Solved:
    """Search for programs that solve tasks, and return answers, confidences, programs and scores.

    ``data`` is the name of a dataset, a file or folder of tasks, a dataset or a task. ``budget`` is a text such as
    "10m" or a number of seconds; by default it is two minutes, or unlimited if ``generations`` is given. The other
    options are the fields of ``Options``. ``watch`` is called with the progress of the search, ``report`` with the
    progress of compiling kernels, and ``stopper`` can end the search early. The budget counts from ``started``, a time
    of ``time.monotonic``, by default now.
    """
    started = time.monotonic() if started is None else started
    chosen = Options(**options)  # type: ignore[arg-type]
    if chosen.out is not None:
        chosen = replace(chosen, out=Path(chosen.out))  # may be a str
    if budget is None and chosen.seconds is None and chosen.generations is None:
        budget = BUDGET
    if budget is not None:
        chosen = replace(chosen, seconds=seconds_of(budget) if isinstance(budget, str) else float(budget))
    chosen.check()
    dataset = _dataset(data)
    if chosen.shard is not None:
        dataset = chosen.shard.tasks(dataset)
    return _Solving(dataset, chosen, stopper or Stopper(), started).run(watch, report)


def _dataset(data: str | Path | Dataset | Task) -> Dataset:
    if isinstance(data, Dataset):
        return data
    return Dataset(data.id, (data,)) if isinstance(data, Task) else load(data)


def _answered(path: Path) -> set[str]:
    """The ids of the tasks in a submission file; empty if it cannot be read."""
    try:
        return set(submissions.read(path))
    except DataError:
        return set()


class _Solving:
    """One search, from opening the store to the result."""

    def __init__(self, dataset: Dataset, options: Options, stopper: Stopper, started: float) -> None:
        self.dataset, self.options, self.stopper = dataset, options, stopper
        self.origins = Origins()
        self.started = started

    def run(self, watch: OnProgress, report: Report | None) -> Solved:
        with ExitStack() as opened:
            self._check_extra()
            setup = self.options.full_setup()
            store = self._store(opened)
            self._compile(report)
            self.origins = Origins(setup.library)
            run = self._run(store)
            workers = self.options.workers or cores()
            memory = worker_limit(self.options.memory, workers)
            pool = opened.enter_context(self._pool(workers, setup, memory))
            journal = Journal(store, run, self.options.command(self.dataset.name))
            coordinator = Coordinator(
                self.dataset.tasks,
                pool,
                journal,
                generations=self.options.generations,
                seconds=self._left(),
                spent=time.monotonic() - self.started,
                out=self.options.out,
                memory=memory,
                origins=self.origins,
            )
            self.stopper.coordinator = coordinator
            if self.stopper.asked:
                coordinator.stop()
            began = time.monotonic()
            coordinator.run(watch)
            runs.end_run(store, run)
            if coordinator.all_failed:
                raise ClusterError(f"every task failed; the first one: {coordinator.problems[0]}")
            workers = workers if self.options.cluster is None else coordinator.most_workers
            available = workers * (time.monotonic() - began)
            return self._solved(coordinator, store, run, workers, available)

    def _check_extra(self) -> None:
        """Raise ClusterError if a required package is missing, before anything is compiled or stored."""
        if self.options.cluster is not None:
            from arcloom.cluster.on_ray import imported_ray

            imported_ray()

    def _store(self, opened: ExitStack) -> Store:
        """The store in the output folder, locked against other processes; without a folder, a store in memory."""
        out = self.options.out
        if out is None:
            return opened.enter_context(Store.in_memory())
        out.mkdir(parents=True, exist_ok=True)
        opened.enter_context(locked(out / STORE))
        store = opened.enter_context(Store.open(out / STORE))
        self._check_used(store, out / SUBMISSION)
        return store

    def _check_used(self, store: Store, path: Path) -> None:
        """Raise SettingsError if this search would replace the answers of another one."""
        if self.options.overwrite or not (path.exists() or runs.has_answers(store)):
            return
        instead = "use --overwrite to begin a new run, or another folder with --out"
        if not self.options.resume:
            raise SettingsError(
                f"{path.parent} has the answers of an earlier run; use --resume to continue it, {instead}"
            )
        if not any(run.settings.get("data") == self.dataset.name for run in runs.runs(store, COMMAND)):
            known = sorted({str(run.settings.get("data")) for run in runs.runs(store, COMMAND)})
            what = f"its runs are on {', '.join(known)}" if known else "it has no runs"
            raise SettingsError(f"{store.path} has no run on {self.dataset.name} to continue: {what}; {instead}")
        others = _answered(path) - set(self.dataset.ids)
        if others:
            what = f"answers to {len(others)} tasks that are not searched for now, such as {min(others)}"
            raise SettingsError(f"{path} has {what}; choose the same data and shard, {instead}")

    def _compile(self, report: Report | None) -> None:
        """Compile missing kernels, also those for GPUs of this machine. This time does not count against the budget."""
        if not kind_of(self.options.device).compiled:
            return
        began = time.monotonic()
        ensure(report=report)
        if self.options.cluster is None:
            prepare_device(self.options.device)
        self.started += time.monotonic() - began

    def _left(self) -> float | None:
        seconds = self.options.seconds
        return None if seconds is None else seconds - (time.monotonic() - self.started)

    def _run(self, store: Store) -> Run:
        """The run in the store: a new one, or with ``resume`` the latest run on this dataset."""
        versions = installed_versions(source_digest())
        settings: dict[str, Any] = {
            "data": self.dataset.name,
            "shard": None if self.options.shard is None else str(self.options.shard),
            "device": self.options.device,
            "seconds": self.options.seconds,
            "generations": self.options.generations,
            "each": self.options.each,
            "hide_own": self.options.hide_own,
        }
        if self.origins.replaced is not None:
            settings["replaced"] = self.origins.replaced
        previous = self._previous(store) if self.options.resume else None
        if previous is not None:
            return runs.resume_run(store, previous, versions=versions, settings=settings)
        return runs.begin_run(store, COMMAND, versions=versions, seed=self.options.seed, settings=settings)

    def _previous(self, store: Store) -> Run | None:
        """The latest run on this dataset, if any.

        A message tells the user which run continues, or that there is none.
        """
        data, known = self.dataset.name, runs.runs(store, COMMAND)
        found = [run for run in known if run.settings.get("data") == data]
        if found:
            began = time.strftime("%Y-%m-%d %H:%M", time.localtime(found[-1].started))
            say_once(f"continuing the run on {data} from {began}")
            return found[-1]
        others = sorted({str(run.settings.get("data")) for run in known})
        instead = f", but on {', '.join(others)}" if others else ""
        say_once(f"there is no run on {data} in {store.path}{instead}; a new one begins")
        return None

    @contextmanager
    def _pool(self, workers: int, setup: Setup, memory: int) -> Iterator[WorkerPool]:
        options = self.options
        if options.cluster is not None:
            from arcloom.cluster.on_ray import RayPool

            began = time.monotonic()
            pool: WorkerPool = RayPool(
                options.cluster, options.workers, setup, kernels=options.kernels, events=options.events
            )
            self.started += time.monotonic() - began  # the nodes have compiled their kernels in this time
        else:
            from arcloom.cluster.processes import ProcessPool

            pool = ProcessPool(workers, setup, kernels=options.kernels, events=options.events, memory=memory)
        try:
            yield pool
        finally:
            pool.close()

    def _solved(self, done: Coordinator, store: Store, run: Run, workers: int, available: float) -> Solved:
        keys = {TaskKey.of(task): task.id for task in self.dataset}
        votes = {keys[key]: found for key, found in runs.votes(store, run).items() if key in keys}
        texts = store.texts({vote.program for found in votes.values() for vote in found})
        return Solved(
            dataset=self.dataset,
            options=self.options,
            answers=done.answers,
            votes=votes,
            texts=texts,
            progress=done.progress(),
            sources=done.sources,
            problems=done.problems,
            stopped=done.stopped,
            profile=done.totals.profile(available),
            events=done.events,
            workers=workers,
            peak_memory=done.peak_memory,
            origins=self.origins,
        )


__all__ = [
    "SUBMISSION",
    "BudgetError",
    "ClusterError",
    "DataError",
    "MemoryLimitError",
    "Options",
    "SettingsError",
    "Shard",
    "Solved",
    "Stopper",
    "bytes_of",
    "seconds_of",
    "solve",
]
