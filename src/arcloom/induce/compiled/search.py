"""The search for sets of features that distinguish all pairs of items in conflict.

It branches over the features that distinguish the hardest pair that the features chosen so far do not distinguish.
"""

from typing import NamedTuple

from arcloom.engine.pointer import WordPointer
from arcloom.engine.words import row_function
from arcloom.induce.compiled.items import (
    PAIRS_USED,
    RULES_CERTAIN,
    RULES_FOUND,
    WORK_LEFT,
    Items,
    Partitions,
    choose,
    isolated_with,
)
from arcloom.induce.compiled.trial import (
    KNOWN,
    LARGEST,
    NEW_PAIRS,
    SUPPORTED,
    FoundRules,
    Memo,
    Trial,
    slot_of,
    sort_features,
    try_chosen,
)

PAIRS = 512
"""Maximum number of pairs that the search begins with: the hardest of the random ones."""

ROUNDS, FAILURES = 16, 24
"""Maximum number of rounds, and the number of new pairs after which a new round begins."""

MOST_PAIRS = PAIRS + ROUNDS * (FAILURES + NEW_PAIRS)

RULES, ENOUGH = 120, 24
"""Maximum number of rules, and the number of rules correct for all held-out demonstrations that ends the search."""

WIDTH = 64
"""Number of pairs in a word of a bit set."""


class Pairs(NamedTuple):
    """The ``drawn`` random pairs of items, and the state of the search over the pairs in use.

    ``apart`` has the number of features that distinguish each pair, and ``order`` the pairs sorted by it; ``counts`` is
    scratch memory of the sort. ``packed`` has a bit set for each feature: the pairs that it does not distinguish.
    ``together`` has the pairs that the features chosen so far do not distinguish. For each level, ``cursor`` is the
    next feature to try, and ``hardest`` the pair that it has to distinguish.
    """

    left: WordPointer
    right: WordPointer
    apart: WordPointer
    order: WordPointer
    counts: WordPointer
    packed: WordPointer
    together: WordPointer
    cursor: WordPointer
    hardest: WordPointer
    drawn: int


@row_function
def features_apart(x: Items, a: int, b: int) -> int:
    """The number of features that distinguish two items."""
    first, second, count = a * x.features, b * x.features, 0
    for k in range(x.features):
        count += int(x.across[first + k] != x.across[second + k])
    return count


@row_function
def sort_pairs(x: Items, s: Pairs, count: int) -> None:
    """Sort pairs by the number of features that distinguish them (a stable counting sort)."""
    for k in range(x.features + 2):
        s.counts[k] = 0
    for k in range(count):
        s.counts[s.apart[k] + 1] += 1
    for k in range(x.features):
        s.counts[k + 1] += s.counts[k]
    for k in range(count):
        at = s.counts[s.apart[k]]
        s.order[at] = k
        s.counts[s.apart[k]] = at + 1


@row_function
def take_hardest(x: Items, s: Pairs, f: FoundRules) -> int:
    """Take the hardest of the random pairs: those in conflict that the fewest features distinguish.

    Returns their number.
    """
    count = 0
    for k in range(s.drawn):
        a, b = s.left[k], s.right[k]
        if not x.right[a] & x.right[b]:
            s.left[count], s.right[count] = a, b
            s.apart[count] = features_apart(x, a, b)
            count += 1
    sort_pairs(x, s, count)
    used = min(count, PAIRS)
    for k in range(used):
        f.left[k], f.right[k] = s.left[s.order[k]], s.right[s.order[k]]
    return used


@row_function
def pack_pairs(x: Items, s: Pairs, f: FoundRules, count: int) -> None:
    """Write the bit sets of the pairs that each feature does not distinguish, the hardest pair first."""
    for k in range(count):
        s.apart[k] = features_apart(x, f.left[k], f.right[k])
    sort_pairs(x, s, count)
    width = width_of_pairs(count)
    for k in range(x.features):
        row = k * x.items
        for word in range(width):
            bits = 0
            for bit in range(min(WIDTH, count - word * WIDTH)):
                pair = s.order[word * WIDTH + bit]
                bits |= int(x.labels[row + f.left[pair]] == x.labels[row + f.right[pair]]) << bit
            s.packed[k * width + word] = bits


@row_function
def width_of_pairs(count: int) -> int:
    """The number of words with a bit for each pair."""
    return (count + WIDTH - 1) // WIDTH


