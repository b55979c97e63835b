"""A search that the studio starts, watches and stops: a process of its own, whose store is read."""

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from arcloom.cluster.solve import BudgetError, seconds_of
from arcloom.report.details import details_of
from arcloom.report.overview import overview
from arcloom.report.run import RunData, latest_run, store_in
from arcloom.store import Store, StoreError
from arcloom.tasks import load
from arcloom.tasks.task import DataError

PATIENCE = 20
"""Seconds to wait for a search that was told to stop."""


class Search:
    """The run in a folder, whether this process started it or another one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def is_running(self) -> bool:
        """Whether a search that was started here is under way."""
        return self._process is not None and self._process.poll() is None

    def start(self, data: str, budget: str, hide_own: bool) -> dict[str, Any]:
        """Start a search. Raises DataError if one is under way or the settings are wrong."""
        if self.is_running:
            raise DataError("a search is under way; stop it first")
        try:
            seconds_of(budget)
        except BudgetError as error:
            raise DataError(str(error)) from None
        load(data)
        self.folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "arcloom", "solve", f"--data={data}", f"--budget={budget}", "--profile"]
        command += [f"--out={self.folder}", *(["--hide-own"] if hide_own else [])]
        with (self.folder / "studio.log").open("wb") as log:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        return self.state()

    def stop(self) -> dict[str, Any]:
        """Tell the search to end in good order, and wait for it."""
        if self._process is not None and self.is_running:
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()
        return self.state()

    def state(self) -> dict[str, Any]:
        """Whether a search is under way, its folder, and the last line that it printed."""
        log = self.folder / "studio.log"
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []
        code = None if self._process is None else self._process.poll()
        last = next((line for line in reversed(lines) if line.startswith("arcloom: ")), "") if code else ""
        return {"running": self.is_running, "folder": str(self.folder), "problem": last}

    def overview(self) -> dict[str, Any] | None:
        """The overview of the run, or None if there is none yet."""
        try:
            with Store.open(store_in(self.folder), must_exist=True) as store:
                return {**overview(RunData(store, latest_run(store))), "live": True}
        except StoreError:
            return None

    def task(self, id: str) -> dict[str, Any]:
        """The details of a task of the run."""
        with Store.open(store_in(self.folder), must_exist=True) as store:
            data = RunData(store, latest_run(store))
            result = data.results[data.dataset.ids.index(data.dataset[id].id)]
            return details_of(data, [result])[id]
