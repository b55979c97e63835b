"""Score a batch of generated programs on tasks, and print the verdict and the reward of each."""

import arcloom

TEXTS = [
    "def solve(grid):\n    return tuple(row + row for row in grid)",
    "```python\ndef solve(I):\n    return hconcat(I, vmirror(I))\n```",
    "def solve(I):\n    cells = {(i, j) for i, row in enumerate(I) for j, c in enumerate(row) if c == 0}\n"
    "    return fill(I, 1, cells)",
    "def solve(I):\n    return I[99]",
    "def solve(I):\n    return I.transpose()",
]


def main() -> None:
    training = arcloom.load("arcagi:training")
    tasks = [training["a416b8f3"], training["67a3c6ac"]]
    for result in arcloom.score(TEXTS, tasks):
        solved = result.solved_demonstrations + result.solved_tests
        samples = result.demonstrations + result.tests
        print(
            f"{result.index} {result.task} {result.verdict:10} {solved}/{samples} {result.reward:.3f} {result.reason}"
        )


if __name__ == "__main__":
    main()