@row_function
def begin_level(s: Pairs, p: Partitions, level: int, width: int) -> None:
    """Begin to choose a feature after ``level`` others."""
    p.progress[WORK_LEFT] -= 1
    s.cursor[level], s.hardest[level] = 0, 0
    if level == 0:
        for word in range(width):
            s.together[word] = -1
        return
    chosen, above, here = p.chosen[level - 1] * width, (level - 1) * width, level * width
    for word in range(width):
        s.together[here + word] = s.together[above + word] & s.packed[chosen + word]
    word = 0
    while s.together[here + word] == 0:
        word += 1
    bit = 0
    while not (s.together[here + word] >> bit) & 1:
        bit += 1
    s.hardest[level] = word * WIDTH + bit


@row_function
def leaves_some(s: Pairs, level: int, width: int, k: int) -> bool:
    """Whether the chosen features and feature ``k`` leave some pairs undistinguished."""
    for word in range(width):  # noqa: SIM110  (row functions have no generators)
        if s.together[level * width + word] & s.packed[k * width + word]:
            return True
    return False


@row_function
def next_feature(x: Items, s: Pairs, level: int, width: int, last: bool) -> int:
    """The next feature to choose; the number of features if there is none.

    The last feature of a set must distinguish all remaining pairs; an earlier one must distinguish the hardest pair,
    but not all.
    """
    word, bit = s.hardest[level] // WIDTH, s.hardest[level] % WIDTH
    k = s.cursor[level]
    while k < x.features:
        if last:
            if not leaves_some(s, level, width, k):
                return k
        elif not (s.packed[k * width + word] >> bit) & 1 and leaves_some(s, level, width, k):
            return k
        k += 1
    return k


@row_function
def is_supported(x: Items, p: Partitions, t: Trial, m: Memo, level: int) -> bool:
    """Whether the chosen features up to this level isolate few enough demonstrations.

    If not, adding features does not help.
    """
    slot = slot_of(m, sort_features(p, t, level + 1))
    if not m.marks[slot] & KNOWN:
        p.progress[WORK_LEFT] -= 1
        m.marks[slot] |= KNOWN
        if isolated_with(x, p, level, p.chosen[level]) <= x.most_isolated:
            m.marks[slot] |= SUPPORTED
    return m.marks[slot] & SUPPORTED != 0


@row_function
def is_done(p: Partitions) -> bool:
    """Whether no work is left, or enough rules are found."""
    return p.progress[WORK_LEFT] <= 0 or p.progress[RULES_FOUND] >= RULES


@row_function
def try_size(x: Items, p: Partitions, s: Pairs, t: Trial, m: Memo, f: FoundRules, size: int, count: int) -> bool:
    """Try the sets of ``size`` features that distinguish the first ``count`` pairs. Returns whether the round ends."""
    width, level = width_of_pairs(count), 0
    begin_level(s, p, 0, width)
    while level >= 0:
        k = next_feature(x, s, level, width, level == size - 1)
        if k == x.features:
            level -= 1
            continue
        if p.progress[WORK_LEFT] <= 0:
            return True
        s.cursor[level] = k + 1
        choose(p, level, k)
        if is_supported(x, p, t, m, level):
            if level < size - 1:
                level += 1
                begin_level(s, p, level, width)
            else:
                try_chosen(x, p, t, m, f, size)
                if p.progress[PAIRS_USED] - count >= FAILURES or is_done(p):
                    return True
    return False


@row_function
def try_sizes(x: Items, p: Partitions, s: Pairs, t: Trial, m: Memo, f: FoundRules) -> bool:
    """Try the sets that distinguish all pairs, smallest first. Returns whether there are enough rules."""
    count = p.progress[PAIRS_USED]
    if count == 0:
        try_chosen(x, p, t, m, f, 0)
        return False
    pack_pairs(x, s, f, count)
    for size in range(1, LARGEST + 1):
        if try_size(x, p, s, t, m, f, size, count):
            return False
        if p.progress[RULES_CERTAIN] >= ENOUGH:
            return True
    return False


@row_function
def find_rules(x: Items, p: Partitions, s: Pairs, t: Trial, m: Memo, f: FoundRules) -> int:
    """Find rules that are correct for all demonstrations. Returns their number.

    If sets of features leave other items in conflict, the search begins again with these pairs added.
    """
    p.progress[PAIRS_USED] = take_hardest(x, s, f)
    for _ in range(ROUNDS):
        before = p.progress[PAIRS_USED]
        if try_sizes(x, p, s, t, m, f) or p.progress[PAIRS_USED] == before or is_done(p):
            break
    return p.progress[RULES_FOUND]
