"""A process that writes generations until it is killed, for ``test_killed.py``: ``python killed_writer.py FILE``.

Generation n holds PER_GENERATION programs that no other one has, their scores, and what is kept.
"""

import sys

from arcloom.program.parse import parse_one
from arcloom.program.term import Program
from arcloom.store import Descent, Generation, Run, Score, Store, TaskKey

PER_GENERATION = 40
TASK = TaskKey("task", "digest")


def programs(number: int) -> list[Program]:
    """The programs of a generation."""
    texts = (f"O = add({number}, {place})" for place in range(PER_GENERATION))
    return [parse_one(text) for text in texts]


def generation(number: int) -> Generation:
    """A generation with something in every table."""
    made = programs(number)
    digests = [program.digest for program in made]
    return Generation(
        number,
        programs=made,
        scores=[Score(digest, TASK, place, 0, 3) for place, digest in enumerate(digests)],
        lineage=[Descent(child, digests[0], "a constant") for child in digests[1:]],
        kept={TASK: digests},
        state={"next": number + 1},
    )


def go_on(store: Store) -> tuple[Run, int]:
    """The run to go on with, and the number of its next generation."""
    run = store.latest_run() or store.begin_run("write", versions={}, settings={})
    stopped = store.resume(run)
    return run, 0 if stopped is None else stopped.state["next"]


def main(path: str) -> None:
    """Write until killed, telling each generation that is stored."""
    with Store.open(path) as store:
        run, number = go_on(store)
        while True:
            store.add_generation(run, generation(number))
            print(number, flush=True)
            number += 1


if __name__ == "__main__":
    main(sys.argv[1])
