"""The command ``judge``, which scores programs in JSON lines, or over HTTP."""

import json
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from arcloom.cli.app import LOOPBACK, Data, Device, app, host_name, loaded, stop
from arcloom.dsl.declare import DEFAULT_BUDGET
from arcloom.interrupt import INTERRUPTED

if TYPE_CHECKING:
    from arcloom.scoring.requests import Feed, Requests, ScoringRequest
    from arcloom.scoring.result import Settings

STDIN = Path("-")


@app.command()
def judge(
    file: Annotated[
        Path,
        typer.Argument(metavar="[FILE.jsonl]", help="Requests, one JSON object in each line; - is standard input."),
    ] = STDIN,
    data: Data = "arcagi:training",
    device: Device = "cpu",
    workers: Annotated[int, typer.Option(min=0, help="Number of processes; 0 is this process.")] = 0,
    budget: Annotated[int, typer.Option(min=1, help="Maximum work of a call site in a run.")] = DEFAULT_BUDGET,
    outputs: Annotated[bool, typer.Option("--outputs", help="Include the outputs of programs.")] = False,
    near: Annotated[bool, typer.Option(help="Run the differs on wrong outputs, for the reward.")] = True,
    serve: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="Serve over HTTP instead, for example at 127.0.0.1:8000.")
    ] = None,
) -> None:
    """Score programs on tasks: JSON lines in, JSON lines out.

    A request is {"task": "a416b8f3", "program": "def solve(I): ..."}; an optional "id" is repeated in the answer.
    Answers are printed in the order of the requests, as soon as they are known.

    \b
    Examples:
      arcloom judge requests.jsonl > results.jsonl
      generate | arcloom judge --data my_tasks/ --workers 2 --no-near
      arcloom judge --serve 127.0.0.1:8000
    """
    from arcloom.cluster.memory_limits import most_processes
    from arcloom.engine.devices import check_device
    from arcloom.scoring.requests import Requests
    from arcloom.scoring.result import Settings

    check_device(device)
    if workers > most_processes():
        raise stop(f"--workers is {workers:,}, but this machine allows at most {most_processes()}", 2)
    settings = Settings(device, budget, outputs, near)
    address = None if serve is None else _address(serve)
    requests = Requests(loaded(data))
    if address is not None:
        _serve(requests, settings, workers, *address)
        return
    if _judge(_opened(file), requests, settings, workers):
        raise typer.Exit(1)


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdecimal() and len(port) <= 5 and 0 < int(port) < 1 << 16):
        raise stop(f"--serve takes HOST:PORT such as {LOOPBACK}:8000, not {text!r}", 2)
    return host_name(host), int(port)


def _serve(requests: "Requests", settings: "Settings", workers: int, host: str, port: int) -> None:
    try:
        from arcloom.service.server import serve
    except ImportError as error:
        raise stop(f"--serve needs FastAPI and uvicorn ({error}): pip install 'arcloom[serve]'", 2) from None
    typer.echo(f"arcloom: judging programs at http://{host}:{port} (Ctrl-C stops)", err=True)
    serve(requests, settings, workers, host, port)


def _opened(file: Path) -> BinaryIO:
    """The stream of requests. The thread that reads it closes it, since it may be blocked when the command stops."""
    return os.fdopen(os.dup(0), "rb") if file == STDIN else file.open("rb")


# JSON lines


def _judge(stream: BinaryIO, requests: "Requests", settings: "Settings", workers: int) -> int:
    """Answer all requests. Returns the number of requests with an error."""
    from arcloom.scoring.requests import Feed
    from arcloom.scoring.stream import score_entries

    feed = Feed()
    problems: list[BaseException] = []
    threading.Thread(target=_read, args=(stream, requests, feed, problems), daemon=True).start()
    found = score_entries(feed.batches(), _given, requests.dataset.tasks, settings, workers)
    with _Shown() as shown:
        for request, score in found:
            shown.count("error" if score is None else str(score.verdict))
            sys.stdout.write(json.dumps(request.answer(score)) + "\n")
            if not feed.waiting:
                sys.stdout.flush()
        sys.stdout.flush()
    if problems:
        raise problems[0]
    return shown.counts["error"]


def _given(request: "ScoringRequest") -> Any:
    return request.given


def _read(stream: BinaryIO, requests: "Requests", feed: "Feed", problems: list[BaseException]) -> None:
    """Add all requests of a stream to a feed."""
    try:
        with stream:
            for index, line in enumerate(_lines(stream)):
                feed.put(requests.read(index, line))
    except Exception as error:
        problems.append(error)
    finally:
        feed.end()


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines that are not empty. Lines that are too long for a request are truncated."""
    from arcloom.scoring.requests import MAX_REQUEST

    while line := stream.readline(MAX_REQUEST + 2):
        rest = line
        while not rest.endswith(b"\n") and rest:
            rest = stream.readline(MAX_REQUEST)
        if line.strip():
            yield line


class _Shown:
    """Shows the number of scored programs: on a terminal during the run, and in a line at the end."""

    def __init__(self) -> None:
        from arcloom.cli.watch import bar

        self.counts: Counter[str] = Counter()
        self._began = time.perf_counter()
        self._bar = bar(hidden=not sys.stderr.isatty() or sys.stdout.isatty())

    def __enter__(self) -> "_Shown":
        self._bar.add_task("programs", total=None)
        self._bar.start()
        return self

    def count(self, verdict: str) -> None:
        """Count an answer."""
        self.counts[verdict] += 1
        self._bar.advance(self._bar.task_ids[0])

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._bar.stop()
        summary = ", ".join(f"{number:,} {verdict}" for verdict, number in self.counts.items()) or "none"
        total, seconds = self.counts.total(), time.perf_counter() - self._began
        if kind is KeyboardInterrupt:
            sys.stdout.flush()
            raise stop(f"stopped after {total:,} programs: {summary}", INTERRUPTED) from None
        if kind is None:
            typer.echo(f"arcloom: {total:,} programs: {summary} ({seconds:.1f} s)", err=True)
