"""Workers as processes on this machine.

A worker process is started as ``python -m arcloom.child arcloom.cluster.processes``. It reads pickled messages from its
standard input and writes replies to its standard output. Therefore a script that calls ``arcloom.solve`` needs no
``if __name__ == "__main__"`` guard, and nothing listens on the network.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from typing import Any

from arcloom import child
from arcloom.cluster.memory_limits import EXCESS, WORKER_USES, resident
from arcloom.cluster.messages import Assignment, Reply, Unit
from arcloom.cluster.pool import STARTS, ClusterError, Joined, Lost, PoolEvent, Replied
from arcloom.cluster.worker import assigned
from arcloom.search.setup import Setup

LAST_LINES = 20
"""Number of last lines of a worker's standard error that are kept, to explain why it ended."""

MEASURE_EVERY = 0.5
"""Seconds between two measurements of the memory of the workers."""


class _WorkerProcess:
    """The coordinator's side of a worker process."""

    def __init__(self, assignment: Assignment) -> None:
        command, pipe = child.command("arcloom.cluster.processes"), subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.requests = Connection(os.dup(self.process.stdin.fileno()), readable=False)
        self.replies = Connection(os.dup(self.process.stdout.fileno()), writable=False)
        self.process.stdin.close()
        self.process.stdout.close()
        self.ready = False
        self.ended = ""
        """The reason why the coordinator has ended the process; empty if it has not."""
        self.errors: deque[str] = deque(maxlen=LAST_LINES)
        self._reader = threading.Thread(target=self._forward, args=(self.process.stderr,), daemon=True)
        self._reader.start()
        self.requests.send(assignment)

    def _forward(self, stream: Any) -> None:
        """Copy the worker's standard error to that of this process, and keep its last lines."""
        with stream:
            for line in stream:
                text = line.decode(errors="replace")
                self.errors.append(text.rstrip())
                sys.stderr.write(text)
                sys.stderr.flush()

    def end(self) -> None:
        """Kill the process and release its pipes."""
        self.process.kill()
        self.process.wait()
        self._reader.join(1.0)
        for connection in (self.requests, self.replies):
            connection.close()

    def reason(self) -> str:
        """The reason why the process ended."""
        if self.ended:
            return self.ended
        code = self.process.poll()
        if code is not None and code < 0:
            return f"it was ended by {signal.Signals(-code).name}"
        said = f": {self.errors[-1]}" if self.errors else ""
        return f"it ended with exit code {code}{said}"


class ProcessPool:
    """Worker processes on this machine; see ``WorkerPool``."""

    def __init__(
        self,
        workers: int,
        setup: Setup,
        *,
        kernels: bool = False,
        events: bool = False,
        memory: int = WORKER_USES,
    ) -> None:
        """A worker that uses more than EXCESS times ``memory`` bytes is ended."""
        self._assignment = Assignment(setup, kernels, events)
        self._most = int(memory * EXCESS)
        self._measured = time.monotonic()
        self._processes: dict[int, _WorkerProcess] = {}
        self._next = 0
        self._failed_starts = 0
        for _ in range(workers):
            self._start()

    def _start(self) -> None:
        self._processes[self._next] = _WorkerProcess(replace(self._assignment, number=self._next))
        self._next += 1

    @property
    def size(self) -> int:
        """See ``WorkerPool``."""
        return len(self._processes)

    @property
    def pids(self) -> dict[int, int]:
        """The process ids of the workers, by their numbers."""
        return {number: worker.process.pid for number, worker in self._processes.items()}

    def send(self, worker: int, unit: Unit) -> None:
        """See ``WorkerPool``."""
        with suppress(OSError):  # if the worker is gone, ``wait`` will say so
            self._processes[worker].requests.send(unit)

    def wait(self, seconds: float) -> list[PoolEvent]:
        """See ``WorkerPool``. Raises ClusterError if workers repeatedly end before they are ready."""
        if time.monotonic() - self._measured > MEASURE_EVERY:
            self._measure()
        by_connection = {process.replies: number for number, process in self._processes.items()}
        ready: list[Any] = wait(list(by_connection), max(seconds, 0.0))
        return [self._event(by_connection[connection]) for connection in ready]

    def _measure(self) -> None:
        """End workers that use too much memory. ``wait`` then returns the event."""
        self._measured = time.monotonic()
        for process in self._processes.values():
            used = resident(process.process.pid)
            if used > self._most:
                process.ended = f"it used {used / (1 << 30):.1f} GB of memory, more than --memory allows"
                process.process.kill()

    def _event(self, number: int) -> PoolEvent:
        process = self._processes[number]
        try:
            message = process.replies.recv()
        except (EOFError, OSError):
            return self._lost(number)
        if not process.ready:
            process.ready = True
            self._failed_starts = 0
            return Joined(number)
        return Replied(number, message)

    def _lost(self, number: int) -> Lost:
        process = self._processes.pop(number)
        process.process.wait()
        time.sleep(0.01)  # for the reader of its error output
        reason = process.reason()
        process.end()
        if not process.ready:
            self._failed_starts += 1
            if self._failed_starts >= STARTS:
                raise ClusterError(f"the workers cannot be started; the last one: {reason}")
        self._start()
        return Lost(number, reason)

    def retire(self, worker: int) -> None:
        """See ``WorkerPool``."""
        self._processes.pop(worker).end()
        self._start()

    def close(self) -> None:
        """See ``WorkerPool``."""
        for process in self._processes.values():
            process.process.kill()
        for process in self._processes.values():
            process.end()
        self._processes.clear()


def _read(connection: Connection, messages: "SimpleQueue[Any]") -> None:
    """Put messages into a queue as they arrive. When the coordinator has ended, ``arcloom.child`` ends this process."""
    try:
        while True:
            messages.put(connection.recv())
    except (EOFError, OSError):
        pass
    except Exception as error:  # a message that refers to something that cannot be imported here
        messages.put(error)


def main() -> None:
    """Run a worker until the coordinator closes its standard input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the coordinator
    requests = Connection(os.dup(0), writable=False)
    replies = Connection(os.dup(1), readable=False)
    os.dup2(2, 1)  # other output of this process must not get between the replies
    messages: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_read, args=(requests, messages), daemon=True).start()
    worker = assigned(_next(messages))
    replies.send(None)
    while True:
        reply: Reply = worker.run(_next(messages))
        replies.send(reply)


def _next(messages: "SimpleQueue[Any]") -> Any:
    message = messages.get()
    if isinstance(message, Exception):
        raise message
    return message


if __name__ == "__main__":
    main()
