"""Items in the form of the compiled search: a label for each feature and item, and the correct outcomes of each item.

Items of demonstrations come first. Of items of one demonstration with the same labels and the same correct outcomes,
only the first is kept.
"""

from typing import NamedTuple

from arcloom.engine.pointer import CellPointer, WordPointer
from arcloom.engine.words import row_function

PRIME = 0x9E3779B97F4A7C1
"""An odd multiplier with well distributed bits, so that every input bit affects many higher bits of the product."""

BYTES = 256
"""Maximum number of different values of a feature, and therefore of labels."""

WORK_LEFT, RULES_FOUND, RULES_CERTAIN, SETS_TRIED, PAIRS_USED, LAST_STAMP = range(6)
"""The words of ``progress``: the remaining work; the numbers of rules found, of rules that are correct for all held-out
demonstrations, of sets of features tried, and of pairs; and the last stamp used in the table of codes."""

PROGRESS_WORDS = 6


class Features(NamedTuple):
    """Features to label.

    ``values`` has a row for each feature; ``labels`` receives a row for each feature in ``kept``.
    """

    values: CellPointer
    labels: CellPointer
    kept: WordPointer
    sizes: WordPointer
    hashes: WordPointer
    weights: WordPointer
    table: WordPointer
    rows: int
    items: int


class Items(NamedTuple):
    """Items with the labels of their features.

    ``labels`` has a row of ``items`` bytes for each feature, ``across`` a row of ``features`` bytes for each item of a
    demonstration, and ``sizes`` the number of labels of each feature. The first ``shown`` items are those of
    demonstrations; for them ``sample`` has the demonstration and ``right`` the set of correct outcomes, as bits.
    ``changed`` lists the ``changing`` items that do not stay. ``most_isolated`` is the maximum number of isolated
    demonstrations.
    """

    labels: CellPointer
    across: CellPointer
    sizes: WordPointer
    sample: WordPointer
    right: WordPointer
    changed: WordPointer
    features: int
    items: int
    shown: int
    changing: int
    demonstrations: int
    most_isolated: int


class Partitions(NamedTuple):
    """Partitions of the items of demonstrations, one for each prefix of the chosen features.

    ``parts`` has the part of each item, ``counts`` the number of parts, and ``valid`` whether the partition is that of
    the currently chosen features. ``codes`` is a table in which only entries with the last stamp are valid.
    """

    progress: WordPointer
    chosen: WordPointer
    parts: WordPointer
    counts: WordPointer
    valid: WordPointer
    codes: WordPointer
    seen: WordPointer


@row_function
def label_features(x: Features) -> int:
    """Number the values of each feature in order of appearance. Returns the number of features that are kept.

    A feature is dropped if it is constant, or if it partitions the items like an earlier one.
    """
    for i in range(x.items):
        word = (i + 1) * PRIME
        x.weights[i] = (word ^ ((word >> 29) & 0x7FFFFFFFF)) * PRIME
    count = 0
    for row in range(x.rows):
        size = label_row(x, row, count)
        if size > 1 and is_different(x, count):
            x.kept[count], x.sizes[count] = row, size
            count += 1
    return count


@row_function
def label_row(x: Features, row: int, count: int) -> int:
    """Write the labels of a feature and their hash after those of the kept features. Returns the number of labels."""
    for value in range(BYTES):
        x.table[value] = -1
    size, hash = 0, 0
    for i in range(x.items):
        value = x.values[row * x.items + i] + BYTES // 2
        label = x.table[value]
        if label < 0:
            label = size
            x.table[value] = label
            size += 1
        x.labels[count * x.items + i] = label
        hash += label * x.weights[i]
    x.hashes[count] = hash
    return size


@row_function
def is_different(x: Features, count: int) -> bool:
    """Whether the labels written last differ from those of all kept features."""
    for k in range(count):
        if x.hashes[k] == x.hashes[count]:
            i = 0
            while i < x.items and x.labels[k * x.items + i] == x.labels[count * x.items + i]:
                i += 1
            if i == x.items:
                return False
    return True


class Kinds(NamedTuple):
    """Items to deduplicate by their ``labels``, ``sample`` and ``right``. The first of each kind is written to
    ``first``. ``weights`` has a random number for each of these rows; ``slots`` is a hash table with ``mask`` + 1
    entries."""

    labels: CellPointer
    sample: WordPointer
    right: WordPointer
    weights: WordPointer
    totals: WordPointer
    slots: WordPointer
    first: WordPointer
    features: int
    items: int
    shown: int
    mask: int


