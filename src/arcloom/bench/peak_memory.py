"""The peak memory of the mega-batch, measured in a separate process.

``python -m arcloom.bench.peak_memory`` reads a request from standard input and prints the peak memory in
megabytes, both as JSON.
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
    """The peak memory in megabytes of a process that runs these programs of a file on all inputs."""
    request = json.dumps({"file": str(file), "data": str(data), "names": list(names)})
    command = [sys.executable, "-m", "arcloom.bench.peak_memory"]
    done = subprocess.run(command, input=request, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.splitlines() or ["it was ended, perhaps because memory ran out"])[-1]
        raise BenchError(f"the memory of the mega-batch could not be measured: {last}")
    return float(json.loads(done.stdout))


def peak_megabytes() -> float:
    """The peak memory of this process in megabytes. Without /proc, it may include memory of the parent process."""
    if STATUS.exists():
        found = re.search(r"VmHWM:\s*(\d+) kB", STATUS.read_text(encoding="utf-8"))
        if found:
            return int(found[1]) / 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / (1 << 20)


def main() -> None:
    """Run the mega-batch of the request on standard input."""
    request = json.load(sys.stdin)
    work = Workload.read(request["file"], request["data"]).only(set(request["names"]))
    Batt.build(work.programs).run(work.samples, budget=BUDGET)
    print(json.dumps(peak_megabytes()))


if __name__ == "__main__":
    main()
