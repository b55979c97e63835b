"""Draw a trace of a program on the terminal: every line with its value for a sample of a task."""

from rich.console import Console

import arcloom
from arcloom.report.terminal import TraceView
from arcloom.report.trace import trace_program

SOURCE = """def solve_a416b8f3(I):
    x1 = vmirror(I)
    x2 = hconcat(I, x1)
    return rot90(x2)
"""


def main() -> None:
    task = arcloom.load("arcagi:training")["a416b8f3"]
    [program] = arcloom.parse(SOURCE)
    trace = trace_program(program, task, source=SOURCE)
    Console().print(TraceView(trace, samples=[0]))


if __name__ == "__main__":
    main()
