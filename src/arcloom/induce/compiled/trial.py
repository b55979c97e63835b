"""The trial of a set of features: it yields a rule, or pairs of items in conflict that the set does not distinguish."""

from typing import NamedTuple

from arcloom.engine.machine.layout import record
from arcloom.engine.pointer import CellPointer, WordPointer
from arcloom.engine.words import row_function
from arcloom.induce.compiled.items import (
    BYTES,
    PAIRS_USED,
    PRIME,
    RULES_CERTAIN,
    RULES_FOUND,
    SETS_TRIED,
    WORK_LEFT,
    Items,
    Partitions,
)

LARGEST = 4
"""Maximum number of features of a rule."""

NEW_PAIRS = 3
"""Maximum number of pairs that the trial of a set adds."""

EVERYTHING = -1
"""The set of all outcomes, as bits."""

KNOWN, SUPPORTED, TRIED = 1, 2, 4
"""Marks of a set of features: whether it was tested for isolation, whether it passed, and, from bit TRIED on, the
number of the last search that tried it."""

RULE = record("rule", f"size held_out unseen first entries features:{LARGEST}", array="rules")
"""A rule: its number of features, the number of demonstrations that are correct by the rule of the others, the number
of items of tests with unseen values, the position and length of its table, and its features."""

ENTRY = record("table_entry", "item outcome", array="tables")
"""An entry of a rule's table: an item with the values, and the outcome."""

rule, table_entry = RULE.access, ENTRY.access


class Trial(NamedTuple):
    """Working memory of a trial. ``features`` is the sorted set.

    ``keys`` has a number for each item; items with the same labels of all features of the set share it. For each key,
    ``both`` has the outcomes that are correct for all its items, ``agreed`` the same for each demonstration, and
    ``first`` the first item. ``bits`` and ``ranks`` renumber the keys that occur. ``kinds`` and ``at`` have the
    distinct words of ``right``, and an item for each.
    """

    features: WordPointer
    keys: WordPointer
    both: WordPointer
    agreed: WordPointer
    first: WordPointer
    bits: WordPointer
    ranks: WordPointer
    kinds: WordPointer
    at: WordPointer


class Memo(NamedTuple):
    """A hash table of sets of features with their marks, and the number of this search."""

    sets: WordPointer
    marks: WordPointer
    mask: int
    search: int


class FoundRules(NamedTuple):
    """Rules with their tables and the outcomes of the items of tests, and pairs of items in conflict."""

    rules: WordPointer
    tables: WordPointer
    outcomes: CellPointer
    left: WordPointer
    right: WordPointer


@row_function
def sort_features(p: Partitions, t: Trial, size: int) -> int:
    """Sort the chosen features, and return a word that identifies the set."""
    for k in range(size):
        at, feature = k, p.chosen[k]
        while at > 0 and t.features[at - 1] > feature:
            t.features[at] = t.features[at - 1]
            at -= 1
        t.features[at] = feature
    word = 1
    for k in range(size):
        word = (word << 15) + t.features[k] + 1
    return word


@row_function
def slot_of(m: Memo, word: int) -> int:
    """The slot of a set in the hash table. A new set is added."""
    slot = (word * PRIME >> 24) & m.mask
    while m.sets[slot] and m.sets[slot] != word:
        slot = (slot + 1) & m.mask
    m.sets[slot] = word
    return slot


@row_function
def has_found_part(p: Partitions, t: Trial, f: FoundRules, size: int) -> bool:
    """Whether a rule was found whose features are a subset of these."""
    for number in range(p.progress[RULES_FOUND]):
        left = rule.size(f, number)
        for k in range(size):
            for j in range(rule.size(f, number)):
                left -= int(rule.features(f, number, j) == t.features[k])
        if left == 0:
            return True
    return False


@row_function
def set_keys(x: Items, t: Trial, size: int) -> int:
    """Number the items by the lexicographic order of their labels. Returns the number of keys."""
    count = 1
    for i in range(x.items):
        t.keys[i] = 0
    for j in range(size):
        k = t.features[j]
        for i in range(x.items):
            t.keys[i] = t.keys[i] * x.sizes[k] + (x.labels[k * x.items + i] & (BYTES - 1))
        count *= x.sizes[k]
        if count > x.items:
            count = rank_keys(x, t, count)
    return count


@row_function
def rank_keys(x: Items, t: Trial, count: int) -> int:
    """Renumber the keys that occur from 0, in order. Returns their number."""
    words = (count >> 6) + 1
    for k in range(words):
        t.bits[k] = 0
    for i in range(x.items):
        t.bits[t.keys[i] >> 6] |= 1 << (t.keys[i] & 63)
    total = 0
    for k in range(words):
        t.ranks[k] = total
        total += bits_in(t.bits[k])
    for i in range(x.items):
        word = t.keys[i] >> 6
        below = t.bits[word] & ((1 << (t.keys[i] & 63)) - 1)
        t.keys[i] = t.ranks[word] + bits_in(below)
    return total


@row_function
def bits_in(word: int) -> int:
    """The number of set bits in a word."""
    word -= (word >> 1) & 0x5555555555555555
    word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333)
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((word * 0x0101010101010101) >> 56) & 0x7F


@row_function
def preferred(bits: int) -> int:
    """The first outcome in a set."""
    outcome = 0
    while not (bits >> outcome) & 1:
        outcome += 1
    return outcome


