"""Validating programs: what the engine gave for samples must be what the reference gives.

The reference runs in processes of their own, which are started once and stay for the whole run. They read programs
from their text, so that what is validated is what would be stored.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Self

from arcloom.dsl.declare import DEFAULT_BUDGET
from arcloom.engine.results import Results, RowFailure, Sample
from arcloom.program.evaluate import ProgramFailure
from arcloom.program.parse import parse_one
from arcloom.program.print import to_text
from arcloom.program.term import Lines, Program

CHUNKS = 4
"""Into how many parts the work of each process is divided, so that none waits long for another."""


class ValidationError(RuntimeError):
    """The reference could not be asked: its processes die again and again."""


@dataclass(frozen=True)
class Failed:
    """That a program has no value for a sample, and why."""

    why: str

    def __str__(self) -> str:
        return f"fails ({self.why})"


@dataclass(frozen=True)
class Raised:
    """That the reference raised something that is no failure of the language: the program should have had no types."""

    error: str

    def __str__(self) -> str:
        return f"raises {self.error}"


@dataclass(frozen=True)
class Disagreement:
    """A bug: the engine and the reference give different things for one program and one sample.

    ``sample`` is its position in what was given; values are the language's own, or Failed or Raised.
    """

    program: Program
    text: str
    sample: int
    inputs: Sample
    engine: Any
    reference: Any

    def __str__(self) -> str:
        given = "\n".join(f"  {name} = {value!r}" for name, value in self.inputs.items())
        return (
            "BUG IN ARCLOOM: the engine and the reference disagree; the program is dropped. Please report this.\n"
            f"{self.text}sample {self.sample}:\n{given}\n"
            f"engine:    {self.engine}\nreference: {self.reference}\n"
        )


@dataclass(frozen=True)
class Validated:
    """The positions of the programs that the engine and the reference agree on, and where they do not."""

    agreed: list[int]
    disagreements: list[Disagreement]


@dataclass(frozen=True)
class _Claim:
    """That a program, by its text and the lines of its calls, gives these outcomes for these samples."""

    text: str
    lines: Lines
    samples: tuple[Sample, ...]
    outcomes: tuple[Any, ...]
    budget: int


def _told(disagreement: Disagreement) -> None:
    print(disagreement, file=sys.stderr, flush=True)


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Processes that are started within never see Ctrl-C, not even while they are starting."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if hasattr(signal, "pthread_sigmask") else None
    try:
        yield
    finally:
        if before is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Validator:
    """Compares results with the reference, in as many processes as there are cores.

    The processes are started when they are first needed and live until ``close``, or as long as this process.
    With ``workers=0`` everything runs in this process. ``report`` is called with every disagreement as soon as it is
    known; without it, they are printed to standard error.
    """

    def __init__(self, workers: int | None = None, report: Callable[[Disagreement], object] = _told) -> None:
        self.workers = os.cpu_count() or 1 if workers is None else workers
        self.report = report
        self._pool: ProcessPoolExecutor | None = None
        self._lifeline: Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    def start(self) -> None:
        """Start the processes now, without waiting for them, so that they are ready when they are needed."""
        if self.workers and self._pool is None:
            context = get_context("spawn")
            held, self._lifeline = context.Pipe(duplex=False)
            self._pool = ProcessPoolExecutor(self.workers, context, _begin, (held,))
            with _no_interrupts():
                for _ in range(self.workers):
                    self._pool.submit(_nothing)

    def close(self) -> None:
        """End the processes at once, whatever they are doing."""
        pool, self._pool = self._pool, None
        if self._lifeline is not None:
            self._lifeline.close()
        if pool is not None:
            pool.shutdown(wait=True, cancel_futures=True)

    def validate(self, results: Results, samples: Sequence[Sample], *, budget: int = DEFAULT_BUDGET) -> Validated:
        """Compare all results of a run on these samples with the reference.

        A program that the engine had no types for is neither agreed on nor a disagreement.
        """
        ran = [p for p in range(len(results.programs)) if p not in results.untyped]
        claims = [_claim(results, p, samples, budget) for p in ran]
        agreed: list[int] = []
        found: list[Disagreement] = []
        for p, claim, differing in zip(ran, claims, self._differences(claims), strict=True):
            if not differing:
                agreed.append(p)
            for k, reference in differing:
                sample = results.rows[p][k]
                engine = claim.outcomes[k]
                bug = Disagreement(results.programs[p], claim.text, sample, samples[sample], engine, reference)
                self.report(bug)
                found.append(bug)
        return Validated(agreed, found)

    def _differences(self, claims: list[_Claim]) -> "list[_Differences]":
        if not self.workers:
            return _check(claims)
        try:
            return self._in_processes(claims)
        except BrokenProcessPool:  # somebody killed a process, such as a system that is short of memory
            self.close()
        try:
            return self._in_processes(claims)
        except BrokenProcessPool:
            self.close()
            message = "the processes of the reference end without an answer; is there enough memory?"
            raise ValidationError(message) from None

    def _in_processes(self, claims: list[_Claim]) -> "list[_Differences]":
        self.start()
        assert self._pool is not None
        step = max(1, -(-len(claims) // (self.workers * CHUNKS)))
        parts = [claims[k : k + step] for k in range(0, len(claims), step)]
        futures: list[Future[list[_Differences]]] = [self._pool.submit(_check, part) for part in parts]
        return [differing for future in futures for differing in future.result()]


def _claim(results: Results, p: int, samples: Sequence[Sample], budget: int) -> _Claim:
    rows = results.rows[p]
    outcomes = tuple(_plain(results.outcomes.value(p, s)) for s in rows)
    program = results.programs[p]
    return _Claim(to_text(program), program.lines, tuple(samples[s] for s in rows), outcomes, budget)


def _plain(outcome: Any) -> Any:
    return Failed(outcome.reason.text) if isinstance(outcome, RowFailure) else outcome


# In the processes of the reference

_Differences = list[tuple[int, Any]]
"""Where the reference gives something else: positions among a claim's samples, and what it gives."""


