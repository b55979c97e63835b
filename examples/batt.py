"""Run many programs on many samples: a Batt merges the programs, and Samples encodes the inputs once."""

import arcloom


def main() -> None:
    task = arcloom.load("arcagi:training")["a416b8f3"]
    programs = arcloom.parse(
        "def twice(I):\n    return hconcat(I, I)\n\n"
        "def mirrored(I):\n    return hconcat(I, vmirror(I))\n\n"
        "def too_far(I):\n    return I[99]\n"
    )
    samples = arcloom.Samples({"I": pair.input} for pair in task.train)
    results = arcloom.Batt(programs).run(samples)
    for p, program in enumerate(results.programs):
        for s in results.rows[p]:
            failure = results.failure(p, s)
            print(
                program.name, s, failure or ("equal" if results.equal(p, s, task.train[s].output) else "another output")
            )


if __name__ == "__main__":
    main()
