"""The search of the studio. It runs in a separate process; the studio reads its store."""

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from arcloom.cluster.budget import BudgetError, seconds_of
from arcloom.cluster.coordinator import SUBMISSION
from arcloom.report.details import details_of
from arcloom.report.overview import overview
from arcloom.report.run_data import RunData, latest_run, store_in
from arcloom.store import Store, StoreError
from arcloom.tasks import load
from arcloom.tasks.task import DataError

PATIENCE = 20
"""Seconds to wait for a search to stop before its process is killed."""

LOG = "studio.log"
"""The file in the folder of a run with the output of a search that the studio started."""

PREFIX = "arcloom: "
"""The prefix of messages and lines of progress in the log."""

MODES = ("new", "resume", "overwrite")
"""Ways to begin a search: in an empty folder, by continuing the run in the folder, or with a new run in its store."""


class Search:
    """The run in a folder, whichever process started it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._data = ""
        self._stopping = False

    @property
    def is_running(self) -> bool:
        """Whether a search that this process started is running."""
        return self._process is not None and self._process.poll() is None

    def start(self, data: str, budget: str, hide_own: bool, mode: str = "new") -> dict[str, Any]:
        """Start a search. Raises DataError if one is running or a setting is invalid."""
        if self.is_running:
            raise DataError("a search is running; stop it first")
        if mode not in MODES:
            raise DataError(f"the mode of a search must be one of {', '.join(MODES)}")
        try:
            seconds_of(budget)
        except BudgetError as error:
            raise DataError(str(error)) from None
        load(data)
        self.folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "arcloom", "solve", f"--data={data}", f"--budget={budget}", "--profile"]
        command += [
            f"--out={self.folder}",
            *(["--hide-own"] if hide_own else []),
            *([f"--{mode}"] if mode != "new" else []),
        ]
        with (self.folder / LOG).open("wb") as log:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self._data, self._stopping = data, False
        return self.state()

    def stop(self) -> dict[str, Any]:
        """Ask the search to end. It stores its results first, so it may keep running for a moment."""
        if self._process is not None and self.is_running and not self._stopping:
            self._stopping = True
            self._process.send_signal(signal.SIGINT)
        return self.state()

    def close(self) -> None:
        """Stop the search and wait for its end."""
        self.stop()
        if self._process is not None:
            try:
                self._process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()

    def state(self) -> dict[str, Any]:
        """The state of the search: whether it is running or stopping, its data and folder, its progress, and its error.

        ``used`` says whether the folder has the answers of a run, which a new search would continue or replace.
        """
        code = None if self._process is None else self._process.poll()
        failed = code is not None and code > 0 and not self._stopping
        return {
            "running": self.is_running,
            "stopping": self.is_running and self._stopping,
            "data": self._data,
            "folder": str(self.folder),
            "used": (self.folder / SUBMISSION).exists(),
            "progress": self._last_line() if self.is_running else "",
            "problem": self._last_line() if failed else "",
        }

    def _last_line(self) -> str:
        """The last line of the log without PREFIX."""
        log = self.folder / LOG
        lines = log.read_text(encoding="utf-8", errors="replace").split("\n") if log.exists() else []
        return next((line.removeprefix(PREFIX) for line in reversed(lines) if line.strip()), "")

    def overview(self) -> dict[str, Any] | None:
        """The overview of the run; None if there is no run yet."""
        try:
            with Store.open(store_in(self.folder), must_exist=True) as store:
                return overview(RunData(store, latest_run(store)))
        except StoreError:
            return None

    def task(self, id: str) -> dict[str, Any]:
        """The details of a task of the run."""
        with Store.open(store_in(self.folder), must_exist=True) as store:
            data = RunData(store, latest_run(store))
            result = data.results[data.dataset.ids.index(data.dataset[id].id)]
            return details_of(data, [result])[id]
