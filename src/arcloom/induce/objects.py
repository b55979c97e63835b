"""Rules for objects: they map the features of an object of the input to its transformation."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from arcloom.induce.cells import Numbers
from arcloom.induce.explain import Explainer
from arcloom.induce.learn import ItemTable, Rule, learn
from arcloom.induce.scenes import Scene
from arcloom.induce.transformations import Objects, Transformation
from arcloom.program.build import INPUT, call, literal, named
from arcloom.program.term import Term
from arcloom.tasks.task import Task

AnyOutcome = TypeVar("AnyOutcome")

ObjectRule = tuple[Rule[Transformation], Objects]


def object_rules(scene: Scene, task: Task) -> tuple[list[ObjectRule], list[ObjectRule]]:
    """The rules that solve all demonstrations, and the rules that correct some cells and make none wrong.

    The latter are ordered by the number of cells that they correct, highest first.
    """
    explainer = Explainer(scene, task)
    objects = explainer.objects()
    full: list[ObjectRule] = []
    partial: list[tuple[int, ObjectRule]] = []
    for rule in [] if objects is None else learn(objects):
        assert objects is not None
        whole = objects.drawn(outcome_of(rule, objects))
        shown, tests = np.split(whole, [len(objects.targets)])
        better = shown != explainer.given[: len(shown)]
        if (shown[better] == objects.targets[better]).all():
            cost = rule.cost + sum(each.cost for each in {each for _, each in rule.table}) // 2
            found = replace(rule, cost=cost, predicted=tests.astype(np.int8).tobytes()), objects
            if (shown == objects.targets).all():
                full.append(found)
            else:
                partial.append((int(better.sum()), found))
    ranked = sorted(partial, key=lambda each: (-each[0], each[1][0].cost))
    return full, [found for _, found in ranked]


def outcome_of(rule: Rule[AnyOutcome], objects: ItemTable[AnyOutcome]) -> Numbers:
    """For each object, the index of its outcome by a rule."""
    table = {values: objects.outcomes.index(outcome) for values, outcome in rule.table}
    rows = objects.values[list(rule.features)].T.tolist() if rule.features else [()] * len(objects.sample)
    return np.array([table.get(tuple(row), 0) for row in rows], np.int64)


def written_for_objects(rule: Rule[Transformation], objects: Objects) -> Term:
    """The output term of a rule."""
    scene = objects.scene
    chosen = {
        transformation: chosen_by(rule, scene, [v for v, each in rule.table if each == transformation])
        for _, transformation in rule.table
    }
    result: Term = INPUT
    for transformation, some in chosen.items():
        if transformation.removes:
            result = call("fill", result, scene.background, call("merge", some))
    for transformation in (transformation for transformation in objects.outcomes if transformation in chosen):
        made = _cells(transformation, scene, chosen[transformation])
        if made is not None:
            result = call("paint", result, made)
    return result


def chosen_by(rule: Rule[AnyOutcome], scene: Scene, entries: Sequence[tuple[int, ...]]) -> Term:
    """A term for the objects whose features have the values of one of these entries."""
    if not rule.features:
        return scene.segments
    function, key = scene.measures[rule.features[-1]].function, [entry[-1] for entry in entries]
    keys: list[object] = list(key)
    for k in range(len(rule.features) - 2, -1, -1):
        function = call("fork", named("astuple"), scene.measures[rule.features[k]].function, function)
        keys = [(entry[k], key) for entry, key in zip(entries, keys, strict=True)]
    if len(keys) == 1:
        return call("sfilter", scene.segments, call("matcher", function, literal(keys[0])))
    test = call("rbind", named("contained"), literal(tuple(keys)))
    return call("sfilter", scene.segments, call("compose", test, function))


def _cells(transformation: Transformation, scene: Scene, some: Term) -> Term | None:
    """A term for the cells that a transformation draws for some objects; None if it draws none."""
    if transformation.vector is not None:
        return call("mapply", call("rbind", named("shift"), literal(transformation.vector)), some)
    if transformation.stamp is not None:
        place = call("compose", call("lbind", named("shift"), literal(transformation.stamp)), named("ulcorner"))
        return call("mapply", place, some)
    if transformation.action is None:
        return None
    act = transformation.action.of(INPUT, scene.background, scene.segments)
    if transformation.measure is not None:
        return call("mapply", call("fork", named("recolor"), transformation.measure.function, act), some)
    made = call("mapply", act, some)
    return made if transformation.colour is None else call("recolor", literal(transformation.colour), made)
