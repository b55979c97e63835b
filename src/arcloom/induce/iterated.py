"""Rules that are applied repeatedly: the outcome of a cell depends on its neighbours in the result.

A growing line, a flood fill or a continued pattern can be described by one rule about a cell, which depends on features
of the input and on the colours of the neighbours in the *output*. Such a rule is learnt like others (see ``learn``),
from the outputs of the demonstrations. Its program starts with the input and applies the rule a fixed number of times.
Evaluation of the program shows whether this yields the outputs.
"""

from collections.abc import Iterator

from arcloom.induce.cell_rules import written
from arcloom.induce.cells import CellOutcome
from arcloom.induce.feature_tables import FeatureTable, FeatureTables
from arcloom.induce.features import features
from arcloom.induce.learn import Rule
from arcloom.induce.views import CellFeature, FeatureView, has_black, plain
from arcloom.program.build import INPUT, applied, call, literal
from arcloom.program.simplify import simplify
from arcloom.program.term import Input, Lambda, Program, Term
from arcloom.tasks.task import Task

TIMES = 30
"""Number of times that a rule is applied: enough for a line to cross the largest grid."""

COSTLIEST = 3
"""Maximum cost of the input features that are combined with neighbours."""

NEIGHBOURS = ("next_", "second_")
"""Name prefixes of the features that are computed from the result: the colours one and two steps away."""

STATE = Input("state")
"""The parameter of the function that applies a rule once: the current grid."""


def neighbour_table(tables: FeatureTables, task: Task) -> FeatureTable | None:
    """The cells of a task with features of the input and of the neighbours in the output.

    The outputs of tests are unknown, so their cells have the neighbours in the input.
    """
    inputs = [pair.input for pair in task.samples]
    results = [pair.output or pair.input for pair in task.samples]
    given = tuple(feature for feature in plain(has_black(inputs)) if feature.cost <= COSTLIEST)
    return tables.together(task, [(given, inputs, None), (_neighbours(), results, STATE)])


def _neighbours() -> FeatureView:
    """The colours around a cell. They do not depend on the background."""
    return tuple(
        CellFeature(feature.name, feature.of(INPUT, literal(0)), feature.cost, feature.colour)
        for feature in features()
        if feature.name.startswith(NEIGHBOURS)
    )


def reads_result(rule: Rule[CellOutcome], table: FeatureTable) -> bool:
    """Whether a rule reads neighbours in the result, so that applying it repeatedly makes a difference."""
    return any(table.features[k][1] is STATE for k in _used(rule))


def written_repeatedly(rule: Rule[CellOutcome], table: FeatureTable) -> Term:
    """The output term of a rule that is applied TIMES times, starting with the input."""
    given = [k for k in _used(rule) if table.features[k][1] is None]
    names = {k: Input(f"given{k}") for k in given}
    body = written(rule, lambda k: names[k] if k in names else table.term(k))
    once = Program("once", (*(names[k].name for k in given), STATE.name), body)
    step = Lambda(simplify(once, rules=()), len(given))  # merges common subterms of features
    return applied(call("power", applied(step, *map(table.term, given)), literal(TIMES)), INPUT)


def _used(rule: Rule[CellOutcome]) -> Iterator[int]:
    """The features that a rule reads or copies. Feature 0 is the default colour of a cell."""
    copied = (outcome.feature for _, outcome in rule.table if outcome.feature is not None)
    return iter(dict.fromkeys((0, *rule.features, *copied)))
