"""Items as the compiled search has them: a label for each feature and item, and which outcomes are right for an item.

Items of demonstrations come first. Of those of one demonstration that have the same labels, and of which the same is
right, only the first is kept.
"""

from typing import NamedTuple

from arcloom.engine.pointer import CellPointer, WordPointer
from arcloom.engine.words import row_function

PRIME = 0x9E3779B97F4A7C1
"""An odd number with its bits well spread: multiplying by it carries every bit upwards."""

BYTES = 256
"""Number of different values of a feature, and so of labels."""

WORK_LEFT, RULES_FOUND, RULES_CERTAIN, SETS_TRIED, PAIRS_USED, LAST_STAMP = range(6)
"""The words of ``progress``: the work that is left; the numbers of rules found, of those that hold for all
demonstrations left out, of sets of features tried, and of pairs; and the number of the last use of the table of
codes."""

PROGRESS_WORDS = 6


class Features(NamedTuple):
    """Features to label: ``values`` has a row for each, ``labels`` gets one for each that is ``kept``."""

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
    demonstration, and ``sizes`` the number of labels of each feature. Of the items, the first ``shown`` are those of
    demonstrations; for them ``sample`` has the demonstration and ``right`` the outcomes that are right, as bits.
    ``changed`` lists the ``changing`` items that do not stay.
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
    strange: int


class Partitions(NamedTuple):
    """Partitions of the items of demonstrations by the features that are chosen, one for each number of them.

    ``parts`` has the number of the part of each item, ``counts`` the number of parts, and ``valid`` whether they are
    those of the features chosen at present. ``codes`` is a table in which only entries with the last stamp count.
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
    """Number the values of each feature in order of appearance, and give the number of features that are kept.

    Those are left out that are the same for all items, or that tell the same items apart as one before.
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
    """Write the labels of a feature after those that are kept, and their hash; give the number of labels."""
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
    """Whether the labels of the last feature differ from those of all features kept."""
    for k in range(count):
        if x.hashes[k] == x.hashes[count]:
            i = 0
            while i < x.items and x.labels[k * x.items + i] == x.labels[count * x.items + i]:
                i += 1
            if i == x.items:
                return False
    return True


class Kinds(NamedTuple):
    """Items to tell apart by their ``labels``, ``sample`` and ``right``: the first of each kind are written to
    ``first``. ``weights`` has a random number for each row of these, ``slots`` is a hash table with ``mask`` + 1
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
    """Find the first item of each kind among those of demonstrations, and give the number of kinds.

    Items are told apart by 64 bits in which different ones never meet.
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
def keep_familiar(x: Items, p: Partitions, kept: WordPointer) -> int:
    """Move the labels of those features to the front that are familiar by themselves, and give their number.

    ``kept`` has the numbers of the features, which are moved, too. The labels are then written to ``across``.
    """
    count = 0
    for k in range(x.features):
        if strange_with(x, p, 0, k) <= x.strange:
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
    """A number for an item that is the same for all in its part which have the same label of one more feature."""
    part = p.parts[level * x.shown + item]
    return part * x.sizes[k] + (x.labels[k * x.items + item] & (BYTES - 1))


@row_function
def next_stamp(p: Partitions) -> int:
    """A stamp for the entries of the table of codes, above those that were used."""
    stamp = p.progress[LAST_STAMP] + 1
    p.progress[LAST_STAMP] = stamp
    return stamp << STAMP


STAMP = 32
"""Number of bits below the stamp of an entry in the table of codes."""

BELOW = (1 << STAMP) - 1


@row_function
def choose(p: Partitions, level: int, k: int) -> None:
    """Make a feature the last one of those chosen, after ``level`` others."""
    p.chosen[level] = k
    p.valid[level + 1] = 0


@row_function
def refine(x: Items, p: Partitions, level: int) -> None:
    """Make the partition by ``level`` features out of that by one fewer."""
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
def strange_with(x: Items, p: Partitions, level: int, k: int) -> int:
    """The number of demonstrations with items that change and are like none of another demonstration, by the first
    ``level`` chosen features and one more. Counting ends above the number that is allowed.
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
    return strange_demonstrations(x, p, level, k, stamp)


@row_function
def strange_demonstrations(x: Items, p: Partitions, level: int, k: int, stamp: int) -> int:
    """See ``strange_with``; the table of codes has the only demonstration, counted from 1, that has a code, or 0."""
    count = 0
    for j in range(x.changing):
        only = p.codes[code_of(x, p, level, k, x.changed[j])] - stamp
        if only and p.seen[only - 1] != stamp:
            p.seen[only - 1] = stamp
            count += 1
            if count > x.strange:
                return count
    return count
