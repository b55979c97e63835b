"""Rules that are applied again and again: what a cell becomes depends on its neighbours in the result.

A line grows from cell to cell, a colour flows around corners, a pattern goes on. Each is one rule about a cell: what it
becomes depends on features of the input, and on the colours that its neighbours have in the *output*. Such a rule is
learnt as any other one (see ``learn``), with the outputs of the demonstrations at hand. Its program starts from the
input and applies the rule a fixed number of times. Whether that leads to the outputs is seen when the program runs.
"""

from collections.abc import Iterator

from arcloom.induce.cells import Outcome
from arcloom.induce.feature_tables import FeatureTable, FeatureTables
from arcloom.induce.features import features
from arcloom.induce.learn import Rule
from arcloom.induce.rules import written
from arcloom.induce.views import Seen, View, has_black, plain
from arcloom.program.build import INPUT, applied, call, literal
from arcloom.program.simplify import simplify
from arcloom.program.term import Input, Lambda, Program, Term
from arcloom.tasks.task import Task

TIMES = 30
"""Number of times that a rule is applied: a line crosses the largest grid."""

COSTLIEST = 3
"""Maximum cost of the features of the input that are combined with neighbours."""

NEIGHBOURS = ("next_", "second_")
"""Prefixes of the names of features that are read from the result: the colours one and two steps away."""

STATE = Input("state")
"""The grid to which a rule is applied, in the function that applies it once."""


def look_at(looks: FeatureTables, task: Task) -> FeatureTable | None:
    """The cells of a task with features of the input and of the neighbours in the output.

    The outputs of tests are not known: their cells have the neighbours of the input instead.
    """
    inputs = [pair.input for pair in task.samples]
    results = [pair.output or pair.input for pair in task.samples]
    given = tuple(seen for seen in plain(has_black(inputs)) if seen.cost <= COSTLIEST)
    return looks.together(task, [(given, inputs, None), (_neighbours(), results, STATE)])


def _neighbours() -> View:
    """The colours around a cell. They do not depend on the background."""
    return tuple(
        Seen(feature.name, feature.of(INPUT, literal(0)), feature.cost, feature.colour)
        for feature in features()
        if feature.name.startswith(NEIGHBOURS)
    )


def reads_result(rule: Rule[Outcome], look: FeatureTable) -> bool:
    """Whether a rule depends on neighbours in the result, so that it has to be applied more than once."""
    return any(look.seen[k][1] is STATE for k in _used(rule))


def written_repeatedly(rule: Rule[Outcome], look: FeatureTable) -> Term:
    """The output by a rule that is applied again and again, beginning with the input."""
    given = [k for k in _used(rule) if look.seen[k][1] is None]
    names = {k: Input(f"given{k}") for k in given}
    body = written(rule, lambda k: names[k] if k in names else look.term(k))
    once = Program("once", (*(names[k].name for k in given), STATE.name), body)
    step = Lambda(simplify(once, rules=()), len(given))  # features share much, and repeat it
    return applied(call("power", applied(step, *map(look.term, given)), literal(TIMES)), INPUT)


def _used(rule: Rule[Outcome]) -> Iterator[int]:
    """The features that a rule reads or copies; the first one is what a cell is where the rule says nothing."""
    copied = (outcome.feature for _, outcome in rule.table if outcome.feature is not None)
    return iter(dict.fromkeys((0, *rule.features, *copied)))
