"""A source that proposes rules for objects, learnt from the demonstrations."""

from collections.abc import Iterator
from itertools import islice

from arcloom.induce.chosen_objects import choice_rules, written_for_choice
from arcloom.induce.objects import object_rules, written_for_objects
from arcloom.induce.scenes import Scenes
from arcloom.program.build import INPUTS, solver_name, substituted
from arcloom.program.simplify import simplify
from arcloom.program.term import Program, Term
from arcloom.search.loop.candidate import Candidate, Lineage
from arcloom.search.loop.source import Request, Source
from arcloom.search.sources.induction import HELD_OUT, chosen, partial
from arcloom.stopwatch import Deadline
from arcloom.store.records import Outputs
from arcloom.tasks.packed import unpack
from arcloom.tasks.task import Pair, Task

FIRST = 2
"""The generation in which a task is first analysed. The analysis takes as long as several other sources, which should
run first for every task of a short search."""

REPAIRED, EVERY = 1, 4
"""Maximum number of archive members whose outputs are repaired, and the interval of generations in which this happens.
One analysis takes about 0.06 s of processor time."""


class ObjectRules(Source):
    """Proposes programs that change objects, or choose one, by a rule over few features of an object.

    Rules are learnt once from the inputs of a task. After that, while the task has no solution, rules are learnt from
    the outputs of archive members that have the correct shapes, to repair these outputs.
    """

    name = "objects"

    def __init__(self, device: str = "cpu") -> None:
        """``device`` computes the features."""
        self._scenes = Scenes(device)

    def is_due(self, generation: int) -> bool:
        """See ``Source``."""
        return generation == FIRST or generation % EVERY == (FIRST + 1) % EVERY

    def propose(self, request: Request) -> Iterator[Candidate]:
        """See ``Source``."""
        for state in request.states:
            task = state.task
            if request.generation == FIRST:
                lineage = Lineage(self.name, self.name)
                yield from (_candidate(task, term, lineage) for term in self.rules(task, request.deadline))
            elif not state.solutions:
                for result in islice(partial(state, self.name), REPAIRED):
                    program = result.candidate.program
                    lineage = result.candidate.lineage.then(self.name, program)
                    for term in self.rules(_after(task, result.outputs), request.deadline):
                        yield _candidate(task, substituted(term, {"I": program.output}), lineage)

    def rules(self, task: Task, deadline: Deadline) -> list[Term]:
        """The output terms of the best rules for a task."""
        scenes = (scene for scene in self._scenes.of(task, acting=task.keeps_shapes) if not deadline.passed)
        if not task.keeps_shapes:
            choosing = chosen([found for scene in scenes for found in choice_rules(scene, task)])
            return [written_for_choice(rule, choice) for rule, choice in choosing]
        found = [object_rules(scene, task) for scene in scenes]
        acting = chosen([rule for full, _ in found for rule in full])
        if not acting:
            acting = [rule for _, partial in found for rule in partial[:1] if rule[0].held_out >= HELD_OUT]
        return [written_for_objects(rule, objects) for rule, objects in acting]


def _candidate(task: Task, output: Term, lineage: Lineage) -> Candidate:
    return Candidate(task.id, simplify(Program(solver_name(task.id), INPUTS, output), rules=()), lineage)


def _after(task: Task, outputs: Outputs) -> Task:
    """The task with the outputs of a program as inputs. No output may be None."""
    given = [unpack(output) for output in outputs if output is not None]
    pairs = [Pair(grid, pair.output) for grid, pair in zip(given, task.samples, strict=True)]
    return task.with_samples(pairs)
