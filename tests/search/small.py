"""Small tasks that the tests of the search share."""

from arcloom.tasks.task import Grid, Pair, Task

Pairs = tuple[tuple[Grid, Grid], ...]


def task(id: str, train: Pairs, test: Pairs) -> Task:
    return Task(id, tuple(Pair(*pair) for pair in train), tuple(Pair(*pair) for pair in test))


MIRROR = task(
    "mirror",
    ((((1, 2, 3),), ((3, 2, 1),)), (((4, 0), (0, 5)), ((0, 4), (5, 0)))),
    ((((7, 8), (9, 9)), ((8, 7), (9, 9))),),
)
PAINT = task(
    "paint",
    ((((0, 3), (3, 0)), ((0, 7), (7, 0))), (((3, 3, 0),), ((7, 7, 0),))),
    ((((3,), (0,)), ((7,), (0,))), (((3, 0, 3),), ((7, 0, 7),))),
)
RIDDLE = task("riddle", ((((1,),), ((2, 9), (9, 2))), (((3,),), ((6, 9), (9, 9)))), ((((5,),), ((1, 2, 3),)),))