def _begin(lifeline: Connection) -> None:
    """Have this process end with its parent, and leave Ctrl-C to that one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()


def _end_with(lifeline: Connection) -> None:
    """Nothing is ever sent: what ends the waiting is that the other end is closed, or its process is gone."""
    try:
        lifeline.recv()
    except (EOFError, OSError):
        os._exit(0)


def _nothing() -> None:
    """A task that shows that a process is there."""


def _check(claims: Sequence[_Claim]) -> list[_Differences]:
    return [_differing(claim) for claim in claims]


def _differing(claim: _Claim) -> _Differences:
    program = _parsed(claim.text).with_lines(claim.lines)  # for budgets are counted line by line
    given = [_evaluated(program, sample, claim.budget) for sample in claim.samples]
    pairs = zip(claim.outcomes, given, strict=True)
    return [(k, reference) for k, (engine, reference) in enumerate(pairs) if not _agree(engine, reference)]


@lru_cache(10_000)
def _parsed(text: str) -> Program:
    return parse_one(text)


def _evaluated(program: Program, sample: Sample, budget: int) -> Any:
    try:
        return program.evaluate(sample, budget=budget)
    except ProgramFailure as failure:
        return Failed(failure.reason.text)
    except Exception as error:  # which the language does not know, and so a bug as well
        return Raised(f"{type(error).__name__}: {error}")


def _agree(engine: Any, reference: Any) -> bool:
    """Whether two outcomes are the same. A program fails where it fails: reasons are not compared."""
    if isinstance(engine, Failed) or isinstance(reference, Failed):
        return isinstance(engine, Failed) and isinstance(reference, Failed)
    return bool(engine == reference)