@row_function
def first_of_each(x: Kinds) -> int:
    """Find the first item of each kind among those of demonstrations. Returns the number of kinds.

    Items are compared by a random 64-bit hash; collisions are neglected.
    """
    of_sample, of_right = x.weights[x.features], x.weights[x.features + 1]
    for i in range(x.shown):
        x.totals[i] = of_sample * x.sample[i] + of_right * x.right[i]
    for k in range(x.features):
        weight, row = x.weights[k], k * x.items
        for i in range(x.shown):
            x.totals[i] += weight * (x.labels[row + i] & (BYTES - 1))
    count = 0
    for i in range(x.shown):
        slot = (x.totals[i] * PRIME >> 24) & x.mask
        while x.slots[slot] and x.totals[x.slots[slot] - 1] != x.totals[i]:
            slot = (slot + 1) & x.mask
        if not x.slots[slot]:
            x.slots[slot] = i + 1
            x.first[count] = i
            count += 1
    return count


@row_function
def keep_supported(x: Items, p: Partitions, kept: WordPointer) -> int:
    """Keep only the features that alone isolate few enough demonstrations, and return their number.

    Their labels and their numbers in ``kept`` are moved to the front. Then the labels are transposed into ``across``.
    """
    count = 0
    for k in range(x.features):
        if isolated_with(x, p, 0, k) <= x.most_isolated:
            if k > count:
                for i in range(x.items):
                    x.labels[count * x.items + i] = x.labels[k * x.items + i]
            x.sizes[count], kept[count] = x.sizes[k], kept[k]
            count += 1
    for k in range(count):
        for i in range(x.shown):
            x.across[i * count + k] = x.labels[k * x.items + i]
    return count


@row_function
def code_of(x: Items, p: Partitions, level: int, k: int, item: int) -> int:
    """A number that two items share if they are in the same part and have the same label of feature ``k``."""
    part = p.parts[level * x.shown + item]
    return part * x.sizes[k] + (x.labels[k * x.items + item] & (BYTES - 1))


@row_function
def next_stamp(p: Partitions) -> int:
    """A new stamp for entries of the table of codes, greater than all before."""
    stamp = p.progress[LAST_STAMP] + 1
    p.progress[LAST_STAMP] = stamp
    return stamp << STAMP


STAMP = 32
"""Number of bits below the stamp of an entry in the table of codes."""

BELOW = (1 << STAMP) - 1


@row_function
def choose(p: Partitions, level: int, k: int) -> None:
    """Choose feature ``k`` after the first ``level`` chosen features."""
    p.chosen[level] = k
    p.valid[level + 1] = 0


@row_function
def refine(x: Items, p: Partitions, level: int) -> None:
    """Compute the partition by ``level`` features from the partition by one fewer."""
    k, stamp, count = p.chosen[level - 1], next_stamp(p), 0
    for i in range(x.shown):
        code = code_of(x, p, level - 1, k, i)
        entry = p.codes[code]
        if entry < stamp:
            entry = stamp + count
            p.codes[code] = entry
            count += 1
        p.parts[level * x.shown + i] = entry & BELOW
    p.counts[level], p.valid[level] = count, 1


@row_function
def isolated_with(x: Items, p: Partitions, level: int, k: int) -> int:
    """The number of demonstrations that the first ``level`` chosen features and feature ``k`` isolate.

    A demonstration is isolated if one of its changed items has labels that occur in no other demonstration. Counting
    stops above ``most_isolated``.
    """
    for each in range(1, level + 1):
        if not p.valid[each]:
            refine(x, p, each)
    stamp = next_stamp(p)
    for i in range(x.shown):
        code = code_of(x, p, level, k, i)
        own = stamp + x.sample[i] + 1
        if p.codes[code] < stamp:
            p.codes[code] = own
        elif p.codes[code] != own:
            p.codes[code] = stamp
    return isolated_demonstrations(x, p, level, k, stamp)


@row_function
def isolated_demonstrations(x: Items, p: Partitions, level: int, k: int, stamp: int) -> int:
    """See ``isolated_with``. For each code, the table has the only demonstration with it, counted from 1, or else 0."""
    count = 0
    for j in range(x.changing):
        only = p.codes[code_of(x, p, level, k, x.changed[j])] - stamp
        if only and p.seen[only - 1] != stamp:
            p.seen[only - 1] = stamp
            count += 1
            if count > x.most_isolated:
                return count
    return count
