"""A process that writes deltas until it is killed, for ``test_killed.py``: ``python killed_writer.py FILE``.

Generation n has PER_GENERATION programs that no other generation has. They replace the members of the archive.
"""

import sys

from arcloom.program.parse import parse_one
from arcloom.program.term import Program
from arcloom.store import Attempt, Delta, Descent, Member, ProgramText, Run, Store, StoredScore, TaskKey, Vote, runs

PER_GENERATION = 40
TASK = TaskKey("task", "digest")


def programs(number: int) -> list[Program]:
    """The programs of a generation, which is counted from 1."""
    texts = (f"O = add({number}, {place})" for place in range(PER_GENERATION))
    return [parse_one(text) for text in texts]


def ordinals(number: int) -> range:
    """The ordinals of the members of a generation."""
    return range((number - 1) * PER_GENERATION, number * PER_GENERATION)


def delta(number: int) -> Delta:
    """A delta with rows for every table."""
    made = programs(number)
    digests = [program.digest for program in made]
    return Delta(
        TASK,
        number,
        programs=list(map(ProgramText.of, made)),
        scores=[StoredScore(digest, TASK, place, 0, 3) for place, digest in enumerate(digests)],
        lineage=[Descent(child, digests[0], "a constant") for child in digests[1:]],
        added=[
            Member(ordinal, digest, "card", "root", "", number, 5, False, 0.5, (5, 6), (b"\1\1\2", None))
            for ordinal, digest in zip(ordinals(number), digests, strict=True)
        ],
        removed=ordinals(number - 1) if number > 1 else (),
        votes=[Vote(digests[0], "card", "root", 0.25, True, (b"\1\1\3",))],
        seen={"card": number.to_bytes(8)},
        attempts=[Attempt(TASK, 0, rank, ((number % 10,),), 0.5) for rank in (1, 2)],
        counts={"card": PER_GENERATION},
    )


def go_on(store: Store) -> tuple[Run, int]:
    """The run to continue, and the number of its next generation."""
    known = runs.runs(store)
    run = known[-1] if known else runs.begin_run(store, "write", versions={}, settings={})
    record = runs.task_record(store, run, TASK)
    return run, 1 if record is None else record.generation + 1


def main(path: str) -> None:
    """Write until killed, and print each generation that is stored."""
    with Store.open(path) as store:
        run, number = go_on(store)
        while True:
            runs.add_deltas(store, run, [delta(number)])
            print(number, flush=True)
            number += 1


if __name__ == "__main__":
    main(sys.argv[1])
