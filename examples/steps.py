"""Draw the steps of a program in the terminal: the input, and the value of each call for it."""

from dataclasses import replace

from rich.console import Console

import arcloom
from arcloom.tasks import Pair
from arcloom.tasks.draw import draw_task


def main() -> None:
    task = arcloom.load("arcagi:training")["a416b8f3"]
    grid = task.train[0].input
    [program] = arcloom.parse("def solve(I):\n    x1 = vmirror(I)\n    x2 = hconcat(I, x1)\n    return rot90(x2)\n")
    for call in program.calls:
        value = replace(program, output=call).evaluate({"I": grid})
        Console().print(draw_task(arcloom.Task(f"line {call.line}", (Pair(grid, value),))))


if __name__ == "__main__":
    main()
