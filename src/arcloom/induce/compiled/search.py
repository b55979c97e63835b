"""The search for sets of features that tell all pairs of items in conflict apart.

It branches over the features that tell the hardest pair apart which the features chosen so far leave together.
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
    strange_with,
)
from arcloom.induce.compiled.trial import (
    FAMILIAR,
    KNOWN,
    LARGEST,
    NEW_PAIRS,
    Found,
    Memo,
    Trial,
    slot_of,
    sort_features,
    try_chosen,
)

PAIRS = 512
"""Maximum number of pairs that the search begins with, the hardest of those that were drawn."""

ROUNDS, FAILURES = 16, 24
"""Maximum number of rounds: after this many new pairs, the search begins again with them."""

MOST_PAIRS = PAIRS + ROUNDS * (FAILURES + NEW_PAIRS)

RULES, ENOUGH = 120, 24
"""Maximum number of rules, and the number of those that hold for all demonstrations left out that is enough."""

WIDTH = 64
"""Number of pairs in a word."""


class Pairs(NamedTuple):
    """The ``drawn`` pairs of items, and the search over those that are used.

    ``apart`` has the number of features that tell each pair apart, and ``order`` the pairs in the order of that;
    ``counts`` is for sorting. ``packed`` has a bit for each feature and pair that it leaves together, in ``width``
    words, and ``together`` the pairs that the features chosen so far leave together. For each number of these,
    ``cursor`` is the next feature to choose, and ``hardest`` the pair that it has to tell apart.
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
    """The number of features that tell two items apart."""
    first, second, count = a * x.features, b * x.features, 0
    for k in range(x.features):
        count += int(x.across[first + k] != x.across[second + k])
    return count


@row_function
def sort_pairs(x: Items, s: Pairs, count: int) -> None:
    """Put pairs in the order of the number of features that tell them apart; equal ones stay in their order."""
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
def take_hardest(x: Items, s: Pairs, f: Found) -> int:
    """Take those of the drawn pairs that conflict and that the fewest features tell apart; give their number."""
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
def pack_pairs(x: Items, s: Pairs, f: Found, count: int) -> None:
    """Write the bits of pairs that features leave together, the hardest pair first."""
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
    """Whether the chosen features and one more leave some pairs together."""
    for word in range(width):  # noqa: SIM110  (row functions have no generators)
        if s.together[level * width + word] & s.packed[k * width + word]:
            return True
    return False


@row_function
def next_feature(x: Items, s: Pairs, level: int, width: int, last: bool) -> int:
    """The next feature to choose, or the number of features if there is none.

    The last one of a set must leave no pair together; others must leave some, but not the hardest.
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
def is_familiar(x: Items, p: Partitions, t: Trial, m: Memo, level: int) -> bool:
    """Whether enough demonstrations are like others where they change, by the chosen features up to this level.

    If not, more features do not help.
    """
    slot = slot_of(m, sort_features(p, t, level + 1))
    if not m.marks[slot] & KNOWN:
        p.progress[WORK_LEFT] -= 1
        m.marks[slot] |= KNOWN
        if strange_with(x, p, level, p.chosen[level]) <= x.strange:
            m.marks[slot] |= FAMILIAR
    return m.marks[slot] & FAMILIAR != 0


@row_function
def is_done(p: Partitions) -> bool:
    """Whether there is no work left, or enough was found."""
    return p.progress[WORK_LEFT] <= 0 or p.progress[RULES_FOUND] >= RULES


@row_function
def try_size(x: Items, p: Partitions, s: Pairs, t: Trial, m: Memo, f: Found, size: int, count: int) -> bool:
    """Try the sets of this many features that tell the first ``count`` pairs apart; whether the round is to end."""
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
        if is_familiar(x, p, t, m, level):
            if level < size - 1:
                level += 1
                begin_level(s, p, level, width)
            else:
                try_chosen(x, p, t, m, f, size)
                if p.progress[PAIRS_USED] - count >= FAILURES or is_done(p):
                    return True
    return False


@row_function
def try_sizes(x: Items, p: Partitions, s: Pairs, t: Trial, m: Memo, f: Found) -> bool:
    """Try the sets that tell all pairs apart, the smallest first; whether there are enough rules."""
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
def find_rules(x: Items, p: Partitions, s: Pairs, t: Trial, m: Memo, f: Found) -> int:
    """Find rules that are right for all demonstrations, and give their number.

    Where sets of features leave pairs together that conflict, the search begins again with these pairs, too.
    """
    p.progress[PAIRS_USED] = take_hardest(x, s, f)
    for _ in range(ROUNDS):
        before = p.progress[PAIRS_USED]
        if try_sizes(x, p, s, t, m, f) or p.progress[PAIRS_USED] == before or is_done(p):
            break
    return p.progress[RULES_FOUND]