@row_function
def agree(x: Items, t: Trial, count: int) -> int:
    """Find the outcomes that are correct for all items with a key. Returns the number of keys without one."""
    for key in range(count):
        t.both[key] = EVERYTHING
    for i in range(x.shown):
        t.both[t.keys[i]] &= x.right[i]
    wrong = 0
    for key in range(count):
        wrong += int(t.both[key] == 0)
    return wrong


@row_function
def add_pairs(x: Items, p: Partitions, t: Trial, f: FoundRules, count: int) -> None:
    """Add a pair of items in conflict for each of the first keys without a correct outcome."""
    wrong = 0
    for key in range(count):
        if t.both[key] == 0 and wrong < NEW_PAIRS:
            add_pair(p, t, f, find_kinds(x, t, key))
            wrong += 1


@row_function
def find_kinds(x: Items, t: Trial, key: int) -> int:
    """List the distinct words of ``right`` of the items with a key, in order, with an item for each. Returns their
    number."""
    count = 0
    for i in range(x.shown):
        if t.keys[i] == key:
            at = 0
            while at < count and t.kinds[at] < x.right[i]:
                at += 1
            if at == count or t.kinds[at] != x.right[i]:
                for k in range(count, at, -1):
                    t.kinds[k], t.at[k] = t.kinds[k - 1], t.at[k - 1]
                t.kinds[at], t.at[at] = x.right[i], i
                count += 1
    return count


@row_function
def add_pair(p: Partitions, t: Trial, f: FoundRules, kinds: int) -> None:
    """Add a pair of items in conflict.

    There may be none, if each two of three items have a correct outcome in common.
    """
    for a in range(kinds):
        for b in range(kinds):
            if not t.kinds[a] & t.kinds[b]:
                number = p.progress[PAIRS_USED]
                f.left[number], f.right[number] = t.at[a], t.at[b]
                p.progress[PAIRS_USED] = number + 1
                return


@row_function
def held_out(x: Items, t: Trial, count: int) -> int:
    """The number of demonstrations that are correct by the rule of the others; 0 if there is only one."""
    if x.demonstrations < 2:
        return 0
    for k in range(x.demonstrations * count):
        t.agreed[k] = EVERYTHING
    for i in range(x.shown):
        t.agreed[x.sample[i] * count + t.keys[i]] &= x.right[i]
    right = 0
    for own in range(x.demonstrations):
        right += int(is_predicted_by_others(x, t, count, own))
    return right


@row_function
def is_predicted_by_others(x: Items, t: Trial, count: int, own: int) -> bool:
    """Whether for all keys of a demonstration the outcome by the rule of the others is correct."""
    for key in range(count):
        right = t.agreed[own * count + key]
        if right != EVERYTHING:
            others = EVERYTHING
            for each in range(x.demonstrations):
                if each != own:
                    others &= t.agreed[each * count + key]
            if not (others & -others) & right:
                return False
    return True


@row_function
def add_rule(x: Items, p: Partitions, t: Trial, f: FoundRules, size: int, count: int) -> None:
    """Add the rule of a set for which every key has a correct outcome."""
    number, right = p.progress[RULES_FOUND], held_out(x, t, count)
    rule.set_size(f, number, size)
    rule.set_held_out(f, number, right)
    for k in range(size):
        rule.set_features(f, number, k, t.features[k])
    p.progress[RULES_FOUND] = number + 1
    p.progress[RULES_CERTAIN] += int(right > 0 and right == x.demonstrations)
    set_outcomes(x, t, f, number)
    set_table(x, t, f, number, count)


@row_function
def set_outcomes(x: Items, t: Trial, f: FoundRules, number: int) -> None:
    """Write the outcomes of the items of tests."""
    tests, unseen = x.items - x.shown, 0
    for i in range(tests):
        bits = t.both[t.keys[x.shown + i]]
        f.outcomes[number * tests + i] = preferred(bits)
        unseen += int(bits == EVERYTHING)
    rule.set_unseen(f, number, unseen)


@row_function
def set_table(x: Items, t: Trial, f: FoundRules, number: int, count: int) -> None:
    """Write the table of a rule after that of the previous rule: the keys of items that change, in order."""
    for i in range(x.items - 1, -1, -1):
        t.first[t.keys[i]] = i
    start = rule.first(f, number - 1) + rule.entries(f, number - 1) if number else 0
    at = start
    for key in range(count):
        if not t.both[key] & 1:
            table_entry.set_item(f, at, t.first[key])
            table_entry.set_outcome(f, at, preferred(t.both[key]))
            at += 1
    rule.set_first(f, number, start)
    rule.set_entries(f, number, at - start)


@row_function
def try_chosen(x: Items, p: Partitions, t: Trial, m: Memo, f: FoundRules, size: int) -> None:
    """Add the rule of the chosen features, or else pairs in conflict that they do not distinguish."""
    p.progress[WORK_LEFT] -= 1
    slot = slot_of(m, sort_features(p, t, size))
    if m.marks[slot] // TRIED == m.search or has_found_part(p, t, f, size):
        return
    m.marks[slot] = m.marks[slot] % TRIED + TRIED * m.search
    p.progress[SETS_TRIED] += 1
    count = set_keys(x, t, size)
    if agree(x, t, count):
        add_pairs(x, p, t, f, count)
    else:
        add_rule(x, p, t, f, size, count)
