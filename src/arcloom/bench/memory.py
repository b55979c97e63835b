"""The memory that the mega-batch takes, measured in a process that does nothing else.

As a program, ``python -m arcloom.bench.memory`` reads what to run from standard input and prints what it
took, both as JSON.
"""

import json
import re
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from arcloom.bench.checkout import BenchError
from arcloom.bench.measure import BUDGET
from arcloom.bench.workload import Workload
from arcloom.engine.batt import Batt

STATUS = Path("/proc/self/status")


def mega_batch_peak(file: str | Path, data: str | Path, names: Sequence[str]) -> float:
    """The most megabytes that a process has in memory while these programs of a file run on all inputs."""
    request = json.dumps({"file": str(file), "data": str(data), "names": list(names)})
    command = [sys.executable, "-m", "arcloom.bench.memory"]
    done = subprocess.run(command, input=request, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.splitlines() or ["it was ended, perhaps for want of memory"])[-1]
        raise BenchError(f"the memory of the mega-batch could not be measured: {last}")
    return float(json.loads(done.stdout))


def peak_megabytes() -> float:
    """The most memory that this process has had. Where there is no /proc, a parent's memory may be counted in."""
    if STATUS.exists():
        found = re.search(r"VmHWM:\s*(\d+) kB", STATUS.read_text(encoding="utf-8"))
        if found:
            return int(found[1]) / 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / (1 << 20)


def main() -> None:
    """Run the mega-batch that standard input asks for."""
    request = json.load(sys.stdin)
    work = Workload.read(request["file"], request["data"]).only(set(request["names"]))
    Batt.build(work.programs).run(work.samples, budget=BUDGET)
    print(json.dumps(peak_megabytes()))


if __name__ == "__main__":
    main()
