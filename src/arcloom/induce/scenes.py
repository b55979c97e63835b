"""Scenes: the objects of a task with their features, and the result of each action for each object."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from arcloom.engine.batt import Batt
from arcloom.engine.results import Results
from arcloom.engine.samples import Samples
from arcloom.induce.actions import ObjectAction, actions
from arcloom.induce.cells import Numbers
from arcloom.induce.features import OTHER_INK, SEGMENTS, measures, outside
from arcloom.induce.views import background_of, has_black
from arcloom.program.build import INPUT, INPUTS, substituted
from arcloom.program.parse import parse
from arcloom.program.term import Program, Term
from arcloom.tasks.task import Grid, Task

Array = npt.NDArray[np.int8]

MOST_OBJECTS = 40
"""Maximum number of objects in a grid. Segmentations with more are skipped."""

HIGHEST = 100
"""Maximum value of a feature. Greater values are clipped."""

SEGMENTATIONS = {
    "figures": "sfilter(objects(g, T, T, F), compose(flip, matcher(color, b)))",
    "areas": "sfilter(objects(g, T, F, F), compose(flip, matcher(color, b)))",
    "clusters": "objects(g, F, T, T)",
    "blocks": "objects(g, F, F, T)",
    "layers": "sfilter(partition(g), compose(flip, matcher(color, b)))",
}
"""Ways to divide a grid into objects, for rules that transform objects."""

PARTS = {**SEGMENTATIONS, "panels": SEGMENTS["panel"]}
"""Ways to divide a grid into parts, for rules that choose one of them."""


@dataclass(frozen=True)
class ObjectMeasure:
    """A numeric feature of objects. ``function`` is the term of a function of an object, and ``each`` the term of its
    values for all objects. If it is a ``colour``, its value can be used to draw.
    """

    name: str
    each: Term
    function: Term
    cost: int
    colour: bool


@dataclass(frozen=True)
class Made:
    """Cells that belong to objects: the index of the object, the position among all cells of a task, and the
    colour."""

    owner: Numbers
    place: Numbers
    colour: Numbers


@dataclass(frozen=True)
class Scene:
    """The objects of a task in one segmentation.

    ``sample`` has the sample of each object, and ``values`` a row for each of ``measures``. Positions are numbered
    consecutively over the inputs of all samples, which are ``grids``; ``starts`` has the first position of each.
    ``pictures`` has the actions that do not fail for any sample, with their results: for each sample one grid per
    object, stacked vertically, with -1 where the action draws nothing.
    """

    name: str
    black: bool
    grids: Sequence[npt.NDArray[np.int64]]
    starts: Numbers
    sample: Numbers
    objects: Made
    measures: Sequence[ObjectMeasure]
    values: npt.NDArray[np.int8]
    pictures: Sequence[tuple[ObjectAction, Sequence[Array]]]

    def made(self, pictures: Sequence[Array]) -> Made:
        """The cells of stacked grids as in ``pictures``."""
        return _made(pictures, self.grids, self.starts)

    @property
    def background(self) -> Term:
        """The term of the background colour."""
        return background_of(INPUT, self.black)

    @property
    def segments(self) -> Term:
        """The term of the objects."""
        return segments(self.name, self.black)


@cache
def segments(name: str, black: bool) -> Term:
    """The term of the objects of the input."""
    return _closed(PARTS[name], black)


def _closed(text: str, black: bool) -> Term:
    [program] = parse(f"def scene(g, b):\n    return {text}\n", file="scenes")
    return substituted(program.output, {"g": INPUT, "b": background_of(INPUT, black)})


@cache
def measures_of(name: str, black: bool) -> tuple[ObjectMeasure, ...]:
    """The features of the objects of a segmentation."""
    text = PARTS[name]
    return tuple(
        ObjectMeasure(
            each,
            _closed(f"apply({function}, totuple({text}))", black),
            _closed(f"{function}", black),
            cost,
            colour,
        )
        for each, function, cost, colour in _functions(text)
    )


def _functions(xs: str) -> Iterator[tuple[str, str, int, bool]]:
    """Functions of an object: name, text, cost, and whether the value is a colour."""
    yield "colour", "mostcolor", 1, True
    yield "rare_colour", "leastcolor", 3, True
    yield "colour_beside", f"compose({OTHER_INK}, {outside('g')})", 3, True
    for name, (chosen, cost) in INKS.items():
        yield name, f"(lambda x: maximum(insert(NEG_ONE, {chosen.format(xs=xs)})))", cost, True
    yield "colour_of_largest", f"(lambda x: color(argmax({xs}, size)))", 4, True
    for name, function in measures(xs).items():
        yield name, function, 2, False
    for name, text in RELATIONS.items():
        yield name, f"(lambda x: {text.format(xs=xs)})", 3, False


INKS = {
    "colour_of_nearest": (
        "(lambda others, far: apply(color, sfilter(others, lambda y: far(y) == valmin(others, far))))"
        "(remove(x, {xs}), lbind(manhattan, x))",
        4,
    ),
    "colour_inside": ("remove(b, palette(toobject(delta(x), g)))", 4),
    "colour_of_holder": (
        "apply(color, sfilter(remove(x, {xs}), lambda y: size(difference(toindices(x), backdrop(y))) == 0))",
        4,
    ),
    "colour_of_same_form": (
        "remove(color(x), apply(color, sfilter({xs}, lambda y: normalize(toindices(y)) == normalize(toindices(x)))))",
        4,
    ),
    "colour_of_same_size": ("remove(color(x), apply(color, sfilter({xs}, lambda y: size(y) == size(x))))", 5),
    "colour_in_row": ("remove(color(x), apply(color, sfilter({xs}, lbind(hmatching, x))))", 4),
    "colour_in_column": ("remove(color(x), apply(color, sfilter({xs}, lbind(vmatching, x))))", 4),
}
"""Colours of related objects, as sets, and their costs. The highest colour is taken, -1 if there is none."""

RELATIONS = {
    "odd_size": "size(x) % 2",
    "odd_height": "height(x) % 2",
    "odd_width": "width(x) % 2",
    "square_gap": "1 if size(delta(x)) > 0 and square(delta(x)) else 0",
    "same_pictures": "size(sfilter(totuple({xs}), lambda y: normalize(y) == normalize(x)))",
    "beside_others": "size(sfilter(remove(x, {xs}), lbind(adjacent, x)))",
    "of_same_colour": "size(sfilter({xs}, lambda y: color(y) == color(x)))",
    "of_same_size": "size(sfilter({xs}, lambda y: size(y) == size(x)))",
    "of_same_height": "size(sfilter({xs}, lambda y: height(y) == height(x)))",
    "of_same_width": "size(sfilter({xs}, lambda y: width(y) == width(x)))",
    "holds": "size(sfilter(remove(x, {xs}), lambda y: size(intersection(toindices(y), delta(x))) > 0))",
    "held": "size(sfilter(remove(x, {xs}), lambda y: size(intersection(toindices(x), delta(y))) > 0))",
    "in_row_with": "size(sfilter(remove(x, {xs}), lbind(hmatching, x)))",
    "in_column_with": "size(sfilter(remove(x, {xs}), lbind(vmatching, x)))",
    "further_up": "size(sfilter({xs}, lambda y: uppermost(y) < uppermost(x)))",
    "further_left": "size(sfilter({xs}, lambda y: leftmost(y) < leftmost(x)))",
    "further_up_modulo_2": "size(sfilter({xs}, lambda y: uppermost(y) < uppermost(x))) % 2",
    "further_left_modulo_2": "size(sfilter({xs}, lambda y: leftmost(y) < leftmost(x))) % 2",
    "further_up_modulo_3": "size(sfilter({xs}, lambda y: uppermost(y) < uppermost(x))) % 3",
    "further_left_modulo_3": "size(sfilter({xs}, lambda y: leftmost(y) < leftmost(x))) % 3",
    "at_bottom": "1 if lowermost(x) == height(g) - 1 else 0",
    "at_right": "1 if rightmost(x) == width(g) - 1 else 0",
    "taller": "size(sfilter({xs}, lambda y: height(y) > height(x)))",
    "wider": "size(sfilter({xs}, lambda y: width(y) > width(x)))",
    "more_colours": "size(sfilter({xs}, lambda y: numcolors(y) > numcolors(x)))",
    "fuller": "size(sfilter({xs}, lambda y: size(delta(y)) > size(delta(x))))",
}


class Scenes:
    """Runs segmentations, features and actions on a device. Batts are cached, since all tasks use the same ones."""

    def __init__(self, device: str = "cpu") -> None:
        self._device = device
        self._batts: dict[tuple[str, bool, bool], Batt] = {}
        self._pictures: dict[bool, Batt] = {}

    def of(self, task: Task, *, acting: bool) -> Iterator[Scene]:
        """The scenes of a task, no two with the same objects: for rules that transform objects, or that choose one.

        All segmentations are run first, to skip those with too many or the same objects: features and actions take
        longer.
        """
        grids = [pair.input for pair in task.samples]
        black, samples = has_black(grids), Samples([{"I": grid} for grid in grids])
        for name, objects in self._segmented(samples, grids, black, acting):
            results = self._batt(name, black, acting).run(samples, device=self._device)
            yield _scene(name, black, grids, objects, results)

    def _segmented(
        self, samples: Samples, grids: Sequence[Grid], black: bool, acting: bool
    ) -> Iterator[tuple[str, list[Array]]]:
        """The names of the segmentations to use, each with the objects of every sample as stacked grids."""
        if black not in self._pictures:
            blank = "mapply(lbind(paint, canvas(NEG_ONE, shape(g))), totuple({}))"
            self._pictures[black] = _batt_of([_closed(blank.format(text), black) for text in PARTS.values()])
        used = [range(len(grids) if name in SEGMENTATIONS or not acting else 0) for name in PARTS]
        results = self._pictures[black].run(samples, rows=used, device=self._device)
        seen = set()
        for p, name in enumerate(SEGMENTATIONS if acting else PARTS):
            objects = _shown(results, p, len(grids))
            if objects is not None and all(map(_few_enough, objects, grids)):
                key = b"".join(found.tobytes() for found in objects)
                if key not in seen:
                    seen.add(key)
                    yield name, objects

    def _batt(self, name: str, black: bool, acting: bool) -> Batt:
        """The batt of the features of all objects, followed by all actions if ``acting``."""
        if (name, black, acting) not in self._batts:
            found, background = segments(name, black), background_of(INPUT, black)
            acts = (action.for_each(INPUT, background, found) for action in actions() if acting)
            self._batts[name, black, acting] = _batt_of([*(each.each for each in measures_of(name, black)), *acts])
        return self._batts[name, black, acting]


def _batt_of(terms: Sequence[Term]) -> Batt:
    return Batt.build([Program("scene", INPUTS, term) for term in terms])


def _few_enough(shown: Array, grid: Grid) -> bool:
    return len(grid) <= len(shown) <= MOST_OBJECTS * len(grid)


def _shown(results: Results, program: int, samples: int) -> list[Array] | None:
    """The output grids of a program; None if it fails for a sample."""
    found = [results.grid(program, s) for s in range(samples)]
    return None if any(each is None for each in found) else found


def _scene(name: str, black: bool, grids: Sequence[Grid], objects: Sequence[Array], results: Results) -> Scene:
    arrays = [np.array(grid, np.int64) for grid in grids]
    starts = np.concatenate([[0], np.cumsum([array.size for array in arrays])[:-1]])
    every = measures_of(name, black)
    counts = [len(found) // len(array) for found, array in zip(objects, arrays, strict=True)]
    rows, table = [], []
    for k, measure in enumerate(every):
        numbers = [results.output(k, s) for s in range(len(grids))]
        if None not in numbers:
            rows.append(measure)
            table.append(np.clip(np.concatenate(numbers), -1, HIGHEST))
    acting = actions() if len(results.programs) > len(every) else ()
    acted = [(action, _shown(results, k, len(grids))) for k, action in enumerate(acting, len(every))]
    pictures = [(action, found) for action, found in acted if found is not None]
    sample = np.repeat(np.arange(len(grids)), counts)
    return Scene(
        name, black, arrays, starts, sample, _made(objects, arrays, starts), rows, np.array(table, np.int8), pictures
    )


def _made(found: Sequence[Array], grids: Sequence[Numbers], starts: Numbers) -> Made:
    """The cells of stacked grids, one grid per object."""
    parts, first = [], 0
    for each, grid, start in zip(found, grids, starts.tolist(), strict=True):
        cells = each.reshape(-1, grid.size)
        owner, place = np.nonzero(cells >= 0)
        parts.append((first + owner, start + place, cells[owner, place].astype(np.int64)))
        first += len(cells)
    return Made(*map(np.concatenate, zip(*parts, strict=True)))
