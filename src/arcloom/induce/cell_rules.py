"""Rules for cells as programs: the table from values of features to outcomes is written as constants."""

from collections.abc import Callable, Sequence

from arcloom.induce.cells import CellOutcome
from arcloom.induce.learn import Rule
from arcloom.program.build import call, literal, named
from arcloom.program.term import Term

EntryValues = tuple[int, ...]


def written(rule: Rule[CellOutcome], term: Callable[[int], Term]) -> Term:
    """The output term of a rule; ``term`` maps the index of a feature to its term.

    The table is written by columns, a tuple for each feature: a feature then takes two calls for any number of entries.
    """
    result = term(0)
    grids = [term(k) for k in rule.features]
    inks = [(values, outcome.colour) for values, outcome in rule.table if outcome.colour is not None]
    if inks:
        result = _coloured(result, grids, inks)
    for source in dict.fromkeys(outcome.feature for _, outcome in rule.table):
        if source is not None:
            entries = [values for values, outcome in rule.table if outcome.feature == source]
            result = _copied(result, grids, entries, term(source))
    return result


def _coloured(onto: Term, grids: Sequence[Term], entries: Sequence[tuple[EntryValues, int]]) -> Term:
    colours = tuple(colour for _, colour in entries)
    if not grids:
        return call("canvas", literal(colours[0]), call("shape", onto))
    if len(entries) == 1:
        return call("fill", onto, literal(colours[0]), _place(grids, entries[0][0]))
    places = _places(grids, [values for values, _ in entries])
    if len(set(colours)) == 1:
        return call("fill", onto, literal(colours[0]), call("merge", places))
    return call("paint", onto, call("mpapply", named("recolor"), literal(colours), places))


def _copied(onto: Term, grids: Sequence[Term], entries: Sequence[EntryValues], source: Term) -> Term:
    if not grids:
        return source
    if len(entries) == 1:
        return call("paint", onto, call("toobject", _place(grids, entries[0]), source))
    merged = call("merge", _places(grids, entries))
    return call("paint", onto, call("toobject", merged, source))


def _place(grids: Sequence[Term], values: EntryValues) -> Term:
    """A term for the positions whose features have these values."""
    first, *rest = [call("ofcolor", grid, literal(value)) for grid, value in zip(grids, values, strict=True)]
    for other in rest:
        first = call("intersection", first, other)
    return first


def _places(grids: Sequence[Term], entries: Sequence[EntryValues]) -> Term:
    """A term for the tuple of the positions of each entry."""
    columns = [
        call("apply", call("lbind", named("ofcolor"), grid), literal(tuple(values)))
        for grid, values in zip(grids, zip(*entries, strict=True), strict=True)
    ]
    first, *rest = columns
    for other in rest:
        first = call("papply", named("intersection"), first, other)
    return first
