"""The client of the peer: a process in which an arc-dsl checkout runs."""

import marshal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from arcloom.bench import peer
from arcloom.tasks.task import Grid

StepProgress = Callable[[int, int], None]
"""Called with the number of completed and of all steps."""

PeerRun = tuple[str, int]
"""A solver's name and the position of a sample."""

NEEDED = ("dsl.py", "solvers.py")

NO_LIMIT = 600.0
"""Time limit in seconds of a run without another limit."""


class BenchError(RuntimeError):
    """A benchmark cannot be run; the message is the reason."""


@dataclass(frozen=True)
class PeerOutcome:
    """The outcome of one run of the peer: a value, or the reason of a failure."""

    seconds: float
    kind: str
    value: Any

    @property
    def failed(self) -> bool:
        """Whether the run raised an exception."""
        return self.kind == "error"


class Checkout:
    """An arc-dsl checkout that runs in a separate process. It is a context manager."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        absent = [name for name in NEEDED if not (self.folder / name).is_file()]
        if absent:
            raise BenchError(f"{folder} is no arc-dsl checkout: it has no {' and no '.join(absent)}")
        command = [sys.executable, "-I", peer.__file__, str(self.folder.resolve())]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        names, self.has_objects = self._answer()
        self.names = frozenset(names)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._process.kill()
        self._process.communicate()

    def solve(
        self,
        samples: Sequence[Any],
        runs: Sequence[PeerRun],
        limit: float = NO_LIMIT,
        progress: StepProgress | None = None,
    ) -> list[PeerOutcome]:
        """Run solvers on samples, each for at most ``limit`` seconds."""
        plain = [dict(sample) for sample in samples]
        on_progress = (lambda done: progress(done, len(runs))) if progress else None
        return _answers(self._ask("solve", (plain, list(runs), limit), on_progress))

    def objects(self, grids: Sequence[Grid], flags: Sequence[bool]) -> list[PeerOutcome]:
        """The objects of each grid."""
        return _answers(self._ask("objects", (list(grids), list(flags), NO_LIMIT)))

    def _ask(self, method: str, args: Sequence[Any], on_progress: Callable[[int], None] | None = None) -> Any:
        assert self._process.stdin is not None
        try:
            marshal.dump((method, tuple(args)), self._process.stdin)
            self._process.stdin.flush()
        except BrokenPipeError:
            raise self._ended() from None
        return self._answer(on_progress)

    def _answer(self, on_progress: Callable[[int], None] | None = None) -> Any:
        assert self._process.stdout is not None
        while True:
            try:
                kind, content = marshal.load(self._process.stdout)
            except EOFError:
                raise self._ended() from None
            if kind == "result":
                return content
            if kind == "error":
                self.__exit__(None, None, None)
                raise BenchError(f"{self.folder} cannot be run: {content}")
            if on_progress is not None:
                on_progress(content)

    def _ended(self) -> BenchError:
        self.__exit__(None, None, None)
        return BenchError(f"the process of {self.folder} ended before its work was done")


def _answers(raw: Sequence[tuple[float, peer.RawOutcome]]) -> list[PeerOutcome]:
    return [
        PeerOutcome(seconds, kind, marshal.loads(value) if kind == "value" else value) for seconds, (kind, value) in raw
    ]
